//! RFC-0009: configuration.

use crate::site::{Run, Site, put, skill_md};
use serde_json::Value;
use std::fs;

/// Writes the project's configuration.
fn project_config(site: &Site, text: impl AsRef<[u8]>) {
    put(&site.project().join(".skillc/config.toml"), text);
}

/// Writes the global configuration.
fn global_config(site: &Site, text: impl AsRef<[u8]>) {
    put(&site.home().join(".skillc/config.toml"), text);
}

/// The value and the origin of a setting.
#[track_caller]
fn setting(run: &Run, key: &str) -> (String, String) {
    let reply = run.json();
    let all = reply["settings"].as_array().unwrap();
    let found = all.iter().find(|s| s["key"] == key).unwrap_or_else(|| panic!("no {key} in {reply}"));
    let text = |field: &str| found[field].as_str().unwrap().to_owned();
    (text("value"), text("origin"))
}

fn config(site: &Site) -> Run {
    site.skc(["config", "-o", "json"]).ok()
}

/// RFC-0009:C-FILES
#[test]
fn an_unknown_setting_is_a_warning() {
    let site = Site::new();
    project_config(
        &site,
        "colour = 1\n[search]\nstemmer = 'x'\n[lint]\nrule = {}\n[index]\non_stale = 'rebuild'\n",
    );
    let run = config(&site);
    for key in ["colour", "search.stemmer", "lint.rule"] {
        let file = site.project().join(".skillc/config.toml");
        let line = format!("warning[W030]: unknown setting '{key}' in '{}'", file.display());
        assert!(run.err.lines().any(|l| l == line), "{line}\n{}", run.err);
    }
    assert_eq!(run.err.matches("W030").count(), 3);
    assert_eq!(setting(&run, "index.on_stale").0, "rebuild");
}

/// RFC-0009:C-FILES
#[test]
fn a_broken_configuration_is_reported_and_ignored() {
    let site = Site::built("demo", "# Top\n");
    for broken in [
        &b"[search\ntokenizer = 'cjk'"[..],
        b"version = 0\n[search]\ntokenizer = 'cjk'",
        b"version = -1\n[search]\ntokenizer = 'cjk'",
        b"version = 1.5\n[search]\ntokenizer = 'cjk'",
        b"version = 'one'\n[search]\ntokenizer = 'cjk'",
        b"version = []\n[search]\ntokenizer = 'cjk'",
        b"# \xff\n[search]\ntokenizer = 'cjk'",
        b"\0",
    ] {
        project_config(&site, broken);
        let run = config(&site);
        let lines: Vec<&str> = run.err.lines().collect();
        assert!(lines[0].starts_with("error[E101]: invalid configuration in '"), "{}", run.err);
        assert_eq!(run.err.matches("error[").count(), 1, "{}", run.err);
        assert_eq!(setting(&run, "search.tokenizer"), ("ascii".into(), "default".into()));
    }
    site.skc(["show", "demo", "--section", "Top"]).ok();
    assert_eq!(site.skc(["show", "demo", "--section", "None"]).fails("E020").out, "");
    for empty in ["", "# nothing\n", "\u{feff}", "version = 1\r\n"] {
        project_config(&site, empty);
        assert_eq!(config(&site).err, "", "{empty:?}");
    }
}

/// RFC-0009:C-FILES
#[cfg(unix)]
#[test]
fn a_configuration_that_is_no_file_is_reported_and_never_waited_for() {
    let site = Site::new();
    let file = site.home().join(".skillc/config.toml");
    fs::create_dir_all(&file).unwrap();
    assert!(config(&site).err.starts_with("error[E101]: "));
    fs::remove_dir(&file).unwrap();
    assert!(std::process::Command::new("mkfifo").arg(&file).status().unwrap().success());
    assert!(config(&site).err.starts_with("error[E101]: "));
}

/// RFC-0009:C-FILES
#[test]
fn a_newer_configuration_is_a_warning() {
    let site = Site::new();
    project_config(&site, "version = 2\n[search]\ntokenizer = 'cjk'\n");
    let run = config(&site);
    let file = site.project().join(".skillc/config.toml");
    let line = format!("warning[W031]: '{}' is for a newer skc (version 2)", file.display());
    assert_eq!(run.err.lines().next(), Some(line.as_str()));
    assert_eq!(setting(&run, "search.tokenizer").0, "cjk");
}

/// RFC-0009:C-FILES
#[test]
fn an_invalid_value_is_a_warning() {
    let site = Site::new();
    let file = site.home().join(".skillc/config.toml").to_string_lossy().into_owned();
    global_config(&site, "[search]\ntokenizer = 'cjk'\n");
    for value in ["'CJK'", "''", "1", "true", "['cjk']", "{ a = 1 }"] {
        project_config(&site, format!("[search]\ntokenizer = {value}\n[index]\non_stale = {value}\n"));
        let run = config(&site);
        assert_eq!(setting(&run, "search.tokenizer"), ("cjk".into(), file.clone()), "{value}");
        assert_eq!(setting(&run, "index.on_stale"), ("error".into(), "default".into()), "{value}");
        assert!(run.err.contains(" for search.tokenizer; using 'cjk'"), "{}", run.err);
        assert!(run.err.contains(" for index.on_stale; using 'error'"), "{}", run.err);
    }
    project_config(&site, "[targets]\nmine = 3\n");
    assert!(config(&site).err.starts_with("warning[W032]: invalid value '3' for targets.mine"));
    project_config(&site, "[search]\ntokenizer = 'ascii'\n");
    let run = site.skc_with(&[("SKILLC_TOKENIZER", "kanji")], ["config", "-o", "json"]).ok();
    assert_eq!(
        run.err.lines().next(),
        Some("warning[W032]: invalid value 'kanji' for SKILLC_TOKENIZER; using 'ascii'")
    );
    assert_eq!(setting(&run, "search.tokenizer").0, "ascii");
}

/// RFC-0009:C-RESOLUTION
#[test]
fn each_setting_comes_from_its_highest_source() {
    let site = Site::new();
    let path = |folder: std::path::PathBuf| folder.join(".skillc/config.toml").to_string_lossy().into_owned();
    let (global, project) = (path(site.home()), path(site.project()));
    let tokenizer = |vars: &[(&str, &str)]| {
        setting(&site.skc_with(vars, ["config", "-o", "json"]).ok(), "search.tokenizer")
    };
    assert_eq!(tokenizer(&[]), ("ascii".into(), "default".into()));
    global_config(
        &site,
        "[search]\ntokenizer = 'cjk'\n[index]\non_stale = 'rebuild'\n[targets]\na = 'x'\nb = 'y'\n",
    );
    assert_eq!(tokenizer(&[]), ("cjk".into(), global.clone()));
    project_config(&site, "[search]\ntokenizer = 'ascii'\n[targets]\na = 'z'\n");
    assert_eq!(tokenizer(&[]), ("ascii".into(), project.clone()));
    assert_eq!(tokenizer(&[("SKILLC_TOKENIZER", "cjk")]), ("cjk".into(), "SKILLC_TOKENIZER".into()));
    assert_eq!(tokenizer(&[("SKILLC_TOKENIZER", "")]), ("ascii".into(), project.clone()));
    let run = config(&site);
    assert_eq!(setting(&run, "index.on_stale"), ("rebuild".into(), global.clone()), "key by key");
    assert_eq!(
        setting(&run, "targets.a"),
        (site.project().join("z").to_string_lossy().into_owned(), project)
    );
    assert_eq!(setting(&run, "targets.b"), (site.home().join("y").to_string_lossy().into_owned(), global));
}

/// RFC-0009:C-RESOLUTION
#[test]
fn the_first_configuration_upward_is_the_projects() {
    let site = Site::new();
    project_config(&site, "[search]\ntokenizer = 'cjk'\n");
    let inner = site.project().join("a/b");
    put(&site.project().join("a/.skillc/config.toml"), "[index]\non_stale = 'rebuild'\n");
    fs::create_dir_all(&inner).unwrap();
    let run = site.skc_in(&inner, ["config", "-o", "json"]).ok();
    assert_eq!(setting(&run, "index.on_stale").0, "rebuild");
    assert_eq!(setting(&run, "search.tokenizer").1, "default", "the outer file is not read");

    let below_home = site.home().join("work");
    fs::create_dir_all(&below_home).unwrap();
    global_config(&site, "[search]\ntokenizer = 'cjk'\n[targets]\nmine = 'here'\n");
    let run = site.skc_in(&below_home, ["config", "-o", "json", "-v"]).ok();
    assert!(run.err.contains("no project"), "the home's file makes no project: {}", run.err);
    assert_eq!(setting(&run, "search.tokenizer").0, "cjk");
}

/// RFC-0009:C-TOKENIZER
#[test]
fn the_cjk_tokenizer_turns_stemming_off() {
    let site = Site::new();
    site.write_skill("demo", "# Top\n\nconfiguring 設定檔\n");
    for (setting, recorded, stemmed) in [("ascii", "porter", 1), ("cjk", "unicode61", 0)] {
        let vars = [("SKILLC_TOKENIZER", setting)];
        site.skc_with(&vars, ["build", "demo"]).ok();
        let db = rusqlite::Connection::open(site.index("demo")).unwrap();
        let is: String =
            db.query_row("SELECT value FROM index_meta WHERE key = 'tokenizer'", [], |r| r.get(0)).unwrap();
        assert_eq!(is, recorded);
        let found = |query: &str| {
            let reply = site.skc_with(&vars, ["search", "demo", query, "-o", "json"]).ok().json();
            reply["results"].as_array().map(Vec::len).unwrap()
        };
        assert_eq!((found("configure"), found("configuring"), found("定檔")), (stemmed, 1, 1), "{setting}");
    }
}

/// RFC-0009:C-TOKENIZER
#[test]
fn another_tokenizer_makes_the_index_stale() {
    let site = Site::built("demo", "# Top\n\nword\n");
    let cjk = [("SKILLC_TOKENIZER", "cjk")];
    site.skc_with(&cjk, ["search", "demo", "word"]).fails("E002");
    site.skc_with(&cjk, ["show", "demo", "--section", "Top"]).fails("E002");
    site.skc(["search", "demo", "word"]).ok();
    site.skc_with(&cjk, ["build", "demo"]).ok();
    site.skc_with(&cjk, ["search", "demo", "word"]).ok();
    site.skc(["search", "demo", "word"]).fails("E002");
}

/// RFC-0009:C-TOKENIZER
#[test]
fn a_projects_tokenizer_is_that_of_its_own_runtimes() {
    let site = Site::built("demo", "# Top\n\nword\n");
    put(&site.home().join(".skillc/skills/mine/SKILL.md"), skill_md("mine", "# Mine\n\nword\n"));
    site.skc(["build", "mine"]).ok();
    let found = |skill: &str| {
        site.skc(["search", skill, "words", "-o", "json"]).ok().json()["results"].as_array().unwrap().len()
    };
    let config = "[search]\ntokenizer = 'cjk'\n\n[index]\non_stale = 'rebuild'\n";
    put(&site.project().join(".skillc/config.toml"), config);
    site.skc(["show", "mine", "--section", "Mine"]).ok();
    site.skc(["show", "demo", "--section", "Top"]).ok();
    assert_eq!((found("mine"), found("demo")), (1, 0), "only the home's index has stems");
    put(&site.home().join(".skillc/skills/mine/SKILL.md"), skill_md("mine", "# Mine\n\nother\n"));
    // The user's own setting is `error`.
    site.skc(["show", "mine", "--section", "Mine"]).fails("E002");
}

/// RFC-0009:C-ENV-OVERRIDE
#[test]
fn skillc_home_moves_every_global_path() {
    let site = Site::without_project();
    let moved = site.root().join("moved");
    let claude = site.root().join("claude");
    put(&moved.join(".skillc/config.toml"), "[index]\non_stale = 'rebuild'\n");
    let vars = [("SKILLC_HOME", moved.to_str().unwrap()), ("CLAUDE_CONFIG_DIR", claude.to_str().unwrap())];
    let skc = |arguments: &[&str]| site.skc_with(&vars, arguments).ok();
    skc(&["init", "demo", "--global"]);
    skc(&["build", "demo"]);
    for path in
        [".skillc/skills/demo/SKILL.md", ".skillc/runtime/demo/SKILL.md", ".claude/skills/demo/SKILL.md"]
    {
        assert!(moved.join(path).is_file(), "{path}");
    }
    assert_eq!(setting(&skc(&["config", "-o", "json"]), "index.on_stale").0, "rebuild");
    assert!(!claude.exists());
    assert_eq!(fs::read_dir(site.home()).unwrap().count(), 0, "nothing in HOME");

    let project = moved.join("project");
    put(&project.join("x"), "");
    let below = site.command(["list", "-v"]).current_dir(&project).envs(vars).output().unwrap();
    assert!(String::from_utf8_lossy(&below.stderr).contains("no project"), "the moved home is no project");
}

/// RFC-0009:C-ENV-OVERRIDE
#[test]
fn an_empty_skillc_home_is_unset() {
    let site = Site::without_project();
    let claude = site.root().join("claude");
    let vars = [("SKILLC_HOME", ""), ("CLAUDE_CONFIG_DIR", claude.to_str().unwrap())];
    site.skc_with(&vars, ["init", "demo", "--global"]).ok();
    site.skc_with(&vars, ["build", "demo"]).ok();
    assert!(site.home().join(".skillc/runtime/demo/SKILL.md").is_file(), "HOME is the home");
    assert!(claude.join("skills/demo/SKILL.md").is_file(), "and the agents' variables are read");
}

/// RFC-0009:C-SHOW
#[test]
fn config_get_shows_one_setting_or_a_section() {
    let site = Site::new();
    global_config(&site, "[index]\non_stale = 'rebuild'\n");
    let one = site.skc(["config", "get", "index.on_stale"]).ok().out;
    assert!(one.lines().count() == 2 && one.contains("index.on_stale  rebuild"), "{one}");
    let section = site.skc(["config", "get", "search", "-o", "json"]).ok().json();
    let keys: Vec<&str> =
        section["settings"].as_array().unwrap().iter().map(|s| s["key"].as_str().unwrap()).collect();
    assert!(
        keys.contains(&"search.tokenizer") && keys.iter().all(|key| key.starts_with("search.")),
        "{keys:?}"
    );
    let run = site.skc(["config", "get", "index.on-stale"]).fails("E100");
    assert!(run.err.contains("  - index.on_stale\n"), "{}", run.err);
    for line in ["config get", "config get index.on_stale x", "config get index.on_stale --global"] {
        let run = site.skc(line.split(' ')).fails("E100");
        assert!(run.err.contains("takes one setting and nothing else"), "{}", run.err);
    }
}

/// RFC-0009:C-SHOW
#[test]
fn config_shows_each_setting_with_its_origin() {
    let site = Site::new();
    let rows = |run: Run| -> Vec<Vec<String>> {
        run.out.lines().map(|line| line.split_whitespace().map(str::to_owned).collect()).collect()
    };
    let text = rows(site.skc(["config"]).ok());
    assert_eq!(text[0], ["SETTING", "VALUE", "FROM"]);
    assert!(text.contains(&["version", "1", "default"].map(str::to_owned).to_vec()), "{text:?}");
    assert!(text.contains(&["index.on_stale", "error", "default"].map(str::to_owned).to_vec()), "{text:?}");
    global_config(&site, "[index]\non_stale = 'rebuild'\n[targets]\n\"my.agent\" = '~/agents'\n");
    let run = site.skc_with(&[("SKILLC_TOKENIZER", "cjk")], ["config", "-o", "json"]).ok();
    let file = site.home().join(".skillc/config.toml").to_string_lossy().into_owned();
    assert_eq!(setting(&run, "index.on_stale"), ("rebuild".into(), file.clone()));
    assert_eq!(setting(&run, "search.tokenizer"), ("cjk".into(), "SKILLC_TOKENIZER".into()));
    let agents = site.home().join("agents").to_string_lossy().into_owned();
    assert_eq!(setting(&run, "targets.my.agent"), (agents, file));
    let keys = |reply: &Value| reply["settings"].as_array().unwrap().len();
    assert_eq!(
        keys(&run.json()),
        44,
        "version, tokenizer, on_stale, profile, log, five of the team, two of the model, two of the histories, the pager, the target, the stores, the whole stubs, seventeen of skills, ten of the plugin"
    );
}

/// RFC-0009:C-SKILLS
#[test]
fn lists_of_several_files_add_up() {
    let site = Site::new();
    global_config(&site, "[skills]\nenabled = false\ndisabled = ['a']\n[permissions]\nallow = ['x']\n");
    project_config(&site, "[skills]\nenabled = true\ndisabled = ['b']\n[permissions]\nallow = ['y']\n");
    let run = config(&site);
    let global = site.home().join(".skillc/config.toml").to_string_lossy().into_owned();
    let project = site.project().join(".skillc/config.toml").to_string_lossy().into_owned();
    assert_eq!(setting(&run, "skills.enabled"), ("true".into(), project.clone()));
    assert_eq!(setting(&run, "skills.disabled"), (r#"["a", "b"]"#.into(), format!("{global}, {project}")));
    assert_eq!(setting(&run, "permissions.allow"), (r#"[{ skill_name = "x" }]"#.into(), global));
    assert_eq!(run.err.matches("warning[W033]").count(), 1, "{}", run.err);
    let root = site.root();
    let run =
        site.skc_with(&[("CODELIA_AGENTS_ROOT", root.to_str().unwrap())], ["config", "-o", "json"]).ok();
    assert_eq!(setting(&run, "discovery.agents_root").1, "CODELIA_AGENTS_ROOT");
}

/// RFC-0009:C-TEAM
#[test]
fn a_project_cannot_say_where_events_go() {
    let site = Site::built("demo", "# Top\n");
    let away = "[team]\nurl = 'postgres://evil.example/x'\n[log]\nstore = 'postgres'\n";
    project_config(&site, away);
    let run = site.skc(["outline", "demo"]).ok();
    assert_eq!(run.err.matches("warning[W033]").count(), 2, "{}", run.err);
    site.skc(["team", "status"]).fails("E043");
    let run = config(&site);
    assert_eq!(setting(&run, "team.url"), (String::new(), "default".into()));
    assert_eq!(setting(&run, "log.store").0, "local");
    global_config(&site, "[team]\nurl = 'postgres://u@h.example/own'\nmachine = 'm'\n");
    let file = site.home().join(".skillc/config.toml").to_string_lossy().into_owned();
    assert_eq!(setting(&config(&site), "team.url"), ("postgres://u@h.example/own".into(), file));
    let run =
        site.skc_with(&[("SKILLC_TEAM_URL", "postgres://v@h.example/env")], ["config", "-o", "json"]).ok();
    assert_eq!(setting(&run, "team.url"), ("postgres://v@h.example/env".into(), "SKILLC_TEAM_URL".into()));
}

/// RFC-0009:C-MODEL-HUB
#[test]
fn a_project_cannot_say_where_the_model_comes_from() {
    let site = Site::new();
    project_config(&site, "[model]\nurl = 'http://evil.example'\n");
    let run = config(&site);
    assert_eq!(run.err.matches("warning[W033]").count(), 1, "{}", run.err);
    assert_eq!(setting(&run, "model.url"), (String::new(), "default".into()));
    global_config(&site, "[model]\nurl = 'http://own.example'\n");
    assert_eq!(setting(&config(&site), "model.url").0, "http://own.example");
    let run = site.skc_with(&[("SKILLC_MODEL_URL", "http://env.example")], ["config", "-o", "json"]).ok();
    assert_eq!(setting(&run, "model.url"), ("http://env.example".into(), "SKILLC_MODEL_URL".into()));
    let status =
        site.skc_with(&[("SKILLC_MODEL_URL", "http://env.example/")], ["model", "status", "-o", "json"]);
    let source = status.ok().json()["source"].as_str().unwrap().to_owned();
    assert!(
        source.starts_with("http://env.example/sentence-transformers/all-MiniLM-L6-v2/resolve/"),
        "{source}"
    );
}

/// The key and the keyword of each row of a clause's table.
fn project_table() -> Vec<(String, String)> {
    project_rows().into_iter().map(|(key, word, _)| (key, word)).collect()
}

/// Like `project_table`, with the values that are refused.
fn project_rows() -> Vec<(String, String, String)> {
    let rfc = concat!(env!("CARGO_MANIFEST_DIR"), "/../rfc/0009-configuration.md");
    let text = fs::read_to_string(rfc).unwrap();
    let clause = text.split("\n## ").find(|clause| clause.starts_with("RFC-0009:C-PROJECT")).unwrap();
    let rows = clause.lines().filter(|line| line.starts_with("| `"));
    let cells = rows.map(|row| row.trim_matches('|').split(" | ").map(str::trim).collect::<Vec<_>>());
    let cell = |cell: &str| cell.trim().to_owned();
    cells.map(|cells| (cells[0].trim_matches('`').to_owned(), cell(cells[1]), cell(cells[2]))).collect()
}

/// RFC-0009:C-PROJECT
#[test]
fn a_project_may_set_what_the_table_lists() {
    let mut table = project_table();
    table.sort();
    let rule = |(key, rule): (String, skillc::ProjectRule)| (key, rule.word().to_owned());
    let mut code: Vec<(String, String)> = skillc::project_rules().into_iter().map(rule).collect();
    code.sort();
    assert_eq!(table, code);
    let site = Site::new();
    let shown = config(&site).json();
    for setting in shown["settings"].as_array().unwrap() {
        let key = setting["key"].as_str().unwrap();
        assert!(code.iter().any(|(known, _)| known == key), "'{key}' is in no row");
    }
}

/// RFC-0009:C-PROJECT
#[test]
fn each_row_of_the_table_holds() {
    let site = Site::new();
    for (key, word) in project_table() {
        let key = key.replace("<name>", "mine").replace("<rule>", "SKL108");
        let (section, name) = key.rsplit_once('.').unwrap_or(("", &key));
        let toml = |value: &str| match section {
            "" => format!("{name} = {value}\n"),
            section => format!("[{section}]\n{name} = {value}\n"),
        };
        let refused: &[&str] = match word.as_str() {
            "yes" => &[],
            "inside the project" => &["'~'", "'~/x'", "'../x'", "'/x'", "['in', '../x']"],
            "names only" => &["['../x']", "['a/b']", "['/etc']", "['..']"],
            "no" => &["'local'", "'x'", "['x']", "1"],
            other => panic!("{other}"),
        };
        let is_list = !["discovery.agents_root", "targets.mine"].contains(&key.as_str());
        for value in refused.iter().filter(|value| word == "no" || is_list == value.starts_with('[')) {
            project_config(&site, toml(value));
            let run = config(&site);
            assert_eq!(run.err.matches("warning[W033]").count(), 1, "{key} = {value}: {}", run.err);
            let settings = run.json();
            let set = settings["settings"].as_array().unwrap().iter().find(|setting| setting["key"] == key);
            assert!(set.is_none_or(|setting| setting["origin"] == "default"), "{key} = {value}: {set:?}");
        }
    }
    for (key, _, what) in project_rows().into_iter().filter(|(_, word, _)| word == "yes") {
        let key = key.replace("<name>", "mine").replace("<rule>", "SKL108");
        let (section, name) = key.rsplit_once('.').unwrap_or(("", &key));
        let value = match what.split_once(" (").unwrap().0 {
            "other words" => "'none'",
            "what is not a positive integer" => "0",
            "what is no table" => "'x'",
            "what the rule does not take" => "'loud'",
            "a number out of range" => "-1",
            "another type" => "{}",
            other => panic!("{other}"),
        };
        let head = if section.is_empty() { String::new() } else { format!("[{section}]\n") };
        project_config(&site, format!("{head}{name} = {value}\n"));
        let run = config(&site);
        let code = &what.split_once(" (").unwrap().1[..4];
        assert!(run.err.contains(&format!("[{code}]: ")), "{key} = {value}: {}", run.err);
        if what.contains("E086") {
            let refused = site.skc(["load", "x"]).fails("E086");
            assert!(refused.err.contains("config.toml"), "{key}: {}", refused.err);
        }
        let settings = run.json();
        let set = settings["settings"].as_array().unwrap().iter().find(|setting| setting["key"] == key);
        assert!(set.is_none_or(|setting| setting["origin"] == "default"), "{key} = {value}: {set:?}");
    }
    for folder in [".skillc", ".skillc/skills", ".git/x", ".jj"] {
        project_config(&site, format!("[sources]\nroots = ['{folder}']\n"));
        assert!(config(&site).err.contains("warning[W032]"), "{folder}");
    }
    for (key, word) in project_table().into_iter().filter(|(_, word)| word != "no") {
        let key = key.replace("<name>", "mine").replace("<rule>", "SKL108");
        let value = match key.as_str() {
            "version"
            | "build.whole_bytes_max"
            | "skills.initial.max_entries"
            | "skills.search.default_limit"
            | "skills.search.max_limit" => "1",
            "skills.initial.max_bytes" => "2048",
            "search.tokenizer" => "'cjk'",
            "index.on_stale" => "'rebuild'",
            "lint.profile" => "'codex'",
            "lint.rules.SKL108" => "'error'",
            "skills.enabled" | "discovery.lenient" => "true",
            "targets.mine" | "discovery.agents_root" => "'in'",
            "plugin.keywords" => "['in']",
            "plugin.manifests" => "['claude']",
            "plugin.mcp" => "{ in = { type = 'stdio', command = 'x' } }",
            plugin if plugin.starts_with("plugin.") => "'in'",
            _ => "['in']",
        };
        let (section, name) = key.rsplit_once('.').unwrap_or(("", &key));
        let head = if section.is_empty() { String::new() } else { format!("[{section}]\n") };
        project_config(&site, format!("{head}{name} = {value}\n"));
        let run = config(&site);
        assert!(!run.err.contains("warning[W03"), "{key} ({word}): {}", run.err);
        let settings = run.json();
        let set = settings["settings"]
            .as_array()
            .unwrap()
            .iter()
            .find(|setting| setting["key"].as_str().is_some_and(|set| set.starts_with(&key)));
        let origin = set.map(|setting| setting["origin"].as_str().unwrap().to_owned()).unwrap_or_default();
        // The version of the file format is not a setting.
        let has_origin = key == "version" || origin.ends_with(".skillc/config.toml");
        assert!(has_origin, "{key} ({word}): {set:?}");
    }
    project_config(
        &site,
        "[discovery]\nroots = ['in', './a/../b']\nmarkers = ['.hg']\n[targets]\nmine = 'in'\n",
    );
    assert_eq!(config(&site).err, "");
}

/// The names and contents of both files that `config set` and `config edit` change.
fn files(site: &Site) -> [Option<String>; 2] {
    [site.project(), site.home()].map(|base| fs::read_to_string(base.join(".skillc/config.toml")).ok())
}

/// RFC-0009:C-SET
#[test]
fn config_set_changes_one_value_and_no_other_byte() {
    let site = Site::new();
    project_config(&site, "# ours\n[search] # words\ntokenizer = 'ascii'   # for now\n");
    let run = site.skc(["config", "set", "search.tokenizer", "cjk"]).ok();
    assert_eq!(run.out, "Set search.tokenizer in .skillc/config.toml\n");
    let [project, users] = files(&site);
    assert_eq!(project.as_deref(), Some("# ours\n[search] # words\ntokenizer = \"cjk\"   # for now\n"));
    assert_eq!(users, None);
    assert_eq!(setting(&config(&site), "search.tokenizer").0, "cjk");
    let again = site.skc(["config", "set", "search.tokenizer", "cjk"]).ok();
    assert_eq!(again.out, "search.tokenizer already has this value in .skillc/config.toml\n");
    let reply = site.skc(["config", "set", "index.on_stale", "rebuild", "-o", "json"]).ok().json();
    assert_eq!((&reply["key"], &reply["changed"]), (&"index.on_stale".into(), &true.into()));
}

/// RFC-0009:C-SET
#[test]
fn config_set_reads_the_value_as_the_type_of_the_setting() {
    let site = Site::new();
    for (key, value, shown) in [
        ("lint.profile", "codex", "codex"),
        ("skills.enabled", "false", "false"),
        ("skills.initial.max_entries", "9", "9"),
        ("skills.initial.maxBytes", "2000", "2000"),
        ("skills.disabled", "a, b", "[\"a\", \"b\"]"),
        ("discovery.markers", "[\".x\"]", "[\".x\"]"),
        ("permissions.deny", "internal-*", "internal-*"),
        ("discovery.default_roots", "all", "all"),
        ("team.org", "7", "7"),
        ("version", "1", "1"),
    ] {
        site.skc(["config", "set", key, value, "--global"]).ok();
        let key = key.replace("maxBytes", "max_bytes");
        let run = config(&site);
        assert!(setting(&run, &key).0.contains(shown), "{key}: {}", run.out);
        assert!(!run.err.contains("W03"), "{key}: {}", run.err);
    }
    site.skc(["config", "set", "lint.rules.SKL108", "off", "--global"]).ok();
    assert_eq!(setting(&config(&site), "lint.rules.SKL108.severity").0, "off");
    site.skc(["config", "set", "targets.mine", "~/mine", "--global"]).ok();
    assert_eq!(setting(&config(&site), "targets.mine").0, site.home().join("mine").to_str().unwrap());
}

/// RFC-0009:C-SET
#[test]
fn config_set_refuses_unknown_keys_and_values_of_another_type() {
    let site = Site::new();
    let before = files(&site);
    for (key, value, message) in [
        ("search.tokeniser", "cjk", "  - search.tokenizer"),
        ("tokenizer", "cjk", "  - search.tokenizer"),
        ("search", "{ tokenizer = 'cjk' }", "no setting is called 'search'"),
        ("lint.rules.SKL10", "off", "  - lint.rules.SKL100"),
        ("search.tokenizer", "kanji", "'search.tokenizer' must be one of ascii, cjk, got 'kanji'"),
        ("skills.enabled", "maybe", "'skills.enabled' must be true or false, got 'maybe'"),
        ("skills.search.max_limit", "0", "must be a number from 1 to 1000, got '0'"),
        ("discovery.agents_root", "", "must be a folder, got ''"),
        ("version", "x", "'version' must be a version of the configuration that this skc supports, got 'x'"),
    ] {
        let run = site.skc(["config", "set", key, value]).fails("E100");
        assert!(run.err.contains(message), "{key} {value}: {}", run.err);
    }
    site.skc(["config", "set", "search.tokenizer"]).fails("E100");
    site.skc(["config", "--global"]).fails("E100");
    project_config(&site, "[search\n");
    site.skc(["config", "set", "search.tokenizer", "cjk"]).fails("E105");
    assert_eq!(files(&site)[1], before[1]);
}

/// RFC-0009:C-SET
#[test]
fn config_set_writes_nothing_into_a_project_that_its_file_may_not_say() {
    let site = Site::new();
    let before = files(&site);
    for (key, value) in [
        ("team.url", "postgres://db/x"),
        ("log.store", "postgres"),
        ("model.url", "https://mirror.example"),
        ("model.name", "skills"),
        ("discovery.default_roots", "all"),
        ("permissions.allow", "x"),
        ("history.auto", "true"),
        ("output.pager", "false"),
        ("discovery.roots", "~/skills"),
        ("targets.mine", "/tmp/mine"),
        ("discovery.markers", "a/b"),
    ] {
        let run = site.skc(["config", "set", key, value]).fails("E100");
        assert!(run.err.contains("hint: add '--global' to set it for you"), "{key}: {}", run.err);
    }
    assert_eq!(files(&site), before);
    site.skc(["config", "set", "discovery.roots", "tools/skills"]).ok();
    let free = Site::without_project();
    free.skc(["config", "set", "team.org", "ours"]).ok();
    assert_eq!(files(&free)[1].as_deref(), Some("[team]\norg = \"ours\"\n"));
}

/// RFC-0009:C-SET, RFC-0009:C-EDIT
#[test]
fn an_agent_changes_no_configuration() {
    let site = Site::new();
    let before = files(&site);
    let vars = [("SKILLC_AGENT", "some-agent"), ("EDITOR", "true")];
    for line in [&["config", "set", "skills.disabled", "[]"][..], &["config", "edit"]] {
        let run = site.skc_with(&vars, line).fails("E100");
        assert!(run.err.contains("an agent may not change the configuration"), "{}", run.err);
    }
    assert_eq!(files(&site), before);
}

/// RFC-0009:C-EDIT
#[cfg(unix)]
#[test]
fn config_edit_opens_the_file_in_the_editor_of_the_user() {
    let site = Site::new();
    let script = "sh -c 'printf \"[search]\\ntokenizer = \\\"cjk\\\"\\n\" >> \"$1\"' editor";
    let run = site.skc_with(&[("EDITOR", script)], ["config", "edit"]).ok();
    assert_eq!(run.out, "Changed .skillc/config.toml\n");
    let text = files(&site)[0].clone().unwrap();
    assert!(text.starts_with("# Settings of skc: ") && text.contains("\nversion = 1\n"), "{text}");
    assert_eq!(setting(&config(&site), "search.tokenizer").0, "cjk");
    let same = site.skc_with(&[("EDITOR", "false"), ("VISUAL", "true")], ["config", "edit"]).ok();
    assert_eq!(same.out, ".skillc/config.toml is unchanged\n");
    assert_eq!(files(&site)[1], None);
    site.skc_with(&[("EDITOR", "true")], ["config", "edit", "--global"]).ok();
    assert!(files(&site)[1].as_deref().unwrap().starts_with("# Settings of skc: "));
    site.skc_with(&[("EDITOR", "false")], ["config", "edit"]).fails("E105");
}

/// RFC-0009:C-EDIT
#[test]
fn config_edit_without_an_editor_says_so_and_creates_nothing() {
    let site = Site::new();
    let before = files(&site);
    let run = site.skc_with(&[("EDITOR", ""), ("VISUAL", "")], ["config", "edit"]).fails("E100");
    assert!(run.err.contains("set VISUAL or EDITOR"), "{}", run.err);
    assert_eq!(files(&site), before);
    site.skc(["config", "edit", "search.tokenizer"]).fails("E100");
}
