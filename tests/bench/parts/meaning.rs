//! Finding skills by meaning with a warm server, compared with the model alone in this process; also the memory of a
//! server with a loaded model. Needs the model's files.

use super::{MIB, settle};
use crate::args::Args;
use crate::corpus;
use crate::mcp_client::{Call, Server};
use crate::process::seconds;
use crate::series::{Pairs, median};
use crate::site::Site;
use crate::table::{Allowed, Figures, Row, Table, Unit, thousands};
use crate::work::Work;
use serde_json::json;
use skillc_domain::model::MINILM;
use skillc_embed::BertEmbedder;
use skillc_ports::Embedder;
use std::collections::{HashMap, HashSet};
use std::hint::black_box;
use std::path::{Path, PathBuf};
use std::time::Instant;

/// The folder with the model's files, as for the tests.
const MODEL: &str = "SKC_TEST_MODEL";
/// As many as the published skills on which quality is measured.
const SKILLS: usize = 3_344;
/// Number of words of the shortest query, and number of lengths: 4 to 8 words. Queries that people wrote for
/// published skills have 5.8 words on average, not counting words such as `the`, each of which occurs in a fifth of
/// the skills.
const WORDS_LEAST: usize = 4;
const LENGTHS: usize = 5;
/// A word of a query occurs in at most one of this many skills.
const HOLDERS_PART: usize = 3;
/// Number of queries in a round, each run on both sides.
const QUERIES: usize = 25;
/// Allowed factor for a hybrid search, relative to the model's own time.
const HYBRID_MOST: f64 = 1.5;
/// Number of calls after which memory is measured; they also warm up the server.
const CALLS: usize = 500;
/// Allowed resident memory of a server with the model.
const RESIDENT: usize = 250 * MIB;

/// Hybrid and lexical searches, and memory.
pub fn measure(args: &Args, work: &Work, table: &mut Table) {
    let row = |name: &str, unit, figures, allowed, limit_is: &str| {
        let (name, size, on) = (name.into(), thousands(SKILLS), work.kind().into());
        Row { name, size, on, unit, figures, allowed, limit_is: limit_is.into() }
    };
    let mut scene = match Scene::prepare(args, work) {
        Ok(scene) => scene,
        Err(why) => return table.push(row("meaning", Unit::Seconds, Err(why), Allowed::Anything, "")),
    };
    let resident = scene.resident().map(|bytes| Figures::of(bytes, RESIDENT as f64));
    let name = format!("mcp resident with the model, {CALLS} calls");
    table.push(row(&name, Unit::Bytes, resident, Allowed::AtMost(1.0), "250 MiB"));
    for (mode, allowed) in [("hybrid", Allowed::AtMost(HYBRID_MOST)), ("lexical", Allowed::Anything)] {
        let pairs = Pairs::take(args.reps * 3, || scene.round(mode)).map(Figures::from);
        table.push(row(
            &format!("mcp skill_search, {mode}"),
            Unit::Seconds,
            pairs,
            allowed,
            "the model alone",
        ));
    }
}

/// A warm server with skills that all have a vector, and the same model in this process.
struct Scene {
    server: Server,
    model: BertEmbedder,
    /// The words of which queries are made: those of each description that are not too common.
    topics: Vec<Vec<String>>,
    next: usize,
}

impl Scene {
    fn prepare(args: &Args, work: &Work) -> Result<Self, String> {
        let files = std::env::var_os(MODEL).map(PathBuf::from).filter(|path| path.is_dir());
        let files = files.ok_or_else(|| format!("no model: {MODEL} names no folder"))?;
        let site = Site::new(&args.skc, work.root().join("meaning")).map_err(|e| e.to_string())?;
        let rows = corpus::write_catalog(&site.home().join(".agents/skills"), SKILLS);
        let topics = topics(&rows.map_err(|e| e.to_string())?);
        settle();
        let model = installed(&site, &files)?;
        let first = query(&topics, 0);
        seconds(&mut site.skc(&["find", &first, "--mode", "hybrid", "--index"]))?;
        model.embed(&first).map_err(|e| e.to_string())?;
        let (server, _) = Server::start(&mut site.skc(&["mcp"]))?;
        Ok(Scene { server, model, topics, next: 0 })
    }

    /// Queries that were not used before.
    fn queries(&mut self, count: usize) -> Vec<String> {
        let from = self.next;
        self.next += count;
        (from..from + count).map(|number| query(&self.topics, number)).collect()
    }

    fn resident(&mut self) -> Result<f64, String> {
        for query in self.queries(CALLS) {
            self.server.call(&search(&query, "hybrid"))?;
        }
        self.server.resident_bytes()
    }

    /// Both medians over the same queries.
    fn round(&mut self, mode: &str) -> Result<(f64, f64), String> {
        let queries = self.queries(QUERIES);
        let ours = p50(&queries, |query| self.server.call(&search(query, mode)))?;
        Ok((ours, p50(&queries, |query| embed(&self.model, query))?))
    }
}

/// The model that the program installs from these files.
fn installed(site: &Site, files: &Path) -> Result<BertEmbedder, String> {
    seconds(site.skc(&["model", "install", "--from"]).arg(files))?;
    Ok(BertEmbedder::new(&MINILM, site.home().join(".skillc/models").join(MINILM.name)))
}

/// The words of each description that occur in at most one of `HOLDERS_PART` skills.
fn topics(rows: &[[String; 4]]) -> Vec<Vec<String>> {
    let mut holders: HashMap<&str, usize> = HashMap::new();
    for row in rows {
        let words: HashSet<&str> = row.iter().flat_map(|text| text.split_whitespace()).collect();
        words.into_iter().for_each(|word| *holders.entry(word).or_default() += 1);
    }
    let is_topic = |word: &&str| holders.get(word).is_some_and(|count| count * HOLDERS_PART <= rows.len());
    let of = |description: &String| description.split(' ').filter(is_topic).map(str::to_owned).collect();
    rows.iter().map(|[_, description, ..]| of(description)).collect()
}

/// Some words of a description in their order, different for each query.
fn query(topics: &[Vec<String>], number: usize) -> String {
    let words = &topics[number * 37 % topics.len()];
    words.iter().take(WORDS_LEAST + number % LENGTHS).cloned().collect::<Vec<_>>().join(" ")
}

fn search(query: &str, mode: &str) -> Call {
    Call { tool: "skill_search", arguments: json!({ "query": query, "mode": mode }) }
}

fn embed(model: &BertEmbedder, text: &str) -> Result<f64, String> {
    let start = Instant::now();
    black_box(model.embed(text).map_err(|e| e.to_string())?);
    Ok(start.elapsed().as_secs_f64())
}

fn p50(queries: &[String], take: impl FnMut(&String) -> Result<f64, String>) -> Result<f64, String> {
    queries.iter().map(take).collect::<Result<Vec<_>, _>>().map(|all| median(&all))
}
