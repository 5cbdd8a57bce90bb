//! What skills cost: recorded tokens of messages, estimated tokens of lists, and money according to the user's
//! prices.

use super::agents::agent_title;
use super::same_label::paths_of_same_labels;
use super::text::{cut_end, left};
use crate::render::{View, line, plain};
use schemars::JsonSchema;
use serde::Serialize;
use skillc_domain::history::{ModelPrice, SkillCost, TokenUse};

/// What a skill cost in the sessions of one agent.
#[derive(Debug, Serialize, JsonSchema)]
pub struct CostSum {
    /// The agent's id.
    pub agent: String,
    /// Name of the skill.
    pub skill: String,
    /// Its canonical path; null if the history names none.
    pub skill_path: Option<String>,
    /// The messages that used it, by model.
    pub models: Vec<ModelCost>,
    /// Estimated tokens of its name and description in all lists that the agent was given.
    pub listing_tokens: u64,
    /// Money for all of this, in the currency of `[history] prices`; null where a price is missing.
    pub money: Option<f64>,
    /// Whether tokens of lists, which are estimated, are part of the money.
    pub is_estimated: bool,
}

/// The messages of one model.
#[derive(Debug, Serialize, JsonSchema)]
pub struct ModelCost {
    /// The model; null if the history names none.
    pub model: Option<String>,
    /// Messages with recorded tokens.
    pub messages: u64,
    /// Sent tokens, without those from a cache.
    pub input: u64,
    /// Received tokens.
    pub output: u64,
    /// Sent tokens from a cache.
    pub cache_read: u64,
    /// Tokens written to a cache.
    pub cache_write: u64,
    /// Money for these tokens; null without a price of the model.
    pub money: Option<f64>,
}

/// The costs of each agent and skill, highest number of tokens first.
pub fn cost_sums(costs: &[SkillCost], prices: &[ModelPrice]) -> Vec<CostSum> {
    let is_same = |one: &&SkillCost, other: &SkillCost| {
        (&one.agent, &one.skill, &one.skill_path) == (&other.agent, &other.skill, &other.skill_path)
    };
    let parts = costs.chunk_by(|one, other| is_same(&one, other));
    let mut sums: Vec<CostSum> = parts.map(|parts| sum(parts, prices)).collect();
    sums.sort_by_key(|sum| std::cmp::Reverse(tokens_of(sum)));
    sums
}

/// The costs of one agent and skill.
fn sum(parts: &[SkillCost], prices: &[ModelPrice]) -> CostSum {
    let SkillCost { agent, skill, skill_path, .. } = parts[0].clone();
    let models: Vec<ModelCost> =
        parts.iter().filter(|part| part.messages > 0).map(|part| model_cost(part, prices)).collect();
    let listing_tokens = parts.iter().map(|part| part.listing_tokens).sum();
    // Lists are sent with the first message, whose model is recorded elsewhere in the history.
    let listed_by = parts.iter().map(|part| part.model.as_str()).find(|model| !model.is_empty());
    let listed = TokenUse { input: listing_tokens, ..TokenUse::default() };
    let listing_money = match listing_tokens {
        0 => Some(0.0),
        _ => ModelPrice::of(prices, &agent, listed_by.unwrap_or_default()).map(|price| price.money(listed)),
    };
    let money = models.iter().map(|model| model.money).chain([listing_money]).sum();
    CostSum {
        agent,
        skill,
        skill_path: Some(skill_path).filter(|path| !path.is_empty()),
        models,
        listing_tokens,
        money,
        is_estimated: listing_tokens > 0,
    }
}

fn model_cost(part: &SkillCost, prices: &[ModelPrice]) -> ModelCost {
    let TokenUse { input, output, cache_read, cache_write } = part.tokens;
    ModelCost {
        model: Some(part.model.clone()).filter(|model| !model.is_empty()),
        messages: part.messages,
        input,
        output,
        cache_read,
        cache_write,
        money: ModelPrice::of(prices, &part.agent, &part.model).map(|price| price.money(part.tokens)),
    }
}

fn tokens_of(sum: &CostSum) -> u64 {
    let of_messages: u64 = sum
        .models
        .iter()
        .map(|model| model.input + model.output + model.cache_read + model.cache_write)
        .sum();
    of_messages + sum.listing_tokens
}

/// Width of the name column, and of each number column.
const NAME_COLUMNS: usize = 29;
const COUNT_COLUMNS: usize = 10;

/// A table of costs.
pub fn render_costs(costs: &[CostSum], view: &View, out: &mut Vec<u8>) {
    if costs.is_empty() {
        return line(out, "No tokens were imported; 'skc history import' imports them");
    }
    let heads: String = ["sent", "cached", "received", "in lists", "money"]
        .iter()
        .map(|head| format!("{head:>COUNT_COLUMNS$}"))
        .collect();
    line(out, view.faint(format!("{:<NAME_COLUMNS$}{heads}", "tokens")));
    let label = |one: &CostSum| format!("{} ({})", plain(&one.skill), agent_title(&one.agent));
    let paths = paths_of_same_labels(view, costs, label, |one| one.skill_path.as_deref());
    for (one, path) in costs.iter().zip(paths) {
        let name = cut_end(&label(one), NAME_COLUMNS - 1);
        let of = |part: fn(&ModelCost) -> u64| one.models.iter().map(part).sum::<u64>().to_string();
        let counts = [
            of(|model| model.input + model.cache_write),
            of(|model| model.cache_read),
            of(|model| model.output),
            format!("~{}", one.listing_tokens),
            shown_money(one),
        ];
        let counts: String = counts.iter().map(|count| format!("{count:>COUNT_COLUMNS$}")).collect();
        line(out, format!("{}{counts}", view.strong(left(&name, NAME_COLUMNS))));
        path.into_iter().for_each(|path| line(out, path));
    }
    line(out, view.faint("~ is an estimate: four characters of a list are counted as a token"));
    if costs.iter().any(|cost| cost.money.is_none()) {
        line(out, view.faint("money needs the prices of each model in '[history] prices'"));
    }
}

fn shown_money(cost: &CostSum) -> String {
    let mark = if cost.is_estimated { "~" } else { "" };
    cost.money.map_or_else(|| "-".to_owned(), |money| format!("{mark}{money:.2}"))
}
