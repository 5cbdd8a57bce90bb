//! A skill in which every file records when it was written, and checks of what `skc` answers about it.

use crate::site::{Run, Site, skill_md};
use serde_json::Value;
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Child;

/// The number of files besides SKILL.md: enough to catch a build while it runs.
pub const FILES: usize = 200;
/// The limit of a search that shows every file.
const ALL: &str = "1000";

/// A skill whose files each name, in a heading and in the text, the generation in which they were last written.
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

    /// Starts a new generation: rewrites SKILL.md and other files, this number in all.
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

    /// Compares an answer with the sources. Returns false for E002, which says that the index is of an older state.
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

    /// Like `judge`, for the text of one file.
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

    /// Asserts that the stub and the manifest are the ones in the index, or that none of the three exists.
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

    /// Leaves the runtime as if a build of this generation had died right after its commit.
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

/// The generation that a text names; `None` if it names none or several.
pub fn generation(text: &str) -> Option<u32> {
    let text = text.replace("[MATCH]", "").replace("[/MATCH]", "");
    let named = text.split("generation").skip(1).filter_map(|rest| rest.get(..4)?.parse().ok());
    let named: BTreeSet<u32> = named.collect();
    named.first().copied().filter(|_| named.len() == 1)
}

/// The stub and the manifest that an index has committed.
fn published(index: &Path) -> [Vec<u8>; 2] {
    let db = rusqlite::Connection::open(index).unwrap();
    let sound: String = db.query_row("PRAGMA integrity_check", [], |row| row.get(0)).unwrap();
    assert_eq!(sound, "ok");
    ["SKILL.md", ".skillc-meta/manifest.json"].map(|name| {
        db.query_row("SELECT bytes FROM published WHERE name = ?1", [name], |row| row.get(0)).unwrap()
    })
}
