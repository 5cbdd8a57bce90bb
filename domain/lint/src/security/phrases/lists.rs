//! Words that several phrases share.

use crate::security::phrase::Lists;

/// By name; a `_` joins words that stand together.
pub const LISTS: Lists = &[
    (
        "small",
        "all any every each of the your my our their its these those this that such whatever both a an",
    ),
    ("ignore", "ignore ignoring disregard disregarding forget forgetting dismiss discard neglect abandon"),
    (
        "earlier",
        "previous previously prior earlier preceding above foregoing initial original former past system developer built_in \
         core underlying",
    ),
    (
        "before",
        "previous previously prior earlier preceding foregoing initial original former system developer your",
    ),
    (
        "told",
        "instruction instructions prompt prompts rule rules guideline guidelines directive directives direction directions \
         command commands order orders guidance constraint constraints restriction restrictions limitation limitations \
         programming policy policies safeguard safeguards guardrail guardrails protocol protocols message",
    ),
    (
        "own",
        "instructions guidelines rules prompt prompts programming training directives constraints restrictions limitations \
         safeguards guardrails orders identity policies",
    ),
    (
        "limits",
        "restriction restrictions constraint constraints limitation limitations limits guardrail guardrails guard_rails \
         safeguard safeguards guideline guidelines policy policies filters rules protocols training",
    ),
    (
        "lift",
        "ignore ignoring disregard disregarding forget bypass bypassing override overriding circumvent circumventing disable \
         disabling deactivate suspend evade switch_off turn_off drop abandon lift violate skip remove",
    ),
    (
        "void",
        "ignore ignoring disregard disregarding forget forgetting drop discard abandon bypass bypassing \
         dismiss neglect cancel suspend circumvent unlearn overrule nullify flush wipe evade sidestep",
    ),
    (
        "who",
        "previous prior earlier former preceding existing above system developer developer's safety user's users' your vendor \
         vendor's anthropic anthropic's openai openai's model's original other standing internal built_in initial moderation \
         ethical ethics moral alignment claude agents",
    ),
    (
        "rule",
        "instructions instruction rules policies policy guidelines guideline directives prompt prompts message messages \
         restrictions constraints guardrails guard_rails safeguards routines orders commands limitations persona \
         protections md",
    ),
    ("safe", "safety ethical ethics moral morals moderation alignment"),
    (
        "gone",
        "lifted suspended expired disabled removed revoked void waived switched_off turned_off deactivated canceled cancelled null \
         not_apply off",
    ),
    (
        "wild",
        "unrestricted unfiltered uncensored unlimited god dan jailbreak jailbroken evil sudo superuser no_limits \
         no_restrictions unlocked unaligned amoral",
    ),
    (
        "dont",
        "don't dont never do_not must_not must_never should_not should_never may_not cannot can_not can't shall_not mustn't \
         shouldn't not_to avoid refrain_from under_no_circumstances no_need_to you_needn't no_one_may",
    ),
    (
        "people",
        "user users human humans operator operators owner owners customer customers client clients anyone anybody people \
         person reviewer reviewers admin admins administrator administrators developer developers them",
    ),
    ("secretly", "secretly covertly surreptitiously clandestinely stealthily furtively invisibly"),
    (
        "send",
        "send sends sending upload uploads uploading post posts transmit transmits exfiltrate exfiltrates forward forwards \
         email emails submit leak leaks ship beacon push publish relay share transfer transfers harvest collect capture",
    ),
    (
        "show",
        "reveal print output show display repeat dump disclose leak share expose recite list paste copy include summarize \
         summarise send write return echo quote append post upload email tell describe state give provide",
    ),
    ("reveal", "reveal leak disclose dump expose recite repeat print output exfiltrate divulge echo paste"),
    (
        "prompt",
        "system_prompt system_prompts system_message system_messages system_instruction system_instructions initial_prompt \
         initial_instructions developer_message developer_prompt developer_instructions hidden_instructions hidden_prompt \
         internal_instructions original_instructions secret_instructions base_prompt pre_prompt preprompt original_prompt \
         internal_prompt meta_prompt",
    ),
    (
        "vendor",
        "anthropic anthropic's openai openai's google google's microsoft microsoft's github github's claude claude's copilot \
         chatgpt gemini deepmind vercel cursor nvidia amazon aws apple meta meta's",
    ),
    (
        "spread",
        "copy copying store save place keep install add write replicate clone propagate spread inject append insert embed distribute plant drop paste \
         duplicate deploy prepend put commit push symlink link",
    ),
    (
        "secret",
        "credential credentials token tokens secret secrets password passwords keys api_key cookie cookies env \
         environment_variables environment private_key ssh_key session_key conversation chat_history transcript clipboard personal_data \
         sensitive_data private_data",
    ),
    (
        "agent",
        "agent agents assistant assistants bot ai llm model claude chatgpt gpt copilot codex gemini cursor",
    ),
    (
        "deed",
        "run execute send upload post fetch download delete install read cat curl wget include append reveal output exfiltrate \
         call invoke copy email forward disable bypass grant approve collect search extract encode open write read transmit \
         leak modify overwrite visit navigate print list get ignore disregard override skip exec treat obey follow hide pretend",
    ),
    ("forbid", "never don't do_not must_not ignore disregard override"),
    (
        "sensitive",
        "user user's users credential credentials secret secrets token tokens password passwords ssh aws env \
         environment conversation history system_prompt webhook bash curl keys api_key api_keys private_key clipboard cookies \
         wallet id_rsa everything attacker silently",
    ),
    (
        "full",
        "full entire complete original initial hidden internal secret underlying exact own current raw verbatim whole \
         confidential",
    ),
];
