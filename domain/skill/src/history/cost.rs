//! What skills cost: the tokens of messages that used them and of lists that offered them, and their price.

use super::TokenUse;
use super::imported::{HistoryDetails, counted};
use crate::event::AccessEvent;
use crate::usage::UsageFilter;
use std::collections::BTreeMap;

/// The tokens of one agent's messages that used a skill, by model.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SkillCost {
    /// The agent's id.
    pub agent: String,
    /// Name of the skill.
    pub skill: String,
    /// Its canonical path; empty if unknown.
    pub skill_path: String,
    /// The model; empty for lists, and if the history records none.
    pub model: String,
    /// Number of messages with recorded tokens.
    pub messages: u64,
    /// Total tokens of those messages.
    pub tokens: TokenUse,
    /// Estimated tokens of the skill's entries in lists.
    pub listing_tokens: u64,
}

impl TokenUse {
    fn add(&mut self, other: Self) {
        self.input = self.input.saturating_add(other.input);
        self.output = self.output.saturating_add(other.output);
        self.cache_read = self.cache_read.saturating_add(other.cache_read);
        self.cache_write = self.cache_write.saturating_add(other.cache_write);
    }
}

/// Sums up tokens. Every store must compute the same. Sorted by agent, skill, path and model; entries without any
/// cost are omitted.
pub fn costs<'a>(
    events: impl IntoIterator<Item = &'a AccessEvent>,
    filter: &UsageFilter,
    details: &dyn Fn(&AccessEvent) -> HistoryDetails,
) -> Vec<SkillCost> {
    let mut sums: BTreeMap<(String, &str, &str, String), SkillCost> = BTreeMap::new();
    for (_, event, HistoryDetails { agent, listing_tokens, model, tokens }) in
        counted(events, filter, details)
    {
        if tokens.is_none() && listing_tokens == 0 {
            continue;
        }
        let model = if tokens.is_some() { model } else { String::new() };
        let cost = sums.entry((agent, &event.skill, &event.skill_path, model)).or_default();
        cost.messages += u64::from(tokens.is_some());
        cost.tokens.add(tokens.unwrap_or_default());
        cost.listing_tokens += listing_tokens;
    }
    let named = |((agent, skill, path, model), cost): ((String, &str, &str, String), SkillCost)| SkillCost {
        agent,
        skill: skill.to_owned(),
        skill_path: path.to_owned(),
        model,
        ..cost
    };
    sums.into_iter().map(named).collect()
}

/// The price of a million tokens of a model, in millionths of the user's currency.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ModelPrice {
    /// The model's name or a prefix of it, or an agent's id for all of its models.
    pub model: String,
    /// Price of input tokens.
    pub input: u64,
    /// Price of output tokens.
    pub output: u64,
    /// Price of input tokens read from a cache.
    pub cache_read: u64,
    /// Price of tokens written to a cache.
    pub cache_write: u64,
}

/// Conversion factor from a currency to its millionths.
const MILLIONTHS: f64 = 1e6;
/// The number of tokens to which a price refers.
const PRICED_TOKENS: f64 = 1e6;

impl ModelPrice {
    /// Parses a price such as `6.25`; `None` if it is negative or implausibly high.
    pub fn millionths(written: f64) -> Option<u64> {
        let is_price = (0.0..=MILLIONTHS).contains(&written);
        is_price.then(|| (written * MILLIONTHS).round() as u64)
    }

    /// The price of a model: the entry with the longest matching prefix, otherwise that of its agent.
    pub fn of<'p>(prices: &'p [Self], agent: &str, model: &str) -> Option<&'p Self> {
        let of_model = prices.iter().filter(|price| !model.is_empty() && model.starts_with(&price.model));
        of_model
            .max_by_key(|price| price.model.len())
            .or_else(|| prices.iter().find(|price| price.model == agent))
    }

    /// The price of these tokens.
    pub fn money(&self, tokens: TokenUse) -> f64 {
        let parts = [
            (tokens.input, self.input),
            (tokens.output, self.output),
            (tokens.cache_read, self.cache_read),
            (tokens.cache_write, self.cache_write),
        ];
        let sum: u128 = parts.iter().map(|(tokens, price)| u128::from(*tokens) * u128::from(*price)).sum();
        sum as f64 / (MILLIONTHS * PRICED_TOKENS)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::event::EventTime;
    use crate::time::Timestamp;

    fn price(model: &str, input: u64) -> ModelPrice {
        ModelPrice { model: model.to_owned(), input, ..ModelPrice::default() }
    }

    /// RFC-0014:C-COST
    #[test]
    fn the_longest_name_of_a_model_has_its_price_then_the_agents() {
        let prices = [price("claude-opus", 5), price("claude-opus-5", 6), price("claude-code", 1)];
        let of = |agent, model| ModelPrice::of(&prices, agent, model).map(|price| price.input);
        assert_eq!(of("claude-code", "claude-opus-5-20260101"), Some(6));
        assert_eq!(of("claude-code", "claude-opus-4"), Some(5));
        assert_eq!(of("claude-code", "other"), Some(1));
        assert_eq!(of("claude-code", ""), Some(1));
        assert_eq!(of("codex", "gpt-6"), None);
    }

    /// RFC-0014:C-COST
    #[test]
    fn each_sort_of_token_has_its_price() {
        let [input, output, cache_read, cache_write] =
            [5.0, 25.0, 0.5, 6.25].map(|price| ModelPrice::millionths(price).unwrap());
        let price = ModelPrice { model: String::new(), input, output, cache_read, cache_write };
        let tokens =
            TokenUse { input: 1_000_000, output: 100_000, cache_read: 2_000_000, cache_write: 400_000 };
        assert!((price.money(tokens) - 11.0).abs() < 1e-9);
        assert_eq!([-1.0, f64::NAN, 1e9].map(ModelPrice::millionths), [None; 3]);
    }

    /// RFC-0014:C-COST
    #[test]
    fn the_tokens_of_a_skills_messages_are_summed_up_by_model() {
        let event = |skill: &str, model: &str| AccessEvent {
            timestamp: EventTime::At(Timestamp::of(0)),
            command: "read".to_owned(),
            skill: skill.to_owned(),
            skill_path: "/s".to_owned(),
            args: model.to_owned(),
            ..AccessEvent::default()
        };
        let events = [
            event("a", "opus"),
            event("a", "opus"),
            event("a", "haiku"),
            event("a", "list"),
            event("b", "nothing"),
            AccessEvent { is_supplement: true, ..event("a", "opus") },
        ];
        let details = |event: &AccessEvent| HistoryDetails {
            agent: "codex".to_owned(),
            listing_tokens: if event.args == "list" { 7 } else { 0 },
            model: event.args.clone(),
            tokens: ["opus", "haiku"].contains(&&*event.args).then_some(TokenUse {
                input: 1,
                output: 20,
                cache_read: 300,
                cache_write: 4_000,
            }),
        };
        let costs = costs(&events, &UsageFilter::default(), &details);
        let told: Vec<_> = costs
            .iter()
            .map(|c| (&*c.skill, &*c.model, c.messages, c.listing_tokens, c.tokens.input))
            .collect();
        assert_eq!(told, [("a", "", 0, 7, 0), ("a", "haiku", 1, 0, 1), ("a", "opus", 2, 0, 2)]);
        let sum = TokenUse { input: 2, output: 40, cache_read: 600, cache_write: 8_000 };
        assert_eq!(costs[2].tokens, sum);
        assert!(costs.iter().all(|cost| cost.agent == "codex" && cost.skill_path == "/s"));
    }

    /// RFC-0014:C-COST
    #[test]
    fn a_price_is_between_nothing_and_a_million() {
        for (written, millionths) in
            [(0.0, Some(0)), (0.000_000_6, Some(1)), (1e6, Some(1_000_000_000_000)), (1_000_000.1, None)]
        {
            assert_eq!(ModelPrice::millionths(written), millionths, "{written}");
        }
    }
}
