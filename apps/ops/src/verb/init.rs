//! `skc init` (RFC-0006:C-INIT).

use crate::app::App;
use crate::elsewhere;
use crate::failure::Failure;
use crate::first_steps::{ask_for, has_skill, unread_here};
use crate::git_ignore;
use crate::operation::{Operation, Surface};
use crate::policy::admit_name;
use crate::render::{Render, View, line, plain};
use crate::run::Run;
use crate::settings_file::{self, Whose};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use skillc_domain::fault::Fault;
use skillc_domain::listing::Scope;
use skillc_domain::name::SkillName;
use skillc_domain::places::{SKILL_FILE, SKILLC_DIR};
use skillc_ports::{ErrorKind, SettingsChange};
use std::path::PathBuf;

/// The folder of a repository's own skills.
const IN_PLACE_DIR: &str = "skills";

/// Start a project, or a new skill.
///
/// Without a name, creates a store in the working directory. With one, creates a first SKILL.md.
#[derive(Debug, clap::Args, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct InitRequest {
    /// Name of the new skill: lowercase letters, digits and hyphens.
    pub name: Option<String>,
    /// Create it in the global store, for every project.
    #[arg(short, long)]
    #[serde(default)]
    pub global: bool,
    /// Make the repository's own folder 'skills' the store: its skills are built where they are.
    #[arg(long, conflicts_with = "global")]
    #[serde(default)]
    pub in_place: bool,
}

/// The new project or skill.
#[derive(Debug, Serialize, JsonSchema)]
pub struct InitReply {
    /// The skill, if one was named.
    pub skill: Option<String>,
    /// The name as given, if the skill got another one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub given: Option<String>,
    /// `project` or `global`.
    pub scope: String,
    /// The folder of the skill, or of the store.
    pub path: PathBuf,
    /// The command to run next where no skill was named, without the name of the program; empty for `init` with a name.
    #[serde(skip)]
    next: String,
    /// The folder outside the stores with most of the repository's skills, and their number, if the store is empty.
    #[serde(skip)]
    outside: Option<(PathBuf, usize)>,
}

/// Implements `skc init`.
pub struct Init;

impl Operation for Init {
    const NAME: &'static str = "init";
    const SURFACE: Surface = Surface::Everywhere;
    const IS_READ_ONLY: bool = false;
    const EXAMPLES: &'static str =
        "skc init\nskc init --in-place\nskc init my-skill\nskc init my-skill --global";
    // It changes the configuration.
    const COMMAND_LINE_ONLY: &'static [&'static str] = &["in_place"];
    type Request = InitRequest;
    type Reply = InitReply;

    async fn run(run: &mut Run<'_>, request: InitRequest) -> Result<InitReply, Failure> {
        let app = run.app;
        let name = request.name.as_deref().map(SkillName::for_new).transpose()?;
        if let Some(name) = &name {
            admit_name(app, name.as_str())?;
        }
        let store = store(app, &request)?;
        let given =
            request.name.as_deref().filter(|given| Some(*given) != name.as_ref().map(SkillName::as_str));
        let next = match store.scope {
            _ if name.is_some() => None,
            _ if has_skill(app, &store.folder) => Some("build --all".to_owned()),
            // Skills of the working directory do not concern the home.
            Scope::Global => None,
            Scope::Project => unread_here(app).filter(|_| !request.in_place).map(|here| here.next),
        };
        let is_empty = next.is_none() && name.is_none() && store.scope == Scope::Project;
        let reply = InitReply {
            outside: is_empty.then(|| elsewhere::of_repository(app)).flatten(),
            next: next.unwrap_or_default(),
            skill: name.as_ref().map(SkillName::to_string),
            given: given.map(str::to_owned),
            scope: store.scope.word().to_owned(),
            path: name.as_ref().map_or_else(|| store.folder.clone(), |name| store.folder.join(name.as_str())),
        };
        // Nothing is changed if the skill exists already.
        if let Some(name) = &name
            && app.ports.stores.is_file(&reply.path.join(SKILL_FILE))
        {
            return Err(Fault::SkillExists { skill: name.to_string() }.into());
        }
        create_store(app, &store, request.in_place)?;
        if let Some(name) = &name {
            app.ports.stores.create_skill(&reply.path, &skill_md(name)).map_err(|error| {
                match error.kind {
                    ErrorKind::AlreadyExists => {
                        Failure::because(Fault::SkillExists { skill: name.to_string() }, error)
                    }
                    _ => error.into(),
                }
            })?;
        }
        Ok(reply)
    }
}

/// A store that may not exist yet.
struct NewStore {
    scope: Scope,
    /// Its `.skillc`.
    skillc_dir: PathBuf,
    /// Where its skills are.
    folder: PathBuf,
}

/// The store to use: a new project is created in the working directory, while a new skill goes to the existing
/// project.
fn store(app: &App, request: &InitRequest) -> Result<NewStore, Fault> {
    let places = &app.call.places;
    let base = match &request.name {
        Some(_) => places.project.as_ref().unwrap_or(&places.cwd),
        None => &places.cwd,
    };
    if request.global || *base == places.home {
        if request.in_place {
            return Err(Fault::invalid_option("--in-place needs a project, and this is the home directory"));
        }
        let (skillc_dir, folder) = (places.own.clone(), places.own.join("skills"));
        return Ok(NewStore { scope: Scope::Global, skillc_dir, folder });
    }
    if base.parent().is_none() {
        let message = "the root folder cannot be a project; run it in the project's folder, or with --global";
        return Err(Fault::invalid_option(message));
    }
    let skillc_dir = base.join(SKILLC_DIR);
    let is_project = request.name.is_some() || places.project.as_ref() == Some(base);
    let configured = is_project.then(|| places.store_of_new(Scope::Project)).flatten();
    let folder = match configured {
        _ if request.in_place => base.join(IN_PLACE_DIR),
        Some(folder) => folder,
        None => skillc_dir.join("skills"),
    };
    Ok(NewStore { scope: Scope::Project, skillc_dir, folder })
}

/// Creates a store, with a configuration if it is new.
fn create_store(app: &App, store: &NewStore, is_in_place: bool) -> Result<(), Failure> {
    let whose = if store.scope == Scope::Global { Whose::User } else { Whose::Project };
    let config = store.skillc_dir.join("config.toml");
    let is_new = !app.ports.stores.is_folder(&store.skillc_dir.join("skills"));
    app.ports.stores.create_folder(&store.skillc_dir)?;
    // Before the folder that identifies a store, so that the next command completes an interrupted one.
    if is_new {
        settings_file::create(app, whose, &config)?;
    }
    app.ports.stores.create_folder(&store.folder)?;
    if is_in_place {
        let root = SettingsChange::AddSourceRoot(IN_PLACE_DIR.to_owned());
        settings_file::change_at(app, whose, &config, &root)?;
    }
    git_ignore::ensure(app, &store.skillc_dir);
    Ok(())
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
                if let Some((folder, count)) = &self.outside {
                    let (folder, store) = (view.path(folder), view.path(&self.path));
                    line(
                        out,
                        format!("To build the skills in {folder} ({count}), move their folders to {store}"),
                    );
                }
                let next = match self.next.as_str() {
                    "" => format!("{} with a name", view.reader.run("init")),
                    command => ask_for(command, view),
                };
                line(out, view.faint(format!("Next: {next}")));
            }
            Some(skill) => {
                let file = self.path.join(SKILL_FILE);
                line(
                    out,
                    format!("{} {skill} ({}) in {}", view.good("Created"), self.scope, view.path(&file)),
                );
                if let Some(given) = &self.given {
                    line(out, format!("The name '{}' was converted to lower case", plain(given)));
                }
                line(
                    out,
                    view.faint(format!("Next: edit it, then {}", view.reader.run(&format!("build {skill}")))),
                );
            }
        }
    }
}

/// The first SKILL.md of a new skill (RFC-0006:C-INIT).
fn skill_md(name: &SkillName) -> String {
    format!("---\nname: {name}\ndescription: \"TODO: Add skill description\"\n---\n\n# {}\n", title(name))
}

/// Formats `my-skill` as `My Skill`.
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
