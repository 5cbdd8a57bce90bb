//! RFC-0013:C-VECTORS, with the real model. The tests are ignored unless `SKC_TEST_MODEL` names its folder.

use crate::site::{Site, put};
use skillc_domain::model::MINILM;
use skillc_embed::{BertEmbedder, DiskModelStore, HUB};
use skillc_ports::{Embedder, ErrorKind, ModelOrigin, ModelStore, Quiet};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

/// The published files of the model. Tests that need them do not run without them.
fn snapshot() -> PathBuf {
    PathBuf::from(option_env!("SKC_MODEL_FOUND").unwrap_or_default())
}

/// An installed model that all tests share. Its files are deleted with the system's temporary files.
fn installed() -> &'static BertEmbedder {
    static INSTALLED: OnceLock<(tempfile::TempDir, BertEmbedder)> = OnceLock::new();
    let (_, embedder) = INSTALLED.get_or_init(|| {
        let home = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
        let embedder = BertEmbedder::new(&MINILM, install(home.path()));
        (home, embedder)
    });
    embedder
}

fn install(models: &Path) -> PathBuf {
    let store = DiskModelStore::new(models, HUB);
    assert!(store.install(&MINILM, &ModelOrigin::Disk(snapshot()), &Quiet).unwrap());
    store.folder(&MINILM)
}

fn cosine(a: &[f32], b: &[f32]) -> f64 {
    a.iter().zip(b).map(|(x, y)| f64::from(*x) * f64::from(*y)).sum()
}

/// RFC-0013:C-VECTORS
#[test]
#[cfg_attr(not(has_model), ignore = "no model: SKC_TEST_MODEL names no folder that holds it")]
fn vectors_agree_with_those_of_the_published_model() {
    let reference = include_str!("reference.jsonl");
    let mut texts = 0;
    for line in reference.lines() {
        let row: serde_json::Value = serde_json::from_str(line).unwrap();
        let text = row["text"].as_str().unwrap();
        let expected: Vec<f32> =
            row["vector"].as_array().unwrap().iter().map(|x| x.as_f64().unwrap() as f32).collect();
        let cosine = cosine(&installed().embed(text).unwrap(), &expected);
        assert!(cosine >= 0.999, "{cosine}: {text:?}");
        texts += 1;
    }
    assert!(texts >= 12, "{texts}");
}

/// RFC-0013:C-VECTORS
#[test]
#[cfg_attr(not(has_model), ignore = "no model: SKC_TEST_MODEL names no folder that holds it")]
fn every_text_has_a_vector_of_length_one_that_never_changes() {
    let long = "a long text ".repeat(100_000);
    let word = "x".repeat(100_000);
    let texts =
        ["", " \n\t", "\u{0}\u{1}\u{feff}", "你好，世界", "😀👩‍👩‍👧", "e\u{301}\u{301}", "a", &long, &word];
    let at_once = installed().embed_all(&texts).unwrap();
    for (text, vector) in texts.iter().zip(&at_once) {
        assert_eq!(vector.len(), 384);
        assert!((cosine(vector, vector) - 1.0).abs() < 1e-5, "{text:?}");
        assert_eq!(&installed().embed(text).unwrap(), vector, "{text:?}");
    }
    assert!(installed().embed_all(&[]).unwrap().is_empty());
}

/// RFC-0013:C-VECTORS
#[test]
#[cfg_attr(not(has_model), ignore = "no model: SKC_TEST_MODEL names no folder that holds it")]
fn text_after_the_first_256_word_pieces_does_not_count() {
    let first = "word ".repeat(254);
    let vector = installed().embed(&first).unwrap();
    assert_eq!(installed().embed(&format!("{first}{}", "other things ".repeat(1_000_000))).unwrap(), vector);
    assert_ne!(installed().embed(&"word ".repeat(253)).unwrap(), vector);
}

#[test]
#[cfg_attr(not(has_model), ignore = "no model: SKC_TEST_MODEL names no folder that holds it")]
fn a_model_that_was_cut_off_since_is_an_error_until_it_is_put_right() {
    let home = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
    let folder = install(home.path());
    let weights = folder.join("model.safetensors");
    fs::File::options().write(true).open(&weights).unwrap().set_len(1_000_000).unwrap();
    let embedder = BertEmbedder::new(&MINILM, &folder);
    let error = embedder.embed("x").unwrap_err();
    assert_eq!(error.kind, ErrorKind::Corrupt);
    let flaw = error.source.unwrap().to_string();
    assert_eq!(flaw, "'model.safetensors' is truncated: it has 1000000 of 90868376 bytes");
    assert_eq!(install(home.path()), folder);
    assert_eq!(embedder.embed("x").unwrap().len(), 384, "a failure is not remembered");
    fs::remove_dir_all(&folder).unwrap();
    assert_eq!(embedder.model().unwrap_err().kind, ErrorKind::NotFound);
    assert_eq!(embedder.embed("x").unwrap().len(), 384, "what is loaded stays");
}

/// RFC-0011:C-SCORE
#[test]
#[cfg_attr(not(has_model), ignore = "no model: SKC_TEST_MODEL names no folder that holds it")]
fn by_meaning_too_what_no_skill_answers_is_answered_with_nothing() {
    let site = Site::new();
    site.skc(["model", "install", "--from", snapshot().to_str().unwrap()]).ok();
    for (name, description) in [
        ("release-notes", "Draft release notes from commits."),
        ("discord-message", "Send a message on Discord."),
        ("pdf-forms", "Fill in the fields of a PDF form."),
    ] {
        let text = format!("---\nname: {name}\ndescription: {description}\n---\n# S\n");
        put(&site.home().join(".agents/skills").join(name).join("SKILL.md"), text);
    }
    let found = |query: &str, mode: &str| {
        let reply = site.skc(["find", query, "--mode", mode, "-o", "json"]).ok().json();
        assert_eq!(reply["mode"], mode, "{reply}");
        reply["results"].as_array().unwrap().iter().map(|found| found["name"].clone()).collect::<Vec<_>>()
    };
    for mode in ["semantic", "hybrid"] {
        for query in ["replace the timing belt of a Honda", "tune a violin by ear", "search my photos"] {
            assert_eq!(found(query, mode), [""; 0], "{query}, {mode}");
        }
        assert_eq!(found("summarize the commits for a release", mode)[0], "release-notes", "{mode}");
        assert_eq!(found("complete an application form", mode)[0], "pdf-forms", "{mode}");
    }
}

/// RFC-0013:C-MODEL
#[test]
#[cfg_attr(not(has_model), ignore = "no model: SKC_TEST_MODEL names no folder that holds it")]
fn the_model_is_installed_from_the_command_line() {
    let site = Site::new();
    let from = snapshot();
    let run = site.skc(["model", "install", "--from", from.to_str().unwrap()]).ok();
    assert!(run.out.starts_with("Installed all-MiniLM-L6-v2\n"), "{}", run.out);
    let again = site.skc(["model", "install", "-o", "json"]).ok().json();
    assert_eq!(
        (&again["state"], &again["changed"]),
        (&"installed".into(), &false.into()),
        "no network is asked"
    );
    assert_eq!(site.skc(["model", "status", "-o", "json"]).ok().json()["state"], "installed");
}
