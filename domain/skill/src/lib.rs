//! What a skill is, and every decision about one, as values and pure functions over `std`.
//!
//! This crate knows nothing of files, databases, clocks, terminals or protocols: what it needs from the world is
//! given to it, what it wants from the world it gives back as data.
//!
//! # Glossary
//! - **skill**: a folder with a `SKILL.md`; its *source* is what an author writes.
//! - **store**: a folder of skills, `.skillc/skills` of a project or of the home.
//! - **runtime**: the folder that a build fills for one skill: *stub*, *manifest*, *index*, log.
//! - **stub**: the compiled `SKILL.md`, which shows headings and names the commands that read the rest.
//! - **section**: a heading with its text up to the next heading of equal or higher level.
//! - **target**: an agent's folder of skills, to which a build *deploys*.
//! - **survey**: what a walk over a skill saw: each file's path and stamp.
//! - **stamp**: size, times and inode of a file, by which a change is noticed without reading.
//! - **event**: one use of a skill, a row of its *log*; *usage* is what a log says when its events are counted.
//! - **team store**: a server that keeps the events of several machines, and the catalogue of their skills.
//! - **catalogue**: the skills that can be had from a working directory, in whatever folders they stand.
//! - **shelf**: the skills that a server serves; a skill's *place* is where it stands there.
//! - **fault**, **warning**: what a user is told, with a code.

pub mod agents;
pub mod clients;
pub mod config;
pub mod cursor;
pub mod deploy;
pub mod digest;
pub mod discovery;
pub mod document;
pub mod event;
pub mod excerpt;
pub mod fault;
pub mod fold;
pub mod format;
pub mod freshness;
pub mod frontmatter;
pub mod invisible;
pub mod limits;
pub mod lines;
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
pub mod query;
pub mod raw_value;
pub mod rule_settings;
pub mod scaffold;
pub mod section;
pub mod skill_uri;
pub mod snippet;
pub mod stub;
pub mod survey;
pub mod team;
pub mod time;
pub mod tree;
pub mod usage;
