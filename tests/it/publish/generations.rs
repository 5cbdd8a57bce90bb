//! A skill whose every file tells when it was written, and what `skc` says of it.

use crate::site::{Run, Site, skill_md};
use serde_json::Value;
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Child;

/// Files besides SKILL.md: enough for a build that can be met while it runs.
pub const FILES: usize = 200;
/// The limit of a search that shows every file.
const ALL: &str = "1000";

/// A skill each of whose files says, in its text and a heading, in which generation it was last written.
pub struct Generations {
    pub site: Site,
    pub of: Vec<u32>,
    pub current: u32,
}

impl Generations {
    pub fn new() -> Self {
        let mut all = Self { site: Site::new(), of: vec![0; FILES + 1], current: 0 };
        all.next(FILES + 1);
        all
    }

    /// Writes SKILL.md and so many files in all anew.
    pub fn next(&mut self, count: usize) {
        self.current += 1;
        for file in 0..count {
            self.of[file] = self.current;
            let word = word(self.current);
            let text =
                format!("# Mark {file}\n\ncommon {word}\n\n## Told in {word}\n\n{}\n", "filler ".repeat(150));
            let text = if file == 0 { skill_md("x", &text) } else { text };
            self.site.write("x", &path(file), text);
        }
    }

    pub fn start(&self) -> Child {
        self.site.command(["build", "x"]).spawn().unwrap()
    }

    pub fn search(&self) -> Run {
        self.site.skc(["search", "x", "common", "--limit", ALL, "-o", "json"])
    }

    /// Holds an answer against the sources; false for E002, which says that the index is of the state before.
    #[track_caller]
    pub fn judge(&self, run: Run) -> bool {
        if run.status == 1 {
            run.fails("E002");
            return false;
        }
        let results = run.ok().json()["results"].as_array().unwrap().clone();
        let text = |result: &Value, key: &str| result[key].as_str().unwrap().to_owned();
        let said: BTreeSet<_> =
            results.iter().map(|r| (text(r, "file"), generation(&text(r, "snippet")))).collect();
        let wanted = (0..=FILES).map(|file| (path(file), Some(self.of[file]))).collect();
        assert_eq!(said, wanted);
        true
    }

    /// The same for the text of one file.
    #[track_caller]
    pub fn judge_shown(&self, file: usize) -> bool {
        let run = self.site.skc(["show", "x", "--section", &format!("Mark {file}")]);
        if run.status == 1 {
            run.fails("E002");
            return false;
        }
        assert_eq!(generation(&run.ok().out), Some(self.of[file]));
        true
    }

    pub fn stub(&self) -> PathBuf {
        self.site.runtime("x").join("SKILL.md")
    }

    pub fn manifest(&self) -> PathBuf {
        self.site.runtime("x").join(".skillc-meta/manifest.json")
    }

    pub fn marker(&self) -> PathBuf {
        self.site.runtime("x").join(".skillc-meta/publish.pending")
    }

    /// Asserts that stub and manifest are what the index says, or that there is none of the three.
    #[track_caller]
    pub fn agree(&self) {
        assert!(!self.marker().exists());
        let meta = self.site.runtime("x").join(".skillc-meta");
        let has_index = fs::read_dir(&meta).into_iter().flatten().any(|entry| {
            let name = entry.unwrap().file_name().into_string().unwrap();
            name.starts_with("search-") && name.ends_with(".db")
        });
        assert_eq!((self.stub().exists(), self.manifest().exists()), (has_index, has_index));
        if has_index {
            let wanted = published(&self.site.index("x"));
            assert_eq!([fs::read(self.stub()).unwrap(), fs::read(self.manifest()).unwrap()], wanted);
        }
    }

    /// Leaves the runtime as a build of this generation that died right after its commit.
    pub fn build_up_to_the_commit(&mut self) {
        let old = [self.stub(), self.manifest()].map(|file| (fs::read(&file).unwrap(), file));
        self.next(3);
        self.site.skc(["build", "x"]).ok();
        for (bytes, file) in old {
            fs::write(file, bytes).unwrap();
        }
        let index = self.site.index("x");
        fs::write(self.marker(), index.file_name().unwrap().to_str().unwrap()).unwrap();
    }
}

fn path(file: usize) -> String {
    if file == 0 { "SKILL.md".to_owned() } else { format!("part{:02}/file{file:03}.md", file / 40) }
}

fn word(generation: u32) -> String {
    format!("generation{generation:04}")
}

/// The one generation that a text names; `None` where it names none or several.
pub fn generation(text: &str) -> Option<u32> {
    let text = text.replace("[MATCH]", "").replace("[/MATCH]", "");
    let named = text.split("generation").skip(1).filter_map(|rest| rest.get(..4)?.parse().ok());
    let named: BTreeSet<u32> = named.collect();
    named.first().copied().filter(|_| named.len() == 1)
}

/// Stub and manifest as an index has committed them.
fn published(index: &Path) -> [Vec<u8>; 2] {
    let db = rusqlite::Connection::open(index).unwrap();
    let sound: String = db.query_row("PRAGMA integrity_check", [], |row| row.get(0)).unwrap();
    assert_eq!(sound, "ok");
    ["SKILL.md", ".skillc-meta/manifest.json"].map(|name| {
        db.query_row("SELECT bytes FROM published WHERE name = ?1", [name], |row| row.get(0)).unwrap()
    })
}
