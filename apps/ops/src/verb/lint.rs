//! `skc lint` (RFC-0008).

use crate::app::App;
use crate::failure::Failure;
use crate::lint::Engine;
use crate::lint::baseline;
use crate::lint::chosen::{LintScope, chosen, is_at_home};
use crate::lint::collection::{
    drop_repeated, weigh_links_between, weigh_names, weigh_parts, weigh_unused, weigh_used_by_others,
};
use crate::lint::copies::{weigh_copies, weigh_shared_files};
use crate::lint::fix::{FixOptions, apply_fixes};
use crate::lint::foreign::weigh_foreign;
use crate::lint::outcome::{ExitOn, Layout, LintOutcome};
use crate::lint::output_file;
use crate::lint::reply::{LintReply, linted};
use crate::lint::selection::Selection;
use crate::lint::skill::{Trust, lint_skill};
use crate::lint::store::ask_store;
use crate::lint::unchosen::weigh_unchosen;
use crate::one_or_many::one_or_many;
use crate::operation::{Operation, Surface};
use crate::run::Run;
use crate::skill::Skill;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use skillc_domain::fault::Fault;
use skillc_domain::path::RelPath;
use skillc_domain::reader::Wording;
use skillc_lint::verdict::{PROFILES, Profile, find};

/// Check a skill before any agent uses it: rules, security, and how clients treat it.
#[derive(Debug, Default, clap::Args, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct LintRequest {
    /// Skills, folders of skills, or files in skills; without any, the project's skills.
    #[serde(default, deserialize_with = "one_or_many")]
    pub skill: Vec<String>,
    /// Every skill of the project and of the home.
    #[arg(long, conflicts_with = "skill")]
    #[serde(default)]
    pub all: bool,
    /// Client whose verdict is given: spec, claude-code, codex, vscode, opencode, gemini, cursor or all.
    #[arg(long, value_name = "CLIENT")]
    pub profile: Option<String>,
    /// Show how each client treats it, and why.
    #[arg(long)]
    #[serde(default)]
    pub explain_load: bool,
    /// What makes the check fail.
    #[arg(long, value_enum, default_value_t, value_name = "WHAT")]
    #[serde(default)]
    pub exit_on: ExitOn,
    /// Report only these, in full: tiers (breaks, harms, style), rules, or prefixes of their ids.
    #[arg(long, value_name = "RULE", value_delimiter = ',')]
    #[serde(default)]
    pub select: Vec<String>,
    /// Do not report these.
    #[arg(long, value_name = "RULE", value_delimiter = ',')]
    #[serde(default)]
    pub ignore: Vec<String>,
    /// Maximum number of findings in the text output.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub max: Option<u32>,
    /// Show only findings, one per line.
    #[arg(short, long)]
    #[serde(default)]
    pub quiet: bool,
    /// Show how often each rule is violated, and no findings.
    #[arg(long, conflicts_with = "quiet")]
    #[serde(default)]
    pub statistics: bool,
    /// Ignore the skill's own settings and directives; show every security finding.
    #[arg(long)]
    #[serde(default)]
    pub distrust: bool,
    /// Check a compiled skill too.
    #[arg(short, long)]
    #[serde(default)]
    pub force: bool,
    /// File of accepted findings: only others are reported. Created if it does not exist.
    #[arg(long, value_name = "FILE")]
    pub baseline: Option<String>,
    /// Write the findings to this file: SARIF for .sarif, JSON for .json, else text.
    #[arg(long, value_name = "FILE")]
    pub output: Option<String>,
    /// Write through a link that leads out of its folder, if the link and the file are yours.
    #[arg(long)]
    #[serde(default)]
    pub follow: bool,
    /// Accept the current findings: rewrite the baseline.
    #[arg(long, requires = "baseline")]
    #[serde(default)]
    pub write: bool,
    /// Apply fixes that do not change what agents read.
    #[arg(long)]
    #[serde(default)]
    pub fix: bool,
    /// With --fix or --diff: include fixes that change what agents read.
    #[arg(long = "unsafe")]
    #[serde(default)]
    pub r#unsafe: bool,
    /// Show what --fix would change.
    #[arg(long, conflicts_with_all = ["fix", "statistics"])]
    #[serde(default)]
    pub diff: bool,
}

/// Implements `skc lint`.
pub struct Lint;

impl Operation for Lint {
    const NAME: &'static str = "lint";
    const SURFACE: Surface = Surface::Everywhere;
    const IS_READ_ONLY: bool = false;
    const IS_PAGED: bool = true;
    const FORMATS: &'static [&'static str] = &["text", "json", "sarif", "github"];
    const EXAMPLES: &'static str = "skc lint my-skill\nskc lint skills/*/SKILL.md\nskc lint ./downloads/their-skill --distrust\n\
                                    skc lint my-skill --profile codex --exit-on verdict\nskc lint my-skill --diff\n\
                                    skc lint --format sarif > lint.sarif";
    const COMMAND_LINE_ONLY: &'static [&'static str] = &[
        "baseline",
        "follow",
        "write",
        "fix",
        "unsafe",
        "all",
        "select",
        "ignore",
        "max",
        "quiet",
        "statistics",
        "output",
    ];
    type Request = LintRequest;
    type Reply = LintReply;

    async fn run(run: &mut Run<'_>, request: LintRequest) -> Result<LintReply, Failure> {
        if request.all && !request.skill.is_empty() {
            return Err(Fault::invalid_option(Wording::new(|to| {
                format!("give skills or {}, not both", to.argument("all"))
            }))
            .into());
        }
        let profiles = profiles(&request, &run.app.call.settings.lint_profile)?;
        let mode = mode(&request)?;
        let selection = Selection::new(request.select.clone(), request.ignore.clone(), request.max)?;
        let scope = if request.all { LintScope::All } else { LintScope::Project };
        let skills = chosen(run, &request.skill, scope)?;
        let trust = if request.distrust { Trust::Untrusted } else { Trust::Author };
        let engine = run.timed("compiling patterns", || Engine::new(run.app))?;
        let mut done = Vec::new();
        for skill in &skills {
            run.uses(skill);
            done.push(one(run, &engine, skill, &request, mode, trust, &profiles)?);
        }
        drop_repeated(&mut done);
        if request.skill.is_empty() {
            ask_store(run.app, &mut done, trust);
        }
        weigh_names(&mut done);
        weigh_links_between(&mut done);
        weigh_shared_files(run, &engine, &mut done);
        weigh_used_by_others(&mut done);
        weigh_parts(&mut done);
        // Otherwise the author asked for the one.
        if request.skill.is_empty() || done.len() > 1 {
            weigh_unused(&mut done, &run.app.call.places.cwd);
            weigh_foreign(run, &mut done);
        }
        weigh_unchosen(run, &engine, &mut done);
        let is_each_named = request.skill.len() == done.len();
        if !is_each_named {
            weigh_copies(&mut done, &run.app.call.places.cwd);
        }
        let base = run.app.call.places.cwd.clone();
        let replies =
            done.into_iter().map(|skill| linted(skill, trust, request.skill.is_empty(), &profiles, &base));
        let mut reply = LintReply::new(replies.collect(), request.explain_load, request.exit_on);
        if let Some(file) = &request.baseline {
            let writing = baseline::BaselineWrite { is_asked: request.write, follows: request.follow };
            baseline::hold_against(run.app, &mut reply, file, writing)?;
        }
        reply.narrow(selection);
        reply.layout = layout(&request);
        reply.made_safe_fixes = request.fix && !request.r#unsafe;
        if let Some(file) = &request.output {
            output_file::write(run.app, &reply, file, request.follow)?;
            reply.layout = Layout::Written;
        }
        Ok(reply)
    }
}

fn one(
    run: &mut Run<'_>,
    engine: &Engine,
    skill: &Skill,
    request: &LintRequest,
    mode: Option<FixOptions>,
    trust: Trust,
    profiles: &[&'static Profile],
) -> Result<LintOutcome, Failure> {
    let is_compiled = is_compiled(run.app, skill)?;
    let is_left_alone = mode.is_some() && request.skill.is_empty() && !is_at_home(run.app, skill);
    let (fixed, diff) = Default::default();
    let bare = LintOutcome { skill: skill.clone(), linted: None, is_compiled, fixed, diff, is_left_alone };
    if is_compiled && !request.force {
        return Ok(bare);
    }
    let fields: Vec<String> =
        profiles.iter().flat_map(|p| p.fields).map(|field| (*field).to_owned()).collect();
    let linted = lint_skill(run, engine, &skill.path, trust, &fields)?;
    let Some(mode) = mode.filter(|_| !is_left_alone) else {
        return Ok(LintOutcome { linted: Some(linted), ..bare });
    };
    let fixed = apply_fixes(run, engine, &skill.path, trust, linted, mode)?;
    Ok(LintOutcome { linted: Some(fixed.linted), fixed: fixed.fixed, diff: fixed.diff, ..bare })
}

fn profiles(request: &LintRequest, configured: &Option<String>) -> Result<Vec<&'static Profile>, Fault> {
    let word = request.profile.as_deref().or(configured.as_deref()).unwrap_or("spec");
    if word == "all" || (request.explain_load && request.profile.is_none()) {
        return Ok(PROFILES.to_vec());
    }
    let known: Vec<&str> = PROFILES.iter().map(|profile| profile.id).collect();
    let unknown = || {
        Fault::invalid_argument("profile", format!("must be one of: {}, all; got '{word}'", known.join(", ")))
    };
    Ok(vec![find(word).ok_or_else(unknown)?])
}

fn mode(request: &LintRequest) -> Result<Option<FixOptions>, Fault> {
    if request.r#unsafe && !request.fix && !request.diff {
        return Err(Fault::invalid_option("--unsafe needs --fix or --diff"));
    }
    let is_asked = request.fix || request.diff;
    Ok(is_asked.then_some(FixOptions { takes_unsafe: request.r#unsafe, writes: request.fix }))
}

fn layout(request: &LintRequest) -> Layout {
    match request {
        LintRequest { diff: true, r#unsafe: is_unsafe, .. } => Layout::Diff { is_unsafe: *is_unsafe },
        LintRequest { statistics: true, .. } => Layout::Statistics,
        LintRequest { quiet: true, .. } => Layout::Quiet,
        _ => Layout::Full,
    }
}

fn is_compiled(app: &App, skill: &Skill) -> Result<bool, Failure> {
    let tree = app.ports.files.open(&skill.path)?;
    let manifest = RelPath::from_walk(".skillc-meta/manifest.json".to_owned());
    Ok(tree.read(&manifest, u64::MAX).is_ok())
}
