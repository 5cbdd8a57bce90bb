//! `skc history` (RFC-0014): lists and imports the histories that agents record.

use crate::failure::Failure;
use crate::history::import::{ImportCount, ImportScope, import, warn};
use crate::history::install::{ImportSchedule, schedules, write};
use crate::history::sources::{folder, readers, selected};
use crate::operation::{Operation, Surface};
use crate::render::{Render, View, counted, line, plain};
use crate::run::Run;
use crate::stats::agents::agent_title;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use skillc_domain::fault::Fault;
use skillc_domain::history::{HistoryKind, HistoryLocation};
use skillc_domain::time::{Timestamp, UnixNs};
use skillc_domain::usage::filter::instant;
use skillc_ports::HistoryRead;
use std::collections::BTreeMap;
use std::path::PathBuf;

/// What to do with histories.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum HistoryAction {
    /// List the agents whose histories are on this machine.
    Sources,
    /// Import what is new: which skills were offered, chosen and read. Prompts, answers and texts are not stored.
    Import,
    /// Print how to import regularly; with '--write', set up a systemd timer.
    Install,
}

/// List or import the histories that agents record of their own sessions.
#[derive(Debug, clap::Args, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct HistoryRequest {
    /// The action.
    #[arg(value_enum)]
    pub action: HistoryAction,
    /// Only this agent; may be repeated.
    #[arg(long, value_name = "AGENT")]
    #[serde(default)]
    pub agent: Vec<String>,
    /// With import: only what happened since this date (2026-01-31), time (2026-01-31T12:00:00Z) or span back from now (90d).
    #[arg(long, value_name = "TIME")]
    pub since: Option<String>,
    /// With import: count what would be imported, without doing it.
    #[arg(long)]
    #[serde(default)]
    pub dry_run: bool,
    /// With install: write the timer.
    #[arg(long)]
    #[serde(default)]
    pub write: bool,
}

/// The history of an agent.
#[derive(Debug, Serialize, JsonSchema)]
pub struct FoundHistory {
    /// The agent's id.
    pub agent: String,
    /// Its folder.
    pub path: PathBuf,
    /// Files: one for each session, or a database.
    pub files: u64,
    /// Total size of the files in bytes.
    pub bytes: u64,
    /// Why it cannot be read; null if it can.
    pub unreadable: Option<String>,
    /// Day on which the oldest file was last written.
    pub first_day: Option<String>,
    /// Day on which the newest file was last written.
    pub last_day: Option<String>,
    /// Days after which the agent deletes its sessions, unless it is configured otherwise.
    pub deleted_after_days: Option<u32>,
}

/// The result of importing one agent's history.
#[derive(Debug, Serialize, JsonSchema)]
pub struct ImportedHistory {
    /// The agent's id.
    pub agent: String,
    /// Files that were read.
    pub files: u64,
    /// Files without changes.
    pub unchanged: u64,
    /// Files that could not be read, at least not to the end.
    pub unreadable: u64,
    /// What was found, by kind: offered, chosen, requested, read, ran, searched, failed.
    pub found: BTreeMap<String, u64>,
    /// Events that are new to the log.
    pub new: u64,
}

/// A way to import regularly.
#[derive(Debug, Serialize, JsonSchema)]
pub struct ScheduleText {
    /// What runs the import.
    pub schedule: String,
    /// Where to put the text.
    pub place: String,
    /// The text.
    pub text: String,
}

/// Histories, or what was imported from them.
#[derive(Debug, Default, Serialize, JsonSchema)]
pub struct HistoryReply {
    /// The histories on this machine; of `sources`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sources: Option<Vec<FoundHistory>>,
    /// What was imported; of `import`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub imported: Option<Vec<ImportedHistory>>,
    /// Ways to import regularly; of `install`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub schedules: Option<Vec<ScheduleText>>,
    /// Files that were written; of `install --write`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub written: Option<Vec<PathBuf>>,
    /// Whether this was a dry run.
    pub dry_run: bool,
}

/// Implements `skc history`.
pub struct History;

impl Operation for History {
    const NAME: &'static str = "history";
    const SURFACE: Surface = Surface::CommandLine;
    const IS_READ_ONLY: bool = false;
    const EXAMPLES: &'static str = "skc history sources\nskc history import\nskc history import --agent claude-code --since 30d --dry-run\nskc history install";
    type Request = HistoryRequest;
    type Reply = HistoryReply;

    async fn run(run: &mut Run<'_>, request: HistoryRequest) -> Result<HistoryReply, Failure> {
        check(&request)?;
        let histories = selected(&request.agent)?;
        match request.action {
            HistoryAction::Sources => {
                Ok(HistoryReply { sources: Some(sources(run, &histories)), ..Default::default() })
            }
            HistoryAction::Import => import_all(run, &histories, &request).await,
            HistoryAction::Install => install(run, request.write),
        }
    }
}

/// Refuses options that belong to another action.
fn check(request: &HistoryRequest) -> Result<(), Fault> {
    let is_import = request.action == HistoryAction::Import;
    if !is_import && (request.since.is_some() || request.dry_run) {
        return Err(Fault::invalid_option("only 'skc history import' takes '--since' and '--dry-run'"));
    }
    if request.write && request.action != HistoryAction::Install {
        return Err(Fault::invalid_option("only 'skc history install' takes '--write'"));
    }
    Ok(())
}

fn sources(run: &mut Run<'_>, histories: &[&'static HistoryLocation]) -> Vec<FoundHistory> {
    histories.iter().filter_map(|history| source(run, history)).collect()
}

/// The history of an agent; `None` if it is not on this machine.
fn source(run: &mut Run<'_>, history: &HistoryLocation) -> Option<FoundHistory> {
    let app = run.app;
    let root = folder(app, history).inspect_err(|error| warn(run, history, None, error)).ok()??;
    let (mut files, mut bytes, mut period) = (0, 0, None::<(UnixNs, UnixNs)>);
    let mut unreadable = None;
    for reader in readers(app, history) {
        let listed = reader.files(&root).inspect_err(|error| warn(run, history, Some(&root), error)).ok()?;
        for file in listed {
            match file {
                Ok(file) => {
                    // A single file shows whether this format can be read.
                    if files == 0 {
                        let how = HistoryRead { from: 0, is_settled: true };
                        unreadable = reader.open(&file, how).err().map(|error| error.reason().to_owned());
                    }
                    files += 1;
                    bytes += file.bytes;
                    let (first, last) = period.unwrap_or((file.modified, file.modified));
                    period = Some((first.min(file.modified), last.max(file.modified)));
                }
                Err(error) => warn(run, history, None, &error),
            }
        }
    }
    let day = |at: UnixNs| Timestamp::of(at).day().to_string();
    (files > 0 || app.ports.stores.is_folder(&root)).then(|| FoundHistory {
        agent: history.agent.to_owned(),
        path: root,
        files,
        bytes,
        unreadable,
        first_day: period.map(|(first, _)| day(first)),
        last_day: period.map(|(_, last)| day(last)),
        deleted_after_days: history.deleted_after_days,
    })
}

async fn import_all(
    run: &mut Run<'_>,
    histories: &[&'static HistoryLocation],
    request: &HistoryRequest,
) -> Result<HistoryReply, Failure> {
    let now = run.app.ports.clock.now();
    let since = request.since.as_deref().map(|value| instant("--since", value, now)).transpose()?;
    let scope = ImportScope { since, is_dry: request.dry_run };
    let mut imported = Vec::new();
    for history in histories {
        let count = import(run, history, &scope).await?;
        if count != ImportCount::default() {
            imported.push(reply_of(history, count));
        }
    }
    Ok(HistoryReply { imported: Some(imported), dry_run: request.dry_run, ..HistoryReply::default() })
}

fn reply_of(history: &HistoryLocation, count: ImportCount) -> ImportedHistory {
    let ImportCount { files, unchanged, unreadable, kinds, new } = count;
    let found = kinds.into_iter().map(|(kind, count)| (kind.word().to_owned(), count)).collect();
    ImportedHistory { agent: history.agent.to_owned(), files, unchanged, unreadable, found, new }
}

fn install(run: &Run<'_>, writes: bool) -> Result<HistoryReply, Failure> {
    let text = |schedule: ImportSchedule| ScheduleText {
        schedule: schedule.title().to_owned(),
        place: schedule.place().to_owned(),
        text: schedule.text(),
    };
    let written = if writes { Some(write(run.app)?) } else { None };
    Ok(HistoryReply {
        schedules: Some(schedules().into_iter().map(text).collect()),
        written,
        ..HistoryReply::default()
    })
}

impl Render for HistoryReply {
    fn render(&self, view: &View, out: &mut Vec<u8>) {
        if let Some(sources) = &self.sources {
            render_sources(sources, view, out);
        }
        if let Some(imported) = &self.imported {
            render_imported(imported, self.dry_run, view, out);
        }
        if let Some(written) = &self.written {
            written.iter().for_each(|path| line(out, format!("Wrote {}", view.path(path))));
            line(out, "Start it with 'systemctl --user enable --now skc-history.timer'");
        } else if let Some(schedules) = &self.schedules {
            for schedule in schedules {
                line(out, format!("{} ({})", view.strong(&schedule.schedule), schedule.place));
                schedule.text.lines().for_each(|text| line(out, format!("  {text}")));
            }
        }
    }
}

fn render_sources(sources: &[FoundHistory], view: &View, out: &mut Vec<u8>) {
    for found in sources {
        let size = match found.bytes {
            bytes @ ..=999_999 => format!("{:.1} kB", bytes as f64 / 1e3),
            bytes => format!("{:.1} MB", bytes as f64 / 1e6),
        };
        let files = counted(found.files, "file");
        line(out, format!("{}: {files}, {size}", view.strong(agent_title(&found.agent))));
        line(out, format!("  {}", view.path(&found.path)));
        if let Some(reason) = &found.unreadable {
            line(out, view.careful(format!("  cannot be read: {}", plain(reason))));
        }
        if let (Some(first), Some(last)) = (&found.first_day, &found.last_day) {
            line(out, format!("  {first} to {last}"));
        }
        if let Some(days) = found.deleted_after_days.filter(|_| found.files > 0) {
            line(
                out,
                view.faint(format!("  deleted after {days} days; 'skc history install' imports regularly")),
            );
        }
    }
    if sources.is_empty() {
        line(out, "No history of an agent was found on this machine");
    }
}

fn render_imported(imported: &[ImportedHistory], is_dry: bool, view: &View, out: &mut Vec<u8>) {
    for one in imported {
        let kinds = HistoryKind::ALL.iter().filter_map(|kind| {
            let count = one.found.get(kind.word())?;
            Some(format!("{count} {}", kind.word()))
        });
        let kinds: Vec<String> = kinds.collect();
        let kinds = match (one.files, kinds.is_empty()) {
            (0, _) => "nothing new".to_owned(),
            (_, true) => "nothing about skills".to_owned(),
            (_, false) => kinds.join(", "),
        };
        line(out, format!("{}: {kinds}", view.strong(agent_title(&one.agent))));
        let new = if is_dry { String::new() } else { format!("{}; ", counted(one.new, "new event")) };
        let files = format!("{} read, {} without changes", counted(one.files, "file"), one.unchanged);
        line(out, view.faint(format!("  {new}{files}")));
    }
    if imported.is_empty() {
        line(out, "No history of an agent was found on this machine");
    } else if is_dry {
        line(out, "Nothing was stored");
    } else {
        line(
            out,
            "Stored: agent, session, folder, time, skill, file, lines, outcome, tokens, model; no prompts, answers or texts",
        );
    }
}
