//! `SectionIndex`: what is written can be read back.

use super::index_scene::{
    Content, INDEX, IndexScene, file, header, memory, pairs, pooled, publication, rel, removing, sqlite,
    write,
};
use super::machines::block_on;
use skillc_domain::config::Tokenizer;
use skillc_domain::digest::Digest;
use skillc_domain::freshness::{IndexHeader, RecordedFile};
use skillc_domain::plan::IndexState;
use skillc_domain::survey::Stamp;
use skillc_ports::{IndexChange, IndexedFile, Publication, PublishedFile};

contract!([memory, sqlite, pooled] {
    without_a_file_the_index_is_missing,
    bytes_that_are_no_index_are_corrupt,
    a_corrupt_index_is_replaced,
    writing_makes_the_folders_above,
    a_written_index_is_alone_in_its_folder,
    the_header_comes_back_as_it_was_given,
    stub_and_manifest_come_back_as_they_were_committed,
    an_edit_replaces_the_published_files_of_the_same_name,
    files_come_back_by_path_with_stamp_and_digest,
    a_new_index_forgets_all_of_the_old,
    replacing_a_file_forgets_its_old_text,
    a_removed_file_is_forgotten,
    removing_an_unknown_file_changes_nothing_else,
    a_file_of_equal_digest_gets_its_stamp_and_keeps_its_rows,
    a_file_without_text_is_recorded_and_never_found,
    an_index_without_files_answers_every_question,
    an_edit_of_nothing_fails_and_makes_nothing,
    an_index_may_stand_at_any_path,
});

fn without_a_file_the_index_is_missing(at: &IndexScene) {
    assert_eq!(at.state(), IndexState::Missing);
    assert!(at.machine.names("").is_empty(), "looking makes nothing");
}

/// RFC-0004:C-INDEX
fn bytes_that_are_no_index_are_corrupt(at: &IndexScene) {
    for bytes in [&b""[..], b"no index", &[0; 5000], b"SQLite format 3\0 and then nothing of it"] {
        at.machine.write(INDEX, bytes);
        assert_eq!(at.state(), IndexState::Corrupt, "{bytes:?}");
        assert_eq!(at.machine.read(INDEX).unwrap(), bytes, "looking changes nothing");
    }
}

fn a_corrupt_index_is_replaced(at: &IndexScene) {
    at.machine.write(INDEX, &[255; 5000]);
    assert_eq!(at.state(), IndexState::Corrupt);
    at.replace(&[("a.md", "word")]);
    assert_eq!(at.files_of("word"), ["a.md"]);
}

fn writing_makes_the_folders_above(at: &IndexScene) {
    at.replace(&[]);
    assert_eq!(at.state(), IndexState::Present(header("made")));
}

fn a_written_index_is_alone_in_its_folder(at: &IndexScene) {
    at.replace(&[("a.md", "# A\nword")]);
    at.edit(&[("a.md", "# A\nother")], &[]);
    let (folder, name) = INDEX.rsplit_once('/').unwrap();
    assert_eq!(at.left_in(folder), [name]);
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
        let publication = Publication { header: header.clone(), files: Vec::new() };
        at.write(IndexChange::Replace(Tokenizer::Cjk), Content::of(&[]).publishing(publication)).unwrap();
        assert_eq!(at.state(), IndexState::Present(header.clone()));
        assert_eq!(at.reader().header(), &header);
    }
}

fn stub_and_manifest_come_back_as_they_were_committed(at: &IndexScene) {
    let files = [published("SKILL.md", b"stub"), published("manifest.json", &[0, 255, b'\n'])];
    let publication = Publication { files: files.to_vec(), ..publication("now") };
    at.write(IndexChange::Replace(Tokenizer::Cjk), Content::of(&[]).publishing(publication)).unwrap();
    assert_eq!(at.published_files(), files);
}

fn an_edit_replaces_the_published_files_of_the_same_name(at: &IndexScene) {
    let publish = |change, text: &[u8]| {
        let files = vec![published("SKILL.md", text), published("manifest.json", text)];
        at.write(change, Content::of(&[]).publishing(Publication { files, ..publication("now") })).unwrap();
    };
    publish(IndexChange::Replace(Tokenizer::Cjk), b"old");
    publish(removing(&[]), b"new");
    assert_eq!(at.published_files(), [published("SKILL.md", b"new"), published("manifest.json", b"new")]);
}

fn published(name: &str, bytes: &[u8]) -> PublishedFile {
    PublishedFile { name: name.to_owned(), bytes: bytes.to_vec() }
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
    let bare = |record: &RecordedFile| IndexedFile { record: record.clone(), text: None };
    let content = Content::of_files(records.iter().map(bare).collect());
    at.write(IndexChange::Replace(Tokenizer::Cjk), content).unwrap();
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
    let unread = IndexedFile { record: touched.clone(), text: None };
    at.write(removing(&[]), Content::of_files(vec![unread])).unwrap();
    assert_eq!(at.files()[0], touched);
    assert_eq!(at.files_of("word").len(), 2);
    assert_eq!(at.headings("a").len(), 1);
}

fn a_file_without_text_is_recorded_and_never_found(at: &IndexScene) {
    let picture = IndexedFile { text: None, ..file("word.png", "") };
    at.write(IndexChange::Replace(Tokenizer::Cjk), Content::of_files(vec![picture])).unwrap();
    assert_eq!(at.files().len(), 1);
    assert!(at.hits("word").is_empty() && at.hits("png").is_empty());
}

fn an_index_without_files_answers_every_question(at: &IndexScene) {
    at.replace(&[]);
    assert!(at.hits("word").is_empty());
    assert!(at.files().is_empty() && at.all_headings().is_empty() && at.published_files().is_empty());
}

fn an_edit_of_nothing_fails_and_makes_nothing(at: &IndexScene) {
    assert!(at.write(removing(&[]), Content::of(&[("a.md", "word")])).is_err());
    assert_eq!(at.state(), IndexState::Missing);
}

fn an_index_may_stand_at_any_path(at: &IndexScene) {
    let odd = at.machine.at("o'dd #1%20 設定 &/x;y");
    let write = |change| write(at.index.as_ref(), &odd, change, Content::of(&[("a.md", "word")]));
    write(IndexChange::Replace(Tokenizer::Cjk)).unwrap();
    write(removing(&[])).unwrap();
    let opened = block_on(at.index.open(&odd));
    assert_eq!(opened.map(|reader| reader.header().clone()), IndexState::Present(header("made")));
    assert_eq!(at.left_in("o'dd #1%20 設定 &"), ["x;y"]);
}
