//! `SectionIndex`: either all of the old or all of the new, for readers, failures and crashes.

use super::index_scene::{
    Content, INDEX, IndexScene, memory, pairs, places, pooled, publication, removing, search, sqlite,
};
use super::machines::{block_on, watched};
use skillc_domain::config::Tokenizer;
use skillc_domain::plan::IndexState;
use skillc_ports::IndexChange;

contract!([memory, sqlite, pooled] {
    an_abandoned_write_leaves_a_replaced_index_as_it_was,
    an_abandoned_write_leaves_an_edited_index_as_it_was,
    an_abandoned_write_leaves_nothing_where_nothing_was,
    a_reader_keeps_its_snapshot_while_the_index_is_replaced,
    a_reader_keeps_its_snapshot_while_the_index_is_edited,
    a_reader_during_writes_sees_one_state,
});

mod crashes {
    use super::*;

    contract!([sqlite, pooled] {
        a_new_index_that_is_never_finished_leaves_the_old_one,
        an_edit_that_is_never_finished_leaves_the_old_one,
    });

    #[test]
    #[ignore = "the index in memory is stopped at each step by `contract::faults`"]
    fn memory() {}
}

/// Enough files to stop before, between and after them.
const THREE: &[(&str, &str)] = &[("a.md", "# A2\nnew"), ("b.md", "# B2\nnew"), ("d.md", "# D2\nnew")];

/// Begins to write, puts this many files, and drops the writer.
fn abandon_after(at: &IndexScene, files: usize, change: IndexChange) {
    block_on(async {
        let mut writer = at.index.writer(&at.path(), change).await.unwrap();
        for file in Content::of(THREE).files.into_iter().take(files) {
            writer.put(file).await.unwrap();
        }
    });
}

fn stays_as_it_was(at: &IndexScene, change: &IndexChange) {
    at.replace(&[("a.md", "# A1\nold"), ("c.md", "# C1\nold")]);
    let before = (at.state(), at.files(), at.all_headings(), at.hits("old"));
    for files in 0..=THREE.len() {
        abandon_after(at, files, change.clone());
        assert_eq!((at.state(), at.files(), at.all_headings(), at.hits("old")), before);
        assert!(at.hits("new").is_empty());
    }
    at.write(change.clone(), Content::of(THREE)).unwrap();
    assert_eq!(at.files_of("new"), ["a.md", "b.md", "d.md"], "the next write succeeds");
}

fn an_abandoned_write_leaves_a_replaced_index_as_it_was(at: &IndexScene) {
    stays_as_it_was(at, &IndexChange::Replace(Tokenizer::Cjk));
}

fn an_abandoned_write_leaves_an_edited_index_as_it_was(at: &IndexScene) {
    stays_as_it_was(at, &removing(&["c.md"]));
}

fn an_abandoned_write_leaves_nothing_where_nothing_was(at: &IndexScene) {
    for files in 0..=THREE.len() {
        abandon_after(at, files, IndexChange::Replace(Tokenizer::Cjk));
        assert_eq!(at.state(), IndexState::Missing);
    }
    let (folder, _) = INDEX.rsplit_once('/').unwrap();
    assert!(at.machine.names(folder).is_empty());
}

fn a_reader_keeps_its_snapshot_while_the_index_is_replaced(at: &IndexScene) {
    keeps_its_snapshot(at, IndexChange::Replace(Tokenizer::Cjk));
}

fn a_reader_keeps_its_snapshot_while_the_index_is_edited(at: &IndexScene) {
    keeps_its_snapshot(at, removing(&["b.md"]));
}

/// A reader continues while the write is in progress; an edit may wait for it, and completes once it is gone.
fn keeps_its_snapshot(at: &IndexScene, change: IndexChange) {
    at.replace(&[("a.md", "# Old\nword"), ("b.md", "word")]);
    let old = at.reader();
    let content = Content::of(&[("a.md", "# New\nother")]).publishing(publication("later"));
    std::thread::scope(|scope| {
        let writing = scope.spawn(|| at.write(change, content));
        for _ in 0..20 {
            assert_eq!(places(search(old.as_ref(), "word", 9)).len(), 2);
            assert!(search(old.as_ref(), "other", 9).is_empty());
            assert_eq!(block_on(old.files()).unwrap().len(), 2);
            assert_eq!(block_on(old.headings("old", None)).unwrap().len(), 1);
            assert_eq!(old.header().indexed_at, "made");
        }
        drop(old);
        writing.join().unwrap().unwrap();
    });
    assert_eq!(at.hits("other"), pairs(&[("a.md", "New")]), "a new reader sees the new one");
    assert!(at.hits("word").is_empty());
    assert_eq!(at.reader().header().indexed_at, "later");
}

/// RFC-0001:C-PUBLISH
fn a_reader_during_writes_sees_one_state(at: &IndexScene) {
    let written = |word: &str, change| {
        let content = Content::of(&[("a.md", word), ("b.md", word)]).publishing(publication(word));
        at.write(change, content).unwrap();
    };
    written("word0", IndexChange::Replace(Tokenizer::Cjk));
    let look = || {
        let reader = at.reader();
        let word = reader.header().indexed_at.clone();
        assert_eq!(search(reader.as_ref(), &word, 9).len(), 2, "{word}");
    };
    watched(look, || {
        for n in 1..40 {
            let change = if n % 4 == 0 { IndexChange::Replace(Tokenizer::Cjk) } else { removing(&[]) };
            written(&format!("word{n}"), change);
        }
    });
}

const META: &str = "runtime/x/.skillc-meta";

/// What a process would leave if it were killed now: the files in the folder of the index.
fn left_behind(at: &IndexScene) -> Vec<(String, Vec<u8>)> {
    let bytes = |name: &String| at.machine.read(&format!("{META}/{name}")).unwrap();
    at.machine.names(META).into_iter().map(|name| (name.clone(), bytes(&name))).collect()
}

/// Writes an index; returns what would be left at each moment before its commit.
fn observed(at: &IndexScene, change: IndexChange, content: Content) -> Vec<Vec<(String, Vec<u8>)>> {
    block_on(async {
        let mut writer = at.index.writer(&at.path(), change).await.unwrap();
        let mut seen = vec![left_behind(at)];
        for file in content.files {
            writer.put(file).await.unwrap();
            seen.push(left_behind(at));
        }
        writer.commit(&content.publication).await.unwrap();
        seen
    })
}

fn a_new_index_that_is_never_finished_leaves_the_old_one(at: &IndexScene) {
    leaves_the_old_one(at, &IndexChange::Replace(Tokenizer::Cjk));
}

fn an_edit_that_is_never_finished_leaves_the_old_one(at: &IndexScene) {
    leaves_the_old_one(at, &removing(&["c.md"]));
}

fn leaves_the_old_one(at: &IndexScene, change: &IndexChange) {
    // Enough text for more than a few pages.
    let old = "old text ".repeat(3_000);
    let new = "new words ".repeat(3_000);
    at.replace(&[("a.md", &old), ("b.md", &old), ("c.md", &old)]);
    let content = || Content::of(&[("a.md", &new), ("b.md", &new)]);
    let seen = observed(at, change.clone(), content());
    assert_eq!(seen.len(), 3);
    for left in seen {
        at.machine.delete(META);
        left.iter().for_each(|(name, bytes)| at.machine.write(&format!("{META}/{name}"), bytes));
        assert_eq!((at.hits("old").len(), at.hits("new").len()), (3, 0));
        at.write(change.clone(), content()).unwrap();
        assert_eq!((at.hits("old").len(), at.hits("new").len()), (0, 2), "the next build succeeds");
        assert_eq!(at.left_in(META).len(), 1, "and leaves nothing beside");
    }
}
