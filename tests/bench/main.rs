//! The project's own benchmark: compares `skc` with the least that the same work can cost on this machine, measured
//! in the same run. It prints a table of ratios, and judges only the numbers.
//!
//! `cargo bench -p skillc-tests --bench ratios -- --work /dev/shm --work .`
//!
//! It treats `skc` as a program: paths, arguments, exit status, and the tables of its index and its log. Only the
//! adapters for logs, vectors and the model are measured in this process.

mod args;
mod corpus;
mod events;
mod limits;
mod mcp_client;
mod parts;
mod process;
mod raw;
mod raw_log;
mod series;
mod site;
mod table;
mod work;

use args::{Args, Part};
use limits::Limits;
use raw::Raw;
use table::Table;
use work::Work;

fn main() {
    let given: Vec<String> = std::env::args().skip(1).collect();
    if given.is_empty() {
        // `cargo test --all-targets` also starts benchmarks, without the `--bench` that `cargo bench` adds.
        return println!("a bench; run it with `cargo bench -p skillc-tests --bench ratios`");
    }
    if let [raw::ONCE, index, database] = given.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        let taken = Raw::of_index(index.as_ref(), database.into()).and_then(|raw| raw.insert());
        return println!("{}", taken.unwrap_or(f64::NAN));
    }
    if let [raw_log::ONCE, log, query] = given.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        return match raw_log::ask(log.as_ref(), query) {
            Ok(taken) => println!("{taken}"),
            Err(why) => println!("{why}"),
        };
    }
    let outcome = Args::parse(given).and_then(|args| args.map_or(Ok(()), |args| measure(&args)));
    if let Err(message) = outcome {
        eprintln!("bench: {message}");
    }
}

/// Measures everything requested, one work folder after the other, in one table.
fn measure(args: &Args) -> Result<(), String> {
    let mut table = Table::default();
    for (position, place) in args.works.iter().enumerate() {
        let work = Work::below(place).map_err(|e| format!("cannot use {}: {e}", place.display()))?;
        let limits = Limits::take(&work)?;
        table.legend(limits.describe()?);
        for part in &args.parts {
            match part {
                Part::Skill => parts::skill::measure(args, &work, &limits, &mut table),
                Part::Lint => parts::lint::measure(args, &work, &limits, &mut table),
                Part::Find => parts::find::measure(args, &work, &limits, &mut table),
                Part::File => parts::file::measure(args, &work, &mut table),
                // Neither start-up nor memory depends on the location of files.
                Part::Log => parts::log::measure(args, &work, &mut table),
                Part::Catalog => parts::catalog::measure(args, &work, &limits, &mut table),
                Part::Stats => parts::stats::measure(args, &work, &limits, &mut table),
                Part::History => parts::history::measure(args, &work, &limits, &mut table),
                Part::Sync => parts::sync::measure(args, &work, &mut table),
                Part::Start if position == 0 => parts::start::measure(args, &work, &limits, &mut table),
                Part::Memory if position == 0 => parts::memory::measure(args, &work, &mut table),
                // The server's files are elsewhere.
                Part::Team if position == 0 => parts::team::measure(args, &work, &mut table),
                Part::Mcp => parts::mcp::measure(args, &work, &mut table),
                Part::Meaning => parts::meaning::measure(args, &work, &mut table),
                Part::Peer => parts::peer::measure(args, &work, &mut table),
                Part::Start | Part::Memory | Part::Team => {}
            }
        }
        if args.keep {
            table.legend(format!("kept: {}", work.keep().display()));
        }
    }
    print!("{table}");
    args.json.as_ref().map_or(Ok(()), |file| {
        std::fs::write(file, table.json()).map_err(|e| format!("cannot write {}: {e}", file.display()))
    })
}
