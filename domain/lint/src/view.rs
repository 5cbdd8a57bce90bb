//! The view that rules check: files that were read and parsed once.

use crate::eval_file::EvalFile;
use crate::outside_path::LookedUp;
use crate::path_words::FileNames;
use skillc_domain::frontmatter::{FrontMatter, FrontMatterFlaw};
use skillc_domain::markup::{Markup, RegionKind};
use skillc_domain::path::RelPath;
use skillc_domain::rule_settings::LintSettings;
use skillc_domain::survey::Survey;
use skillc_domain::text::lines;
use std::ops::Range;

/// The front matter of a Markdown file.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum FrontMatterState {
    /// The file does not begin with `---`.
    #[default]
    None,
    /// There is no closing `---`.
    Unclosed,
    /// It cannot be read.
    Invalid(FrontMatterFlaw),
    /// Its fields; empty for an empty block.
    Fields(FrontMatter),
}

/// Where one of a rule's patterns matched.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PatternHit {
    /// Id of the rule.
    pub rule: &'static str,
    /// Which of its patterns, from 0.
    pub pattern: usize,
    /// Bytes of the file.
    pub span: Range<usize>,
}

/// A file that was read.
#[derive(Clone, Debug, Default)]
pub struct LintFile {
    /// Relative to the skill.
    pub path: RelPath,
    /// Bytes.
    pub size: u64,
    /// Its first bytes, at most 512.
    pub head: Vec<u8>,
    /// What it does by itself, for a PDF.
    pub actions: Vec<&'static str>,
    /// Its text; `None` when it is no UTF-8, has a NUL in it, is too large or could not be read.
    pub text: Option<String>,
    /// Its parts, for Markdown.
    pub markup: Option<Markup>,
    /// Its front matter, for Markdown.
    pub front: FrontMatterState,
    /// What it holds, for a file by which the skill is evaluated.
    pub evals: EvalFile,
    /// Which of the names that the scene asks for its text says.
    pub named: Vec<u32>,
    /// Whether the word that directives begin with occurs in the text.
    pub has_directives: bool,
    /// What the patterns of all rules hit, by place.
    pub hits: Vec<PatternHit>,
}

/// What holds for all files of a skill.
#[derive(Clone, Debug)]
pub struct SkillContext {
    /// Name of the skill's folder.
    pub folder: String,
    /// All files that are there; hidden ones are not.
    pub survey: Survey,
    /// Folders that are there, sorted.
    pub folders: Vec<RelPath>,
    /// Names of files that texts are searched for.
    pub file_names: FileNames,
    /// What is outside of the skill, of that which its links lead to.
    pub outside: LookedUp,
    /// Settings that hold for this skill.
    pub settings: LintSettings,
}

/// One file with its surroundings.
#[derive(Clone, Copy)]
pub struct FileView<'a> {
    /// The skill around it.
    pub context: &'a SkillContext,
    /// The file.
    pub file: &'a LintFile,
}

/// A whole skill.
#[derive(Clone, Copy)]
pub struct SkillView<'a> {
    /// What holds for all files.
    pub context: &'a SkillContext,
    /// All files, by path.
    pub files: &'a [LintFile],
}

/// What a store's rules need of one skill.
#[derive(Clone, Debug)]
pub struct SkillCard {
    /// Name of its folder.
    pub folder: String,
    /// Its path, as it is shown.
    pub shown: String,
    /// `name`, if there is one, with its bytes in `SKILL.md`.
    pub name: Option<(String, Range<usize>)>,
    /// `description`, if there is one, with its bytes in `SKILL.md`.
    pub description: Option<(String, Range<usize>)>,
}

/// The skills of a store.
#[derive(Clone, Copy)]
pub struct StoreView<'a> {
    /// In report order.
    pub skills: &'a [SkillCard],
}

impl SkillContext {
    /// Whether there is a file at a path.
    pub fn has_file(&self, path: &RelPath) -> bool {
        self.survey.get(path).is_some()
    }

    /// Whether there is a folder at a path; the root is one.
    pub fn has_folder(&self, path: &RelPath) -> bool {
        path.is_root() || self.folders.binary_search(path).is_ok()
    }
}

impl LintFile {
    /// Whether this is the skill's `SKILL.md`.
    pub fn is_skill_md(&self) -> bool {
        self.path.as_str() == "SKILL.md"
    }

    /// The fields of the front matter, where it can be read.
    pub fn fields(&self) -> Option<&FrontMatter> {
        match &self.front {
            FrontMatterState::Fields(fields) => Some(fields),
            FrontMatterState::None | FrontMatterState::Unclosed | FrontMatterState::Invalid(_) => None,
        }
    }

    /// The hits of a rule's patterns; `rule` is its id.
    pub fn hits_of(&self, rule: &'static str) -> impl Iterator<Item = &PatternHit> {
        self.hits.iter().filter(move |hit| hit.rule == rule)
    }

    /// The text at a range; empty when there is none.
    pub fn slice(&self, span: &Range<usize>) -> &str {
        self.text.as_deref().and_then(|text| text.get(span.clone())).unwrap_or_default()
    }

    /// The kind of text that an offset lies in; `None` in prose, in front matter, and in files that are no Markdown.
    pub fn region_at(&self, offset: usize) -> Option<RegionKind> {
        self.markup.as_ref().and_then(|markup| markup.region_at(offset))
    }

    /// Whether an offset lies in the front matter.
    pub fn is_front_matter(&self, offset: usize) -> bool {
        self.markup.as_ref().is_some_and(|markup| offset < markup.body_start())
    }

    /// The line around an offset, without its line break.
    pub fn line_at(&self, offset: usize) -> Range<usize> {
        let Some(text) = self.text.as_deref() else { return 0..0 };
        lines::around(text, offset)
    }
}

impl<'a> FileView<'a> {
    /// The file's parts, if it is Markdown with its text.
    pub fn markdown(&self) -> Option<(&'a str, &'a Markup)> {
        Some((self.file.text.as_deref()?, self.file.markup.as_ref()?))
    }

    /// The skill's `SKILL.md` with its parts; `None` for every other file.
    pub fn skill_md(&self) -> Option<(&'a str, &'a Markup)> {
        if self.file.is_skill_md() { self.markdown() } else { None }
    }

    /// The fields of `SKILL.md`; `None` for every other file, and where they cannot be read.
    pub fn skill_fields(&self) -> Option<&'a FrontMatter> {
        if self.file.is_skill_md() { self.file.fields() } else { None }
    }
}

impl<'a> SkillView<'a> {
    /// A file by its path.
    pub fn file(&self, path: &RelPath) -> Option<&'a LintFile> {
        self.files.binary_search_by(|file| file.path.cmp(path)).ok().map(|at| &self.files[at])
    }
}
