//! Access to folders and files by descriptor. No other crate of skillc opens, replaces or deletes files by path.
//!
//! A [`Folder`] is opened by an absolute path without symbolic links, in one system call where the system has
//! `openat2`. Everything else names entries of that folder and never follows a link. Whatever a cloned repository or
//! another process puts in place of a folder, nothing outside is read, written or deleted.
//!
//! Where a user's own links are allowed, [`resolve_users`] or [`resolve_within`] resolves the path first. This crate
//! contains no rules about skills.

mod atomic_file;
mod changes;
mod entry;
mod failure;
mod folder;
mod identity;
mod named_file;
mod open;
mod reading;
mod resolve;
mod temporary;

pub use atomic_file::{AtomicFile, is_temporary};
pub use entry::{EntryKind, FolderEntry};
pub use folder::Folder;
pub use identity::Identity;
pub use named_file::{NamedFile, ReplacePolicy};
pub use reading::read_bounded;
pub use resolve::{canonicalize, resolve_users, resolve_within};
pub use temporary::TemporaryEntry;
