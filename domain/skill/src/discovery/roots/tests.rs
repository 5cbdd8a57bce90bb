use super::*;
use crate::places::SourceRoot;
use SkillScope::{Repo, User};

/// A project `/h/p` in which the working directory is `/h/p/sub`. These paths exist.
fn with_scene<T>(settings: &DiscoverySettings, existing: &[&str], ask: impl Fn(&RootScene<'_>) -> T) -> T {
    let places = Places::new("/h".into(), "/h/p/sub".into(), Some("/h/p".into()));
    let exists = |path: &Path| existing.iter().any(|known| Path::new(known) == path);
    ask(&RootScene { places: &places, settings, var: &|_| None, exists: &exists })
}

fn repository(settings: &DiscoverySettings, existing: &[&str]) -> PathBuf {
    with_scene(settings, existing, |scene| scene.repository())
}

fn roots(settings: &DiscoverySettings, existing: &[&str], which: Which) -> Vec<SkillRoot> {
    with_scene(settings, existing, |scene| scene.roots(Path::new("/h/p"), which))
}

/// Each root as `path (label)`.
fn told(roots: &[SkillRoot], scope: SkillScope) -> Vec<String> {
    let of_scope = roots.iter().filter(|root| root.scope == scope);
    of_scope.map(|root| format!("{} ({})", root.path.display(), root.label)).collect()
}

fn find<'a>(roots: &'a [SkillRoot], path: &str) -> &'a SkillRoot {
    roots.iter().find(|root| root.path == Path::new(path)).unwrap()
}

/// RFC-0010:C-CATALOG
#[test]
fn the_repository_is_named_or_the_nearest_folder_with_a_marker() {
    let default = DiscoverySettings::default();
    let marked = DiscoverySettings { markers: vec!["Makefile".into()], ..default.clone() };
    let named = DiscoverySettings { agents_root: Some("/other".into()), ..default.clone() };
    for (settings, existing, root) in [
        (&default, ["/h/p/.git", "/h/.git"], "/h/p"),
        (&default, ["/h/p/.jj", "/h/p/sub/.codelia"], "/h/p/sub"),
        (&default, ["/h/p/.skillc", "/h/.skillc"], "/h/p"),
        (&default, ["/h/.skillc", "/h/p/Makefile"], "/h/p/sub"),
        (&default, ["/h/.skillc", "/h/.git"], "/h"),
        (&marked, ["/h/p/Makefile", "/h/p/sub/.git"], "/h/p"),
        (&marked, ["/h/p/.git", "/.git"], "/h/p/sub"),
        (&named, ["/h/p/.git", "/h/.git"], "/other"),
    ] {
        assert_eq!(repository(settings, &existing), Path::new(root), "{existing:?}");
    }
}

/// RFC-0010:C-CATALOG
#[test]
fn the_shared_folders_and_stores_come_first_the_repositorys_before_the_users() {
    let roots = roots(&DiscoverySettings::default(), &[], Which::Standard);
    let expected =
        ["/h/p/.agents/skills (agents)", "/h/p/sub/.agents/skills (agents)", "/h/p/.skillc/skills (skillc)"];
    assert_eq!(told(&roots, Repo), expected);
    assert_eq!(told(&roots, User), ["/h/.agents/skills (agents)", "/h/.skillc/skills (skillc)"]);
    assert!(roots.is_sorted_by_key(|root| root.scope));
    assert!(roots.iter().all(|root| root.taken_by == Which::Standard && root.takes_folders));
}

/// RFC-0010:C-CATALOG
#[test]
fn the_folders_of_the_home_are_the_users_even_if_it_is_the_repository() {
    let settings = DiscoverySettings { roots: vec!["/h/own".into()], ..DiscoverySettings::default() };
    let roots = with_scene(&settings, &[], |scene| scene.roots(Path::new("/h"), Which::Standard));
    assert!(!told(&roots, Repo).iter().any(|root| root.starts_with("/h/.agents")));
    assert!(told(&roots, Repo).contains(&"/h/p/.agents/skills (agents)".to_owned()));
    assert_eq!(find(&roots, "/h/own").scope, User);
}

/// RFC-0010:C-CATALOG
#[test]
fn a_repository_that_does_not_hold_the_working_directory_has_its_own_folder_alone() {
    let settings = DiscoverySettings::default();
    let roots = with_scene(&settings, &[], |scene| scene.roots(Path::new("/other"), Which::Standard));
    assert_eq!(told(&roots, Repo), ["/other/.agents/skills (agents)", "/h/p/.skillc/skills (skillc)"]);
}

/// RFC-0010:C-CATALOG
#[test]
fn a_configured_folder_has_the_scope_of_where_it_is_and_its_path_as_label() {
    let settings = DiscoverySettings {
        roots: vec!["/h/p/more".into(), "/u".into(), "/h/p/.agents/skills".into()],
        python_roots: vec!["/u".into(), "/h/p/python".into()],
        ..DiscoverySettings::default()
    };
    let roots = roots(&settings, &[], Which::Standard);
    assert_eq!(told(&roots, Repo)[3..], ["/h/p/more (/h/p/more)", "/h/p/python (/h/p/python)"]);
    assert_eq!(told(&roots, User)[2..], ["/u (/u)", "/u (/u)"], "one for each kind of skills");
    let kinds: Vec<_> = roots.iter().rev().take(2).map(|root| root.kind).collect();
    assert_eq!(kinds, [SkillKind::Python, SkillKind::Markdown]);
    assert_eq!(find(&roots, "/h/p/.agents/skills").label, "agents", "which it already is");
}

/// RFC-0010:C-CATALOG
#[test]
fn the_folders_of_claude_code_and_of_agents_on_this_machine_are_read_by_default() {
    let roots = roots(&DiscoverySettings::default(), &["/h/.gemini", "/h/.codex"], Which::Default);
    let agents = |scope| told(&roots, scope).split_off(if scope == Repo { 3 } else { 2 });
    let project = [".claude/skills (claude-code)", ".codex/skills (codex)", ".gemini/skills (gemini-cli)"];
    for folder in ["/h/p", "/h/p/sub"] {
        for root in project {
            assert!(agents(Repo).contains(&format!("{folder}/{root}")), "{root}");
        }
    }
    assert_eq!(agents(Repo).len(), 6, "and no others: {:?}", agents(Repo));
    let expected = [
        "/h/.claude/skills (claude-code)",
        "/h/.gemini/skills (gemini-cli)",
        "/h/.codex/skills (codex)",
        "/etc/codex/skills (codex)",
    ];
    assert_eq!(agents(User), expected);
    assert_eq!(find(&roots, "/h/.claude/skills").taken_by, Which::Default);
}

/// RFC-0010:C-CATALOG
#[test]
fn the_folders_of_every_other_agent_are_read_on_request() {
    let all = roots(&DiscoverySettings::default(), &[], Which::All);
    for (path, which) in [
        ("/h/p/.agents/skills", Which::Standard),
        ("/h/p/.claude/skills", Which::Default),
        ("/h/p/.cursor/skills", Which::All),
        ("/h/.cursor/skills", Which::All),
    ] {
        assert_eq!(find(&all, path).taken_by, which, "{path}");
    }
    let fewer = roots(&DiscoverySettings::default(), &[], Which::Default);
    assert!(fewer.iter().all(|root| root.taken_by <= Which::Default) && fewer.len() < all.len());
}

/// RFC-0010:C-SINGLE
#[test]
fn markdown_files_are_skills_in_the_stores_or_in_the_folders_that_are_named_instead() {
    let taking = |markdown_roots: Option<Vec<PathBuf>>| {
        let python_roots = vec!["/h/p/notes".into()];
        let settings = DiscoverySettings { markdown_roots, python_roots, ..DiscoverySettings::default() };
        let roots = roots(&settings, &[], Which::Standard);
        let taking = roots.into_iter().filter(|root| root.takes_files);
        taking.map(|root| format!("{} {}", root.path.display(), root.takes_folders)).collect::<Vec<_>>()
    };
    assert_eq!(taking(None), ["/h/p/.skillc/skills true", "/h/.skillc/skills true"]);
    let named = vec!["/h/p/notes".into(), "/h/.agents/skills".into()];
    assert_eq!(taking(Some(named)), ["/h/p/notes false", "/h/.agents/skills true"]);
    assert!(taking(Some(Vec::new())).is_empty());
}

/// RFC-0001:C-TARGETS
#[test]
fn one_agent_reads_its_own_folders_the_repositorys_first() {
    let settings = DiscoverySettings::default();
    let of = |id: &str| {
        let roots = with_scene(&settings, &[], |scene| scene.roots_of(id, Path::new("/h/p")));
        assert!(roots.iter().all(|root| root.label == id && !root.takes_files));
        roots.iter().map(|root| root.path.display().to_string()).collect::<Vec<_>>()
    };
    let claude = ["/h/p/.claude/skills", "/h/p/sub/.claude/skills", "/h/.claude/skills"];
    assert_eq!(of("claude-code"), claude);
    let cursor = ["/h/p/.agents", "/h/p/.cursor", "/h/p/sub/.agents", "/h/p/sub/.cursor", "/h/.cursor"];
    assert_eq!(of("cursor"), cursor.map(|folder| format!("{folder}/skills")));
    assert!(of("nobody").is_empty());
}

/// RFC-0010:C-SINGLE
#[test]
fn an_agent_that_reads_a_store_gets_its_single_files() {
    let roots = [SourceRoot { scope: Scope::Project, folder: "/h/p/.claude/skills".into() }];
    let places = Places::new("/h".into(), "/h/p".into(), Some("/h/p".into())).with_source_roots(&roots);
    let settings = DiscoverySettings::default();
    let scene = RootScene { places: &places, settings: &settings, var: &|_| None, exists: &|_| false };
    let takes_files =
        scene.roots_of("claude-code", Path::new("/h/p")).into_iter().map(|root| root.takes_files);
    assert_eq!(takes_files.collect::<Vec<_>>(), [true, false]);
}
