//! The one prompt: use a skill.

use crate::blocking::refusal;
use crate::resources::STATIC_TTL_MS;
use rmcp::ErrorData;
use rmcp::model::{
    CacheScope, GetPromptRequestParams, GetPromptResult, JsonObject, ListPromptsResult, Prompt,
    PromptArgument, PromptMessage, Role,
};
use skillc_domain::fault::Fault;
use skillc_ops::App;
use skillc_ops::serve::{Shelf, introduction, names_like};

/// Its name.
pub const USE_SKILL: &str = "use_skill";
/// Its argument that names the skill.
pub const SKILL_NAME: &str = "name";
/// Its argument that says what for.
pub const TASK: &str = "task";

/// The list of it.
pub fn prompts() -> ListPromptsResult {
    let name = PromptArgument::new(SKILL_NAME).with_description("Name of the skill").with_required(true);
    let task = PromptArgument::new(TASK).with_description("What to use it for").with_required(false);
    let about = "Give a skill to the agent: its description, its headings, and how to read on";
    let prompt = Prompt::new(USE_SKILL, Some(about), Some(vec![name, task])).with_title("Use a skill");
    ListPromptsResult::with_all_items(vec![prompt])
        .with_ttl_ms(STATIC_TTL_MS)
        .with_cache_scope(CacheScope::Public)
}

/// What a client asks of it.
#[derive(Debug)]
pub struct Wanted {
    /// The skill.
    pub name: String,
    /// What for.
    pub task: Option<String>,
}

/// Takes the arguments.
///
/// # Errors
/// -32602 for another prompt, an argument that is missing, unknown or no text.
pub fn wanted(request: GetPromptRequestParams) -> Result<Wanted, ErrorData> {
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
    Ok(Wanted { name, task })
}

/// The message that the prompt stands for.
///
/// # Errors
/// As `introduction`; for a skill that is not there with the names that are like it.
pub async fn message(app: &App, shelf: &Shelf, wanted: &Wanted) -> Result<GetPromptResult, ErrorData> {
    let text = introduction(app, shelf, &wanted.name, wanted.task.as_deref()).await.map_err(|failure| {
        let mut error = refusal(&failure);
        let near = names_like(app, shelf, &wanted.name);
        if matches!(failure.fault, Fault::SkillNotFound { .. }) && !near.is_empty() {
            error.message = format!("{}; similar: {}", error.message, near.join(", ")).into();
        }
        error
    })?;
    let result = GetPromptResult::new(vec![PromptMessage::new_text(Role::User, text)]);
    Ok(result.with_description(format!("Use the skill '{}'", wanted.name)))
}
