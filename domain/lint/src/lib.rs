//! Lint rules, the views they check, and their findings (RFC-0008).
//!
//! A rule is one file in `rules` and one line in its list: a value with its texts, origin, examples and check. A check
//! is a pure function over a parsed view; it never opens a file and never parses a text itself.
//!
//! Terms are defined in the [glossary](skillc_domain::glossary).

pub mod anchors;
pub mod baseline;
mod bundled_path;
pub mod code_text;
mod competing;
pub mod confidence;
pub mod cut_sample;
pub mod directive;
pub mod eval_file;
mod example_file;
pub mod explain;
pub mod explain_code;
pub mod finding;
pub mod fix;
mod folded_names;
mod followed_links;
pub mod for_people;
pub mod front_matter_edit;
mod heading_line;
mod installed;
mod language;
mod link;
mod link_suggestion;
pub mod located;
pub mod mentions;
pub mod missing_folder;
pub mod name_value;
mod nested_skill;
mod one_line;
pub mod outside_path;
mod owner_named;
pub mod pack;
pub mod path_words;
pub mod plugin;
mod project_path;
mod project_root;
mod reachability;
pub mod report;
mod required_field;
pub mod rule;
pub mod rules;
mod sample_file;
mod scalar;
mod scraped;
pub mod security;
pub mod set_aside;
pub mod settings;
mod size_limit;
mod slug;
pub mod tier;
pub mod tokens;
mod tools;
pub mod verdict;
pub mod view;
mod when_in_body;
mod when_to_use;
mod word_shapes;
mod yaml_line;
mod yaml_mistake;
pub mod yaml_type;

pub use confidence::Confidence;
pub use finding::Finding;
pub use report::{Issue, IssueLocation, Report};
pub use rule::{Check, Example, Origin, Param, Pattern, Rule, Severity, Tier};
pub use rules::RULES;
pub use view::{FileView, SkillView, StoreView};
