//! Confirms files that were written just before they were built, as after a download or an import. Their times prove
//! nothing at first, so that every later read would hash them.

use crate::app::App;
use crate::source::digest_of;
use skillc_domain::freshness::{RecordedFile, is_suspect, worthwhile_wait_ns};
use skillc_domain::time::UnixNs;
use skillc_ports::SkillTree;

/// The time from which the stamps of files prove that nothing changed since they were read: `taken_ns`, when they were
/// surveyed, or the present if files with too recent times have the same content once those have passed.
pub fn trusted_ns(app: &App, tree: &dyn SkillTree, taken_ns: UnixNs, read: &[RecordedFile]) -> UnixNs {
    let unsettled: Vec<&RecordedFile> =
        read.iter().filter(|file| is_suspect(&file.stamp, taken_ns)).collect();
    let clock = &app.ports.clock;
    let Some(wait_ns) = worthwhile_wait_ns(&unsettled, clock.now()) else { return taken_ns };
    clock.wait(wait_ns);
    // Before the files are read again, so that a change during the reading has a later time.
    let now = clock.now();
    let is_settled = |file: &RecordedFile| {
        !is_suspect(&file.stamp, now)
            && matches!(digest_of(tree, &file.path), Ok(Some(digest)) if digest == file.digest)
    };
    if unsettled.into_iter().all(is_settled) { now } else { taken_ns }
}
