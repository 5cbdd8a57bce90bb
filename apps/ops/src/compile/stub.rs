//! Builds the stub of a skill from its SKILL.md and its first reference files.

use super::skill_file::SkillFile;
use crate::app::App;
use skillc_domain::document::Document;
use skillc_domain::format::{format_of, is_markdown};
use skillc_domain::frontmatter::{Opening, body};
use skillc_domain::limits::{STUB_REFERENCES_MAX, TEXT_BYTES_MAX};
use skillc_domain::path::RelPath;
use skillc_domain::places::SKILL_FILE;
use skillc_domain::reference_order::sort_by_mention;
use skillc_domain::stub::{Reference, StubInput, is_whole, outline, whole};
use skillc_domain::survey::Survey;
use skillc_ports::{DocumentReader, SkillTree};

/// Version of the stub's form. If it differs from that in the manifest, a build writes the stub again even if the
/// skill has not changed.
const STUB_VERSION: u32 = 4;

/// The reference files of a skill that its stub lists.
pub struct ListedReferences {
    /// The first files, in the order in which SKILL.md mentions them.
    pub paths: Vec<RelPath>,
    /// The number of all reference files.
    pub total: usize,
}

/// Finds the reference files that a stub lists.
pub fn listed(survey: &Survey, skill_file: &SkillFile) -> ListedReferences {
    let is_reference = |path: &&RelPath| is_markdown(path) && path.as_str() != SKILL_FILE;
    let mut paths: Vec<RelPath> =
        survey.files.iter().map(|file| &file.path).filter(is_reference).cloned().collect();
    let total = paths.len();
    sort_by_mention(&mut paths, body(&skill_file.text));
    paths.truncate(STUB_REFERENCES_MAX);
    ListedReferences { paths, total }
}

/// Everything except the source that determines the stub, as recorded in the manifest.
pub fn form(app: &App) -> String {
    format!("{STUB_VERSION}/{}", app.call.settings.build.whole_bytes_max)
}

/// The content of the stub. `known` contains the references that the build has already read, sorted by path; others
/// are read here.
pub fn stub(
    app: &App,
    tree: &dyn SkillTree,
    survey: &Survey,
    skill_file: &SkillFile,
    resolves_as: &str,
    known: &[(RelPath, Reference)],
) -> Vec<u8> {
    let fields = [("name", skill_file.name.as_str()), ("description", skill_file.description.as_str())];
    let front_matter = app.ports.reader.write_front_matter(&fields);
    let text = body(&skill_file.text);
    let texts = survey.files.iter().filter(|file| format_of(&file.path).is_some()).count();
    let has_other_files = survey.files.iter().any(|file| !is_markdown(&file.path));
    // SKILL.md itself is one of the texts.
    if is_whole(text, texts.saturating_sub(1), app.call.settings.build.whole_bytes_max) {
        return (front_matter + &whole(resolves_as, text, has_other_files)).into_bytes();
    }
    let ListedReferences { paths, total: references_total } = listed(survey, skill_file);
    let known =
        |path: &RelPath| known.binary_search_by(|(p, _)| p.cmp(path)).ok().map(|at| known[at].1.clone());
    let references: Vec<Reference> =
        paths.iter().map(|path| known(path).unwrap_or_else(|| read_reference(app, tree, path))).collect();
    let body = outline(&StubInput {
        resolves_as,
        headings: &skill_file.document.headings,
        references: &references,
        references_total,
        has_other_files,
    });
    (front_matter + &body).into_bytes()
}

/// Reads a reference file. One that cannot be read is listed by its path; the source reader warns about it.
fn read_reference(app: &App, tree: &dyn SkillTree, path: &RelPath) -> Reference {
    let text = tree.read(path, TEXT_BYTES_MAX).ok().and_then(|content| String::from_utf8(content.bytes).ok());
    let text = text.unwrap_or_default();
    reference(app.ports.reader.as_ref(), path, &text, &app.ports.reader.document(&text, Opening::of(path)))
}

/// A reference file as the stub lists it.
pub fn reference(reader: &dyn DocumentReader, path: &RelPath, text: &str, document: &Document) -> Reference {
    let front = reader.front_matter(text).ok().flatten().unwrap_or_default();
    let field = |key: &str| front.get(key).and_then(|node| node.text()).map(str::to_owned);
    let of_front_matter = field("title").filter(|title| !title.trim().is_empty());
    let title = of_front_matter.or_else(|| document.title().map(str::to_owned));
    let is_heading = |title: &String| document.headings.iter().any(|heading| heading.text == *title);
    Reference {
        path: path.to_string(),
        is_heading: title.as_ref().is_some_and(is_heading),
        title,
        description: field("description"),
    }
}
