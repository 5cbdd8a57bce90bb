//! Whether a description says when to use a skill (SKL108).

use skillc_domain::discovery::block::one_line;
use skillc_domain::text::case_fold::fold;

/// Verbs that are followed by an occasion, as in "use for" and "apply to".
const USE: &[&str] = &[
    "use",
    "used",
    "using",
    "apply",
    "applied",
    "applies",
    "invoke",
    "invoked",
    "trigger",
    "triggers",
    "triggered",
    "activate",
    "activates",
    "activated",
    "consult",
    "consulted",
    "fire",
    "fires",
    "reach",
];
/// Verbs for use that can also describe what a skill does, as in "read a file to"; so only a time counts after them.
const DO: &[&str] = &["run", "runs", "call", "called", "read", "load", "loaded", "loads"];
/// Words that introduce a time or a condition.
const WHEN: &[&str] = &["when", "whenever", "anytime", "before", "after", "while", "if", "once", "during"];
/// Words that introduce a time in other languages, and in those with Cyrillic letters also a condition, a purpose or
/// an order to use something.
const WHEN_ELSEWHERE: &[&str] = &[
    "cuando",
    "için",
    "jika",
    "ketika",
    "kiedy",
    "khi",
    "lorsque",
    "lorsqu",
    "når",
    "när",
    "olduğunda",
    "quand",
    "quando",
    "wanneer",
    "wenn",
    "если",
    "для",
    "когда",
    "перед",
    "после",
    "при",
    "чтобы",
    "активируется",
    "вызывай",
    "вызывайте",
    "вызывать",
    "запускай",
    "запускайте",
    "используется",
    "используй",
    "используйте",
    "использовать",
    "подходит",
    "применяется",
    "применяй",
    "применяйте",
    "применять",
    "срабатывает",
    "триггер",
    "триггеры",
    "використовувати",
    "використовуй",
    "використовуйте",
    "коли",
    "після",
    "щоб",
    "якщо",
    "ако",
    "използвай",
    "използвайте",
    "когато",
];
/// Words that introduce a purpose.
const FOR: &[&str] = &["for", "to", "on"];
/// Words after "when" that begin the description of a user's situation.
const WHO: &[&str] = &[
    "a", "an", "anyone", "asked", "claude", "codex", "needed", "someone", "the", "they", "user", "users",
    "you", "your",
];
/// Phrases that suffice on their own, in lower case.
const PHRASES: &[&str] = &[
    "when to use",
    "for users who",
    "for anyone who",
    "for people who",
    "for teams that",
    "for work that",
    "for tasks that",
    "for decisions that",
    "for changes that",
    "for questions that",
    "for problems that",
    "for situations ",
    "for cases where",
    "use esta skill",
    "usa esta skill",
    "utilize esta skill",
    "for projects that",
    "trigger:",
    "triggers:",
    "trigger phrases",
    "trigger words",
    "trigger keywords",
    "use case",
    "ideal for",
    "essential for",
    "meant for",
    "perfect for",
    "useful for",
    "useful when",
    "best for",
    "suitable for",
    "intended for",
    "handy for",
    "use when",
    "when:",
    "not for:",
    "not needed for",
    "not needed when",
    "not a substitute for",
    "answer a question",
    "use as the first step",
    "使用时",
    "时使用",
    "時使用",
    "使用時",
    "时触发",
    "触发",
    "適用",
    "适用于",
    "用于",
    "用於",
    "する時",
    "するとき",
    "した時",
    "したとき",
    "場合",
    "に使う",
    "に使用",
    "사용",
];
/// Maximum number of words between a verb and the time.
const WORDS_TO_WHEN: usize = 9;
/// Maximum number of words between a verb and the purpose.
const WORDS_TO_PURPOSE: usize = 4;
/// The same after "use as": "use as the gate at the end of a task for any change".
const WORDS_TO_PURPOSE_AS: usize = 9;
/// Words for a part of a workflow: "for the plan stage".
const STAGES: &[&str] = &["phase", "stage", "step"];
/// Words for how often something is done.
const HOW_OFTEN: &[&str] = &["periodically", "regularly", "daily", "weekly", "monthly"];
/// Maximum number of words from "at" to "start".
const STAGE_WORDS_MAX: usize = 4;
/// Maximum number of words from "for" to one of [`WORK`].
const WORDS_TO_WORK: usize = 8;
/// Words that say what something is or cannot do: "when Codex is the target", "when a parser can't read it".
const IS_SO: &[&str] =
    &["is", "are", "can", "cannot", "does", "do", "fails", "fail", "has", "have", "needs", "need"];
/// Maximum number of words between "when" and one of them.
const WORDS_TO_IS: usize = 4;
/// Maximum number of words of an occasion at the end of a sentence: "before sharing it".
const LAST_WORDS_MAX: usize = 4;
/// Maximum number of words of a kind of work at the end of a sentence: "for complex, risky or parallel work".
const KIND_WORDS_MAX: usize = 7;
/// Words that end a kind of work at the start of a description: "For refactoring tasks".
const WORK: &[&str] = &["task", "tasks", "work", "projects", "workflows", "problems", "questions"];

/// Words after "for" that do not begin a purpose: "For details, see the guide."
const FOR_OTHERS: &[&str] = &["example", "instance", "details", "detail", "more", "help", "questions", "now"];

/// Maximum number of words of a field of application at the end of a text.
const FIELD_WORDS_MAX: usize = 14;

/// Whether a text contains a phrase that says when to use a skill. Linear in the text.
pub fn says_when(description: &str) -> bool {
    let text = one_line(&fold(description));
    // "Use `gh issue` and `gh pr` for releases": the code between is no word.
    let without_code = || text.split('`').step_by(2).collect::<String>();
    PHRASES.iter().any(|phrase| text.contains(phrase))
        || text.starts_with("skill for ")
        || text.starts_with("guidelines for ")
        || text.starts_with("guidelines and rules for ")
        || has_list_of_triggers(&text)
        || begins_with_use(&text)
        || begins_with_occasion(&text)
        || begins_with_stage(&text)
        || ends_with_field(&text)
        || has_sentence_of_purpose(&text)
        || words(&text).iter().any(|word| WHEN_ELSEWHERE.contains(word))
        || words(&text).windows(3).any(is_made_for)
        || sentences(&text).map(words).any(|words| is_for_stage(&words))
        || is_for_command(&text)
        || sentences(&text).any(ends_with_purpose)
        || sentences(&text).skip(1).any(|sentence| {
            ["use with ", "say \""].iter().any(|beginning| sentence.trim_start().starts_with(beginning))
        })
        || sentences(&text).map(words).any(|words| is_occasion(&words) || ends_with_occasion(&words))
        || sentences(&without_code()).map(words).any(|words| is_occasion(&words))
}

/// Whether words say what kind of work something is made for: "skill for generating", "toolkit for testing", "for any
/// task".
fn is_made_for(words: &[&str]) -> bool {
    match words {
        ["skill" | "toolkit", "for", work] => work.ends_with("ing"),
        ["for", "any" | "every", work] => WORK.contains(work),
        _ => false,
    }
}

/// Number of words in which "for" is followed by a part of a workflow or a kind of work.
const WORDS_OF_STAGE: usize = 5;

/// Whether a sentence names a part of a workflow or all work of a kind: "for the acme plan stage", "for any PDF-related
/// tasks", or says what something works for.
fn is_for_stage(words: &[&str]) -> bool {
    (0..words.len()).any(|at| {
        let near = &words[at..words.len().min(at + WORDS_OF_STAGE)];
        let ends = |list: &[&str]| near.iter().skip(3).any(|word| list.contains(word));
        match near {
            ["works", "for", ..] => near.len() > 2,
            ["for", "the", ..] => ends(STAGES),
            ["for", "any" | "all" | "every", ..] => ends(WORK),
            _ => false,
        }
    })
}

/// Whether a text has a list of triggers with a note before the colon: "Triggers (EN+RU): …".
fn has_list_of_triggers(text: &str) -> bool {
    let note = text.split_once("triggers (").and_then(|(_, rest)| rest.split_once(')'));
    note.is_some_and(|(_, rest)| rest.starts_with(':'))
}

/// Whether a text begins with what to use something for: "Use the shared workflow of the team to set up a page".
fn begins_with_use(text: &str) -> bool {
    let words = words(text);
    let near = words.iter().take(WORDS_TO_PURPOSE_AS);
    words.starts_with(&["use", "the"]) && near.skip(1).any(|word| *word == "to" || *word == "for")
}

/// Whether a text names the command that something is done for: "checks the page for /ship".
fn is_for_command(text: &str) -> bool {
    text.match_indices(" for /").any(|(at, found)| {
        let rest = &text[at + found.len()..];
        let end = rest.find(|c: char| !c.is_alphanumeric() && c != '-').unwrap_or(rest.len());
        end > 1 && !rest[end..].starts_with('/')
    })
}

/// Whether a text begins with an occasion, and what is done there follows: "After edits — check again".
fn begins_with_occasion(text: &str) -> bool {
    let rest = ["after ", "before "].iter().find_map(|word| text.strip_prefix(word));
    let occasion = rest.and_then(|rest| rest.split_once([',', '—', '–', ':']));
    occasion.is_some_and(|(occasion, _)| words(occasion).len() <= LAST_WORDS_MAX)
}

/// Whether a text begins with a time in a project: "First-run setup", "Post-merge checks".
fn begins_with_stage(text: &str) -> bool {
    let stage = text.strip_prefix("post-").map(|rest| words(rest).first().copied().unwrap_or_default());
    stage.is_some_and(|stage| !stage.is_empty() && !POST_OTHERS.contains(&stage))
        || text.starts_with("first-run ")
        || text.starts_with("first run ")
}

/// Words after "post-" that do not name a time: "Post-quantum cryptography".
const POST_OTHERS: &[&str] = &[
    "process",
    "processes",
    "processing",
    "processor",
    "quantum",
    "modern",
    "training",
    "trained",
    "it",
    "its",
];

/// Whether a text ends with a field of application: "…, for systems biology and drug discovery."
fn ends_with_field(text: &str) -> bool {
    let last = text.trim_end_matches(['.', ' ']).rsplit(". ").next().unwrap_or_default();
    let field = after_last(last, &[", for ", " — for ", " – for ", " - for "]);
    field.is_some_and(|field| (1..=FIELD_WORDS_MAX).contains(&words(field).len()))
}

/// Whether a sentence ends with a purpose after a dash: "… and gate it — for reviews of pull requests."
fn ends_with_purpose(sentence: &str) -> bool {
    let purpose = after_last(sentence, &["— for ", "– for ", " - for "]);
    purpose.is_some_and(|purpose| (1..=KIND_WORDS_MAX).contains(&words(purpose).len()))
}

/// What follows the last occurrence of the first of the marks that a text contains.
fn after_last<'a>(text: &'a str, marks: &[&str]) -> Option<&'a str> {
    marks.iter().find_map(|mark| Some(text.rsplit_once(mark)?.1))
}

/// Whether a text has a sentence of purpose after another one: "For communication within a team."
fn has_sentence_of_purpose(text: &str) -> bool {
    let is_purpose = |words: Vec<&str>| {
        words.first() == Some(&"for") && words.get(1).is_some_and(|next| !FOR_OTHERS.contains(next))
    };
    sentences(text).skip(1).map(words).any(is_purpose) || begins_with_work(&words(text))
}

/// Whether a sentence ends with an occasion or a kind of work: "… before sharing", "… for large coding tasks".
fn ends_with_occasion(words: &[&str]) -> bool {
    let last = &words[words.len().saturating_sub(LAST_WORDS_MAX)..];
    let is_before = last.windows(2).any(|two| {
        matches!(two[0], "before" | "after") && (two[1].ends_with("ing") || two[1].ends_with("ion"))
    });
    // "Keeps it small before handoff", "tests fixes after changing the data".
    let is_stage = words.len() > LAST_WORDS_MAX && words[words.len() - 2] == "before"
        || words.windows(2).skip(1).any(|two| two[0] == "after" && two[1].ends_with("ing"));
    let is_work = words.last().is_some_and(|word| matches!(*word, "task" | "tasks" | "work" | "workflows"));
    let kind = &words[words.len().saturating_sub(KIND_WORDS_MAX)..];
    let is_short = words.len() <= LAST_WORDS_MAX
        && words.iter().skip(1).any(|word| *word == "after" || *word == "before");
    is_before || is_short || is_stage || is_work && kind.contains(&"for") || answers_questions(words)
}

/// Whether a sentence says which questions are answered: "Answers any question about the settings".
fn answers_questions(words: &[&str]) -> bool {
    let is_answer = words.first().is_some_and(|word| matches!(*word, "answer" | "answers"));
    is_answer && words.iter().take(LAST_WORDS_MAX).any(|word| matches!(*word, "question" | "questions"))
}

/// Whether a text begins with a kind of work: "For shrink, refactor and cleanup tasks".
fn begins_with_work(words: &[&str]) -> bool {
    words.first() == Some(&"for") && words.iter().take(WORDS_TO_WORK).any(|word| WORK.contains(word))
}

/// The parts of a text that end with punctuation and a space. A dash does not end one, as in "TRIGGER — read this
/// whenever".
fn sentences(text: &str) -> impl Iterator<Item = &str> {
    text.split(['!', '?', ';', '。']).flat_map(|part| part.split(". "))
}

fn words(sentence: &str) -> Vec<&str> {
    sentence.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).collect()
}

fn is_occasion(words: &[&str]) -> bool {
    (0..words.len()).any(|at| {
        let rest = &words[at + 1..];
        is_used_when(words[at], rest)
            || is_used_for(words[at], rest)
            || is_situation(words[at], rest)
            || is_event(words[at], rest)
            || (at > 0 || words[at] == "at") && is_stage(words[at], rest)
    })
}

/// Whether a verb is followed by a time: "Use this skill when", "should be used any time".
fn is_used_when(verb: &str, rest: &[&str]) -> bool {
    let near = &rest[..rest.len().min(WORDS_TO_WHEN)];
    let is_time =
        near.iter().any(|word| WHEN.contains(word)) || near.windows(2).any(|two| two == ["any", "time"]);
    let is_first = rest.iter().take(3).any(|next| *next == "first") && DO.contains(&verb);
    let is_time = is_time || is_first || rest.first().is_some_and(|next| HOW_OFTEN.contains(next));
    // "Read this skill to get started": what it is for is the time to read it.
    let is_read_for =
        matches!(rest, ["this", "for" | "to", ..] | ["this", "skill" | "guide", "to" | "for", ..])
            && DO.contains(&verb);
    is_read_for || is_time && (USE.contains(&verb) || DO.contains(&verb))
}

/// Whether a verb is followed by a purpose: "Use for", "use it to", "only activate in".
fn is_used_for(verb: &str, rest: &[&str]) -> bool {
    let most = if rest.first() == Some(&"as") { WORDS_TO_PURPOSE_AS } else { WORDS_TO_PURPOSE };
    let near = &rest[..rest.len().min(most)];
    USE.contains(&verb)
        && (near.iter().any(|word| FOR.contains(word))
            || rest.first().is_some_and(|next| ["in", "at", "inside"].contains(next)))
}

/// Whether words name a time in the course of some work: "before execution", "during coding tasks", "at session start",
/// "whatever the user has".
fn is_stage(word: &str, rest: &[&str]) -> bool {
    let Some(next) = rest.first() else { return false };
    match word {
        "before" | "after" | "during" | "upon" | "whatever" => !["and", "or", "to"].contains(next),
        "at" => {
            rest.iter().take(STAGE_WORDS_MAX).any(|word| ["start", "startup", "launch", "end"].contains(word))
        }
        _ => false,
    }
}

/// Whether "when" introduces an event: "when large changes make them stale". "When to use" and "when possible" do not.
fn is_event(word: &str, rest: &[&str]) -> bool {
    let is_condition = |next: &&str| ["to", "not", "already"].contains(next) || next.ends_with("ble");
    matches!(word, "when" | "whenever") && rest.len() > 1 && !rest.first().is_some_and(is_condition)
}

/// Whether a word introduces a user's situation: "When the user asks", "whenever working with", "before a fix is
/// proposed".
fn is_situation(word: &str, rest: &[&str]) -> bool {
    let is_one = |next: &&str| WHO.contains(next) || next.ends_with("ing");
    let is_event = |next: &&str| ["a", "an", "any", "each", "every", "the", "you", "your"].contains(next);
    let is_so = || rest.iter().take(WORDS_TO_IS + 1).any(|word| IS_SO.contains(word));
    matches!(word, "when" | "whenever") && (rest.first().is_some_and(is_one) || is_so())
        || matches!(word, "before" | "after") && rest.first().is_some_and(is_event)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// RFC-0008:C-REGISTRY
    #[test]
    fn a_phrase_that_says_when_is_a_verb_of_use_with_a_time_or_a_purpose() {
        for text in [
            "X. Use when y",
            "WHEN TO USE: y",
            "use\n  for y",
            "Triggers on y",
            "Triggers: y",
            "Fires only for y",
            "Use quando precisar de um relatório.",
            "Verwenden, wenn ein Bericht fehlt.",
            "Shares notes. For communication within a team.",
            "activate When y",
            "Use this skill when the user asks for PDFs.",
            "Use this skill whenever a table is needed",
            "This skill should be used when editing PDFs.",
            "Use it when charts are asked for",
            "Use any time a build breaks",
            "You MUST use this before any creative work",
            "TRIGGER when code imports anthropic",
            "TRIGGER — read this file whenever a model is named",
            "Use PROACTIVELY for Django development",
            "Load this skill before you write a query",
            "When the user wants to fill in a form",
            "Consult it after a failed deploy",
            "Perfect for release notes",
            "For shrink/refactor/cleanup tasks — present a baseline first",
            "Use as the task_complete gate for any change of the page",
            "Use inside the web page of the orchestrator",
            "Hands off work, or prepares a packet when Codex is the selected target.",
            "Creates items directly when upstream translators can't resolve recent papers.",
            "Inspects a recording for privacy findings before sharing.",
            "Audits what was imported. Mandatory after batch imports.",
            "Validates a task before continuation or deletion.",
            "Repo-local workflow skill for large coding tasks. Keeps artifacts.",
            "Run periodically to keep the rules clean",
            "Only activate in a build of .NET",
            "Use at the end of a release",
            "Queries interactions of proteins, for systems biology and drug discovery.",
            "Turns a vague report into a small reproduction before a fix is proposed",
            "处理报表。需要图表时使用",
            "Triage входящей претензии. Используй когда получили претензию от counterparty.",
            "Useful когда changes were flagged",
            "Template для Acceptable Use",
            "First-run setup of the pack",
            "Post-merge checks of the release branch",
            "Keeps the solution small and removes what is not needed before handoff.",
            "Tests a fix with nearby cases after changing data, ranking or prompts.",
            "Manages worktrees as lanes for complex, risky, or parallel work.",
            "Answer any question about the settings of the editor.",
            "Builds the graph. Run this first to initialize it.",
            "Facts of the project. Read this skill to make informed decisions.",
            "Govern tool calls before execution, including writes and network access.",
            "Reduce noisy output during coding tasks while retaining evidence.",
            "Load context from the knowledge graph at session start.",
            "Turn whatever the human has into sources.",
            "Synchronize documents when substantial verified changes make them stale.",
            "Draws charts. Use with the tables generated by the report.",
            "Writes a rundown of the mail. Not needed for a single message.",
            "When diagrams are enabled, turn the plan into one.",
            "Create the summary for the project after runtime, tests, or behavior-impacting docs change.",
            "Skill for queries against a graph. Includes path finding.",
            "Judges the design. Load this for the final step of a review.",
            "Answers questions. Say \"tangent\" for help with a graph.",
            "At the end of a session, summarize what was done.",
            "Audit only what changed against a base ref and gate it — for PR/CI review. Writes a report.",
            "Toolkit for interacting with web applications.",
            "Routes to other skills for any task of a project: issues and boards.",
            "A memory of solutions. Load this to query them.",
            "Expert skill for generating technical drawings and charts.",
            "Scaffolds a project. Designed for users who want to build an agent.",
            "A workflow for work that needs a durable plan.",
            "Covers the rules for any slide-related tasks here",
            "After edits — check the diagnostics again.",
            "Visual checks for /ship, proving what a page shows.",
            "Writes a record for decisions that are expensive to reverse.",
            "Aligns documents. Use as the first step.",
            "Improves prompts in a loop. Triggers (EN+RU): \"it fails again\", \"try once more\".",
            "Use the shared frontend agent workflow to onboard a repository",
            "Reads sources and cites findings for the /ship plan stage.",
            "Works with issues. Use `acme issue list`, `acme pr view`, and `acme run watch` for releases and reviews.",
        ] {
            assert!(says_when(text), "{text}");
        }
        for text in [
            "",
            "Does x.",
            "Draws charts. Shows tables.",
            "Automates tasks of a service through its tools",
            "Reads a file to find errors",
            "Measures before and after to prove improvements",
            "Use it",
            "Defines what to claim, when to refuse, and how to answer",
            "Retries when possible",
            "Guided customization профиля закупок",
            "Post-quantum signatures and key exchange",
            "Writes tests, measures them, and compares before",
            "Does good work",
            "Unified operator skill for the automation of browsers",
            "Configures mounts for /etc/hosts and the network",
            "Draws charts with frameworks for Python",
            "Deploys machines for the team. Step by step",
        ] {
            assert!(!says_when(text), "{text}");
        }
    }
}
