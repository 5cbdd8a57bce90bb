//! The result of removing an entry from a client's file.

/// A file without the entry.
#[derive(Debug, PartialEq, Eq)]
pub enum Removal {
    /// The entry was not there.
    Absent,
    Text(String),
    /// Nothing remains: the file was created for the entry.
    All,
}
