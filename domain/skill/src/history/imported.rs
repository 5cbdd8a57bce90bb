//! Selects the events of a log that were imported from agents' histories.

use super::{HistoryKind, TokenUse};
use crate::event::AccessEvent;
use crate::usage::UsageFilter;

/// The details that an imported event stores in its arguments.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct HistoryDetails {
    /// The agent's id; empty for an event that was not imported.
    pub agent: String,
    /// Estimated tokens of an offered skill's entry in the list.
    pub listing_tokens: u64,
    /// The model of the message; empty if not recorded.
    pub model: String,
    /// The tokens of the message, if they are recorded.
    pub tokens: Option<TokenUse>,
}

/// The imported events that match a filter, with their kinds and details.
pub fn imported<'a>(
    events: impl IntoIterator<Item = &'a AccessEvent>,
    filter: &UsageFilter,
    details: &dyn Fn(&AccessEvent) -> HistoryDetails,
) -> impl Iterator<Item = (HistoryKind, &'a AccessEvent, HistoryDetails)> {
    events.into_iter().filter_map(move |event| {
        let kind = HistoryKind::from_word(&event.command)?;
        let is_in_time = event.timestamp.known().is_some_and(|at| filter.contains(at));
        let details = details(event);
        (is_in_time && !details.agent.is_empty() && filter.concerns(event)).then_some((kind, event, details))
    })
}

/// Like `imported`, without further sections of a read, which count neither as a second read nor as a second message.
pub fn counted<'a>(
    events: impl IntoIterator<Item = &'a AccessEvent>,
    filter: &UsageFilter,
    details: &dyn Fn(&AccessEvent) -> HistoryDetails,
) -> impl Iterator<Item = (HistoryKind, &'a AccessEvent, HistoryDetails)> {
    imported(events, filter, details)
        .filter(|(kind, event, _)| *kind == HistoryKind::Offered || !event.is_supplement)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::event::EventTime;
    use crate::time::Timestamp;

    fn event(command: &str, skill: &str, at_s: i64) -> AccessEvent {
        AccessEvent {
            timestamp: EventTime::At(Timestamp::of(at_s * 1_000_000_000)),
            command: command.to_owned(),
            skill: skill.to_owned(),
            ..AccessEvent::default()
        }
    }

    fn details(event: &AccessEvent) -> HistoryDetails {
        let agent = if event.skill == "logged" { "" } else { "codex" };
        HistoryDetails { agent: agent.to_owned(), ..HistoryDetails::default() }
    }

    /// RFC-0014:C-STATS
    #[test]
    fn an_event_is_imported_if_an_agent_made_it_and_the_filter_takes_it() {
        let events = [
            event("read", "taken", 5),
            event("show", "of skc", 5),
            event("read", "logged", 5),
            event("read", "early", 4),
            event("read", "late", 8),
            AccessEvent { timestamp: "never".into(), ..event("read", "timeless", 5) },
            AccessEvent { cwd: "/other".into(), ..event("read", "elsewhere", 5) },
            event("ran", "last", 7),
        ]
        .map(|event| AccessEvent { cwd: format!("/p{}", event.cwd), ..event });
        let time = |at_s: i64| Some(Timestamp::of(at_s * 1_000_000_000));
        let filter = UsageFilter { since: time(5), until: time(7), ..UsageFilter::default() };
        let names = |filter: &UsageFilter| {
            let found = imported(&events, filter, &details);
            found.map(|(kind, event, _)| format!("{} {}", event.skill, kind.word())).collect::<Vec<_>>()
        };
        assert_eq!(names(&filter), ["taken read", "elsewhere read", "last ran"]);
        let other = UsageFilter { projects: vec!["/p/other".into()], ..filter };
        assert_eq!(names(&other), ["elsewhere read"]);
    }

    /// RFC-0014:C-STATS
    #[test]
    fn a_further_section_of_a_read_is_not_counted_again_but_an_offer_is() {
        let further = |command| AccessEvent { is_supplement: true, ..event(command, command, 5) };
        let events = [event("read", "first", 5), further("read"), further("offered")];
        let filter = UsageFilter::default();
        let found = counted(&events, &filter, &details);
        assert_eq!(found.map(|(_, event, _)| &*event.skill).collect::<Vec<_>>(), ["first", "offered"]);
        assert_eq!(imported(&events, &filter, &details).count(), 3);
    }
}
