//! A rule as one value: its texts, examples, patterns and check.

use crate::report::Report;
pub use crate::tier::Tier;
use crate::view::{FileView, SkillView, StoreView};
use skillc_domain::rule_settings::LintSettings;
pub use skillc_domain::rule_settings::Severity;

/// Where a rule comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Origin {
    /// A clause of our RFCs, such as `RFC-0008:C-REGISTRY`.
    Clause(&'static str),
    /// The Agent Skills specification; the part of it.
    Specification(&'static str),
    /// A client's own documentation: client, and address or repository path.
    Client(&'static str, &'static str),
    /// What the field knows: a paper, an advisory, a tool that checks the same; said in a few words with its address.
    Field(&'static str),
}

/// A threshold or list that a setting can change.
#[derive(Clone, Copy, Debug)]
pub struct Param {
    /// Kebab-case, such as `max-lines`.
    pub name: &'static str,
    /// Used unless a setting says otherwise.
    pub default: u32,
    /// What it counts, with its unit.
    pub meaning: &'static str,
}

/// A text to look for in every file that is text. Run by an adapter; a rule sees the hits.
#[derive(Clone, Copy, Debug)]
pub struct Pattern {
    /// Literals of which one must occur for the expression to be tried at all, matched without regard to ASCII case.
    /// A function, because phrase tables read theirs from a data file.
    /// Rare ones of three characters or more keep the search fast. The expression is tried on the block of lines,
    /// up to the next empty line, in which one occurs.
    pub needles: fn() -> &'static [&'static str],
    /// A regular expression of the `regex` crate. Its first group, if it has one, is the hit; else the whole match. Empty
    /// where each place of a needle is a hit: that costs next to nothing.
    pub regex: &'static str,
}

/// A small skill, as path and content of its files.
#[derive(Clone, Copy, Debug)]
pub struct Example {
    /// The folder is called `demo` unless a rule is about the folder; paths are relative to it.
    pub files: &'static [(&'static str, &'static str)],
    /// Folder's name; empty for a store of several skills, whose names the paths begin with.
    pub folder: &'static str,
}

impl Example {
    /// A skill in the folder `demo`.
    pub const fn new(files: &'static [(&'static str, &'static str)]) -> Self {
        Self { files, folder: "demo" }
    }
}

/// What a rule looks at.
#[derive(Clone, Copy)]
pub enum Check {
    /// Done by the run itself, not by looking at files.
    Run,
    /// Each file by itself, side by side.
    File(fn(&FileView<'_>, &mut Report<'_>)),
    /// All files of a skill together, once each was read.
    Skill(fn(&SkillView<'_>, &mut Report<'_>)),
    /// All skills of a store together; findings are in the `SKILL.md` of the skill that they name.
    Store(fn(&StoreView<'_>, &mut Report<'_>)),
}

/// A rule.
pub struct Rule {
    /// `SKL` and three digits; never reused, never changed.
    pub id: &'static str,
    /// Kebab-case.
    pub name: &'static str,
    /// Unless a setting says otherwise.
    pub severity: Severity,
    /// What a violation costs.
    pub tier: Tier,
    /// Where it comes from.
    pub origin: Origin,
    /// What goes wrong for an author or an agent where it is violated. One to three sentences.
    pub why: &'static str,
    /// What an author does about it. One or two sentences.
    pub fix: &'static str,
    /// What a setting can change.
    pub params: &'static [Param],
    /// Texts to look for.
    pub patterns: &'static [Pattern],
    /// Skills in which no rule finds anything.
    pub good: &'static [Example],
    /// Skills in which this rule finds something and no other rule does.
    pub bad: &'static [Example],
    /// How it looks.
    pub check: Check,
}

impl Rule {
    /// The severity that applies under these settings.
    pub fn severity_in(&self, settings: &LintSettings) -> Severity {
        settings.rules.get(self.id).and_then(|setting| setting.severity).unwrap_or(self.severity)
    }

    /// The value of a parameter under these settings; 0 if the rule has no such parameter.
    pub fn param(&self, settings: &LintSettings, name: &str) -> u32 {
        let set = settings.rules.get(self.id).and_then(|setting| setting.params.get(name)).copied();
        let default = || self.params.iter().find(|param| param.name == name).map(|param| param.default);
        set.or_else(default).unwrap_or_default()
    }
}

impl std::fmt::Debug for Rule {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} {}", self.id, self.name)
    }
}

/// `SKILL.md` of an example: a front matter without flaw, a title, and the text given.
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
        $(pub mod $module;)*
        $(#[doc = $doc])+
        $visibility const $list: &[&$crate::rule::Rule] = &[$(&$module::RULE),*];
    };
}
pub(crate) use rule_list;
