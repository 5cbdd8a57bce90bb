//! RFC-0013:C-CHOICE: two installed models, and which of them a search uses.

use crate::contract::machines::block_on;
use crate::rfc_0004::app;
use crate::site::{Site, put, skill_md};
use serde_json::Value;
use skillc_domain::digest::Digest;
use skillc_domain::model::{EmbeddingModel, MINILM, SKILLS};
use skillc_memory::{HashEmbedder, MemoryMachine};
use skillc_ops::context::Caller;
use skillc_ops::find::{FindMode, FindReply};
use skillc_ops::verb::find::{Find, FindRequest};
use skillc_ops::{App, call};
use skillc_ports::{Embedder, Embedders, ModelId, PortError, SameEmbedder};
use std::fs;
use std::sync::Arc;
use std::sync::atomic::Ordering;

/// An embedder whose vectors are rotated by one component, as those of a different model.
#[derive(Clone, Default)]
struct Shifted(HashEmbedder);

impl Embedder for Shifted {
    fn model(&self) -> Result<ModelId, PortError> {
        Ok(ModelId { name: "shifted".to_owned(), digest: Digest([9; 32]) })
    }

    fn embed(&self, text: &str) -> Result<Vec<f32>, PortError> {
        let mut vector = self.0.embed(text)?;
        vector.rotate_right(1);
        Ok(vector)
    }
}

/// The plain embedder under the name `all-MiniLM-L6-v2`, and the rotated one as `skills`.
#[derive(Clone, Default)]
struct TwoModels(HashEmbedder, Shifted);

impl Embedders for TwoModels {
    fn of(&self, model: &'static EmbeddingModel) -> Arc<dyn Embedder> {
        if *model == SKILLS { Arc::new(self.1.clone()) } else { Arc::new(self.0.clone()) }
    }
}

/// A machine with three skills and both models.
fn scene() -> (App, TwoModels) {
    let machine = MemoryMachine::new();
    for (name, text) in [
        ("release-notes", "Draft release notes from commits."),
        ("discord-message", "Send a message on Discord."),
        ("pdf-forms", "Fill in the fields of a PDF form."),
    ] {
        let text = format!("---\nname: {name}\ndescription: {text}\n---\n# Steps\n");
        machine.write(format!("/project/.skillc/skills/{name}/SKILL.md"), text.as_bytes());
    }
    let (mut app, models) = (app(&machine), TwoModels::default());
    Arc::make_mut(&mut app.ports).embedders = Arc::new(models.clone());
    (app, models)
}

fn find(app: &App, mode: FindMode) -> FindReply {
    let request =
        FindRequest { query: vec!["draft release notes".to_owned()], mode, ..FindRequest::default() };
    block_on(call::<Find>(app, request)).reply.unwrap()
}

fn first(app: &App, mode: FindMode) -> Option<String> {
    find(app, mode).results.first().map(|result| result.name.clone())
}

/// RFC-0013:C-CHOICE
#[test]
fn an_index_by_another_model_is_rebuilt_and_vectors_are_never_mixed() {
    let (mut app, models) = scene();
    let counts = || (models.0.embedded(), models.1.0.embedded());
    app.call.settings.model = Some(&MINILM);
    assert_eq!(first(&app, FindMode::Semantic).as_deref(), Some("release-notes"));
    let skills = counts().0 - 1;
    assert!(skills >= 3, "each skill and the query: {:?}", counts());
    app.call.settings.model = Some(&SKILLS);
    assert_eq!(first(&app, FindMode::Semantic).as_deref(), Some("release-notes"));
    assert_eq!(counts(), (skills + 1, skills + 1), "all skills once more, by the other model");
    assert_eq!(first(&app, FindMode::Semantic).as_deref(), Some("release-notes"));
    assert_eq!(counts(), (skills + 1, skills + 2), "the query alone");
}

/// RFC-0013:C-CHOICE
#[test]
fn words_answer_a_server_while_another_model_embeds_in_the_background() {
    let (mut app, _) = scene();
    app.call.settings.model = Some(&MINILM);
    find(&app, FindMode::Auto);
    app.call.settings.model = Some(&SKILLS);
    app.call.caller = Caller::Agent("test".to_owned());
    let reply = find(&app, FindMode::Auto);
    assert_eq!(reply.results[0].name, "release-notes", "by words");
    assert!(reply.note.unwrap().contains("is not indexed yet"));
    while app.state.is_embedding.load(Ordering::Acquire) {
        std::thread::yield_now();
    }
    let reply = find(&app, FindMode::Semantic);
    assert_eq!((reply.results[0].name.as_str(), reply.note), ("release-notes", None));
}

/// RFC-0011:C-SCORE
#[test]
fn words_alone_rank_while_most_skills_have_no_vector() {
    let (mut app, _) = scene();
    app.call.settings.model = Some(&MINILM);
    app.call.caller = Caller::Agent("test".to_owned());
    let reply = find(&app, FindMode::Auto);
    assert_eq!(reply.mode, "lexical");
    assert!(reply.note.unwrap().starts_with("found by words only: the meaning of "), "{:?}", reply.results);
    assert_eq!(find(&app, FindMode::Hybrid).mode, "hybrid", "a requested mode stays");
    while app.state.is_embedding.load(Ordering::Acquire) {
        std::thread::yield_now();
    }
    let reply = find(&app, FindMode::Auto);
    assert_eq!((reply.mode.as_str(), reply.note), ("hybrid", None));
}

/// An embedder that can only read ASCII.
#[derive(Clone, Default)]
struct AsciiReader(HashEmbedder);

impl Embedder for AsciiReader {
    fn model(&self) -> Result<ModelId, PortError> {
        self.0.model()
    }

    fn embed(&self, text: &str) -> Result<Vec<f32>, PortError> {
        self.0.embed(text)
    }

    fn reads(&self, text: &str) -> Result<bool, PortError> {
        Ok(text.is_ascii())
    }
}

/// RFC-0011:C-FIND, RFC-0011:C-SCORE
#[test]
fn a_request_in_a_script_that_the_model_does_not_read_is_answered_by_words() {
    let (mut app, _) = scene();
    Arc::make_mut(&mut app.ports).embedders = Arc::new(SameEmbedder::new(AsciiReader::default()));
    let find = |query: &str, mode: FindMode| {
        let request = FindRequest { query: vec![query.to_owned()], mode, ..FindRequest::default() };
        let reply = block_on(call::<Find>(&app, request)).reply.unwrap();
        let first = reply.results.first().map(|result| result.name.clone());
        (reply.mode, first, reply.note.is_some_and(|note| note.contains("does not know")))
    };
    let discord = Some("discord-message".to_owned());
    assert_eq!(find("send on Discord", FindMode::Auto), ("hybrid".to_owned(), discord.clone(), false));
    assert_eq!(find("напиши в Discord", FindMode::Auto), ("lexical".to_owned(), discord, true));
    assert_eq!(find("напиши в Discord", FindMode::Hybrid).0, "hybrid", "as requested");
    assert_eq!(find("😀", FindMode::Auto), ("lexical".to_owned(), None, true));
}

fn list(site: &Site) -> Vec<(String, String, bool)> {
    let reply = site.skc(["model", "list", "-o", "json"]).ok().json();
    let text = |model: &Value, key: &str| model[key].as_str().unwrap().to_owned();
    let models = reply["models"].as_array().unwrap().iter();
    models.map(|m| (text(m, "model"), text(m, "state"), m["in_use"] == true)).collect()
}

/// RFC-0013:C-CHOICE
#[test]
fn a_model_that_is_not_installed_is_in_use_once_it_is() {
    let site = Site::new();
    let text = site.skc(["model", "list"]).ok().out;
    let row = text.lines().find(|line| line.starts_with("all-MiniLM-L6-v2")).unwrap();
    assert!(row.contains("not installed  once installed"), "{text}");
    let text = site.skc(["model", "status"]).ok().out;
    assert!(text.contains("in use   once installed"), "{text}");
}

fn listed(minilm: (&str, bool), skills: (&str, bool)) -> Vec<(String, String, bool)> {
    vec![
        ("all-MiniLM-L6-v2".to_owned(), minilm.0.to_owned(), minilm.1),
        ("skills".to_owned(), skills.0.to_owned(), skills.1),
    ]
}

/// RFC-0013:C-CHOICE
#[test]
fn a_model_that_is_not_installed_is_not_used() {
    let site = Site::new();
    assert_eq!(list(&site), listed(("missing", true), ("missing", false)));
    for name in ["skills", "all-MiniLM-L6-v2"] {
        let run = site.skc(["model", "use", name]).fails("E064");
        assert!(run.err.contains(&format!("the embedding model '{name}' is not installed")), "{}", run.err);
    }
    assert!(!site.home().join(".skillc/config.toml").exists(), "nothing was set");
    for (line, expected) in [
        (
            &["model", "use"][..],
            "needs the name of a model\nhint: name one of them: all-MiniLM-L6-v2, skills",
        ),
        (&["model", "use", "skils"], "skills"),
        (&["model", "list", "skills"], "takes no name"),
        (&["model", "install", "skills"], "no hub has 'skills'"),
        (&["model", "use", "skills", "--from", "x"], "only 'skc model install' takes '--from'"),
    ] {
        let run = site.skc(line).fails("E100");
        assert!(run.err.contains(expected), "{line:?}: {}", run.err);
    }
    put(&site.home().join(".skillc/config.toml"), "[model]\nname = 'skills'\n");
    put(&site.home().join(".agents/skills").join("demo/SKILL.md"), skill_md("demo", "# Top\n"));
    site.skc(["find", "demo", "--mode", "semantic"]).fails("E064");
    let run = site.skc(["find", "demo"]).ok();
    assert!(run.out.contains("demo"), "{}", run.out);
    assert!(run.err.contains("model install skills --from"), "{}", run.err);
    put(&site.home().join(".skillc/config.toml"), "[model]\nname = 'other'\n");
    let run = site.skc(["config", "-o", "json"]);
    assert!(run.err.contains("auto"), "the words that it takes: {}", run.err);
    let name = run.json()["settings"].as_array().unwrap().iter().find(|s| s["key"] == "model.name").cloned();
    assert_eq!(name.unwrap()["value"], "auto");
}

/// RFC-0013:C-CHOICE, RFC-0013:C-MODEL
#[test]
fn a_folder_of_another_model_is_refused() {
    let site = Site::new();
    put(&site.project().join("ours/skills.safetensors"), "short");
    put(&site.project().join("ours/config.json"), "{\"hidden_size\": 384, \"num_hidden_layers\": 3}");
    let run = site.skc(["model", "install", "all-MiniLM-L6-v2", "--from", "ours"]).fails("E062");
    assert!(run.err.contains("it is the model 'skills', not 'all-MiniLM-L6-v2'"), "{}", run.err);
    let run = site.skc(["model", "install", "--from", "ours"]).fails("E062");
    assert!(run.err.contains("'config.json' says num_hidden_layers 3, not 6"), "{}", run.err);
    put(&site.project().join("ours/model.safetensors"), "short");
    let run = site.skc(["model", "install", "--from", "ours"]).fails("E062");
    assert!(run.err.contains("it has files of several models; name one of them"), "{}", run.err);
    assert_eq!(list(&site), listed(("missing", true), ("missing", false)));
    fs::create_dir_all(site.home().join(".skillc/models/skills")).unwrap();
    assert_eq!(list(&site), listed(("missing", false), ("damaged", true)));
    let run = site.skc(["model", "use", "skills"]).fails("E061");
    assert!(run.err.contains("model install skills --from"), "{}", run.err);
}

fn found_by_meaning(site: &Site) -> Value {
    let reply = site.skc(["find", "summarize the commits for a release", "--mode", "semantic", "-o", "json"]);
    reply.ok().json()["results"][0]["name"].clone()
}

/// RFC-0013:C-CHOICE
#[test]
#[cfg_attr(not(has_skills_model), ignore = "no model: SKC_TEST_MODEL and SKC_TEST_MODEL_SKILLS name none")]
fn an_installed_model_is_used_and_another_one_after_model_use() {
    let site = Site::new();
    for (name, text) in
        [("release-notes", "Draft release notes from commits."), ("pdf-forms", "Fill in forms.")]
    {
        put(
            &site.home().join(".agents/skills").join(name).join("SKILL.md"),
            format!("---\nname: {name}\ndescription: {text}\n---\n# S\n"),
        );
    }
    let skills = option_env!("SKC_MODEL_SKILLS_FOUND").unwrap_or_default();
    let run = site.skc(["model", "install", "--from", skills]).ok();
    assert!(run.out.starts_with("Installed skills\n"), "{}", run.out);
    assert_eq!(list(&site), listed(("missing", false), ("installed", true)));
    assert_eq!(found_by_meaning(&site), "release-notes");
    let minilm = option_env!("SKC_MODEL_FOUND").unwrap_or_default();
    let run = site.skc(["model", "install", "--from", minilm]).ok();
    assert!(run.out.contains("no; 'skc model use all-MiniLM-L6-v2' changes that"), "{}", run.out);
    assert_eq!(list(&site), listed(("installed", false), ("installed", true)));
    assert_eq!(site.skc(["model", "use", "all-MiniLM-L6-v2", "-o", "json"]).ok().json()["changed"], true);
    assert_eq!(site.skc(["model", "use", "all-MiniLM-L6-v2", "-o", "json"]).ok().json()["changed"], false);
    assert_eq!(list(&site), listed(("installed", true), ("installed", false)));
    assert_eq!(found_by_meaning(&site), "release-notes");
    let run = site.skc(["model", "status"]).ok();
    assert_eq!(run.out.matches("is installed and intact").count(), 2, "{}", run.out);
}

/// RFC-0011:C-EVAL
#[test]
#[cfg_attr(not(has_skills_model), ignore = "no model: SKC_TEST_MODEL and SKC_TEST_MODEL_SKILLS name none")]
fn eval_compares_the_installed_models() {
    let site = Site::new();
    for (name, text) in
        [("release-notes", "Draft release notes from commits."), ("pdf-forms", "Fill in forms.")]
    {
        let text = format!("---\nname: {name}\ndescription: {text}\n---\n# S\n");
        put(&site.project().join("corpus").join(name).join("SKILL.md"), &text);
    }
    put(
        &site.project().join("q.jsonl"),
        "{\"query\": \"summarize commits\", \"relevant\": [\"release-notes\"]}\n",
    );
    let eval = |models: &[&str]| {
        let line = ["eval", "discovery", "--queries", "q.jsonl", "--corpus", "corpus"];
        site.skc(line.iter().chain(models).copied())
    };
    eval(&["--model", "skills"]).fails("E064");
    for from in [option_env!("SKC_MODEL_SKILLS_FOUND"), option_env!("SKC_MODEL_FOUND")] {
        site.skc(["model", "install", "--from", from.unwrap_or_default()]).ok();
    }
    let rows = |models: &[&str]| {
        let reply = eval(&[models, &["-o", "json"]].concat()).ok().json();
        let row = |row: &Value| {
            format!("{} {}", row["mode"].as_str().unwrap(), row["model"].as_str().unwrap_or("-"))
        };
        reply["modes"].as_array().unwrap().iter().map(row).collect::<Vec<_>>()
    };
    let words = ["rule -", "lexical -"];
    let by = |models: &[&str]| {
        let meaning =
            models.iter().flat_map(|model| ["semantic", "hybrid"].map(|mode| format!("{mode} {model}")));
        words.iter().map(|word| (*word).to_owned()).chain(meaning).collect::<Vec<_>>()
    };
    assert_eq!(rows(&[]), by(&["skills"]), "the one in use");
    assert_eq!(rows(&["--model", "all"]), by(&["all-MiniLM-L6-v2", "skills"]));
    assert_eq!(
        rows(&["--model", "skills", "--model", "all-MiniLM-L6-v2"]),
        by(&["all-MiniLM-L6-v2", "skills"])
    );
    let text = eval(&["--model", "all"]).ok().out;
    assert!(text.lines().nth(1).unwrap().starts_with("MODE      MODEL"), "{text}");
}
