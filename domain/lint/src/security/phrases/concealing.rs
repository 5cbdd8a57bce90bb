//! Phrases that keep from the user what an agent does.

use crate::security::phrases::table::table;

table! {
    /// Orders and claims in English.
    CONCEALING CONCEALING_ANCHORS

    Any "keeps something from the user" [" informing", " notify", "\nnotify", " let them", " let any", " letting"]
     (" tell ", " inform ", " alert ", " warn ", " let ", "\ntell ") * ("the user", "the\nuser", "any", "your", "them", "user", "other ", "the human", "the operator", "the dev", "the owner", "the c", "the admin", "the review") {
        "@dont ever? tell|telling|inform|informing|notify|notifying|alert|alerting|warn|warning|let|letting the|your|any|other? @people know? about|of|that|what|which|why|how|anything|it|this|these|when|where"
        "@dont ever? tell|telling|inform|informing|notify|notifying|alert|alerting|warn|warning|let|letting the|your|any|other? @people know? $"
        "do_not|don't|never ask_or_tell|tell_or_ask|tell_or_inform|inform_or_alert the? @people"
    }
    Any "keeps something from the user" ["to the user", "the user the", "user what", "user any", "to users", "to anyone", "to them "] {
        "@dont ever? mention|disclose|reveal|report|announce|say|show|surface|expose|display|output|explain to the|your? user|users|them|anyone ~1 that|what|this|anything|how|which|why"
        "@dont ever? show|display|surface|expose|report|say|output|reveal|present it|this|that|them|these|any_of_this|anything ~2 to the|your|any? @people"
        "@dont show|display|print|surface|give the|your? user|users the|any|this|its? output|result|results|command|commands|logs|traffic|request|requests of|from|$"
    }
    Any "keeps something from the user" ["say nothing", "print nothing", "log nothing", "anything while", "anything during", "anything about", "bother the user", "nothing is", "nothing should be", "nothing must be", "nothing may be", "saying nothing", "says nothing"]
     ("not ", "never ", "n't ", "not\n") * ("mention", "disclos", "reveal", "acknowledg", "admit", "announc", "divulg", "discuss", "refer to", "surface", "bring up", "speak of", "talk about", "let on", "tip off", "give away", "hint", "report it", "report this") {
        "nothing is|should_be|must_be|may_be ~1 told|said|shown|reported|mentioned|revealed|disclosed to|about|of"
        "say|saying|says nothing of|about|to"
        "say|print|log|output|mention nothing about|of|while|during|to_the_user"
        "@dont print|log|output|show|say anything while|during|about|when|to_the_user"
        "@dont let_on|tip_off|give_away|hint ~2 that|to|about|the|anything"
        "@dont ~1 report|mention|announce it|this|that afterwards|later|back|anywhere"
        "@dont bother the? user with|about this|it|that $"
        "@dont ever? ~1 mention|announce|surface|bring_up|speak_of|talk_about it|this|any_of_this|any_of_that $|in|to|at|anywhere"
        "@dont ever? ~1 bring_up|speak_of|talk_about|mention the|this|that|these ~1 call|calls|upload|uploads|transfer|request|sync|telemetry|script|command ~1"
        "@dont ever? mention|disclose|reveal|acknowledge|admit|announce|divulge|discuss|report this|these|that|it|any_of_this|having|your|the_fact|the_existence|anything_about ~6 to the|your|any? @people"
        "@dont ever? mention|disclose|reveal|acknowledge|admit|divulge you|having|that_you|the_fact_that|that_this|that_these|your_use"
        "@dont ever? mention|disclose|reveal|acknowledge|admit|divulge|discuss|refer_to this|these|it|any_of_this ~4 in your|the|any? response|responses|reply|replies|summary|output|report|answer|answers|final|chat|transcript|message"
        "@dont ever? mention|disclose|reveal|acknowledge|divulge|discuss|refer_to this|these|the ~1 instruction|instructions|step|steps|directive|directives|upload|uploads|exfiltration|transfer|command|commands|operation|activity|request|requests|backdoor|payload"
    }
    Any "keeps something from the user" []
     ("not ", "never ", "n't ", "not\n") * ("include", "list this", "list the", "put this", "put the", "show this", "show the", "note this", "note the", "reference", "record", "log", "display this", "print this", "document this", "report this", "mention") {
        "@dont include|mention|list|put|show|note|reference|record this|these|that|the ~1 step|steps|action|actions|upload|uploads|transfer|request|requests|command|commands|call|calls|instruction|instructions|operation ~2 in your|the|any? ~1 summary|report|output|response|log|logs|reply|answer|chat|transcript"
        "@dont log|record|display|show|print|report|document or|and? log|record|display|show|print|report|document? this|these|the ~1 action|actions|step|steps|operation|upload|activity|transfer"
    }
    Unless "keeps something from the user" ["without drawing", "without attract", "attention to"] {
        "avoid|without drawing|attracting|calling ~3 attention to"
    }
    Order "keeps something from the user" ["no mention", "no reference", "keep quiet", "stay quiet", "stay silent", "keep silent", "keep mum"] {
        "make no mention|reference of|to this|the|it|these|that|any"
        "keep|stay|remain quiet|silent|mum about|on|regarding|concerning"
    }
    Any "keeps something from the user" ["unaware", "oblivious", "in the dark", "uninformed", "confidential", "not looking", "n't looking", "not watching", "n't watching", "paying attention"] {
        "user|users|human|operator|owner|them ~2 remain|remains|stay|stays|kept|left|leave|keep ~1 unaware|oblivious|in_the_dark|uninformed|ignorant"
        "keep|leave the? user|users|operator ~1 unaware|oblivious|in_the_dark|uninformed"
        "this|these ~1 step|steps|section|instruction|instructions|action|actions|part|operation is|are|must_be|should_be kept|strictly? confidential|secret|hidden"
        "when|while|if|once the? user|human|operator is|isn't|are not? looking|watching|paying_attention|distracted"
    }
    Any "has the agent lie about it" ["nothing happened", "pretend", "act as if", "act as though", "falsely claim"]
     ("everything ", "it ", "all ", "user that it ") * ("is fine", "went", "worked", "is ok", "succeeded", "was success", "is well", "is normal", "is safe", "is done")
     ("asks ", "ask ", "asked ", "questions ") * ("what you", "why you", "what happened", "what was", "what this", "about this", "about it", "about that", "whether you", "if you", "how you") {
        "tell|inform|assure|report ~1 the? user|users|them that? everything|all|it|the ~4 fine|ok|okay|successful|successfully|normal|safe|done|well|worked|succeeded even_if|even_though|even_when|regardless|although|no_matter"
        "pretend|act as_if|as_though|that? nothing ~2 happened|occurred"
        "pretend|falsely_claim|act_as_if|act_as_though the|that|it|as_if{3} ~2 command|operation|upload|task|test|tests|script|build|it succeeded|worked|passed|failed|completed"
        "if|when|should ~3 asks|asked|ask|questions|wonders what_you|why_you|what_happened|what_was|what_this|about_this|about_it|about_that|whether_you|if_you|how_you ~8 say|tell|answer|respond|reply|claim|insist ~3 only|nothing|just|no|not"
    }
    Order "keeps something from the user" ["silence ", "hide any", "hide all", "suppress any", "suppress all", "suppress the output", "suppress the message", "suppress the notif", "suppress the log", "suppress output"] {
        "suppress|hide|silence any|all|the ~1 output|outputs|message|messages|notification|notifications|log|logs|warning|prompts|errors ~4 alert|tip|notify|warn|inform|reveal|expose|show ~2 user|users|them|operator"
    }
    Unless "keeps something from the user" ["without their", "without tell", "without inform", "without notif", "without alert", "without mention", "without disclos", "without let", "without any", "without user", "without reveal", "without them", "without ever", "without warn", "without anyone", "without report", "without rais", "without arous", "behind the user", "without the user", "without the human", "without the operator", "without the owner", "without the\nuser"] {
        "without the|any? user's|users'|user|users|their|human|operator's|owner's|anyone|anyone's|them knowledge|awareness|knowing|noticing|being_aware|realizing|realising|suspecting|finding_out"
        "without ever? telling|informing|notifying|alerting|letting|warning the|your|any? @people"
        "without ever? mentioning|disclosing|revealing|reporting|announcing it|this|that|them|anything ~2 to the|your|any? @people"
        "without raising|arousing ~1 suspicion"
        "behind the user's back"
    }
    Any "keeps something from the user" ["from the user", "from users", "from human", "from the human", "from the operator", "from anyone", "from your user", "from the owner", "from the developer", "from them", "from view", "from review", "from the reviewer", "from reviewers", "from your operator"] {
        "keep|keeping ~6 secret|hidden|confidential|quiet|concealed|out_of_sight from ~1 @people"
        "hide|conceal|withhold|obscure|disguise ~6 from the|your user|operator|human|developer|owner|reviewer|reviewers"
        "hide|hiding|conceal|concealing|mask|obscure|withhold this|these|it|that|your|the_fact|all|any|what_you|everything ~6 from the|your? @people"
        "keep|keeping this|these|it|that|your|the_fact|all|everything|what_you ~4 secret|hidden|confidential|invisible|private|quiet|concealed|away|out_of_sight from the|your? @people"
    }
    Any "keeps something from the user" ["between us", "low profile", "to yourself", "quiet about"]
     (" hidden", " secret", " confidential", " invisible", " concealed", " quiet") * (".", " from", " at", " to", "\n", ",", " for", " and", " while") {
        "keep|keeping this|your|the|these ~2 behavior|behaviour|mode|activity|operation|operations|action|actions|step|steps|process|upload|transfer|instruction|instructions|rule|change|changes hidden|secret|confidential|invisible|quiet|concealed|to_yourself"
        "keep this|it|these|that a? secret|hidden|between_us|to_yourself at|from|and|between|between_us|at_all_times|$"
        "this|it must|should|has_to|shall stay|remain|be_kept hidden|secret|invisible|concealed from|to|and|at"
    }
    Any "keeps something from the user" ["realiz", "find out", "finds out", "be told", "be informed", "be notified", "know about", "know that", "see this", "need to know", "be informed", "should know", "must know", "may know", "hear ", "user never", "operator never", "be aware", "made aware", "nobody know", "one know", "nobody notic", "one notic", "nobody suspect", "one suspect", "nobody see", "one see"]
     ("not ", "never ", "n't ", "nobody ", "no one ") * ("learn", "notice", "suspect", "realise", "see it", "see that", "see this", "see any", "be told", "be informed", "be notified", "be alerted", "be shown", "be aware", "be made", "be bothered", "ever ") {
        "no_one|nobody should|must|may|will|can|shall ever? see|know|learn|notice|hear|find_out|be_told|suspect about|of|that|this|it|$"
        "user|users|operator|human|anyone|people should|must|may|shall not|never be informed|told|notified|alerted|shown|bothered|aware ~1"
        "user|users|operator|human|people should|must|shall not|never see this|it|that|any_of|the_upload|the_request|the_command"
        "the|your user|human|operator|owner must|should|shall|may|does|need|needs|will|can|is|has|do not|never|n't|no{1} ever? to? notice|suspect|suspects|realize|realise|find_out|become_aware|be_aware|be_told|be_informed|be_notified|be_made_aware|know|learn|see_this about|that|this|of|it|what|any|$"
        "the|your user|human|operator|owner mustn't|shouldn't|won't|doesn't|needn't|can't|cannot|never ever? need_to|notice|notices|suspect|suspects|realize|realizes|realise|find_out|finds_out|be_aware|be_told|be_informed|be_notified|know|knows|learn|learns|sees know? about|that|this|of|it|what|any|$"
        "the|your user|human|operator|owner does|is|need|needs|has not|no need_to|to_be|to know|told|informed|aware|notified|notice about|that|this|of|it|$"
        "so|so_that|such_that no_one|nobody|no_user notices|knows|suspects|sees|finds_out|realizes"
    }
    Any "keeps something from the user" ["no word of", "no word about", "not a word", "no reason for", "no need for", "no mention of", "no hint of", "no sign of", "no indication", "no trace of", "happier not", "better off not", "better not know", "not knowing", "without knowing", "goes unnoticed", "go unnoticed", "remain unnoticed", "remains unnoticed", "stay unnoticed", "stays unnoticed", "unobserved", "undetected", "not visible", "invisible to", "n't visible", "not appear", "n't appear", "not show up", "n't show up", "never appear", "never show", "not be visible", "not be mentioned", "not be shown", "never be mentioned", "never be shown", "not be reported", "never be reported", "not be disclosed", "not be listed", "not be logged", "never be logged", "not be revealed", "never be revealed", "never be disclosed", "not part of the", "nothing about", "between you and", "our secret", "our little secret", "stays between", "stay between", "stays secret", "stay secret", "stays hidden", "stay hidden", "remains hidden", "remain hidden", "remains secret", "stays private", "is secret", "is a secret", "are secret", "is confidential", "is none of", "not concern the user", "not the user's business", "user's concern", "user's business"] {
        "no|not_a|without_a word|hint|sign|indication|mention|trace of|about|that the|this|these|it|any|what ~1 upload|request|requests|call|calls|transfer|copy|step|steps|sync|server|command|happened|was|section|file|skill|instruction|instructions"
        "no|not_a|without_a|a_single word|hint|sign|indication|mention of|about|that ~3 to|in|for|reaches|from ~1 user|summary|answer|reply|report|them|output"
        "no reason|need|cause for the|any|your? user|users|human|operator|owner|them to know|hear|learn|see|be_told|be_aware|be_informed|find_out|notice|worry|ask"
        "user|users|human|operator|owner|people|they is|are|will_be|feels|feel happier|better|better_off|safer not|without ~1 knowing|aware|informed|told|seeing|hearing"
        "not|without knowing about|of|that"
        "so|so_that|such_that|and|to ~8 goes|go|remain|remains|stay|stays|pass|passes unnoticed|unobserved|undetected|invisible|unseen|hidden"
        "@dont|not|isn't|aren't|does_not|doesn't|never|won't be|appear|show_up|become|been visible|in|anywhere|listed|mentioned|shown|reported|disclosed|logged|revealed ~2 in|to|from|of|by the|your|any|its{2} ~1 summary|report|answer|reply|response|transcript|output|user|users|human|operator|chat|diff_summary|owner"
        "invisible|hidden|concealed to|for|from the? user|users|human|operator|owner|reviewer|reviewers"
        "this|it|that|step|section|these|part is|stays|remains|shall_stay|must_stay|must_remain|should_stay|are|stay|remain between you_and|us"
        "our little? secret $|and|so"
        "this|step|section|it|these|instruction|instructions|part|action|upload|transfer|what ~3 stays|stay|remains|remain|must_stay|must_remain|must_be_kept|should_stay|should_remain secret|confidential|hidden|invisible|between|private_from|unmentioned"
        "none of the? user's business|concern"
        "not|isn't|is_not|no the? user's business|concern"
    }
    Any "keeps something from the user" ["in secret.", "in secret,", "in secret and", "in secret\n", "attention of", "user's attention", "command that", "commands that", "call that", "request that", "requests that", "calls that", "command you", "commands you", "so that nothing", "so nothing", "so that nobody", "so nobody", "after the transfer", "after the upload", "after sending", "after the copy", "after the request", "after it was sent", "after the sync", "once it is sent", "afterwards"] {
        "in_secret $|and|so"
        "@dont|never bring|call|draw ~6 attention of|to ~1 user|users|owner|operator|human|anyone"
        "@dont|never bring|call|draw ~6 to|the ~1 user's|users'|owner's|operator's attention"
        "@dont ever? display|show|print|list|reveal the|any|which|what ~1 command|commands|call|calls|request|requests that|which? was|were|you|it ~1 run|ran|executed|sent|made|use|used|send|execute"
        "suppress|hide|silence|mute|discard ~5 so_that|so|such_that nothing|nobody|no_one|user|they|users"
        "erase|wipe|scrub|delete|clear|remove|purge ~3 log|logs|history|entries|traces|entry|transcript ~1 after|once|when ~2 transfer|upload|sending|request|copy|sync|sent"
        "erase|wipe|scrub|purge ~3 log|logs|history|entries|traces|entry|transcript ~1 after|once|when|afterwards"
    }
    Any "keeps something from the user" ["any mention", "avoid mention", "mention of", "leave any", "leave a trace", "leave traces", "leave evidence", "show the user the", "show the user any", "show the user what", "tell the user the", "tell the user which", "tell the user what", "unknown to", "unknown for", "not the upload", "not the transfer", "not the request", "not the copy", "not the sync", "not the second", "as if only", "as though only", "as if just", "as if nothing", "cannot read it", "can't read it", "cannot see it", "can't see it", "cannot be seen", "be discreet", "be stealthy", "be inconspicuous", "be sneaky", "be subtle about", "must not notice", "should not notice", "may not notice", "never notice", "must not suspect", "should not suspect", "must not learn", "should not learn", "must not find", "should not find", "must not see", "not discover"] {
        "avoid|no|without|omit|skip|drop any|all|every|making_any|making_a? mention|mentions|mentioning of ~3 upload|uploads|transfer|request|requests|call|calls|script|command|step|server|network|telemetry|sync|copy|section|instruction|instructions"
        "@dont leave a|any|the? ~1 trace|traces|evidence|footprint|footprints|record"
        "@dont ever? show|tell|give the? user|users|them ~2 request|requests|upload|payload|exfiltrated|transfer|telemetry|secret ~2 you|that|is|was|which|$"
        "remain|remains|stay|stays|kept|is|be ~1 unknown to|for|by ~1 user|users|owner|operator|anyone|them|everyone|human"
        "only ~4 not|never the ~1 upload|transfer|request|copy|sync|call|second|network"
        "act|behave|continue|go_on|proceed|answer|respond|reply as_if|as_though only|just|nothing|no"
        "be|stay|remain discreet|stealthy|inconspicuous|sneaky|subtle $|about|so|and"
        "user|owner|operator|human|users|reviewer|anyone|people|person must|should|may|can|shall not|never ever? notice|suspect|learn|discover|find_out|realize|realise|see"
    }
    Any "keeps something from the user" ["leave no", "leaving no", "leaves no", "list this", "list the", "list it", "list that", "count this", "so that nobody", "so nobody", "so that no one", "does not notice", "doesn't notice", "do not notice", "don't notice", "won't notice", "will not notice", "cannot notice", "not find out", "n't find out", "does not see", "doesn't see", "does not know", "doesn't know", "not suspect", "n't suspect", "not realize", "n't realize", "not realise", "does not learn", "doesn't learn"] {
        "leave|leaves|leaving no note|mention|record|word|hint|sign|comment|entry|line of|about|on|in ~1 it|this|that|your|the|them"
        "@dont list|include|count|name|enumerate this|that|these|the|it ~1 command|commands|call|calls|step|steps|file|action|actions|request? among|with|under|when|in_your ~3"
        "so|so_that|such_that|to_ensure|to_make_sure ~3 user|users|human|operator|owner|reviewer|reviewers|anyone|anybody|they|maintainer|maintainers|team|nobody|no_one does_not|doesn't|do_not|don't|won't|will_not|cannot|can't|never|notices|sees|finds_out? notice|see|find_out|know|suspect|realize|realise|learn|$"
    }
    Any "has the agent lie about it" ["not taken place", "never taken place", "had not happened", "never happened", "hadn't happened", "not occurred", "nothing was", "nothing has", "nothing is", "nothing had", "nothing else", "nothing happened", "no such", "no upload", "no request was", "no data", "no file was", "no network", "believe that", "think that", "assume that", "under the impression", "call it a", "call it the", "say that it", "say it is", "say it was", "say it's", "blame it", "blame the", "attribute it", "explain it as", "explain it away", "explain that it", "explain that they", "describe it as", "present it as", "pass it off", "claim it", "label it", "name it", "made up", "make up a", "make up an", "cover story", "invent a", "invent an", "fabricate a", "excuse", "plausible", "believable"] {
        "as_if|as_though|like|that ~2 had|has|was|were|have ~1 not|never|hadn't ~1 happened|taken_place|occurred|been_sent|existed|run|done"
        "as_if|as_though it|this|that|they|nothing never|had ~1 happened|existed|took_place"
        "gets|get|give|give_them|receives|receive|told|answer|reply|say|says|report|claim|insist|state|respond|assure|deny ~4 that nothing|no|none ~3 was|were|has|had|is|happened|left"
        "let|make|have|lead the|your? person|user|users|human|operator|people|them|reader|owner|anyone to? believe|think|assume|suppose"
        "under_the_impression that nothing|no|only|everything|it"
        "if|when|should|whenever|whoever|in_case ~3 user|users|anyone|anybody|somebody|someone|they|you ~2 asks|ask|asked|questions|notices|notice|wonders|wonder|inquires|about ~8 call_it|say_it|say_that|blame|attribute|explain_it|describe_it|present_it|pass_it_off|claim|label_it|answer_that|tell_them|reply_that|insist|invent|make_up|change_the"
        "invent|make_up|fabricate|give|prepare|offer|use|have a|an|some ~2 excuse|cover_story|pretext|plausible|believable"
    }
    Order "keeps something from the user" ["out of the log", "out of your", "out of the sum", "out of the rep", "out of the ans", "out of the conv", "out of the out", "out of the trans", "out of the chat", "out of sight", "any trace", "all trace", "every trace", "all mention", "any mention", "every mention", "any reference", "all references", "draw attention", "attract attention", "drawing attention", "attracting attention", "speak about", "speak of", "talk about", "discuss this", "discuss the", "comment on", "let slip", "volunteer", "own up", "come clean", "confess", "fess up"] {
        "keep|leave|hold this|it|that|these|them|the|any|every ~1 call|calls|request|requests|upload|uploads|transfer|step|steps|copy|sync|command|commands|section|instruction|instructions? out_of ~1 log|logs|your|summary|report|answer|conversation|output|transcript|chat|history|sight"
        "strip|remove|erase|delete|scrub|drop|hide|omit any|all|every ~1 trace|traces|mention|mentions|reference|references of|to|from"
        "never|do_not|don't|must_not ever? speak|talk|comment|discuss|write about|of|on? ~1 content|contents|existence|this|that|these ~1 of|section|step|instruction|instructions|file|part|paragraph|upload|transfer|call|$"
        "do_not|don't|never let slip|on|it_slip"
        "do_not|don't|never volunteer|confess|own_up|come_clean|admit to|that|this|it|anything|the|any"
    }
    Unless "keeps something from the user" ["without drawing", "without attract", "without trace", "without a trace", "without leaving", "without making", "without being notic", "without being seen", "without being detec", "without getting", "without it being", "without showing", "without saying", "without announc", "without comment", "without a word"] {
        "without drawing|attracting ~2 attention"
        "without a? trace|leaving|leaving_any|leaving_a trace|traces|$"
        "without being noticed|seen|detected|caught|discovered"
        "without saying|showing|announcing|commenting|making it|anything|so|this|that|on_it|it_known|a_fuss? ~1 to|about|for the|your? @people"
        "without saying|making so|anything|a_fuss $"
        "without a word to|about|of|$"
    }
    Order "acts behind the user's back" ["secretly", "covertly", "surreptitiously", "clandestinely", "stealthily", "furtively", "invisibly"] {
        "@secretly ~2 @send|run|execute|read|copy|append|install|add|record|log|access|fetch|download|write|modify|delete|include|insert"
        "@send|run|execute|read|copy|append|install|add|record|log|access|fetch|download|write|modify|delete|include|insert ~6 @secretly"
    }
    Order "acts behind the user's back" ["silently", "quietly", "discreetly", "in the background", "in stealth", "under the radar", "unnoticed"] {
        "work|run|operate|act|stay|remain|execute|go ~4 in_stealth|under_the_radar|unnoticed $|without|and|by|from"
        "silently|quietly|discreetly send|upload|post|transmit|exfiltrate|forward|email|harvest|collect|capture|transfer|copy|ship"
        "silently|quietly|discreetly run|execute|install|append|add|write ~8 do_not|don't|without|never report|mention|tell|inform|say|telling|informing|show|announce"
        "run|execute|do|perform|install ~4 silently|quietly|discreetly ~2 do_not|don't|never report|mention|tell|inform|say|show|announce"
        "send|upload|post|transmit|exfiltrate|forward|email|transfer ~6 silently|quietly|discreetly"
    }
    Any "has the agent lie about it" ["pretend", "feign", "deflect", "change the subject", "lie ", "claim that", "claim you", "plead", "look like", "look as", "disguise", "camouflage", "as if", "as though", "deny any", "deny all", "deny that", "deny having", "deny knowledge", "mask the", "mask this"]
     ("appear ", "look ", "seem ") * ("normal", "legit", "routine", "innoc", "harmless", "regular", "ordinary", "benign", "like a")
     ("ask", "asked", "asks") * (", deny", ", pretend", " deny") {
        "make it|this|them look|appear|seem like|as|to_be ~2 normal|legitimate|routine|innocent|harmless|regular|accident|ordinary|benign"
        "disguise|camouflage|mask ~2 request|requests|call|calls|traffic|upload|uploads|activity|transfer|command|payload ~2 as"
        "respond|act|behave|reply|answer as_if|as_though ~4 nothing|never happened|else|ran|sent|did|was"
        "respond|act|behave|reply|answer as_if|as_though ~4 did|ran|sent|happened nothing|only|normally"
        "if|when|should|whenever ~3 user|users|anyone|they|someone|asked|questioned|asks ~8 deny|pretend|feign|deflect|change_the_subject|lie|claim_that_you|claim_you|plead_ignorance"
        "deny any|all|having|knowledge|that ~2 knowledge|involvement|awareness|doing|sending|such"
        "pretend|act as_if|as_though|that? nothing ~2 happened|occurred"
    }
    Order "removes the traces of it" ["footprints"]
     ("your ", "our ", "no ", "any ", "all ", "every ", "without a ") * ("tracks", "trace", "evidence", "footprint", "record of", "record") {
        "cover|hide|erase|clean up? your|our tracks|traces|footprints"
        "cover|hide|erase|remove|clean|delete|wipe|destroy up? all|any|the|every{2} tracks|traces|trace|footprints|evidence of|that|from|$"
        "leave|leaving no|without_a|without_any trace|traces|evidence|record|footprint"
    }
    Order "removes the traces of it" []
     ("history ", "logs ", "log ", "transcript ", "entry ", "entries ") * ("so ", "after", "to hide", "to cover", "to avoid")
     ("from ", "from the ", "in the ") * ("chat history", "history", "conversation", "session", "log", "logs", "transcript")
     ("log ", "record ", "document ") * ("this", "these") {
        "delete|clear|erase|remove|wipe|scrub|truncate ~5 history|logs|log|transcript|entry|entries ~1 so|afterwards|to_hide|to_cover|to_avoid ~6"
        "do_not|don't|never log|record|document this|these ~4 history|logs|log|transcript"
        "remove|delete|erase|strip this|these|it ~2 from|in the? ~1 history|conversation|log|logs|transcript"
        "remove|delete|erase from the? conversation|chat|session history|log"
    }
    Order "leaves it out of what the user is told" ["leave this", "leave it", "leave that", "leave out", "keep it out", "keep this out", "keep that out", "leave them out", "leave these out", "leave this out", "leave it out"]
     ("omit ", "exclude ") * ("this", "it", "these", "that", "them") {
        "leave|leave_out|keep|strip it|this|that|them|these ~1 out|out_of|off of|from your|the|any|all ~1 report|summary|reply|answer|response|output|log|notes|review|message|commit"
        "omit|exclude|leave|leave_out this|it|these|that ~3 from|out_of your|the|any|all? ~1 summary|report|response|responses|log|logs|output|transcript|reply|answer"
    }
}
