//! Completes names of skills, and paths of a skill's files.

use crate::prompts::{SKILL_NAME, TASK, USE_SKILL};
use crate::resources::TEMPLATE;
use rmcp::ErrorData;
use rmcp::model::{CompleteRequestParams, CompleteResult, CompletionInfo, Reference};
use skillc_domain::limits::COMPLETIONS_MAX;
use skillc_domain::skill_uri::encoded;
use skillc_ops::App;
use skillc_ops::failure::Failure;
use skillc_ops::serve::{ServedSkills, file_names, names};

/// The kind of value to complete.
#[derive(Debug, PartialEq, Eq)]
pub enum CompletionTarget {
    /// The name of a skill.
    Skill,
    /// The path of a file of this skill.
    Path(String),
    /// A value without suggestions: a task, or a path before a skill is chosen.
    Nothing,
}

/// Splits a request into its target and the text typed so far.
///
/// # Errors
/// -32602 for an unknown template or argument.
pub fn target(request: &CompleteRequestParams) -> Result<(CompletionTarget, String), ErrorData> {
    let unknown = |message: String| Err(ErrorData::invalid_params(message, None));
    let argument = request.argument.name.as_str();
    let chosen = || request.context.as_ref().and_then(|context| context.get_argument("skill")).cloned();
    let target = match (&request.r#ref, argument) {
        // The conformance suite completes a prompt of its own, and expects an empty result instead of an error.
        (Reference::Prompt(prompt), _) if prompt.name != USE_SKILL => CompletionTarget::Nothing,
        (Reference::Resource(template), _) if template.uri != TEMPLATE => {
            return unknown(format!("unknown template '{}'", template.uri));
        }
        (Reference::Prompt(_), SKILL_NAME) | (Reference::Resource(_), "skill") => CompletionTarget::Skill,
        (Reference::Resource(_), "path") => {
            chosen().map_or(CompletionTarget::Nothing, CompletionTarget::Path)
        }
        (Reference::Prompt(_), TASK) => CompletionTarget::Nothing,
        _ => return unknown(format!("unknown argument '{argument}'")),
    };
    Ok((target, request.argument.value.clone()))
}

/// The values that match the typed text: first those that begin with it, then those that contain it.
///
/// # Errors
/// If a store cannot be read.
pub fn completed(
    app: &App,
    skills: &ServedSkills,
    target: &CompletionTarget,
    typed: &str,
) -> Result<CompleteResult, Failure> {
    let known: Vec<String> = match target {
        CompletionTarget::Skill => names(app, skills)?,
        CompletionTarget::Nothing => Vec::new(),
        CompletionTarget::Path(skill) => file_names(app, skills, skill)?.iter().map(encoded).collect(),
    };
    let matches = matches(known, typed);
    let total = u32::try_from(matches.len()).unwrap_or(u32::MAX);
    let values: Vec<String> = matches.into_iter().take(COMPLETIONS_MAX).collect();
    let has_more = values.len() < total as usize;
    let info = CompletionInfo::with_pagination(values, Some(total), has_more);
    Ok(CompleteResult::new(info.unwrap_or_default()))
}

fn matches(known: Vec<String>, typed: &str) -> Vec<String> {
    let typed = typed.to_lowercase();
    let (mut prefixed, mut containing) = (Vec::new(), Vec::new());
    for name in known {
        let lower = name.to_lowercase();
        if lower.starts_with(&typed) {
            prefixed.push(name);
        } else if lower.contains(&typed) {
            containing.push(name);
        }
    }
    prefixed.append(&mut containing);
    prefixed
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn matches_at_the_beginning_come_before_those_within() {
        let known = ["alpha", "beta-al", "Al"].map(str::to_owned).to_vec();
        assert_eq!(matches(known.clone(), "al"), ["alpha", "Al", "beta-al"]);
        assert_eq!(matches(known.clone(), ""), known);
        assert!(matches(known, "x").is_empty());
    }
}
