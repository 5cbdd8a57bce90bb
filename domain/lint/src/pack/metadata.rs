//! Checks name and description as receivers do.

use super::refusal::PackRefusal;
use super::target::PackTarget;
use crate::rules::skl119_markup_in_metadata::first_tag;
use crate::verdict::{NAME_CHARS_MAX, SPEC_FIELDS, name_flaws};
use skillc_domain::archive::ArchiveListing;
use skillc_domain::limits::SKILL_DESCRIPTION_CHARS_MAX;
use skillc_domain::places::SKILL_FILE;

/// Metadata from the front matter of the SKILL.md in an archive.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PackedMetadata {
    /// Why it cannot be read.
    pub flaw: Option<String>,
    /// `name`, if it is text.
    pub name: Option<String>,
    /// `description`, if it is text.
    pub description: Option<String>,
    /// All of its keys.
    pub fields: Vec<String>,
}

pub(super) fn refusals(
    target: &PackTarget,
    archive: &ArchiveListing,
    metadata: &PackedMetadata,
) -> Vec<PackRefusal> {
    if let Some(flaw) = &metadata.flaw {
        let message = format!("the front matter of SKILL.md cannot be read: {flaw}");
        return vec![PackRefusal::certain(target.source, message, "run 'skc lint' on the skill")];
    }
    let mut found = Vec::new();
    match metadata.name.as_deref().filter(|name| !name.trim().is_empty()) {
        Some(name) => found.extend(of_name(target, archive, name)),
        None => found.push(missing(target, "name")),
    }
    match metadata.description.as_deref().filter(|description| !description.trim().is_empty()) {
        Some(description) => found.extend(of_description(target, description)),
        None => found.push(missing(target, "description")),
    }
    found.extend(unknown_field(target, metadata));
    found
}

fn missing(target: &PackTarget, field: &str) -> PackRefusal {
    let message = format!("SKILL.md has no {field}");
    PackRefusal::certain(target.source, message, format!("add '{field}:' to the front matter"))
}

fn of_name(target: &PackTarget, archive: &ArchiveListing, name: &str) -> Vec<PackRefusal> {
    let mut found = Vec::new();
    let advice = format!("use at most {NAME_CHARS_MAX} lowercase letters, digits and single hyphens");
    if target.checks_name {
        let flaws = name_flaws(name).into_iter();
        found.extend(flaws.map(|flaw| PackRefusal::certain(target.source, flaw, advice.clone())));
    }
    let reserved = target.reserved_words.iter().find(|word| name.to_ascii_lowercase().contains(**word));
    found.extend(reserved.map(|word| {
        let message = format!("name '{name}' contains the reserved word '{word}'");
        PackRefusal::certain(target.source, message, "name the skill after what it does")
    }));
    if let Some(folder) = folder(archive).filter(|folder| target.has_folder() && *folder != name) {
        let message = format!("the folder is '{folder}', and the name is '{name}'");
        found.push(PackRefusal::new(target.checks_name, target.source, message, "give both the same name"));
    }
    found
}

/// The top-level folder of the archive that contains SKILL.md.
fn folder(archive: &ArchiveListing) -> Option<&str> {
    archive.files().find_map(|file| match file.name.split_once('/') {
        Some((folder, SKILL_FILE)) => Some(folder),
        _ => None,
    })
}

fn of_description(target: &PackTarget, description: &str) -> Vec<PackRefusal> {
    let chars = description.chars().count();
    let mut found = Vec::new();
    if chars > SKILL_DESCRIPTION_CHARS_MAX {
        let own = format!("description has {chars} characters, more than {SKILL_DESCRIPTION_CHARS_MAX}");
        let message = target.words.map_or(own, |words| words.long_description.to_owned());
        let advice = format!("it has {chars}; move details to the body of SKILL.md");
        // Gemini CLI has no such limit.
        let is_certain = target.words.is_some() || target.checks_name;
        found.push(PackRefusal::new(is_certain, target.source, message, advice));
    } else if let Some(max) = target.description_chars_seen.filter(|max| chars > *max) {
        let message =
            format!("description has {chars} characters; users reported that its page accepts at most {max}");
        found.push(PackRefusal::possible(target.source, message, "shorten it if the upload fails"));
    }
    if let Some(tag) = first_tag(description).filter(|_| target.refuses_tags) {
        let message = format!("description contains the tag '{}'", &description[tag]);
        found.push(PackRefusal::certain(target.source, message, "write it without angle brackets"));
    }
    found
}

/// Reports a field that Anthropic's packager and validator reject: they accept only those of the specification.
fn unknown_field(target: &PackTarget, metadata: &PackedMetadata) -> Option<PackRefusal> {
    const PACKAGER: &str = "anthropics/skills skills/skill-creator/scripts/quick_validate.py 9d2f1ae";
    let field = metadata.fields.iter().find(|field| !SPEC_FIELDS.contains(&field.as_str()))?;
    let message = format!("Anthropic's packager refuses the field '{field}'");
    let advice = "move it below 'metadata' if the upload fails";
    target.words.map(|_| PackRefusal::possible(PACKAGER, message, advice))
}
