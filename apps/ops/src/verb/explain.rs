//! `skc explain` (RFC-0007:C-EXPLAIN).

use crate::failure::Failure;
use crate::operation::{Operation, Surface};
use crate::render::{Render, View, line};
use crate::run::Run;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use skillc_domain::fault::Row;
use skillc_lint::explain::{bad_example, good_example, origin};
use skillc_lint::explain_code::{Explained, explain};
use skillc_lint::plugin::{PluginRule, effect_words, files_text};
use skillc_lint::rule::{Param, Rule};

/// Explain a code or a lint rule: what it means, what to do, an example.
#[derive(Debug, clap::Args, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ExplainRequest {
    /// The code, such as E002 or SKL108, or its name, such as index-unusable.
    pub code: String,
}

/// An explanation.
#[derive(Debug, Serialize, JsonSchema)]
pub struct ExplainReply {
    /// The code.
    pub code: String,
    /// Its name.
    pub name: String,
    /// The message with `<placeholders>`; for a rule, its severity.
    pub message: String,
    /// When it occurs; for a rule, the harm of a violation.
    pub meaning: String,
    /// What to do about it.
    pub remedy: String,
    /// A command line or part of a file; for a rule, a violation.
    pub example: String,
    /// For a rule, its source.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub origin: Option<String>,
    /// For a rule, an example without violation.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub good_example: Option<String>,
    /// For a rule, its parameters: name, default and meaning.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub parameters: Vec<String>,
    /// Of a rule, what a violation costs: breaks, harms or style.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tier: Option<&'static str>,
    /// Of a rule, how to switch it off.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub switch_off: Vec<String>,
}

/// Implements `skc explain`.
pub struct Explain;

impl Operation for Explain {
    const NAME: &'static str = "explain";
    const SURFACE: Surface = Surface::Everywhere;
    const IS_READ_ONLY: bool = true;
    const IS_ABOUT_NO_SKILL: bool = true;
    const EXAMPLES: &'static str = "skc explain E002\nskc explain path-escapes\nskc explain SKL108";
    type Request = ExplainRequest;
    type Reply = ExplainReply;

    async fn run(_: &mut Run<'_>, request: ExplainRequest) -> Result<ExplainReply, Failure> {
        Ok(match explain(&request.code)? {
            Explained::Row(row) => of_row(row),
            Explained::Rule(rule) => of_rule(rule),
            Explained::PluginRule(rule) => of_plugin_rule(rule),
        })
    }
}

fn of_row(row: &Row) -> ExplainReply {
    ExplainReply {
        code: row.code.to_owned(),
        name: row.name.to_owned(),
        message: row.message.to_owned(),
        meaning: row.meaning.to_owned(),
        remedy: row.remedy.to_owned(),
        example: row.example.to_owned(),
        origin: None,
        good_example: None,
        parameters: Vec::new(),
        tier: None,
        switch_off: Vec::new(),
    }
}

fn of_rule(rule: &Rule) -> ExplainReply {
    let param = |param: &Param| format!("{} = {}: {}", param.name, param.default, param.meaning);
    ExplainReply {
        code: rule.id.to_owned(),
        name: rule.name.to_owned(),
        message: format!("lint rule, {} unless a setting says otherwise", rule.severity.setting()),
        meaning: rule.why.to_owned(),
        remedy: rule.fix.to_owned(),
        example: bad_example(rule).unwrap_or_default(),
        origin: Some(origin(rule)),
        good_example: good_example(rule),
        parameters: rule.params.iter().map(param).collect(),
        tier: Some(rule.tier.word()),
        switch_off: switch_off(rule),
    }
}

fn of_plugin_rule(rule: &PluginRule) -> ExplainReply {
    ExplainReply {
        code: rule.id.to_owned(),
        name: rule.name.to_owned(),
        message: format!("rule about plugins: {}", effect_words(rule.effect)),
        meaning: rule.why.to_owned(),
        remedy: rule.fix.to_owned(),
        example: files_text(rule.bad),
        origin: Some(rule.source.to_owned()),
        good_example: Some(files_text(rule.good)),
        parameters: Vec::new(),
        tier: None,
        switch_off: Vec::new(),
    }
}

/// How to disable a rule: for this run, for a project, for a skill, from a line on, and on a single line.
fn switch_off(rule: &Rule) -> Vec<String> {
    let id = rule.id;
    vec![
        format!("this run: skc lint --ignore {id}"),
        format!("a project: {id} = \"off\" below [lint.rules] in .skillc/config.toml"),
        format!("a skill: {id} = \"off\" below [rules] in .skilllint.toml next to SKILL.md"),
        format!("from here on: <!-- skilllint-disable {id} -->"),
        format!("a line: <!-- skilllint-disable-line {id} -->, in front matter after '#'"),
    ]
}

impl Render for ExplainReply {
    fn render(&self, view: &View, out: &mut Vec<u8>) {
        line(out, format!("{} {}", view.strong(&self.code), self.name));
        line(out, format!("  Message  {}", self.message));
        line(out, format!("  Meaning  {}", self.meaning));
        line(out, format!("  Remedy   {}", self.remedy));
        if let Some(origin) = &self.origin {
            line(out, format!("  Origin   {origin}"));
        }
        if let Some(tier) = self.tier {
            line(out, format!("  Tier     {tier}"));
        }
        self.parameters.iter().for_each(|parameter| line(out, format!("  Setting  {parameter}")));
        self.switch_off.iter().for_each(|way| line(out, format!("  Off for  {way}")));
        block(out, if self.origin.is_some() { "Found in" } else { "Example " }, &self.example);
        if let Some(good) = &self.good_example {
            block(out, "Not in  ", good);
        }
    }
}

fn block(out: &mut Vec<u8>, label: &str, text: &str) {
    let mut lines = text.lines();
    line(out, format!("  {label} {}", lines.next().unwrap_or_default()).trim_end());
    lines.for_each(|more| line(out, format!("           {more}").trim_end()));
}
