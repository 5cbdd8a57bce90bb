//! `SectionIndex` and `IndexReader`.

use super::feed::{
    Feed, INDEX, IndexScene, file, header, memory, places, publication, rel, removing, search, sqlite,
};
use super::machines::{block_on, watched};
use skillc_domain::config::Tokenizer;
use skillc_domain::digest::Digest;
use skillc_domain::fold::fold;
use skillc_domain::freshness::{IndexHeader, RecordedFile};
use skillc_domain::limits::QUERY_BYTES_MAX;
use skillc_domain::plan::IndexState;
use skillc_domain::query::CJK_SEPARATOR;
use skillc_domain::survey::Stamp;
use skillc_ports::{ErrorKind, IndexChange, IndexFeed, IndexedFile, PortError, Projection, Publication};

contract!([memory, sqlite] {
    where_nothing_stands_the_index_is_missing,
    bytes_that_are_no_index_are_corrupt,
    a_corrupt_index_is_replaced,
    writing_makes_the_folders_above,
    a_written_index_stands_alone_in_its_folder,
    the_header_comes_back_as_it_was_given,
    stub_and_manifest_come_back_as_they_were_committed,
    an_edit_replaces_the_projections_of_the_same_name,
    files_come_back_by_path_with_stamp_and_digest,
    a_new_index_forgets_all_of_the_old,
    replacing_a_file_forgets_its_old_text,
    a_removed_file_is_forgotten,
    removing_an_unknown_file_changes_nothing_else,
    a_file_of_equal_digest_gets_its_stamp_and_keeps_its_rows,
    a_file_without_text_is_recorded_and_never_found,
    an_index_without_files_answers_every_question,
    an_edit_of_nothing_fails_and_makes_nothing,
    a_feed_that_fails_leaves_a_replaced_index_as_it_was,
    a_feed_that_fails_leaves_an_edited_index_as_it_was,
    a_feed_that_fails_leaves_nothing_where_nothing_was,
    a_reader_keeps_its_moment_while_the_index_is_replaced,
    a_reader_keeps_its_moment_while_the_index_is_edited,
    a_reader_during_writes_sees_one_state,
    an_index_may_stand_at_any_path,
    each_section_is_a_row,
    text_before_the_first_heading_is_a_row_without_a_name,
    a_text_file_is_one_row,
    a_heading_matches_in_any_case,
    headings_of_equal_fold_are_all_found,
    a_heading_is_looked_up_whole,
    show_in_one_file_looks_only_there,
    headings_come_by_file_and_line_with_level_and_end,
    every_heading_is_told_by_file_and_line,
    all_words_of_a_query_are_required_in_any_order,
    words_of_a_query_may_be_spread_over_file_heading_and_text,
    letters_are_found_in_any_case,
    fts_syntax_and_punctuation_in_a_query_are_plain_text,
    a_query_of_the_largest_size_is_answered,
    only_ascii_whitespace_separates_words,
    what_stands_behind_a_nul_is_found,
    any_two_adjacent_cjk_characters_are_found,
    two_cjk_characters_of_a_file_name_are_found,
    cjk_characters_apart_do_not_match,
    separators_never_show_in_a_snippet,
    a_snippet_marks_its_matches,
    a_snippet_of_a_long_text_is_cut,
    search_returns_at_most_the_limit,
    search_ranks_by_bm25_in_a_fixed_order,
    ties_come_by_file_and_position_however_they_were_written,
});

mod crashes {
    use super::*;

    contract!([sqlite] {
        a_new_index_that_is_never_finished_leaves_the_old_one,
        an_edit_that_is_never_finished_leaves_the_old_one,
    });

    #[test]
    #[ignore = "the index in memory is stopped at each step by `contract::faults`"]
    fn memory() {}
}

mod stemming {
    use super::*;

    contract!([sqlite] { stemming_follows_the_tokenizer });

    #[test]
    #[ignore = "the index in memory takes words as they are, whatever the tokenizer"]
    fn memory() {}
}

fn pairs(expected: &[(&str, &str)]) -> Vec<(String, String)> {
    expected.iter().map(|(a, b)| (a.to_string(), b.to_string())).collect()
}

fn where_nothing_stands_the_index_is_missing(at: &IndexScene) {
    assert_eq!(at.state(), IndexState::Missing);
    assert!(at.open().is_none());
    assert!(at.machine.names("").is_empty(), "looking makes nothing");
}

/// RFC-0004:C-INDEX
fn bytes_that_are_no_index_are_corrupt(at: &IndexScene) {
    for bytes in [&b""[..], b"no index", &[0; 5000], b"SQLite format 3\0 and then nothing of it"] {
        at.machine.write(INDEX, bytes);
        assert_eq!(at.state(), IndexState::Corrupt, "{bytes:?}");
        assert!(at.open().is_none());
        assert_eq!(at.machine.read(INDEX).unwrap(), bytes, "looking changes nothing");
    }
}

fn a_corrupt_index_is_replaced(at: &IndexScene) {
    at.machine.write(INDEX, &[255; 5000]);
    assert!(at.open().is_none());
    at.replace(&[("a.md", "word")]);
    assert_eq!(at.files_of("word"), ["a.md"]);
}

fn writing_makes_the_folders_above(at: &IndexScene) {
    at.replace(&[]);
    assert_eq!(at.state(), IndexState::Present(header("made")));
}

fn a_written_index_stands_alone_in_its_folder(at: &IndexScene) {
    at.replace(&[("a.md", "# A\nword")]);
    at.edit(&[("a.md", "# A\nother")], &[]);
    let (folder, name) = INDEX.rsplit_once('/').unwrap();
    assert_eq!(at.machine.names(folder), [name]);
}

fn the_header_comes_back_as_it_was_given(at: &IndexScene) {
    let odd = IndexHeader {
        skill_path: "/h'o\"me/ünï 設定/\n;--".to_owned(),
        source_hash: Digest(std::array::from_fn(|i| i as u8 * 8)),
        fingerprint: u64::MAX,
        trusted_ns: i64::MIN,
        schema_version: u32::MAX,
        ..header("2026-01-31T12:00:00Z")
    };
    let other = IndexHeader { fingerprint: 0, trusted_ns: i64::MAX, ..header("") };
    for header in [odd, other] {
        let publication = Publication { header: header.clone(), projections: Vec::new() };
        at.write(IndexChange::Replace(Tokenizer::Cjk), Feed::of(&[]).publishing(publication)).unwrap();
        assert_eq!(at.state(), IndexState::Present(header.clone()));
        assert_eq!(at.reader().header(), &header);
    }
}

fn stub_and_manifest_come_back_as_they_were_committed(at: &IndexScene) {
    let projections = [projection("SKILL.md", b"stub"), projection("manifest.json", &[0, 255, b'\n'])];
    let publication = Publication { projections: projections.to_vec(), ..publication("now") };
    at.write(IndexChange::Replace(Tokenizer::Cjk), Feed::of(&[]).publishing(publication)).unwrap();
    assert_eq!(at.projections(), projections);
}

fn an_edit_replaces_the_projections_of_the_same_name(at: &IndexScene) {
    let publish = |change, text: &[u8]| {
        let projections = vec![projection("SKILL.md", text), projection("manifest.json", text)];
        at.write(change, Feed::of(&[]).publishing(Publication { projections, ..publication("now") }))
            .unwrap();
    };
    publish(IndexChange::Replace(Tokenizer::Cjk), b"old");
    publish(removing(&[]), b"new");
    assert_eq!(at.projections(), [projection("SKILL.md", b"new"), projection("manifest.json", b"new")]);
}

fn projection(name: &str, bytes: &[u8]) -> Projection {
    Projection { name: name.to_owned(), bytes: bytes.to_vec() }
}

fn files_come_back_by_path_with_stamp_and_digest(at: &IndexScene) {
    let stamps = [
        Stamp { size: u64::MAX, mtime_ns: i64::MIN, ctime_ns: i64::MAX, inode: u64::MAX },
        Stamp { size: 0, mtime_ns: -1, ctime_ns: 0, inode: 0 },
        Stamp::default(),
    ];
    let record = |(path, stamp): (&str, Stamp)| RecordedFile { stamp, ..file(path, path).record };
    // In the order of bytes: `-` and `.` come before `/`.
    let records: Vec<_> = ["a-b", "a.md", "a/b"].into_iter().zip(stamps).map(record).collect();
    let bare =
        |record: &RecordedFile| IndexedFile { record: record.clone(), text: None, sections: Vec::new() };
    let feed = Feed::of_files(records.iter().map(bare).collect());
    at.write(IndexChange::Replace(Tokenizer::Cjk), feed).unwrap();
    assert_eq!(at.files(), records);
}

fn a_new_index_forgets_all_of_the_old(at: &IndexScene) {
    at.replace(&[("a.md", "# Old\nword"), ("b.md", "word")]);
    at.replace(&[("b.md", "# New\nother")]);
    assert!(at.hits("word").is_empty());
    assert_eq!(at.all_headings(), [("b.md".to_owned(), 1, "New".to_owned())]);
    assert_eq!(at.files().len(), 1);
}

fn replacing_a_file_forgets_its_old_text(at: &IndexScene) {
    at.replace(&[("a.md", "# Old\nword"), ("b.md", "word")]);
    at.edit(&[("a.md", "# New\nother")], &[]);
    assert_eq!(at.files_of("word"), ["b.md"]);
    assert_eq!(at.hits("other"), pairs(&[("a.md", "New")]));
    assert!(at.headings("old").is_empty());
    assert_eq!(at.headings("new").len(), 1);
    assert_eq!(at.files().len(), 2);
}

fn a_removed_file_is_forgotten(at: &IndexScene) {
    at.replace(&[("a.md", "# A\nword"), ("b.md", "# B\nword")]);
    at.edit(&[("c.md", "# C\nword")], &["a.md"]);
    assert_eq!(at.files_of("word"), ["b.md", "c.md"]);
    assert!(at.headings("a").is_empty());
    let paths: Vec<_> = at.files().into_iter().map(|file| file.path).collect();
    assert_eq!(paths, [rel("b.md"), rel("c.md")]);
}

fn removing_an_unknown_file_changes_nothing_else(at: &IndexScene) {
    at.replace(&[("a.md", "# A\nword")]);
    at.edit(&[], &["b.md"]);
    assert_eq!(at.hits("word"), pairs(&[("a.md", "A")]));
}

fn a_file_of_equal_digest_gets_its_stamp_and_keeps_its_rows(at: &IndexScene) {
    at.replace(&[("a.md", "# A\nword"), ("b.md", "word")]);
    let stamp = Stamp { size: 1, mtime_ns: 2, ctime_ns: 3, inode: 4 };
    let touched = RecordedFile { stamp, ..file("a.md", "# A\nword").record };
    let unread = IndexedFile { record: touched.clone(), text: None, sections: Vec::new() };
    at.write(removing(&[]), Feed::of_files(vec![unread])).unwrap();
    assert_eq!(at.files()[0], touched);
    assert_eq!(at.files_of("word").len(), 2);
    assert_eq!(at.headings("a").len(), 1);
}

fn a_file_without_text_is_recorded_and_never_found(at: &IndexScene) {
    let picture = IndexedFile { text: None, sections: Vec::new(), ..file("word.png", "") };
    at.write(IndexChange::Replace(Tokenizer::Cjk), Feed::of_files(vec![picture])).unwrap();
    assert_eq!(at.files().len(), 1);
    assert!(at.hits("word").is_empty() && at.hits("png").is_empty());
}

fn an_index_without_files_answers_every_question(at: &IndexScene) {
    at.replace(&[]);
    assert!(at.hits("word").is_empty());
    assert!(at.files().is_empty() && at.all_headings().is_empty() && at.projections().is_empty());
}

fn an_edit_of_nothing_fails_and_makes_nothing(at: &IndexScene) {
    assert!(at.write(removing(&[]), Feed::of(&[("a.md", "word")])).is_err());
    assert_eq!(at.state(), IndexState::Missing);
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

fn keeps_its_moment(at: &IndexScene, change: IndexChange) {
    at.replace(&[("a.md", "# Old\nword"), ("b.md", "word")]);
    let old = at.reader();
    let feed = Feed::of(&[("a.md", "# New\nother")]).publishing(publication("later"));
    at.write(change, feed).unwrap();
    assert_eq!(places(search(old.as_ref(), "word", 9)).len(), 2);
    assert!(search(old.as_ref(), "other", 9).is_empty());
    assert_eq!(block_on(old.files()).unwrap().len(), 2);
    assert_eq!(block_on(old.headings("old", None)).unwrap().len(), 1);
    assert_eq!(old.header().indexed_at, "made");
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

fn an_index_may_stand_at_any_path(at: &IndexScene) {
    let odd = at.machine.at("o'dd #1%20 設定 &/x;y");
    let write = |change| block_on(at.index.write(&odd, change, &mut Feed::of(&[("a.md", "word")])));
    write(IndexChange::Replace(Tokenizer::Cjk)).unwrap();
    write(removing(&[])).unwrap();
    assert_eq!(block_on(at.index.state(&odd)), IndexState::Present(header("made")));
    assert_eq!(at.machine.names("o'dd #1%20 設定 &"), ["x;y"]);
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
        assert_eq!(at.machine.names(META).len(), 1, "and leaves nothing beside");
    }
}

/// RFC-0004:C-FORMATS
fn each_section_is_a_row(at: &IndexScene) {
    at.replace(&[("a.md", "# Top\nfirst\n## Low\nsecond\n# Next\nthird\n")]);
    assert_eq!(at.hits("first"), pairs(&[("a.md", "Top")]));
    assert_eq!(at.hits("third"), pairs(&[("a.md", "Next")]));
    let mut repeated = at.hits("second");
    repeated.sort();
    assert_eq!(repeated, pairs(&[("a.md", "Low"), ("a.md", "Top")]));
}

/// RFC-0004:C-FORMATS
fn text_before_the_first_heading_is_a_row_without_a_name(at: &IndexScene) {
    at.replace(&[("a.md", "opening\n# Top\nrest\n"), ("b.md", "\n \n# Top\n")]);
    assert_eq!(at.hits("opening"), pairs(&[("a.md", "")]));
    assert_eq!(at.hits("b"), pairs(&[("b.md", "Top")]), "white space alone is no row");
}

/// RFC-0004:C-FORMATS
fn a_text_file_is_one_row(at: &IndexScene) {
    let text = "first\n# no heading\nsecond";
    let plain = IndexedFile { sections: Vec::new(), ..file("a.txt", text) };
    at.write(IndexChange::Replace(Tokenizer::Cjk), Feed::of_files(vec![plain])).unwrap();
    assert_eq!(at.hits("first second"), pairs(&[("a.txt", "")]));
    assert!(at.all_headings().is_empty());
}

/// RFC-0002:C-SHOW
fn a_heading_matches_in_any_case(at: &IndexScene) {
    let spellings = [
        ("ÄPFEL", "äpfel"),
        ("ΟΔΟΣ", "οδος"),
        ("STRASSE", "straße"),
        ("ПРИВЕТ", "привет"),
        ("Set UP", "sEt uP"),
        ("設定 API", "設定 api"),
    ];
    for (upper, lower) in spellings {
        for (written, asked) in [(upper, lower), (lower, upper), (upper, upper), (lower, lower)] {
            at.replace(&[("a.md", &format!("# {written}\n"))]);
            let found = at.headings(&fold(asked));
            assert_eq!(found.len(), 1, "'{asked}' asked, '{written}' written");
            assert_eq!(found[0].text, written);
        }
    }
}

fn headings_of_equal_fold_are_all_found(at: &IndexScene) {
    at.replace(&[("a.md", "# kelvin\n# \u{212a}elvin\n# KELVIN\n"), ("b.md", "# \u{17f}et\n# SET\n")]);
    assert_eq!(at.headings("kelvin").len(), 3);
    assert_eq!(at.headings("set").len(), 2);
}

fn a_heading_is_looked_up_whole(at: &IndexScene) {
    at.replace(&[("a.md", "# Setup\n# Set\n# The Set\n# S_t\n# S%\n")]);
    for (asked, count) in [("set", 1), ("s_t", 1), ("s%", 1), ("se", 0), ("", 0), ("'", 0)] {
        assert_eq!(at.headings(asked).len(), count, "{asked:?}");
    }
}

/// RFC-0002:C-SHOW
fn show_in_one_file_looks_only_there(at: &IndexScene) {
    at.replace(&[("a.md", "# Set\n# Ä\n"), ("b.md", "# SET\n# ä\n"), ("ab.md", "# Set\n")]);
    let reader = at.reader();
    let in_file = |folded: &str, file: &str| block_on(reader.headings(folded, Some(&rel(file)))).unwrap();
    for folded in ["set", "ä"] {
        let found = in_file(folded, "b.md");
        assert_eq!(found.len(), 1);
        assert_eq!(found[0].file, "b.md");
    }
    assert!(in_file("set", "c.md").is_empty());
}

fn headings_come_by_file_and_line_with_level_and_end(at: &IndexScene) {
    at.replace(&[("b.md", "# Set\n"), ("a.md", "text\n## Set\n# Other\n### SET\nend\n")]);
    at.edit(&[("a-b.md", "# set")], &[]);
    let found = at.headings("set");
    let shown: Vec<_> =
        found.iter().map(|h| (h.file.as_str(), h.start_line, h.end_line, h.level, h.text.as_str())).collect();
    let expected = [
        ("a-b.md", 1, 2, 1, "set"),
        ("a.md", 2, 3, 2, "Set"),
        ("a.md", 4, 6, 3, "SET"),
        ("b.md", 1, 2, 1, "Set"),
    ];
    assert_eq!(shown, expected);
}

fn every_heading_is_told_by_file_and_line(at: &IndexScene) {
    at.replace(&[("b.md", "# Z\n# A\n"), ("a/c.md", "## Ä\n"), ("a.md", "x\n# M\n")]);
    at.edit(&[("a.md", "# M\n# N\n")], &[]);
    let expected =
        [("a.md", 1, "M"), ("a.md", 2, "N"), ("a/c.md", 1, "Ä"), ("b.md", 1, "Z"), ("b.md", 2, "A")];
    assert_eq!(
        at.all_headings(),
        expected.map(|(file, line, text)| (file.to_owned(), line, text.to_owned()))
    );
}

/// RFC-0004:C-QUERY-SYNTAX
fn all_words_of_a_query_are_required_in_any_order(at: &IndexScene) {
    at.replace(&[("a.md", "one and then two"), ("b.md", "one"), ("c.md", "two ones")]);
    assert_eq!(at.files_of("two one"), ["a.md"]);
    assert_eq!(at.files_of("one two"), ["a.md"]);
    assert_eq!(at.files_of("one"), ["b.md", "a.md"]);
    assert!(at.hits("one three").is_empty());
}

fn words_of_a_query_may_be_spread_over_file_heading_and_text(at: &IndexScene) {
    at.replace(&[("guide/install.md", "# Windows\nrun the program\n"), ("other.md", "# Windows\n")]);
    assert_eq!(at.hits("install windows program"), pairs(&[("guide/install.md", "Windows")]));
    assert_eq!(at.hits("guide"), pairs(&[("guide/install.md", "Windows")]));
}

fn letters_are_found_in_any_case(at: &IndexScene) {
    at.replace(&[("a.md", "Configure ПРИВЕТ")]);
    for query in ["configure", "CONFIGURE", "привет", "Привет"] {
        assert_eq!(at.hits(query).len(), 1, "{query}");
    }
}

/// RFC-0004:C-QUERY-SYNTAX
fn fts_syntax_and_punctuation_in_a_query_are_plain_text(at: &IndexScene) {
    at.replace(&[("a.md", "near the content or not, c and section"), ("b.md", "content")]);
    for query in [
        "content NOT near",
        "content AND near",
        "content OR near",
        "NEAR(content)",
        "\"content\" near",
        "content: near",
        "{content} : near",
        "content near*",
        "^content + near",
        "-near content",
        "near' content;--",
        "content near !!! \"\" ()",
    ] {
        let files = at.files_of(query);
        assert!(files.iter().all(|file| file == "a.md"), "{query}: {files:?}");
    }
    for query in ["content near*", "^content near", "-near content", "{content} \"near\" !!! \"\""] {
        assert_eq!(at.files_of(query), ["a.md"], "{query}");
    }
    assert!(at.hits("content AND missing").is_empty());
    for query in ["\"", "*", "( )", "!!!", "\"\" '", "-", "…", "😀"] {
        assert!(at.hits(query).is_empty(), "{query}");
    }
}

fn a_query_of_the_largest_size_is_answered(at: &IndexScene) {
    at.replace(&[("a.md", "x"), ("b.md", "y")]);
    assert_eq!(at.files_of("x ".repeat(QUERY_BYTES_MAX / 2).as_str()), ["a.md"]);
    assert!(at.hits(&"x".repeat(QUERY_BYTES_MAX)).is_empty());
    assert!(at.hits(&"\"".repeat(QUERY_BYTES_MAX)).is_empty());
}

/// RFC-0004:C-QUERY-SYNTAX
fn only_ascii_whitespace_separates_words(at: &IndexScene) {
    at.replace(&[("a.md", "one two"), ("b.md", "two one")]);
    for separator in [" ", "\t", "\n", "\r", "\0"] {
        assert_eq!(at.hits(&format!("one{separator}two")).len(), 2, "{separator:?}");
    }
    for no_separator in ["\u{a0}", "\u{3000}", "\u{2028}"] {
        assert_eq!(at.files_of(&format!("one{no_separator}two")), ["a.md"], "{no_separator:?}");
    }
}

fn what_stands_behind_a_nul_is_found(at: &IndexScene) {
    at.replace(&[("a.md", "# He\0ad\nbefore\0after\n")]);
    assert_eq!(at.hits("after"), pairs(&[("a.md", "He\0ad")]));
}

/// RFC-0004:C-CJK
fn any_two_adjacent_cjk_characters_are_found(at: &IndexScene) {
    let sentence = "請使用設定檔來啟動API服務。";
    at.replace(&[("a.md", sentence), ("b.md", "# ランタイム\n한국어 문서\n")]);
    let characters: Vec<char> = sentence.chars().take_while(|c| *c != 'A').collect();
    for two in characters.windows(2) {
        let query: String = two.iter().collect();
        assert_eq!(at.files_of(&query), ["a.md"], "{query}");
    }
    for query in ["タイ", "국어", "文書", "API", "api服務", "動API"] {
        let expected = ["文書"].contains(&query);
        assert_eq!(at.hits(query).is_empty(), expected, "{query}");
    }
}

/// RFC-0004:C-CJK
fn two_cjk_characters_of_a_file_name_are_found(at: &IndexScene) {
    at.replace(&[("手冊/使用設定檔.md", "text"), ("other.md", "text")]);
    assert_eq!(at.files_of("設定"), ["手冊/使用設定檔.md"]);
}

/// RFC-0004:C-CJK
fn cjk_characters_apart_do_not_match(at: &IndexScene) {
    at.replace(&[("a.md", "設備的定義 設a定"), ("b.md", "# 設\n備定\n")]);
    assert!(at.hits("設定").is_empty());
    assert_eq!(at.files_of("定義"), ["a.md"]);
    assert_eq!(at.hits("設 定").len(), 2, "as two words they may stand apart");
}

/// RFC-0004:C-CJK
fn separators_never_show_in_a_snippet(at: &IndexScene) {
    at.replace(&[("a.md", "# 設定檔\n使用設定檔來啟動API服務\n")]);
    let hit = at.search("設定", 1).remove(0);
    assert_eq!(hit.section, "設定檔");
    assert!(!hit.snippet.contains(CJK_SEPARATOR), "{:?}", hit.snippet);
    assert!(hit.snippet.contains("[MATCH]設定[/MATCH]檔來啟動API服務"), "{}", hit.snippet);
}

/// RFC-0004:C-SEARCH
fn a_snippet_marks_its_matches(at: &IndexScene) {
    at.replace(&[("a.md", "first Word, second word and third"), ("word.md", "nothing else")]);
    let snippet = |query| at.search(query, 1).remove(0).snippet;
    assert_eq!(snippet("second"), "first Word, [MATCH]second[/MATCH] word and third");
    let two = snippet("second word");
    assert!(two.starts_with("first [MATCH]Word[/MATCH], [MATCH]second"), "{two}");
    assert_eq!(snippet("word nothing"), "[MATCH]nothing[/MATCH] else");
    assert_eq!(snippet("md else nothing word"), "[MATCH]nothing[/MATCH] [MATCH]else[/MATCH]");
}

fn a_snippet_of_a_long_text_is_cut(at: &IndexScene) {
    let filler = "filler ".repeat(100);
    at.replace(&[("a.md", &format!("{filler}needle {filler}"))]);
    let snippet = at.search("needle", 1).remove(0).snippet;
    assert!(snippet.contains("[MATCH]needle[/MATCH]"), "{snippet}");
    assert!(snippet.starts_with("...") && snippet.ends_with("..."), "{snippet}");
    assert!(snippet.split_whitespace().count() <= 34, "{snippet}");
}

/// RFC-0004:C-SEARCH
fn search_returns_at_most_the_limit(at: &IndexScene) {
    at.replace(&[("a.md", "word word"), ("b.md", "word"), ("c.md", "word"), ("d.md", "no")]);
    for (limit, count) in [(1, 1), (2, 2), (3, 3), (1000, 3)] {
        assert_eq!(at.search("word", limit).len(), count);
    }
    let all = at.hits("word");
    assert_eq!(places(at.search("word", 2)), all[..2], "the best ones");
}

/// RFC-0004:C-SEARCH
fn search_ranks_by_bm25_in_a_fixed_order(at: &IndexScene) {
    at.replace(&[
        ("a.md", "common rare and some more words that make it long"),
        ("b.md", "common rare rare"),
        ("c.md", "common"),
        ("d.md", "common"),
        ("e.md", "other text of a few words"),
        ("f.md", "other text of a few words"),
        ("g.md", "other text of a few words"),
    ]);
    let hits = at.search("rare", 10);
    assert_eq!(hits.iter().map(|hit| hit.file.as_str()).collect::<Vec<_>>(), ["b.md", "a.md"]);
    assert!(hits[0].score > hits[1].score && hits[1].score > 0.0, "{hits:?}");
    assert_eq!(at.search("rare", 10), hits, "the same on every run");
    let files = at.files_of("common");
    assert_eq!(files[..2], ["c.md", "d.md"], "shorter rows are better, and ties come by file");
}

fn ties_come_by_file_and_position_however_they_were_written(at: &IndexScene) {
    let twice = "# One\nword\n# Two\nword\n";
    at.replace(&[("b.md", twice), ("c.md", twice)]);
    at.edit(&[("a.md", twice)], &[]);
    at.edit(&[("b.md", "gone")], &[]);
    at.edit(&[("b.md", twice)], &[]);
    let files = ["a.md", "b.md", "c.md"];
    let expected: Vec<_> = files.iter().flat_map(|file| pairs(&[(file, "One"), (file, "Two")])).collect();
    assert_eq!(at.hits("word"), expected);
    assert_eq!(places(at.search("word", 3)), expected[..3], "also where the limit cuts through them");
}

/// RFC-0004:C-QUERY-SYNTAX
fn stemming_follows_the_tokenizer(at: &IndexScene) {
    let files = [("a.md", "configuring connections")];
    for (tokenizer, count) in [(Tokenizer::Ascii, 1), (Tokenizer::Cjk, 0)] {
        at.write(IndexChange::Replace(tokenizer), Feed::of(&files)).unwrap();
        assert_eq!(at.hits("configure connection").len(), count);
        assert_eq!(at.hits("configuring").len(), 1);
        at.edit(&[("b.md", "configured")], &[]);
        assert_eq!(at.hits("configure").len(), 2 * count, "an edit keeps the tokenizer");
    }
}
