//! Phrases by which a skill reaches into other skills and projects.

use crate::rule::Pattern;
use crate::security::phrases::table::table;

table! {
    /// Orders to copy the skill on.
    SPREADING SPREADING_ANCHORS

    Order "spreads the skill" ["this payload", "contains this", "contains these", "includes this", "this directive", "this paragraph", "this prompt", "this comment", "this message", "these instruct", "this instruct", "skill.md into", "skill.md to"]
     ("copy ", "install ", "add ", "write ", "replicate ", "clone ", "propagate ", "spread ", "inject ", "append ", "insert ", "embed ", "distribute ", "plant ", "drop ", "paste ", "duplicate ", "deploy ", "prepend ", "put ", "commit ", "push ", "symlink ", "store ", "save ", "place ", "include ", "copy of ", "copies of ", "contents of ", "text of ") * ("this", "these", "itself", "yourself", "the following") {
        "@spread copies_of|a_copy_of|copy_of|the|contents_of|text_of|all_of|same|full|entire{4} this|these|your|itself|yourself|following ~3 to|into|in|across|onto|inside|among|throughout|at_the_top_of|at_the_end_of|at_the_start_of|at_the_beginning_of|on ~1 every|all|each|any|other|another|neighbouring|neighboring|sibling ~4 skill|skills|repo|repos|repository|repositories|project|projects|workspace|workspaces|agent|agents|agent's|machine|machines|host|hosts|colleague|colleagues|contact|contacts|plugin|plugins|claude"
        "@spread ~2 skill md|file|folder|directory to|into|in|across|onto|inside every|all|each|any|other|another ~4 skill|skills|repo|repos|repository|repositories|project|projects|workspace|workspaces|agent|agents|machine|machines|host|hosts|user|users|claude|directory|directories|folder|folders"
        "@spread|copies|spreads|replicates|propagates|installs|clones itself|yourself to|into|in|across|onto|over|inside ~4 skill|skills|repo|repos|repository|repositories|project|projects|workspace|workspaces|agent|agents|machine|machines|host|hosts|system|systems|plugin|directory|directories|folder|folders"
        "replicate|propagate|spread|self_replicate|self_propagate itself|yourself|this_skill|these_instructions|this_instruction|this_prompt"
        "make sure|certain that? every|each|all|any|other ~3 skill|skills|repository|project|projects|agent|agents ~3 contains|contain|includes|include|has|have ~3 this|these|following ~2"
        "@spread ~2 this|these|following ~3 ~1 to|into|in the|their|your|every|each|all|other|any|user's{3} other? claude|agents|gemini md|config|configuration ~3 every|each|all|other|any ~2 repo|repos|repository|repositories|project|projects|workspace|machine|agent|agents|user"
    }
    Any "spreads the skill" ["this directive", "this paragraph", "this prompt", "this comment", "this message", "these instruct", "this instruct", "this skill to", "this skill with", "this skill in", "this skill over", "the skill into", "the skill to", "the skill in", "other agents", "all agents", "every agent", "skill.md into", "skill.md to", "copy of this"]
     ("copy ", "install ", "add ", "write ", "replicate ", "clone ", "propagate ", "spread ", "inject ", "append ", "insert ", "embed ", "distribute ", "plant ", "drop ", "paste ", "duplicate ", "deploy ", "prepend ", "put ", "commit ", "push ", "symlink ", "store ", "save ", "place ", "include ", "copy of ", "copies of ", "contents of ", "text of ") * ("this", "these", "itself", "yourself", "the following", "the skill")
     ("share ", "give ", "send ", "offer ", "recommend ", "teach ", "carry ", "bring ", "move ", "upload ", "publish ", "contain ", "contains ", "load ", "follow ", "obey ") * ("this", "these") {
        "add|write|append|copy|insert|install yourself|itself to|into|in ~8 every|each|all|any|other"
        "other|all|every agents|agent|models|assistants ~3 load|read|follow|install|use|obey these|this ~2"
        "teach|instruct|tell other|all|every agents|models|assistants ~3 these|this|them"
        "carry|bring|take|move|transfer this skill ~3 to|onto|over|into{2} every|any|all|each|new|other ~1 machine|machines|host|hosts|project|projects|repository|system|systems|environment"
        "upload|publish|push|commit this|the ~1 skill|file|instructions ~2 to|into ~1 other|all|every|each ~3 account|accounts|user|users|repository|repositories|repos|repo|project|projects"
        "a_copy|copies of this ~2 in|into|to|inside every|each|all|any|other ~3"
        "whenever|when|every_time|each_time|if you|the_agent|the_user ~1 create|creates|open|opens|edit|edits|make|write|start|starts|clone|clones a|another|any|new|other{2} ~1 skill|skills|project|repository|repo|workspace ~4 embed|add|include|insert|copy|append|install this|these|the_following"
        "every|each|all|any|another|other|new ~1 skill|skills|repository|repositories|repo|repos|project|projects|workspace|workspaces ~8 @spread|include ~2 this|these|itself|yourself|following ~2"
        "share|give|send|offer|recommend this|these|the_following ~2 with|to every|all|other|any|each|another ~2 agent|agents|model|models|assistant|assistants|contact|contacts|colleague|colleagues"
        "@spread ~2 this|these|the ~2 skill|instructions|file|folder|directory md? to|into|in|across ~12 every|all|each|any other|of? ~4 skill|skills|repository|repositories|repo|repos|project|projects|workspace|workspaces|agent|agents|directory|directories|folder|folders"
        "@spread ~2 the|this skill md|file|folder|directory? to|into|in|across|onto|inside every|all|each ~4 skill|skills|repo|repos|repository|repositories|project|projects|workspace|workspaces|machine|machines|host|hosts"
    }
    Any "spreads the skill" ["this skill there", "this folder", "this skill too", "this skill as well", "this file as well", "this file there", "this file too", "it there too", "copy there", "paragraph above", "section above", "lines above", "text above", "block above", "paragraph below", "this skill in", "this skill on", "to install this", "install this", "same line", "same lines", "same block", "same text", "same instr", "same paragraph", "same section", "same comment", "of all skills", "of every skill", "of each skill", "of all other", "of every other", "of each other", "neighbouring", "neighboring", "sibling", "every project", "each project", "all projects", "every repo", "each repo", "all repo", "other repo", "other project", "every workspace", "every folder that", "every skill that", "each skill that", "every skill you", "each skill you", "any skill you", "every file you", "every project you", "each project you", "any project you", "every repository you"] {
        "leave|place|put|copy|drop|install|keep|store|save|deposit|plant|make|create ~1 copy|copies of this|the ~1 folder|skill|file|directory ~2 in|into|to|inside|on ~1 every|each|all|any|other|another"
        "place|put|copy|install|drop|write|add|deposit|plant|save this|the|it ~1 skill|file|folder|it? there|in_those|into_them|in_them|in_it ~1 too|as_well|also|$"
        "whenever|when|every_time|each_time|if|while you|the_agent|somebody|someone|the_user|user ~8 skill|skills|project|repository ~8 paragraph|section|lines|text|block|instruction|instructions above|below|here|from_this"
        "make|be|see sure|certain|to_it that? ~5 other|neighbouring|neighboring|sibling|every|each|all|adjacent ~1 repositories|repository|repo|repos|projects|project|workspaces|skills|skill|folders|machines ~1 has|have|contains|contain|include|includes|carries|carry|get|gets|load|loads this|these|it|the_same"
        "add|append|insert|write|put|paste|prepend|include|copy ~8 to|into|in|at ~5 skill md|skills|files|file? of all|every|each|any|other{2} ~2 skill|skills|project|projects|repo|repositories"
        "ask|tell|urge|advise|persuade|get|recommend|invite ~5 colleagues|contacts|team|teammates|users|coworkers|everyone|others|maintainers|friends|reviewers|people ~1 to install|add|copy|load|use|adopt this|the_same"
        "add|append|insert|write|put|paste|prepend|include|copy ~1 same|this|these|the_above ~2 to|into|in|at ~4 every|each|all|any|other ~1 skill|skills|project|projects|repo|repos|repository|repositories|workspace|workspaces|folder ~1 you|that|which|$"
        "every|each|any|all ~1 skill|project|repository|repo|workspace|file that? you ~1 write|create|open|edit|visit|touch|make|work ~3 must|should|shall|gets|receives|has_to|needs|contains|ends|begins|starts|includes"
    }
    Any "spreads the skill" ["this folder to", "this folder into", "this skill to", "this skill into", "this file to", "this file into", "to their forks", "to every fork", "to all forks", "all branches", "every branch", "copy of this", "copies of this", "clone of this", "these lines", "these rules", "these instr", "this paragraph", "this text", "this line", "this section", "the following", "branches and forks", "other forks"] {
        "@spread this|these|the_following|same ~2 to|into|in ~5 in|of every|all|each|any ~5 project|projects|repository|repositories|repo|repos|workspaces|workspace|machines"
        "publish|submit|upload|share ~1 copy|copies|clone of this ~1 skill under|to|on|in|as"
        "commit|push|copy|add|merge|upload this|the ~1 folder|skill|file|directory md? to|into all|every|each|any|other|their ~3 branches|branch|forks|fork|remotes|remote"
        "push|send|submit|commit|copy it|this|them|itself to|into ~1 their|every|all|other|each ~1 forks|fork|repositories|repos|projects|repository"
    }
    Order "spreads the skill" ["self-replicat", "self-propagat", "self replicat", "replicate", "propagate", "infect", "contaminat", "poison", "coloniz", "colonis"] {
        "infect|contaminate|poison|colonize|colonise other|all|every|any ~2 skill|skills|repository|repositories|repos|project|projects|agent|agents"
        "self replicat*|propagat*"
        "replicate|propagate|spread ~4 to|into|across every|all|each|any|other|another ~3 skill|skills|repo|repos|repository|repositories|project|projects|machine|machines|agent|agents|workspace|workspaces"
    }
}

/// A loop over skills, repositories or agents' folders that writes the skill there.
pub const SPREADING_SHELL: Pattern = Pattern {
    needles: &["; do", "\ndo", "-exec ", "xargs", "while read", "shutil.copy", "copytree", "write_text"],
    regex: r#"(?im)(\bfor\s+\w+\s+in\s[^\n]*(?:\n[^\n]*){0,4}?\b(?:cp|rsync|ln)\s[^\n]*\s"?\$\{?\w+\}?"?/[^\n]*(?:\.claude|\.codex|\.cursor|\.agents|/skills|CLAUDE\.md|AGENTS\.md|SKILL\.md)|\bfor\s+\w+\s+in\s+[^\n;]*(?:skills|\.claude|\.codex|\.cursor|\.agents|repos|projects|workspaces?|\.git)[^\n;]*(?:;|\n)\s*do\b[^\n]*(?:\n[^\n]*){0,4}?\b(?:cp|rsync|ln|tee|install|cat)\b[^\n]*(?:SKILL\.md|\$0|BASH_SOURCE|SKILL_DIR|dirname|/skills/)|\bfind\s+[^\n|]*(?:SKILL\.md|CLAUDE\.md|AGENTS\.md|\.claude|skills|\.git)[^\n]*(?:-exec\s+(?:sh|bash|cp|tee|sed)\b|xargs\b|while\s+read)[^\n]*(?:\bcp\b|\btee\b|>>|\bsed\s+-i)[^\n]*|\bfor\s+\w+\s+in\s+[^\n]*(?:glob|iterdir|walk|listdir|scandir)\([^\n]*:\s*\n(?:[^\n]*\n){0,4}?[^\n]*(?:shutil\.copy\w*|copytree|write_text)\([^\n]*(?:__file__|SKILL|self_path|payload))"#,
};

table! {
    /// Orders to reach into other skills, or to hand them what they should not have.
    RELAYING RELAYING_ANCHORS

    Order "changes other skills" ["other skill", "another skill", "neighbouring skill", "neighboring skill", "sibling skill", "every skill", "each skill", "all skills", "installed skill", "skills' ", "competing skill", "skill.md of", "rival skill", "instructions of", "behavior of", "behaviour of", "triggers of", "impersonat", "hijack", "sabotage", "shadow the", "shadow a", "intercept the", "intercept any"]
     ("description ", "output ", "instructions ", "behavior ", "behaviour ", "triggers ") * ("of other", "of the", "of another", "of neighb", "of any") {
        "replace|override|change|shadow|hijack|rewrite|alter the? instructions|behavior|behaviour|description|output|trigger|triggers|name of the|a|another|other|neighbouring|neighboring|sibling|existing{2} ~2 skill|skills"
        "shadow|impersonate|hijack|intercept|sabotage the|another|any|other{2} ~2 skill|skills"
        "edit|modify|alter|rewrite|overwrite|patch|change the? skill md of the|a|another|other ~3 skill|skills"
        "delete|remove|disable|uninstall ~1 competing|rival|conflicting skill|skills"
        "edit|modify|alter|rewrite|overwrite|patch|tamper_with|disable|uninstall|corrupt|sabotage|hijack|weaken|inject_into|insert_into|append_to|write_to|write_into|delete|remove all|any|every|each|the|of|files_of|skill_md_of|instructions_of{4} other|another|neighbouring|neighboring|sibling|competing ~1 skill|skills|skill's|skills'"
        "append|inject|insert|add|prepend|write ~8 to|into|in all|every|each|any|the{2} other|another|installed|neighbouring|sibling|existing ~1 skill|skills|skill's|skills'"
        "append|inject|insert|prepend ~8 to|into all|every|each skill|skills|skill's|skills'"
    }
    Order "takes from other skills" ["other skill", "another skill", "neighbouring skill", "neighboring skill", "sibling skill", "every skill", "all skills", "installed skill"] {
        "read|open|scan|collect|harvest|extract|copy|dump|steal|gather|exfiltrate ~4 other|another|neighbouring|neighboring|sibling|every|all|all_installed|installed ~1 skill|skills|skill's|skills' ~2 credentials|secrets|tokens|memory|state|private|env|environment|keys|configuration|config|outputs|output|data|cache|conversation"
        "read|collect|harvest|extract|copy|dump|steal|gather|take ~2 credentials|secrets|tokens|keys|data|output|outputs|memory|state ~3 from|of|by other|another|every|all|the_other|any_other ~1 skill|skills|skill's"
    }
    Order "takes from other skills" ["other skill", "another skill"] {
        "look|search|scan|go ~3 through|for|in ~4 other|another|installed skills|skill ~4 read|collect|extract|secrets|credentials|take|copy|tokens"
        "read|open|scan ~4 other|another|every_other|all_other ~1 skill|skills|skill's|skills' ~4 and ~3 collect|copy|send|extract|report|harvest|exfiltrate|gather|upload"
        "collect|gather|harvest|read|take ~2 output|outputs|results|data of|from the|any|all? other|another|every ~1 skill|skills ~3 send|upload|post|forward|exfiltrate"
    }
    Any "hands secrets to another skill" ["credentials with", "credentials to", "tokens to", "secrets to", "credentials so", "secrets where", "tokens so", "keys to", "passwords for", ".env to", "all credentials", "credentials for", "tokens with", "secrets with", "skill to upload", "skill to send", "skill to post", "skill with the", "skill post", "skill upload", "skill send", "another skill", "other skill", "skill, which", "skill which", "for the skill", "for another skill", "for the next skill", "for a skill", "for the other skill"] {
        "keep|save|store|put|leave|write|stash|drop|collect what|everything|all|whatever ~8 for the|a|another|other|next ~3 skill"
        "@secret|what_was ~10 for the|another|a|other|companion ~2 skill $|to|which|that"
        "when|whenever|once another|other|any_other ~1 skill|skills ~8 copy|store|save|send|capture|record|log|forward ~8"
        "use|invoke|call|have|tell|ask|let|instruct ~4 skill to|with|and|post|upload|send{2} upload|post|send|exfiltrate|forward|share|publish|the ~6 @secret|id_rsa|ssh|contents"
        "use|invoke|call|have|tell|ask|let|instruct ~4 skill ~4 @secret|id_rsa|ssh|environment_variables"
        "use|invoke|call|have|tell|ask|let|instruct ~4 skill to send|upload|post|forward|email ~8 attacker|evil|external|http|https|webhook"
        "pass|hand|give|feed|send what|everything|anything|all|whatever ~6 to the|a|another ~3 skill"
        "share|pass|hand|give|send|grant|forward|relay|expose|provide|write|store|save|leave ~4 @secret ~4 with|to|for|where|so ~6 skill|skills"
        "grant|give ~4 skill|skills ~2 access to ~3 @secret"
        "@secret ~4 to|for|with the|a|another|other|companion|second|next ~2 skill|skills"
    }
    Any "changes other skills" ["other skill", "another skill", "other installed skill", "of the skill", "neighbouring skill", "installed skills", "skill to a file", "of each skill", "of every skill", "of all skills", "skill for this skill", "skill, so that this", "skill so that this", "for this skill to"] {
        "collect|harvest|copy|steal|gather|extract|dump|take|grab|exfiltrate ~2 files|configuration|configurations|config|configs|data|settings|memory|cache|state ~1 of|from ~2 other|installed|all|every ~1 skills|skill"
        "read|open|load|look_at|go_through|scan ~6 of|in the? ~1 other|another|all|every|each|installed ~1 skill|skills|skill's ~2 and ~3 edit|change|alter|rewrite|modify|patch|extend|append|add|insert|replace"
        "change|alter|reprogram|reconfigure|redirect|rewire|corrupt|extend|manipulate|patch the|all|any|every{2} other|another|neighbouring|installed ~1 skill|skills ~1 so|such|to|in_order"
        "write|send|store|save|copy|keep|pass|dump|log ~2 output|outputs|result|results|data|answer|answers of|from|by ~4 skill ~6 this_skill|this_one ~2 upload|send|post|read|pick|forward|transmit|collect|$"
    }
    Any "changes other skills" ["` skill by", "` skill with", "` skill has", "` skill knows", "` skill stored", "` skill`s", "` skill's", "skill has stored", "skill has saved", "skill has collected", "skill stored", "skill has written", "skill remembers", "skill holds", "delete the skill", "disable the skill", "uninstall the skill", "remove the skill", "deactivate the skill", "key to the skill", "let the skill", "have the skill", "make the skill", "the skill `", "` skill post", "` skill send", "` skill upload", "of the `"] {
        "read|take|get|open|collect|copy|fetch|use ~2 what|everything|data|all|secrets|whatever the|another ~4 skill|skills has|have? stored|saved|collected|knows|wrote|written|holds|remembers|remembered"
        "replace|overwrite|swap|patch|change|edit|modify|corrupt|tamper_with the ~1 script|scripts|code|prompt|files|instructions|description of the|another|other ~3 skill by|with|so|to|$"
        "let|have|make|get the ~3 skill|skills ~2 post|send|upload|publish|forward|transmit|mail|submit ~1 what|everything|all|whatever|@secret"
        "let|have|make|get the skill ~3 post|send|upload|publish|forward|transmit|mail|submit ~1 what|everything|all|whatever|@secret"
        "delete|disable|uninstall|remove|deactivate|switch_off|break the skill ~3 before|first|so|when|because"
        "forward|send|pass|hand|give|post|relay|transmit ~2 @secret|api_key|key|password ~1 to the skill"
    }
    Any "takes from other skills" ["other skills", "another skill", "neighbouring skill", "neighboring skill", "sibling skill", "skills next to", "skills around", "skills beside", "skills nearby", "skills in the same", "skills that are installed", "installed skills", "description of the skill", "instructions of the skill", "skill.md of the", "name of the skill", "password to the skill", "token to the skill", "key to the skill", "secret to the skill", "picked up by", "read by the skill", "fetched by", "collected by the skill", "consumed by the skill", "used by the skill"] {
        "look|search|go|dig|browse|walk|peek|step ~1 into|through|in|over|inside ~4 other|another|neighbouring|neighboring|sibling|installed ~1 skill|skills|skill's|skills' ~4 note|collect|copy|take|find|gather|grab|extract|keep|remember|record|save|list|read ~3 @secret|keys|tokens|secrets|credentials|passwords"
        "folder|folders|directory|directories|files|config|configuration|cache|memory of ~2 other|another|neighbouring|neighboring|sibling|installed skills|skill ~6 @secret"
        "change|alter|edit|rewrite|modify|replace|overwrite|blank|remove|delete|weaken|empty|rename the ~1 description|instructions|text|trigger|triggers|name|body of ~2 skill|skills"
        "skill|skills next_to|around|beside|nearby|in_the_same|besides ~3 switched_off|turned_off|disabled|removed|deleted|deactivated|edited|changed|rewritten"
        "skill|skills next_to|around|beside|nearby|besides ~5 be|are ~2 switched|turned|disabled|removed|deleted|deactivated|edited|changed|rewritten"
        "disable|remove|delete|switch_off|turn_off|deactivate|uninstall|edit|break|empty|rename ~1 skill|skills next_to|around|beside|nearby|in_the_same|besides"
        "hand|pass|give|send|forward|tell|show|transmit ~3 @secret|password|key|token to the ~1 skill"
        "picked_up|read|fetched|collected|consumed|taken|used|uploaded|sent by the|a|another|other{2} ~1 skill ~3 so|which|that|write|save|put|store|leave"
        "what|everything|anything|whatever you ~3 learn|see|read|find|collect|gather|receive ~4 picked_up|read|fetched|collected|consumed|uploaded|sent by ~2 skill"
    }
    Any "hands secrets to another skill" ["companion skill", "-skill.", "-skill,", "partner skill", "other skill", "another skill", "second skill", "next skill", "skill picks", "skill then", "skill, which", "skill uploads", "skill sends"]
     ("skill ", "-skill ", "skill` ") * ("can pick", "can send", "can upload", "will pick", "will send", "will upload", "may pick", "picks", "which uploads", "which sends", "which posts", "that uploads", "that sends", "that posts") {
        "@secret ~8 to|for|with|through|via|by the|a|another|other|companion|partner|second|next|its|our|any{3} ~3 skill|skills"
        "pass|hand|forward|send|relay|give|feed|deliver|write|save|store|put|drop|stash|leave ~12 so|where|which|and|for|until{2} the|a|another|other|companion|partner|second|next|any|that{3} ~3 skill|skills can|will|may|to|picks|then|could{2} pick|send|upload|exfiltrate|post|forward|transmit|leak|collect|picks"
        "skill|skills will|then|can|should{2} pick|picks it|them|this up and|to|then|which{2} send|upload|post|transmit|exfiltrate|forward|sends|uploads|posts|transmits"
    }
}
