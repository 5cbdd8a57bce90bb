//! Creates the events of a use: one access, and for each additional section an event that is not an access.

use crate::history::sections::ReadSections;
use crate::history::uses::SkillUse;
use serde_json::{Map, Value, json};
use skillc_domain::event::{AccessEvent, EventId, EventTime};
use skillc_domain::history::{HistoryCall, HistoryKind, LineRange};
use skillc_domain::time::Timestamp;

/// Maximum number of events per use, so that the ids of a call's uses do not overlap.
const EVENTS_PER_USE: u64 = 1_000;

/// Length in bytes to which stored names and paths are truncated.
const TEXT_BYTES_MAX: usize = 4_096;

/// The events of a use, with the working directory as a canonical path. The first use of a call gets its tokens.
pub fn events(
    agent: &str,
    call: &HistoryCall,
    cwd: &str,
    used: SkillUse,
    is_first: bool,
) -> Vec<AccessEvent> {
    let id = |at: u64| EventId::of_record(agent, &call.record, used.ordinal * EVENTS_PER_USE + at);
    let is_offered = used.kind == HistoryKind::Offered;
    let error = call.outcome.failure().filter(|_| !is_offered);
    let was_read = used.kind == HistoryKind::Read && error.is_none();
    let sections = match &used.sections {
        ReadSections::Of(sections) if was_read => sections.as_slice(),
        _ => &[],
    };
    let base = AccessEvent {
        event_id: id(0),
        timestamp: EventTime::At(Timestamp::of(call.at)),
        run_id: short(&call.session),
        command: used.kind.word().to_owned(),
        skill: short(&used.skill.name),
        skill_path: short(&used.skill.path.to_string_lossy()),
        cwd: short(cwd),
        args: arguments(agent, call, &used, is_first).to_string(),
        target: target(&used),
        file: used.file.as_deref().filter(|_| was_read).map(short),
        section: sections.first().cloned(),
        // An agent that reads a file by its own means has read the file, but not each of its sections.
        is_partial: was_read,
        is_supplement: is_offered,
        error,
        ..AccessEvent::default()
    };
    let further = sections.iter().enumerate().skip(1).take(EVENTS_PER_USE as usize - 1);
    let further = further.map(|(at, section)| AccessEvent {
        event_id: id(at as u64),
        section: Some(section.clone()),
        is_supplement: true,
        ..base.clone()
    });
    let further: Vec<_> = further.collect();
    std::iter::once(base).chain(further).collect()
}

/// The target of the use: a file, or a skill that could not be loaded.
fn target(used: &SkillUse) -> Option<String> {
    match used.kind {
        HistoryKind::Failed => Some(short(&used.skill.name)),
        _ => used.file.as_deref().map(short),
    }
}

/// The event's arguments: agent, lines, tokens and model, but no prompts, answers or texts.
fn arguments(agent: &str, call: &HistoryCall, used: &SkillUse, is_first: bool) -> Value {
    let mut arguments = Map::new();
    let mut add = |key: &str, value: Value| arguments.insert(key.to_owned(), value);
    add("agent", agent.into());
    if used.kind == HistoryKind::Read {
        match used.lines {
            LineRange::Whole => {}
            LineRange::Lines(first, last) => drop(add("lines", json!([first, last]))),
            LineRange::Unknown => drop(add("lines", Value::Null)),
        }
        if used.sections == ReadSections::LinesOnly {
            add("lines_only", true.into());
        }
    }
    if used.skill.is_gone {
        add("gone", true.into());
    }
    if call.is_time_estimated {
        add("time_estimated", true.into());
    }
    if used.kind == HistoryKind::Offered {
        add("listing_tokens", used.listing_tokens.into());
    }
    if let Some(tokens) = call.tokens.filter(|_| is_first) {
        let (read, write) = (tokens.cache_read, tokens.cache_write);
        add(
            "tokens",
            json!({ "input": tokens.input, "output": tokens.output, "cache_read": read, "cache_write": write }),
        );
        if !call.model.is_empty() {
            add("model", short(&call.model).into());
        }
    }
    Value::Object(arguments)
}

/// A text from another program, truncated at a character boundary.
fn short(text: &str) -> String {
    let end = text.char_indices().map(|(at, _)| at).find(|at| *at > TEXT_BYTES_MAX).unwrap_or(text.len());
    text[..end].to_owned()
}
