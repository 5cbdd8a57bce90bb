//! The benchmark's own command line.

use std::path::{Path, PathBuf};

const USAGE: &str = "\
usage: cargo bench -p skillc-tests --bench ratios -- [options]
  --skc PATH      the program to measure (else target/release/skc)
  --peer PATH     another program, whose times the part `peer` puts beside ours
  --work DIR      where to write; may be given twice, for a tmpfs and a disk (else the temporary folder)
  --sizes N,N     files of the generated skills (else 10,100,1000,10000)
  --reps N        rounds of the dear rows; cheap rows take a multiple (else 9)
  --rows N        rows of the log that `stats` counts (else 1000000)
  --part P,P      of skill, file, start, memory, lint, log, catalog, stats, sync, team, history, mcp, find,
                  meaning, peer (else all); meaning needs the model's files in the folder SKC_TEST_MODEL
  --json FILE     also write the rows there
  --keep          leave what was written below the work folders";

/// A group of rows.
#[derive(Clone, Copy)]
pub enum Part {
    /// Skills with many files: build, show, search, size of the index, growth.
    Skill,
    /// A single long file.
    File,
    /// What it costs to start the program at all.
    Start,
    /// Peak memory of a build.
    Memory,
    /// All lint rules, compared with reading every byte.
    Lint,
    /// What logging adds to a command, and many commands at once.
    Log,
    /// The catalog of many skills, unchanged.
    Catalog,
    /// Counting a long log.
    Stats,
    /// Moving fallback logs into the log.
    Sync,
    /// A team's store; needs a PostgreSQL server.
    Team,
    /// Importing the histories of agents.
    History,
    /// The server for agents.
    Mcp,
    /// Finding skills among thousands, and vectors among many.
    Find,
    /// Finding skills by meaning with a warm server; needs the embedding model.
    Meaning,
    /// The commands of another program.
    Peer,
}

/// The parts by the words of the command line.
const PARTS: [(&str, Part); 15] = [
    ("skill", Part::Skill),
    ("file", Part::File),
    ("start", Part::Start),
    ("memory", Part::Memory),
    ("lint", Part::Lint),
    ("log", Part::Log),
    ("catalog", Part::Catalog),
    ("stats", Part::Stats),
    ("sync", Part::Sync),
    ("team", Part::Team),
    ("history", Part::History),
    ("mcp", Part::Mcp),
    ("find", Part::Find),
    ("meaning", Part::Meaning),
    ("peer", Part::Peer),
];

/// What to measure, and where.
pub struct Args {
    /// Absolute path of the program.
    pub skc: PathBuf,
    /// Absolute path of the program to compare with.
    pub peer: Option<PathBuf>,
    /// Folders to write to, in the order given; never empty.
    pub works: Vec<PathBuf>,
    /// File counts of the generated skills, ascending; never empty.
    pub sizes: Vec<usize>,
    /// Number of rounds for an expensive row, at least 1.
    pub reps: usize,
    /// Number of rows of the log that is counted.
    pub rows: usize,
    /// Parts in the order given.
    pub parts: Vec<Part>,
    /// The JSON file to write the rows to.
    pub json: Option<PathBuf>,
    /// Whether to keep the work folders.
    pub keep: bool,
}

impl Args {
    /// Parses the arguments. `None` after `--help`, which is printed here.
    pub fn parse(given: Vec<String>) -> Result<Option<Self>, String> {
        let (mut skc, mut peer) = (None, None);
        let mut args = Args {
            skc: PathBuf::new(),
            peer: None,
            works: Vec::new(),
            sizes: vec![10, 100, 1_000, 10_000],
            reps: 9,
            rows: 1_000_000,
            parts: PARTS.map(|(_, part)| part).to_vec(),
            json: None,
            keep: false,
        };
        let mut words = given.into_iter();
        while let Some(word) = words.next() {
            let mut value = || words.next().ok_or(format!("{word} needs a value\n{USAGE}"));
            match word.as_str() {
                "--bench" => {}
                "--keep" => args.keep = true,
                "--skc" => skc = Some(PathBuf::from(value()?)),
                "--peer" => peer = Some(PathBuf::from(value()?)),
                "--work" => args.works.push(PathBuf::from(value()?)),
                "--json" => args.json = Some(PathBuf::from(value()?)),
                "--sizes" => args.sizes = listed(&value()?, count)?,
                "--reps" => args.reps = count(&value()?)?,
                "--rows" => args.rows = count(&value()?)?,
                "--part" => args.parts = listed(&value()?, part)?,
                "--help" | "-h" => {
                    println!("{USAGE}");
                    return Ok(None);
                }
                _ => return Err(format!("unknown option {word:?}\n{USAGE}")),
            }
        }
        args.sizes.sort_unstable();
        if args.works.is_empty() {
            args.works.push(std::env::temp_dir());
        }
        args.skc = program(skc)?;
        args.peer = peer.map(|named| program(Some(named))).transpose()?;
        Ok(Some(args))
    }
}

fn listed<T>(text: &str, parse: fn(&str) -> Result<T, String>) -> Result<Vec<T>, String> {
    text.split(',').map(|word| parse(word.trim())).collect()
}

fn count(text: &str) -> Result<usize, String> {
    text.parse().ok().filter(|n| *n > 0).ok_or(format!("not a count: {text:?}"))
}

fn part(text: &str) -> Result<Part, String> {
    let found = PARTS.iter().find(|(word, _)| *word == text).map(|(_, part)| *part);
    found.ok_or_else(|| format!("no part {text:?}; there are {}", PARTS.map(|(word, _)| word).join(", ")))
}

/// The program given, or the release build next to this benchmark or in the workspace.
fn program(named: Option<PathBuf>) -> Result<PathBuf, String> {
    let name = format!("skc{}", std::env::consts::EXE_SUFFIX);
    let mut places: Vec<PathBuf> = named.clone().into_iter().collect();
    if named.is_none() {
        // This benchmark runs as <target>/release/deps/ratios-<hash>.
        let beside = std::env::current_exe().ok().and_then(|own| Some(own.parent()?.parent()?.join(&name)));
        places.extend(beside);
        places.push(Path::new(env!("CARGO_MANIFEST_DIR")).join("../target/release").join(&name));
    }
    places.iter().find_map(|place| place.canonicalize().ok()).ok_or_else(|| match named {
        Some(place) => format!("no program at {}", place.display()),
        None => "no release build of skc; run `cargo build --release`, or name one with --skc".to_string(),
    })
}
