//! The history of OpenCode: `opencode.db`, which OpenCode may be writing to. It is opened read-only, with a short wait
//! for locks.

use crate::connection::{Db, failure, is_corruption, open_read_only, open_unwritable, with_suffix};
use rusqlite::Row;
use serde_json::Value;
use skillc_domain::history::shell::ShellText;
use skillc_domain::history::{AgentAction, CallOutcome, HistoryCall, LineRange, SkillChooser, TokenUse};
use skillc_domain::time::UnixNs;
use skillc_fs::Folder;
use skillc_ports::{
    ErrorKind, HistoryFile, HistoryFiles, HistoryPosition, HistoryRead, HistoryReader, HistorySource,
    PortError,
};
use std::collections::{HashSet, VecDeque};
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::time::{Duration, UNIX_EPOCH};

/// Reads OpenCode's database.
pub struct OpenCodeHistory;

const DATABASE: &str = "opencode.db";

/// How long to wait for OpenCode; the next import tries again.
const BUSY_TIMEOUT: Duration = Duration::from_millis(500);

/// Number of rows read at a time. The table has no index by time, so each page is a scan of the remaining rows.
const PAGE_ROWS: usize = 2_048;

/// Selects the parts after the last one, by time and id, that may concern a skill, without the output of tools.
/// OpenCode changes a part in place when its call ends.
const PARTS: &str = "
    SELECT part.id, part.session_id, ifnull(part.time_updated, part.time_created),
        json_object('tool', json_extract(part.data, '$.tool'), 'state', json_object(
            'status', json_extract(part.data, '$.state.status'),
            'input', json_extract(part.data, '$.state.input'),
            'start', json_extract(part.data, '$.state.time.start'),
            'dir', json_extract(part.data, '$.state.metadata.dir'),
            'exit', json_extract(part.data, '$.state.metadata.exit'))),
        session.directory, part.message_id, {message}
    FROM part LEFT JOIN session ON session.id = part.session_id
    WHERE (ifnull(part.time_updated, part.time_created), part.id) > (?1, ?2)
        AND json_valid(part.data) AND json_extract(part.data, '$.type') = 'tool'
        AND json_extract(part.data, '$.tool') IN ('skill', 'read', 'bash', 'grep')
        AND length(part.data) <= 8388608 AND length(json_extract(part.data, '$.state.input')) <= 65536
    ORDER BY 3, 1 LIMIT ?3";

/// Selects the tokens and model of a part's message, and whether it is still being written.
const MESSAGE: &str = "
        (SELECT json_object('tokens', json_extract(message.data, '$.tokens'),
            'model', json_extract(message.data, '$.modelID'),
            'is_open', json_extract(message.data, '$.time.created') IS NOT NULL
                AND json_extract(message.data, '$.time.completed') IS NULL)
        FROM message WHERE message.id = part.message_id AND json_valid(message.data))";

impl HistorySource for OpenCodeHistory {
    fn agent(&self) -> &'static str {
        "opencode"
    }

    fn files(&self, root: &Path) -> Result<HistoryFiles, PortError> {
        let Some(folder) = Folder::open_existing(root)? else { return Ok(Box::new(std::iter::empty())) };
        let modified = |name: &OsStr| folder.modified(name)?.duration_since(UNIX_EPOCH).ok();
        let Some(own) = modified(OsStr::new(DATABASE)) else { return Ok(Box::new(std::iter::empty())) };
        // New rows are in the write-ahead log first.
        let wal = with_suffix(OsStr::new(DATABASE), "-wal");
        let modified = own.max(modified(&wal).unwrap_or_default());
        let file = HistoryFile {
            path: root.join(DATABASE),
            bytes: folder.len(DATABASE).unwrap_or_default() + folder.len(&wal).unwrap_or_default(),
            modified: UnixNs::try_from(modified.as_nanos()).unwrap_or(UnixNs::MAX),
        };
        Ok(Box::new(std::iter::once(Ok(file))))
    }

    fn open(&self, file: &HistoryFile, how: HistoryRead) -> Result<Box<dyn HistoryReader>, PortError> {
        let failed = |error| unreadable(&file.path, error);
        let db = open(&file.path).map_err(failed)?;
        // Some versions store only parts, no messages.
        let has_messages = db.table_exists(None, "message").map_err(failed)?;
        let parts = PARTS.replace("{message}", if has_messages { MESSAGE } else { "NULL" });
        // The tables of another version cannot be read.
        db.prepare_cached(&parts).map_err(failed)?;
        let position = i64::try_from(how.from).unwrap_or_default();
        Ok(Box::new(OpenCodeReader {
            db,
            path: file.path.clone(),
            parts,
            counted: HashSet::new(),
            // Parts with the same millisecond are read again and recognized by their ids.
            last: (position.saturating_sub(1), String::new()),
            waiting: None,
            calls: VecDeque::new(),
            is_settled: how.is_settled,
            is_at_end: false,
        }))
    }
}

/// Opens the database. Without a write-ahead log, nothing may be created next to the database, which SQLite would do.
fn open(path: &Path) -> rusqlite::Result<Db> {
    let wal_bytes =
        Folder::of_file(path).ok().and_then(|(folder, name)| folder.len(with_suffix(&name, "-wal")));
    let db = match wal_bytes {
        None | Some(0) => open_unwritable(path)?,
        Some(_) => open_read_only(path)?,
    };
    db.busy_timeout(BUSY_TIMEOUT)?;
    Ok(db)
}

/// The error for an unreadable database; `Corrupt` for one of another version.
fn unreadable(path: &Path, error: rusqlite::Error) -> PortError {
    match error.to_string().contains("no such") || is_corruption(&error) {
        true => PortError::new(ErrorKind::Corrupt, format!("read '{}'", path.display())).caused_by(error),
        false => failure("read", path, error),
    }
}

struct OpenCodeReader {
    db: Db,
    path: PathBuf,
    /// The query `PARTS`.
    parts: String,
    /// Messages whose tokens were already counted.
    counted: HashSet<String>,
    /// Time in milliseconds and id of the last part.
    last: (i64, String),
    /// Time of the first part whose call is still running.
    waiting: Option<i64>,
    calls: VecDeque<HistoryCall>,
    is_settled: bool,
    is_at_end: bool,
}

/// A row of `PARTS`.
struct PartRow {
    id: String,
    session: String,
    at_ms: i64,
    data: String,
    directory: Option<String>,
    /// Id of the part's message.
    message: Option<String>,
    /// The columns of `MESSAGE`.
    message_data: Value,
}

impl PartRow {
    fn of(row: &Row<'_>) -> rusqlite::Result<Self> {
        Ok(Self {
            id: row.get(0)?,
            session: row.get(1)?,
            at_ms: row.get(2)?,
            data: row.get(3)?,
            directory: row.get(4)?,
            message: row.get(5)?,
            message_data: row
                .get::<_, Option<String>>(6)?
                .and_then(|text| serde_json::from_str(&text).ok())
                .unwrap_or_default(),
        })
    }
}

impl OpenCodeReader {
    fn page(&self) -> rusqlite::Result<Vec<PartRow>> {
        let mut parts = self.db.prepare_cached(&self.parts)?;
        let rows = parts.query_map((self.last.0, &self.last.1, PAGE_ROWS as i64), PartRow::of)?;
        rows.collect()
    }

    fn read_page(&mut self) -> Result<(), PortError> {
        let rows = self.page().map_err(|error| unreadable(&self.path, error))?;
        self.is_at_end = rows.len() < PAGE_ROWS;
        for row in rows {
            self.last = (row.at_ms, row.id.clone());
            // The tokens of a message are known when it ends.
            let is_open = row.message_data["is_open"] == 1;
            match call(&row) {
                Some(call) if (is_open || call.outcome == CallOutcome::Unknown) && !self.is_settled => {
                    self.waiting.get_or_insert(row.at_ms);
                }
                found => {
                    let found = found.map(|call| HistoryCall { tokens: self.tokens(&row), ..call });
                    self.calls.extend(found);
                }
            }
        }
        Ok(())
    }

    /// The tokens of a part's message. Only the first of its parts that may concern a skill gets them.
    fn tokens(&mut self, row: &PartRow) -> Option<TokenUse> {
        let tokens = row.message_data.get("tokens").filter(|tokens| tokens.is_object())?;
        let is_concerned = row.data.to_lowercase().contains("skill")
            || row.directory.as_ref().is_some_and(|folder| folder.contains("skill"));
        let is_first = is_concerned && self.counted.insert(row.message.clone()?);
        is_first.then(|| token_use(tokens))
    }
}

impl HistoryReader for OpenCodeReader {
    fn next_call(&mut self) -> Result<Option<HistoryCall>, PortError> {
        while self.calls.is_empty() && !self.is_at_end {
            self.read_page()?;
        }
        Ok(self.calls.pop_front())
    }

    fn position(&self) -> HistoryPosition {
        u64::try_from(self.waiting.unwrap_or(self.last.0)).unwrap_or_default()
    }

    fn has_pending(&self) -> bool {
        self.waiting.is_some()
    }
}

fn call(row: &PartRow) -> Option<HistoryCall> {
    let part: Value = serde_json::from_str(&row.data).ok()?;
    let state = &part["state"];
    let action = action(part["tool"].as_str()?, state)?;
    let outcome = match (state["status"].as_str(), &action) {
        (Some("completed"), AgentAction::Shell { .. }) => {
            let status = state["exit"].as_i64().and_then(|status| i32::try_from(status).ok());
            status.map_or(CallOutcome::Succeeded, CallOutcome::Exited)
        }
        (Some("completed"), _) => CallOutcome::Succeeded,
        (Some("error"), _) => CallOutcome::Failed,
        _ => CallOutcome::Unknown,
    };
    let at_ms = state["start"].as_i64().unwrap_or(row.at_ms);
    Some(HistoryCall {
        session: row.session.clone(),
        cwd: row.directory.clone().unwrap_or_default(),
        at: at_ms.saturating_mul(1_000_000),
        is_time_estimated: false,
        // Ids of parts are unique across sessions.
        record: row.id.clone(),
        action,
        outcome,
        tokens: None,
        model: row.message_data["model"].as_str().unwrap_or_default().to_owned(),
    })
}

fn token_use(tokens: &Value) -> TokenUse {
    TokenUse::of_opencode(|place| tokens.pointer(place).and_then(Value::as_u64).unwrap_or_default())
}

fn action(tool: &str, state: &Value) -> Option<AgentAction> {
    let input = &state["input"];
    let text = |key: &str| input[key].as_str().map(str::to_owned);
    match tool {
        "skill" => Some(AgentAction::Loaded {
            name: text("name")?,
            path: state["dir"].as_str().map(str::to_owned),
            by: SkillChooser::Agent,
        }),
        "read" => {
            let number = |key: &str| input[key].as_u64();
            let lines = LineRange::of_offset(number("offset"), number("limit"));
            Some(AgentAction::Read { path: text("filePath")?, lines })
        }
        "bash" => {
            Some(AgentAction::Shell { text: ShellText::Line(text("command")?), workdir: text("workdir") })
        }
        "grep" => Some(AgentAction::Searched { path: text("path") }),
        _ => None,
    }
}
