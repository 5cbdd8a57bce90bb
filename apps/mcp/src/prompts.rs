//! The only prompt, `use_skill`.

use crate::resources::STATIC_TTL_MS;
use crate::work::error_data;
use rmcp::ErrorData;
use rmcp::model::{
    CacheScope, GetPromptRequestParams, GetPromptResult, JsonObject, ListPromptsResult, Prompt,
    PromptArgument, PromptMessage, Role,
};
use skillc_domain::fault::Fault;
use skillc_ops::App;
use skillc_ops::serve::{ServedSkills, introduction, similar_names};

/// The name of the prompt.
pub const USE_SKILL: &str = "use_skill";
/// The argument with the name of the skill.
pub const SKILL_NAME: &str = "name";
/// The optional argument with the task.
pub const TASK: &str = "task";

/// The list of prompts.
pub fn prompts() -> ListPromptsResult {
    let name = PromptArgument::new(SKILL_NAME).with_description("Name of the skill").with_required(true);
    let task = PromptArgument::new(TASK).with_description("What to use it for").with_required(false);
    let about = "Give a skill to the agent: its description, its headings, and how to read on";
    let prompt = Prompt::new(USE_SKILL, Some(about), Some(vec![name, task])).with_title("Use a skill");
    ListPromptsResult::with_all_items(vec![prompt])
        .with_ttl_ms(STATIC_TTL_MS)
        .with_cache_scope(CacheScope::Public)
}

/// The arguments of `use_skill`.
#[derive(Debug)]
pub struct UseSkillArguments {
    /// The served name of the skill.
    pub name: String,
    /// The task to use it for.
    pub task: Option<String>,
}

/// Parses the arguments.
///
/// # Errors
/// -32602 for another prompt, and for a missing or unknown argument and one that is not a string.
pub fn arguments(request: GetPromptRequestParams) -> Result<UseSkillArguments, ErrorData> {
    let invalid = |message: String| ErrorData::invalid_params(message, None);
    if request.name != USE_SKILL {
        return Err(invalid(format!("unknown prompt '{}'", request.name)));
    }
    let mut arguments: JsonObject = request.arguments.unwrap_or_default();
    let mut text = |key: &str| match arguments.remove(key) {
        None => Ok(None),
        Some(serde_json::Value::String(text)) => Ok(Some(text)),
        Some(_) => Err(invalid(format!("argument '{key}' must be a string"))),
    };
    let (name, task) = (text(SKILL_NAME)?, text(TASK)?);
    if let Some(unknown) = arguments.keys().next() {
        return Err(invalid(format!("unknown argument '{unknown}'")));
    }
    let name = name.ok_or_else(|| invalid(format!("missing argument '{SKILL_NAME}'")))?;
    Ok(UseSkillArguments { name, task })
}

/// The message of the prompt.
///
/// # Errors
/// As `introduction`; the error for an unknown skill lists similar names.
pub async fn message(
    app: &App,
    skills: &ServedSkills,
    arguments: &UseSkillArguments,
) -> Result<GetPromptResult, ErrorData> {
    let UseSkillArguments { name, task } = arguments;
    let text = introduction(app, skills, name, task.as_deref()).await.map_err(|failure| {
        let mut error = error_data(&failure, app.call.reader);
        if matches!(failure.fault, Fault::SkillNotFound { .. }) {
            let similar = similar_names(app, skills, name);
            if !similar.is_empty() {
                error.message = format!("{}; similar: {}", error.message, similar.join(", ")).into();
            }
        }
        error
    })?;
    let result = GetPromptResult::new(vec![PromptMessage::new_text(Role::User, text)]);
    Ok(result.with_description(format!("Use the skill '{name}'")))
}
