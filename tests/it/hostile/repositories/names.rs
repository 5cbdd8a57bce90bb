//! Names of skills and files that mean something to a shell, a terminal, a path or an option.

use super::features::Ground;
use crate::site::skill_md;
use std::fs;

/// Names of a folder or a file.
const NAMES: &[&str] = &[
    "-rf",
    "--all",
    "--global",
    "--help",
    "$(touch pwned)",
    "`id`",
    "a;b",
    "a|b>c",
    "%s%n%x",
    "%2e%2e",
    "new\nline",
    "tab\there",
    "esc\u{1b}[2J\u{1b}]52;c;eA==\u{7}",
    "c1\u{9b}31m",
    "rtl\u{202e}dm",
    "con",
    "CON",
    "nul.md",
    "Demo",
    "DEMO",
    "de\u{301}mo",
    "d\u{e9}mo",
    "\u{ff44}emo",
    "...",
    "..x",
    ".hidden",
    "~",
    "~root",
    "a b",
    "it's \"quoted\"",
    "back\\slash",
    "..\\up",
    "c:d",
    "*?[x]",
    "skill:demo",
    "\u{8a2d}\u{5b9a}",
    "\u{1f600}",
    "#x?y=z",
    "search-0123456789abcdef.db",
    "SKILL.md",
    ".skillc-meta",
    ".git",
];

/// Values of `name:` in front matter, as YAML.
const FRONT_NAMES: &[&str] = &[
    "../../victim",
    "/abs/olute",
    "..",
    ".",
    "''",
    "\"demo\\n../x\"",
    "\"a\\0b\"",
    "\"\\e[2J\"",
    "commit",
    "helper",
    "mine",
    "[a, b]",
    "{a: b}",
    "~",
    "con",
    "-rf",
    "Demo",
    "%2e%2e%2fx",
    ".ssh",
    "skills/../../x",
];

/// Plants a name.
pub fn plant(ground: &mut Ground<'_>) -> Option<(String, String)> {
    match ground.random.below(5) {
        0 | 1 => folder(ground),
        2 => file(ground),
        _ => front_name(ground),
    }
}

fn name(ground: &mut Ground<'_>) -> String {
    match ground.random.below(12) {
        0 => "n".repeat(255),
        _ => ground.random.pick(NAMES).to_string(),
    }
}

/// A skill in a folder of that name, in a store, in an agent's folder or downloaded.
fn folder(ground: &mut Ground<'_>) -> Option<(String, String)> {
    let name = name(ground);
    let above = *ground.random.pick(&[
        ".skillc/skills",
        ".skillc/skills",
        ".agents/skills",
        ".claude/skills",
        "vendor",
    ]);
    let place = format!("{above}/{name}");
    let folder = ground.room(&place)?;
    fs::create_dir(&folder).ok()?;
    fs::write(folder.join("SKILL.md"), skill_md("odd", "# Odd\n\nmarmot\n")).ok()?;
    if above == ".skillc/skills" {
        ground.skills.push(name);
    }
    Some((place.clone(), format!("folder {place:?}")))
}

fn file(ground: &mut Ground<'_>) -> Option<(String, String)> {
    let (skill, mut name) = (ground.skill(), name(ground));
    if ground.random.percent(50) && name.len() < 200 {
        name += ".md";
    }
    let place = format!(".skillc/skills/{skill}/refs/{name}");
    ground.put(&place, "# Odd\n\nmarmot [x](../SKILL.md)\n")?;
    Some((place.clone(), format!("file {place:?}")))
}

fn front_name(ground: &mut Ground<'_>) -> Option<(String, String)> {
    let name = ground.random.pick(FRONT_NAMES).to_string();
    let skill = ground.skill();
    let place = ground.random.pick(&["vendor/dl/SKILL.md", ".agents/skills/plain/SKILL.md", "{own}"]);
    let place = place.replace("{own}", &format!(".skillc/skills/{skill}/SKILL.md"));
    let text =
        format!("---\nname: {name}\ndescription: \"$(id) \\e[2J {name}\"\n---\n# Odd $(id)\n\nmarmot\n");
    ground.put(&place, text)?;
    Some((place.clone(), format!("name: {name} in {place}")))
}
