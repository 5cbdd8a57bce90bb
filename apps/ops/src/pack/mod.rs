//! Archives of skills for stores and servers (RFC-0015).

mod check;
mod make;
mod member;
mod publish;
mod reply;
mod site;
mod site_files;
mod site_reply;

pub use check::check;
pub use make::{Packing, pack};
pub use member::LeftOutPath;
pub use publish::{PublishReply, PublishedArtifact, publish};
pub use reply::{CheckedArchive, PackReply, PackedArchive, TargetVerdict};
pub use site::check_site;
pub use site_reply::{CheckedSite, CheckedSiteSkill};
