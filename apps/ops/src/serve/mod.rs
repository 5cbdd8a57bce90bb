//! The shelf: the skills of the stores as a server gives them out, file by file, with digests of the very bytes.
//!
//! It knows nothing of protocols. What is left out, and why, comes as warnings beside what is served. Every answer says
//! what stands on disk at that moment; what is kept in memory only saves reading a file again whose stamp is the same, and a walk where nothing changed.

mod asker;
mod front;
mod introduction;
mod lines;
mod list;
mod name;
mod page;
mod read;
mod shelf;
mod snapshot;

pub use asker::{Asker, asker};
pub use front::Head;
pub use introduction::{introduction, names_like};
pub use lines::LineCutter;
pub use list::{Child, Directory, Listed, directory, entries, entry, file_names, listed, names};
pub use name::uri_of;
pub use page::Page;
pub use read::{Content, ServedFile, read};
pub use shelf::{Entry, EntryFile, LeftOut, Served, Shelf, skill_file};
pub use snapshot::{Snapshot, watched_folders};
