//! RFC-0003:C-CLI: `skc stats --html`.

use super::{ROW, Row, site_with, varied};
use crate::rfc_0004::in_memory;
use crate::site::skill_md;
use serde_json::json;
use skillc_memory::{FaultPlan, MemoryMachine, PortCall};
use skillc_ports::ErrorKind;
use std::fs;

/// RFC-0003:C-CLI
#[test]
fn the_page_has_every_figure_and_loads_nothing() {
    let mut rows = varied();
    rows.push(Row { command: "search", args: r#"{"query":"<script>alert(1)</script>"}"#, ..ROW });
    let site = site_with(&rows);
    let run = site.skc(["stats", "demo", "--html", "usage.html"]).ok();
    assert!(run.out.contains("usage.html"), "{}", run.out);
    let page = fs::read_to_string(site.project().join("usage.html")).unwrap().replace("<wbr>", "");
    for word in
        ["Usage", "Äpfel", "api.md", "dream", "/work/a/src", "E020", "auth", "zoo", "Changelog", "demo"]
    {
        assert!(page.contains(word), "{word}");
    }
    assert!(page.contains("Content-Security-Policy") && page.contains("default-src 'none'"));
    assert!(!page.contains("<script>alert"), "names are text");
    for load in ["src=\"http", "href=\"http", "@import", "url(http", "<link", "<img", "<iframe"] {
        assert!(!page.contains(load), "{load}");
    }
}

/// RFC-0003:C-CLI
#[test]
fn a_page_goes_only_where_it_was_asked_to() {
    let site = site_with(&varied());
    site.skc(["stats", "demo", "--html", "no/such/folder.html"]).fails("E999");
    site.skc(["stats", "demo", "--html", "."]).fails("E999");
    let names: Vec<_> = fs::read_dir(site.project()).unwrap().map(|e| e.unwrap().file_name()).collect();
    assert_eq!(names.len(), 2, "{names:?}");
}

#[test]
fn a_page_counts_each_grouping_once() {
    let folder = tempfile::tempdir().unwrap();
    let page = folder.path().join("usage.html");
    // The page counts seven groupings, each in the skill's log and in the log of agent histories, and then two
    // figures of the histories alone. The next count would fail. If the last count of the histories fails, a page is
    // still written; if that of the skill fails, it is not.
    for (call, is_good, is_written) in [(17, true, true), (14, false, true), (13, false, false)] {
        let machine = MemoryMachine::new();
        machine.write("/project/.skillc/skills/demo/SKILL.md", skill_md("demo", "# Demo\n"));
        machine.plan(FaultPlan::none().fail(PortCall::ReadLog, call, ErrorKind::Denied));
        let request = json!({ "skill": "demo", "html": page, "group_by": "errors" });
        let answer = in_memory(&machine, "stats", request);
        assert_eq!((answer.failures.is_empty(), page.exists()), (is_good, is_written), "{call}");
        if let Some(reply) = answer.reply {
            assert_eq!(reply.json()["query"], "errors");
            fs::remove_file(&page).unwrap();
        }
    }
}
