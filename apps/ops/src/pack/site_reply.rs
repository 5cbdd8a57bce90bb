//! The reply of `skc publish --check`.

use crate::render::{Render, View, counted, line, plain};
use schemars::JsonSchema;
use serde::Serialize;
use skillc_domain::fault::Fault;
use skillc_lint::pack::DiscoveryFlaw;

/// A site as read by clients.
#[derive(Debug, Serialize, JsonSchema)]
pub struct CheckedSite {
    /// The URL of the index, after redirects.
    pub index: String,
    /// The skills in it, in its order.
    pub skills: Vec<CheckedSiteSkill>,
}

/// A skill of a site.
#[derive(Debug, Serialize, JsonSchema)]
pub struct CheckedSiteSkill {
    /// `name` in the index, or its number in it.
    pub name: String,
    /// The URL of its file.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub url: Option<String>,
    /// Bytes of its file.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bytes: Option<usize>,
    /// SHA-256 of its file, in the form of the index.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub digest: Option<String>,
    /// Whether there is no known reason for clients to refuse it.
    pub accepts: bool,
    /// Why clients refuse it.
    pub problems: Vec<SiteProblem>,
    /// What could not be checked.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub note: Option<&'static str>,
    /// Whether `publish` would write this file for the project's skill of that name; none without such a skill.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub is_same_here: Option<bool>,
}

/// Why clients refuse a skill.
#[derive(Debug, Serialize, JsonSchema)]
pub struct SiteProblem {
    /// A fact, in lower case.
    pub message: String,
    /// What to do about it.
    pub advice: String,
}

impl From<DiscoveryFlaw> for SiteProblem {
    fn from(flaw: DiscoveryFlaw) -> Self {
        let DiscoveryFlaw { message, advice } = flaw;
        Self { message, advice }
    }
}

impl CheckedSiteSkill {
    /// An E066 per problem.
    pub(super) fn faults(&self, index: &str) -> Vec<Fault> {
        let fault = |problem: &SiteProblem| Fault::PublishedSkillRefused {
            skill: self.name.clone(),
            address: index.to_owned(),
            message: problem.message.clone(),
            advice: problem.advice.clone(),
        };
        self.problems.iter().map(fault).collect()
    }

    fn render(&self, view: &View, out: &mut Vec<u8>) {
        let verdict = if self.accepts { view.good("ok") } else { view.bad("refused") };
        let here = match self.is_same_here {
            Some(true) => ", as in this project",
            Some(false) => ", another version than in this project",
            None => "",
        };
        let note = self.note.map(|note| format!("; {note}")).unwrap_or_default();
        line(out, format!("{}: {verdict}{here}{note}", plain(&self.name)));
    }
}

impl Render for CheckedSite {
    fn render(&self, view: &View, out: &mut Vec<u8>) {
        self.skills.iter().for_each(|skill| skill.render(view, out));
        line(out, format!("Index: {} ({})", plain(&self.index), counted(self.skills.len() as u64, "skill")));
    }
}
