//! `skc find --team` from the user's point of view (RFC-0003:C-TEAM-FIND).

use super::cluster::{Database, empty_database, ready_database};
use crate::site::{Run, Site, put, skill_md};
use serde_json::{Value, json};

/// A machine of the team with some skills.
struct Machine<'a> {
    site: Site,
    database: &'a Database,
}

impl<'a> Machine<'a> {
    fn new(name: &str, database: &'a Database) -> Self {
        let site = Site::built("demo", "# Demo\n\n## Usage\n");
        put(&site.home().join(".skillc/config.toml"), format!("[team]\nmachine = '{name}'\norg = 'acme'\n"));
        Self { site, database }
    }

    fn write(&self, name: &str, description: &str) {
        let text = skill_md(name, "# Steps\n\nsecret text\n")
            .replace("description:", &format!("description: {description} #"));
        put(&self.site.home().join(format!(".skillc/skills/{name}/SKILL.md")), text);
    }

    fn skc(&self, words: &[&str]) -> Run {
        self.site.skc_with(&[("SKILLC_TEAM_URL", &self.database.url)], words.iter().copied())
    }

    fn find(&self, words: &[&str]) -> Value {
        self.skc(&[&["find", "--team", "--format", "json"], words].concat()).ok().json()
    }
}

/// RFC-0003:C-TEAM-FIND
#[test]
#[cfg_attr(not(has_postgres), ignore = "no PostgreSQL server binaries were found")]
fn a_skill_published_by_one_machine_is_found_by_another() {
    let database = ready_database();
    let (anna, ben) = (Machine::new("anna", &database), Machine::new("ben", &database));
    anna.write("pdf-tools", "Splits and merges documents");
    anna.write("chat", "Sends a message to a channel");
    anna.skc(&["team", "publish", "--all"]).ok();
    let reply = ben.find(&["merge two documents"]);
    let one = &reply["results"][0];
    assert_eq!((&reply["mode"], &reply["count"]), (&json!("lexical"), &json!(1)));
    assert_eq!(
        (&one["skill"], &one["name"], &one["reason"]),
        (&json!("pdf-tools"), &json!("pdf-tools"), &json!("lexical"))
    );
    assert_eq!(
        (&one["org"], &one["machine"], &one["scope"], &one["path"]),
        (&json!("acme"), &json!("anna"), &json!("team"), &json!(""))
    );
    assert_eq!((one["digest"].as_str().unwrap().len(), &one["installed"]), (64, &json!(false)));
    let score = one["score"].as_f64().unwrap();
    assert!(score > 0.0 && score <= 1.0, "{score}");
    assert_eq!(anna.find(&["merge two documents"])["results"][0]["installed"], json!(true));
    anna.write("pdf-tools", "Splits and merges documents, and more");
    assert_eq!(
        anna.find(&["merge two documents"])["results"][0]["installed"],
        json!(false),
        "another digest"
    );
    let named = ben.find(&["CHAT", "--limit", "1", "--explain"]);
    assert_eq!(named["results"][0]["reason"], "exact_name");
    assert_eq!(ben.find(&["pdf", "--mode", "rule"])["results"][0]["reason"], "prefix");
    let text = ben.skc(&["find", "--team", "merge documents"]).ok().out;
    assert!(text.contains("'pdf-tools' of acme, from anna"), "{text}");
    assert_eq!(ben.find(&["secret"])["results"], json!([]), "the text of a skill is not in the catalog");
    assert_eq!(ben.find(&["' & | ! :* <-> \u{1f600}"])["results"], json!([]));
}

/// RFC-0003:C-TEAM-FIND
#[test]
#[cfg_attr(not(has_postgres), ignore = "no PostgreSQL server binaries were found")]
fn a_search_of_the_team_fails_with_the_codes_of_its_server() {
    let database = empty_database();
    let machine = Machine::new("emil", &database);
    machine.site.skc(["find", "--team", "x"]).fails("E043");
    machine.skc(&["find", "--team", "x"]).fails("E047");
    machine.skc(&["team", "init"]).ok();
    machine.skc(&["find", "--team", "  "]).fails("E004");
    machine.skc(&["find", "--team", "x", "--mode", "semantic"]).fails("E060");
    let away = database.url.replace("/skcpg", "/nowhere");
    machine.site.skc_with(&[("SKILLC_TEAM_URL", &away)], ["find", "--team", "x"]).fails("E044");
    machine.skc(&["find", "--team", "x", "--scope", "repo"]).fails("E100");
    assert_eq!(machine.find(&[&"long ".repeat(2_000)])["results"], json!([]));
    let status = machine.skc(&["team", "status", "--format", "json"]).ok().json();
    assert_eq!(status["state"]["vectors_by"], "arrays");
    assert!(machine.skc(&["team", "status"]).ok().out.contains("0, compared by arrays"));
}

/// RFC-0003:C-TEAM-FIND
#[test]
fn with_a_model_publishing_adds_vectors_and_meaning_is_searched() {
    use crate::rfc_0004::{app_with_team, in_memory_app, team_of_memory};
    use skillc_memory::{HashEmbedder, MemoryMachine};
    use std::sync::Arc;
    let machine = MemoryMachine::new();
    let team = team_of_memory(&machine);
    for (name, text) in [("pdf", "Merge two documents"), ("chat", "Send a message")] {
        let path = format!("/project/.skillc/skills/{name}/SKILL.md");
        machine.write(path, format!("---\nname: {name}\ndescription: {text}\n---\n# X\n").as_bytes());
    }
    let mut app = app_with_team(&machine, &team);
    Arc::make_mut(&mut app.ports).embedders =
        Arc::new(skillc_ports::SameEmbedder::new(skillc_ports::NoModel));
    let without =
        in_memory_app(&app, "team", json!({"action": "publish", "all": true})).reply.unwrap().json();
    assert_eq!(without["vectors_added"], Value::Null);
    Arc::make_mut(&mut app.ports).embedders =
        Arc::new(skillc_ports::SameEmbedder::new(HashEmbedder::default()));
    let found =
        in_memory_app(&app, "find", json!({"query": "merge documents", "team": true})).reply.unwrap().json();
    assert!(
        found["note"].as_str().unwrap().contains("1 of the skills found by words have no vector"),
        "{found}"
    );
    let with = in_memory_app(&app, "team", json!({"action": "publish", "all": true})).reply.unwrap().json();
    assert_eq!((&with["vectors_added"], &with["published"][0]["changed"]), (&json!(2), &json!(false)));
    for mode in ["semantic", "hybrid", "auto"] {
        let asked = json!({"query": "merge documents", "team": true, "mode": mode, "explain": true});
        let found = in_memory_app(&app, "find", asked).reply.unwrap().json();
        assert_eq!((&found["results"][0]["skill"], found.get("note")), (&json!("pdf"), None), "{mode}");
        assert!(found["results"][0]["parts"]["semantic"].as_f64().unwrap() > 0.5, "{mode}");
    }
}
