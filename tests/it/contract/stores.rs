//! `SkillStores`.

use super::machines::{Machine, RealMachine, in_memory};
use skillc_disk::DiskSkillStores;
use skillc_domain::path::RelPath;
use skillc_memory::{Kind, MemorySkillStores};
use skillc_ports::{ErrorKind, Found, PortError, SkillStores};
use std::collections::BTreeMap;

contract!([memory, disk] {
    kinds_of_entries_at_a_path_are_distinguished,
    a_skill_is_found_at_its_canonical_path,
    a_folder_is_one_also_behind_a_link,
    a_file_mentions_a_word_that_stands_alone,
    names_are_those_of_visible_folders_by_bytes,
    a_store_that_is_not_there_has_no_names,
    a_folder_is_made_with_those_above_it,
    a_folder_that_is_there_is_left_as_it_is,
    a_folder_is_not_made_in_the_place_of_a_file,
    a_new_skill_is_its_skill_md,
    init_never_overwrites_a_skill,
    a_renamed_folder_keeps_everything_in_it,
    a_folder_is_never_renamed_over_something,
    only_a_folder_is_renamed,
    an_import_copies_hidden_files_and_empty_folders_too,
    an_import_leaves_out_version_control_and_builds,
    links_inside_become_copies_in_an_import,
    an_import_leaves_its_source_as_it_was,
    an_import_makes_the_store,
    an_import_over_something_is_refused,
    an_import_that_replaces_keeps_the_old_beside_it,
    an_import_replaces_a_link_and_not_what_it_leads_to,
    an_import_with_an_escaping_link_leaves_nothing_behind,
    an_import_of_nothing_is_refused,
    escaping_links_are_listed_also_below_hidden_folders,
});

struct StoresScene {
    machine: Box<dyn Machine>,
    stores: Box<dyn SkillStores>,
}

fn memory() -> StoresScene {
    let machine = in_memory();
    let stores = Box::new(MemorySkillStores::new(&machine));
    StoresScene { machine: Box::new(machine), stores }
}

fn disk() -> StoresScene {
    StoresScene { machine: Box::new(RealMachine::new()), stores: Box::new(DiskSkillStores) }
}

impl StoresScene {
    /// Writes files with their paths as text.
    fn write(&self, paths: &[&str]) {
        paths.iter().for_each(|path| self.machine.write(path, path.as_bytes()));
    }

    fn look(&self, path: &str) -> Found {
        self.stores.look(&self.machine.at(path), &[])
    }

    fn names(&self, store: &str) -> Vec<String> {
        self.stores.names(&self.machine.at(store)).unwrap()
    }

    /// Imports `from` as `store/x`.
    fn import(&self, replaces: bool) -> Result<(), PortError> {
        self.stores.import(
            &self.machine.at("from"),
            &self.machine.at("store/x"),
            replaces.then_some(".aside"),
        )
    }

    fn imported(&self) -> BTreeMap<String, String> {
        self.machine.all_below("store/x")
    }

    fn imported_paths(&self) -> Vec<String> {
        self.imported().into_keys().collect()
    }

    fn escaping_links(&self, from: &str) -> Result<Vec<String>, ErrorKind> {
        let links = self.stores.escaping_links(&self.machine.at(from)).map_err(|error| error.kind)?;
        Ok(links.iter().map(RelPath::to_string).collect())
    }
}

fn kinds_of_entries_at_a_path_are_distinguished(at: &StoresScene) {
    at.write(&["skill/SKILL.md", "file", "odd/SKILL.md/x", "folder/other.md"]);
    at.machine.link("dangling", "nothing");
    assert_eq!(at.look("skill"), Found::Skill(at.machine.at("skill")));
    for (path, found) in [
        ("nothing", Found::Nothing),
        ("file", Found::Nothing),
        ("file/x", Found::Nothing),
        ("dangling", Found::Nothing),
        ("skill/SKILL.md", Found::Nothing),
        ("folder", Found::Folder),
        ("odd", Found::Folder),
    ] {
        assert_eq!(at.look(path), found, "{path}");
    }
}

fn a_skill_is_found_at_its_canonical_path(at: &StoresScene) {
    at.write(&["real/deep/x/SKILL.md"]);
    at.machine.link("link", "real/deep");
    at.machine.link("other/y", "../link/x");
    at.machine.absolute_link("absolute", "other/y");
    for path in ["link/x", "other/y", "absolute", "real/../real/deep/./x"] {
        assert_eq!(at.look(path), Found::Skill(at.machine.at("real/deep/x")), "{path}");
    }
}

fn a_folder_is_one_also_behind_a_link(at: &StoresScene) {
    at.write(&["a/file"]);
    at.machine.link("link", "a");
    at.machine.link("loop", "loop");
    let is_folder = |path| at.stores.is_folder(&at.machine.at(path));
    assert!(is_folder("a") && is_folder("link"));
    assert!(!is_folder("a/file") && !is_folder("nothing") && !is_folder("loop"));
}

fn a_file_mentions_a_word_that_stands_alone(at: &StoresScene) {
    at.machine.write("text", "alpha, (beta) gamma_delta and ünï\nlast".as_bytes());
    at.machine.write("bytes", b"alpha \xff");
    at.machine.write("empty", b"");
    let mentions = |file, word| at.stores.mentions(&at.machine.at(file), word);
    for word in ["alpha", "beta", "gamma_delta", "ünï", "last"] {
        assert!(mentions("text", word), "{word}");
    }
    for word in ["alph", "eta", "gamma", "missing", "Alpha"] {
        assert!(!mentions("text", word), "{word}");
    }
    for file in ["bytes", "empty", "nothing", ""] {
        assert!(!mentions(file, "alpha"), "{file:?}");
    }
}

fn names_are_those_of_visible_folders_by_bytes(at: &StoresScene) {
    at.write(&["store/b/SKILL.md", "store/a/x", "store/B/x", "store/.h/SKILL.md", "store/file", "store/é/x"]);
    at.machine.folder("store/empty");
    at.machine.folder("elsewhere");
    at.machine.link("store/link", "../elsewhere");
    at.machine.link("store/to-file", "file");
    at.machine.link("store/dangling", "nothing");
    at.machine.link("store/.hidden-link", "../elsewhere");
    assert_eq!(at.names("store"), ["B", "a", "b", "empty", "link", "é"]);
}

fn a_store_that_is_not_there_has_no_names(at: &StoresScene) {
    assert!(at.names("nothing").is_empty() && at.names("nothing/at/all").is_empty());
    assert!(at.machine.names("").is_empty(), "looking makes nothing");
}

fn a_folder_is_made_with_those_above_it(at: &StoresScene) {
    at.stores.create_folder(&at.machine.at("a/b/c")).unwrap();
    assert_eq!(at.machine.kind("a/b/c"), Some(Kind::Folder));
}

/// RFC-0006:C-INIT
fn a_folder_that_is_there_is_left_as_it_is(at: &StoresScene) {
    at.write(&["a/b/file"]);
    at.machine.link("link", "a");
    at.stores.create_folder(&at.machine.at("a/b")).unwrap();
    for path in ["link", "link/new"] {
        assert_eq!(
            at.stores.create_folder(&at.machine.at(path)).unwrap_err().kind,
            ErrorKind::Linked,
            "{path}"
        );
    }
    assert_eq!(at.machine.read("a/b/file").unwrap(), b"a/b/file");
    assert!(matches!(at.machine.kind("link"), Some(Kind::Link(_))));
}

fn a_folder_is_not_made_in_the_place_of_a_file(at: &StoresScene) {
    at.write(&["file"]);
    for path in ["file", "file/below"] {
        let refused = at.stores.create_folder(&at.machine.at(path)).unwrap_err();
        assert_eq!(refused.kind, ErrorKind::AlreadyExists, "{path}");
    }
    assert_eq!(at.machine.read("file").unwrap(), b"file");
}

fn a_new_skill_is_its_skill_md(at: &StoresScene) {
    at.stores.create_skill(&at.machine.at("store/x"), "# Ünï\n").unwrap();
    assert_eq!(at.machine.all_below("store/x"), BTreeMap::from([("SKILL.md".into(), "# Ünï\n".into())]));
    at.write(&["store/y/other.md"]);
    at.stores.create_skill(&at.machine.at("store/y"), "new").unwrap();
    assert_eq!(at.machine.names("store/y"), ["SKILL.md", "other.md"]);
}

/// RFC-0006:C-INIT
fn init_never_overwrites_a_skill(at: &StoresScene) {
    at.write(&["store/x/SKILL.md"]);
    let refused = at.stores.create_skill(&at.machine.at("store/x"), "new").unwrap_err();
    assert_eq!(refused.kind, ErrorKind::AlreadyExists);
    let untouched = BTreeMap::from([("SKILL.md".to_owned(), "store/x/SKILL.md".to_owned())]);
    assert_eq!(at.machine.all_below("store/x"), untouched);
}

/// RFC-0007:C-RENAME
fn a_renamed_folder_keeps_everything_in_it(at: &StoresScene) {
    at.write(&["store/x/SKILL.md", "store/x/.h/.env", "store/x/a/b.md", "store/y/SKILL.md"]);
    at.machine.folder("store/x/empty");
    at.machine.link("store/x/inside", "a/b.md");
    at.machine.link("store/x/dangling", "../nothing");
    at.machine.fifo("store/x/pipe");
    let before = at.machine.all_below("store/x");
    at.stores.rename(&at.machine.at("store/x"), "z").unwrap();
    assert_eq!(at.machine.all_below("store/z"), before);
    assert_eq!(at.machine.names("store"), ["y", "z"]);
}

/// RFC-0007:C-RENAME
fn a_folder_is_never_renamed_over_something(at: &StoresScene) {
    for set in [
        (|at| at.machine.write("store/y", b"file")) as fn(&StoresScene),
        |at| at.machine.link("store/y", "nothing"),
        |at| at.machine.folder("store/y"),
        |at| at.write(&["store/y/SKILL.md"]),
    ] {
        at.machine.delete("store");
        at.write(&["store/x/SKILL.md"]);
        set(at);
        let before = at.machine.all_below("store");
        let refused = at.stores.rename(&at.machine.at("store/x"), "y").unwrap_err();
        assert_eq!(refused.kind, ErrorKind::AlreadyExists, "{before:?}");
        assert_eq!(at.machine.all_below("store"), before);
    }
}

/// RFC-0007:C-RENAME
fn only_a_folder_is_renamed(at: &StoresScene) {
    at.write(&["elsewhere/SKILL.md", "store/file"]);
    at.machine.link("store/link", "../elsewhere");
    at.machine.link("linked", "store");
    at.machine.folder("store/x");
    for (path, kind) in [
        ("store/link", ErrorKind::NotAFile),
        ("store/file", ErrorKind::NotAFile),
        ("store/nothing", ErrorKind::NotFound),
        ("linked/x", ErrorKind::Linked),
    ] {
        assert_eq!(at.stores.rename(&at.machine.at(path), "new").unwrap_err().kind, kind, "{path}");
    }
    assert_eq!(at.machine.names("store"), ["file", "link", "x"]);
}

/// RFC-0001:C-IMPORT
fn an_import_copies_hidden_files_and_empty_folders_too(at: &StoresScene) {
    at.write(&["from/SKILL.md", "from/.env", "from/a/.h/b.md", "from/.github/x"]);
    at.machine.write("from/bytes", &[0, 255, 10]);
    at.machine.folder("from/empty/deep");
    at.import(false).unwrap();
    assert_eq!(at.imported(), at.machine.all_below("from"));
    assert_eq!(at.machine.names("store"), ["x"], "nothing is left beside");
}

/// RFC-0001:C-IMPORT
fn an_import_leaves_out_version_control_and_builds(at: &StoresScene) {
    at.write(&["from/SKILL.md", "from/.git/config", "from/.jj/x", "from/.skillc-meta/manifest.json"]);
    at.write(&["from/a/.git", "from/a/.skillc-meta/x", "from/a/b.md", "from/.gitignore"]);
    at.import(false).unwrap();
    assert_eq!(at.imported_paths(), [".gitignore", "SKILL.md", "a", "a/b.md"]);
}

fn links_inside_become_copies_in_an_import(at: &StoresScene) {
    at.write(&["from/SKILL.md", "from/real/a.md", "from/.git/hidden.md"]);
    at.machine.link("from/file.md", "real/a.md");
    at.machine.link("from/folder", "real");
    at.machine.link("from/real/upward", "..");
    at.machine.link("from/dangling", "nothing");
    at.machine.fifo("from/pipe");
    at.import(false).unwrap();
    let mut imported = at.imported();
    // On systems without FIFOs, an empty folder replaces it.
    imported.remove("pipe");
    let expected = [
        ("SKILL.md", "from/SKILL.md"),
        ("file.md", "from/real/a.md"),
        ("folder", "/"),
        ("folder/a.md", "from/real/a.md"),
        ("real", "/"),
        ("real/a.md", "from/real/a.md"),
    ];
    assert_eq!(imported, BTreeMap::from(expected.map(|(path, text)| (path.to_owned(), text.to_owned()))));
}

fn an_import_leaves_its_source_as_it_was(at: &StoresScene) {
    at.write(&["from/SKILL.md", "from/a/b.md", "from/.git/x"]);
    at.machine.link("from/link", "a");
    let before = at.machine.all_below("from");
    at.import(false).unwrap();
    at.import(true).unwrap();
    assert_eq!(at.machine.all_below("from"), before);
}

fn an_import_makes_the_store(at: &StoresScene) {
    at.write(&["from/SKILL.md"]);
    at.stores.import(&at.machine.at("from"), &at.machine.at("new/deep/store/x"), None).unwrap();
    assert_eq!(at.machine.names("new/deep/store/x"), ["SKILL.md"]);
}

/// RFC-0001:C-IMPORT
fn an_import_over_something_is_refused(at: &StoresScene) {
    at.write(&["from/SKILL.md"]);
    for set in [
        (|at| at.machine.write("store/x", b"file")) as fn(&StoresScene),
        |at| at.machine.link("store/x", "nothing"),
        |at| at.machine.folder("store/x"),
        |at| at.write(&["store/x/old.md"]),
    ] {
        at.machine.delete("store");
        set(at);
        let before = at.machine.all_below("store");
        assert_eq!(at.import(false).unwrap_err().kind, ErrorKind::AlreadyExists, "{before:?}");
        assert_eq!(at.machine.all_below("store"), before);
    }
}

/// RFC-0001:C-IMPORT
fn an_import_that_replaces_keeps_the_old_beside_it(at: &StoresScene) {
    at.write(&[
        "from/SKILL.md",
        "from/new/a.md",
        "store/x/SKILL.md",
        "store/x/old/.h/b.md",
        "store/y/SKILL.md",
    ]);
    at.import(true).unwrap();
    assert_eq!(at.imported(), at.machine.all_below("from"));
    assert_eq!(at.machine.names("store"), [".aside", "x", "y"]);
    assert_eq!(at.machine.read("store/.aside/old/.h/b.md").unwrap(), b"store/x/old/.h/b.md", "it is kept");
    at.machine.delete("store/x");
    at.import(true).unwrap();
    assert_eq!(at.imported_paths(), ["SKILL.md", "new", "new/a.md"], "there need not be an old one");
}

fn an_import_replaces_a_link_and_not_what_it_leads_to(at: &StoresScene) {
    at.write(&["from/SKILL.md", "elsewhere/SKILL.md"]);
    at.machine.link("store/x", "../elsewhere");
    at.import(true).unwrap();
    assert_eq!(at.machine.kind("store/x"), Some(Kind::Folder));
    assert_eq!(at.machine.read("elsewhere/SKILL.md").unwrap(), b"elsewhere/SKILL.md");
    assert_eq!(at.machine.names("store"), [".aside", "x"]);
}

fn an_import_with_an_escaping_link_leaves_nothing_behind(at: &StoresScene) {
    at.write(&["from/SKILL.md", "from/a/b.md", "outside/secret"]);
    at.machine.link("from/.hidden/out", "../../outside/secret");
    assert_eq!(at.import(false).unwrap_err().kind, ErrorKind::Escapes);
    assert!(at.machine.names("store").is_empty());
    at.write(&["store/x/SKILL.md"]);
    assert_eq!(at.import(true).unwrap_err().kind, ErrorKind::Escapes);
    assert_eq!(at.imported_paths(), ["SKILL.md"]);
    assert_eq!(at.machine.names("store"), ["x"]);
}

fn an_import_of_nothing_is_refused(at: &StoresScene) {
    at.write(&["store/x/SKILL.md"]);
    assert!(at.import(true).is_err());
    assert_eq!(at.imported_paths(), ["SKILL.md"]);
    assert_eq!(at.machine.names("store"), ["x"]);
}

fn escaping_links_are_listed_also_below_hidden_folders(at: &StoresScene) {
    at.write(&["from/SKILL.md", "from/a/b.md", "outside/secret"]);
    assert_eq!(at.escaping_links("from"), Ok(vec![]));
    at.machine.link("from/z", "../outside");
    at.machine.link("from/.hidden/out", "../../outside/secret");
    at.machine.link("from/.git/out", "../../outside");
    at.machine.link("from/.skillc-meta/out", "../../outside");
    at.machine.absolute_link("from/a/absolute", "outside");
    at.machine.link("from/inside", "a");
    at.machine.link("from/dangling", "nothing");
    let mut expected = vec![".hidden/out", "a/absolute", "inside/absolute", "z"];
    expected.sort_unstable();
    assert_eq!(at.escaping_links("from").unwrap(), expected);
    assert_eq!(at.escaping_links("nothing"), Err(ErrorKind::NotFound));
}
