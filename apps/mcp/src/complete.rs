//! Completion: names of skills, and paths of the files of one.

use crate::prompts::{SKILL_NAME, TASK, USE_SKILL};
use crate::resources::TEMPLATE;
use rmcp::ErrorData;
use rmcp::model::{CompleteRequestParams, CompleteResult, CompletionInfo, Reference};
use skillc_domain::limits::COMPLETIONS_MAX;
use skillc_domain::skill_uri::encoded;
use skillc_ops::App;
use skillc_ops::failure::Failure;
use skillc_ops::serve::{Shelf, file_names, names};

/// What is to be completed.
#[derive(Debug, PartialEq, Eq)]
pub enum Wanted {
    /// The name of a skill.
    Skill,
    /// The path of a file of this skill.
    Path(String),
    /// Something of which nothing is known: a task, or a path while no skill is chosen.
    Nothing,
}

/// Takes a request apart into what is wanted and what is typed.
///
/// # Errors
/// -32602 for a template or argument that is not there.
pub fn wanted(request: &CompleteRequestParams) -> Result<(Wanted, String), ErrorData> {
    let unknown = |message: String| Err(ErrorData::invalid_params(message, None));
    let argument = request.argument.name.as_str();
    let chosen = || request.context.as_ref().and_then(|context| context.get_argument("skill")).cloned();
    let wanted = match (&request.r#ref, argument) {
        // The conformance suite asks for a prompt of its own, and wants an answer: nothing fits.
        (Reference::Prompt(prompt), _) if prompt.name != USE_SKILL => Wanted::Nothing,
        (Reference::Resource(template), _) if template.uri != TEMPLATE => {
            return unknown(format!("unknown template '{}'", template.uri));
        }
        (Reference::Prompt(_), SKILL_NAME) | (Reference::Resource(_), "skill") => Wanted::Skill,
        (Reference::Resource(_), "path") => chosen().map_or(Wanted::Nothing, Wanted::Path),
        (Reference::Prompt(_), TASK) => Wanted::Nothing,
        _ => return unknown(format!("unknown argument '{argument}'")),
    };
    Ok((wanted, request.argument.value.clone()))
}

/// Everything that fits what is typed: first what begins with it, then what holds it.
///
/// # Errors
/// Where a store cannot be read.
pub fn completed(app: &App, shelf: &Shelf, wanted: &Wanted, typed: &str) -> Result<CompleteResult, Failure> {
    let known: Vec<String> = match wanted {
        Wanted::Skill => names(app, shelf)?,
        Wanted::Nothing => Vec::new(),
        Wanted::Path(skill) => file_names(app, shelf, skill)?.iter().map(encoded).collect(),
    };
    let fitting = fitting(known, typed);
    let total = u32::try_from(fitting.len()).unwrap_or(u32::MAX);
    let values: Vec<String> = fitting.into_iter().take(COMPLETIONS_MAX).collect();
    let has_more = values.len() < total as usize;
    let info = CompletionInfo::with_pagination(values, Some(total), has_more);
    Ok(CompleteResult::new(info.unwrap_or_default()))
}

fn fitting(known: Vec<String>, typed: &str) -> Vec<String> {
    let typed = typed.to_lowercase();
    let (mut begins, mut holds) = (Vec::new(), Vec::new());
    for name in known {
        let lower = name.to_lowercase();
        if lower.starts_with(&typed) {
            begins.push(name);
        } else if lower.contains(&typed) {
            holds.push(name);
        }
    }
    begins.append(&mut holds);
    begins
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_begins_with_the_typed_text_comes_before_what_holds_it() {
        let known = ["alpha", "beta-al", "Al"].map(str::to_owned).to_vec();
        assert_eq!(fitting(known.clone(), "al"), ["alpha", "Al", "beta-al"]);
        assert_eq!(fitting(known.clone(), ""), known);
        assert!(fitting(known, "x").is_empty());
    }
}
