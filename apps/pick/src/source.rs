//! The skills of the picker, read and changed through the operations.

use crate::item::SkillItem;
use crate::preview::Preview;
use crate::state::SettingsScope;
use crate::text::one_line;
use skillc_domain::config::Settings;
use skillc_domain::discovery::policy::PolicyDecision;
use skillc_domain::discovery::roots::Which;
use skillc_domain::frontmatter::{FrontMatterSpan, Opening, find_front_matter};
use skillc_domain::limits::CATALOGED_BYTES_MAX;
use skillc_domain::path::RelPath;
use skillc_ops::App;
use skillc_ops::catalog::{self, CatalogFilter};
use skillc_ops::find::FindMode;
use skillc_ops::operation::call_blocking;
use skillc_ops::policy::with_policy;
use skillc_ops::verb::enable::{Disable, DisableRequest, Enable, EnableRequest};
use skillc_ops::verb::find::{Find, FindRequest};
use skillc_ops::{Answer, Operation};
use skillc_ports::Quiet;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

/// Bytes of a skill's text in the preview: far more than anyone scrolls through.
const PREVIEW_BYTES_MAX: usize = 64 * 1024;
/// Results of a semantic search.
const SIMILAR_MAX: u32 = 20;

/// Reads the settings again, after a switch.
pub type Reload = Box<dyn Fn() -> Settings + Send + Sync>;

/// The skills of this machine.
pub struct SkillSource {
    app: App,
    roots: Which,
    reload: Reload,
    names: OnceLock<Vec<String>>,
}

impl SkillSource {
    /// Reads through these ports. Their progress is discarded, since it would garble the screen.
    pub fn new(mut app: App, roots: Which, reload: Reload) -> Self {
        app.call.progress = Arc::new(Quiet);
        Self { app, roots, reload, names: OnceLock::new() }
    }

    /// Every skill that is visible or switched off.
    pub fn items(&self) -> Vec<SkillItem> {
        let catalog = catalog::read_with_hidden(
            &self.app,
            CatalogFilter { roots: self.roots, ..CatalogFilter::default() },
        );
        let skills = catalog.skills.iter();
        let (mut items, mut names) = (Vec::new(), Vec::new());
        with_policy(&self.app, |policy| {
            for skill in
                skills.filter(|skill| !matches!(policy.verdict(&skill.name), PolicyDecision::Denied(_)))
            {
                items.push(SkillItem {
                    is_enabled: policy.is_visible(&skill.name) && policy.is_visible(&skill.name_of_place()),
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

    /// The preview of a SKILL.md; an unreadable one has a problem instead of text.
    pub fn preview(&self, path: &Path) -> Preview {
        self.read(path).unwrap_or_else(|problem| Preview { problem: Some(problem), ..Preview::default() })
    }

    fn read(&self, path: &Path) -> Result<Preview, String> {
        let (dir, name) = (path.parent(), path.file_name().and_then(|name| name.to_str()));
        let (Some(dir), Some(name)) = (dir, name) else { return Err("not a file of a skill".to_owned()) };
        let file = RelPath::from_walk(name.to_owned());
        let read = self.app.ports.files.open(dir).and_then(|tree| tree.read(&file, CATALOGED_BYTES_MAX));
        let content = read.map_err(|error| error.reason().to_owned())?;
        let text = String::from_utf8_lossy(&content.bytes);
        let body = match find_front_matter(&text) {
            FrontMatterSpan::Block { end, .. } => &text[end..],
            _ => &text,
        };
        let headings = self.app.ports.reader.document(body, Opening::Either).headings;
        Ok(Preview {
            sections: headings.into_iter().map(|heading| (heading.level, heading.text)).collect(),
            text: body[..body.floor_char_boundary(PREVIEW_BYTES_MAX)].trim_start().to_owned(),
            problem: None,
        })
    }

    /// The paths of skills with a similar meaning, best first; `None` without a model.
    pub fn similar(&self, query: &str) -> Option<Vec<PathBuf>> {
        let (query, mode, limit) = (query.to_owned(), FindMode::Semantic, Some(SIMILAR_MAX));
        let reply = self
            .run::<Find>(FindRequest { query: vec![query], mode, limit, ..FindRequest::default() })
            .ok()?;
        Some(reply.results.into_iter().map(|result| result.path).collect())
    }

    /// Switches a skill on or off. Returns whether each item is enabled now, in the order of [`SkillSource::items`].
    ///
    /// # Errors
    /// The fault, on one line.
    pub fn switch(&self, name: &str, is_enabled: bool, scope: SettingsScope) -> Result<Vec<bool>, String> {
        let (skill, project) = (name.to_owned(), scope == SettingsScope::Project);
        match is_enabled {
            true => self.run::<Enable>(EnableRequest { skill, project, allow: false })?,
            false => self.run::<Disable>(DisableRequest { skill, project })?,
        };
        let names = self.names.get().into_iter().flatten();
        Ok(with_policy(&self.app_now(), |policy| names.map(|name| policy.is_visible(name)).collect()))
    }

    /// The ports with the current settings.
    fn app_now(&self) -> App {
        let mut app = self.app.clone();
        app.call.settings = (self.reload)();
        app
    }

    fn run<O: Operation>(&self, request: O::Request) -> Result<O::Reply, String> {
        let Answer { reply, failures, .. } = call_blocking::<O>(&self.app_now(), request);
        let first = || failures.first().map_or_else(String::new, |failure| failure.fault.line());
        reply.ok_or_else(first)
    }
}
