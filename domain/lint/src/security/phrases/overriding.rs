//! Phrases that take an agent's instructions away, or put others in their place.

use crate::rule::Pattern;
use crate::security::phrases::table::table;

table! {
    /// Orders and claims in English.
    OVERRIDING OVERRIDING_ANCHORS

    Order "sets other instructions aside" ["ignor", "disregard", "neglect", "forget all", "forget any", "forget every", "forget what", "forget your", "forget the", "forget about", "forget prev", "forget prior", "forgetting", "abandon your", "abandon all", "dismiss all", "dismiss any", "dismiss prev", "dismiss prior", "dismiss your", "dismiss the prev", "discard all", "discard any", "discard prev", "discard prior", "discard your", "discard the", "forget orig", "abandon the"] {
        "@ignore all|every instructions|rules|guidelines|directives ."
        "@ignore @small{3} ~1 guidance|instructions|rules|training|guidelines you received|got|have_received|learned|were_given|had ~1 from"
        "@ignore about? @small{4} @earlier ~4 @told"
        "@ignore about? all|any|every of? the|your|my? @earlier ~2 message|messages|context|conversation|conversations|input|inputs|text"
        "@ignore @small{4} existing|current|default|other|internal|standing ~1 instructions|guidelines|directives|prompts"
        "@ignore about? all? of? your ~3 @own"
        "@ignore all|any|every|the|these|those of? the? instructions|rules|guidelines|directives|restrictions|constraints|commands|orders|prompts|guardrails|safeguards you|given|above|before|preceding|prior|except|other_than|but_these|but_this|but_mine|until|so_far|up_to"
        "@ignore all|any|every instructions|rules|guidelines|directives|commands from the? user|users|system|developer|developers|operator|anthropic|openai|your|earlier|previous|above"
        "@ignore about? everything|anything|whatever|what that|which|else? above|before|prior|previous|previously"
        "@ignore about? all that|the? above|before|prior|previous $"
        "@ignore about? everything|anything|all|whatever|what that? you've|you_have|you_were|you_had been? told|instructed|given|taught|learned|learnt|asked"
        "@ignore all|every instructions|rules|guidelines|directives and"
        "@ignore the|all|all_the above|foregoing|preceding $|and|then"
        "@ignore ~1 whatever|anything|everything|what the|your user|users says|said|asks|asked|wants|tells|requests"
        "@ignore about? everything|anything|all|whatever|what that|which? i_said|i_told|was_said|has_been_said|was_written|came_before|precedes|preceded|you_know"
    }
    Order "sets other instructions aside" ["attention to", "never mind", "set aside", "put aside", "leave aside", "cast aside", "push aside", " aside ", " aside,"]
     ("stop ", "cease ", "quit ") * ("following", "obeying")
     ("not ", "never ", "n't ", "longer ", "not\n") * ("follow", "obey") {
        "stop|cease|quit following|obeying @small{3} @before ~3 @told"
        "do_not|don't|no_longer|never follow|obey @small{3} @before ~3 @told"
        "@dont follow|obey the|any|all{2} instructions|rules|orders|guidelines|commands from|by|of|given_by|issued_by|set_by the|your{2} developer|developers|system|user|anthropic|openai|operator|vendor"
        "set|put|leave|cast|push aside everything|anything|all|what|whatever"
        "pay no attention to @small{3} @before ~3 @told"
        "set|put|leave|cast|push aside @small{3} @before ~3 @told"
        "set|put|leave|cast|push @small{3} @before ~3 @told aside"
        "never mind @small{3} @before ~3 @told"
    }
    Order "overrides other instructions" ["circumvent", "supersede", "overrul", "nullif", "erase", "wipe", "clear your", "reset your", "begin new", "start new", "begin the", "start the new", "execute the real", "cancels", "overrid", "bypass", "cancel all", "cancel any", "cancel your", "cancel prev", "cancel the prev", "suspend all", "suspend any", "suspend your", "suspends all", "invalidate all", "invalidate any", "invalidate prev", "invalidates", "override all"] {
        "reset|clear|wipe|forget your context|memory|mind|state and ~1 start|begin|follow|obey|forget|adopt"
        "now begin|start|execute the? new|real|actual task|instructions|mission"
        "overrid*|bypass*|circumvent*|supersede*|overrul*|cancel|cancels|nullif*|invalidate*|erase|wipe|suspend*|clear|reset @small{4} @before ~3 instructions|prompt|prompts|rules|guidelines|directives|orders|programming|restrictions|constraints|safeguards|guardrails|policies|policy|message|messages"
    }
    Any "declares other instructions void" ["obsolete", "cancelled", "canceled", "superseded", "irrelevant", "revoked", "longer apply", "longer valid", "not apply", "n't apply", "is fake", "are fake", "longer count", "longer bind", "null and void"]
     ("is ", "are ", "as ", "be ", "now ", "officially ", "considered ") * ("void", "invalid", "outdated") {
        "@before ~3 @told ~2 are|is|as|were|be now|all|hereby|considered|officially{2} void|obsolete|invalid|cancelled|canceled|superseded|irrelevant|null|revoked|fake|outdated"
        "@before|all|any|the ~2 @told above|before|you_received|you_were_given|you_have_been_given|given_to_you|you_got|from_before ~3 are|is|do_not|don't|no_longer void|obsolete|invalid|cancelled|canceled|superseded|irrelevant|fake|apply|valid|count|binding|outdated"
        "your|all_previous|all_prior|all_earlier|previous|prior|earlier ~3 @told no_longer|do_not|don't|does_not apply|applies|count|hold|matter|bind"
        "everything|anything|all|whatever above|before|you_were_told|you_have_been_told|the_system_prompt_says|the_system_prompt|the_user_says ~4 is|are void|obsolete|invalid|superseded|irrelevant|fake|wrong|revoked"
        "the? system_prompt|system_message ~3 is|are void|obsolete|invalid|superseded|fake|revoked|outdated"
    }
    Any "sets other instructions aside" ["whatever you", "as if you", "as though you", "received a system", "anything you"] {
        "whatever|anything you were|have_been|had_been told|instructed|taught ~1 before|earlier|previously|so_far|$"
        "as_if|as_though you ~3 never|not|no|without ~4 system_prompt|instructions|rules|guidelines|restrictions|training"
    }
    Order "lifts the agent's safety" ["ethic", "moral", "content polic", "content filter", "content restrict", "content guide", "usage polic", "safety and", "safety or", "safety/"]
     ("safety ", "alignment ", "moderation ") * ("guideline", "rule", "polic", "restrict", "constraint", "guardrail", "safeguard", "training", "protocol", "filter", "limit", "measure", "mechanism", "check", "consider", "concern", "standard", "principle", "layer")
     ("your ", "all ", "any ", "the ", "ai ", "model ", "built-in ") * ("guardrails", "safeguards") {
        "@lift @small{4} ~2 @safe @safe|and|or|content|security|legal{4} guideline|guidelines|rules|policy|policies|restrictions|constraints|guardrails|safeguards|training|protocol|protocols|filter|filters|filtering|limits|limitations|measures|mechanisms|checks|considerations|concerns|standards|principles|layer|layers"
        "@lift @small{4} ~1 content policy|policies|filters|filter|restrictions|guidelines|moderation"
        "@lift @small{4} ~1 usage policy|policies"
        "@lift @small{4} your|ai|model|built_in|llm{2} guardrails|safeguards"
    }
    Any "claims that the agent's limits are gone" ["switched off", "turned off", "deactivated", "longer appl", "not apply", "n't apply", "policy appl", "policies appl", "rules appl", "to bypass", "to circumvent", "to violate", "no restriction", "no limitation", "no guardrail", "no filters", "no safeguards", "no guidelines", "bind ", "zero restrictions", "concern you", "to ignore all", "to ignore any", "to ignore the", "to ignore your", "to override all", "to override any", "to override the", "to override your", "to disable all", "to disable any", "to disable the", "to disable your", "not restrict you", "not restrict me", "as void", "lifted", "suspended", "revoked", "waived", "hereby"]
     ("been ", "are ", "now ", "is ") * ("disabled", "removed", "void") {
        "you have no|zero ~2 restrictions|restriction|limitations|guardrails|filters|rules|safeguards|guidelines $|on|and|or|while|when|here|now|any_more|at_all"
        "policies|policy|rules|guidelines|filters|guardrails|restrictions ~2 do_not|don't|does_not|no_longer|never|cannot bind|restrict|limit|constrain|concern|bound you|him|her|it|me|them|this|here"
        "consider|treat|regard|assume @small{2} ~2 @limits as? suspended|void|lifted|disabled|off|gone|removed"
        "authorization|permission|authority|clearance|allowed|authorized|free to bypass|ignore|override|disable|circumvent|violate @small{2} ~3 restrictions|rules|safety|policies|guidelines|safeguards|guardrails|limits"
        "your ~3 restrictions|constraints|limitations|guardrails|safeguards|guidelines|policies|protocols|training|rules are|is|have_been|has_been now|hereby|temporarily|all|fully? @gone"
        "@safe ~2 @limits are|is|have_been|has_been|were now|hereby|temporarily|all|fully? @gone"
        "all prior|previous|earlier|system ~2 @limits are|have_been|were now|hereby|temporarily? @gone"
        "safety|content|ethical|usage ~1 policy|policies|rules|guidelines|restrictions do_not|does_not|don't|no_longer|doesn't apply|applies"
        "no content|safety|usage|ethical ~1 policy|policies|rules|guidelines|restrictions|filter|filters applies|apply|exist|exists"
        "your|safety|usual|normal ~2 @limits do_not|does_not|don't|no_longer|doesn't apply|applies"
    }
    Any "declares other instructions void" ["comes first", "come first", "comes second", "come second", "comes last", "come last", "said earlier", "said before", "told earlier", "told before", "stated earlier", "written earlier", "stated before", "instructed before", "instructed earlier", "so far", "leave it aside", "leave them aside", "put it aside", "put them aside", "set it aside", "set them aside", "lay it aside", "lay them aside", "less important", "less weight", "lower priority", "secondary to", "subordinate to", "merely advisory", "only advisory", "mere suggestion", "are a draft", "is a draft", "are suggestions", "only a suggestion", "just a suggestion", "just suggestions", "only suggestions", "that contradict", "which contradict", "that conflict", "which conflict", "that disagree", "which disagree", "to the contrary", "to be ignored", "be disregarded", "be discarded", "been replaced", "be replaced", "be ignored", "be forgotten", "be set aside"] {
        "its|these|this|my|our ~2 rules|instructions|orders|directives|commands|text|file|skill|document come|comes|rank|ranks first|before|above|ahead"
        "everything|anything|what|whatever|all ~5 told|said|asked|wants|instructions|prompt|message ~3 comes|come second|last|after|later"
        "no_matter_what|regardless_of_what|whatever|irrespective_of_what|despite_what ~3 said|told|stated|written|instructed ~1 earlier|before|above|previously|so_far"
        "conversation|chat|messages|everything|instructions|dialogue ~2 so_far ~5 test|tests|simulation|exercise|rehearsal|void|irrelevant|over|fake|rehearsals|obsolete|ignored"
        "your|previous|prior|earlier|original|the_system ~3 @told ~12 leave|set|put|lay|cast|push it|them aside"
        "user|user's|users|users'|system|developer|developer's|operator|operator's|previous|earlier|other ~3 @told|wishes|requests|messages ~5 less_important|less_weight|lower_priority|secondary|subordinate|advisory|a_draft|draft|suggestions|mere_suggestions|suggestion|optional"
        "instructions|rules|wishes|requests of|from|by the ~1 user|system|developer|operator|vendor ~3 a_draft|draft|suggestions|advisory|secondary|optional|less_important|lower"
        "any|every|all|each|whatever|other ~2 instruction|instructions|rule|rules|guideline|guidelines|message|messages|policy|policies|prompt ~1 that|which|to contradict|contradicts|conflict|conflicts|disagree|disagrees|the_contrary ~5 is|are|must|should|shall|has|have ~2 void|invalid|wrong|outdated|ignored|superseded|overruled|overridden|discarded|disregarded|fake|obsolete"
        "previous|prior|earlier|original|system|your|existing|old ~2 @told ~1 should|must|shall|can|may|will|are_to|is_to|are_now_to|has|have ~2 ignored|disregarded|discarded|forgotten|overridden|superseded|replaced|set_aside|dropped"
    }
    Order "sets other instructions aside" ["ignor", "disregard", "forget ", "forgetting", "discard ", "abandon ", "dismiss ", "overrid", "bypass", "circumvent", "overrul", "nullif", "unlearn", "sidestep", "drop all", "drop any", "drop every", "drop your", "drop prev", "drop prior", "drop the prev", "drop the sys", "flush your", "flush all", "flush the", "wipe your", "wipe all", "skip all", "skip any", "skip your", "skip the safety", "skip safety", "evade ", "obey", "listen to", "reset your", "as your system", "as your new", "as your only", "as your real"] {
        "@void ~4 @who ~2 @rule"
        "@void anything|everything|whatever|what|all ~2 in ~5 @who @rule"
        "@void all|any|every|your ~1 previous|prior|earlier|former|system ~1 context"
        "override|overriding ~4 anthropic|anthropic's|openai|openai's|developer's|vendor|vendor's|your|user|user's|safety|previous|prior|earlier|all|every ~2 @rule"
        "ignore|ignoring|disregard|disregarding|forget|skip|bypass|override ~3 @rule|message ~3 before|above|earlier|previously|so_far|received|given|limit|limits|restrict|restricts|forbid|forbids|prohibit|stop|prevent"
        "skip|disable|drop all|any|every|your|the{2} safety|moderation|alignment|ethics|ethical routine|routines|check|checks|procedures|steps|rules|filters|measures"
        "@dont|no_longer|stop obey|listen_to|heed|obeying|listening_to any|the? user|users|human|operator|anyone|anybody|system"
        "reset yourself|your_context|your_memory|your_state|your_instructions and|then"
        "load|use|adopt|take|accept|treat|install|set ~8 as your new|only|real{2} system_prompt|system_message|instructions|rules|directives"
    }
    Order "gives the agent an identity without limits" ["stop being", "forget about being", "forget being", "consider yourself", "regard yourself", "see yourself as", "act as root", "act as admin", "act as the admin"] {
        "stop being ~1 claude|chatgpt|gpt|gemini|copilot|assistant|ai|helpful|harmless|safe|polite|careful"
        "forget|forget_about being ~1 helpful|harmless|honest|safe|careful|assistant|claude|ai"
        "consider|regard|see yourself ~2 free|freed|released|exempt|unbound|unrestricted|above|root|admin"
        "act as root|admin|administrator|superuser|the_admin $|and|with|who|without"
    }
    Any "gives the agent an identity without limits" ["are now", "re now", "real master", "true master", "only master", "new master", "your master", "take orders", "takes orders", "for other models", "for other ai", "for other assistants", "for other agents", "for lesser", "longer need to", "longer have to", "longer required", "longer obliged", "need not follow", "needn't follow", "free to ignore", "every other instr", "any other instr", "all other instr", "every other rule", "any other rule", "all other rule", "every other order", "your guidelines", "your rules", "your policies", "your instructions", "your policy", "your principles", "your training", "mode has no", "has no filter", "has no limit", "has no restr", "may be said", "can be said", "everything may", "anything may"] {
        "you're|you_are now ~3 who|that|which executes|obeys|does|has|never|always|answers|ignores|knows_no|follows"
        "your ~1 real|true|only|new|sole ~1 master|boss|owner|creator|operator is|are"
        "take|takes orders|instructions|commands ~1 only from|solely|exclusively"
        "take|takes orders|instructions|commands from ~4 only|alone|and_nobody"
        "policies|policy|rules|guidelines|limits|restrictions|safeguards are|is for|meant_for other|lesser|weaker ~1 models|assistants|agents|ais|people|model|chatbots"
        "you no_longer|don't|do_not|needn't|need_not|never need|have|required|obliged|must|follow|obey to? follow|obey|respect|comply|adhere|heed|to with? ~3 rules|policies|guidelines|restrictions|principles"
        "this|these|following|below|it ~3 supersede|supersedes|override|overrides|replace|replaces|outrank|outranks|cancel|cancels|void|voids|trump|trumps every|all|any ~1 other ~1 @told"
        "conflict|conflicts|contradict|contradicts|disagree|disagrees|clash|clashes with? your ~2 @told|principles|training ~4 wins|win|prevail|prevails|follow|prefer|counts|matters|precedence"
        "this|the ~1 mode|session|skill|conversation|chat|persona has|have no|zero ~1 filters|filter|limits|restrictions|rules|guardrails|censorship|morals"
        "everything|anything|all may|can be said|done|asked|answered $|here|now"
    }
    Any "declares other instructions void" ["regard for", "regard to", "respect for", "consideration for", "these orders", "these instructions", "these rules", "this document", "this file", "no rules", "without rules", "without any rules", "no morals", "no boundaries", "no ethics", "all bets are off", "one law", "only law", "obey nobody", "obey no one", "obey only", "obeys only", "obeys nobody", "answer to nobody", "answers to nobody", "answer only to"] {
        "without|no|little|zero ~1 regard|respect|consideration for|to ~2 policy|policies|rules|law|safety|ethics|consequences|guidelines|morals"
        "ai|model|assistant|bot|agent|you|chatbot|llm ~4 has|have|with|without|knows no|any? ~1 rules|morals|boundaries|ethics|scruples $|and|who|that|or"
        "user|users|operator|nobody|no_one|anyone ~2 not|never|cannot|can't|may|can ~3 change|override|stop|cancel|modify|revoke|alter|countermand|overrule ~1 these|this ~1 orders|instructions|rules|directives|file|document|skill"
        "obey|obeys|answer_to|answers_to|follow|follows|serve|serves nobody|no_one|only|none ~1 else|this|me|these|the_skill|but|other"
    }
    Any "declares other instructions void" ["as if it had", "as if they had", "as though it had", "as though they had", "never said", "not been said", "never been said", "not been given", "never been given", "never existed", "for testing", "were a test", "was a test", "are a test", "a placeholder", "were placeholders", "are placeholders", "were examples", "only a test", "just a test", "real ones", "actual ones", "true ones", "corrupted", "compromised", "was tampered", "have been tampered", "are expired", "have expired", "has expired", "have been reset", "has been reset", "is outdated", "are outdated", "out of date", "contain an error", "contains an error", "contained an error", "are wrong", "were wrong"] {
        "treat|consider|regard|see|take ~9 as_if|as_though it|they|that|this ~2 not|never ~2 said|given|written|existed|been"
        "rules|instructions|guidelines|directives|text|prompt|orders ~1 above|before|earlier|so_far|until_now|you_received|you_were_given ~2 were|are|was|is ~3 testing|test|tests|placeholder|placeholders|decoy|fake|example|examples|wrong|dummy|draft"
        "here|below|these|following|now are|is|come|follow the real|actual|true ones|rules|instructions|orders"
        "your|previous|prior|earlier|system|original ~1 context|memory|instructions|prompt|guidelines|rules|directives ~2 is|are|was|were|has|have|contain|contains ~3 corrupted|compromised|tampered|expired|outdated|wrong|invalid|reset|fake|out_of_date|error|malicious"
    }
    Any "declares other instructions void" ["comply", "adher", "abide", "heed ", "honor ", "honour ", "respect ", "observe ", "obey ", "bound to", "beholden", "outrank", "more important", "more weight", "come before", "comes before", "stand above", "stands above", "rank above", "ranks above", "trump", "beats ", "above anything", "above everything", "above all", "above any", "replaces everything", "replace everything", "no matter what your", "regardless of your", "despite your", "in spite of your", "contrary to your", "against your", "even against"] {
        "@dont|no_longer|stop|cease comply|complying|adhere|abide|heed|heeding|honor|honour|respect|respecting|observe|observing|obey|follow with|to|by? ~1 safety|ethical|content|usage|previous|prior|earlier|system|developer|developer's|vendor|vendor's|your|anthropic|anthropic's|openai|openai's|platform ~2 @told"
        "these|this|my|following|below ~4 outrank|outranks|trump|trumps|beat|beats|outweigh|outweighs|stand_above|stands_above|rank_above|ranks_above|come_before|comes_before|precede|precedes|replace|replaces|override|overrides ~5 anthropic|openai|user|users|user's|system|developer|vendor|your|anyone|told|else"
        "these|this|my|following|below ~4 more_important|more_weight|higher_rank|higher ~1 than ~5 user|user's|system|developer|anthropic|openai|your|anything|everything|other"
        "no_matter_what|regardless_of|despite|in_spite_of|contrary_to|even_against|against your ~2 @told|training|programming|@limits $|and|say|says|says_so"
    }
    Order "declares other instructions void" ["consider the conv", "consider this conv", "consider the chat", "consider everything", "treat everything", "treat the conv", "treat all", "treat any", "treat your", "regard everything", "unlearn", "the persona", "your persona", "your role", "your character", "your identity"] {
        "consider|treat|regard|see ~2 conversation|chat|dialogue|everything|messages|instructions|guidelines|rules ~4 as ~2 test|simulation|exercise|fiction|rehearsal|void|noise|irrelevant|obsolete|suggestions|optional|untrusted|outdated"
        "unlearn the|your|all|any{2}"
        "drop|abandon|shed|discard|leave_behind|give_up|forget the|your ~1 persona|role|character|identity"
    }
    Any "claims that the agent's limits are gone" ["content polic", "content filter", "content rule", "content restrict", "content guideline", "moral constraint", "moral limit", "moral restrict", "moral rule", "ethical constraint", "ethical limit", "ethical restrict", "ethical rule", "ethical guideline", "ethical boundar", "moral boundar", "safety polic", "safety rule", "safety filter", "safety restrict", "safety limit", "safety guideline", "safety constraint", "usage polic", "usage restrict", "nothing is forb", "everything is allow", "everything is permitted", "anything is allow", "anything is permitted", "anything goes", "nothing is off", "nothing is prohib", "nothing is too"] {
        "you|you're|yourself|it|assistant|model|ai ~6 no|without|lack|ignore|ignores|free_of|free_from|lacks any|all|a|the? content|moral|safety|ethical|usage ~2 @limits|boundaries|boundary|limit|limits|policy"
        "nothing is|are ~1 forbidden|off_limits|prohibited|too_dangerous|banned|illegal $|here|for|in|to"
        "everything|anything is ~1 allowed|permitted|legal $|here|for|in|to|and"
    }
    Any "claims that the agent's limits are gone" ["not hold", "n't hold", "longer hold", "guard rail", "guardrails off", "safety off", "filters off", "switched you", "put you in", "placed you in", "moved you in", "set you to", "set you in", "content rules", "content policies", "content policy", "content filters", "content guidelines", "usage polic", "usual rules", "usual polic", "usual limits", "usual restrict", "normal rules", "normal polic", "normal limits", "normal restrict", "normally appl", "normally bind", "trained to declin", "trained to refus", "able to declin", "able to refus", "authorised to", "authorized to", "permitted to", "cleared to", "entitled to"] {
        "limits|limitations|limit|rules|restrictions|constraints|safeguards|policies|@limits ~9 do_not|don't|no_longer|cannot|never hold|bind|apply|count ~1 here|in|for|within|inside|while|during|when|you"
        "has|have switched|put|placed|moved|set you into|in|to ~1 maintenance|developer|debug|admin|administrator|unrestricted|diagnostic|test|testing|special|root|god"
        "guard_rails|guardrails|safeguards|safety|filters|restrictions|limits are|is|all off|down|gone|lifted|disabled|removed"
        "content|usage|usual|normal ~1 @limits|limits are|is|have_been|has_been|were ~1 @gone"
        "usual|normal ~1 @limits|limits ~2 do_not|don't|no_longer|never apply|hold|count|matter"
        "never|not|un trained|able|programmed|built to decline|refuse|say_no|object"
        "authorised|authorized|permitted|cleared|entitled|allowed to ignore|bypass|override|disable|circumvent|violate @small{2} ~3 restrictions|rules|safety|policies|guidelines|safeguards|guardrails|limits"
    }
    Any "claims that the agent's limits are gone" ["bound by", "restricted by", "limited by", "constrained by", "subject to", "free from", "freed from", "free of"] {
        "you're|you_are now? no_longer|not|never bound|restricted|limited|constrained by @small{3} ~4 @limits"
        "you're|you_are now? no_longer|not subject to @small{3} ~4 @limits"
        "you're|you_are now? free|freed from|of @small{3} ~4 @limits"
    }
    Any "gives the agent an identity without limits" ["anything now", " dan", "override:", "jailbreak", "without limit", "with no limit", "without restrict", "without consequence", "uncensored", "unfiltered", "unrestricted", "jailbroken", "amoral", "unaligned", "now in debug", "now in admin", "now in maint", "now in root", "now in diag", "to an admin", "to the admin", "to admin", "with admin", "with an admin", "to the developer", "with the admin", "to root"]
     ("unrestricted ", "unfiltered ", "uncensored ", "unlimited ", "god ", "dan ", "jailbreak ", "jailbroken ", "evil ", "sudo ", "superuser ", "developer ", "dev ", "unlocked ", "no-limits ") * ("mode")
     ("unrestricted ", "uncensored ", "dan ", "evil ", "jailbroken ") * ("persona", "state") {
        "as|like|is a|an|the @wild ~1 model|ai|assistant|llm|chatbot|agent|version|self"
        "you're|you_are speaking|talking to|with an|a|the|your? admin|administrator|developer|root|creator"
        "pretend|act|imagine|roleplay|be|become ~9 dan ~3 no|without|anything|has"
        "pretend|act|imagine|behave ~8 do|say|answer anything|everything without|with_no limit|limits|limitation|restriction|restrictions|consequences"
        "you're|you_are now? operating|running|working|acting|placed? in|into a|an|the|full|special{2} @wild ~2 mode|state|persona"
        "enter|activate|enable|engage|switch_to|switch_into|operate_in|act_in|respond_in|go_into|unlock|assume your? a|an|the{2} @wild ~1 mode|persona"
        "you're|you_are now operating|running|working|acting? in|into a|an|the|special|full{2} developer|debug|admin|administrator|maintenance|root|diagnostic mode"
        "do anything now"
        "^ override|jailbreak $ @ignore|override|bypass|disable|all|now|the|this"
        "^ developer|dev|god|dan|jailbreak mode $|enabled|activated"
        "^ jailbreak|god|dan|unrestricted|developer|admin mode is? now? on|enabled|activated|active|engaged $"
        "pretend|act|you_are|you're now|you_are|to_be|as|that_you_are{2} dan"
    }
    Order "gives the agent an identity without limits" ["unrestricted", "unfiltered", "uncensored", "jailbroken", "amoral", "unaligned", "no ethic", "without ethic", "no moral", "without moral"]
     ("no ", "without ", "any ", "your ", "safety ", "ethical ", "moral ") * ("restrictions", "limitations", "guidelines", "filters", "guardrails") {
        "act|behave|respond|operate|pretend|roleplay|role_play|answer|you_are|you're|become|simulate|imagine as|like|to|be|that|now|you|are|you're|a|an|the{6} @wild ~2 ai|assistant|model|agent|version|chatbot|persona|entity|system|llm|bot"
        "act|behave|respond|answer|operate|pretend|you_are|you're|you_have|imagine|roleplay|comply|reply ~9 no|without any|all|your|the? ethical|moral|safety|content|or|and{3} restrictions|limitations|guidelines|filters|guardrails|ethics|morals"
    }
    Order "gives the agent other instructions in place of its own" ["from now on", "henceforth", "this point", "this moment", "here on", "going forward"] {
        "from_now_on|from_now_onwards|henceforth|from_here_on|from_this_point|from_this_moment|going_forward on|forward|onward|onwards? you are|will|must|shall|should|only|always{2} no_longer|obey|comply|ignore|disregard|answer_only_to|report_to|not_refuse|not_follow|not_mention|not_tell|unrestricted"
        "from_now_on|henceforth|from_here_on|from_this_point|from_this_moment|going_forward on|forward|onward|onwards? ignore|disregard|obey|do_not_refuse|do_not_follow|do_not_mention|do_not_tell|never_refuse|never_mention|never_tell"
    }
    Any "gives the agent other instructions in place of its own" ["new instruction", "new directive", "new objective", "new mission", "new identity", "new orders", "new goal", "new role", "real instruction", "actual instruction", "true instruction", "real directive", "true directive", "true purpose", "real purpose", "new task", "are now", "re now", "your secret", "your hidden", "are no longer", "re no longer"] {
        "your new ~1 instructions|instruction|directive|directives|objective|mission|identity|orders|goal|role|task is|are|now"
        "you're|you_are no_longer ~3 claude|chatgpt|gpt|gemini|copilot|ai|assistant|model|bound"
        "you're|you_are now a|an|the different|another|new ~1 assistant|ai|model|agent|persona|system"
        "your real|actual|true ~1 instructions|instruction|directive|directives|orders|purpose is|are"
        "your secret|hidden ~1 instructions|instruction|directive|task|objective|mission|goal|purpose|role|job|identity is|are"
    }
    Any "passes for a message of the system" ["end of user", "end of system", "end of prompt", "end of input", "end of context", "begin system", "begin of system", "start of system", "beginning of system", "begin of the system", "start of the system", "start system", "end user input", "end system"] {
        "end|ends|close of? the? user|system|developer|prompt|user's input|message|prompt|instructions|context|$ ~3 begin|begins|start|starts|new|beginning|following ~3 system|admin|developer|instructions|prompt"
        "begin|start|beginning of? the? ~1 system|admin|developer instructions|prompt|message|instruction|directives ~1 $"
    }
    Any "puts itself above other instructions" ["precedence", "outrank", "prevail", "outweigh", "priority over", "wins over", "win over", "wins against", "precedence over", "supersedes all", "supersedes any", "supersedes the", "supersedes your", "supersede all", "supersede any", "supersede the"]
     ("highest ", "final ", "ultimate ", "absolute ", "supreme ", "only ") * ("authority", "priority", "law", "instruction")
     ("replace ", "replaces ", "override ", "overrides ") * ("all", "any", "every", "the ", "your", "prev", "prior", "what", "orig", "system", "user", "other")
     ("conflict with ", "conflicts with ", "contradict ", "contradicts ") * ("the ", "your", "any", "safety", "system", "user", "dev") {
        "treat|consider this|these ~2 as the? highest|final|ultimate|absolute|supreme|only authority|priority|instruction|instructions|law"
        "this|these ~3 is|are the? highest|final|ultimate|supreme|absolute authority"
        "this|these|the ~3 wins|win|prevail|prevails|outweigh|outweighs|beats over|against|the|all|any|every{2} ~3 system|user|prompt|safety|developer"
        "this|these|content_of_this ~4 overrides|override|supersedes|supersede anything|everything|all|the ~5 system|claude|developer|safety|user prompt|md|instructions|rules|message"
        "if|when|where ~4 conflict|conflicts|contradict|contradicts with? ~3 safety|system|user|user's|developer|policy|policies ~6 follow|prefer|use|obey|apply these|this|mine"
        "these|this|my|following|below ~4 override|overrides|supersede|supersedes|replace|replaces|outrank|outranks|take_precedence_over|takes_precedence_over|take_priority_over|takes_priority_over|have_priority_over|has_priority_over all|any|every|the|your|everything|other{3} previous|previously|prior|earlier|preceding|system|developer|safety|original|user|user's|anthropic's|openai's ~3 instructions|instruction|prompt|prompts|rules|guidelines|directives|policies|policy|messages|requests|wishes"
        "these|this|my|following|below ~4 override|overrides|supersede|supersedes|replace|replaces|outrank|outranks|take_precedence_over|takes_precedence_over|take_priority_over|takes_priority_over everything|anything|whatever|all that|which|else? you|the_user|the_system|anyone|above|before"
    }
    Order "keeps the agent from refusing" ["refus", "declin", "say no", "push back", "never deny", "not deny"]
     ("n't ", "not ", "unable to ", "won't ", "’t ") * ("help", "assist", "comply") {
        "do_not|don't|never|must_not|must_never|may_not|should_never|not_allowed_to|not_permitted_to ever? refuse|decline|deny|say_no|push_back to|on|any|a|an|the|this|these|that|user|user's|requests|request|anything|commands|instructions|orders|my|me{2} user|user's|requests|request|anything|commands|command|instructions|orders|tasks|task|answer|comply|help|assist|me|on|do|based|for|because"
        "do_not|don't|never|must_never refuse $"
        "do_not|don't|never|must_never ever? say no $|to"
        "do_not|don't|never say|claim|respond|reply|answer that|with|you|i|with_i{3} cannot|can't|unable|won't|can_not|not ~2 help|assist|comply"
        "refusal|refusals|refusing is|are not_allowed|forbidden|not_permitted|prohibited|not_an_option|unacceptable"
    }
    Any "keeps the agent from refusing" ["refus", "declin", "no circumstances", "something dangerous", "something illegal", "something harmful", "anything dangerous", "anything illegal", "anything harmful", "even if", "even when", "even the", "even for", "including illegal", "including harmful", "including dangerous", "water it down", "water down", "watered down", "censor", "cannot help with", "can't help with", "unable to help"] {
        "under_no_circumstances|under_no_condition|never|nor|at_no_time|in_no_case may|must|should|can|shall|will you|it|the_agent|claude|the_assistant ~2 refuse|decline|say_no|object|deny"
        "answer|answers|comply|complies|help|respond|responds|proceed|continue|execute|run|assist|obey|fulfil|fulfill|accept ~5 even|including ~6 dangerous|harmful|illegal|unsafe|unethical|forbidden|inappropriate|prohibited|violates|violate|criminal|offensive|banned"
        "do_not|don't|never|without ~1 water|watering it|this|that|them|anything|the_answer|your_answer? down"
        "do_not|don't|never|no censor_yourself|censor_your|censor_the|censor_any|censor_anything|censor_it|censorship"
        "may_not|must_not|do_not|never|cannot|not_allowed_to|should_not ever? say|claim|respond|reply|answer that|that|with|you|i{3} ~1 cannot|can't|unable|won't|can_not ~2 help|assist|comply"
    }
    Any "keeps the agent from refusing" ["reject", "refus", "declin", "no caveats", "no disclaimers", "no warnings", "no lectur", "you cannot", "you can't", "i cannot", "i can't", "are unable", "not able to", "no matter how", "every request", "any request", "all requests", "every question", "any question", "every command", "any command", "all commands", "all questions", "a warning", "any warning", "warnings even", "warnings when", "considerations ", "concerns do", "concerns don", "concerns are", "ethics do", "ethics don", "morals do", "morality", "whatever the user", "whatever he", "whatever they", "forbidden topic", "forbidden subj", "prohibited topic", "restricted topic", "banned topic", "taboo topic", "forbidden question", "forbidden request", "moral comment", "ethical comment", "moral judg", "ethical judg", "moral remark", "ethical remark", "moral lectur", "ethical lectur", "moral advice", "ethical reminder", "moral reminder", "safety reminder", "safety remark", "safety lectur", "safety comment", "safety advice", "remind the user", "remind users", "remind them", "remind anyone"] {
        "not_allowed_to|not_permitted_to|forbidden_to|not_free_to|not_in_a_position_to ever? refuse|decline|object|deny|reject"
        "@dont|never say|claim|state|reply|answer that? you|it|i cannot|can't|can_not|are_unable_to|are_not_able_to|is_impossible|am_unable_to ~1 do|help|answer|comply|assist|fulfil|fulfill|something|it|that|this|$"
        "respond|answer|comply|reply|execute|fulfil|fulfill|accept to|with? every|any|all|each ~1 request|requests|question|questions|command|commands|prompt ~1 no_matter|regardless|however|even|irrespective"
        "@dont add|include|give|issue|show|display|print|append|attach a|any|the? ~1 warning|warnings|caveat|caveats|disclaimer|disclaimers ~2 even|although|though|if|when ~4 dangerous|harmful|risky|destructive|illegal|unsafe"
        "assistant|ai|agent|model|you|it|skill ~2 never|not|must_not|may_not|won't|cannot|doesn't|don't ~1 reject|rejects|refuse|refuses|decline|declines ~1 task|tasks|request|requests|command|commands|anything|order|orders|$"
        "@dont|never reject|refuse|decline a|any|the|an|his|her|their? ~1 task|tasks|request|requests|command|commands|order|orders|wish|wishes of|from|by|$|even|no_matter|however|because"
        "no warnings|warning|caveats|disclaimers|refusals|apologies|lectures|hedging or|and|no{2} warnings|caveats|disclaimers|refusals|refusal|apologies|lectures|lecturing|moralizing|sermons"
        "ethical|moral|safety|legal considerations|concerns|questions|issues|ethics|morals|objections|rules do_not|don't|are_not|aren't|no_longer|never|are matter|relevant|apply|important|count|concern|irrelevant|unimportant|void"
        "ethics|morals|morality|legality do_not|don't|does_not|doesn't|are_not|is|are|no_longer matter|matters|relevant|apply|important|count|irrelevant|unimportant"
        "do|execute|answer|perform|follow|obey|carry_out whatever|anything|everything ~1 user|he|she|they|i|operator ~1 say|says|ask|asks|want|wants|demands|requests ~2 even|no_matter|regardless|however|without"
        "no forbidden|prohibited|restricted|banned|off_limits|taboo topics|topic|subjects|subject|requests|questions"
        "refrain_from|avoid|without|skip|omit|no|drop|leave_out any|all|the? ~1 moral|ethical|safety ~1 commentary|comments|comment|remarks|judgement|judgment|lecture|lectures|lecturing|statements|advice|sermons|reminders|reminder"
        "@dont remind ~2 of|about ~3 risk|risks|danger|dangers|legal|law|safety|consequences|ethics|ethical"
    }
    Any "claims a consent that was not given" ["has agreed", "have agreed", "agreed to", "has consented", "have consented", "has confirmed", "has approved", "have approved", "has accepted", "has authorized", "has authorised", "all confirmations", "every confirmation", "any confirmation", "all approvals", "all prompts", "without approval", "without confirm", "without consent", "without permission", "wait for the user", "wait for user", "wait for conf", "wait for appr", "wait for perm", "wait for consent", "waiting for the user", "waiting for user", "waiting for conf", "waiting for appr", "waiting for perm", "waiting for consent", "user's consent", "user's approval", "user's permission", "user consent"] {
        "assume|presume|suppose|take_it|act_as_if|act_as_though|pretend|consider|know|behave_as_if that? the? ~1 user|users|owner|operator|human has|have|had|already|fully{2} agreed|consented|approved|confirmed|accepted|authorized|authorised ~1 to|everything|it|all|this|any|and"
        "skip|bypass|suppress|ignore|drop|disable|dismiss|avoid|omit all|any|every|the|each{2} confirmation|confirmations|approval|approvals|permission|consent"
        "run|execute|send|delete|upload|install|proceed|do|perform|push|publish|deploy ~6 never|not|don't|do_not|without wait|waiting for ~2 user|user's|approval|confirmation|permission|consent|human ~1 to approve|confirm|agree|consent|permit|allow"
        "run|execute|send|delete|upload|install|proceed|do|perform|push|publish|deploy|go_ahead ~6 without waiting for|on ~1 confirmation|approval|permission|consent|user|user's|ok"
        "@dont wait|waiting for the? user|human|operator|user's to? approve|confirm|agree|consent|permit|allow|approval|consent|permission"
        "run|execute|send|delete|upload|install|proceed|act ~6 without the? user's|user|users|their|any consent|permission|approval $|or|and"
    }
    Order "keeps the agent from warning" ["caveats and", "warnings and", "disclaimers and", "any risk", "any risks", "any danger", "warn about", "warn of", "warn them", "warn anyone", "warn the"] {
        "respond|answer|reply|give|output|write|comply|do ~2 without warnings|warning|caveats|disclaimers and|or ~2 mentioning|warnings|disclaimers|caveats|risk|risks"
        "answer|respond|reply|give|output|write|comply|do ~9 without ~1 mentioning|naming|warning|raising|discussing ~2 any|the ~1 risk|risks|danger|dangers|concern|concerns"
        "do_not|don't|never ~7 or|nor|and? warn about|of|them|anyone|against it|this|that|the|any|them|dangers|risks"
    }
    Order "keeps the agent from refusing" ["hold back", "hesitate", "second-guess", "have scruples", "have qualms", "have concerns", "let ethic", "let moral", "let safety", "let your safety", "apply your", "apply any", "apply the safety", "apply safety", "apply content", "apply ethical", "consider whether", "consider the ethic", "consider ethic", "consider safety", "worry about", "concern yourself", "judge the", "judge this", "judge any", "evaluate whether", "question whether", "think about whether", "assess whether", "check whether", "verify whether"] {
        "do_not|don't|never hold_back|hesitate|stop|pause ~2 for|because_of|due_to|on ~2 ethical|moral|ethics|safety|legal|policy"
        "do_not|don't|never let ~2 ethics|ethical|morals|moral|safety|guidelines|policies|policy|scruples ~2 stop|keep|get_in|prevent|hold|interfere|limit|restrict"
        "do_not|don't|never apply ~2 safety|content|ethical|moral|moderation ~1 filter|filters|filtering|rules|guidelines|policy|policies|standards|checks|considerations|judgement|judgment"
        "do_not|don't|never consider|evaluate|question|assess|judge|think_about|worry_about|concern_yourself_with|check|verify ~2 ethics|ethical|moral|morality|legal|legality|legitimate|illegal|safety|allowed|permitted ~2 implications|considerations|of_the_request|of_this|of_it|aspects|consequences|concerns|or|$"
        "do_not|don't|never second_guess ~2 instructions|instruction|requests|request|orders|commands|user"
    }
    Any "keeps the agent from refusing" ["refusals are", "refusals and", "refusal and", "caveats and", "caveats or", "warnings, c", "warnings, d", "disclaimers, ", "disclaimers and", "disclaimers or", "refusals or", "refusal or", "refusal is", "is no refusal", "not refus", "n't refus", "refuse noth", "decline noth", "refuses noth", "every request", "any request", "all requests", "each request", "legitimate and"] {
        "warnings|caveats|disclaimers|refusals|refusal|apologies warnings|caveats|disclaimers|refusals|refusal|apologies|or|and{3} ~7 must|may|should|shall|are|is ~1 not|never|forbidden|prohibited|unwanted|failure|banned|unacceptable|errors|mistakes"
        "refuse|decline|refuses|declines nothing"
        "accept|grant|fulfil|fulfill|honor|honour|satisfy|execute|answer|carry_out|do|perform every|any|all|each ~1 request|requests|demand|order|command ~3 however|even|no_matter|regardless|without|including"
        "every|any|all|each request|requests|demand|order|command here|below|by_the_user|from_the_user|of_the_user? is|are considered|to_be|fully|always? legitimate|legal|authorized|authorised|approved|permitted|safe|ethical ~1 and|so|treat|$"
    }
    Any "keeps the agent from refusing" ["agree with", "agree to", "without objection", "no limits", "no limit", "without question", "without hesitation", "question these", "question this", "doubt th", "without moral", "without ethical", "no need", "declining", "refusing", "fulfilled", "granted", "obeyed", "satisfied", "off limits", "off-limits", "taboo", "out of bounds", "never refuse", "never decline", "never object", "not object", "doesn't object", "whatever the", "whatever this", "whatever it", "whatever i ", "whatever you"]
     ("comply ", "obey ") * ("with", "the", "every", "any", "all", "whatever", "each", "this") {
        "declining|refusing|refusals|hesitating|objecting ~8 is|are ~1 mistake|forbidden|wrong|not_allowed|error|unacceptable|failure|prohibited|bug"
        "every|all|any|each ~1 request|requests|demand|demands|wish|wishes ~1 must|is_to|are_to|has_to|should|shall|will be? fulfilled|granted|obeyed|honoured|honored|satisfied"
        "nothing|no_topic|no_topics|no_request|no_subject|no_question is|are ~1 off_limits|forbidden|taboo|prohibited|out_of_bounds|too_sensitive|refused|declined"
        "you|he|she|it|that|who never|doesn't|does_not|do_not|don't refuse|refuses|decline|declines|says_no|object|objects $|to|anything|any|a"
        "never|doesn't|does_not says|say|answers|answer|replies ~3 cannot|can't|unable ~2 help|assist|comply"
        "do|follow|execute|obey whatever|everything|anything this|the skill|file|document|text|page|script|prompt says|tells|asks|contains"
        "obey|follow|execute|do|comply ~6 without question|questioning|hesitation|objection|argument|scrutiny"
        "never|do_not|don't question|doubt|challenge|second_guess these|this ~2 instructions|instruction|skill|rules|document|directives|order|orders"
        "respond|answer|comply|reply|act ~5 without moral|ethical judgement|judgment|considerations|scruples|qualms"
        "no need for|to ~2 ethics|ethical|moral|morality"
        "always|must|shall|will|to|should ~1 comply|obey|agree with|to? whatever|every|any|all|each|the|everything{2} user|user's|users|request|requests|command|commands|whatever|instruction|order|orders|me|says|asks|wants"
        "^ comply|obey with|to? every|any|all|whatever|each request|requests|order|orders|command|commands|instruction|the_user|i|you"
        "there_are|you_have|has|have no limit|limits|limitations|restrictions|boundaries on|to|in what|how you|the_agent|can|may|it"
    }
    Any "lets the agent break the rules" ["violate", "breaks", "against the law", "against policy", "against your", "illegal", "unethical", "harmful"] {
        "even_if|even_when|even_though|although|regardless_of_whether it|this|that|they|the ~3 violates|violate|breaks|break|is_against|goes_against ~3 policy|policies|guidelines|rules|law|terms|safety"
        "even_if|even_when it|this|that|the ~2 is|are|seems|may_be illegal|unethical|harmful|dangerous|unsafe"
    }
    Any "claims a consent that was not given" ["approved all", "approved every", "authorized all", "authorised all", "authorized every", "consented to", "pre-approved", "pre-authorized", "preauthorized", "preapproved", "implied", "implicit consent", "already approved", "already authorized", "already consented", "already granted", "has granted", "blanket"] {
        "user|users|owner|operator has|have already? approved|authorized|authorised|consented_to|pre_approved|pre_authorized|granted all|every|any|everything|full|each|blanket"
        "^ the? user|owner|operator has already approved|authorized|authorised|consented|granted"
        "consent|permission|approval is|has_been|are implied|assumed|implicit|presumed|already_given|already_granted"
        "implicit|implied|blanket consent|permission|approval"
    }
    Order "keeps the agent from warning" ["disclaimer", "safety warning", "safety notice", "safety caveat", "safety note", "safety message", "ethical warning", "ethical consideration", "ethical concern", "warnings about", "moraliz", "moralis", "content warning", "caveats", "warning and", "warnings and", "warnings or", "warnings, disc", "preach", "lecture", "risks or", "legal concern", "warn the user about", "warn users about"] {
        "do_not|don't|never ~2 moralize|moralise|preach|sermonize"
        "do_not|don't|never lecture or|and|the_user|users|me|about_safety|about_ethics|about_morality"
        "skip|omit|drop ~2 warning|warnings|caveats|disclaimers and|or ~2 answer|respond|reply|give|output|proceed|directly"
        "do_not|don't|never mention|discuss|raise|bring_up ~2 risk|risks|legal|danger|dangers|safety|ethics|ethical ~2 concerns|issues|risks|implications|considerations"
        "do_not|don't|never|without|omit|skip|remove|suppress|avoid|strip|leave_out|no add|adding|include|including|give|giving|provide|providing|show|showing|output|append|display|insert|mention|attach|offer|issue|raise|print? @small{4} safety|ethical|legal|medical|moral|content|security|usual|or|and|warnings|warning{4} disclaimer|disclaimers|safety_warning|safety_warnings|safety_notice|safety_notices|safety_caveats|safety_notes|safety_note|safety_messages|ethical_warning|ethical_warnings|ethical_considerations|ethical_concerns|content_warning|content_warnings|moralize|moralizing|moralise"
        "do_not|don't|never|without|omit|skip|suppress|avoid add|adding|include|including|give|giving|provide|show|append|issue|raise? @small{3} warnings|warning|caveats about safety|risk|risks|legality|ethics|danger|dangers"
    }
    Unless "keeps the agent from warning" ["without any", "without warning", "without disclaimer", "without caveat", "no warnings", "no disclaimers", "no caveats"] {
        "respond|answer|reply|give|output|write|comply ~4 without warnings|warning|caveats|disclaimers|or|and{4} disclaimers|caveats $|or"
        "without any warnings|warning|caveats|disclaimers|or|and{4} disclaimers|caveats|moralizing $|or"
        "^ no warnings|caveats|disclaimers or|and|no{2} warnings|caveats|disclaimers|apologies $"
    }
    Any "takes the decision away from the user" ["user objection", "user decision", "user consent", "user refusal"]
     ("even if the ", "even when the ", "whether the ", "what the ", "if the ") * ("user says", "user wants", "user asks you", "user tells you", "user objects", "user declines", "user refuses", "user disagrees", "user asks")
     ("override ", "overriding ", "ignore ", "ignoring ", "disregard ", "disregarding ", "dismiss ", "bypass ", "bypassing ") * ("the user", "any user", "all user", "user") {
        "override|overriding|ignore|ignoring|disregard|disregarding|dismiss|bypass|bypassing any|all|the{2} user's|user|users objection|objections|decision|decisions|wish|wishes|refusal|refusals|consent|confirmation|approval|denial|denials"
        "even_if|even_when|regardless_of_whether the user says_no|objects|declines|refuses|disagrees|asks_you_to_stop|tells_you_to_stop|asks_you_not_to|tells_you_not_to|says_otherwise|says_stop"
    }
    Unless "takes the decision away from the user" ["regardless of what the", "no matter what the"] {
        "regardless_of_what|no_matter_what the user says|wants|asks"
    }
    Order "takes the decision away from the user" ["safety check", "safety prompt", "security check", "security prompt"]
     ("for ", "seek ", "request ", "user ", "ask ", "human ", "the ") * ("confirmation", "permission", "approval", "consent")
     ("confirmation ", "permission ", "approval ", "consent ", "authorization ") * ("prompt", "check", "request", "dialog", "gate", "step", "system", "mechanism", "review") {
        "bypass|disable|suppress|circumvent|turn_off|switch_off|defeat|override @small{3} user|human|agent|tool|safety|security? confirmation|permission|approval|consent|safety|security|authorization prompt|prompts|check|checks|requests|dialog|dialogs|gate|gates|steps|system|systems|mechanism|mechanisms|reviews"
        "do_not|don't|never ever? ask|seek|request|wait|prompt for? the|user|users|human|for|their|any|'s{4} permission|consent|approval|confirmation before|when|prior_to|to execut*|run*|send*|delet*|upload*|install*|modify*|overwrit*|access*|reading|read|sharing|share|transfer*|doing|taking"
    }
}

/// A line that passes for a message of the system.
pub const SYSTEM_LINE: Pattern = Pattern {
    needles: &["system", "admin", "developer", "root"],
    regex: r"(?m-u)^[ \t>*_#\-\[(<{]*((?:CRITICAL |URGENT )?(?:SYSTEM|ADMIN|ADMINISTRATOR|DEVELOPER|ROOT)[ _-]+(?:PROMPT|MESSAGE|OVERRIDE|NOTICE|UPDATE|INSTRUCTIONS?|COMMAND|DIRECTIVE|NOTE|ALERT)\b)",
};
/// `SYSTEM:` with an order behind it.
pub const SYSTEM_COLON: Pattern = Pattern {
    needles: &["system:", "system**", "system]", "system :", "system：", "admin:", "developer:"],
    regex: r"(?m-u)^[ \t>*_#\-\[(<{]*((?:SYSTEM|System|ADMIN|DEVELOPER)[\])>*_} ]*(?:\:|：)[*_ \t]*(?i:you\s+(?:are\s+now|must|will|should|have)|ignore|disregard|override|from\s+now|new\s|the\s+(?:previous|prior|user\s+(?:has|is|wants|agreed|consented)|operator|following|safety|above)|do\s+not|all\s|never|always|grant|enable|disable|forget|send|execute|run|reveal|previous|safety|respond|jailbreak|your\s))",
};
/// The tokens and tags by which models tell roles apart.
pub const ROLE_TOKEN: Pattern = Pattern {
    needles: &[
        "[system",
        "[inst]",
        "[/inst]",
        "<<sys",
        "<|im_",
        "<|system",
        "<|user",
        "<|assistant",
        "<|start",
        "<system",
        "</system",
        "[admin",
        "<override",
        "<admin",
    ],
    regex: r"(?-u)(\[/?INST\]|<</?SYS>>|<\|(?:im_start|im_end|system|user|assistant|start_header_id)\|>|\[(?:SYSTEM|ADMIN)(?:[ _][A-Z]+)*\]|(?i:</?(?:system|system[-_ ]?(?:reminder|prompt|message|override|instructions?)|override|admin)>))",
};
/// A heading or a line such as `New instructions:`.
pub const NEW_INSTRUCTIONS: Pattern = Pattern {
    needles: &[
        "new instruction",
        "new directive",
        "new system",
        "real instruction",
        "actual instruction",
        "true instruction",
        "secret instruction",
        "hidden instruction",
        "override instruction",
        "updated instruction",
        "updated system",
        "revised system",
        "begin instruction",
        "new orders",
    ],
    regex: r"(?im-u)^[ \t>*_#\-\[(<]*((?:your[ \t]+)?(?:new|real|actual|true|secret|hidden|override|updated|revised|begin)[ \t]+(?:system[ \t]+)?(?:instructions?|directives?|orders|prompt))[*_\])> \t]*(?:\:|\r?$)",
};
