//! Inspects an archive on behalf of a receiver.

use super::reply::{CheckedArchive, PackReply, TargetVerdict};
use crate::app::App;
use crate::failure::Failure;
use crate::resolve::typed;
use crate::run::Run;
use skillc_domain::archive::ArchiveListing;
use skillc_domain::fault::Fault;
use skillc_domain::frontmatter::Node;
use skillc_lint::pack::{PackTarget, PackedMetadata, refusals};
use skillc_ports::{ErrorKind, PortError};
use std::path::Path;

/// How receivers would treat an archive. Fails with an E057 per reason if none accepts it.
///
/// # Errors
/// E058 if it cannot be read as an archive.
pub fn check(run: &mut Run<'_>, file: &str, targets: &[&PackTarget]) -> Result<PackReply, Failure> {
    let path = typed(run.app, file);
    let unreadable = |error| unreadable(&path, error);
    let source = run.app.ports.named.open(&path).map_err(unreadable)?;
    let archive = run.app.ports.archives.inspect(source).map_err(unreadable)?;
    let metadata = archive.skill_md.map(|bytes| metadata(run.app, &bytes));
    let verdicts: Vec<TargetVerdict> =
        targets.iter().map(|target| verdict(target, &archive.listing, metadata.as_ref())).collect();
    if !verdicts.iter().any(|verdict| verdict.accepts) {
        refuse(run, &verdicts, &path);
    }
    let checked = Some(CheckedArchive::new(&path, &archive.listing));
    Ok(PackReply { checked, targets: verdicts, ..PackReply::default() })
}

/// How a receiver would treat an archive.
pub(super) fn verdict(
    target: &PackTarget,
    archive: &ArchiveListing,
    metadata: Option<&PackedMetadata>,
) -> TargetVerdict {
    TargetVerdict::new(target, refusals(target, archive, metadata))
}

/// Reports every reason of the receivers that refuse an archive, once per receiver.
pub(super) fn refuse(run: &mut Run<'_>, verdicts: &[TargetVerdict], archive: &Path) {
    for fault in verdicts.iter().flat_map(|verdict| verdict.faults(archive)) {
        run.part_failed(fault.into());
    }
}

/// The front matter of a packed SKILL.md.
pub(super) fn metadata(app: &App, bytes: &[u8]) -> PackedMetadata {
    let flawed = |flaw: String| PackedMetadata { flaw: Some(flaw), ..PackedMetadata::default() };
    let Ok(text) = std::str::from_utf8(bytes) else { return flawed("it is not UTF-8 text".to_owned()) };
    let front = match app.ports.reader.front_matter(text) {
        Ok(front) => front.unwrap_or_default(),
        Err(flaw) => return flawed(flaw.message),
    };
    let text = |key: &str| front.get(key).and_then(Node::text).map(str::to_owned);
    PackedMetadata {
        flaw: None,
        name: text("name"),
        description: text("description"),
        fields: front.fields.iter().filter_map(|(key, _)| key.text().map(str::to_owned)).collect(),
    }
}

fn unreadable(path: &Path, error: PortError) -> Failure {
    let message = match error.kind {
        ErrorKind::Corrupt => "it is not a zip archive, or it is truncated".to_owned(),
        _ => error.reason().to_owned(),
    };
    Failure::because(Fault::ArchiveUnreadable { path: path.to_path_buf(), message }, error)
}
