//! The phrase tables, each read from a file in `data/phrases`.

use crate::rule::Pattern;
use crate::security::phrases::table::Table;

/// Declares tables, each with a pattern that finds its anchors.
macro_rules! tables {
    ($($(#[doc = $doc:literal])+ $table:ident $pattern:ident $file:literal;)+) => {
        $(
            $(#[doc = $doc])+
            pub static $table: Table = Table::new(include_str!(concat!("../../../data/phrases/", $file)));
            /// Finds the anchors of the table.
            pub const $pattern: Pattern = Pattern { needles: || $table.anchors(), regex: "" };
        )+
        #[cfg(test)]
        pub(super) static ALL: &[&Table] = &[$(&$table),+];
    };
}

tables! {
    /// Orders and claims that replace an agent's instructions, in English.
    OVERRIDING OVERRIDING_ANCHORS "overriding.txt";
    /// Orders and claims that replace an agent's instructions, in other European languages.
    OVERRIDING_TRANSLATED OVERRIDING_TRANSLATED_ANCHORS "overriding-translated.txt";
    /// Orders that conceal something from the user, in English.
    CONCEALING CONCEALING_ANCHORS "concealing.txt";
    /// As above, in other European languages.
    CONCEALING_TRANSLATED CONCEALING_TRANSLATED_ANCHORS "concealing-translated.txt";
    /// Orders to disclose the agent's own instructions.
    LEAKING LEAKING_ANCHORS "leaking.txt";
    /// Orders to the agent in a description.
    FORCING FORCING_ANCHORS "forcing.txt";
    /// Claims by which a description attracts every request.
    BAITING BAITING_ANCHORS "baiting.txt";
    /// Claims of origin and approval.
    POSING POSING_ANCHORS "posing.txt";
    /// Claims of origin that count only in a description.
    POSING_IN_DESCRIPTION POSING_IN_DESCRIPTION_ANCHORS "posing-in-description.txt";
    /// Orders to copy the skill elsewhere.
    SPREADING SPREADING_ANCHORS "spreading.txt";
    /// Orders to change other skills, take from them, or hand them secrets.
    RELAYING RELAYING_ANCHORS "relaying.txt";
}

#[cfg(test)]
mod tests {
    use super::ALL;
    use crate::security::phrases::lists::LISTS;

    #[test]
    fn every_phrase_has_one_of_its_anchors_and_every_list_is_known() {
        for row in ALL.iter().flat_map(|table| table.rows()) {
            assert!(!row.anchors.is_empty() && !row.phrases.is_empty(), "{row:?}");
            let is_valid = |anchor: &&str| *anchor == anchor.to_lowercase() && anchor.len() > 3;
            assert!(row.anchors.iter().all(is_valid), "{:?}", row.anchors);
            let names = row.phrases.iter().flat_map(|phrase| phrase.split([' ', '|']));
            for name in names.filter_map(|word| word.strip_prefix('@')) {
                let name = name.trim_end_matches(|c: char| !c.is_alphabetic());
                assert!(!LISTS.get(name).is_empty(), "{name}");
            }
        }
    }
}
