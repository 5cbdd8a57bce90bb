//! Contents: YAML, encodings, sizes and depths.

use super::promptly;
use crate::site::{Site, skill_md};
use std::fs;
use std::process::Command;

/// Decision 12: whatever its front matter contains, a skill is either built or refused with a code.
#[test]
fn broken_and_huge_front_matter_is_refused_with_its_code() {
    let laughs = (1..12).fold("a0: &a0 [x, x, x, x, x, x, x, x, x]\n".to_owned(), |text, n| {
        let nine = vec![format!("*a{}", n - 1); 9].join(", ");
        text + &format!("a{n}: &a{n} [{nine}]\n")
    });
    let front = |extra: &str| format!("---\nname: demo\ndescription: d\n{extra}\n---\n# Top\n");
    let cases: [(&str, Vec<u8>, &str); 17] = [
        ("empty", Vec::new(), "E011"),
        ("white space", b" \n\n".to_vec(), "E011"),
        ("a line", b"---".to_vec(), "E013"),
        ("unclosed", b"---\nname: demo\n".to_vec(), "E013"),
        ("nothing between", b"---\n---\n".to_vec(), "E011"),
        ("no text", b"---\nname: [a]\ndescription: {b: c}\n---\n".to_vec(), "E013"),
        ("blank values", b"---\nname: ' '\ndescription: ~\n---\n".to_vec(), "E011"),
        ("1 MiB", front(&format!("x: {}", "y".repeat(1 << 20))).into_bytes(), "E013"),
        ("1 MiB of lines", front(&"k: v\n".repeat(1 << 18)).into_bytes(), "E013"),
        ("10,000 brackets", front(&format!("x: {}", "[".repeat(10_000))).into_bytes(), "E013"),
        (
            "10,000 pairs of brackets",
            front(&format!("x: {}{}", "[".repeat(10_000), "]".repeat(10_000))).into_bytes(),
            "E013",
        ),
        ("10,000 braces", front(&format!("x: {}", "{a: ".repeat(10_000))).into_bytes(), "E013"),
        ("10,000 dashes", front(&"- ".repeat(10_000)).into_bytes(), "E013"),
        ("tabs", front("\tx: y").into_bytes(), "E013"),
        ("control characters", front("x: \u{1}\u{1b}\u{7f}\0").into_bytes(), "E013"),
        ("an unknown anchor", front("x: *y").into_bytes(), "E013"),
        ("not UTF-8", b"---\nname: demo\ndescription: \xff\n---\n".to_vec(), "E013"),
    ];
    let site = Site::new();
    for (name, text, code) in cases {
        site.write("demo", "SKILL.md", text);
        let refused = promptly(&site, ["build", "demo"]);
        assert!(
            refused.err.starts_with(&format!("error[{code}]: ")),
            "{name}: {} {}",
            refused.out,
            refused.err
        );
        assert!(refused.err.len() < 2_000, "{name}: {} bytes of message", refused.err.len());
        assert!(!site.runtime("demo").join("SKILL.md").exists(), "{name}");
        for line in [&["outline", "demo"][..], &["sources", "demo"], &["open", "demo", "SKILL.md"]] {
            promptly(&site, line).ok();
        }
        assert!(promptly(&site, ["list"]).ok().err.contains("W024"), "{name}");
    }
    site.write("demo", "SKILL.md", front(&laughs));
    let run = promptly(&site, ["build", "demo"]);
    assert!(run.status == 0 || run.err.starts_with("error[E013]: "), "a billion laughs: {}", run.err);
}

/// Decision 23.
#[test]
fn text_in_odd_encodings_is_read_or_reported() {
    let site = Site::new();
    site.write_skill("demo", "# Top\n");
    site.write("demo", "bom.md", "\u{feff}# Byte order mark\r\n\r\nmarmot\r\n");
    site.write("demo", "crlf.txt", "marmot\r\n");
    site.write("demo", "nul.md", "# N\0l\n\nmar\0mot marmot\n");
    site.write("demo", "utf16.md", [0xff, 0xfe, b'#', 0, b' ', 0, b'x', 0]);
    site.write("demo", "latin1.txt", b"caf\xe9 marmot");
    site.write("demo", "half.md", &"# marmot 設".as_bytes()[..11]);
    site.write("demo", "surrogate.txt", b"\xed\xa0\x80 marmot");
    let built = promptly(&site, ["build", "demo"]).ok();
    let told: Vec<&str> = built.err.lines().filter(|line| line.starts_with("warning[W020]: ")).collect();
    let expected = ["half.md", "latin1.txt", "surrogate.txt", "utf16.md"];
    assert_eq!(told, expected.map(|name| format!("warning[W020]: skipped '{name}': not UTF-8 text")));
    let found = promptly(&site, ["search", "demo", "marmot", "-o", "json"]).ok().json();
    let mut files: Vec<&str> =
        found["results"].as_array().unwrap().iter().map(|r| r["file"].as_str().unwrap()).collect();
    files.sort_unstable();
    assert_eq!(files, ["bom.md", "crlf.txt", "nul.md"]);
    let shown = promptly(&site, ["show", "demo", "--section", "byte order MARK"]).ok();
    assert_eq!(shown.bytes, "\u{feff}# Byte order mark\r\n\r\nmarmot\r\n".as_bytes());
    let opened = promptly(&site, ["open", "demo", "latin1.txt"]).ok();
    assert_eq!(opened.bytes, b"caf\xe9 marmot");
}

/// Decision 17: linear in the length of the file.
#[test]
fn huge_lines_and_headings_are_read_promptly() {
    let site = Site::new();
    site.write_skill("demo", "# Top\n");
    site.write("demo", "line.md", format!("# Line\n\nneedle {}\n", "word ".repeat((2 << 20) / 5)));
    site.write("demo", "solid.md", "x".repeat(2 << 20));
    site.write("demo", "heading.md", format!("# {}\n", "heading ".repeat((2 << 20) / 8)));
    site.write("demo", "headings.md", "## Same\n".repeat(50_000));
    site.write("demo", "brackets.md", "[".repeat(2 << 20));
    site.write("demo", "stars.txt", "*_`".repeat((2 << 20) / 3));
    promptly(&site, ["build", "demo"]).ok();
    let found = promptly(&site, ["search", "demo", "needle", "-o", "json"]).ok().json();
    assert_eq!(found["results"][0]["file"], "line.md");
    assert!(found["results"][0]["snippet"].as_str().unwrap().len() < 1_000);
    assert!(promptly(&site, ["show", "demo", "--section", "line"]).ok().out.len() > 2 << 20);
    let unknown = promptly(&site, ["show", "demo", "--section", "Sam"]).fails("E020");
    assert!(unknown.err.contains("Same"), "{}", unknown.err);
    promptly(&site, ["show", "demo", "--section", &"s".repeat(100_000)]).fails("E020");
    assert!(promptly(&site, ["show", "demo", "--section", "same"]).ok().err.contains("W001"));
    promptly(&site, ["outline", "demo"]).ok();
    assert_eq!(promptly(&site, ["open", "demo", "solid.md"]).ok().bytes.len(), 2 << 20);
    let stub = fs::read_to_string(site.runtime("demo").join("SKILL.md")).unwrap();
    assert!(stub.lines().count() <= 100);
}

/// Decision 10, with headings that imitate something else.
#[test]
fn headings_cannot_break_out_of_the_stub() {
    let site = Site::new();
    let body = "# ---\n\n# name: evil\n\n# <script>\n\n# `x` ![y](z)\n\n# a\u{1b}[2Jb\n\n# \u{202e}c\n\n# \u{2028}d\n";
    let description = "description: \"Ends:\\n---\\n# demo\\nname: evil\"";
    let text = skill_md("demo", body).replace("description: Does demo. Use when testing.", description);
    site.write("demo", "SKILL.md", text);
    promptly(&site, ["build", "demo"]).ok();
    let stub = fs::read_to_string(site.runtime("demo").join("SKILL.md")).unwrap();
    let delimiters = stub.lines().filter(|line| *line == "---").count();
    assert_eq!(delimiters, 2, "{stub}");
    assert!(stub.lines().take_while(|line| *line != "# demo").all(|line| line != "name: evil"), "{stub}");
}

/// Folders nested four hundred levels deep.
#[test]
fn a_file_four_hundred_folders_deep_is_built_and_read() {
    let site = Site::new();
    site.write_skill("demo", "# Top\n");
    let folder = "d/".repeat(400);
    let file = site.write("demo", &format!("{folder}deep.md"), "# Deep\n\nmarmot\n");
    assert!(file.exists());
    promptly(&site, ["build", "demo"]).ok();
    let path = format!("{folder}deep.md");
    let found = promptly(&site, ["search", "demo", "marmot", "-o", "json"]).ok().json();
    assert_eq!(found["results"][0]["file"], path);
    assert!(promptly(&site, ["show", "demo", "--section", "Deep"]).ok().out.contains("marmot"));
    assert!(promptly(&site, ["open", "demo", &path]).ok().out.contains("marmot"));
    promptly(&site, ["sources", "demo"]).ok();
    promptly(&site, ["sources", "demo", "--depth", "1"]).ok();
    let copy = site.project().join("copy");
    assert!(Command::new("cp").arg("-r").arg(site.skill("demo")).arg(&copy).status().unwrap().success());
    promptly(&site, ["build", "./copy", "--force"]).ok();
}

/// L8, RFC-0009:C-SKILLS Each folder costs time in every search.
#[test]
fn twenty_thousand_roots_are_cut_with_a_warning() {
    let site = Site::built("demo", "# Top\n\nThe marmot whistles.\n");
    let config = site.project().join(".skillc/config.toml");
    let took = |count: usize| {
        let roots: Vec<String> = (0..count).map(|n| format!("roots/{n}")).collect();
        fs::write(&config, format!("[discovery]\nroots = {roots:?}\n")).unwrap();
        let timed = |_| {
            let start = std::time::Instant::now();
            promptly(&site, ["find", "marmot"]).ok();
            start.elapsed()
        };
        (0..5).map(timed).min().unwrap()
    };
    let (few, many) = (took(skillc_domain::limits::CONFIGURED_FOLDERS_MAX), took(20_000));
    // Reading a 400 KB file takes time too; looking at each folder took twenty times as long.
    assert!(many < few * 4 + std::time::Duration::from_millis(500), "{few:?} {many:?}");
    let run = promptly(&site, ["find", "marmot"]).ok();
    assert!(run.out.contains("demo"), "{}", run.out);
    let told = run
        .err
        .lines()
        .filter(|line| line.starts_with("warning[W035]: 'discovery.roots' lists 20000 folders"));
    assert_eq!(told.count(), 1, "{}", run.err);
}
