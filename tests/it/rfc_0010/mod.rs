//! RFC-0010: skills on the whole machine.

mod agents;
mod catalog;
mod catalog_odd;
mod catalog_write;
mod enable;
mod load;
mod load_odd;
mod load_session;
mod mentions;
mod off;
mod policy;
mod python;
mod roots;
mod scene;
#[cfg(unix)]
mod single_file;
