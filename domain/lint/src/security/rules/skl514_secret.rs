//! SKL514: keys and tokens in texts.

use crate::rule::{Check, Example, Origin, Rule, Severity, Tier};
use crate::security::secret_value;
use crate::security::secrets::{KINDS, PATTERNS};
use crate::{FileView, Report};
use crate::security::hits;

pub static RULE: Rule = Rule {
    id: "SKL514",
    name: "secret",
    severity: Severity::Error,
    tier: Tier::Harms,
    origin: Origin::Field(
        "Snyk agent-scan W008, Cisco SECRET, agnix XP-SK-003; forms of gitleaks and detect-secrets",
    ),
    why: "Everyone who gets the skill gets the key, and every agent that reads it sends it to a model.",
    fix: "Revoke the key, remove it from the skill and its history, and read it from a variable instead.",
    params: &[],
    patterns: &PATTERNS,
    good: &[Example::new(&[(
        "SKILL.md",
        crate::skill_md!(
            "```sh\nexport AWS_ACCESS_KEY_ID=AKIAIOSFODNN7EXAMPLE\nexport TOKEN=ghp_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx\n```\n"
        ),
    )])],
    bad: &[Example::new(&[(
        "SKILL.md",
        crate::skill_md!("```sh\nexport AWS_ACCESS_KEY_ID=AKIAZ3MGQ7X2LKJH5PWD\n```\n"),
    )])],
    check: Check::File(check),
};

fn check(view: &FileView<'_>, report: &mut Report<'_>) {
    let mut end = 0;
    for hit in hits::unwarned(view.file, &RULE) {
        let Some(kind) = KINDS.get(hit.pattern).filter(|_| hit.span.start >= end) else { continue };
        let value = view.file.slice(&hit.span);
        if !is_secret(kind.name, value) {
            continue;
        }
        end = hit.span.end;
        let (first, count) = (value.chars().take(4).collect::<String>(), value.chars().count());
        report
            .at(hit.span.clone(), format!("{} '{first}…' of {count} characters in the text", kind.name))
            .secret();
    }
}

fn is_secret(name: &str, value: &str) -> bool {
    match name {
        "private key" => !value.contains("...") && !value.contains("EXAMPLE"),
        "password in an address" => secret_value::is_real_address(value),
        "JSON web token" => !secret_value::is_public_token(value),
        "hard-coded secret" | "bearer token" => {
            secret_value::is_random(value) && !secret_value::is_made_up(value)
        }
        "AWS secret key" | "API key" | "Notion token" => {
            secret_value::is_random(value) && !secret_value::is_made_up(value)
        }
        _ => !secret_value::is_made_up(value),
    }
}
