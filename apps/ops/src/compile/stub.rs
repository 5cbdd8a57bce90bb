//! The stub of a skill, made from its SKILL.md and its first reference files.

use super::skill_file::SkillFile;
use crate::app::App;
use skillc_domain::document::Document;
use skillc_domain::format::is_markdown;
use skillc_domain::frontmatter::Opening;
use skillc_domain::limits::{STUB_REFERENCES_MAX, TEXT_BYTES_MAX};
use skillc_domain::path::RelPath;
use skillc_domain::places::SKILL_FILE;
use skillc_domain::stub::{Reference, StubInput, body};
use skillc_domain::survey::Survey;
use skillc_ports::{DocumentReader, SkillTree};

/// The reference files that a stub lists, and the number of all reference files.
pub fn listed(survey: &Survey) -> (Vec<RelPath>, usize) {
    let is_reference = |path: &&RelPath| is_markdown(path) && path.as_str() != SKILL_FILE;
    let all = || survey.files.iter().map(|file| &file.path).filter(is_reference);
    (all().take(STUB_REFERENCES_MAX).cloned().collect(), all().count())
}

/// The content of the stub. `known` holds the references that the build has read already, by path; others are read here.
pub fn stub(
    app: &App,
    tree: &dyn SkillTree,
    survey: &Survey,
    skill_file: &SkillFile,
    resolves_as: &str,
    known: &[(RelPath, Reference)],
) -> Vec<u8> {
    let (paths, references_total) = listed(survey);
    let known =
        |path: &RelPath| known.binary_search_by(|(p, _)| p.cmp(path)).ok().map(|at| known[at].1.clone());
    let references: Vec<Reference> =
        paths.iter().map(|path| known(path).unwrap_or_else(|| read_reference(app, tree, path))).collect();
    let body = body(&StubInput {
        resolves_as,
        name: &skill_file.name,
        headings: &skill_file.document.headings,
        references: &references,
        references_total,
    });
    let fields = [("name", skill_file.name.as_str()), ("description", skill_file.description.as_str())];
    (app.ports.reader.write_front_matter(&fields) + &body).into_bytes()
}

/// A file that cannot be read is listed by its path; the source reader warns about it.
fn read_reference(app: &App, tree: &dyn SkillTree, path: &RelPath) -> Reference {
    let text = tree.read(path, TEXT_BYTES_MAX).ok().and_then(|content| String::from_utf8(content.bytes).ok());
    let text = text.unwrap_or_default();
    reference(app.ports.reader.as_ref(), path, &text, &app.ports.reader.document(&text, Opening::of(path)))
}

/// A reference file as the stub lists it.
pub fn reference(reader: &dyn DocumentReader, path: &RelPath, text: &str, document: &Document) -> Reference {
    let front = reader.front_matter(text).ok().flatten().unwrap_or_default();
    Reference {
        title: document.title().map_or_else(|| path.to_string(), str::to_owned),
        description: front.get("description").and_then(|node| node.text()).map(str::to_owned),
    }
}
