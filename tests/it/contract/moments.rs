//! `SectionIndex`: all of the old or all of the new, for readers, failures and crashes.

use super::feed::{
    Feed, INDEX, IndexScene, kept, memory, pairs, places, publication, removing, search, sqlite,
};
use super::machines::{block_on, watched};
use skillc_domain::config::Tokenizer;
use skillc_domain::plan::IndexState;
use skillc_ports::{ErrorKind, IndexChange, IndexFeed, IndexedFile, PortError, Publication};

contract!([memory, sqlite, kept] {
    a_feed_that_fails_leaves_a_replaced_index_as_it_was,
    a_feed_that_fails_leaves_an_edited_index_as_it_was,
    a_feed_that_fails_leaves_nothing_where_nothing_was,
    a_reader_keeps_its_moment_while_the_index_is_replaced,
    a_reader_keeps_its_moment_while_the_index_is_edited,
    a_reader_during_writes_sees_one_state,
});

mod crashes {
    use super::*;

    contract!([sqlite, kept] {
        a_new_index_that_is_never_finished_leaves_the_old_one,
        an_edit_that_is_never_finished_leaves_the_old_one,
    });

    #[test]
    #[ignore = "the index in memory is stopped at each step by `contract::faults`"]
    fn memory() {}
}

/// Three files, so that a feed can stop before, between and after them.
const THREE: &[(&str, &str)] = &[("a.md", "# A2\nnew"), ("b.md", "# B2\nnew"), ("d.md", "# D2\nnew")];

fn broken_feeds() -> Vec<Feed> {
    let mut feeds: Vec<Feed> = (0..=3).map(|files| Feed::of(THREE).failing_after(files)).collect();
    feeds.push(Feed::of(THREE).failing_at_the_end());
    feeds
}

fn stays_as_it_was(at: &IndexScene, change: &IndexChange) {
    at.replace(&[("a.md", "# A1\nold"), ("c.md", "# C1\nold")]);
    let before = (at.state(), at.files(), at.all_headings(), at.hits("old"));
    for feed in broken_feeds() {
        let failed = at.write(change.clone(), feed).unwrap_err();
        assert_eq!(failed.kind, ErrorKind::NotAFile, "the failure of the feed is told");
        assert_eq!((at.state(), at.files(), at.all_headings(), at.hits("old")), before);
        assert!(at.hits("new").is_empty());
    }
    at.write(change.clone(), Feed::of(THREE)).unwrap();
    assert_eq!(at.files_of("new"), ["a.md", "b.md", "d.md"], "the next write succeeds");
}

fn a_feed_that_fails_leaves_a_replaced_index_as_it_was(at: &IndexScene) {
    stays_as_it_was(at, &IndexChange::Replace(Tokenizer::Cjk));
}

fn a_feed_that_fails_leaves_an_edited_index_as_it_was(at: &IndexScene) {
    stays_as_it_was(at, &removing(&["c.md"]));
}

fn a_feed_that_fails_leaves_nothing_where_nothing_was(at: &IndexScene) {
    for feed in broken_feeds() {
        assert!(at.write(IndexChange::Replace(Tokenizer::Cjk), feed).is_err());
        assert_eq!(at.state(), IndexState::Missing);
    }
    let (folder, _) = INDEX.rsplit_once('/').unwrap();
    assert!(at.machine.names(folder).is_empty());
}

fn a_reader_keeps_its_moment_while_the_index_is_replaced(at: &IndexScene) {
    keeps_its_moment(at, IndexChange::Replace(Tokenizer::Cjk));
}

fn a_reader_keeps_its_moment_while_the_index_is_edited(at: &IndexScene) {
    keeps_its_moment(at, removing(&["b.md"]));
}

/// A reader reads on while the write is under way; an edit may wait for it, and is done once it is gone.
fn keeps_its_moment(at: &IndexScene, change: IndexChange) {
    at.replace(&[("a.md", "# Old\nword"), ("b.md", "word")]);
    let old = at.reader();
    let feed = Feed::of(&[("a.md", "# New\nother")]).publishing(publication("later"));
    std::thread::scope(|scope| {
        let writing = scope.spawn(|| at.write(change, feed));
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
        let feed = Feed::of(&[("a.md", word), ("b.md", word)]).publishing(publication(word));
        at.write(change, feed).unwrap();
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

/// Keeps what stands in the folder of the index each time that it is asked for more: what a killed process would leave.
struct Observed<'a> {
    at: &'a IndexScene,
    feed: Feed,
    seen: Vec<Vec<(String, Vec<u8>)>>,
}

const META: &str = "runtime/x/.skillc-meta";

impl Observed<'_> {
    fn look(&mut self) {
        let names = self.at.machine.names(META).into_iter();
        let bytes = |name: &String| self.at.machine.read(&format!("{META}/{name}")).unwrap();
        self.seen.push(names.map(|name| (name.clone(), bytes(&name))).collect());
    }
}

impl IndexFeed for Observed<'_> {
    fn next(&mut self) -> Option<Result<IndexedFile, PortError>> {
        self.look();
        self.feed.next()
    }

    fn publication(&mut self) -> Result<Publication, PortError> {
        self.look();
        self.feed.publication()
    }
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
    let feed = || Feed::of(&[("a.md", &new), ("b.md", &new)]);
    let mut observed = Observed { at, feed: feed(), seen: Vec::new() };
    block_on(at.index.write(&at.path(), change.clone(), &mut observed)).unwrap();
    let seen = observed.seen;
    assert_eq!(seen.len(), 4);
    for left in seen {
        at.machine.delete(META);
        left.iter().for_each(|(name, bytes)| at.machine.write(&format!("{META}/{name}"), bytes));
        assert_eq!((at.hits("old").len(), at.hits("new").len()), (3, 0));
        at.write(change.clone(), feed()).unwrap();
        assert_eq!((at.hits("old").len(), at.hits("new").len()), (0, 2), "the next build succeeds");
        assert_eq!(at.left_in(META).len(), 1, "and leaves nothing beside");
    }
}
