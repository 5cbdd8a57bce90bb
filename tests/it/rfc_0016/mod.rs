//! RFC-0016: the health of a machine and of a skill.

mod doctor;
mod evals;
mod planted;
mod prove;
mod report;
