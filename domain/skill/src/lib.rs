//! What a skill is, and every decision about one, as values and pure functions over `std`.
//!
//! This crate knows nothing of files, databases, clocks, terminals or protocols. Callers pass in what it needs, and it
//! returns its decisions as data.
//!
//! The words it uses are defined in the [`glossary`].

pub mod agents;
pub mod archive;
pub mod benchmark;
pub mod config;
pub mod cursor;
pub mod deploy;
pub mod digest;
pub mod discovery;
pub mod document;
pub mod event;
pub mod fault;
pub mod format;
pub mod freshness;
pub mod frontmatter;
#[doc = include_str!("../../../docs/glossary.md")]
pub mod glossary {}
pub mod history;
pub mod json;
pub mod limits;
pub mod linked_files;
pub mod listing;
pub mod lookup;
pub mod manifest;
pub mod markup;
pub mod media_type;
pub mod model;
pub mod name;
pub mod path;
pub mod places;
pub mod plan;
pub mod plugin;
pub mod proof;
pub mod query;
pub mod raw_value;
pub mod reader;
pub mod reference_order;
pub mod rule_settings;
pub mod section;
pub mod section_names;
pub mod skill_uri;
pub mod slim;
pub mod stub;
pub mod suggest;
pub mod survey;
pub mod team;
pub mod text;
pub mod time;
pub mod usage;
