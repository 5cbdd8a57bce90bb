//! What the picker asks, answered by the operations.

use crate::item::Item;
use crate::preview::Preview;
use crate::state::Place;
use crate::text::one_line;
use serde_json::{Value, json};
use skillc_domain::config::Settings;
use skillc_domain::discovery::policy::Verdict;
use skillc_domain::discovery::roots::Which;
use skillc_domain::frontmatter::{FrontMatterSpan, Opening, find_front_matter};
use skillc_domain::limits::CATALOGED_BYTES_MAX;
use skillc_domain::path::RelPath;
use skillc_ops::App;
use skillc_ops::catalog::{self, Ask};
use skillc_ops::descriptors::must_be_free;
use skillc_ops::operation::{Answer, find};
use skillc_ops::policy::with_policy;
use skillc_ports::Quiet;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

/// Bytes of a skill's text that are shown: far more than anybody scrolls through.
const PREVIEW_BYTES_MAX: usize = 64 * 1024;
/// Skills that are added for what they mean.
const NEAR_MAX: u32 = 20;

/// Reads the settings again, after a switch.
pub type Reload = Box<dyn Fn() -> Settings + Send + Sync>;

/// The skills of this machine.
pub struct Source {
    app: App,
    roots: Which,
    reload: Reload,
    names: OnceLock<Vec<String>>,
}

impl Source {
    /// Over these ports. What they tell on the way would spoil the screen, and is not shown.
    pub fn new(app: App, roots: Which, reload: Reload) -> Self {
        let app = App { progress: Arc::new(Quiet), ..app };
        Self { app, roots, reload, names: OnceLock::new() }
    }

    /// Every skill that may be seen or is switched off.
    pub fn items(&self) -> Vec<Item> {
        let catalog = catalog::read_with_hidden(&self.app, Ask { roots: self.roots, ..Ask::default() });
        let skills = catalog.skills.iter();
        let (mut items, mut names) = (Vec::new(), Vec::new());
        with_policy(&self.app, |policy| {
            for skill in skills.filter(|skill| !matches!(policy.verdict(&skill.name), Verdict::Denied(_))) {
                items.push(Item {
                    is_enabled: policy.is_visible(&skill.name),
                    description: one_line(&skill.description),
                    name: one_line(&skill.name),
                    path: skill.path.clone(),
                    scope: skill.scope,
                });
                names.push(skill.name.clone());
            }
        });
        let _ = self.names.set(names);
        items
    }

    /// What a skill holds.
    pub fn preview(&self, path: &Path) -> Preview {
        self.read(path).unwrap_or_else(|problem| Preview { problem: Some(problem), ..Preview::default() })
    }

    fn read(&self, path: &Path) -> Result<Preview, String> {
        let (dir, name) = (path.parent(), path.file_name().and_then(|name| name.to_str()));
        let (Some(dir), Some(name)) = (dir, name) else { return Err("not a file of a skill".to_owned()) };
        let file = RelPath::from_walk(name.to_owned());
        let read = self.app.files.open(dir).and_then(|tree| tree.read(&file, CATALOGED_BYTES_MAX));
        let content = read.map_err(|error| error.reason().to_owned())?;
        let text = String::from_utf8_lossy(&content.bytes);
        let body = match find_front_matter(&text) {
            FrontMatterSpan::Block { end, .. } => &text[end..],
            _ => &text,
        };
        let headings = self.app.reader.document(body, Opening::Either).headings;
        Ok(Preview {
            sections: headings.into_iter().map(|heading| (heading.level, heading.text)).collect(),
            text: body[..body.floor_char_boundary(PREVIEW_BYTES_MAX)].trim_start().to_owned(),
            problem: None,
        })
    }

    /// Skills that mean something near, best first; `None` where there is no model.
    pub fn near(&self, query: &str) -> Option<Vec<PathBuf>> {
        let answer =
            self.run("find", json!({ "query": query, "mode": "semantic", "limit": NEAR_MAX })).ok()?;
        let results = answer["results"].as_array()?;
        Some(results.iter().filter_map(|result| result["path"].as_str()).map(PathBuf::from).collect())
    }

    /// Switches a skill, and tells of each of the items whether it is on now.
    ///
    /// # Errors
    /// Why nothing was switched.
    pub fn switch(&self, name: &str, is_enabled: bool, place: Place) -> Result<Vec<bool>, String> {
        let verb = if is_enabled { "enable" } else { "disable" };
        self.run(verb, json!({ "skill": name, "project": place == Place::Project }))?;
        let names = self.names.get().into_iter().flatten();
        Ok(with_policy(&self.app_now(), |policy| names.map(|name| policy.is_visible(name)).collect()))
    }

    /// With the settings as they are now.
    fn app_now(&self) -> App {
        App { settings: (self.reload)(), ..self.app.clone() }
    }

    fn run(&self, name: &str, arguments: Value) -> Result<Value, String> {
        let entry = find(name).ok_or_else(|| format!("no operation '{name}'"))?;
        let mut runtime = tokio::runtime::Builder::new_current_thread();
        if self.app.team.is_some() {
            must_be_free().map_err(|error| error.to_string())?;
            runtime.enable_all();
        }
        let runtime = runtime.build().map_err(|error| format!("cannot start: {error}"))?;
        let Answer { reply, failures, .. } = runtime.block_on((entry.run_json)(&self.app_now(), arguments));
        match (reply, failures.first()) {
            (Some(reply), _) => Ok(reply.json()),
            (None, failure) => Err(failure.map_or_else(String::new, |failure| failure.fault.line())),
        }
    }
}
