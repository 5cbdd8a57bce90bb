//! Moves sections into files of their own. A heading with a link replaces each.

use super::tokens::tokens_of;
use crate::section::Section;
use std::collections::BTreeSet;

/// Number of characters of a heading that become part of a file name.
const SLUG_CHARS_MAX: usize = 40;
/// The folder for sections of SKILL.md.
const REFERENCES: &str = "references/";

/// A section that is moved into another file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MovedSection {
    /// The section's heading.
    pub heading: String,
    /// The new file, relative to the skill.
    pub file: String,
    /// The text of the new file.
    pub text: String,
}

/// A file without its unread sections.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SlimmedFile {
    /// The new text, in which each moved section is a heading with a link.
    pub text: String,
    /// What was moved, in order.
    pub moved: Vec<MovedSection>,
    /// Estimated tokens that a read of the whole file saves.
    pub tokens: u64,
}

/// Moves sections that do not overlap out of a text, in order. `taken` are the skill's existing files.
pub(super) fn link_out(
    file: &str,
    text: &str,
    sections: &[&Section],
    taken: &BTreeSet<String>,
) -> SlimmedFile {
    let mut slimmed = SlimmedFile { text: String::new(), moved: Vec::new(), tokens: 0 };
    let mut taken = taken.clone();
    let mut rest_from = 0;
    for section in sections {
        let (heading, body) = split_heading(&text[section.bytes.clone()]);
        let moved = new_file(file, &section.text, &mut taken);
        let link = format!("{heading}\nSee [{}]({}).\n\n", section.text, link_to(file, &moved));
        slimmed.text.push_str(&text[rest_from..section.bytes.start]);
        slimmed.text.push_str(&link);
        slimmed.tokens += tokens_of(&text[section.bytes.clone()]).saturating_sub(tokens_of(&link));
        rest_from = section.bytes.end;
        let text = format!("# {}\n{body}", section.text);
        slimmed.moved.push(MovedSection { heading: section.text.clone(), file: moved, text });
    }
    slimmed.text.push_str(&text[rest_from..]);
    slimmed
}

/// Whether a section can be moved to a file of its own: its heading can be a link text, and none of its links would
/// break.
pub(super) fn can_be_linked(file: &str, text: &str, section: &Section) -> bool {
    let bytes = &text[section.bytes.clone()];
    let is_linked = if moves_beside(file) { has_anchor(bytes) } else { has_relative_link(bytes) };
    is_plain(&section.text) && !is_linked
}

/// Whether a heading can be a link text.
pub(super) fn is_plain(heading: &str) -> bool {
    !heading.is_empty() && !heading.contains(['[', ']', '\\', '<', '`'])
}

/// Whether sections moved out of a file go into the file's own folder.
fn moves_beside(file: &str) -> bool {
    file.contains('/')
}

/// Whether a text contains a link within its file.
pub(super) fn has_anchor(text: &str) -> bool {
    ["](#", "](<#", "]: #"].iter().any(|link| text.contains(link))
}

/// Whether a text contains a link, image or reference definition whose target is a file or an anchor instead of a
/// URL.
pub(super) fn has_relative_link(text: &str) -> bool {
    let targets = text.split("](").skip(1).chain(text.split("]: ").skip(1));
    let is_relative = |target: &str| {
        !(target.starts_with("http://") || target.starts_with("https://") || target.starts_with("mailto:"))
    };
    targets.map(|target| target.trim_start_matches(['<', ' '])).any(is_relative)
}

/// Splits a section into the line or lines of its heading, and the rest.
pub(super) fn split_heading(section: &str) -> (&str, &str) {
    let first = section.split_inclusive('\n').next().unwrap_or(section);
    let rest = &section[first.len()..];
    let second = rest.split_inclusive('\n').next().unwrap_or_default();
    let is_underline = !second.trim().is_empty() && second.trim().chars().all(|c| c == '=' || c == '-');
    let is_underlined = !first.trim_start().starts_with('#') && is_underline;
    let end = if is_underlined { first.len() + second.len() } else { first.len() };
    section.split_at(end)
}

/// A path that no file of the skill has yet.
fn new_file(file: &str, heading: &str, taken: &mut BTreeSet<String>) -> String {
    let slug = slug(heading);
    let folder = match file.rsplit_once('/') {
        Some((folder, _)) => format!("{folder}/"),
        None => REFERENCES.to_owned(),
    };
    let numbers = std::iter::once(String::new()).chain((2..).map(|number| format!("-{number}")));
    let mut paths = numbers.map(|number| format!("{folder}{slug}{number}.md"));
    let path = paths.find(|path| !taken.contains(path)).unwrap_or_default();
    taken.insert(path.clone());
    path
}

/// A heading's letters and digits, joined by hyphens.
pub(super) fn slug(heading: &str) -> String {
    let lower: String = heading
        .chars()
        .take(SLUG_CHARS_MAX)
        .map(|c| if c.is_ascii_alphanumeric() { c.to_ascii_lowercase() } else { ' ' })
        .collect();
    let slug = lower.split_whitespace().collect::<Vec<_>>().join("-");
    if slug.is_empty() { "section".to_owned() } else { slug }
}

/// The target of a link from one file to another.
pub(super) fn link_to(from: &str, to: &str) -> String {
    match moves_beside(from) {
        true => to.rsplit('/').next().unwrap_or(to).to_owned(),
        false => to.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_new_files_are_free() {
        let mut taken = BTreeSet::from(["references/a-b.md".to_owned()]);
        assert_eq!(new_file("SKILL.md", "A & b", &mut taken), "references/a-b-2.md");
        assert_eq!(new_file("SKILL.md", "a b", &mut taken), "references/a-b-3.md");
        assert_eq!(new_file("SKILL.md", "技能", &mut taken), "references/section.md");
    }

    /// RFC-0014:C-SLIM
    #[test]
    fn a_moved_section_leaves_its_heading_with_a_link() {
        let text = "# F\n\n## One\n\nlong text of one\n\n## Two\n\n2\n";
        let headings = super::super::reads::headings_of(text);
        let all = crate::section::sections(&headings, text.len(), 9);
        let moved: Vec<&Section> = all.iter().filter(|section| section.text == "One").collect();
        let slimmed = link_out("SKILL.md", text, &moved, &BTreeSet::new());
        assert_eq!(slimmed.text, "# F\n\n## One\n\nSee [One](references/one.md).\n\n## Two\n\n2\n");
        let file = MovedSection {
            heading: "One".into(),
            file: "references/one.md".into(),
            text: "# One\n\nlong text of one\n\n".into(),
        };
        assert_eq!((slimmed.moved, slimmed.tokens), (vec![file], 0), "the link is longer");
        let long = text.replace("long", &"long ".repeat(80));
        let headings = super::super::reads::headings_of(&long);
        let all = crate::section::sections(&headings, long.len(), 9);
        let moved: Vec<&Section> = all.iter().filter(|section| section.text == "One").collect();
        assert_eq!(link_out("SKILL.md", &long, &moved, &BTreeSet::new()).tokens, 106 - 10);
    }

    /// RFC-0014:C-SLIM
    #[test]
    fn a_section_stays_if_its_heading_is_no_link_text_or_a_link_in_it_would_break() {
        let may_move = |file: &str, heading: &str, body: &str| {
            let text = format!("## {heading}\n\n{body}\n");
            let headings = super::super::reads::headings_of(&text);
            let sections = crate::section::sections(&headings, text.len(), 3);
            can_be_linked(file, &text, &sections[0])
        };
        for (body, of_skill, of_reference) in [
            ("[x](https://e) ![](http://e) [y](mailto:e)", true, true),
            ("[x](other.md)", false, true),
            ("[x](<other.md>)", false, true),
            ("[x]: other.md", false, true),
            ("[x](#one)", false, false),
            ("[x](<#one>)", false, false),
            ("[x]: #one", false, false),
        ] {
            assert_eq!(
                (may_move("SKILL.md", "One", body), may_move("r/a.md", "One", body)),
                (of_skill, of_reference),
                "{body}"
            );
        }
        for heading in ["[One]", "One `x`", "One <x>", "One\\x"] {
            assert!(!may_move("SKILL.md", heading, ""), "{heading}");
        }
    }

    #[test]
    fn a_heading_is_one_line_or_one_that_is_underlined() {
        for (section, heading) in [
            ("## One\ntext", "## One\n"),
            ("One\n===\ntext", "One\n===\n"),
            ("One\n---\ntext", "One\n---\n"),
            ("## One\n---\ntext", "## One\n"),
            ("One\n\ntext", "One\n"),
            ("One\n- x", "One\n"),
            ("## One", "## One"),
        ] {
            assert_eq!(split_heading(section).0, heading, "{section}");
        }
    }

    #[test]
    fn a_link_from_a_file_leads_to_its_own_folder_and_one_from_skill_md_below() {
        assert_eq!(link_to("SKILL.md", "references/a.md"), "references/a.md");
        assert_eq!(link_to("r/x.md", "r/a.md"), "a.md");
        assert_eq!(new_file("r/x.md", "A", &mut BTreeSet::new()), "r/a.md");
        assert_eq!(
            slug(&format!("{} B c", "A".repeat(38))),
            format!("{}-b", "a".repeat(38)),
            "40 characters"
        );
    }
}
