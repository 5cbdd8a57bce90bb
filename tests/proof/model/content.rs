//! The content of a skill's folder in the model.

use crate::site::put;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::path::Path;

/// A heading and a word that occurs below it and nowhere else.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Section {
    pub heading: String,
    pub word: String,
}

impl Section {
    /// A section that resembles no other.
    pub fn new(number: u32) -> Self {
        Self { heading: format!("Part {number}"), word: word(number) }
    }

    fn text(&self, marks: &str) -> String {
        format!("{marks} {}\n\nAbout {}.\n", self.heading, self.word)
    }
}

/// A word that the tokenizer neither splits nor stems.
pub fn word(number: u32) -> String {
    format!("zq{number}kx")
}

/// A skill's folder.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Content {
    /// `name` in the front matter.
    pub name: String,
    /// A word that occurs only in the description.
    pub topic: String,
    /// Sections of SKILL.md, below its title.
    pub sections: Vec<Section>,
    /// Reference files, each with one heading.
    pub references: BTreeMap<String, Section>,
}

impl Content {
    /// A skill with one section.
    pub fn new(name: &str, number: u32) -> Self {
        Self {
            name: name.to_owned(),
            topic: word(number),
            sections: vec![Section::new(number + 1)],
            references: BTreeMap::new(),
        }
    }

    /// The text of SKILL.md.
    pub fn skill_md(&self) -> String {
        let mut text = format!(
            "---\nname: {}\ndescription: Does {}. Use when testing {}.\n---\n\n# Start\n\nText.\n",
            self.name, self.topic, self.topic
        );
        self.sections.iter().for_each(|section| write!(text, "\n{}", section.text("##")).unwrap());
        self.references.keys().for_each(|path| write!(text, "\nSee [more]({path}).\n").unwrap());
        text
    }

    /// Each section with its file, and the text that `show` prints for it.
    pub fn shown(&self) -> Vec<(String, &Section, String)> {
        let skill_md = self.skill_md();
        let in_skill_md = self.sections.iter().map(|section| {
            let start = skill_md.find(&format!("## {}\n", section.heading)).unwrap();
            let end = skill_md[start + 2..].find("\n## ").map_or(skill_md.len(), |at| start + 2 + at + 1);
            ("SKILL.md".to_owned(), section, skill_md[start..end].to_owned())
        });
        let others = self.references.iter().map(|(path, section)| (path.clone(), section, section.text("#")));
        in_skill_md.chain(others).collect()
    }

    /// Writes the folder, and removes everything else in it.
    pub fn write(&self, folder: &Path) {
        let references = folder.join("references");
        if references.is_dir() {
            fs::remove_dir_all(references).unwrap();
        }
        put(&folder.join("SKILL.md"), self.skill_md());
        self.references.iter().for_each(|(path, section)| put(&folder.join(path), section.text("#")));
    }
}
