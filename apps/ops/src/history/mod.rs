//! Import of the histories that agents keep (RFC-0014): which skill a recorded call concerned, and the events that follow.
//! What is kept of a call is which skill, file and lines it concerned, when, and what came of it.

pub mod import;
pub mod install;
pub mod sources;

mod event;
mod owner;
mod sections;
mod shell;
mod uses;
