//! RFC-0008:C-PROFILES: how each client loads a skill, through the whole engine.

use super::load_cases::LOAD_CASES;
use super::refusal_cases::REFUSAL_CASES;
use crate::site::Site;

/// RFC-0008:C-PROFILES
#[test]
fn each_way_to_be_lost_is_explained() {
    let mut wrong = Vec::new();
    for (name, folder, skill_md, expected) in LOAD_CASES.iter().chain(REFUSAL_CASES) {
        let site = Site::new();
        site.write(folder, "SKILL.md", skill_md);
        let reply = site.skc(["lint", folder, "--profile", "all", "--format", "json"]).json();
        let table = site.skc(["lint", folder, "--explain-load"]).out;
        for (profile, standing) in *expected {
            let verdicts = reply["skills"][0]["verdicts"].as_array().unwrap();
            let verdict =
                verdicts.iter().find(|v| v["profile"] == *profile).unwrap_or_else(|| panic!("{profile}"));
            let is_told = table.lines().any(|line| {
                let mut words = line.split_whitespace();
                words.next() == Some(profile) && words.next() == Some(standing)
            });
            let has_reason = !verdict["reasons"].as_array().unwrap().is_empty();
            let is_good = matches!(*standing, "valid" | "loads");
            if verdict["standing"] != *standing || !is_told || has_reason == is_good {
                wrong.push(format!("{name}: {profile} is {verdict}, not {standing}\n{table}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
