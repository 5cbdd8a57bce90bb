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
