//! A simulated agent that reaches sections through `search` and `show`, in a temporary build of its own.

use crate::app::App;
use crate::compile::compile;
use crate::context::{CallContext, Caller};
use crate::failure::Failure;
use crate::render::{Render, View};
use crate::run::Run;
use crate::runtime::content_of;
use crate::skill::Skill;
use skillc_domain::config::{IndexSettings, OnStale, Settings};
use skillc_domain::listing::Scope;
use skillc_domain::places::{Places, SourceRoot};
use skillc_domain::reader::Reader;
use skillc_ports::RuntimeFile;
use std::path::PathBuf;
use std::sync::Arc;

/// The name under which the operations see the agent.
const AGENT: &str = "skc prove";

/// The agent, with a home folder of its own below `~/.skillc/prove`.
pub struct ProvingAgent {
    /// The app for the agent's calls.
    pub app: App,
    /// The skill's path, which is unambiguous.
    pub skill: String,
    /// The stub that the agent begins with.
    pub stub: String,
    home: PathBuf,
}

impl ProvingAgent {
    /// Builds the skill for the agent.
    ///
    /// # Errors
    /// Those of a build.
    pub async fn start(app: &App, skill: &Skill) -> Result<Self, Failure> {
        let random = format!("{:032x}", app.ports.clock.random());
        let home = app.call.places.own.join("prove").join(random);
        let own = own_app(app, skill, &home);
        let name = skill.path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let stored = Skill { name, scope: Some(Scope::Global), origin: None, ..skill.clone() };
        let mut run = Run::new(&own);
        let stub = compile(&mut run, &stored, Scope::Global).await.map(|built| {
            let stub = content_of(&built.published, RuntimeFile::Stub).unwrap_or_default();
            String::from_utf8_lossy(stub).into_owned()
        });
        drop(run);
        let agent = Self { app: own, skill: skill.path_text(), stub: String::new(), home };
        match stub {
            Ok(stub) => Ok(Self { stub, ..agent }),
            Err(failure) => {
                agent.end();
                Err(failure)
            }
        }
    }

    /// Deletes the agent's home folder.
    pub fn end(self) {
        let trash = &self.app.ports.trash;
        // If that fails, a build without readers remains; the figures are correct nevertheless.
        if let Ok(entry) = trash.put(&self.home) {
            let _ = trash.delete(&entry);
        }
    }
}

/// The text of a reply, as a tool returns it.
pub fn tool_text(reply: &impl Render) -> String {
    let view = View { reader: Reader::Agent(&[]), ..View::default() };
    let mut text = Vec::new();
    reply.tool_text(&view, &mut text);
    reply.diagnostics(&view, &mut text);
    String::from_utf8_lossy(&text).into_owned()
}

/// The app for the agent. The caller has already been permitted to use the skill, so no policy applies. Nothing that
/// the agent does is logged.
fn own_app(app: &App, skill: &Skill, home: &std::path::Path) -> App {
    let folder = skill.path.parent().unwrap_or(&skill.path).to_owned();
    let store = SourceRoot { scope: Scope::Global, folder };
    let places = Places::new(home.to_owned(), app.call.places.cwd.clone(), None).with_source_roots(&[store]);
    let of = &app.call.settings;
    let index = IndexSettings { tokenizer: of.index.tokenizer, on_stale: OnStale::Error };
    let settings = Settings { index, home_index: index, build: of.build.clone(), ..Settings::default() };
    let reader = Reader::Agent(&[]);
    let call =
        CallContext { caller: Caller::Agent(AGENT.to_owned()), reader, places, settings, ..app.call.clone() };
    App { ports: app.ports.clone(), call, state: Arc::default() }
}
