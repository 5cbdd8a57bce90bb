//! A rule as one value: its texts, examples, patterns and check.

use crate::report::Report;
pub use crate::tier::Tier;
use crate::view::{FileView, SkillView, StoreView};
use skillc_domain::rule_settings::LintSettings;
pub use skillc_domain::rule_settings::Severity;

/// The origin of a rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Origin {
    /// A clause of our RFCs, such as `RFC-0008:C-REGISTRY`.
    Clause(&'static str),
    /// The Agent Skills specification; holds the section.
    Specification(&'static str),
    /// A client's own documentation; holds the client, and a URL or repository path.
    Client(&'static str, &'static str),
    /// Common knowledge in the field: a paper, an advisory or a tool with the same check, in a few words with a URL.
    Field(&'static str),
}

/// A threshold or list that a setting can change.
#[derive(Clone, Copy, Debug)]
pub struct Param {
    /// Kebab-case, such as `max-lines`.
    pub name: &'static str,
    /// The value, unless a setting overrides it.
    pub default: u32,
    /// What it counts, with its unit.
    pub meaning: &'static str,
}

impl Param {
    /// The value that these settings give it in the rule with this id.
    pub fn value(&self, settings: &LintSettings, rule: &str) -> u32 {
        let setting = settings.rules.get(rule).and_then(|setting| setting.params.get(self.name));
        setting.copied().unwrap_or(self.default)
    }
}

/// A text to search for in every text file. An adapter runs the search; a rule sees the matches.
#[derive(Clone, Copy, Debug)]
pub struct Pattern {
    /// Literals, at least one of which must occur for the expression to be tried at all, ignoring ASCII case. Rare ones
    /// of at least three characters keep the search fast. The expression is tried on the block of lines, up to the next
    /// empty line, in which one occurs. It is a function, because phrase tables read theirs from a data file.
    pub needles: fn() -> &'static [&'static str],
    /// A regular expression of the `regex` crate. Its first group, if it has one, is the match; otherwise the whole
    /// match. If it is empty, each occurrence of a needle is a match, which costs almost nothing.
    pub regex: &'static str,
}

/// A small skill, as path and content of its files.
#[derive(Clone, Copy, Debug)]
pub struct Example {
    /// The files. Paths are relative to the folder, which is called `demo` unless the rule is about folder names.
    pub files: &'static [(&'static str, &'static str)],
    /// The folder's name; empty for a store of several skills, whose names the paths then begin with.
    pub folder: &'static str,
}

impl Example {
    /// A skill in the folder `demo`.
    pub const fn new(files: &'static [(&'static str, &'static str)]) -> Self {
        Self { files, folder: "demo" }
    }
}

/// What a rule checks.
#[derive(Clone, Copy)]
pub enum Check {
    /// Nothing: the run itself reports the findings.
    Run,
    /// Each file separately, in parallel.
    File(fn(&FileView<'_>, &mut Report<'_>)),
    /// All files of a skill together, after each was read.
    Skill(fn(&SkillView<'_>, &mut Report<'_>)),
    /// All skills of a store together. A finding is in the `SKILL.md` of the skill that it names.
    Store(fn(&StoreView<'_>, &mut Report<'_>)),
}

/// A rule.
pub struct Rule {
    /// `SKL` and three digits; never reused, never changed.
    pub id: &'static str,
    /// Kebab-case.
    pub name: &'static str,
    /// The default severity.
    pub severity: Severity,
    /// What a violation costs.
    pub tier: Tier,
    /// Where it comes from.
    pub origin: Origin,
    /// What goes wrong for an author or an agent if it is violated. One to three sentences.
    pub why: &'static str,
    /// What an author should do about it. One or two sentences.
    pub fix: &'static str,
    /// Values that a setting can change.
    pub params: &'static [Param],
    /// Texts to search for.
    pub patterns: &'static [Pattern],
    /// Skills in which no rule reports anything.
    pub good: &'static [Example],
    /// Skills in which only this rule reports something.
    pub bad: &'static [Example],
    /// What it checks, and the function that does.
    pub check: Check,
}

impl Rule {
    /// The severity under these settings.
    pub fn severity_in(&self, settings: &LintSettings) -> Severity {
        settings.rules.get(self.id).and_then(|setting| setting.severity).unwrap_or(self.severity)
    }

    /// Whether these settings specify the severity.
    pub fn is_severity_set(&self, settings: &LintSettings) -> bool {
        settings.rules.get(self.id).is_some_and(|setting| setting.severity.is_some())
    }

    /// The value of a parameter under these settings; 0 if the rule has no such parameter.
    pub fn param(&self, settings: &LintSettings, name: &str) -> u32 {
        let param = self.params.iter().find(|param| param.name == name);
        param.map_or(0, |param| param.value(settings, self.id))
    }
}

impl std::fmt::Debug for Rule {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} {}", self.id, self.name)
    }
}

/// The `SKILL.md` of an example: valid front matter, a title, and the given text.
#[macro_export]
macro_rules! skill_md {
    ($body:literal) => {
        concat!(
            "---\nname: demo\ndescription: Shows how one rule works. Use when a rule needs an example.\n---\n\n# Demo\n\n",
            $body
        )
    };
}

/// Declares a module for each rule, and the list of the rules in them.
macro_rules! rule_list {
    ($(#[doc = $doc:literal])+ $visibility:vis $list:ident: $($module:ident),* $(,)?) => {
        // The docs of a module describe its `RULE`.
        $(#[allow(missing_docs)] pub mod $module;)*
        $(#[doc = $doc])+
        $visibility const $list: &[&$crate::rule::Rule] = &[$(&$module::RULE),*];
    };
}
pub(crate) use rule_list;
