//! The import of agents' histories, compared with reading the same bytes, calling stat on each file, and raw SQL.

use super::{MIB, settle};
use crate::args::Args;
use crate::limits::Limits;
use crate::process::{peak_bytes, seconds};
use crate::raw_log;
use crate::series::Pairs;
use crate::site::Site;
use crate::table::{Allowed, Figures, Row, Table, Unit, thousands};
use crate::work::Work;
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Size in bytes of the history of which few lines concern a skill.
const BYTES: usize = 1_000_000_000;
/// Size of each of its sessions in bytes.
const SESSION_BYTES: usize = 20_000_000;
/// Number of lines per line that concerns a skill.
const LINES_PER_READ: usize = 50;
/// Allowed duration of an import: a factor relative to `cat` into a line counter, plus some seconds.
const CAT_TIMES: f64 = 1.5;
const BESIDE_SECONDS: f64 = 1.0;
/// Allowed peak memory in bytes.
const PEAK_MOST: usize = 48 * MIB;
/// Number of sessions in the unchanged history, and the allowed factor for its import, relative to calling stat on
/// each.
const SESSIONS: usize = 5_000;
const STAT_TIMES: f64 = 2.0;
/// Number of events in the history without other lines, and the allowed factor for its import, relative to raw SQL.
const EVENTS: usize = 100_000;
const RAW_TIMES: f64 = 2.0;

/// All rows.
pub fn measure(args: &Args, work: &Work, limits: &Limits, table: &mut Table) {
    let mut push = |name: &str, size: String, unit, figures, limit_is: &str| {
        table.push(Row {
            name: name.into(),
            size,
            on: work.kind().into(),
            unit,
            figures,
            allowed: Allowed::AtMost(1.0),
            limit_is: limit_is.into(),
        });
    };
    let (time, peak) = match large(args, work) {
        Ok((time, peak)) => (Ok(time.into()), Ok(Figures::of(peak, PEAK_MOST as f64))),
        Err(why) => (Err(why.clone()), Err(why)),
    };
    push("history import", "1 GB".into(), Unit::Seconds, time, "1.5 cat to a line counter + 1 s");
    push("peak memory, history import", "1 GB".into(), Unit::Bytes, peak, "48 MiB");
    let unchanged = unchanged(args, work, limits).map(Figures::from);
    let size = thousands(SESSIONS);
    push(
        "history import without changes",
        size,
        Unit::Seconds,
        unchanged,
        "2 stat of each file + an empty program",
    );
    let events = events(args, work).map(Figures::from);
    push("history import of events", thousands(EVENTS), Unit::Seconds, events, "2 raw INSERT … SELECT");
}

fn site(args: &Args, work: &Work, name: &str) -> Result<Site, String> {
    Site::new(&args.skc, work.root().join(name)).map_err(|e| e.to_string())
}

fn sessions(site: &Site) -> PathBuf {
    site.home().join(".claude/projects/-work-app")
}

fn forget_import(site: &Site) -> Result<(), String> {
    match fs::remove_dir_all(site.home().join(".skillc/history")) {
        Err(e) if e.kind() != std::io::ErrorKind::NotFound => Err(e.to_string()),
        _ => Ok(()),
    }
}

/// Writes a call with a number, and its result.
fn read(text: &mut String, session: usize, number: usize, said: &str) {
    let envelope =
        format!(r#""sessionId":"s{session}","timestamp":"2026-03-04T05:06:07.000Z","cwd":"/work/app""#);
    let (first, file) = (number % 100 + 1, number % 40);
    let _ = writeln!(
        text,
        r#"{{"type":"assistant","uuid":"u{number}",{envelope},"message":{{"content":[{{"type":"tool_use","id":"t{number}","name":"Read","input":{{"file_path":"/gone/.claude/skills/pdf/references/part{file}.md","offset":{first},"limit":5}}}}]}}}}"#
    );
    let _ = writeln!(
        text,
        r#"{{"type":"user","uuid":"r{number}",{envelope},"message":{{"content":[{{"type":"tool_result","tool_use_id":"t{number}","content":"{said}"}}]}}}}"#
    );
}

/// Writes sessions of which few lines concern a skill.
fn write_large(folder: &Path) -> std::io::Result<()> {
    fs::create_dir_all(folder)?;
    let said = "lorem ipsum dolor sit amet consectetur ".repeat(40);
    let mut number = 0;
    for session in 0..BYTES / SESSION_BYTES {
        let mut text = String::with_capacity(SESSION_BYTES + 4_096);
        while text.len() < SESSION_BYTES {
            number += 1;
            if number % LINES_PER_READ == 0 {
                read(&mut text, session, number, &said);
            } else {
                let _ = writeln!(
                    text,
                    r#"{{"type":"assistant","uuid":"u{number}","sessionId":"s{session}","timestamp":"2026-03-04T05:06:07.000Z","cwd":"/work/app","message":{{"content":[{{"type":"text","text":"{said}"}}]}}}}"#
                );
            }
        }
        fs::write(folder.join(format!("s{session}.jsonl")), text)?;
    }
    Ok(())
}

fn large(args: &Args, work: &Work) -> Result<(Pairs, f64), String> {
    let site = site(args, work, "history-large")?;
    let folder = sessions(&site);
    write_large(&folder).map_err(|e| e.to_string())?;
    settle();
    let count = || {
        let mut counter = Command::new("/bin/sh");
        seconds(counter.args(["-c", "cat *.jsonl | wc -l"]).current_dir(&folder))
    };
    let pairs = Pairs::take(args.reps, || {
        let least = count()?;
        forget_import(&site)?;
        Ok((seconds(&mut site.skc(&["history", "import"]))?, CAT_TIMES * least + BESIDE_SECONDS))
    })?;
    forget_import(&site)?;
    let peak = peak_bytes(&site.skc(&["history", "import"]), &work.root().join("history-peak"))?;
    fs::remove_dir_all(folder).map_err(|e| e.to_string())?;
    Ok((pairs, peak))
}

/// Sessions that were already imported.
fn unchanged(args: &Args, work: &Work, limits: &Limits) -> Result<Pairs, String> {
    let site = site(args, work, "history-unchanged")?;
    let folder = sessions(&site);
    fs::create_dir_all(&folder).map_err(|e| e.to_string())?;
    for session in 0..SESSIONS {
        let mut text = String::new();
        read(&mut text, session, session, "x");
        fs::write(folder.join(format!("s{session}.jsonl")), text).map_err(|e| e.to_string())?;
    }
    seconds(&mut site.skc(&["history", "import"]))?;
    settle();
    Pairs::take(args.reps, || {
        let least = STAT_TIMES * limits.stat(&folder)? + limits.empty()?;
        Ok((seconds(&mut site.skc(&["history", "import"]))?, least))
    })
}

/// A history of calls only, compared with inserting their rows with raw SQL.
fn events(args: &Args, work: &Work) -> Result<Pairs, String> {
    let root = work.root().join("history-events");
    let site = site(args, work, "history-events")?;
    let folder = sessions(&site);
    fs::create_dir_all(&folder).map_err(|e| e.to_string())?;
    for session in 0..EVENTS / 1_000 {
        let mut text = String::new();
        (0..1_000).for_each(|at| read(&mut text, session, session * 1_000 + at, "x"));
        fs::write(folder.join(format!("s{session}.jsonl")), text).map_err(|e| e.to_string())?;
    }
    let log = site.home().join(".skillc/history/logs.db");
    let [full, empty, raw] = ["full.db", "empty.db", "raw.db"].map(|name| root.join(name));
    seconds(&mut site.skc(&["history", "import"]))?;
    raw_log::settle(&log)?;
    let copied = || fs::copy(&log, &full).and_then(|_| fs::copy(&log, &empty));
    copied().map_err(|e| e.to_string())?;
    raw_log::empty(&empty)?;
    match raw_log::rows(&full)? {
        rows if rows == EVENTS as u64 => {}
        rows => return Err(format!("{rows} events were imported")),
    }
    settle();
    Pairs::take(args.reps, || {
        fs::copy(&empty, &raw).map_err(|e| e.to_string())?;
        let least = RAW_TIMES * raw_log::copy(&full, &raw)?;
        forget_import(&site)?;
        Ok((seconds(&mut site.skc(&["history", "import"]))?, least))
    })
}
