use super::*;
use crate::discovery::scan::ScannedFolder;
use crate::discovery::settings::Which;
use crate::survey::Stamp;

const USER: SkillScope = SkillScope::User;
const REPO: SkillScope = SkillScope::Repo;

fn root(path: &str, scope: SkillScope) -> SkillRoot {
    SkillRoot {
        path: path.into(),
        scope,
        label: format!("label of {path}"),
        kind: SkillKind::Markdown,
        taken_by: Which::Standard,
        takes_folders: true,
        takes_files: true,
    }
}

/// A head whose digest consists of this byte.
fn head(name: &str, digest: u8, flaws: &[&str]) -> SkillHead {
    let flaws = flaws.iter().map(|flaw| (*flaw).to_owned()).collect();
    SkillHead::Skill { name: name.into(), description: "Tests.".into(), digest: Digest([digest; 32]), flaws }
}

fn folder(name: &str, form: SkillForm, head: Option<SkillHead>) -> ScannedFolder {
    let stamp = Stamp { mtime_ns: 5_999_999, ..Stamp::default() };
    ScannedFolder {
        name: name.into(),
        skill: Some(ScannedSkill { form, stamp, head }),
        ..ScannedFolder::default()
    }
}

fn plain(name: &str) -> ScannedFolder {
    folder(name, SkillForm::File, Some(head(name, 1, &[])))
}

fn stub(name: &str, source: &str) -> ScannedFolder {
    folder(name, SkillForm::Stub, Some(SkillHead::Stub(source.into())))
}

fn linked(name: &str, target: &str) -> ScannedFolder {
    ScannedFolder { target: Some(target.into()), ..plain(name) }
}

/// A scan of these folders, all directly in the root.
fn scan(root: &str, folders: Vec<ScannedFolder>) -> ScannedRoot {
    let folders = [vec![ScannedFolder::default()], folders].concat();
    ScannedRoot { root: root.into(), folders, ..ScannedRoot::default() }
}

fn merged_with(
    roots: &[(SkillRoot, ScannedRoot)],
    sources: &HashMap<PathBuf, Arc<ScannedRoot>>,
    is_lenient: bool,
) -> SkillCatalog {
    let roots = roots.iter().map(|(root, scanned)| (root, scanned)).collect();
    let digest = |bytes: &[u8]| Digest([u8::try_from(bytes.len()).unwrap(); 32]);
    merge(&Merging { roots, sources, is_lenient, digest: &digest })
}

fn merged(roots: &[(SkillRoot, ScannedRoot)]) -> SkillCatalog {
    merged_with(roots, &HashMap::new(), false)
}

fn paths(catalog: &SkillCatalog) -> Vec<&str> {
    catalog.skills.iter().map(|skill| skill.path.to_str().unwrap()).collect()
}

fn errors(catalog: &SkillCatalog) -> Vec<String> {
    catalog.errors.iter().map(|e| format!("{}: {}", e.path.display(), e.message)).collect()
}

/// RFC-0010:C-CATALOG
#[test]
fn skills_of_the_repository_come_before_those_of_the_user_and_then_by_path() {
    let roots = [
        (root("/u", USER), scan("/u", vec![plain("a")])),
        (root("/r", REPO), scan("/r", vec![plain("z"), plain("b")])),
    ];
    let catalog = merged(&roots);
    assert_eq!(paths(&catalog), ["/r/b/SKILL.md", "/r/z/SKILL.md", "/u/a/SKILL.md"]);
    let first = &catalog.skills[0];
    assert_eq!((first.dir.to_str(), first.mtime_ms), (Some("/r/b"), 5));
    assert_eq!(first.id, "0d".repeat(8), "from the bytes of its path");
    assert_eq!((catalog.truncated, catalog.elsewhere, errors(&catalog).len()), (false, 0, 0));
}

/// RFC-0010:C-CATALOG
#[test]
fn a_skill_behind_links_is_one_entry_with_each_path_once() {
    let links = vec![plain("a"), linked("b", "/r/a"), linked("c", "/r/a")];
    let scanned = scan("/r", links);
    let roots = [
        (root("/r", REPO), scanned.clone()),
        (root("/r", USER), scanned.clone()),
        (root("/l", USER), scanned),
    ];
    let catalog = merged(&roots);
    assert_eq!(paths(&catalog), ["/r/a/SKILL.md"]);
    let locations: Vec<_> = catalog.skills[0].locations.iter().map(|l| l.path.to_str().unwrap()).collect();
    let expected = ["/r/a", "/r/b", "/r/c", "/l/a", "/l/b", "/l/c"].map(|dir| format!("{dir}/SKILL.md"));
    assert_eq!(locations, expected);
    assert_eq!(catalog.skills[0].locations[3].root, "label of /l");
}

/// RFC-0010:C-SINGLE
#[test]
fn a_single_file_is_its_own_path_and_belongs_to_the_folder_around_it() {
    let file = folder("notes.md", SkillForm::SingleFile, Some(head("notes", 1, &[])));
    let catalog = merged(&[(root("/r", REPO), scan("/r", vec![file]))]);
    let skill = &catalog.skills[0];
    assert_eq!((skill.path.to_str(), skill.dir.to_str()), (Some("/r/notes.md"), Some("/r")));
    assert_eq!(skill.locations[0].path.to_str(), Some("/r/notes.md"));
}

/// RFC-0010:C-CATALOG
#[test]
fn a_python_skill_is_identified_by_its_manifest() {
    let python = SkillRoot { kind: SkillKind::Python, ..root("/r", REPO) };
    let catalog = merged(&[(python, scan("/r", vec![plain("a")]))]);
    assert_eq!(paths(&catalog), ["/r/a/manifest.toml"]);
    assert_eq!(catalog.skills[0].locations[0].path.to_str(), Some("/r/a/manifest.toml"));
    assert_eq!(SkillKind::ALL.map(file_of), ["SKILL.md", "manifest.toml", "SKILL.md"]);
}

/// RFC-0010:C-CATALOG
#[test]
fn what_is_no_valid_skill_is_an_error_once() {
    let odd = vec![
        folder("bad", SkillForm::File, Some(SkillHead::Invalid("has no description".into()))),
        folder("fifo", SkillForm::NotAFile, None),
        folder("gone", SkillForm::File, None),
        ScannedFolder {
            name: "shut".into(),
            problem: Some("not readable".into()),
            ..ScannedFolder::default()
        },
    ];
    let scanned = scan("/r", odd);
    let catalog = merged(&[(root("/r", REPO), scanned.clone()), (root("/r", USER), scanned)]);
    assert!(catalog.skills.is_empty());
    let expected = [
        "/r/bad/SKILL.md: has no description",
        "/r/fifo/SKILL.md: not a regular file",
        "/r/shut: not readable",
    ];
    assert_eq!(errors(&catalog), expected, "and one that vanished is nothing");
}

/// RFC-0010:C-CATALOG
#[test]
fn a_skill_with_flaws_is_an_error_unless_the_reader_is_lenient() {
    let flawed = folder("a", SkillForm::File, Some(head("b", 1, &["one", "two"])));
    let roots = [(root("/r", REPO), scan("/r", vec![flawed, plain("c")]))];
    let strict = merged(&roots);
    assert_eq!(paths(&strict), ["/r/c/SKILL.md"]);
    assert_eq!(errors(&strict), ["/r/a/SKILL.md: one; two"]);
    assert_eq!((&*strict.errors[0].name, &*strict.errors[0].description), ("b", "Tests."));
    let lenient = merged_with(&roots, &HashMap::new(), true);
    assert_eq!(lenient.skills[0].flaws, ["one", "two"]);
    assert_eq!((lenient.skills.len(), lenient.errors.len()), (2, 0));
}

/// RFC-0010:C-CATALOG
#[test]
fn a_stub_is_a_location_of_its_source_wherever_that_is() {
    let sources: HashMap<PathBuf, Arc<ScannedRoot>> = [
        ("/s/x", vec![folder("", SkillForm::File, Some(head("x", 1, &[])))]),
        ("/s/file", vec![folder("", SkillForm::SingleFile, Some(head("file", 1, &[])))]),
        ("/s/none", vec![ScannedFolder::default()]),
    ]
    .into_iter()
    .map(|(path, folders)| (path.into(), Arc::new(ScannedRoot { folders, ..scan(path, vec![]) })))
    .collect();
    let bad = folder("bad", SkillForm::File, Some(SkillHead::Invalid("is bad".into())));
    let flawed = folder("flawed", SkillForm::File, Some(head("f", 1, &["is flawed"])));
    let stubs = ["/r/a", "/s/x", "/s/file", "/s/none", "/gone", "/r/bad", "/r/flawed"];
    let stubs = stubs.iter().enumerate().map(|(at, source)| stub(&format!("s{at}"), source)).collect();
    let roots = [
        (root("/stubs", REPO), scan("/stubs", stubs)),
        (root("/r", REPO), scan("/r", vec![plain("a"), bad, flawed])),
    ];
    let catalog = merged_with(&roots, &sources, false);
    assert_eq!(paths(&catalog), ["/r/a/SKILL.md", "/s/x/SKILL.md"]);
    let locations =
        |at: usize| catalog.skills[at].locations.iter().map(|l| (l.path.to_str().unwrap(), l.is_stub));
    let of_first: Vec<_> = locations(0).collect();
    assert_eq!(of_first, [("/r/a/SKILL.md", false), ("/stubs/s0/SKILL.md", true)]);
    assert_eq!(locations(1).collect::<Vec<_>>(), [("/stubs/s1/SKILL.md", true)]);
    let lost = |stub: &str, source: &str| {
        format!("/stubs/{stub}/SKILL.md: its source '{source}' does not exist or is not a skill")
    };
    let mut expected = vec!["/r/bad/SKILL.md: is bad".to_owned(), "/r/flawed/SKILL.md: is flawed".to_owned()];
    expected.extend([lost("s2", "/s/file"), lost("s3", "/s/none"), lost("s4", "/gone")]);
    assert_eq!(errors(&catalog), expected, "a bad source is told at the source");
}

/// RFC-0010:C-CATALOG
#[test]
fn the_source_of_a_repositorys_stub_is_the_users_outside_of_it() {
    let sources: HashMap<PathBuf, Arc<ScannedRoot>> = ["/r/src/in", "/u/out"]
        .into_iter()
        .map(|path| {
            let folders = vec![folder("", SkillForm::File, Some(head("x", 1, &[])))];
            (path.into(), Arc::new(ScannedRoot { folders, ..scan(path, vec![]) }))
        })
        .collect();
    let scanned = scan("/r/s", vec![stub("in", "/r/src/in"), stub("out", "/u/out")]);
    let bordered = ScannedRoot { border: Some("/r".into()), ..scanned.clone() };
    let scopes = |scanned: ScannedRoot| {
        let catalog = merged_with(&[(root("/r/s", REPO), scanned)], &sources, false);
        catalog.skills.iter().map(|skill| skill.scope).collect::<Vec<_>>()
    };
    assert_eq!(scopes(bordered), [REPO, USER]);
    assert_eq!(scopes(scanned), [REPO, REPO], "without a border");
}

#[test]
fn one_scan_that_ended_early_makes_the_catalog_truncated() {
    let cut = ScannedRoot { truncated: true, ..scan("/u", vec![]) };
    assert!(merged(&[(root("/r", REPO), scan("/r", vec![])), (root("/u", USER), cut)]).truncated);
}

/// RFC-0010:C-CATALOG
#[test]
fn names_that_several_skills_have_are_told_with_whether_these_are_copies() {
    let of = |name: &str, digest: u8, dir: &str| CatalogSkill {
        digest: Digest([digest; 32]),
        ..CatalogSkill::sample(name, "", dir)
    };
    let skills = [
        of("b", 1, "/1"),
        of("a", 1, "/2"),
        of("b", 2, "/3"),
        of("c", 1, "/4"),
        of("a", 1, "/5"),
        of("b", 2, "/6"),
    ];
    let told: Vec<_> =
        same_names(&skills).into_iter().map(|same| (same.name, same.paths.len(), same.are_copies)).collect();
    assert_eq!(told, [("a".to_owned(), 2, true), ("b".to_owned(), 3, false)]);
}
