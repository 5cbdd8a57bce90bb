use super::*;
use skillc_domain::archive::{ArchiveEntry, ArchiveFlaw, ArchivedKind};

/// An archive with files of one byte each.
fn archive(names: &[&str]) -> ArchiveListing {
    let entries = names.iter().map(|name| ArchiveEntry::file(*name, 1)).collect();
    ArchiveListing { entries, ..ArchiveListing::default() }
}

fn metadata(name: &str, description: &str) -> PackedMetadata {
    PackedMetadata {
        name: Some(name.to_owned()),
        description: Some(description.to_owned()),
        fields: vec!["name".to_owned(), "description".to_owned()],
        ..PackedMetadata::default()
    }
}

/// The certain refusals of a target.
fn certain(target: &str, archive: &ArchiveListing, metadata: &PackedMetadata) -> Vec<String> {
    let found = refusals(find(target).unwrap(), archive, Some(metadata));
    found.into_iter().filter(|refusal| refusal.is_certain).map(|refusal| refusal.message).collect()
}

/// RFC-0015:C-WORDS
#[test]
fn claude_ai_is_predicted_in_its_own_words() {
    let (good, fine) = (metadata("demo", "Does."), archive(&["demo/SKILL.md", "demo/a.md"]));
    assert_eq!(certain("claude", &fine, &good), [""; 0]);
    let many: Vec<String> = (0..200).map(|n| format!("demo/{n}.md")).collect();
    let mut many: Vec<&str> = many.iter().map(String::as_str).collect();
    many.push("demo/SKILL.md");
    for (archive, metadata, words) in [
        (archive(&many), good.clone(), "Zip contains too many files (maximum 200)"),
        (
            archive(&["demo/SKILL.md", "demo/x/SKILL.md"]),
            good.clone(),
            "Zip must contain exactly one SKILL.md file",
        ),
        (archive(&["demo/a.md"]), good.clone(), "Zip must contain exactly one SKILL.md file"),
        (archive(&["up/demo/SKILL.md"]), good.clone(), "SKILL.md file must be in the top-level folder"),
        (archive(&["SKILL.md"]), good.clone(), "SKILL.md file must be in the top-level folder"),
        (
            fine,
            metadata("demo", &"x".repeat(1025)),
            "field 'description' in SKILL.md must be at most 1024 characters",
        ),
    ] {
        assert_eq!(certain("claude", &archive, &metadata), [words]);
    }
}

/// RFC-0015:C-TARGETS
#[test]
fn each_receiver_has_limits_of_its_own() {
    let (demo, fine) = (metadata("demo", "Does."), archive(&["demo/SKILL.md"]));
    let large =
        ArchiveListing { entries: vec![ArchiveEntry::file("demo/SKILL.md", 30_000_001)], ..fine.clone() };
    let of_claude = metadata("claude-demo", "Does.");
    let tagged = metadata("demo", "Fills in <project>.");
    for (target, archive, metadata, message) in [
        ("api", &large, &demo, "30000001 bytes unpacked exceed the limit of 30000000"),
        ("api", &archive(&["claude-demo/SKILL.md"]), &of_claude, "reserved word 'claude'"),
        ("api", &fine, &metadata("other", "Does."), "the folder is 'demo', and the name is 'other'"),
        ("api", &fine, &tagged, "the tag '<project>'"),
        ("claude", &fine, &tagged, "the tag '<project>'"),
        ("api", &archive(&["Demo/SKILL.md"]), &metadata("Demo", "Does."), "uppercase"),
        ("well-known", &fine, &demo, "SKILL.md is not at the top of the archive"),
        ("gemini", &archive(&["a/b/SKILL.md"]), &demo, "SKILL.md is more than one folder deep"),
        ("gemini", &fine, &PackedMetadata::default(), "SKILL.md has no name"),
    ] {
        let found = certain(target, archive, metadata);
        assert!(found.iter().any(|found| found.contains(message)), "{target}: {message} in {found:?}");
    }
    for accepted in ["gemini", "well-known"] {
        assert_eq!(certain(accepted, &archive(&["SKILL.md"]), &tagged), [""; 0], "{accepted}");
    }
    assert_eq!(certain("claude", &large, &demo), [""; 0]);
}

/// RFC-0015:C-SAFE
#[test]
fn no_receiver_takes_an_unsafe_archive() {
    let plain = ArchiveEntry::file("demo/x", 1);
    let with = |entry: ArchiveEntry| {
        let mut archive = archive(&["demo/SKILL.md"]);
        archive.entries.push(entry);
        archive
    };
    let named = |name: &str| with(ArchiveEntry { name: name.to_owned(), ..plain.clone() });
    for (archive, message) in [
        (named("demo/../../x"), "climbs out"),
        (named("demo\\..\\x"), "climbs out"),
        (named("/etc/x"), "is absolute"),
        (named("demo\\a.md"), "has a backslash"),
        (named("demo/a:b"), "has a colon"),
        (named("demo/a\u{1b}b"), "has a control character"),
        (named("demo//x"), "has an empty part"),
        (named(&"d/".repeat(70)), "too many folders deep"),
        (named(&format!("demo/{}", "x".repeat(256))), "longer than file systems allow"),
        (named("demo/skill.md"), "'demo/SKILL.md' and 'demo/skill.md' are one file"),
        (named("demo/SKILL.md"), "the name occurs twice"),
        (with(ArchiveEntry { kind: ArchivedKind::Link, ..plain.clone() }), "is a link"),
        (with(ArchiveEntry { is_encrypted: true, ..plain.clone() }), "is encrypted"),
    ] {
        for target in PACK_TARGETS {
            let found = refusals(target, &archive, None);
            let is_found = found.iter().any(|r| r.is_certain && r.message.contains(message));
            assert!(is_found, "{}: {message} in {found:?}", target.id);
        }
    }
    let flaws = vec![ArchiveFlaw::Bomb { name: "demo/x".to_owned() }];
    let bomb = ArchiveListing { flaws, ..archive(&["demo/SKILL.md"]) };
    assert!(refusals(find("claude").unwrap(), &bomb, None)[0].message.contains("hundred times"));
}

/// RFC-0015:C-SAFE
#[test]
fn a_possible_refusal_is_not_certain() {
    let long = metadata("demo", &"x".repeat(201));
    let odd = PackedMetadata { fields: vec!["version".to_owned()], ..metadata("demo", "Does.") };
    for (archive, metadata, message) in [
        (archive(&["demo/SKILL.md"]), &long, "201 characters"),
        (archive(&["demo/SKILL.md", "demo/a.zip"]), &metadata("demo", "Does."), "the file is an archive"),
        (archive(&["demo/SKILL.md"]), &odd, "the field 'version'"),
        (archive(&["other/SKILL.md"]), &metadata("demo", "Does."), "the folder is 'other'"),
    ] {
        assert_eq!(certain("claude", &archive, metadata), [""; 0]);
        let found = refusals(find("claude").unwrap(), &archive, Some(metadata));
        assert!(found.iter().any(|refusal| refusal.message.contains(message)), "{message} in {found:?}");
    }
}

/// RFC-0015:C-PACK
#[test]
fn caches_packages_hidden_files_and_tests_are_left_out() {
    for (path, reason) in [
        ("SKILL.md", None),
        ("references/evals/a.md", None),
        ("evals/evals.json", Some(Omission::Evals)),
        ("scripts/__pycache__/a.pyc", Some(Omission::Cache)),
        ("a.pyc", Some(Omission::Cache)),
        ("node_modules/x/index.js", Some(Omission::Packages)),
        ("assets/.DS_Store", Some(Omission::Browser)),
        (".env", Some(Omission::Hidden)),
        ("a/.git/config", Some(Omission::Hidden)),
    ] {
        assert_eq!(left_out(path), reason, "{path}");
    }
}
