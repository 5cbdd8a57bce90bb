//! Applies the safe fixes. Everything that changes is first stored in a receipt, which `skc undo` restores.

use super::finding::{HealthFinding, SafeFix};
use crate::app::App;
use crate::compile::{compile, copy_again, deployed_places};
use crate::failure::Failure;
use crate::fallback_logs::{destinations, merge};
use crate::run::Run;
use crate::runtime::{index_of, of_scope};
use crate::skill::Skill;
use skillc_domain::deploy::Method;
use skillc_domain::listing::Scope;
use skillc_domain::places::META_DIR;
use skillc_ports::{PortError, Receipt, RuntimeFile};
use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// The command, as the receipt records it.
const COMMAND: &str = "skc doctor --fix";
/// Suffixes of the files next to a database.
const SIDE_FILES: [&str; 3] = ["-wal", "-shm", "-journal"];
/// Files of a build other than stub, manifest and index.
const BUILD_FILES: [&str; 2] = ["build.lock", "publish.pending"];

/// What was fixed.
#[derive(Debug, Default)]
pub struct Fixed {
    /// The findings that were fixed.
    pub findings: Vec<HealthFinding>,
    /// The receipt; `None` if nothing was changed.
    pub receipt: Option<String>,
}

/// Fixes these findings, each completely or not at all. A fix that fails is reported, and the others continue.
///
/// # Errors
/// If the trash cannot be written to; nothing is then changed.
pub async fn fix(run: &mut Run<'_>, findings: Vec<HealthFinding>) -> Result<Fixed, Failure> {
    let mut fixed = Fixed::default();
    if findings.iter().all(|finding| finding.safe_fix.is_none()) {
        return Ok(fixed);
    }
    let mut receipt = run.app.ports.trash.begin_receipt(COMMAND)?;
    for finding in findings {
        let Some(fix) = &finding.safe_fix else { continue };
        let done = carry_out(run, receipt.as_mut(), fix).await;
        receipt.seal()?;
        match done {
            Ok(()) => fixed.findings.push(finding),
            Err(failure) => run.part_failed(failure),
        }
    }
    let id = receipt.id().to_owned();
    receipt.close()?;
    fixed.receipt = Some(id).filter(|_| !fixed.findings.is_empty());
    Ok(fixed)
}

async fn carry_out(run: &mut Run<'_>, receipt: &mut dyn Receipt, fix: &SafeFix) -> Result<(), Failure> {
    match fix {
        SafeFix::Remove(path) => Ok(receipt.take(path)?),
        SafeFix::Build { skill, scope } => build(run, receipt, skill, *scope).await,
        SafeFix::Copy { runtime, place } => {
            receipt.copy(place)?;
            copy_again(run.app, runtime, place)
        }
        SafeFix::MergeLog(name) => merge_log(run, receipt, name).await,
        SafeFix::RepairLog(log) => repair_log(run.app, receipt, log).await,
    }
}

/// Rebuilds a skill, and replaces copies of the old build.
async fn build(
    run: &mut Run<'_>,
    receipt: &mut dyn Receipt,
    skill: &Skill,
    scope: Scope,
) -> Result<(), Failure> {
    let app = run.app;
    let runtime = of_scope(app, scope, &skill.name)?;
    for path in files_of_build(app, skill, scope, &runtime)? {
        receipt.copy(&path)?;
    }
    let built = compile(run, skill, scope).await?;
    for place in deployed_places(app, skill)? {
        if place.runtime == runtime && place.deployed.method == Method::Copy.word() {
            receipt.copy(&place.real)?;
            copy_again(app, &runtime, &place.real)?;
        }
    }
    drop(built);
    Ok(())
}

/// All files that a build may change: everything in the runtime except its log.
fn files_of_build(app: &App, skill: &Skill, scope: Scope, runtime: &Path) -> Result<Vec<PathBuf>, PortError> {
    let meta = runtime.join(META_DIR);
    let mut paths: Vec<PathBuf> = BUILD_FILES.iter().map(|name| meta.join(name)).collect();
    paths.extend([RuntimeFile::Stub, RuntimeFile::Manifest].map(|file| runtime.join(file.path())));
    let index = index_of(app, runtime, skill);
    paths.extend(["", "-journal", ".lock"].map(|end| with_end(&index, end)));
    let entries = |folder: &Path| app.ports.inspector.entries(folder);
    let of_meta = entries(&meta)?.into_iter().map(|entry| entry.path);
    paths.extend(
        of_meta.filter(|path| {
            path.file_name().is_some_and(|name| name.as_encoded_bytes().starts_with(b"search-"))
        }),
    );
    // Links to files that are not text have the names of entries of the source.
    let of_source =
        entries(&skill.path)?.into_iter().filter_map(|entry| Some(runtime.join(entry.path.file_name()?)));
    let links = entries(runtime)?.into_iter().map(|entry| entry.path).chain(of_source);
    paths.extend(
        links.filter(|path| path.file_name().is_some_and(|name| !name.as_encoded_bytes().starts_with(b"."))),
    );
    paths.extend(app.call.places.skillc_dir(scope).map(|own| own.join(".gitignore")));
    paths.sort_unstable();
    paths.dedup();
    Ok(paths)
}

/// Moves the events of a fallback log to the logs that they belong to.
async fn merge_log(run: &mut Run<'_>, receipt: &mut dyn Receipt, name: &str) -> Result<(), Failure> {
    let app = run.app;
    let log = app.call.places.fallback_log(name);
    // Copied before they are read, since SQLite may create files next to them.
    copy_log(receipt, &log)?;
    if let Some(own) = app.call.places.fallback_logs().parent() {
        receipt.copy(&own.join(".gitignore"))?;
    }
    for destination in destinations(app, name).await? {
        copy_log(receipt, &destination)?;
    }
    merge(run, app, name).await.map(drop)
}

async fn repair_log(app: &App, receipt: &mut dyn Receipt, log: &Path) -> Result<(), Failure> {
    copy_log(receipt, log)?;
    // A repair uses the first of these names that is free.
    let numbered = (2..u32::MAX).map(|number| with_end(log, &format!(".damaged-{number}")));
    let mut names = std::iter::once(with_end(log, ".damaged")).chain(numbered);
    let is_free = |path: &PathBuf| !matches!(app.ports.inspector.entry(path), Ok(Some(_)));
    if let Some(aside) = names.find(is_free) {
        receipt.copy(&aside)?;
    }
    app.ports.logs.at(log).repair().await?;
    Ok(())
}

fn copy_log(receipt: &mut dyn Receipt, log: &Path) -> Result<(), PortError> {
    receipt.copy(log)?;
    SIDE_FILES.iter().try_for_each(|end| receipt.copy(&with_end(log, end)))
}

/// A path with a suffix appended to its name.
fn with_end(path: &Path, end: &str) -> PathBuf {
    let mut name = OsString::from(path.as_os_str());
    name.push(end);
    PathBuf::from(name)
}
