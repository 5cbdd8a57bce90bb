//! `Deployer`.

use super::machines::{Machine, RealMachine, in_memory, watched};
use skillc_domain::deploy::{Method, Occupant};
use skillc_links::LinkDeployer;
use skillc_memory::{Kind, MemoryDeployer};
use skillc_ports::{Deployer, ErrorKind};
use std::collections::BTreeMap;
use std::path::Path;

contract!([memory, links] {
    kinds_of_entries_at_a_place_are_distinguished,
    a_relative_link_is_judged_by_its_target,
    a_link_is_dangling_when_nothing_stands_where_it_leads,
    looking_makes_nothing,
    a_deploy_is_a_link_to_the_runtime,
    a_link_makes_the_folders_above_it,
    a_link_takes_the_place_of_anything,
    a_link_that_replaces_a_link_is_never_missing,
    a_copy_holds_the_stub_and_the_manifest_only,
    a_copy_takes_the_place_of_anything,
    the_target_of_a_replaced_link_is_left_alone,
    a_deploy_that_fails_leaves_what_stood_there,
    removing_a_link_leaves_what_it_leads_to,
    removing_nothing_is_success,
    removing_a_copy_leaves_no_folder,
    removing_a_copy_leaves_what_was_put_into_it,
    removing_a_file_or_a_foreign_folder_is_refused,
    only_the_place_that_is_named_is_touched,
});

struct DeployScene {
    machine: Box<dyn Machine>,
    deployer: Box<dyn Deployer>,
}

fn memory() -> DeployScene {
    let machine = in_memory();
    let deployer = Box::new(MemoryDeployer::new(&machine));
    DeployScene { machine: Box::new(machine), deployer }.begun()
}

fn links() -> DeployScene {
    DeployScene { machine: Box::new(RealMachine::new()), deployer: Box::new(LinkDeployer) }.begun()
}

/// The deployment target of most tests. Its agent folder does not exist at first.
const PLACE: &str = "agent/skills/x";

impl DeployScene {
    /// Creates two runtimes.
    fn begun(self) -> Self {
        for runtime in ["runtime/x", "runtime/y"] {
            self.machine.write(&format!("{runtime}/SKILL.md"), runtime.as_bytes());
            self.machine.write(&format!("{runtime}/.skillc-meta/manifest.json"), b"{}");
            self.machine.write(&format!("{runtime}/.skillc-meta/search-0.db"), b"index");
        }
        self
    }

    fn look(&self) -> Occupant {
        self.deployer.look(&self.machine.at(PLACE)).unwrap()
    }

    fn link(&self) -> Method {
        self.deployer.link(&self.machine.at("runtime/x"), &self.machine.at(PLACE), None).unwrap()
    }

    fn copy(&self) {
        self.deployer.copy(b"stub", b"manifest", &self.machine.at(PLACE), None).unwrap();
    }

    fn remove(&self) -> Result<(), ErrorKind> {
        self.deployer.remove(&self.machine.at(PLACE)).map_err(|error| error.kind)
    }

    fn leads_to(&self, runtime: &str) -> Occupant {
        Occupant::Link { to: self.machine.at(runtime), is_dangling: false }
    }

    /// Puts each kind of occupant at the place in turn, and passes its name to `check`.
    fn with_each_occupant(&self, check: impl Fn(&str)) {
        type Set = fn(&DeployScene);
        let sets: [(&str, Set); 7] = [
            ("nothing", |_| {}),
            ("a link", |at| at.machine.absolute_link(PLACE, "runtime/y")),
            ("a dangling link", |at| at.machine.link(PLACE, "nothing")),
            ("a file", |at| at.machine.write(PLACE, b"file")),
            ("an empty folder", |at| at.machine.folder(PLACE)),
            ("a folder", |at| at.machine.write(&format!("{PLACE}/deep/.h/mine.md"), b"mine")),
            ("a copy", |at| {
                at.machine.write(&format!("{PLACE}/SKILL.md"), b"old");
                at.machine.write(&format!("{PLACE}/.skillc-meta/manifest.json"), b"old");
            }),
        ];
        for (name, set) in sets {
            self.machine.delete("agent");
            set(self);
            check(name);
        }
    }
}

fn kinds_of_entries_at_a_place_are_distinguished(at: &DeployScene) {
    at.with_each_occupant(|name| match (name, at.look()) {
        ("nothing", Occupant::Nothing)
        | ("a file", Occupant::File)
        | ("an empty folder" | "a folder", Occupant::Folder)
        | ("a link", Occupant::Link { is_dangling: false, .. })
        | ("a dangling link", Occupant::Link { is_dangling: true, .. }) => {}
        ("a copy", occupant) => assert_eq!(occupant, Occupant::Compiled(b"old".to_vec())),
        (name, other) => panic!("{name} is {other:?}"),
    });
}

fn a_relative_link_is_judged_by_its_target(at: &DeployScene) {
    at.machine.link(PLACE, "../../runtime/y");
    assert_eq!(at.look(), at.leads_to("runtime/y"));
    at.machine.link("runtime/onward", "y");
    at.machine.link(PLACE, "../../runtime/onward");
    assert_eq!(at.look(), at.leads_to("runtime/onward"), "and not resolved further");
}

fn a_link_is_dangling_when_nothing_stands_where_it_leads(at: &DeployScene) {
    at.link();
    at.machine.delete("runtime/x");
    assert_eq!(at.look(), Occupant::Link { to: at.machine.at("runtime/x"), is_dangling: true });
    at.machine.link(PLACE, "x");
    assert!(matches!(at.look(), Occupant::Link { is_dangling: true, .. }), "a link to itself");
}

fn looking_makes_nothing(at: &DeployScene) {
    assert_eq!(at.look(), Occupant::Nothing);
    assert_eq!(at.machine.kind("agent"), None);
}

/// RFC-0001:C-DEPLOYMENT
fn a_deploy_is_a_link_to_the_runtime(at: &DeployScene) {
    let expected = if cfg!(windows) { Method::Junction } else { Method::Symlink };
    for _ in 0..2 {
        assert_eq!(at.link(), expected);
        assert_eq!(at.look(), at.leads_to("runtime/x"));
        assert_eq!(at.machine.read(&format!("{PLACE}/SKILL.md")).unwrap(), b"runtime/x");
    }
}

fn a_link_makes_the_folders_above_it(at: &DeployScene) {
    let place = at.machine.at("a/b/c/x");
    at.deployer.link(&at.machine.at("runtime/x"), &place, None).unwrap();
    assert_eq!(at.machine.names("a/b/c"), ["x"]);
    at.deployer.copy(b"s", b"m", &at.machine.at("d/e/x"), None).unwrap();
    assert_eq!(at.machine.names("d/e"), ["x"]);
}

/// RFC-0001:C-DEPLOYMENT
fn a_link_takes_the_place_of_anything(at: &DeployScene) {
    at.with_each_occupant(|name| {
        at.link();
        assert_eq!(at.look(), at.leads_to("runtime/x"), "over {name}");
        assert_eq!(at.machine.names("agent/skills"), ["x"], "over {name}");
    });
}

fn a_link_that_replaces_a_link_is_never_missing(at: &DeployScene) {
    at.link();
    let place = at.machine.at(PLACE);
    let look = || assert!(matches!(at.look(), Occupant::Link { is_dangling: false, .. }));
    watched(look, || {
        for runtime in ["runtime/x", "runtime/y"].iter().cycle().take(100) {
            at.deployer.link(&at.machine.at(runtime), &place, None).unwrap();
        }
    });
}

fn the_copy() -> BTreeMap<String, String> {
    let files = [(".skillc-meta", "/"), (".skillc-meta/manifest.json", "manifest"), ("SKILL.md", "stub")];
    BTreeMap::from(files.map(|(path, text)| (path.to_owned(), text.to_owned())))
}

/// RFC-0001:C-DEPLOYMENT
fn a_copy_holds_the_stub_and_the_manifest_only(at: &DeployScene) {
    for _ in 0..2 {
        at.copy();
        assert_eq!(at.machine.all_below(PLACE), the_copy());
        assert_eq!(at.look(), Occupant::Compiled(b"manifest".to_vec()));
    }
    at.machine.write(&format!("{PLACE}/.skillc-meta/logs.db"), b"log");
    at.copy();
    assert_eq!(at.machine.all_below(PLACE), the_copy(), "what was put into it goes too");
}

/// RFC-0001:C-DEPLOYMENT
fn a_copy_takes_the_place_of_anything(at: &DeployScene) {
    at.with_each_occupant(|name| {
        at.copy();
        assert_eq!(at.machine.kind(PLACE), Some(Kind::Folder), "over {name}");
        assert_eq!(at.machine.all_below(PLACE), the_copy(), "over {name}");
        assert_eq!(at.machine.names("agent/skills"), ["x"], "over {name}");
    });
}

fn the_target_of_a_replaced_link_is_left_alone(at: &DeployScene) {
    let before = at.machine.all_below("runtime");
    at.machine.absolute_link(PLACE, "runtime/y");
    at.copy();
    at.machine.delete(PLACE);
    at.machine.absolute_link(PLACE, "runtime/y");
    at.link();
    assert_eq!(at.machine.all_below("runtime"), before);
}

fn a_deploy_that_fails_leaves_what_stood_there(at: &DeployScene) {
    at.machine.write("agent", b"a file in the way");
    let place = at.machine.at(PLACE);
    assert!(at.deployer.link(&at.machine.at("runtime/x"), &place, None).is_err());
    assert!(at.deployer.copy(b"stub", b"manifest", &place, None).is_err());
    assert_eq!(at.machine.read("agent").unwrap(), b"a file in the way");
    assert!(at.deployer.link(&at.machine.at("runtime/x"), Path::new("/"), None).is_err());
}

/// RFC-0001:C-UNDEPLOY
fn removing_a_link_leaves_what_it_leads_to(at: &DeployScene) {
    let before = at.machine.all_below("runtime");
    at.link();
    at.remove().unwrap();
    assert_eq!(at.look(), Occupant::Nothing);
    at.machine.link(PLACE, "nothing");
    at.remove().unwrap();
    assert_eq!(at.look(), Occupant::Nothing, "also one that leads nowhere");
    at.machine.write("outside", b"file");
    at.machine.link(PLACE, "../../outside");
    at.remove().unwrap();
    assert_eq!(at.machine.read("outside").unwrap(), b"file", "and one to a file");
    assert_eq!(at.machine.all_below("runtime"), before);
}

fn removing_nothing_is_success(at: &DeployScene) {
    at.remove().unwrap();
    assert_eq!(at.machine.kind("agent"), None);
}

fn removing_a_copy_leaves_no_folder(at: &DeployScene) {
    at.copy();
    at.remove().unwrap();
    assert!(at.machine.names("agent/skills").is_empty());
}

/// RFC-0001:C-UNDEPLOY
fn removing_a_copy_leaves_what_was_put_into_it(at: &DeployScene) {
    at.copy();
    at.machine.write(&format!("{PLACE}/mine.md"), b"mine");
    at.remove().unwrap();
    assert_eq!(at.machine.names(PLACE), ["mine.md"]);
    at.copy();
    at.machine.write(&format!("{PLACE}/.skillc-meta/mine"), b"mine");
    at.remove().unwrap();
    assert_eq!(at.machine.names(&format!("{PLACE}/.skillc-meta")), ["mine"]);
    assert_eq!(at.machine.names(PLACE), [".skillc-meta"]);
}

/// RFC-0001:C-UNDEPLOY
fn removing_a_file_or_a_foreign_folder_is_refused(at: &DeployScene) {
    at.with_each_occupant(|name| {
        if matches!(name, "a file" | "a folder" | "an empty folder") {
            let before = at.machine.all_below("agent");
            assert_eq!(at.remove(), Err(ErrorKind::NotAFile), "{name}");
            assert_eq!(at.machine.all_below("agent"), before, "{name}");
        }
    });
}

fn only_the_place_that_is_named_is_touched(at: &DeployScene) {
    at.machine.write("agent/skills/y/SKILL.md", b"another");
    at.machine.link("agent/skills/z", "y");
    at.machine.write("agent/skills/.hidden", b"hidden");
    at.machine.write("agent/settings.json", b"{}");
    let before = at.machine.all_below("");
    at.link();
    at.copy();
    at.link();
    at.remove().unwrap();
    assert_eq!(at.machine.all_below(""), before);
}
