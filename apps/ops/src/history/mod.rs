//! Imports the histories that agents record (RFC-0014): finds the skill that a recorded call concerned, and creates
//! events. An event stores which skill, file and lines the call concerned, when it happened, and its outcome.

pub mod import;
pub mod install;
pub mod sources;

mod event;
mod owner;
mod sections;
mod shell;
mod uses;
