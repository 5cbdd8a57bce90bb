//! Generated log events: the same number yields the same event on every machine.

use crate::corpus::Dice;
use crate::site::SKILL;
use skillc_domain::event::{AccessEvent, EventId};
use skillc_domain::time::{UnixNs, rfc3339};

/// Nanoseconds of a second.
pub const SECOND: UnixNs = 1_000_000_000;
/// 2026-01-01T00:00:00Z.
pub const NEW_YEAR: UnixNs = 1_767_225_600 * SECOND;

/// Numbers of different values in a log.
const FILES: usize = 40;
const SECTIONS: usize = 300;
const QUERIES: usize = 500;
const PROJECTS: usize = 20;
/// Number of commands in a session.
const SESSION: u64 = 20;
/// Cumulative shares of commands: reads of a section up to the first, of a file up to the second, searches up to the
/// third, outlines after that. The first few reads fail.
const SHOWS: f64 = 0.5;
const OPENS: f64 = 0.7;
const SEARCHES: f64 = 0.9;
const FAILURES: f64 = 0.02;

/// When events happen.
#[derive(Clone, Copy)]
pub enum Times {
    /// Throughout the year 2026, in no order.
    Mixed,
    /// At regular intervals.
    Steady {
        /// Time of the first event.
        from: UnixNs,
        /// Time between two events.
        step: UnixNs,
    },
}

/// The events of one skill.
pub struct Events {
    /// Its source.
    pub skill_path: String,
    /// When they happen.
    pub times: Times,
}

/// What a command does: name, arguments, target, and the file and section that it reads.
type Act = (&'static str, String, Option<String>, Option<String>, Option<String>);

impl Events {
    /// The event with a number. Ids have the same order as numbers, like those in a log.
    pub fn event(&self, number: u64) -> AccessEvent {
        let mut dice = Dice(number);
        let kind = dice.fraction();
        let (command, args, target, file, section) = act(kind, &mut dice);
        let is_failed = kind < FAILURES;
        let id_at = match self.times {
            Times::Mixed => NEW_YEAR + number as UnixNs * SECOND / 1_000,
            Times::Steady { from, step } => from + number as UnixNs * step,
        };
        AccessEvent {
            event_id: EventId::new(id_at, u128::from(dice.next()) << 64 | u128::from(dice.next())),
            timestamp: self.timestamp(number).as_str().into(),
            run_id: format!("20260101T000000Z-{:06x}", number / SESSION),
            command: command.into(),
            skill: SKILL.into(),
            skill_path: self.skill_path.clone(),
            cwd: format!("/home/u/p{}", dice.below(PROJECTS)),
            args,
            error: is_failed.then(|| "error[E020]: section not found: 'x'".into()),
            target,
            file: file.filter(|_| !is_failed),
            section: section.filter(|_| !is_failed),
            ..AccessEvent::default()
        }
    }

    /// The events with these numbers.
    pub fn some(&self, numbers: std::ops::Range<u64>) -> Vec<AccessEvent> {
        numbers.map(|number| self.event(number)).collect()
    }

    fn timestamp(&self, n: u64) -> String {
        match self.times {
            Times::Mixed => {
                let (month, day) = (1 + n % 12, 1 + n % 28);
                format!("2026-{month:02}-{day:02}T{:02}:{:02}:{:02}Z", n % 24, n % 60, n / 7 % 60)
            }
            Times::Steady { from, step } => rfc3339(from + n as UnixNs * step),
        }
    }
}

fn act(kind: f64, dice: &mut Dice) -> Act {
    if kind < SHOWS {
        let (section, file) =
            (format!("Topic {:05}", dice.below(SECTIONS)), format!("f{}.md", dice.below(FILES)));
        let args = format!(r#"{{"section":"{section}","file":"{file}","max_lines":null}}"#);
        ("show", args, Some(section.clone()), Some(file), Some(section))
    } else if kind < OPENS {
        let file = format!("f{}.md", dice.below(FILES));
        ("open", format!(r#"{{"path":"{file}","max_lines":null}}"#), Some(file.clone()), Some(file), None)
    } else if kind < SEARCHES {
        let query = format!("word{}", dice.below(QUERIES));
        ("search", format!(r#"{{"query":"{query}","result_count":3}}"#), Some(query), None, None)
    } else {
        ("outline", r#"{"level":null}"#.into(), None, None, None)
    }
}
