//! `skc init` (RFC-0006:C-INIT).

use crate::failure::Failure;
use crate::operation::{Operation, Surface};
use crate::policy::admit_name;
use crate::render::{Render, View, line};
use crate::run::Run;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use skillc_domain::fault::Fault;
use skillc_domain::name::SkillName;
use skillc_domain::places::{SKILL_FILE, SKILLC_DIR};
use skillc_ports::ErrorKind;
use std::path::PathBuf;

/// Start a project, or a new skill.
///
/// Without a name, creates `.skillc/skills` in the working directory. With one, creates a first SKILL.md.
#[derive(Debug, clap::Args, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct InitRequest {
    /// Name of the new skill: lowercase letters, digits and hyphens.
    pub name: Option<String>,
    /// Create it in the global store, for every project.
    #[arg(short, long)]
    #[serde(default)]
    pub global: bool,
}

/// The new project or skill.
#[derive(Debug, Serialize, JsonSchema)]
pub struct InitReply {
    /// The skill, if one was named.
    pub skill: Option<String>,
    /// `project` or `global`.
    pub scope: String,
    /// The folder of the skill, or of the store.
    pub path: PathBuf,
}

/// The operation.
pub struct Init;

impl Operation for Init {
    const NAME: &'static str = "init";
    const SURFACE: Surface = Surface::Everywhere;
    const IS_READ_ONLY: bool = false;
    const EXAMPLES: &'static str = "skc init\nskc init my-skill\nskc init my-skill --global";
    type Request = InitRequest;
    type Reply = InitReply;

    async fn run(run: &mut Run<'_>, request: InitRequest) -> Result<InitReply, Failure> {
        let app = run.app;
        // A new project begins in the working directory; a new skill joins the existing project.
        let base = match (request.global, &request.name) {
            (true, _) => &app.call.places.home,
            (false, None) => &app.call.places.cwd,
            (false, Some(_)) => app.call.places.project.as_ref().unwrap_or(&app.call.places.cwd),
        };
        let scope = if request.global || *base == app.call.places.home { "global" } else { "project" };
        let own =
            if *base == app.call.places.home { app.call.places.own.clone() } else { base.join(SKILLC_DIR) };
        let store = own.join("skills");
        let Some(raw) = request.name else {
            app.ports.stores.create_folder(&store)?;
            return Ok(InitReply { skill: None, scope: scope.to_owned(), path: store });
        };
        let name = SkillName::for_new(&raw)?;
        admit_name(app, name.as_str())?;
        let folder = store.join(name.as_str());
        app.ports.stores.create_skill(&folder, &skill_md(&name)).map_err(|error| match error.kind {
            ErrorKind::AlreadyExists => {
                Failure::because(Fault::SkillExists { skill: name.as_str().to_owned() }, error)
            }
            _ => error.into(),
        })?;
        Ok(InitReply { skill: Some(name.as_str().to_owned()), scope: scope.to_owned(), path: folder })
    }
}

impl Render for InitReply {
    fn render(&self, view: &View, out: &mut Vec<u8>) {
        match &self.skill {
            None => {
                line(
                    out,
                    format!(
                        "{} a {} store in {}",
                        view.good("Initialized"),
                        self.scope,
                        view.path(&self.path)
                    ),
                );
                line(out, view.faint("Next: skc init <name>"));
            }
            Some(skill) => {
                let file = self.path.join(SKILL_FILE);
                line(
                    out,
                    format!("{} {skill} ({}) in {}", view.good("Created"), self.scope, view.path(&file)),
                );
                line(out, view.faint(format!("Next: edit it, then run: skc build {skill}")));
            }
        }
    }
}

/// The first SKILL.md of a new skill (RFC-0006:C-INIT).
fn skill_md(name: &SkillName) -> String {
    format!("---\nname: {name}\ndescription: \"TODO: Add skill description\"\n---\n\n# {}\n", title(name))
}

/// `my-skill` as `My Skill`.
fn title(name: &SkillName) -> String {
    let words = name.as_str().split('-').filter(|word| !word.is_empty());
    let capital = |word: &str| word[..1].to_ascii_uppercase() + &word[1..];
    words.map(capital).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// RFC-0006:C-INIT
    #[test]
    fn the_first_skill_md_has_its_title_in_capitals() {
        let text = skill_md(&SkillName::for_new("Rust-CLI2").unwrap());
        assert_eq!(
            text,
            "---\nname: rust-cli2\ndescription: \"TODO: Add skill description\"\n---\n\n# Rust Cli2\n"
        );
    }
}
