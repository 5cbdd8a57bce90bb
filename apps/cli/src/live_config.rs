//! The configuration of a server: read for each call, and parsed again if a file has changed.

use crate::config::{self, read};
use crate::environment::Surroundings;
use crate::print::Printer;
use skillc_domain::fault::{Fault, Warning};
use skillc_ops::workspace::{Workspace, WorkspaceResolver};
use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

/// Maximum number of distinct configuration problems that are reported; each is reported once.
const PROBLEMS_MAX: usize = 256;

/// Resolves workspaces with the current configuration. Problems in its files are printed.
pub fn resolver(surroundings: Surroundings, printer: &Printer) -> WorkspaceResolver {
    let last: Mutex<Option<(ConfigTexts, Workspace)>> = Mutex::default();
    let problems = ReportedProblems { printer: printer.clone(), lines: Mutex::default() };
    Arc::new(move |cwd: &Path| {
        let there = surroundings.moved_to(cwd);
        let texts = ConfigTexts::of(&there, cwd);
        let mut last = last.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, known)) = last.as_ref().filter(|(known, _)| *known == texts) {
            return known.clone();
        }
        let loaded = config::load(&there);
        problems.report(&loaded.problems, &loaded.warnings);
        let places = there.places_with(&loaded.settings);
        let workspace = Workspace { places, settings: loaded.settings, environment: there.environment };
        *last = Some((texts, workspace.clone()));
        workspace
    })
}

/// The texts of the configuration files of a working directory. The files are small; stamps could miss a quick edit.
#[derive(PartialEq, Eq)]
struct ConfigTexts {
    cwd: PathBuf,
    users: Result<Option<String>, String>,
    project: Option<(PathBuf, Result<Option<String>, String>)>,
}

impl ConfigTexts {
    fn of(surroundings: &Surroundings, cwd: &Path) -> Self {
        let project = surroundings.environment.project_config.clone();
        Self {
            cwd: cwd.to_owned(),
            users: read::users(&surroundings.global_config()),
            project: project.map(|path| (path.clone(), read::projects(&path))),
        }
    }
}

/// Prints each problem once.
struct ReportedProblems {
    printer: Printer,
    lines: Mutex<HashSet<String>>,
}

impl ReportedProblems {
    fn report(&self, problems: &[Fault], warnings: &[Warning]) {
        let mut lines = self.lines.lock().unwrap_or_else(PoisonError::into_inner);
        let mut is_new = |line: String| lines.len() < PROBLEMS_MAX && lines.insert(line);
        problems.iter().filter(|fault| is_new(fault.line())).for_each(|fault| self.printer.fault(fault));
        warnings.iter().filter(|w| is_new(w.line())).for_each(|warning| self.printer.warning(warning));
    }
}
