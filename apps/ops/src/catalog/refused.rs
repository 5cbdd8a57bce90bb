//! Skills that strict validation omits, and which clients load them nevertheless.

use crate::app::App;
use skillc_domain::discovery::place::is_single_file;
use skillc_domain::discovery::skill::LoadError;
use skillc_domain::fault::Fault;
use skillc_domain::frontmatter::{FrontMatterSpan, body, find_front_matter};
use skillc_domain::limits::CATALOGED_BYTES_MAX;
use skillc_domain::path::RelPath;
use skillc_lint::verdict::{Compatibility, Profile, SkillMdFacts, Verdict, find};
use skillc_lint::view::FrontMatterState;
use std::path::Path;

/// The clients that the message mentions.
const CLIENTS: [&str; 2] = ["claude-code", "codex"];

/// Why a skill is omitted, and which clients load it: "description has 1068 characters, 1024 allowed; Claude Code
/// loads it, Codex does not".
pub fn reason(app: &App, error: &LoadError) -> String {
    match clients(app, &error.path) {
        Some(clients) => format!("{}; {clients}", error.message),
        None => error.message.clone(),
    }
}

/// E082 with the reason.
pub fn fault(app: &App, error: &LoadError) -> Fault {
    Fault::SkillInvalid { skill: error.name.clone(), path: error.path.clone(), message: reason(app, error) }
}

/// Which clients load the skill in a file; `None` if it is not text, or is a single-file skill, which none of them
/// loads.
fn clients(app: &App, path: &Path) -> Option<String> {
    if is_single_file(path) {
        return None;
    }
    let text = text(app, path)?;
    let folder = path.parent()?.file_name()?.to_string_lossy();
    let loads =
        |profile: &Profile| verdict(app, profile, &folder, &text).compatibility != Compatibility::Dropped;
    let (taking, dropping): (Vec<&Profile>, Vec<&Profile>) =
        CLIENTS.iter().filter_map(|id| find(id)).partition(|profile| loads(profile));
    let labels = |profiles: &[&Profile]| {
        profiles.iter().map(|profile| profile.label).collect::<Vec<_>>().join(" and ")
    };
    Some(match (taking.as_slice(), dropping.as_slice()) {
        (taking, []) => format!("{} load it", labels(taking)),
        ([], dropping) => format!("{} do not load it either", labels(dropping)),
        (taking, dropping) => format!("{} loads it, {} does not", labels(taking), labels(dropping)),
    })
}

/// The text of the SKILL.md at a path.
pub(crate) fn text(app: &App, path: &Path) -> Option<String> {
    let file = RelPath::from_walk(path.file_name()?.to_string_lossy().into_owned());
    let content =
        app.ports.files.open(path.parent()?).and_then(|tree| tree.read(&file, CATALOGED_BYTES_MAX)).ok()?;
    String::from_utf8(content.bytes).ok()
}

/// How a client treats a SKILL.md.
pub(crate) fn verdict(app: &App, profile: &Profile, folder: &str, text: &str) -> Verdict {
    let span = find_front_matter(text);
    let front = match span {
        FrontMatterSpan::None => FrontMatterState::None,
        FrontMatterSpan::Unclosed => FrontMatterState::Unclosed,
        FrontMatterSpan::Block { .. } => match app.ports.reader.front_matter(text) {
            Ok(fields) => FrontMatterState::Fields(fields.unwrap_or_default()),
            Err(flaw) => FrontMatterState::Invalid(flaw),
        },
    };
    (profile.judge)(&SkillMdFacts { folder, text, span, front: &front, body: body(text) })
}
