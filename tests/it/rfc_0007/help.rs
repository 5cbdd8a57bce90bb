//! RFC-0007:C-HELP.

use super::terminal::on_terminal;
use crate::site::{Site, program};
use skillc_ops::{CommandGroup, OPS};

/// RFC-0007:C-HELP
#[test]
fn help_lists_every_command_in_five_groups() {
    let site = Site::without_project();
    let help = site.skc([""; 0]).ok();
    assert_eq!(help.err, "");
    let at = |text: &str| help.out.find(text).unwrap_or_else(|| panic!("no {text:?} in:\n{}", help.out));
    let places: Vec<usize> =
        CommandGroup::TITLES.iter().map(|(_, title)| at(&format!("\n{title}:\n"))).collect();
    assert!(places.is_sorted());
    let command = skillc::full_command();
    let shown = command.get_subcommands().filter(|command| !command.is_hide_set());
    for name in shown.map(|command| command.get_name()) {
        assert_eq!(help.out.matches(&format!("\n  {name} ")).count(), 1, "{name}");
    }
    assert_eq!(site.skc(["help"]).ok().out, site.skc(["--help"]).ok().out);
    assert!(help.out.lines().all(|line| line.chars().count() <= 100));
}

/// RFC-0007:C-HELP
#[test]
fn help_of_a_command_is_that_of_its_option() {
    let site = Site::without_project();
    for entry in OPS {
        assert_eq!(site.skc(["help", entry.name]).ok().out, site.skc([entry.name, "--help"]).ok().out);
    }
    site.skc(["help", "bogus"]).fails("E100");
}

/// RFC-0007:C-HELP
#[test]
fn version_is_a_command_too() {
    let site = Site::without_project();
    assert_eq!(site.skc(["version"]).ok().out, site.skc(["--version"]).ok().out);
    assert_eq!(site.skc(["version", "-o", "json"]).ok().json()["version"], env!("CARGO_PKG_VERSION"));
}

/// RFC-0007:C-HELP
#[test]
fn help_and_tables_fit_the_terminal() {
    let site = Site::built("a-skill-with-a-long-name-that-takes-many-columns", "# X\n");
    let widest = |line: &str| {
        let text = on_terminal(&site, &[("NO_COLOR", "1")], line);
        text.lines().map(|line| line.trim_end().chars().count()).max().unwrap_or_default()
    };
    for columns in [60, 80] {
        for line in ["$SKC", "$SKC help list", "$SKC targets", "$SKC list", "$SKC config"] {
            let width = widest(&format!("stty cols {columns} rows 24; {line}"));
            assert!(width <= columns, "{line} at {columns}: {width}");
        }
    }
    let piped = site.skc(["list", "-v"]).ok().out;
    assert!(piped.contains("a-skill-with-a-long-name-that-takes-many-columns"), "{piped}");
}

/// RFC-0007:C-HELP
#[test]
fn a_wrong_command_line_is_refused_in_the_parsers_words() {
    let site = Site::built("x", "# X\n");
    let tip = |line: &str| {
        let run = site.skc(line.split(' ')).fails("E100");
        run.err.lines().find(|line| line.starts_with("  tip: ")).unwrap_or_default().to_owned()
    };
    assert_eq!(tip("outline x --levle 2"), "  tip: a similar argument exists: '--level'");
    assert_eq!(tip("outline x --colour never"), "  tip: a similar argument exists: '--color'");
    assert_eq!(tip("outlin x"), "  tip: a similar subcommand exists: 'outline'");
    assert_eq!(tip("outline x --format jsn"), "  tip: a similar value exists: 'json'");
    let run = site.skc(["outline", "x", "--levle", "2"]).fails("E100");
    let name = program().rsplit(std::path::MAIN_SEPARATOR).next().unwrap();
    let expected = format!(
        "error[E100]: unexpected argument '--levle' found\n\n  tip: a similar argument exists: '--level'\n\n\
        Usage: {} outline --level <N> <SKILL>\n\nFor more information, try '--help'.\n",
        name
    );
    assert_eq!(run.err, expected);
}

/// RFC-0007:C-HELP
#[test]
fn a_word_of_another_program_and_a_missing_argument_have_a_tip() {
    let site = Site::built("x", "# X\n");
    for (line, tip) in [
        ("delete x", "'skc remove SKILL'"),
        ("rm x", "'skc remove SKILL'"),
        ("uninstall x", "'skc undeploy SKILL'"),
        ("install x", "'skc build SKILL'"),
        ("new x", "'skc init NAME'"),
        ("check", "'skc lint'"),
        ("cat x", "'skc show SKILL --section HEADING'"),
        ("help lnit", "'lint'"),
        ("explain", "'skc explain E002'"),
        ("show x", "'skc outline x'"),
        ("open x", "'skc sources x'"),
        ("show", "'skc list'"),
        ("config index.on_stale", "'skc config get index.on_stale'"),
    ] {
        let run = site.skc(line.split(' ')).fails("E100");
        let shown = run.err.lines().find(|line| line.starts_with("  tip: ")).unwrap_or_default();
        assert!(shown.contains(tip), "{line}: {}", run.err);
    }
}

/// RFC-0007:C-HELP
#[test]
fn a_query_of_several_words_needs_no_quotes() {
    let site = Site::built("x", "# X\n\nWrite a commit message.\n");
    for command in [&["search", "x"][..], &["find"]] {
        let results = |words: &[&str]| {
            let line = command.iter().chain(words).chain(&["--format", "json"]);
            site.skc(line).ok().json()["results"].clone()
        };
        let several = results(&["commit", "message"]);
        assert_eq!(several, results(&["commit message"]));
        assert_eq!(several.as_array().map(Vec::len), Some(1), "{several}");
    }
}

/// RFC-0007:C-HELP
#[test]
fn a_command_takes_only_its_own_formats() {
    let site = Site::built("x", "# X\n");
    for entry in OPS {
        let help = site.skc([entry.name, "-h"]).ok().out;
        let words: Vec<&str> = help.split_whitespace().collect();
        let formats = format!("[possible values: {}]", entry.formats.join(", "));
        assert!(words.join(" ").contains(&formats), "{}: {help}", entry.name);
    }
    let refused = site.skc(["list", "--format", "sarif"]).fails("E100");
    assert!(refused.err.contains("[possible values: text, json]\n"), "{}", refused.err);
    site.skc(["--format", "sarif", "list"]).fails("E100");
}

/// RFC-0007:C-HELP
#[test]
fn commands_that_list_say_which_lists_what() {
    let site = Site::without_project();
    for name in ["list", "targets", "catalog", "find"] {
        let help = site.skc([name, "-h"]).ok().out;
        for other in ["list", "targets", "catalog", "find"] {
            assert!(help.contains(&format!("\n  skc {other} ")), "{name}: {help}");
        }
        assert!(help.contains("Which command lists what:") && help.contains("Examples:"), "{help}");
    }
}

/// RFC-0007:C-HELP
#[test]
fn build_all_prints_a_line_for_a_changed_skill_and_a_count_of_the_rest() {
    let site = Site::new();
    ["a", "b"].iter().for_each(|name| site.write_skill(name, "# X\n"));
    let built = site.skc(["build", "--all"]).ok().out;
    assert_eq!(built, "Built a: .claude/skills/a\nBuilt b: .claude/skills/b\n2 built, 0 unchanged\n");
    site.write_skill("c", "# X\n");
    let built = site.skc(["build", "--all"]).ok().out;
    assert_eq!(built, "Built c: .claude/skills/c\n1 built, 2 unchanged\n");
}
