//! Skills on the whole machine: scans, catalog, policy, search and loading (RFC-0010).

pub mod block;
pub mod budget;
pub mod evidence;
pub mod extract;
pub mod find;
pub mod fusion;
pub mod head;
pub mod load;
pub mod marked;
pub mod mention;
pub mod merge;
pub mod place;
pub mod policy;
pub mod quality;
pub mod roots;
pub mod scan;
pub mod settings;
pub mod skill;
pub mod spelling;
pub mod words;
