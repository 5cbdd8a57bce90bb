//! RFC-0007:C-COMPLETIONS.

use crate::site::{Run, Site, finish, snapshot};
use std::fs;
use std::process::Command;

const SHELLS: [&str; 6] = ["bash", "zsh", "fish", "powershell", "elvish", "nushell"];

/// A skill with a file, and one whose name and heading would run in a shell.
fn site() -> Site {
    let site = Site::new();
    site.write_skill("alpha", "# Getting Started\n\n## Plain\n\n## $(touch x)\n");
    site.write("alpha", "notes/a.md", "# Note\n");
    let evil = site.project().join(".skillc/skills/evil;touch x");
    fs::create_dir(&evil).unwrap();
    fs::write(evil.join("SKILL.md"), "---\nname: evil\ndescription: d\n---\n").unwrap();
    site
}

/// The completions of the last word, as a shell's script requests them.
fn offered(site: &Site, shell: &str, words: &[&str]) -> Vec<String> {
    let index = (words.len() - 1).to_string();
    let vars = [("SKC_COMPLETE", shell), ("_CLAP_COMPLETE_INDEX", &index), ("_CLAP_IFS", "\n")];
    let run = site.skc_with(&vars, ["--"].iter().chain(words)).ok();
    assert_eq!(run.err, "");
    run.out.lines().map(|line| line.split('\t').next().unwrap().to_owned()).collect()
}

fn script(site: &Site, shell: &str) -> String {
    site.skc(["completions", shell]).ok().out
}

/// Runs a script in a shell with `skc` on its path; `None` if the shell is not installed.
fn in_shell(site: &Site, shell: &str, args: &[&str]) -> Option<Run> {
    let is_there = |folder: &str| fs::metadata(format!("{folder}/{shell}")).is_ok();
    ["/bin", "/usr/bin"].into_iter().find(|folder| is_there(folder))?;
    let bin = site.root().join("bin");
    if !bin.exists() {
        fs::create_dir(&bin).unwrap();
        std::os::unix::fs::symlink(crate::site::program(), bin.join("skc")).unwrap();
    }
    let prepared = site.command([""; 0]);
    let mut command = Command::new(shell);
    command.args(args).current_dir(site.project()).env_clear();
    command.envs(prepared.get_envs().filter_map(|(name, value)| Some((name, value?))));
    command.env("PATH", format!("{}:/usr/bin:/bin", bin.display()));
    Some(finish(command))
}

/// RFC-0007:C-COMPLETIONS
#[test]
fn the_shells_read_their_scripts() {
    let site = site();
    for shell in SHELLS {
        let text = script(&site, shell);
        assert!(text.contains("skc"), "{shell}");
        let file = site.root().join(shell);
        fs::write(&file, text).unwrap();
        if ["bash", "zsh", "fish"].contains(&shell) {
            let checked = in_shell(&site, shell, &["-n", file.to_str().unwrap()]);
            assert!(checked.is_none_or(|run| run.ok().err.is_empty()), "{shell}");
        }
    }
    assert!(script(&site, "nushell").contains("^skc list --format json | from json | get skills.name"));
    site.skc(["completions", "oil"]).fails("E100");
}

/// RFC-0007:C-COMPLETIONS
#[test]
fn skills_files_headings_and_codes_are_completed() {
    let site = site();
    assert_eq!(offered(&site, "fish", &["skc", "show", "al"]), ["alpha"]);
    assert_eq!(offered(&site, "fish", &["skc", "open", "alpha", "n"]), ["notes/a.md"]);
    assert_eq!(offered(&site, "fish", &["skc", "show", "alpha", "--section", "Get"]), ["Getting Started"]);
    assert_eq!(offered(&site, "bash", &["skc", "show", "alpha", "-s", "Getting\\ S"]), ["Getting Started"]);
    let of_file = ["skc", "show", "alpha", "--file", "notes/a.md", "--section", ""];
    assert_eq!(offered(&site, "zsh", &of_file), ["Note"]);
    assert!(offered(&site, "bash", &["skc", "explain", "SKL10"]).contains(&"SKL102".to_owned()));
    assert!(offered(&site, "elvish", &["skc", "compl"]).contains(&"completions".to_owned()));
    assert_eq!(offered(&site, "fish", &["skc", "show", "none", "--section", ""]), [""; 0]);
    site.write_skill("alps", "# A\n");
    assert_eq!(offered(&site, "fish", &["skc", "outline", "al"]), ["alpha", "alps"]);
}

/// RFC-0007:C-COMPLETIONS
#[test]
fn the_script_of_bash_completes() {
    let site = site();
    let file = site.root().join("skc.bash");
    fs::write(&file, script(&site, "bash")).unwrap();
    let asks = format!(
        "source '{}'; COMP_WORDS=(skc show al); COMP_CWORD=2; COMP_TYPE=9; _clap_complete_skc skc al show; \
         printf '%s\\n' \"${{COMPREPLY[@]}}\"; complete -p skc",
        file.display()
    );
    let run = in_shell(&site, "bash", &["--norc", "-c", &asks]).expect("bash");
    assert!(run.out.starts_with("alpha\n"), "{} {}", run.out, run.err);
    assert!(run.out.contains("-o filenames"), "bash quotes what it inserts: {}", run.out);
}

/// RFC-0007:C-COMPLETIONS
#[test]
fn the_script_of_zsh_answers_when_it_is_first_read() {
    let text = script(&site(), "zsh");
    assert!(text.starts_with("#compdef skc\n"), "{text}");
    assert!(text.contains("if [[ \"$funcstack[1]\" == _skc ]]; then _clap_dynamic_completer_skc"), "{text}");
}

/// RFC-0007:C-COMPLETIONS
#[test]
fn a_hostile_name_is_not_offered_where_nothing_quotes_it() {
    let site = site();
    for (shell, names, headings) in [
        ("powershell", &["alpha"][..], &["Plain", "Note"][..]),
        ("bash", &["alpha", "evil;touch x"], &["Getting Started", "Plain", "$(touch x)", "Note"]),
    ] {
        let without_options = |mut words: Vec<String>| {
            words.retain(|word| !word.starts_with('-'));
            words
        };
        assert_eq!(without_options(offered(&site, shell, &["skc", "outline", ""])), names, "{shell}");
        let asked = ["skc", "show", "alpha", "--section", ""];
        assert_eq!(without_options(offered(&site, shell, &asked)), headings, "{shell}");
    }
    site.write_skill("alpha", "# --force\n\n# a\u{1b}[2Jb\n\n# Fine\n");
    assert_eq!(offered(&site, "bash", &["skc", "show", "alpha", "--section", ""]), ["Fine", "Note"]);
}

/// RFC-0007:C-COMPLETIONS
#[test]
fn completing_writes_nothing() {
    let site = Site::built("alpha", "# Alpha\n");
    let before = (snapshot(&site.home()), snapshot(&site.project()));
    for words in
        [&["skc", "show", ""][..], &["skc", "show", "alpha", "-s", ""], &["skc", "open", "alpha", ""]]
    {
        assert!(!offered(&site, "bash", words).is_empty());
    }
    SHELLS.iter().for_each(|shell| drop(script(&site, shell)));
    assert!(before == (snapshot(&site.home()), snapshot(&site.project())));
}
