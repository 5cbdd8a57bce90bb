//! The input of rules: files that were read and parsed once.

use crate::cut_sample::CutSample;
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

/// A match of one of a rule's patterns.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PatternHit {
    /// Id of the rule.
    pub rule: &'static str,
    /// Index of the pattern.
    pub pattern: usize,
    /// Byte range in the file.
    pub span: Range<usize>,
}

/// A file that was read, with everything that rules need of it.
#[derive(Clone, Debug, Default)]
pub struct LintFile {
    /// Relative to the skill.
    pub path: RelPath,
    /// Size in bytes.
    pub size: u64,
    /// Its first bytes, at most 512.
    pub head: Vec<u8>,
    /// The actions that it performs on its own, for a PDF.
    pub actions: Vec<&'static str>,
    /// Its text; `None` if it is not UTF-8, contains a NUL, is too large or could not be read.
    pub text: Option<String>,
    /// Its parsed structure, for Markdown.
    pub markup: Option<Markup>,
    /// The samples in it that a fence within them cuts in two.
    pub cut_samples: Vec<CutSample>,
    /// Its front matter, for Markdown.
    pub front: FrontMatterState,
    /// Its parsed content, for an evaluation file.
    pub evals: EvalFile,
    /// The numbers of the file names that its text mentions.
    pub named: Vec<u32>,
    /// Whether the text contains the prefix of directives.
    pub has_directives: bool,
    /// The matches of all rules' patterns, by position.
    pub hits: Vec<PatternHit>,
}

/// The data that all files of a skill share.
#[derive(Clone, Debug)]
pub struct SkillContext {
    /// Name of the skill's folder.
    pub folder: String,
    /// Name of the folder that contains it; empty if it has none.
    pub parent: String,
    /// All of its files, except hidden ones.
    pub survey: Survey,
    /// All of its folders, sorted.
    pub folders: Vec<RelPath>,
    /// The file names that texts are searched for.
    pub file_names: FileNames,
    /// The places outside of the skill that its links lead to, as far as they were looked up.
    pub outside: LookedUp,
    /// Settings that hold for this skill.
    pub settings: LintSettings,
}

/// A file in the context of its skill.
#[derive(Clone, Copy)]
pub struct FileView<'a> {
    /// The context of the skill.
    pub context: &'a SkillContext,
    /// The file.
    pub file: &'a LintFile,
}

/// A whole skill.
#[derive(Clone, Copy)]
pub struct SkillView<'a> {
    /// The context of the skill.
    pub context: &'a SkillContext,
    /// All files, sorted by path.
    pub files: &'a [LintFile],
}

/// The data about one skill for rules that compare the skills of a store.
#[derive(Clone, Debug)]
pub struct SkillCard {
    /// Its name or path, for display.
    pub shown: String,
    /// Its path, relative to the folder of the run if it is there; '/' between the parts.
    pub place: String,
    /// Index of the first skill with the same `SKILL.md`, which may be the skill itself.
    pub first_copy: usize,
    /// `name`, if there is one, with its byte range in `SKILL.md`.
    pub name: Option<(String, Range<usize>)>,
    /// `description`, if there is one, with its byte range in `SKILL.md`.
    pub description: Option<(String, Range<usize>)>,
}

/// The skills of a store.
#[derive(Clone, Copy)]
pub struct StoreView<'a> {
    /// In report order.
    pub skills: &'a [SkillCard],
}

impl SkillContext {
    /// Whether a file exists at a path.
    pub fn has_file(&self, path: &RelPath) -> bool {
        self.survey.get(path).is_some()
    }

    /// Whether a folder exists at a path; the root does.
    pub fn has_folder(&self, path: &RelPath) -> bool {
        path.is_root() || self.folders.binary_search(path).is_ok()
    }
}

impl LintFile {
    /// Whether this is the skill's `SKILL.md`.
    pub fn is_skill_md(&self) -> bool {
        self.path.as_str() == "SKILL.md"
    }

    /// The fields of the front matter, if it can be read.
    pub fn fields(&self) -> Option<&FrontMatter> {
        match &self.front {
            FrontMatterState::Fields(fields) => Some(fields),
            FrontMatterState::None | FrontMatterState::Unclosed | FrontMatterState::Invalid(_) => None,
        }
    }

    /// The matches of the patterns of the rule with this id.
    pub fn hits_of(&self, rule: &'static str) -> impl Iterator<Item = &PatternHit> {
        self.hits.iter().filter(move |hit| hit.rule == rule)
    }

    /// The text in a range; empty if the file is not text.
    pub fn slice(&self, span: &Range<usize>) -> &str {
        self.text.as_deref().and_then(|text| text.get(span.clone())).unwrap_or_default()
    }

    /// The kind of text at an offset; `None` in prose, in front matter, and in files that are not Markdown.
    pub fn region_at(&self, offset: usize) -> Option<RegionKind> {
        self.markup.as_ref().and_then(|markup| markup.region_at(offset))
    }

    /// Whether an offset is in the front matter.
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
    /// The file's text and structure, if it is Markdown.
    pub fn markdown(&self) -> Option<(&'a str, &'a Markup)> {
        Some((self.file.text.as_deref()?, self.file.markup.as_ref()?))
    }

    /// The text and structure of the skill's `SKILL.md`; `None` for every other file.
    pub fn skill_md(&self) -> Option<(&'a str, &'a Markup)> {
        if self.file.is_skill_md() { self.markdown() } else { None }
    }

    /// The fields of `SKILL.md`; `None` for every other file, and if they cannot be read.
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
