//! Files and headings of many sections, stored in one text.

use std::ops::Range;

/// The file and the heading of each section of a skill, in one text: a skill may have thousands.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SectionNames {
    text: String,
    /// The positions of file and heading of each section in the text; sections of one file share its name.
    spans: Vec<(Range<usize>, Range<usize>)>,
}

impl SectionNames {
    /// Adds a section at the end.
    pub fn push(&mut self, file: &str, heading: &str) {
        let known =
            self.spans.last().map(|(last, _)| last.clone()).filter(|last| self.text[last.clone()] == *file);
        let file = known.unwrap_or_else(|| self.append(file));
        let heading = self.append(heading);
        self.spans.push((file, heading));
    }

    /// File and heading of each section, in the order in which they were added.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = (&str, &str)> {
        self.spans.iter().map(|(file, heading)| (&self.text[file.clone()], &self.text[heading.clone()]))
    }

    /// The number of sections.
    pub fn len(&self) -> usize {
        self.spans.len()
    }

    /// Whether there are no sections.
    pub fn is_empty(&self) -> bool {
        self.spans.is_empty()
    }

    fn append(&mut self, part: &str) -> Range<usize> {
        let start = self.text.len();
        self.text.push_str(part);
        start..self.text.len()
    }
}

impl<'a> FromIterator<(&'a str, &'a str)> for SectionNames {
    fn from_iter<T: IntoIterator<Item = (&'a str, &'a str)>>(sections: T) -> Self {
        let mut names = Self::default();
        sections.into_iter().for_each(|(file, heading)| names.push(file, heading));
        names
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sections_come_back_as_they_were_added() {
        let sections = [("a.md", "One"), ("a.md", ""), ("b.md", "a.md"), ("a.md", "One")];
        let names: SectionNames = sections.into_iter().collect();
        assert_eq!(names.iter().collect::<Vec<_>>(), sections);
        assert_eq!((names.len(), names.is_empty(), SectionNames::default().is_empty()), (4, false, true));
        assert_eq!(names.text, "a.mdOneb.mda.mda.mdOne");
    }
}
