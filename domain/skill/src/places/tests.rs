use super::*;

#[test]
fn a_relative_path_climbs_to_the_common_folder_and_down_again() {
    let relative = |from: &str, to: &str| relative(Path::new(from), Path::new(to)).display().to_string();
    assert_eq!(relative("/p/.claude/skills", "/p/.skillc/runtime/x"), "../../.skillc/runtime/x");
    assert_eq!(relative("/p", "/p/a/b"), "a/b");
    assert_eq!(relative("/p/a", "/q"), "../../q");
}

/// RFC-0007:C-RESOLUTION
#[test]
fn configured_stores_follow_their_scopes_own_one() {
    let root = |scope, folder: &str| SourceRoot { scope, folder: folder.into() };
    let roots = [
        root(Scope::Project, "/p/skills"),
        root(Scope::Project, "/outer/skills"),
        root(Scope::Global, "/w/skills"),
    ];
    let places = Places::new("/h".into(), "/p".into(), Some("/p".into())).with_source_roots(&roots);
    assert_eq!(places.stores(Scope::Project), ["/p/.skillc/skills", "/p/skills"].map(PathBuf::from));
    assert_eq!(places.stores(Scope::Global), ["/h/.skillc/skills", "/w/skills"].map(PathBuf::from));
    assert_eq!(places.scope_of(Path::new("/p/skills/x")), Some(Scope::Project));
    assert_eq!(places.store_of_new(Scope::Project), Some("/p/skills".into()));
}

#[test]
fn stores_and_runtimes_stand_below_their_base() {
    let places = Places::new("/h".into(), "/p/src".into(), Some("/p".into()));
    assert_eq!(places.store(Scope::Project).unwrap(), Path::new("/p/.skillc/skills"));
    assert_eq!(places.runtime(Scope::Global, "x").unwrap(), Path::new("/h/.skillc/runtime/x"));
    assert_eq!(places.scope_of(Path::new("/h/.skillc/skills/x")), Some(Scope::Global));
    assert_eq!(places.scope_of(Path::new("/h/.skillc/skills/x/y")), None);
    assert_eq!(below("/a".into(), Path::new("b/../../c/./d")), Path::new("/c/d"));
    assert!(is_index_name("search-0123456789abcdef.db"));
    for other in ["search-../../x.db", "search-0123456789abcdef.db/x", "../search-0123456789abcdef.db", ""] {
        assert!(!is_index_name(other), "{other}");
    }
    assert!(is_runtime(Path::new("/p/.skillc/runtime/x")));
    assert!(!is_runtime(Path::new("/p/.claude/skills/x")));
}

/// Home `/h`, project `/p`, working directory `/p/src`, and a store `/p/skills`.
fn places() -> Places {
    let roots = [SourceRoot { scope: Scope::Project, folder: "/p/skills".into() }];
    Places::new("/h".into(), "/p/src".into(), Some("/p".into())).with_source_roots(&roots)
}

fn outside() -> Places {
    Places::new("/h".into(), "/w".into(), None)
}

/// RFC-0007:C-RESOLUTION
#[test]
fn outside_a_project_there_is_nothing_of_one() {
    let (project, places) = (Scope::Project, outside());
    assert_eq!((places.skillc_dir(project), places.runtimes(project)), (None, None));
    assert_eq!(
        (places.base(project), places.store(project), places.runtime(project, "x")),
        (None, None, None)
    );
    assert!(places.stores(project).is_empty() && places.store_of_new(project).is_none());
    assert!(!places.is_in_project(Path::new("/w")));
    assert_eq!(places.skillc_dir(Scope::Global), Some("/h/.skillc".into()));
    assert_eq!(places.base(Scope::Global), Some(Path::new("/h")));
    assert_eq!(places.store_of_new(Scope::Global), Some("/h/.skillc/skills".into()));
}

#[test]
fn a_scope_has_its_folders_in_its_own_skillc_folder() {
    let places = Places { own: "/linked".into(), ..places() };
    for (scope, base, own) in [(Scope::Project, "/p", "/p/.skillc"), (Scope::Global, "/h", "/linked")] {
        let own = Path::new(own);
        assert_eq!((places.base(scope), places.skillc_dir(scope)), (Some(Path::new(base)), Some(own.into())));
        assert_eq!(places.runtimes(scope), Some(own.join("runtime")));
        assert_eq!(places.runtime(scope, "x"), Some(own.join("runtime/x")));
        assert_eq!(places.store(scope), Some(own.join("skills")));
    }
}

#[test]
fn a_runtime_is_directly_in_the_runtimes_of_the_project_or_the_user() {
    for (path, is_own, is_global) in [
        ("/p/.skillc/runtime/x", true, false),
        ("/h/.skillc/runtime/x", true, true),
        ("/h/.skillc/runtime", false, false),
        ("/h/.skillc/runtime/x/y", false, false),
        ("/h/.skillc/runtime/..", false, true),
        ("/q/.skillc/runtime/x", false, false),
    ] {
        let path = Path::new(path);
        assert_eq!(
            (places().is_own_runtime(path), places().is_global_runtime(path)),
            (is_own, is_global),
            "{path:?}"
        );
    }
}

#[test]
fn a_path_is_in_the_project_if_its_dots_do_not_lead_out() {
    for (path, is_inside) in
        [("/p", true), ("/p/a/../b", true), ("/p/../q", false), ("/q/../p", true), ("/pp", false)]
    {
        assert_eq!(places().is_in_project(Path::new(path)), is_inside, "{path}");
    }
}

#[test]
fn links_of_a_project_lead_into_it_and_from_its_stores_to_all_that_is_the_users() {
    let bounds = |path: &str| places().link_bounds(Path::new(path));
    for (path, own) in [
        ("/p/.claude/skills/x", "/h/.skillc/runtime"),
        ("/p/.skillc/skills/x", "/h/.skillc"),
        ("/p/skills/x", "/h/.skillc"),
        ("/p/skills/../x", "/h/.skillc/runtime"),
    ] {
        assert_eq!(bounds(path), [PathBuf::from("/p"), own.into()], "{path}");
    }
    assert!(bounds("/h/x").is_empty() && bounds("/p/../h/x").is_empty());
    assert!(outside().link_bounds(Path::new("/w/x")).is_empty());
}

#[test]
fn the_working_directory_is_foreign_unless_the_home_is_in_it() {
    let is_foreign = |home: &str, path: &str| {
        Places::new(home.into(), "/w".into(), None).is_in_foreign_cwd(Path::new(path))
    };
    for (home, path, expected) in [
        ("/h", "/w/x", true),
        ("/h", "/w", true),
        ("/h", "/w/../x", false),
        ("/h", "/h/x", false),
        ("/w/h", "/w/x", false),
        ("/w", "/w/x", false),
    ] {
        assert_eq!(is_foreign(home, path), expected, "{home} {path}");
    }
}

#[test]
fn each_file_of_the_user_and_of_a_runtime_has_its_place() {
    let places = places();
    for (path, expected) in [
        (places.trash(), "/h/.skillc/trash"),
        (places.journal(), "/h/.skillc/journal"),
        (places.shipped(), "/h/.skillc/shipped"),
        (places.approvals(), "/h/.skillc/approved.json"),
        (places.discovery(), "/h/.skillc/discovery.db"),
        (places.sessions(), "/h/.skillc/sessions.db"),
        (places.history_log(), "/h/.skillc/history/logs.db"),
        (places.history_bookmarks(), "/h/.skillc/history/bookmarks.db"),
        (places.models(), "/h/.skillc/models"),
        (places.fallback_logs(), "/p/src/.skillc/logs"),
        (places.fallback_log("x"), "/p/src/.skillc/logs/x/.skillc-meta/logs.db"),
        (log_file(Path::new("/r")), "/r/.skillc-meta/logs.db"),
        (index_file(Path::new("/r"), &Digest([0xab; 32])), "/r/.skillc-meta/search-abababababababab.db"),
    ] {
        assert_eq!(path, Path::new(expected));
    }
}

/// RFC-0007:C-RESOLUTION
#[test]
fn a_project_is_the_nearest_folder_with_skills_or_a_configuration_and_never_the_home() {
    let of = |folder: &str, existing: &[&str]| {
        let has = |path: &Path| existing.iter().any(|known| Path::new(known) == path);
        project_of(Path::new(folder), Path::new("/h"), has, has)
    };
    let (skills, config) = ("/h/p/.skillc/skills", "/h/p/sub/.skillc/config.toml");
    assert_eq!(of("/h/p/sub", &[skills, config]), Some("/h/p/sub".into()));
    assert_eq!(of("/h/p/sub", &[skills]), Some("/h/p".into()));
    assert_eq!(of("/h/p", &["/h/p/.skillc"]), None);
    assert_eq!(of("/h/p", &["/h/.skillc/skills", "/h/.skillc/config.toml"]), None);
    assert_eq!(of("/h/p", &["/h/.skillc/skills", "/.skillc/skills"]), Some("/".into()));
}

#[test]
fn an_index_is_named_by_sixteen_digits() {
    for (name, is_index) in [
        ("search-0123456789ABCDEF.db", true),
        ("search-0123456789abcde.db", false),
        ("search-0123456789abcdef0.db", false),
        ("search-0123456789abcdeg.db", false),
        ("search-0123456789abcdef", false),
        ("0123456789abcdef.db", false),
    ] {
        assert_eq!(is_index_name(name), is_index, "{name}");
    }
}

#[test]
fn a_runtime_is_two_levels_below_a_skillc_folder() {
    for (path, expected) in [
        ("/x/.skillc/runtime/a", true),
        (".skillc/runtime/a", true),
        ("/x/.skillc/runtime", false),
        ("/x/.skillc/skills/a", false),
        ("/x/skillc/runtime/a", false),
        ("/", false),
    ] {
        assert_eq!(is_runtime(Path::new(path)), expected, "{path}");
    }
}
