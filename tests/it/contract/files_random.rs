//! Random trees of files, folders, links and hidden names: the disk must return the same as the model.

use super::machines::{Machine, RealMachine, in_memory};
use proptest::prelude::*;
use skillc_disk::{DiskSkillFiles, DiskSkillStores};
use skillc_domain::path::RelPath;
use skillc_memory::{MemorySkillFiles, MemorySkillStores};
use skillc_ports::{ErrorKind, SkillFiles, SkillStores, SkillTree};
use std::collections::{BTreeMap, BTreeSet};

/// Targets of links: inside, outside, back again, nowhere.
const TARGETS: &[&str] = &[
    ".",
    "..",
    "../..",
    "../../..",
    "a",
    "b",
    "c.md",
    "a/b",
    "a/../b",
    "../a",
    "../b/c.md",
    "../../a",
    ".h",
    ".h/c.md",
    "nothing",
    "../../outside",
    "/",
    "../s/a",
    "b/../../..",
    "c.md/..",
];

#[derive(Clone, Debug)]
enum Node {
    File,
    Folder,
    Link(&'static str),
    Fifo,
}

fn node() -> impl Strategy<Value = Node> {
    prop_oneof![
        4 => Just(Node::File),
        2 => Just(Node::Folder),
        5 => prop::sample::select(TARGETS).prop_map(Node::Link),
        1 => Just(Node::Fifo),
    ]
}

fn path() -> impl Strategy<Value = String> {
    let name = prop::sample::select(&["a", "b", "c.md", ".h", "d-e", ".git", ".skillc-meta"][..]);
    prop::collection::vec(name, 1..4).prop_map(|names| names.join("/"))
}

/// A tree. A path that is taken, or whose parent is not a folder, is skipped.
fn tree() -> impl Strategy<Value = BTreeMap<String, Node>> {
    prop::collection::vec((path(), node()), 0..16).prop_map(|nodes| {
        let mut tree: BTreeMap<String, Node> = BTreeMap::new();
        for (path, node) in nodes {
            let above: Vec<_> = path.match_indices('/').map(|(at, _)| path[..at].to_owned()).collect();
            let is_free = above.iter().all(|folder| matches!(tree.get(folder), None | Some(Node::Folder)));
            if is_free && !tree.contains_key(&path) {
                tree.extend(above.into_iter().map(|folder| (folder, Node::Folder)));
                tree.insert(path, node);
            }
        }
        tree
    })
}

fn grow(machine: &dyn Machine, tree: &BTreeMap<String, Node>) {
    machine.write("outside/c.md", b"secret");
    machine.folder("s");
    for (path, node) in tree {
        let path = format!("s/{path}");
        match node {
            Node::File => machine.write(&path, path.as_bytes()),
            Node::Folder => machine.folder(&path),
            Node::Link(to) => machine.link(&path, to),
            Node::Fifo => machine.fifo(&path),
        }
    }
}

/// All results that can be compared.
#[derive(Debug, PartialEq)]
struct Answers {
    files: Vec<RelPath>,
    escaping: Vec<RelPath>,
    warnings: usize,
    contents: Vec<Result<Vec<u8>, ErrorKind>>,
    folders: Vec<Result<bool, ErrorKind>>,
    escaping_import: Vec<RelPath>,
    imported: Result<BTreeMap<String, String>, ErrorKind>,
}

fn answers(
    machine: &dyn Machine,
    files: &dyn SkillFiles,
    stores: &dyn SkillStores,
    paths: &BTreeSet<RelPath>,
) -> Answers {
    let root = machine.at("s");
    let tree: Box<dyn SkillTree> = files.open(&root).unwrap();
    let survey = tree.survey().unwrap();
    let read = |path| tree.read(path, 1_000).map(|content| content.bytes).map_err(|error| error.kind);
    let import = stores.import(&root, &machine.at("store/x"), None).map_err(|error| error.kind);
    let answers = Answers {
        contents: paths.iter().map(read).collect(),
        folders: paths.iter().map(|path| tree.is_folder(path).map_err(|error| error.kind)).collect(),
        warnings: survey.warnings.len(),
        escaping: survey.escaping,
        escaping_import: stores.escaping_links(&root).unwrap(),
        imported: import.map(|()| machine.all_below("store/x")),
        files: survey.files.into_iter().map(|file| file.path).collect(),
    };
    for file in &answers.files {
        assert!(tree.read(file, 1_000).is_ok(), "'{file}' is listed and cannot be read");
    }
    for (path, is_secret) in
        paths.iter().zip(&answers.contents).map(|(p, c)| (p, c.as_deref() == Ok(b"secret")))
    {
        assert!(!is_secret, "'{path}' leads out");
    }
    answers
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 128, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn the_disk_answers_what_the_model_answers(tree in tree(), asked in prop::collection::vec(path(), 8)) {
        let (memory, real) = (in_memory(), RealMachine::new());
        grow(&memory, &tree);
        grow(&real, &tree);
        let below = tree.keys().flat_map(|path| [path.clone(), format!("{path}/a"), format!("{path}/outside/c.md")]);
        let paths: BTreeSet<RelPath> = below.chain(asked).map(|path| RelPath::parse(&path).unwrap()).collect();
        let model = answers(&memory, &MemorySkillFiles::new(&memory), &MemorySkillStores::new(&memory), &paths);
        let disk = answers(&real, &DiskSkillFiles, &DiskSkillStores, &paths);
        prop_assert_eq!(model, disk, "{:#?}", paths);
    }
}
