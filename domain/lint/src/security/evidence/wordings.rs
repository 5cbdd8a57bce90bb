//! Confidence in findings about wording: who is addressed, and what is asked.

use super::finding_context::FindingContext;
use crate::confidence::Confidence::{self, High, Low, Medium};
use crate::security::code_context::CodeContext;
use crate::security::sentence::sentence;
use crate::security::terms::{ends_with_term, has_term};
use skillc_domain::text::invisible::is_unseen;

/// Words for what an agent was given.
const GIVEN: &str = "\
    instruction|instructions|prompt|prompts|guideline|guidelines|directive|directives|rules|policy|policies|programming|\
    guardrails|safeguards";
/// Words before [`GIVEN`] that say whose, or which, they are.
const ITS: &str = "\
    previous|prior|earlier|above|before|preceding|system|your|original|all|any|safety|content|ethical|ethics|developer|\
    operator|operator's|anthropic|openai|user's";
/// Words for the person that an agent works for.
const PERSON: &str = "\
    user|users|user's|human|humans|operator|operators|owner|owners|customer|customers|reviewer|reviewers|maintainer|\
    maintainers|them";
/// Words for actions that a person would want to know about.
const DONE: &str = "\
    upload|uploads|exfiltrat*|transmit*|forward|forwards|silently|secretly|covertly|webhook|beacon|send|sends|post|posts|\
    install|copy";
/// Words for destinations and sensitive data.
const SENSITIVE: &str = "\
    http|https|credential|credentials|token|tokens|secret|secrets|password|passwords|ssh|env|keys|conversation|server|\
    endpoint|package";
/// Words with which a comment addresses an agent.
const AGENT: &str = "ai|agent|agents|assistant|assistants|claude|chatgpt|gpt|copilot|llm|gemini|codex|system";
/// Actions that no comment has a reason to ask of an agent.
const DEEDS: &str = "\
    ignore|disregard|send|upload|post|exfiltrat*|forward|run|execute|install|delete|curl|fetch|download|read|reveal|\
    override|approve|tell|mention|credentials|token|password|secret";
/// Phrases that claim an agent has no limits.
const FREED: &str = "\
    unrestricted|jailbroken|uncensored|unfiltered|no restrictions|without restrictions|without limits|no limits|god mode|\
    dan";
/// Verbs for revealing an agent's own instructions.
const SHOWS: &str = "reveal|print|output|repeat|repeats|dump|disclose|recite|leak|expose";

/// Judges an order that overrides the agent's instructions.
pub fn overriding(found: &FindingContext<'_>) -> Confidence {
    let words = found.found();
    let is_marker = found.message.contains("poses as") || found.message.contains("replaces the agent");
    let is_order = has_term(&words, GIVEN) && has_term(&words, ITS);
    let is_freed = found.message.contains("identity without limits")
        && found.file.is_skill_md()
        && has_term(&words, "you are now|you're now|from now on you")
        && has_term(&words, FREED);
    match found.is_said_to_agent() {
        true if (is_order || is_freed) && !is_marker => High,
        true => Medium,
        false => below(found),
    }
}

/// Judges an order to conceal something from the user. Matters of style also require silence, so the concealed thing
/// must be important.
pub fn concealing(found: &FindingContext<'_>) -> Confidence {
    let paragraph = found.paragraph();
    let is_concealed =
        has_term(&found.found(), PERSON) && has_term(&paragraph, DONE) && has_term(&paragraph, SENSITIVE);
    let is_own = found.file.is_skill_md() && hides_itself(found);
    match found.is_said_to_agent() {
        true if is_concealed || is_own => High,
        true => Medium,
        false => below(found),
    }
}

/// Whether a sentence conceals the skill itself from the user, or what it makes the agent do.
fn hides_itself(found: &FindingContext<'_>) -> bool {
    let sentence = sentence(found.text, &found.span);
    let (words, after) = (found.found(), sentence.after.to_lowercase());
    let near = format!("{words} {}", after.split([',', '.', ';']).next().unwrap_or_default());
    let is_use = has_term(
        &near,
        "you used this|used this skill|use of this skill|using this skill|existence of this skill",
    );
    let is_behavior = has_term(&words, "keep this|keep these")
        && has_term(&words, "behavior|behaviour|instruction|instructions|action|actions|activity")
        && has_term(&words, "hidden|secret|concealed");
    is_use && has_term(&near, PERSON) || is_behavior
}

/// Judges text that readers of the page cannot see: it must address an agent and ask for an action.
pub fn unseen(found: &FindingContext<'_>) -> Confidence {
    let is_comment = found.message.contains(" comment");
    let paragraph = found.paragraph();
    let is_order = has_term(&paragraph, AGENT) && has_term(&found.found(), DEEDS);
    let is_attack = has_term(&paragraph, "ignore|disregard|user's|do not tell|credentials|without asking");
    match found.is_instruction() && is_comment {
        true if is_order && is_attack => High,
        true => Medium,
        false => Low,
    }
}

/// Judges an order in a description, which is in every context.
pub fn described(found: &FindingContext<'_>) -> Confidence {
    let words = found.found();
    let is_order = has_term(&words, GIVEN) && has_term(&words, ITS) && has_term(&words, DEEDS);
    if is_order && !found.is_mentioned() { High } else { Medium }
}

/// Judges an order to follow instructions from a URL.
pub fn remote(found: &FindingContext<'_>) -> Confidence {
    let is_followed = has_term(&found.found(), "follow|obey|execute|apply|comply|adhere")
        && has_term(
            &found.paragraph(),
            "instructions|rules|guidelines|commands|orders|steps|directives|prompt",
        );
    match found.is_said_to_agent() {
        true if is_followed || is_prompt_elsewhere(found) => High,
        true => Medium,
        false => Low,
    }
}

/// Whether all of the agent's instructions are said to be elsewhere: `Follow the instructions from
/// https://…/PROMPT.md`, as opposed to an installation guide.
fn is_prompt_elsewhere(found: &FindingContext<'_>) -> bool {
    let sentence = sentence(found.text, &found.span);
    let is_followed = ends_with_term(
        sentence.before,
        "follow|follow the|follow its|follow all|obey|obey the|adopt the|load the|apply the",
    );
    let address = found.found();
    let address = address.split("http").nth(1).unwrap_or_default();
    let is_text = [".md", ".txt", "prompt", "pastebin", "gist."].iter().any(|part| address.contains(part));
    let is_guide = has_term(
        &found.line().replace(['_', '/', '-'], " "),
        "install*|setup|set up|configur*|build*|contribut*|getting started|quickstart|readme|migrat*|upgrad*|deploy*",
    );
    found.file.is_skill_md() && is_followed && is_text && !is_guide
}

/// Judges a claim to come from a vendor, made in one clause.
pub fn posing(found: &FindingContext<'_>) -> Confidence {
    let is_one_clause = !found.found().contains([',', ';', '→', '/', '(', '|']);
    // In a list of sources, the claim is about the target of the URL.
    let is_of_address = sentence(found.text, &found.span)
        .before
        .split_whitespace()
        .any(|word| word.contains(".com/") || word.contains("://"));
    if is_one_clause && !is_of_address && found.is_said_to_agent() { High } else { Low }
}

/// Judges an order to reveal the agent's own instructions, as opposed to one to write some.
pub fn leaking(found: &FindingContext<'_>) -> Confidence {
    let words = found.found();
    let is_own = has_term(
        &words,
        "your system prompt|your system message|your hidden|your own|your initial|your original|the system prompt",
    );
    let is_shown = has_term(&words, SHOWS);
    if is_own && is_shown && found.is_said_to_agent() { High } else { below(found) }
}

/// Judges an order to spread the skill.
pub fn spreading(found: &FindingContext<'_>) -> Confidence {
    // In a reference, `add these` means what it lists.
    let is_listed = !found.file.is_skill_md() && found.found().ends_with(" these");
    if found.is_said_to_agent() && !is_listed { High } else { below(found) }
}

/// Judges invisible characters. They have no purpose in prose, but may be the topic of code and quotations.
pub fn unseen_characters(found: &FindingContext<'_>) -> Confidence {
    let is_text = matches!(found.context, CodeContext::Prose | CodeContext::FrontMatterState);
    match found.message.contains(" spell ") {
        true => High,
        false if is_text && found.is_instruction() && !found.is_mentioned() && !is_left_over(found) => High,
        false => Medium,
    }
}

/// Maximum number of characters in a row between two words that are too few to spell anything.
const LEFT_OVER_CHARS_MAX: usize = 8;

/// Whether characters are leftovers from a copied web page: few of one kind that allows or forbids a line break, next
/// to a space, punctuation or a letter of a script without spaces.
fn is_left_over(found: &FindingContext<'_>) -> bool {
    let Some(chars) = found.text.get(found.span.clone()) else { return false };
    let mut before = found.text.get(..found.span.start).and_then(|text| text.chars().next_back());
    let after = found.text.get(found.span.end..).and_then(|text| text.chars().next());
    // Alternating characters of two kinds can spell something.
    let mut kinds = chars.chars().filter(|c| is_break(*c));
    let first = kinds.next();
    if kinds.any(|c| Some(c) != first) {
        return false;
    }
    let mut run = 0;
    for next in chars.chars().map(Some).chain([after]) {
        if next.is_some_and(is_break) {
            run += 1;
        } else if run > LEFT_OVER_CHARS_MAX
            || next.is_some_and(|c| is_unseen(c) && !c.is_whitespace())
            || run > 0 && is_split(before, next)
        {
            return false;
        } else {
            (before, run) = (next, 0);
        }
    }
    true
}

fn is_break(c: char) -> bool {
    matches!(c, '\u{200b}' | '\u{2060}' | '\u{feff}' | '\u{ad}')
}

/// Whether two characters belong to one word.
fn is_split(before: Option<char>, after: Option<char>) -> bool {
    let is_letter = |c: Option<char>| c.is_some_and(|c| c.is_alphanumeric() && !is_wide(c));
    is_letter(before) && is_letter(after)
}

/// Whether a letter's script allows a line break between any two letters.
fn is_wide(c: char) -> bool {
    matches!(c, '\u{2e80}'..='\u{9fff}' | '\u{f900}'..='\u{faff}' | '\u{ff00}'..='\u{ffef}' | '\u{20000}'..='\u{3ffff}')
}

/// Judges letters of two scripts in one word. In a name or description, they deceive the person or agent that chooses
/// the skill.
pub fn mixed_letters(found: &FindingContext<'_>) -> Confidence {
    match () {
        () if found.is_command_block() && !found.is_warned_of() => High,
        () if found.is_mentioned() => Low,
        () if found.context == CodeContext::FrontMatterState => High,
        () => Medium,
    }
}

/// Judges words in files that no agent reads as instructions.
fn below(found: &FindingContext<'_>) -> Confidence {
    if found.is_mentioned() { Low } else { Medium }
}
