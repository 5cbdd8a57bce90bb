//! The reply of `skc pack`.

use super::member::LeftOutPath;
use crate::render::{Render, View, counted, line, plain};
use schemars::JsonSchema;
use serde::Serialize;
use skillc_domain::archive::ArchiveListing;
use skillc_domain::fault::Fault;
use skillc_lint::pack::{PackRefusal, PackTarget};
use std::path::{Path, PathBuf};

/// Maximum number of paths that the text output lists.
const LISTED_MAX: usize = 20;

/// The archives that were created, or the one that was checked.
#[derive(Debug, Default, Serialize, JsonSchema)]
pub struct PackReply {
    /// The skill that was packed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub skill: Option<String>,
    /// The written archives; empty if a receiver would refuse them.
    pub archives: Vec<PackedArchive>,
    /// Parts of the skill that are in none of them.
    pub left_out: Vec<LeftOutPath>,
    /// The archive that was checked.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub checked: Option<CheckedArchive>,
    /// How each receiver would treat it.
    pub targets: Vec<TargetVerdict>,
}

/// An archive that was written.
#[derive(Debug, Serialize, JsonSchema)]
pub struct PackedArchive {
    /// The file.
    pub file: PathBuf,
    /// The receivers that it is for.
    pub r#for: Vec<String>,
    /// Number of files in it.
    pub files: usize,
    /// Its bytes.
    pub bytes: usize,
    /// Bytes of the files in it.
    pub unpacked_bytes: u64,
    /// SHA-256 of its bytes.
    pub sha256: String,
}

/// An archive that was checked.
#[derive(Debug, Serialize, JsonSchema)]
pub struct CheckedArchive {
    /// The file.
    pub file: PathBuf,
    /// Number of files in it, among the entries that were read.
    pub files: usize,
    /// Its bytes.
    pub bytes: u64,
    /// Bytes of the files in it, as it declares.
    pub unpacked_bytes: u64,
}

/// Whether a receiver accepts an archive, and why not.
#[derive(Debug, Serialize, JsonSchema)]
pub struct TargetVerdict {
    /// Its id.
    pub target: String,
    /// Its name for people.
    pub label: &'static str,
    /// Whether there is no known reason to refuse the archive.
    pub accepts: bool,
    /// Why it refuses, or may refuse, the archive.
    pub refusals: Vec<RefusalReply>,
}

/// A reason to refuse an archive.
#[derive(Debug, Serialize, JsonSchema)]
pub struct RefusalReply {
    /// Whether it is certain.
    pub is_certain: bool,
    /// The error of the receiver where it is known.
    pub message: String,
    /// What to do about it.
    pub advice: String,
    /// Where the limit is documented, or who reported it.
    pub source: String,
}

impl From<PackRefusal> for RefusalReply {
    fn from(refusal: PackRefusal) -> Self {
        let PackRefusal { is_certain, message, advice, source } = refusal;
        Self { is_certain, message, advice, source: source.to_owned() }
    }
}

impl TargetVerdict {
    /// The verdict of a receiver with these reasons.
    pub(super) fn new(target: &PackTarget, refusals: Vec<PackRefusal>) -> Self {
        Self {
            target: target.id.to_owned(),
            label: target.label,
            accepts: !refusals.iter().any(|refusal| refusal.is_certain),
            refusals: refusals.into_iter().map(RefusalReply::from).collect(),
        }
    }

    /// An E057 per certain reason.
    pub(super) fn faults(&self, archive: &Path) -> Vec<Fault> {
        let fault = |refusal: &RefusalReply| Fault::ArchiveRefused {
            receiver: self.label,
            path: archive.to_path_buf(),
            message: refusal.message.clone(),
            advice: format!("{}; source of the limit: {}", refusal.advice, refusal.source),
        };
        self.refusals.iter().filter(|refusal| refusal.is_certain).map(fault).collect()
    }

    fn render(&self, view: &View, out: &mut Vec<u8>, shows_certain: bool) {
        for refusal in self.refusals.iter().filter(|refusal| shows_certain || !refusal.is_certain) {
            let verb =
                if refusal.is_certain { view.bad("refuses it") } else { view.careful("may refuse it") };
            line(out, format!("{} {verb}: {}", self.label, plain(&refusal.message)));
            line(out, format!("  {} ({})", plain(&refusal.advice), refusal.source));
        }
    }
}

impl CheckedArchive {
    /// Summarizes an archive.
    pub(super) fn new(file: &Path, listing: &ArchiveListing) -> Self {
        Self {
            file: file.to_path_buf(),
            files: listing.files().count(),
            bytes: listing.archive_bytes.unwrap_or_default(),
            unpacked_bytes: listing.bytes(),
        }
    }
}

fn counted_files(files: usize) -> String {
    counted(files as u64, "file")
}

impl PackReply {
    fn render_packed(&self, view: &View, out: &mut Vec<u8>) {
        let name = plain(self.skill.as_deref().unwrap_or_default());
        for archive in &self.archives {
            line(
                out,
                format!("Packed {name} for {}: {}", archive.r#for.join(", "), view.path(&archive.file)),
            );
            let (bytes, unpacked) = (archive.bytes, archive.unpacked_bytes);
            line(out, format!("  {}, {bytes} bytes, {unpacked} unpacked", counted_files(archive.files)));
            line(out, format!("  sha256 {}", archive.sha256));
        }
        if !self.left_out.is_empty() {
            line(out, "Left out:");
        }
        for LeftOutPath { path, reason, files } in self.left_out.iter().take(LISTED_MAX) {
            let count = files.map(|count| format!(", {}", counted_files(count))).unwrap_or_default();
            line(out, format!("  {} ({reason}{count})", plain(path)));
        }
        if let Some(more) = self.left_out.len().checked_sub(LISTED_MAX).filter(|more| *more > 0) {
            line(out, format!("  ... ({more} more)"));
        }
    }
}

impl Render for PackReply {
    fn render(&self, view: &View, out: &mut Vec<u8>) {
        self.render_packed(view, out);
        if let Some(CheckedArchive { file, files, bytes, unpacked_bytes }) = &self.checked {
            let shown = view.path(file);
            let files = counted_files(*files);
            line(out, format!("{shown}: {files}, {bytes} bytes, {unpacked_bytes} unpacked"));
        }
        // Errors are on stderr if there is only one receiver, or none accepts the archive.
        let shows_certain = self.targets.iter().any(|target| target.accepts) && self.targets.len() > 1;
        for target in &self.targets {
            if target.accepts && target.refusals.is_empty() && self.checked.is_some() {
                line(out, format!("{} {}", target.label, view.good("accepts it")));
            }
            target.render(view, out, shows_certain);
        }
    }
}
