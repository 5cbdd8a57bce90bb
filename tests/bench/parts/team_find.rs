//! Searching a team's catalog, compared with the simplest query that yields an answer.

use crate::args::Args;
use crate::parts::team::cluster::Cluster;
use crate::series::Pairs;
use crate::table::Figures;
use skillc_domain::digest::Digest;
use skillc_domain::discovery::skill::SkillKind;
use skillc_domain::team::TeamOrigin;
use skillc_ports::{IndexedSkill, SkillIndex, TeamStore};
use sqlx::{Connection, PgConnection, query};
use std::path::PathBuf;
use std::time::Instant;
use tokio::runtime::Runtime;

/// Number of skills in the catalog.
pub const SKILLS: usize = 50_000;
/// Allowed factor relative to the bare query: ours also weights words by rarity.
pub const BARE_TIMES: f64 = 4.0;

/// The words of which skills are made; the first ones occur in many skills.
const WORDS: [&str; 24] = [
    "document",
    "deploy",
    "message",
    "image",
    "review",
    "release",
    "database",
    "server",
    "report",
    "chart",
    "test",
    "branch",
    "secret",
    "invoice",
    "video",
    "audio",
    "robot",
    "ledger",
    "satellite",
    "genome",
    "violin",
    "harbour",
    "glacier",
    "orchid",
];

/// Matches any of the words, ranked by `ts_rank`.
const BARE: &str = "
    SELECT id FROM skillc.directory WHERE org_id = $1 AND words @@ to_tsquery('skillc.words', $2)
    ORDER BY ts_rank(words, to_tsquery('skillc.words', $2)) DESC LIMIT 100";

/// The median of searches for three words each, in a catalog of `SKILLS`.
pub fn search(cluster: &Cluster, args: &Args) -> Result<Figures, String> {
    let runtime = super::runtime()?;
    let database = cluster.database("template1");
    let store = database.store();
    runtime.block_on(store.init()).map_err(|e| e.to_string())?;
    let index = store.skill_index(&TeamOrigin { org: "acme".to_string(), machine: "m".to_string() });
    fill(&runtime, index.as_ref())?;
    database.run("VACUUM ANALYZE skillc.directory");
    let mut bare = runtime.block_on(PgConnection::connect(&database.url)).map_err(|e| e.to_string())?;
    let mut round = 0;
    let pairs = Pairs::take(args.reps * 5, || {
        round += 1;
        let words: Vec<String> = (0..3).map(|n| word(round * 7 + n * 5).to_string()).collect();
        let start = Instant::now();
        let found = runtime.block_on(index.lexical(&words, 100, None)).map_err(|e| e.to_string())?;
        let taken = start.elapsed().as_secs_f64();
        let start = Instant::now();
        let asked = query(BARE).bind("acme").bind(words.join(" | ")).fetch_all(&mut bare);
        let rows = runtime.block_on(asked).map_err(|e| e.to_string())?;
        match rows.len() == found.len() {
            true => Ok((taken, start.elapsed().as_secs_f64())),
            false => Err(format!("{} were found, not {}", found.len(), rows.len())),
        }
    })?;
    Ok(pairs.into())
}

fn fill(runtime: &Runtime, index: &dyn SkillIndex) -> Result<(), String> {
    let all: Vec<IndexedSkill> = (0..SKILLS).map(skill).collect();
    for some in all.chunks(5_000) {
        runtime.block_on(index.change(some, &[])).map_err(|e| e.to_string())?;
    }
    Ok(())
}

/// Returns a word; earlier ones are more frequent.
fn word(number: usize) -> &'static str {
    let at = (number * number + number / 3) % (WORDS.len() * WORDS.len());
    WORDS[(at / WORDS.len()).min(at % WORDS.len())]
}

fn skill(number: usize) -> IndexedSkill {
    let words: Vec<&str> = (0..24).map(|n| word(number * 31 + n * 17)).collect();
    IndexedSkill {
        id: format!("skill-{number}"),
        path: PathBuf::new(),
        name: words[..2].join("-"),
        description: words[2..].join(" "),
        headings: words[..8].join("\n"),
        body: String::new(),
        kind: SkillKind::Markdown,
        digest: Digest([0; 32]),
        meaning: Digest([0; 32]),
    }
}
