//! RFC-0015: archives of skills.

mod check;
mod forged;
mod mutations;
mod pack;
mod publish;
mod readers;
