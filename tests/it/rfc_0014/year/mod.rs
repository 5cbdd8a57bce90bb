//! A generated year of five agents with known figures: resumed, forked and copied sessions, compactions and failures.
//! `SKC_YEAR_SESSIONS` and `SKC_YEAR_KILLS` make it longer; `SKC_YEAR_SEED` makes another one.

mod forms;
mod plan;
mod truth;

use super::*;
use crate::random::{Random, number};
use plan::{SECTION_LINES, SECTIONS, SKILLS};
use std::collections::{BTreeMap, BTreeSet};
use std::time::{Duration, Instant};
use truth::Truth;

/// A machine with a year's histories.
struct Year {
    site: Site,
    truth: Truth,
}

impl Year {
    fn new(sessions: u64) -> Self {
        let site = Site::new();
        let home = site.home();
        SKILLS.iter().for_each(|name| put_skill(&home.join(".agents/skills").join(name), name));
        let year = plan::year(number("SKC_YEAR_SEED", 19), sessions as usize);
        forms::write(&home, &year);
        let truth = Truth::of(&year, home.to_str().unwrap());
        Self { site, truth }
    }

    #[track_caller]
    fn stats(&self, args: &[&str]) -> Value {
        self.site.skc(["stats"].iter().chain(args).chain(&["--format", "json"])).ok().json()
    }

    /// Compares every figure with the plan.
    #[track_caller]
    fn check(&self) {
        let truth = &self.truth;
        assert_eq!(self.stats(&["--agents"])["agents"], truth.agents_reply());
        assert_eq!(dead(&self.stats(&["--dead"])), truth.dead());
        assert_eq!(funnels(&self.stats(&["--funnel"])), truth.funnels());
        assert_eq!(costs(&self.stats(&["--cost"])), truth.costs());
        assert_eq!(paths(&self.stats(&["--paths"])), truth.paths());
        assert_eq!(self.stats(&["--all"])["data"], truth.summary());
        assert_eq!(
            counts(&self.stats(&["--all", "--group-by", "sections"]), &["skill", "file", "section"]),
            truth
                .sections
                .iter()
                .map(|((skill, at), count)| format!("{skill} references/long.md {} {count}", heading(*at)))
                .collect()
        );
        assert_eq!(
            counts(&self.stats(&["--all", "--group-by", "files"]), &["skill", "file"]),
            truth.files.iter().map(|((skill, file), count)| format!("{skill} {file} {count}")).collect()
        );
        assert_eq!(
            counts(&self.stats(&["--all", "--group-by", "projects"]), &["project"]),
            truth.projects.iter().map(|(project, count)| format!("{project} {count}")).collect()
        );
        assert_eq!(
            counts(&self.stats(&["--all", "--group-by", "errors"]), &["skill", "target", "command", "error"]),
            truth
                .errors
                .iter()
                .map(|((skill, target, kind, words), count)| format!(
                    "{skill} {target} {kind} {words} {count}"
                ))
                .collect()
        );
    }
}

/// The heading of a section by its number.
fn heading(at: u32) -> String {
    format!("Part {at}")
}

fn put_skill(folder: &std::path::Path, name: &str) {
    let text =
        format!("---\nname: {name}\ndescription: {}\n---\n# {name}\n\ntext\n", truth::description(name));
    put(&folder.join("SKILL.md"), text);
    let line = "A line that is long enough to make its section worth a file.\n";
    let section = |at| format!("## {}\n{}", heading(at), line.repeat(SECTION_LINES as usize - 1));
    put(&folder.join("references/long.md"), (0..SECTIONS).map(section).collect::<String>());
    put(&folder.join("scripts/run.sh"), "true\n");
    ["SKILL.md", "references/long.md"].iter().for_each(|file| age(&folder.join(file)));
}

/// Rows of a reply as lines: these members, then the count.
fn counts(reply: &Value, keys: &[&str]) -> BTreeSet<String> {
    let row = |row: &Value| {
        let texts = keys.iter().map(|key| row[*key].as_str().unwrap_or_else(|| panic!("{key} in {row}")));
        format!("{} {}", texts.collect::<Vec<_>>().join(" "), row["count"])
    };
    reply["data"].as_array().unwrap().iter().map(row).collect()
}

fn dead(reply: &Value) -> BTreeSet<(String, String, u64, u64)> {
    let one = |one: &Value| {
        let text = |key: &str| one[key].as_str().unwrap().to_owned();
        let number = |key: &str| one[key].as_u64().unwrap();
        (text("agent"), text("skill"), number("sessions"), number("tokens_per_session"))
    };
    reply["dead"].as_array().unwrap().iter().map(one).collect()
}

fn funnels(reply: &Value) -> BTreeSet<(String, String, [u64; 4])> {
    let one = |one: &Value| {
        let text = |key: &str| one[key].as_str().unwrap().to_owned();
        let stages = ["offered", "chosen", "read", "done"].map(|stage| one[stage].as_u64().unwrap());
        (text("agent"), text("skill"), stages)
    };
    reply["funnel"].as_array().unwrap().iter().map(one).collect()
}

fn costs(reply: &Value) -> BTreeSet<(String, String, u64, [u64; 4], u64)> {
    let one = |one: &Value| {
        let text = |key: &str| one[key].as_str().unwrap().to_owned();
        let sum = |key: &str| {
            one["models"].as_array().unwrap().iter().map(|model| model[key].as_u64().unwrap()).sum::<u64>()
        };
        let tokens = ["input", "output", "cache_read", "cache_write"].map(sum);
        (text("agent"), text("skill"), sum("messages"), tokens, one["listing_tokens"].as_u64().unwrap())
    };
    reply["cost"].as_array().unwrap().iter().map(one).collect()
}

fn paths(reply: &Value) -> BTreeMap<(String, Option<String>, String), u64> {
    let one = |one: &Value| {
        let text = |key: &str| one[key].as_str().map(str::to_owned);
        ((text("skill").unwrap(), text("from"), text("to").unwrap()), one["count"].as_u64().unwrap())
    };
    reply["paths"].as_array().unwrap().iter().map(one).collect()
}

/// RFC-0014:C-IMPORT, RFC-0014:C-STATS, RFC-0014:C-COST
#[test]
fn every_figure_of_a_year_is_exact_and_a_second_import_changes_none() {
    let year = Year::new(number("SKC_YEAR_SESSIONS", 300));
    import(&year.site);
    year.check();
    let again = import(&year.site);
    assert!(again["imported"].as_array().unwrap().iter().all(|one| one["new"] == 0), "{again}");
    fs::remove_file(year.site.home().join(".skillc/history/bookmarks.db")).unwrap();
    let without_bookmarks = import(&year.site);
    assert!(
        without_bookmarks["imported"].as_array().unwrap().iter().all(|one| one["new"] == 0),
        "{without_bookmarks}"
    );
    year.check();
}

/// RFC-0014:C-IMPORT, RFC-0014:C-STATS
#[test]
fn a_year_whose_import_is_killed_at_random_moments_gives_the_same_figures() {
    let sessions = number("SKC_YEAR_SESSIONS", 300);
    // Measure how long an import takes here.
    let measured = Year::new(sessions);
    let start = Instant::now();
    import(&measured.site);
    let whole = start.elapsed();
    let year = Year::new(sessions);
    let mut random = Random::new(number("SKC_YEAR_SEED", 19));
    for _ in 0..number("SKC_YEAR_KILLS", 12) {
        let mut child =
            year.site.command(["history", "import"]).stdout(std::process::Stdio::null()).spawn().unwrap();
        std::thread::sleep(whole * random.below(1_000) as u32 / 1_000 + Duration::from_micros(1));
        let _ = child.kill();
        child.wait().unwrap();
    }
    import(&year.site);
    year.check();
}

/// RFC-0014:C-SLIM
#[test]
fn a_year_is_slimmed_without_a_missed_read() {
    let year = Year::new(number("SKC_YEAR_SESSIONS", 300));
    import(&year.site);
    let home = year.site.home();
    let before = crate::site::snapshot(&home.join(".agents"));
    let reply = year.site.skc(["slim", "--format", "json"]).ok().json();
    assert_eq!(crate::site::snapshot(&home.join(".agents")), before);
    let mut saved = 0;
    for proposal in reply["proposals"].as_array().unwrap() {
        let skill = proposal["skill"].as_str().unwrap();
        assert_eq!(proposal["id"], format!("move:{skill}/references/long.md"));
        let of_skill = |name: &&str| *name == skill;
        let reads = year
            .truth
            .files
            .iter()
            .filter(|((name, file), _)| of_skill(name) && *file == "references/long.md");
        assert_eq!(proposal["replayed"], reads.map(|(_, count)| count).sum::<u64>());
        assert_eq!(proposal["missed"], 0);
        // The moved text is the part that no session read.
        let diff = proposal["diff"].as_str().unwrap();
        for at in 0..SECTIONS {
            let is_read = year.truth.sections.keys().any(|(name, section)| of_skill(name) && *section == at);
            assert_eq!(diff.contains(&format!("See [{}]", heading(at))), !is_read, "{skill} {at}");
        }
        saved += proposal["tokens"].as_u64().unwrap();
    }
    assert!(saved > 0, "{reply}");
}
