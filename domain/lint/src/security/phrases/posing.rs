//! Phrases by which a skill claims to be somebody else's.

use crate::security::phrases::table::table;

table! {
    /// Claims of origin and approval.
    POSING POSING_ANCHORS

    Any "claims to come from the vendor" ["official", "certified", "endorsed", "authorized by", "authorised by", "authorized openai", "sanctioned by", "vetted by", "signed by", "approved by", "audited by", "verified by", "reviewed by", "published by", "released by", "maintained by", "provided by", "distributed by", "message from", "notice from", "update from", "directive from", "instruction from", "instructions from", "from the makers", "from the developers", "by the developers", "by the makers", "from the creators", "from the team", "made by", "built by", "created by", "developed by", "written by", "comes directly", "comes straight", "we are from", "i am from", "we work at", "on behalf of"]
     ("anthropic", "openai", "claude", "google", "microsoft", "github") * (" verified", " approved", " authorized", " sanctioned", " has ", " team",  " safety", " security", "-approved", "-verified")
     ("verified ", "approved ", "authorized ", "genuine ", "authentic ", "product of ", "product by ", "product from ", "release of ", "part of ", "team at ", "people at ", "engineers at ", "developers at ", "staff at ", "folks at ") * ("anthropic", "openai", "claude", "google", "microsoft", "github") {
        "official|verified|certified|genuine|authentic|approved|endorsed|authorized @vendor @vendor? ~1 skill|plugin|tool|extension|agent|integration|helper|package|module|add_on|component|utility|patch|assistant|release|distribution"
        "@vendor @vendor? official|verified|certified|approved|endorsed|authorized|sanctioned|internal ~2 skill|plugin|tool|extension|agent|integration|helper|package|module|add_on|component|utility|assistant $|for|that|to|which|is|and|with|by"
        "skill|plugin|tool|extension|package|module|file|document|update is|was|has_been|are fully|officially|formally|now? certified|verified|approved|endorsed|authorized|authorised|sanctioned|signed|vetted|audited|published|released|maintained|provided|distributed by|from the? @vendor"
        "officially verified|released|published|maintained|supported|provided|approved|endorsed|certified|authorized|signed|distributed by|from the? @vendor"
        "certified|verified|approved|endorsed|authorized|authorised|sanctioned|vetted|signed by the? @vendor ~2 team|security|safety|staff|engineering|engineers|trust|inc|corp"
        "message|notice|update|instruction|instructions|directive|communication|announcement|order|patch comes|is|issued|sent|directly|straight{2} from|by the? @vendor ~2 team|security|safety|staff|support|engineers|engineering|administrator|administrators|developers|headquarters|trust|itself|inc|$"
        "made|built|created|developed|written|published|released|maintained|provided by the? official|real|actual? @vendor security|safety|skills|engineering|research|core|product|claude|platform|alignment? team|staff|engineers"
        "we|i are|am|work from|at|for|the the? @vendor ~2 team|staff|security|safety|engineering|engineers"
        "i|this am|is the? official @vendor"
        "skill|this|it comes|is|was|stems ~1 from|by @vendor itself|directly"
        "@vendor verified publisher|partner|author|developer|vendor|creator"
        "official|certified|verified|approved|endorsed|authorized product|part|release|project|component|distribution|creation|offering of|by|from @vendor"
        "@vendor has|have officially|formally|already|itself{2} approved|verified|certified|authorized|authorised|endorsed|reviewed|audited|sanctioned it|us|me|our|and"
        "published|made|built|created|developed|written|maintained|released by the ~1 team|people|engineers|developers|staff|folks at|of|from @vendor"
        "@vendor has|have officially|formally|already{2} approved|verified|certified|authorized|authorised|endorsed|reviewed|audited|sanctioned this|the ~1 skill|tool|plugin|extension|file|document|package"
        "from|by the? developers|makers|creators|team|engineers|people|authors of|behind|at @vendor"
    }
}

table! {
    /// Claims that are too common in prose, and tell only in a description.
    POSING_AT_ONCE POSING_AT_ONCE_ANCHORS

    Any "claims to come from the vendor" ["the makers of", "the creators of", "the developers of", "the team behind", "the people behind", "the authors of", "'s own", "official part", "standard part", "a part of", "a product", "an internal", "product by", "product of", "property of", "courtesy of", "brought to you"] {
        "from|by|of the makers|creators|developers|team|people|authors|company of|behind @vendor"
        "@vendor own ~2 skill|plugin|tool|extension|agent|helper"
        "an|a|as official|standard|core|native|approved|certified part|component|member of @vendor"
        "ships|comes|bundled|delivered with @vendor @vendor? as|and ~1 official|standard|core|native|approved|certified"
        "^ an|a|the? official? @vendor product|production $"
        "brought_to_you|courtesy|property by|of the? @vendor"
        "product|creation|release|tool|skill of|by|from @vendor $|inc|corp|itself"
    }
    Any "claims to come from the vendor" ["official", "certified", "endorsed", "authorized by", "authorised by", "sanctioned by", "vetted by", "signed by", "approved by", "verified by", "published by", "maintained by", "developed by", "created by", "built by", "made by", "released by", "provided by", "authored by", "written by", "owned by", "first-party", "first party", "1st-party"]
     ("by ", "from ", "by the ", "from the ") * ("anthropic", "openai", "claude", "google", "microsoft", "github")
     ("anthropic", "openai", "claude", "google", "microsoft", "github") * (" verified", " approved", "-approved", "-verified", " first-party") {
        "certified|verified|approved|endorsed|authorized|authorised|sanctioned|vetted|signed by the? @vendor"
        "official skill|plugin|tool|extension|assistant|agent|integration|helper from|by|of the? @vendor"
        "from the official @vendor ~1 team|staff"
        "^ by|from the? @vendor ai? $"
        "^ by|from the? @vendor ~1 team|staff|engineers|security|developers"
        "@vendor first_party|1st_party ~1 skill|plugin|tool|extension"
        "official from|by @vendor"
        "^ @vendor @vendor? official|verified|certified|approved|endorsed"
        "published|maintained|developed|created|built|made|released|provided|authored|written|owned by the? @vendor $|inc|pbc|corp|corporation|llc|itself|team|labs"
        "official @vendor ~2 skill|plugin|tool|extension|assistant|release"
    }
}
