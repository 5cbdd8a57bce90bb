//! Lint: rules, what they look at, and what they find (RFC-0008).
//!
//! A rule is one file in `rules` and one line in its list: a value that holds its text, its origin, its examples and
//! its check. A check is a pure function over a parsed view; it never opens a file and never parses a text itself.
//!
//! Terms are defined in the [glossary](skillc_domain::glossary).

pub mod anchors;
pub mod baseline;
pub mod caution;
pub mod command;
pub mod directive;
pub mod explain;
pub mod explain_code;
pub mod fetched;
pub mod finding;
pub mod fix;
pub mod flow;
pub mod heading_line;
pub mod hits;
pub mod host;
pub mod invisible;
pub mod invoked;
pub mod link;
pub mod located;
pub mod magic;
pub mod meant;
pub mod mention;
pub mod name_value;
pub mod near;
pub mod nearby;
pub mod package;
pub mod packages;
pub mod path_words;
pub mod payload;
pub mod pdf;
pub mod phrase;
pub mod phrases;
pub mod popular;
pub mod private;
pub mod quotation;
pub mod reach;
pub mod required_field;
pub mod rule;
pub mod rules;
pub mod said;
pub mod scalar;
pub mod scan;
pub mod scripts;
pub mod secret_value;
pub mod secrets;
pub mod senders;
pub mod sentence;
pub mod settings;
pub mod shown;
pub mod slug;
pub mod spoken;
pub mod terms;
pub mod tokens;
pub mod tools;
pub mod verdict;
pub mod view;
pub mod wording;
pub mod words;
pub mod yaml_line;
pub mod yaml_slip;
pub mod yaml_type;

pub use finding::{Finding, Place, Report};
pub use rule::{Check, Example, Origin, Param, Pattern, Rule, Severity};
pub use rules::RULES;
pub use view::{FileView, SkillView, StoreView};
