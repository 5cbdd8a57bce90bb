//! Finding skills: the first index compared with raw FTS5, a lexical `find` compared with its unavoidable work, and
//! many vectors compared with a plain scan.

use super::{runtime, settle};
use crate::args::Args;
use crate::corpus::{self, Dice};
use crate::limits::Limits;
use crate::process::seconds;
use crate::series::Pairs;
use crate::site::Site;
use crate::table::{Allowed, Figures, Row, Table, Unit, thousands};
use crate::work::Work;
use rusqlite::{Connection, params};
use skillc_domain::digest::Digest;
use skillc_domain::discovery::skill::SkillKind;
use skillc_domain::limits::EMBEDDING_DIMENSIONS;
use skillc_ports::{IndexedSkill, SkillIndex, SkillIndexes, SkillVector};
use skillc_sqlite::SqliteSkillIndexes;
use std::fs;
use std::hint::black_box;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;

/// As many as the published skills on which quality is measured.
const SKILLS: usize = 3_344;
/// Number of vectors in the large search.
const VECTORS: usize = 100_000;
/// The forms in which vectors are stored, each with the id of a model whose vectors have it.
const FORMS: [(&str, &str); 2] =
    [("search of vectors", "all-MiniLM-L6-v2@0"), ("search of vectors, five bits", "skills@0")];
/// Allowed factor for a first index, relative to raw FTS5.
const INDEX_MOST: f64 = 1.3;
/// Allowed factor for a search of many vectors, relative to a plain scan.
const SCAN_MOST: f64 = 3.0;
/// Number of empty processes that a lexical search may additionally take.
const EMPTY_RUNS: f64 = 3.0;
/// The request: generated words that occur in many skills.
const QUERY: &str = "baden firgo hulul needlecommon";

/// Every row.
pub fn measure(args: &Args, work: &Work, limits: &Limits, table: &mut Table) {
    let mut push =
        |name: &str, size: usize, figures: Result<Figures, String>, most: Allowed, limit_is: &str| {
            table.push(Row {
                name: name.into(),
                size: thousands(size),
                on: work.kind().into(),
                unit: Unit::Seconds,
                figures,
                allowed: most,
                limit_is: limit_is.into(),
            });
        };
    match Skills::prepare(args, work) {
        Err(why) => push("find", SKILLS, Err(why), Allowed::Anything, ""),
        Ok(skills) => {
            let first = Pairs::take(args.reps, || Ok((skills.first_index()?, skills.raw_insert()?)));
            push(
                "first lexical index",
                SKILLS,
                first.map(Figures::from),
                Allowed::AtMost(INDEX_MOST),
                "raw FTS5 of its rows",
            );
            let warm = Pairs::take(args.reps * 3, || Ok((skills.find()?, skills.floor(limits)?)));
            let floor = "stat + raw query + 3 x empty process";
            push("find, lexical", SKILLS, warm.map(Figures::from), Allowed::AtMost(1.0), floor);
        }
    }
    for (name, model) in FORMS {
        let vectors = Vectors::prepare(work, model).and_then(|vectors| {
            Pairs::take(args.reps * 3, || Ok((vectors.search()?, vectors.scan()))).map(Figures::from)
        });
        push(name, VECTORS, vectors, Allowed::AtMost(SCAN_MOST), "a plain scan of f32 in memory");
    }
}

/// A home folder full of skills, and the rows of their index.
struct Skills {
    site: Site,
    home: PathBuf,
    raw: PathBuf,
    rows: Vec<[String; 4]>,
}

impl Skills {
    fn prepare(args: &Args, work: &Work) -> Result<Self, String> {
        let root = work.root().join("find");
        let site = Site::new(&args.skc, root.clone()).map_err(|e| e.to_string())?;
        let home = root.join("home");
        let rows = corpus::write_catalog(&home.join(".agents/skills"), SKILLS).map_err(|e| e.to_string())?;
        settle();
        let skills = Skills { site, home, raw: root.join("raw.db"), rows };
        skills.first_index()?;
        skills.raw_insert()?;
        Ok(skills)
    }

    fn first_index(&self) -> Result<f64, String> {
        for suffix in ["", "-wal", "-shm", ".lock"] {
            let _ = fs::remove_file(self.home.join(format!(".skillc/discovery.db{suffix}")));
        }
        self.find()
    }

    fn find(&self) -> Result<f64, String> {
        seconds(&mut self.site.skc(&["find", QUERY, "--mode", "lexical"]))
    }

    fn raw_insert(&self) -> Result<f64, String> {
        let _ = fs::remove_file(&self.raw);
        let start = Instant::now();
        insert(&self.raw, &self.rows).map_err(|e| format!("raw FTS5: {e}"))?;
        Ok(start.elapsed().as_secs_f64())
    }

    fn floor(&self, limits: &Limits) -> Result<f64, String> {
        let start = Instant::now();
        ask(&self.raw).map_err(|e| format!("raw FTS5: {e}"))?;
        let query = start.elapsed().as_secs_f64();
        Ok(query + limits.stat(&self.home.join(".agents/skills"))? + EMPTY_RUNS * limits.empty()?)
    }
}

const TABLES: &str = "
    CREATE VIRTUAL TABLE w USING fts5(name, description, content='', tokenize='porter unicode61 remove_diacritics 2');
    CREATE VIRTUAL TABLE t USING fts5(name, description, headings, body, content='', tokenize='porter unicode61 remove_diacritics 2');";

fn insert(path: &Path, rows: &[[String; 4]]) -> rusqlite::Result<()> {
    let mut db = Connection::open(path)?;
    db.execute_batch(TABLES)?;
    let transaction = db.transaction()?;
    {
        let mut words = transaction.prepare("INSERT INTO w(rowid, name, description) VALUES (?1, ?2, ?3)")?;
        let mut texts = transaction
            .prepare("INSERT INTO t(rowid, name, description, headings, body) VALUES (?1, ?2, ?3, ?4, ?5)")?;
        for (row, [name, description, headings, body]) in (1i64..).zip(rows) {
            words.execute(params![row, name, description])?;
            texts.execute(params![row, name, description, headings, body])?;
        }
    }
    transaction.commit()
}

fn ask(path: &Path) -> rusqlite::Result<usize> {
    let db = Connection::open(path)?;
    let query = QUERY.split(' ').collect::<Vec<_>>().join(" OR ");
    let mut found = 0;
    for table in ["w", "t"] {
        let mut ranked =
            db.prepare(&format!("SELECT rowid, bm25({table}) FROM {table} WHERE {table} MATCH ?1"))?;
        found += ranked.query_map([&query], |row| row.get::<_, f64>(1))?.count();
    }
    Ok(found)
}

/// An index of many vectors, and the same vectors in memory.
struct Vectors {
    index: Arc<dyn SkillIndex>,
    model: &'static str,
    plain: Vec<f32>,
    query: Vec<f32>,
    runtime: tokio::runtime::Runtime,
}

impl Vectors {
    fn prepare(work: &Work, model: &'static str) -> Result<Self, String> {
        let runtime = runtime()?;
        let index = SqliteSkillIndexes.open(Some(&work.root().join(format!("{model}.db"))));
        let mut dice = Dice(7);
        let mut plain = Vec::with_capacity(VECTORS * EMBEDDING_DIMENSIONS);
        for from in (0..VECTORS).step_by(10_000) {
            let entries: Vec<IndexedSkill> = (from..from + 10_000).map(entry).collect();
            runtime.block_on(index.change(&entries, &[])).map_err(|e| e.to_string())?;
            let vectors: Vec<SkillVector> = entries
                .into_iter()
                .map(|entry| SkillVector { id: entry.id, meaning: entry.meaning, vector: unit(&mut dice) })
                .collect();
            vectors.iter().for_each(|vector| plain.extend(&vector.vector));
            runtime.block_on(index.put_vectors(model, &vectors)).map_err(|e| e.to_string())?;
        }
        let vectors = Vectors { index, model, plain, query: unit(&mut dice), runtime };
        vectors.search()?;
        Ok(vectors)
    }

    fn search(&self) -> Result<f64, String> {
        let start = Instant::now();
        let found = self.runtime.block_on(self.index.semantic(self.model, &self.query, 10, None));
        black_box(found.map_err(|e| e.to_string())?);
        Ok(start.elapsed().as_secs_f64())
    }

    fn scan(&self) -> f64 {
        let start = Instant::now();
        let scores =
            self.plain.as_chunks::<EMBEDDING_DIMENSIONS>().0.iter().map(|own| product(own, &self.query));
        black_box(scores.fold(f32::MIN, f32::max));
        start.elapsed().as_secs_f64()
    }
}

/// Sixteen sums in parallel, so that the compiler emits vector instructions.
fn product(a: &[f32], b: &[f32]) -> f32 {
    let mut sums = [0.0f32; 16];
    for (a, b) in a.as_chunks::<16>().0.iter().zip(b.as_chunks::<16>().0) {
        for ((sum, a), b) in sums.iter_mut().zip(a).zip(b) {
            *sum += a * b;
        }
    }
    sums.iter().sum()
}

fn entry(number: usize) -> IndexedSkill {
    IndexedSkill {
        id: format!("{number:016x}"),
        path: PathBuf::from(format!("/skills/{number}/SKILL.md")),
        name: format!("skill-{number}"),
        description: String::new(),
        headings: String::new(),
        body: String::new(),
        kind: SkillKind::Markdown,
        digest: Digest([0; 32]),
        meaning: Digest([0; 32]),
    }
}

fn unit(dice: &mut Dice) -> Vec<f32> {
    let raw: Vec<f32> = (0..EMBEDDING_DIMENSIONS).map(|_| dice.fraction() as f32 - 0.5).collect();
    let length = raw.iter().map(|x| x * x).sum::<f32>().sqrt();
    raw.iter().map(|x| x / length).collect()
}
