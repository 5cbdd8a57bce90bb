//! Reads a site like clients that discover skills.

use super::check::{metadata, verdict};
use super::publish::{PublishReply, digest_of, published_digest};
use super::site_files::{read_file, read_index, unusable};
use super::site_reply::{CheckedSite, CheckedSiteSkill, SiteProblem};
use crate::app::App;
use crate::failure::Failure;
use crate::run::Run;
use crate::skill::Skill;
use serde_json::Value;
use skillc_domain::archive::{ArchiveEntry, ArchiveListing};
use skillc_domain::fault::Fault;
use skillc_domain::places::SKILL_FILE;
use skillc_lint::pack::{
    ARCHIVE_TYPE, DiscoveryFlaw, ListedArtifact, PackTarget, PackedMetadata, differences, digest_flaw,
    listing_flaws, schema_flaw,
};
use skillc_ports::{Patience, SiteResponse};
use std::collections::BTreeSet;
use std::io::Cursor;
use std::time::Duration;

/// Limit after which no more files are requested.
const SITE_TIME_MAX: Duration = Duration::from_secs(5 * 60);

/// Checks every skill of a site, and compares it with the project's `own`. Fails with an E066 per reason why clients
/// would refuse one.
///
/// # Errors
/// E065 if clients would find no index; E100 for a URL that is not read; E110 in a program without HTTP.
pub fn check_site(
    run: &mut Run<'_>,
    address: &str,
    target: &'static PackTarget,
    own: &[Skill],
) -> Result<PublishReply, Failure> {
    let patience = Patience::new(SITE_TIME_MAX, run.app.call.is_cancelled.clone());
    let index = read_index(run.app, address)?;
    let (mut skills, mut names) = (Vec::new(), BTreeSet::new());
    for (at, listed) in listed(&index)?.into_iter().enumerate() {
        let name = listed.name.clone().unwrap_or_else(|| format!("number {}", at + 1));
        let mut checked = check_skill(run.app, &index.url, &listed, &name, target, &patience);
        if !names.insert(name.clone()) {
            let message = "another skill of the index has the same name";
            checked.problems.push(DiscoveryFlaw::new(message, "rename one of them").into());
        }
        checked.accepts = checked.problems.is_empty();
        let here = own.iter().find(|skill| skill.name == name);
        let here = here.and_then(|skill| published_digest(run, skill, target));
        checked.is_same_here = here.map(|digest| checked.digest == Some(digest));
        checked.faults(&index.url).into_iter().for_each(|fault| run.part_failed(fault.into()));
        skills.push(checked);
    }
    let checked = Some(CheckedSite { index: index.url, skills });
    Ok(PublishReply { checked, ..PublishReply::default() })
}

/// The skills of an index.
fn listed(index: &SiteResponse) -> Result<Vec<ListedArtifact>, Fault> {
    let advice =
        "publish it with 'skc publish --well-known', and check that the server sends the file itself";
    let flawed = |message: &str| unusable(&index.url, message.to_owned(), advice);
    let is_page = index.bytes.trim_ascii_start().starts_with(b"<");
    let value: Value = serde_json::from_slice(&index.bytes).map_err(|error| match is_page {
        true => flawed("the server sent an HTML page instead of the index"),
        false => flawed(&format!("the index is not JSON: {error}")),
    })?;
    if let Some(flaw) = schema_flaw(value["$schema"].as_str()) {
        return Err(unusable(&index.url, flaw.message, &flaw.advice));
    }
    let skills = value["skills"].as_array().ok_or_else(|| flawed("the index has no list 'skills'"))?;
    Ok(skills.iter().map(discovered).collect())
}

fn discovered(entry: &Value) -> ListedArtifact {
    let text = |key: &str| entry[key].as_str().map(str::to_owned);
    ListedArtifact {
        name: text("name"),
        r#type: text("type"),
        description: text("description"),
        url: text("url"),
        digest: text("digest"),
    }
}

fn check_skill(
    app: &App,
    index: &str,
    listed: &ListedArtifact,
    name: &str,
    target: &PackTarget,
    patience: &Patience,
) -> CheckedSiteSkill {
    let mut checked = CheckedSiteSkill {
        name: name.to_owned(),
        url: None,
        bytes: None,
        digest: None,
        accepts: false,
        problems: listing_flaws(listed).into_iter().map(SiteProblem::from).collect(),
        note: None,
        is_same_here: None,
    };
    let Some(reference) = listed.url.as_deref().filter(|url| !url.trim().is_empty()) else { return checked };
    match read_file(app, index, reference, patience) {
        Ok(SiteResponse { url, bytes, .. }) => {
            let digest = digest_of(app, &bytes);
            checked.problems.extend(digest_flaw(listed, &digest).map(SiteProblem::from));
            (checked.url, checked.bytes, checked.digest) = (Some(url), Some(bytes.len()), Some(digest));
            check_file(app, listed, bytes, target, &mut checked);
        }
        Err(flaw) => checked.problems.push(flaw.into()),
    }
    checked
}

/// Inspects the file of a skill, like `pack --check`.
fn check_file(
    app: &App,
    listed: &ListedArtifact,
    bytes: Vec<u8>,
    target: &PackTarget,
    checked: &mut CheckedSiteSkill,
) {
    const GZIP: [u8; 2] = [0x1f, 0x8b];
    let size = bytes.len() as u64;
    let (listing, front) = if listed.r#type.as_deref() != Some(ARCHIVE_TYPE) {
        let entries = vec![ArchiveEntry::file(SKILL_FILE, size)];
        (ArchiveListing { entries, ..ArchiveListing::default() }, Some(metadata(app, &bytes)))
    } else if bytes.starts_with(&GZIP) {
        checked.note = Some("only the digest of a tar.gz was checked");
        return;
    } else {
        match app.ports.archives.inspect(Box::new(Cursor::new(bytes))) {
            Ok(archive) => (archive.listing, archive.skill_md.map(|bytes| metadata(app, &bytes))),
            Err(_) => {
                let message = "its file is not a zip archive, or it is truncated";
                return checked.problems.push(DiscoveryFlaw::new(message, "upload the file again").into());
            }
        }
    };
    let front: Option<&PackedMetadata> = front.as_ref();
    for refusal in verdict(target, &listing, front).refusals.into_iter().filter(|refusal| refusal.is_certain)
    {
        let advice = format!("{}; the limit is known from {}", refusal.advice, refusal.source);
        checked.problems.push(SiteProblem { message: refusal.message, advice });
    }
    let differences = front.map(|front| differences(listed, front)).unwrap_or_default();
    checked.problems.extend(differences.into_iter().map(SiteProblem::from));
}
