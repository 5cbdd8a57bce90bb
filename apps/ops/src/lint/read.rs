//! Reads and parses the files of a skill once, in parallel, and runs the rules about single files.

use super::eval_file::eval_file;
use super::project_code::ProjectCode;
use super::surroundings::Neighborhoods;
use crate::app::App;
use crate::failure::Failure;
use skillc_domain::fault::Warning;
use skillc_domain::format::{format_of, is_markdown};
use skillc_domain::frontmatter::{FrontMatterSpan, Opening};
use skillc_domain::limits::TEXT_BYTES_MAX;
use skillc_domain::path::RelPath;
use skillc_domain::survey::SurveyedFile;
use skillc_lint::cut_sample::cut_samples;
use skillc_lint::directive::may_direct;
use skillc_lint::rule::{Check, Pattern, Rule, Severity};
use skillc_lint::rules::skl402_file_not_mentioned;
use skillc_lint::security::pdf;
use skillc_lint::view::{FrontMatterState, LintFile, PatternHit, SkillContext};
use skillc_lint::{FileView, Finding, RULES};
use skillc_ports::{CompiledPatterns, DocumentReader, ErrorKind, PatternSearch, SkillTree};
use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Number of bytes at the start of a file that is not text, for rules to inspect.
const HEAD_BYTES: usize = 512;
/// Number of files that a thread takes at a time: few enough to share the last ones evenly, but enough to be cheap.
const FILES_AT_A_TIME: usize = 16;
/// Number of bytes up to which no thread is used; starting one takes as long.
const BYTES_HERE_MAX: u64 = 128 * 1024;

/// Texts that replace files, by path: fixes that have not been written yet.
pub type Overlay = BTreeMap<RelPath, String>;

/// The rules and patterns of a run, compiled once for all skills.
pub struct Engine {
    reader: Arc<dyn DocumentReader>,
    patterns: Arc<dyn CompiledPatterns>,
    /// For each pattern, its rule and index there.
    owners: Vec<(&'static Rule, usize)>,
    /// The siblings of the run's skills.
    pub(super) neighborhoods: Neighborhoods,
    /// The code of the projects around them.
    pub(super) code: ProjectCode,
}

/// A file that was read, with its findings.
#[derive(Default)]
pub struct Read {
    /// The file.
    pub file: LintFile,
    /// Findings of the rules about single files.
    pub findings: Vec<Finding>,
    /// Why its text was not read, if it was not.
    pub warning: Option<Warning>,
}

impl Engine {
    /// Compiles the patterns of all rules.
    ///
    /// # Errors
    /// E999 if a pattern cannot be compiled; a test prevents that.
    pub fn new(app: &App) -> Result<Self, Failure> {
        Self::with(app.ports.reader.clone(), app.ports.patterns.as_ref()).map_err(Failure::from)
    }

    fn with(
        reader: Arc<dyn DocumentReader>,
        search: &dyn PatternSearch,
    ) -> Result<Self, skillc_ports::PortError> {
        let owned = |rule: &'static Rule| (0..rule.patterns.len()).map(move |at| (rule, at));
        let owners: Vec<_> = RULES.iter().copied().flat_map(owned).collect();
        let all: Vec<Pattern> = RULES.iter().flat_map(|rule| rule.patterns).copied().collect();
        let patterns = search.compile(&all)?;
        Ok(Self {
            reader,
            patterns,
            owners,
            neighborhoods: Neighborhoods::default(),
            code: ProjectCode::default(),
        })
    }

    /// Reads all files of a skill, in the order of the survey.
    pub fn read_all(&self, tree: &dyn SkillTree, context: &SkillContext, overlay: &Overlay) -> Vec<Read> {
        let files = &context.survey.files;
        let rules = rules_about_files(context);
        self.patterns.expect(files.iter().map(|file| file.stamp.size.min(TEXT_BYTES_MAX)).sum());
        let read = |file: &SurveyedFile| self.read(tree, context, &rules, overlay, file);
        let threads = threads(files);
        if threads < 2 {
            return files.iter().map(read).collect();
        }
        let next = AtomicUsize::new(0);
        let work = || {
            let mut done = Vec::new();
            loop {
                let start = next.fetch_add(FILES_AT_A_TIME, Ordering::Relaxed);
                let Some(rest) = files.get(start..) else { return done };
                done.extend(
                    rest.iter().take(FILES_AT_A_TIME).enumerate().map(|(at, f)| (start + at, read(f))),
                );
            }
        };
        let mut all: Vec<(usize, Read)> = std::thread::scope(|scope| {
            let others: Vec<_> = (1..threads).map(|_| scope.spawn(work)).collect();
            let mut done = work();
            // A panic in a thread has already ended the program with its message.
            others.into_iter().for_each(|other| done.extend(other.join().unwrap_or_default()));
            done
        });
        all.sort_unstable_by_key(|(at, _)| *at);
        all.into_iter().map(|(_, read)| read).collect()
    }

    fn read(
        &self,
        tree: &dyn SkillTree,
        context: &SkillContext,
        rules: &[(&'static Rule, Severity)],
        overlay: &Overlay,
        surveyed: &SurveyedFile,
    ) -> Read {
        let (file, warning) = self.parse(tree, context, overlay, surveyed);
        let mut findings = Vec::new();
        for (rule, severity) in rules {
            let Check::File(check) = rule.check else { continue };
            let view = FileView { context, file: &file };
            findings.extend(Finding::collect(rule, *severity, &file.path, |report| check(&view, report)));
        }
        Read { file, findings, warning }
    }

    fn parse(
        &self,
        tree: &dyn SkillTree,
        context: &SkillContext,
        overlay: &Overlay,
        surveyed: &SurveyedFile,
    ) -> (LintFile, Option<Warning>) {
        let path = surveyed.path.clone();
        let bare = LintFile { path: path.clone(), size: surveyed.stamp.size, ..LintFile::default() };
        let bytes = match overlay.get(&path) {
            Some(text) => text.clone().into_bytes(),
            None => match tree.read(&path, TEXT_BYTES_MAX) {
                Ok(content) => content.bytes,
                Err(error) => return (bare, unread(named(context, &path), error.kind, error.reason())),
            },
        };
        let bare = LintFile { size: bytes.len() as u64, actions: pdf::actions(&bytes), ..bare };
        let head = bytes[..bytes.len().min(HEAD_BYTES)].to_vec();
        match String::from_utf8(bytes).ok().filter(|text| !text.contains('\0')) {
            None => {
                let warning = format_of(&path).map(|_| Warning::FileNotUtf8 { path: named(context, &path) });
                (LintFile { head, ..bare }, warning)
            }
            Some(text) => (self.taken_apart(context, LintFile { head, ..bare }, text), None),
        }
    }

    fn taken_apart(&self, context: &SkillContext, file: LintFile, text: String) -> LintFile {
        let hits = self.patterns.find(&text).into_iter().map(|found| {
            let (rule, pattern) = self.owners[found.pattern];
            PatternHit { rule: rule.id, pattern, span: found.span }
        });
        let hits = hits.collect();
        let markup = is_markdown(&file.path).then(|| self.reader.markup(&text, Opening::of(&file.path)));
        let cut_samples = markup.as_ref().map(|markup| cut_samples(&text, markup)).unwrap_or_default();
        let front = match markup.as_ref().map(|markup| &markup.front_matter) {
            None | Some(FrontMatterSpan::None) => FrontMatterState::None,
            Some(FrontMatterSpan::Unclosed) => FrontMatterState::Unclosed,
            Some(FrontMatterSpan::Block { .. }) => match self.reader.front_matter(&text) {
                Ok(fields) => FrontMatterState::Fields(fields.unwrap_or_default()),
                Err(flaw) => FrontMatterState::Invalid(flaw),
            },
        };
        let named = skl402_file_not_mentioned::named_in(&context.file_names, &file.path, &text);
        let evals = eval_file(file.path.as_str(), &text);
        let has_directives = may_direct(&text);
        LintFile { has_directives, text: Some(text), markup, cut_samples, front, evals, named, hits, ..file }
    }
}

/// The enabled rules about single files.
fn rules_about_files(context: &SkillContext) -> Vec<(&'static Rule, Severity)> {
    let all = RULES.iter().map(|rule| (*rule, rule.severity_in(&context.settings)));
    all.filter(|(rule, severity)| matches!(rule.check, Check::File(_)) && *severity != Severity::Off)
        .collect()
}

/// A path with the skill's folder, since a run warns about files of many skills.
fn named(context: &SkillContext, path: &RelPath) -> String {
    format!("{}/{path}", context.folder)
}

fn unread(path: String, kind: ErrorKind, reason: &str) -> Option<Warning> {
    match kind {
        // The file vanished after the survey.
        ErrorKind::NotFound => None,
        ErrorKind::TooLarge => Some(Warning::FileTooLarge { path, limit: TEXT_BYTES_MAX }),
        _ => Some(Warning::FileUnreadable { path, message: reason.to_owned() }),
    }
}

fn threads(files: &[SurveyedFile]) -> usize {
    if files.iter().map(|file| file.stamp.size).sum::<u64>() <= BYTES_HERE_MAX {
        return 1;
    }
    std::thread::available_parallelism().map_or(1, usize::from)
}
