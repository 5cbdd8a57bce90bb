//! What remains on the machine in memory if everything stops at each step of each write.

use super::index_scene::{Content, removing, write};
use super::machines::{Machine, block_on, in_memory};
use proptest::prelude::*;
use skillc_domain::config::Tokenizer;
use skillc_domain::deploy::Occupant;
use skillc_domain::plan::IndexState;
use skillc_memory::{
    FaultPlan, MemoryDeployer, MemoryLocalLogs, MemoryMachine, MemoryRuntimeStore, MemorySectionIndex,
    MemorySkillStores, PortCall,
};
use skillc_ports::{
    Deployer, ErrorKind, IndexChange, PortError, RuntimeFile, RuntimeStore, SectionIndex, SkillStores,
};

/// Does the work on a new machine once per step, stopping there; then once to the end.
fn at_each_step(
    set: impl Fn(&MemoryMachine),
    work: impl Fn(&MemoryMachine) -> Result<(), PortError>,
    check: impl Fn(&MemoryMachine, &str),
) {
    for steps in 0.. {
        assert!(steps < 1_000, "work without end");
        let machine = in_memory();
        set(&machine);
        machine.stop_after(steps);
        let done = work(&machine);
        machine.restart();
        check(&machine, &format!("after {steps} steps"));
        if done.is_ok() {
            assert!(steps > 0, "work without a step");
            return;
        }
        work(&machine).unwrap_or_else(|error| panic!("a second try after {steps} steps: {error}"));
    }
}

/// RFC-0001:C-IMPORT
#[test]
fn a_forced_import_that_stops_half_way_leaves_one_whole_skill() {
    at_each_step(
        |machine| {
            for file in ["SKILL.md", "a/b.md", "a/c.md"] {
                Machine::write(machine, &format!("from/{file}"), b"new");
                Machine::write(machine, &format!("store/x/{file}"), b"old");
            }
        },
        |machine| {
            MemorySkillStores::new(machine).import(
                &machine.at("from"),
                &machine.at("store/x"),
                Some(".aside"),
            )
        },
        |machine, when| {
            let texts = ["SKILL.md", "a/b.md", "a/c.md"]
                .map(|file| Machine::read(machine, &format!("store/x/{file}")));
            assert!(texts.iter().all(|text| text.is_some() && *text == texts[0]), "{when}: {texts:?}");
        },
    );
}

#[test]
fn a_runtime_file_stands_whole_at_each_step() {
    let path = "runtime/SKILL.md";
    at_each_step(
        |machine| Machine::write(machine, path, b"old text"),
        |machine| {
            MemoryRuntimeStore::new(machine).write(&machine.at("runtime"), RuntimeFile::Stub, b"new text")
        },
        |machine, when| {
            let text = Machine::read(machine, path).expect(when);
            assert!([&b"old text"[..], b"new text"].contains(&&text[..]), "{when}: {text:?}");
        },
    );
}

#[test]
fn an_index_is_old_or_new_at_each_step() {
    for change in [IndexChange::Replace(Tokenizer::Cjk), removing(&["c.md"])] {
        let write = |machine: &MemoryMachine, change: &IndexChange, files: &[(&str, &str)]| {
            let index = MemorySectionIndex::new(machine);
            write(&index, &machine.at("index"), change.clone(), Content::of(files))
        };
        let old = [("a.md", "old"), ("b.md", "old"), ("c.md", "old")];
        at_each_step(
            |machine| write(machine, &IndexChange::Replace(Tokenizer::Cjk), &old).unwrap(),
            |machine| write(machine, &change, &[("a.md", "new"), ("b.md", "new")]),
            |machine, when| {
                let index = MemorySectionIndex::new(machine);
                let reader = block_on(index.open(&machine.at("index"))).present().expect(when);
                let hits = |word| super::index_scene::search(reader.as_ref(), word, 9).len();
                assert!([(3, 0), (0, 2)].contains(&(hits("old"), hits("new"))), "{when}");
            },
        );
    }
}

#[test]
fn a_deploy_over_a_link_is_old_or_new_at_each_step() {
    for is_copy in [false, true] {
        at_each_step(
            |machine| machine.absolute_link("agent/x", "old"),
            |machine| {
                let (deployer, place) = (MemoryDeployer::new(machine), machine.at("agent/x"));
                if is_copy {
                    return deployer.copy(b"stub", b"manifest", &place, None);
                }
                deployer.link(&machine.at("new"), &place, None).map(drop)
            },
            |machine, when| match MemoryDeployer::new(machine).look(&machine.at("agent/x")).unwrap() {
                Occupant::Link { to, .. } => {
                    assert!(to == machine.at("old") || to == machine.at("new"), "{when}")
                }
                Occupant::Compiled(manifest) => assert_eq!(manifest, b"manifest", "{when}"),
                other => panic!("{when}: {other:?}"),
            },
        );
    }
}

#[test]
fn a_planned_fault_strikes_one_call_and_changes_nothing() {
    let machine = in_memory();
    let store = MemoryRuntimeStore::new(&machine);
    machine.plan(FaultPlan::none().fail(PortCall::WriteRuntimeFile, 2, ErrorKind::Denied).stop(
        PortCall::WriteRuntimeFile,
        3,
        4,
    ));
    let write =
        |text: &[u8]| store.write(&machine.at("r"), RuntimeFile::Stub, text).map_err(|error| error.kind);
    assert_eq!(write(b"first"), Ok(()));
    assert_eq!(write(b"second"), Err(ErrorKind::Denied));
    assert_eq!(write(b"third"), Err(ErrorKind::Failed));
    assert_eq!(write(b"fourth"), Ok(()));
    assert_eq!(Machine::read(&machine, "r/SKILL.md").unwrap(), b"fourth");
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn after_any_failure_an_index_has_its_old_or_its_new_content(seed in any::<u64>()) {
        let machine = in_memory();
        let (index, path) = (MemorySectionIndex::new(&machine), machine.at("index"));
        let words: Vec<String> = (0..20).map(|n| format!("word{n}")).collect();
        let mut held: Option<&str> = None;
        machine.plan(FaultPlan::seeded(seed, 2));
        for (n, word) in (0u64..).zip(&words) {
            let content = Content::of(&[("a.md", word), ("b.md", word)]);
            if write(&index, &path, IndexChange::Replace(Tokenizer::Cjk), content).is_ok() {
                held = Some(word);
            }
            machine.restart();
            let found = block_on(index.open(&path)).present().map(|reader| {
                words.iter().filter(|word| super::index_scene::search(reader.as_ref(), word, 9).len() == 2).collect::<Vec<_>>()
            });
            prop_assert_eq!(found.unwrap_or_default(), Vec::from_iter(held));
            machine.plan(FaultPlan::seeded(seed.wrapping_add(n), 2));
        }
    }
}

#[test]
fn a_folder_that_is_read_only_denies_every_write_below() {
    let machine = in_memory();
    machine.folder("closed");
    machine.make_read_only(machine.at("closed"));
    let path = machine.at("closed/x");
    let denied = |done: Result<(), PortError>| assert_eq!(done.unwrap_err().kind, ErrorKind::Denied);
    denied(MemoryRuntimeStore::new(&machine).lock(&path).map(drop));
    denied(MemoryRuntimeStore::new(&machine).write(&path, RuntimeFile::Stub, b"stub"));
    denied(MemoryDeployer::new(&machine).copy(b"stub", b"manifest", &path, None));
    denied(MemorySkillStores::new(&machine).create_skill(&path, "text"));
    let index = MemorySectionIndex::new(&machine);
    denied(write(&index, &path, IndexChange::Replace(Tokenizer::Cjk), Content::of(&[])));
    assert!(matches!(block_on(index.open(&path)), IndexState::Missing));
    let event = skillc_domain::event::AccessEvent::default();
    let log = skillc_ports::LocalLogs::at(&MemoryLocalLogs::new(&machine), &path);
    denied(block_on(log.append(&[event])).map(drop));
    assert!(Machine::names(&machine, "closed").is_empty());
}
