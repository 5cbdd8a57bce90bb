//! Surveys a skill: walks it and collects the stamp of each file, which builds compare with the index.

use crate::clock::unix_ns;
use crate::sandbox::{self, FileStat};
use crate::walk::{FolderListener, FoundFiles, SkipReason, SkippedEntry, WalkedFile, walk, walk_to_survey};
use cap_std::fs::Dir;
use skillc_domain::fault::Warning;
use skillc_domain::path::RelPath;
use skillc_domain::survey::{ListedFiles, NameFilter, Survey, SurveyedFile};
use skillc_ports::error::PortError;
use std::ffi::OsString;
use std::io;
use std::path::Path;
use std::thread;
use std::time::SystemTime;

/// Number of remaining files from which a second thread pays off; for fewer, starting it costs more than it saves.
const PARALLEL_FILES_MIN: usize = 400;

/// Surveys an open folder.
///
/// # Errors
/// As `walk`.
pub(crate) fn survey(root: &Dir) -> Result<Survey, PortError> {
    survey_with_listener(root, None).map(|seen| seen.survey)
}

/// A survey, and whether watching its folders is sufficient to keep it current.
pub(crate) struct ObservedSurvey {
    pub(crate) survey: Survey,
    /// Whether there are no symbolic or hard links, so that every change happens in one of its folders.
    #[cfg_attr(not(target_os = "linux"), expect(dead_code, reason = "only a watched survey asks for it"))]
    pub(crate) is_within_folders: bool,
}

/// Surveys an open folder; calls the listener with each folder before reading it.
///
/// # Errors
/// As `walk`.
pub(crate) fn survey_with_listener<'a>(
    root: &'a Dir,
    listener: FolderListener<'a>,
) -> Result<ObservedSurvey, PortError> {
    let taken_ns = unix_ns(SystemTime::now());
    let FoundFiles { folders, files, escaping, skipped, has_links, has_other_names, hidden: _ } =
        walk_to_survey(root, listener)?;
    let warnings = warnings(skipped);
    let mut escaping: Vec<RelPath> = escaping.into_iter().map(rel_path).collect();
    escaping.sort_unstable();
    let StampedFiles { files, has_other_names: has_more_names } = stamped(root, &folders, files);
    let is_within_folders = !has_links && !has_other_names && !has_more_names;
    Ok(ObservedSurvey { survey: Survey { files, escaping, warnings, taken_ns }, is_within_folders })
}

/// The files of an open folder; examines none of them. As `walk`.
///
/// # Errors
/// As `walk`.
pub(crate) fn listing(root: &Dir) -> Result<ListedFiles, PortError> {
    let FoundFiles { files, skipped, .. } = walk(root, NameFilter::Visible)?;
    let mut files: Vec<RelPath> = files.into_iter().map(|file| rel_path(file.path)).collect();
    files.sort_unstable();
    Ok(ListedFiles { files, warnings: warnings(skipped) })
}

/// The warnings of a walk, in the order of their paths.
fn warnings(mut skipped: Vec<SkippedEntry>) -> Vec<Warning> {
    skipped.sort_by(|a, b| a.path.cmp(&b.path));
    skipped.into_iter().map(warning).collect()
}

struct StampedFiles {
    files: Vec<SurveyedFile>,
    has_other_names: bool,
}

/// Examines files and sorts them by path. Omits those that were deleted in the meantime.
fn stamped(root: &Dir, folders: &[OsString], mut files: Vec<WalkedFile>) -> StampedFiles {
    let left = files.iter().filter(|file| file.stamp.is_none()).count();
    if left < PARALLEL_FILES_MIN {
        return stamped_in_turn(root, folders, files);
    }
    // The walk has already examined those at the beginning.
    let second_half = files.split_off(files.len() - left / 2);
    let mut both = thread::scope(|scope| {
        let second = scope.spawn(|| stamped_in_turn(root, folders, second_half));
        let mut first = stamped_in_turn(root, folders, files);
        let second = second.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
        first.files.extend(second.files);
        first.has_other_names |= second.has_other_names;
        first
    });
    // The stable sort merges two sorted runs in one pass.
    both.files.sort_by(|a, b| a.path.cmp(&b.path));
    both
}

fn stamped_in_turn(root: &Dir, folders: &[OsString], files: Vec<WalkedFile>) -> StampedFiles {
    let mut open = OpenFolder { root, folders, current: None };
    let mut has_other_names = false;
    let mut look = |file: &WalkedFile| {
        let looked = open.look(file)?;
        has_other_names |= looked.has_other_names;
        Some(looked.stamp)
    };
    let stamped = |file: WalkedFile| {
        let stamp = file.stamp.or_else(|| look(&file))?;
        Some(SurveyedFile { path: rel_path(file.path), stamp })
    };
    let mut files: Vec<SurveyedFile> = files.into_iter().filter_map(stamped).collect();
    files.sort_unstable_by(|a, b| a.path.cmp(&b.path));
    StampedFiles { files, has_other_names }
}

/// The folder of the current file, opened once for all files in it.
struct OpenFolder<'a> {
    root: &'a Dir,
    folders: &'a [OsString],
    current: Option<(usize, io::Result<Dir>)>,
}

impl OpenFolder<'_> {
    fn look(&mut self, file: &WalkedFile) -> Option<FileStat> {
        if self.current.as_ref().is_none_or(|(at, _)| *at != file.folder) {
            let path = &self.folders[file.folder];
            let path = if path.is_empty() { Path::new(".") } else { Path::new(path) };
            self.current = Some((file.folder, self.root.open_dir(path)));
        }
        let (_, folder) = self.current.as_ref()?;
        sandbox::stat_file(folder.as_ref().ok()?, Path::new(&file.path).file_name()?)
    }
}

fn warning(skipped: SkippedEntry) -> Warning {
    let path = skipped.path.to_string_lossy().into_owned();
    match skipped.reason {
        SkipReason::Name => Warning::NameNotUtf8 { path },
        SkipReason::Refused(error) => Warning::FileUnreadable { path, message: refusal(&error).to_owned() },
    }
}

fn refusal(error: &io::Error) -> &'static str {
    match error.kind() {
        io::ErrorKind::PermissionDenied => "permission denied",
        io::ErrorKind::InvalidFilename => "path too long",
        _ => "the system reported a failure",
    }
}

/// The hidden entries of an open folder, in order.
///
/// # Errors
/// As `walk`.
pub(crate) fn hidden(root: &Dir) -> Result<Vec<RelPath>, PortError> {
    let hidden = walk(root, NameFilter::Visible)?.hidden;
    let mut hidden: Vec<RelPath> =
        hidden.into_iter().filter_map(|path| Some(RelPath::from_walk(path.into_string().ok()?))).collect();
    hidden.sort_unstable();
    Ok(hidden)
}

/// Converts a path of a walk.
pub(crate) fn rel_path(walked: OsString) -> RelPath {
    RelPath::from_walk(walked.into_string().unwrap_or_else(|raw| raw.to_string_lossy().into_owned()))
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use crate::walk::STAMPED_AT_ONCE_MAX;
    use std::ffi::OsStr;
    use std::fs;
    use std::os::unix::ffi::OsStrExt;
    use std::os::unix::fs::symlink;
    use tempfile::TempDir;

    /// A skill with these files; a path that ends with `/` is a folder.
    fn skill(paths: &[&str]) -> TempDir {
        let root = TempDir::new().unwrap();
        for path in paths {
            let path_there = root.path().join(path);
            fs::create_dir_all(if path.ends_with('/') { &path_there } else { path_there.parent().unwrap() })
                .unwrap();
            if !path.ends_with('/') {
                fs::write(path_there, path).unwrap();
            }
        }
        root
    }

    fn survey_of(root: &TempDir) -> Survey {
        survey(&sandbox::open_folder(root.path()).unwrap()).unwrap()
    }

    fn listed(survey: &Survey) -> Vec<&str> {
        survey.files.iter().map(|file| file.path.as_str()).collect()
    }

    /// RFC-0007:C-FILES
    #[test]
    fn hidden_files_are_skipped() {
        let root = skill(&["SKILL.md", ".env", ".git/config", "a/.b/c.md", "a/d.md", "a/..e"]);
        symlink("../.git/config", root.path().join("a/shown")).unwrap();
        symlink("d.md", root.path().join("a/.link")).unwrap();
        let survey = survey_of(&root);
        assert_eq!(listed(&survey), ["SKILL.md", "a/d.md", "a/shown"]);
        assert!(survey.warnings.is_empty() && survey.escaping.is_empty());
    }

    #[test]
    fn a_skill_in_a_hidden_folder_is_walked() {
        let root = skill(&[".skillc/skills/x/SKILL.md"]);
        let inner = sandbox::open_folder(&root.path().join(".skillc/skills/x")).unwrap();
        assert_eq!(listed(&survey(&inner).unwrap()), ["SKILL.md"]);
    }

    /// RFC-0007:C-FILES
    #[test]
    fn a_link_inside_is_followed_and_a_loop_ends() {
        let root = skill(&["SKILL.md", "real/a.md", "real/deep/b.md", "other/c.md"]);
        let link = |to: &str, at: &str| symlink(to, root.path().join(at)).unwrap();
        link("real", "link");
        link("../other", "real/onward");
        link("SKILL.md", "same.md");
        link("..", "real/upward");
        link(".", "itself");
        link("loop", "loop");
        link("nothing", "dangling");
        link("b", "a");
        link("a", "b");
        let survey = survey_of(&root);
        let expected = [
            "SKILL.md",
            "link/a.md",
            "link/deep/b.md",
            "other/c.md",
            "real/a.md",
            "real/deep/b.md",
            "real/onward/c.md",
            "same.md",
        ];
        assert_eq!(listed(&survey), expected);
        assert!(survey.warnings.is_empty() && survey.escaping.is_empty(), "{survey:?}");
    }

    /// RFC-0001:C-CONSTRAINTS
    #[test]
    fn a_link_that_leads_out_is_reported_and_not_followed() {
        let outside = skill(&["x/secret.md"]);
        let root = skill(&["SKILL.md", "a/b.md"]);
        symlink(outside.path().join("x"), root.path().join("z")).unwrap();
        symlink("../../x", root.path().join("a/climbs")).unwrap();
        symlink(outside.path().join("x/secret.md"), root.path().join("a/secret.md")).unwrap();
        let survey = survey_of(&root);
        assert_eq!(listed(&survey), ["SKILL.md", "a/b.md"]);
        let escaping: Vec<_> = survey.escaping.iter().map(RelPath::as_str).collect();
        assert_eq!(escaping, ["a/climbs", "a/secret.md", "z"]);
    }

    /// RFC-0007:C-FILES
    #[cfg(target_os = "linux")]
    #[test]
    fn a_file_whose_name_is_not_utf8_is_skipped_with_a_warning() {
        let root = skill(&["SKILL.md", "line\nbreak.md"]);
        fs::write(root.path().join(OsStr::from_bytes(b"b\xff.md")), "x").unwrap();
        fs::create_dir(root.path().join(OsStr::from_bytes(b"a\xff"))).unwrap();
        fs::write(root.path().join(OsStr::from_bytes(b"a\xff/c.md")), "x").unwrap();
        let survey = survey_of(&root);
        assert_eq!(listed(&survey), ["SKILL.md", "line\nbreak.md"]);
        let name = |path: &str| Warning::NameNotUtf8 { path: path.to_owned() };
        assert_eq!(survey.warnings, [name("a\u{fffd}"), name("b\u{fffd}.md")]);
    }

    /// RFC-0007:C-FILES
    #[test]
    fn a_folder_that_cannot_be_read_is_passed_over_with_a_warning() {
        use std::os::unix::fs::PermissionsExt;
        let root = skill(&["SKILL.md", "closed/a.md"]);
        let closed = root.path().join("closed");
        fs::set_permissions(&closed, PermissionsExt::from_mode(0o000)).unwrap();
        let is_root = fs::read_dir(&closed).is_ok();
        let survey = survey_of(&root);
        fs::set_permissions(&closed, PermissionsExt::from_mode(0o700)).unwrap();
        if is_root {
            // Nothing is inaccessible to root; `a_path_too_long…` covers the same code.
            return assert_eq!(listed(&survey), ["SKILL.md", "closed/a.md"]);
        }
        assert_eq!(listed(&survey), ["SKILL.md"]);
        let message = "permission denied".to_owned();
        assert_eq!(survey.warnings, [Warning::FileUnreadable { path: "closed".into(), message }]);
    }

    /// RFC-0007:C-FILES
    #[cfg(target_os = "linux")]
    #[test]
    fn a_path_too_long_is_passed_over_with_a_warning() {
        let root = skill(&["SKILL.md"]);
        let mut folder = sandbox::open_folder(root.path()).unwrap();
        let name = "d".repeat(250);
        for _ in 0..17 {
            folder.create_dir(&name).unwrap();
            folder = folder.open_dir(&name).unwrap();
        }
        folder.write("too-deep.md", "x").unwrap();
        let survey = survey_of(&root);
        assert_eq!(listed(&survey), ["SKILL.md"]);
        let [Warning::FileUnreadable { path, message }] = &survey.warnings[..] else { panic!("{survey:?}") };
        assert!(path.len() > 4_000 && message == "path too long", "{message}");
    }

    #[test]
    fn four_hundred_folders_deep_is_not_too_deep() {
        let deep = format!("{}x.md", "d/".repeat(400));
        let root = skill(&["SKILL.md", &deep]);
        assert_eq!(listed(&survey_of(&root)), ["SKILL.md", &deep]);
    }

    #[test]
    fn two_threads_find_what_one_does_in_the_order_of_bytes() {
        let count = STAMPED_AT_ONCE_MAX + PARALLEL_FILES_MIN + 7;
        let paths: Vec<String> = (0..count).map(|i| format!("f{}/x{i}.md", i % 9)).collect();
        let root = skill(&paths.iter().map(String::as_str).chain(["f1.md", "f1-a"]).collect::<Vec<_>>());
        let (first, second) = (survey_of(&root), survey_of(&root));
        assert_eq!(first.files, second.files);
        assert_eq!(first.files.len(), paths.len() + 2);
        assert!(first.files.windows(2).all(|two| two[0].path < two[1].path));
        assert!(first.files.iter().all(|file| file.stamp.size > 0 && file.stamp.mtime_ns > 0));
    }

    #[test]
    fn an_edit_shows_in_the_stamp() {
        let root = skill(&["SKILL.md"]);
        let before = survey_of(&root);
        fs::write(root.path().join("SKILL.md"), "longer than before").unwrap();
        let after = survey_of(&root);
        assert_ne!(before.files, after.files);
        assert!(before.taken_ns <= after.taken_ns);
    }

    /// RFC-0001:C-INPUT
    #[test]
    fn a_skill_with_too_many_files_is_refused() {
        // 320 links to a folder of 320 files add up to 102,400.
        let names: Vec<String> = (0..320).map(|i| format!("many/{i}")).collect();
        let root = skill(&names.iter().map(String::as_str).collect::<Vec<_>>());
        for i in 0..320 {
            symlink("many", root.path().join(format!("link{i}"))).unwrap();
        }
        let refused = survey(&sandbox::open_folder(root.path()).unwrap()).unwrap_err();
        assert_eq!(refused.kind, skillc_ports::error::ErrorKind::TooLarge);
    }
}
