//! RFC-0010:C-MENTIONS on the command line.

use super::scene::{repo, text, user, write};
use crate::site::{Site, finish, put};
use std::io::Write;
use std::process::Stdio;

fn site() -> Site {
    let site = Site::new();
    write(&repo(&site, "release"), "# R\n");
    write(&repo(&site, "twin"), "# A\n");
    write(&user(&site, "twin"), "# B\n");
    site
}

const TEXT: &str = "Use $release, then $twin and $nothing-such; $PATH stays.\n\n```sh\necho $release2\n```\n";

/// RFC-0010:C-MENTIONS
#[test]
fn mentions_are_listed_with_what_they_mean() {
    let site = site();
    let json = site.skc(["mentions", TEXT, "--format", "json"]).ok().json();
    let lines = json["mentions"].as_array().unwrap();
    let meanings: Vec<_> =
        lines.iter().map(|m| (m["written"].as_str().unwrap(), m["meaning"].as_str().unwrap())).collect();
    assert_eq!(meanings, [("release", "skill"), ("twin", "ambiguous"), ("nothing-such", "unknown")]);
    assert_eq!(lines[0]["skills"][0]["path"], text(&repo(&site, "release").join("SKILL.md")));
    assert_eq!(lines[1]["skills"].as_array().unwrap().len(), 2);
    let shown = site.skc(["mentions", TEXT]).ok().out;
    assert!(shown.starts_with("$release  .agents/skills/release/SKILL.md\n$twin  ambiguous\n"), "{shown}");
    assert!(shown.ends_with("\n$nothing-such  unknown\n"), "{shown}");
    assert_eq!(site.skc(["mentions", "nothing"]).ok().out, "");
}

/// RFC-0010:C-MENTIONS
#[test]
fn a_path_says_which_of_two_is_meant() {
    let site = site();
    let (ours, theirs) = (repo(&site, "twin").join("SKILL.md"), user(&site, "twin").join("SKILL.md"));
    for (written, path) in [
        (".agents/skills/twin/SKILL.md", &ours),
        ("~/.agents/skills/twin", &theirs),
        (&*text(&theirs), &theirs),
    ] {
        let json =
            site.skc(["mentions", &format!("[$twin]({written}) and $twin"), "--format", "json"]).ok().json();
        for at in [0, 1] {
            assert_eq!(json["mentions"][at]["meaning"], "skill", "{written}");
            assert_eq!(json["mentions"][at]["skills"][0]["path"], text(path), "{written}");
        }
    }
}

/// RFC-0010:C-MENTIONS
#[test]
fn a_text_comes_from_the_line_a_file_or_standard_input() {
    let site = site();
    let expected = site.skc(["mentions", TEXT]).ok().out;
    put(&site.project().join("prompt.md"), TEXT);
    assert_eq!(site.skc(["mentions", "--file", "prompt.md"]).ok().out, expected);
    let mut command = site.command(["mentions", "-"]);
    let mut child = command.stdin(Stdio::piped()).spawn().unwrap();
    child.stdin.take().unwrap().write_all(&[TEXT.as_bytes(), b"\xff\xfe"].concat()).unwrap();
    assert_eq!(String::from_utf8(child.wait_with_output().unwrap().stdout).unwrap(), expected);
    assert_eq!(finish(site.command(["mentions", "-"])).ok().out, "", "empty input mentions nothing");
    site.skc(["mentions", "--file", "no.md"]).fails("E021");
    site.skc(["mentions", "--file", "."]).fails("E021");
    site.skc(["mentions"]).fails("E100");
}
