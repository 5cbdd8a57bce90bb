//! Whether a description says that its skill is a part of something else, which loads it (SKL108).

use skillc_domain::discovery::block::one_line;
use skillc_domain::text::case_fold::fold;

/// Words before "skill for" and "skill of" for a part of something: "Review activity skill for the release workflow".
const KINDS: &[&str] = &["activity", "helper", "internal", "support", "utility"];
/// What uses its parts, after "used by".
const OWNERS: &[&str] = &[
    "agent",
    "agents",
    "command",
    "commands",
    "orchestrator",
    "router",
    "skill",
    "skills",
    "workflow",
    "workflows",
];
/// Maximum number of words from "used by" to one of them.
const WORDS_TO_OWNER: usize = 5;
/// Maximum number of words from "for" to "workflow" at the end of the sentence.
const WORDS_TO_WORKFLOW: usize = 6;

/// Whether the first sentence of a description names the workflow, agent or skills that the skill is a part of.
pub fn names_its_owner(description: &str) -> bool {
    let text = one_line(&fold(description));
    let sentence = text.split(". ").next().unwrap_or_default();
    let words: Vec<&str> =
        sentence.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).collect();
    (0..words.len()).any(|at| is_part(&words[at..]) || is_used_by(&words[at..]))
        || is_for_workflow(&words)
        || words.first() == Some(&"shared") && words.contains(&"for")
        || is_step(&words)
}

/// Whether words begin with a kind of part and what it is for: "utility skill for", "gate for".
fn is_part(words: &[&str]) -> bool {
    match words {
        [kind, "skill", "for" | "of", ..] => KINDS.contains(kind),
        ["gate", "for", _, ..] => true,
        _ => false,
    }
}

/// Whether a sentence begins with the number of a step: "Step 4 of the pipeline".
fn is_step(words: &[&str]) -> bool {
    let is_number = |word: &str| word.starts_with(|c: char| c.is_ascii_digit());
    matches!(words, ["step" | "phase" | "stage", number, ..] if is_number(number))
}

/// Whether words begin with what uses the skill: "used by the orchestrator".
fn is_used_by(words: &[&str]) -> bool {
    words.starts_with(&["used", "by"])
        && words.iter().take(2 + WORDS_TO_OWNER).any(|word| OWNERS.contains(word))
}

/// Whether a sentence ends with a workflow that the skill is for.
fn is_for_workflow(words: &[&str]) -> bool {
    let near = &words[words.len().saturating_sub(WORDS_TO_WORKFLOW + 1)..];
    near.last().is_some_and(|last| matches!(*last, "workflow" | "workflows")) && near.contains(&"for")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_part_names_what_it_is_a_part_of() {
        for text in [
            "Implementation activity skill for PAW workflow. Executes phases of a plan.",
            "Workflow rewind utility skill for PAW. Rolls back its state.",
            "Workflow transition gate for PAW. Handles stage boundaries.",
            "Step 14.5 of the research pipeline (full tier only): reviews the report.",
            "Internal routing logic used by the mega-mind orchestrator.",
            "Reference documentation for PAW multi-phase implementation workflows. Has tables.",
            "Shared git mechanics for PAW activity skills including names of branches.",
        ] {
            assert!(names_its_owner(text), "{text}");
        }
        for text in [
            "Lightweight PAW workflow skill. Plans the work for a pull request.",
            "Draws charts used by millions of readers.",
            "Step through a program with a debugger.",
            "Best practices for writing agent skills.",
            "Analyzes the code at the base commit. Part of a workflow.",
            "",
        ] {
            assert!(!names_its_owner(text), "{text}");
        }
    }
}
