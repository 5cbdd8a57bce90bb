//! Lints one skill.

use super::read::{Engine, Overlay, Read};
use super::settings::own_settings;
use super::surroundings::{
    found_elsewhere, is_above, is_in_client_folder, is_in_plugin, is_of_claude_code, is_of_neighbor,
    is_source, looked_up, of_collection,
};
use crate::failure::Failure;
use crate::run::Run;
use crate::source::skill_file;
use crate::source::survey;
use skillc_domain::path::RelPath;
use skillc_domain::rule_settings::LintSettings;
use skillc_domain::survey::Survey;
use skillc_lint::code_text::SEARCHES_MAX;
use skillc_lint::confidence::Confidence;
use skillc_lint::directive::{is_known_for_one_skill, silence};
use skillc_lint::finding::sort;
use skillc_lint::for_people::weigh_for_people;
use skillc_lint::located::{Located, locate};
use skillc_lint::missing_folder::weigh_missing_folders;
use skillc_lint::outside_path::LookedUp;
use skillc_lint::path_words::FileNames;
use skillc_lint::rule::{Check, Rule, Severity};
use skillc_lint::rules::skl101_name_required::weigh_in_plugin;
use skillc_lint::rules::skl104_name_match_dir::{
    is_beside_plugin, may_be_source, weigh_installed, weigh_source,
};
use skillc_lint::rules::skl108_description_triggers::weigh_explicit;
use skillc_lint::rules::skl109_frontmatter_known::weigh_own_fields;
use skillc_lint::rules::skl119_markup_in_metadata::weigh_local;
use skillc_lint::rules::skl124_client_field_value::weigh_own_agent;
use skillc_lint::rules::skl214_user_path::weigh_of_project;
use skillc_lint::rules::skl301_link_file_exists::weigh_assembled;
use skillc_lint::rules::skl303_link_no_escape::{outside_paths, weigh_outside};
use skillc_lint::rules::skl402_file_not_mentioned::{files_not_mentioned, weigh_named_in_code, weigh_shared};
use skillc_lint::rules::skl407_named_file_exists::{
    FoundElsewhere, MissingFile, missing_files, weigh_missing,
};
use skillc_lint::rules::{skl002_unused_directive, skl101_name_required, skl402_file_not_mentioned};
use skillc_lint::security::evidence::weigh;
use skillc_lint::set_aside::weigh_part;
use skillc_lint::view::{LintFile, SkillContext};
use skillc_lint::{Finding, RULES, SkillView};
use skillc_ports::SkillTree;
use std::cell::Cell;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Number of files from which rules about a whole skill run in parallel; for fewer, starting a thread takes as long
/// as the rules.
const FILES_SIDE_BY_SIDE: usize = 256;

/// A linted skill.
pub struct LintedSkill {
    /// The data that its files share.
    pub context: SkillContext,
    /// Its files.
    pub files: Vec<LintFile>,
    /// All findings, including suppressed ones.
    pub findings: Vec<Finding>,
}

/// Whether a skill may configure its own linting.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Trust {
    /// The skill's own settings and directives apply.
    Author,
    /// The skill's settings and directives are ignored, because it comes from elsewhere.
    Untrusted,
}

/// Lints one skill. Its front matter may have `fields` beyond those of the specification.
///
/// # Errors
/// E016 for too many files, E999 if its folder cannot be read.
pub fn lint_skill(
    run: &mut Run<'_>,
    engine: &Engine,
    path: &Path,
    trust: Trust,
    fields: &[String],
) -> Result<LintedSkill, Failure> {
    let tree = run.app.ports.files.open(path)?;
    let survey = survey(tree.as_ref())?;
    let mut settings = match trust {
        Trust::Author => run.app.call.settings.lint.overlaid(&own_settings(run, tree.as_ref())),
        Trust::Untrusted => run.app.call.settings.lint.clone(),
    };
    settings.extra_fields = fields.to_vec();
    let context = context(path, survey, settings);
    context.survey.warnings.iter().cloned().for_each(|warning| run.warn(warning));
    let mut linted = look(run, engine, tree.as_ref(), context, &Overlay::new());
    let view = SkillView { context: &linted.context, files: &linted.files };
    let outside = looked_up(run, path, outside_paths(&view));
    linted.context.outside = outside;
    let view = SkillView { context: &linted.context, files: &linted.files };
    weigh_outside(&view, &mut linted.findings);
    let shared = of_collection(run, &engine.neighborhoods, path, files_not_mentioned(&linted.findings));
    weigh_shared(&mut linted.findings, &shared);
    if may_be_source(&linted.context, &linted.findings) && is_source(run, &engine.neighborhoods, path) {
        weigh_source(&mut linted.findings);
    }
    if linted.findings.iter().any(|finding| finding.rule.id == skl101_name_required::RULE.id)
        && (is_of_claude_code(path) || is_in_plugin(run, path))
    {
        weigh_in_plugin(&mut linted.findings);
    }
    if is_beside_plugin(&linted.context) {
        weigh_part(&mut linted.findings);
        weigh_source(&mut linted.findings);
    }
    let found = found_elsewhere(run, path, missing_files(&view, &linted.findings));
    let searches = Cell::new(0);
    let written = |file: &MissingFile| {
        let is_written =
            searches.replace(searches.get() + 1) < SEARCHES_MAX && engine.code.writes(run, path, &file.path);
        is_written.then_some(FoundElsewhere::Code)
    };
    weigh_missing(&view, &mut linted.findings, |file| found.get(file).copied().or_else(|| written(file)));
    weigh_by_code(run, engine, path, &mut linted);
    if is_in_client_folder(path) {
        weigh_local(&mut linted.findings);
    }
    // Of what is left after all else.
    weigh_missing_folders(
        &SkillView { context: &linted.context, files: &linted.files },
        &mut linted.findings,
    );
    Ok(linted)
}

/// Lowers findings that the code of the project around the skill explains.
fn weigh_by_code(run: &Run<'_>, engine: &Engine, path: &Path, linted: &mut LintedSkill) {
    let name = linted.skill_md().and_then(|file| file.fields()?.get("name")?.text()).unwrap_or_default();
    let (name, folder) = (name.to_owned(), linted.context.folder.clone());
    weigh_installed(&mut linted.findings, || engine.code.names_both(run, path, &name, &folder));
    let view = SkillView { context: &linted.context, files: &linted.files };
    weigh_of_project(&view, &mut linted.findings, |user_path| engine.code.contains(run, path, user_path));
    weigh_own_fields(&view, &mut linted.findings, |field| engine.code.has_literal(run, path, field));
    weigh_own_agent(&mut linted.findings, || engine.code.reads_field(run, path, "agent"));
    weigh_assembled(&view, &mut linted.findings, |file| {
        is_above(run, path, file) && engine.code.names_beginning(run, path, file)
    });
    weigh_named_in_code(&mut linted.findings, |file| {
        // The code may mean a sibling's file of that name.
        engine.code.uses(run, path, file) && !is_of_neighbor(run, &engine.neighborhoods, path, file)
            || engine.code.names_place(run, path, file)
    });
}

/// Lints the files of a skill. A text in the overlay replaces the file of that path.
pub fn look(
    run: &mut Run<'_>,
    engine: &Engine,
    tree: &dyn SkillTree,
    context: SkillContext,
    overlay: &Overlay,
) -> LintedSkill {
    let read = run.timed("reading, parsing and checking files", || engine.read_all(tree, &context, overlay));
    whole(run, context, read)
}

fn context(path: &Path, survey: Survey, settings: LintSettings) -> SkillContext {
    let mut folders = BTreeSet::new();
    for file in &survey.files {
        let mut at = file.path.as_str();
        while let Some((folder, _)) = at.rsplit_once('/') {
            if !folders.insert(RelPath::from_walk(folder.to_owned())) {
                break;
            }
            at = folder;
        }
    }
    let name = |path: &Path| path.file_name().map(|name| name.to_string_lossy().into_owned());
    let folder = name(path).unwrap_or_default();
    let parent = path.parent().and_then(name).unwrap_or_default();
    let file_names = match skl402_file_not_mentioned::RULE.severity_in(&settings) {
        Severity::Off => FileNames::default(),
        Severity::Warning | Severity::Error => skl402_file_not_mentioned::file_names(&survey),
    };
    SkillContext {
        folder,
        parent,
        survey,
        folders: folders.into_iter().collect(),
        file_names,
        outside: LookedUp::default(),
        settings,
    }
}

/// Adds the findings of rules about whole skills.
fn whole(run: &mut Run<'_>, context: SkillContext, read: Vec<Read>) -> LintedSkill {
    let (mut files, mut findings) = (Vec::with_capacity(read.len()), Vec::new());
    for Read { file, findings: found, warning } in read {
        files.push(file);
        findings.extend(found);
        warning.into_iter().for_each(|warning| run.warn(warning));
    }
    let view = SkillView { context: &context, files: &files };
    findings.extend(run.timed("checking the whole skill", || ask_about_whole(&view)));
    end_lines_alike(&view, &mut findings);
    weigh(&view, &mut findings);
    weigh_outside(&view, &mut findings);
    weigh_for_people(&view, &mut findings);
    weigh_explicit(&view, &mut findings);
    LintedSkill { context, files, findings }
}

/// The findings of rules about a whole skill, in the order of the rules; runs in parallel if the skill is large.
fn ask_about_whole(view: &SkillView<'_>) -> Vec<Finding> {
    let is_asked = |rule: &&&Rule| {
        matches!(rule.check, Check::Skill(_)) && rule.severity_in(&view.context.settings) != Severity::Off
    };
    let rules: Vec<&'static Rule> = RULES.iter().filter(is_asked).copied().collect();
    let ask = |rule: &'static Rule| {
        let Check::Skill(check) = rule.check else { return Vec::new() };
        let severity = rule.severity_in(&view.context.settings);
        Finding::collect(rule, severity, &skill_file(), |report| check(view, report))
    };
    if view.files.len() < FILES_SIDE_BY_SIDE {
        return rules.into_iter().flat_map(ask).collect();
    }
    let next = AtomicUsize::new(0);
    let work = || {
        let rule = || rules.get(next.fetch_add(1, Ordering::Relaxed)).copied();
        std::iter::from_fn(rule).map(|rule| (rule.id, ask(rule))).collect::<Vec<_>>()
    };
    let mut all = std::thread::scope(|scope| {
        let other = scope.spawn(work);
        let mut all = work();
        // A panic in a thread has already ended the program with its message.
        all.extend(other.join().unwrap_or_default());
        all
    });
    all.sort_by_key(|(id, _)| *id);
    all.into_iter().flat_map(|(_, found)| found).collect()
}

/// Converts the line breaks of fixes, which rules write as LF, to those of the file.
fn end_lines_alike(view: &SkillView<'_>, findings: &mut [Finding]) {
    for finding in findings {
        let text = view.file(&finding.path).and_then(|file| file.text.as_deref());
        if let (Some(fix), Some(text)) = (&mut finding.issue.fix, text) {
            fix.end_lines_as(text);
        }
    }
}

impl LintedSkill {
    /// The findings that are not suppressed, in order and with positions. `has_store` says whether rules about stores
    /// ran too.
    pub fn located(&self, trust: Trust, has_store: bool) -> Vec<Located> {
        let mut by_file: BTreeMap<&RelPath, Vec<Finding>> = BTreeMap::new();
        for finding in &self.findings {
            by_file.entry(&finding.path).or_default().push(finding.clone());
        }
        if trust == Trust::Author {
            for file in self.files.iter().filter(|file| file.has_directives) {
                by_file.entry(&file.path).or_default();
            }
        }
        by_file
            .into_iter()
            .flat_map(|(path, findings)| self.of_file(path, findings, trust, has_store))
            .collect()
    }

    fn of_file(&self, path: &RelPath, findings: Vec<Finding>, trust: Trust, has_store: bool) -> Vec<Located> {
        let view = SkillView { context: &self.context, files: &self.files };
        let file = view.file(path);
        let mut findings = match (file, trust) {
            (Some(file), Trust::Author) => {
                silence(file, findings, &self.context.settings, &skl002_unused_directive::RULE, |rule| {
                    has_store || is_known_for_one_skill(rule)
                })
            }
            _ => findings,
        };
        findings.retain(|finding| trust == Trust::Untrusted || finding.confidence == Confidence::High);
        sort(&mut findings);
        locate(file, findings)
    }

    /// The skill's SKILL.md.
    pub fn skill_md(&self) -> Option<&LintFile> {
        self.files.iter().find(|file| file.is_skill_md())
    }
}
