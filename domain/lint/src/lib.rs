//! Lint rules, the views they check, and their findings (RFC-0008).
//!
//! A rule is one file in `rules` and one line in its list: a value with its texts, origin, examples and check. A check is a pure
//! function over a parsed view; it never opens a file and never parses a text itself.
//!
//! Terms are defined in the [glossary](skillc_domain::glossary).

pub mod anchors;
pub mod baseline;
pub mod directive;
pub mod explain;
pub mod explain_code;
pub mod finding;
pub mod fix;
pub mod front_matter_edit;
pub mod heading_line;
pub mod link;
pub mod link_suggestion;
pub mod located;
pub mod name_value;
pub mod one_line;
pub mod path_words;
pub mod reachability;
pub mod report;
pub mod required_field;
pub mod rule;
pub mod rules;
pub mod scalar;
pub mod security;
pub mod settings;
pub mod slug;
pub mod tokens;
pub mod tools;
pub mod typo;
pub mod verdict;
pub mod view;
pub mod yaml_line;
pub mod yaml_mistake;
pub mod yaml_type;

pub use finding::Finding;
pub use report::{Issue, IssueLocation, Report};
pub use rule::{Check, Example, Origin, Param, Pattern, Rule, Severity};
pub use rules::RULES;
pub use view::{FileView, SkillView, StoreView};
