//! Access to folders and files by descriptor. No other crate of skillc opens, replaces or deletes files by path.
//!
//! A [`Folder`] is opened by an absolute path on which no component may be a symbolic link, in one system call where the
//! system has `openat2`. All that follows names entries of that folder and never follows a link. So whatever a cloned
//! repository or another process puts in the place of a folder, nothing outside is read, written or deleted.
//!
//! Paths that a user may lead through links of their own are resolved first, by [`resolve_users`] or [`resolve_within`].
//! This crate knows nothing about skills.

mod entry;
mod folder;
mod identity;
mod locks;
mod named;
mod open;
mod resolve;
mod whole;

pub use entry::{Entry, EntryKind};
pub use folder::Folder;
pub use identity::Identity;
pub use named::{NamedPlace, ReplacePolicy};
pub use resolve::{first_link, is_users, resolve_users, resolve_within};
pub use whole::{Draft, TEMPORARY_PREFIX, is_temporary};
