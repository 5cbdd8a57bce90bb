//! Lint: the cost of all rules, compared with reading every byte.

use super::{GROWTH_MOST, MIB, settle};
use crate::args::Args;
use crate::corpus;
use crate::limits::Limits;
use crate::process::seconds_of_any_end;
use crate::series::{Pairs, exponent};
use crate::site::{SKILL, Site};
use crate::table::{Allowed, Figures, Row, Table, Unit, thousands};
use crate::work::Work;

/// Allowed factor for all rules, relative to reading every byte.
const READ_TIMES: f64 = 3.0;
/// Allowed factor for a file of ten times the length.
const TENFOLD_MOST: f64 = 11.0;

/// All rows for all sizes, the exponent between the two largest, and a file that grows.
pub fn measure(args: &Args, work: &Work, limits: &Limits, table: &mut Table) {
    let mut growth = Vec::new();
    for &files in &args.sizes {
        let pairs = many(args, work, limits, files);
        growth.extend(pairs.as_ref().ok().map(|pairs| (files as f64, pairs.measured())));
        push(
            table,
            work,
            &thousands(files),
            pairs.map(Figures::from),
            Allowed::AtMost(1.0),
            "3 cat of every file",
        );
    }
    if let [.., small, large] = growth[..] {
        let exponent = exponent(small, large);
        table.push(Row {
            name: "growth of lint".into(),
            size: format!("{}..{}", thousands(small.0 as usize), thousands(large.0 as usize)),
            on: work.kind().into(),
            unit: Unit::Exponent,
            figures: Ok(Figures { measured: exponent, limit: 1.0, ratio: exponent }),
            allowed: Allowed::AtMost(GROWTH_MOST),
            limit_is: "linear".into(),
        });
    }
    push(
        table,
        work,
        "10 MiB",
        long(args, work).map(Figures::from),
        Allowed::AtMost(TENFOLD_MOST),
        "the same of 1 MiB",
    );
}

fn push(
    table: &mut Table,
    work: &Work,
    size: &str,
    figures: Result<Figures, String>,
    allowed: Allowed,
    limit_is: &str,
) {
    let (name, on) = ("lint".into(), work.kind().into());
    table.push(Row {
        name,
        size: size.into(),
        on,
        unit: Unit::Seconds,
        figures,
        allowed,
        limit_is: limit_is.into(),
    });
}

/// All rules over a skill with this many files.
fn many(args: &Args, work: &Work, limits: &Limits, files: usize) -> Result<Pairs, String> {
    let site = site(args, work, &format!("lint-{files}"), |site| {
        corpus::write_skill(&site.skill(), files).map(drop)
    })?;
    Pairs::take(args.reps, || {
        let lint = lint(&site)?;
        Ok((lint, READ_TIMES * limits.read(&site.skill())?))
    })
}

/// All rules over one file of 10 MiB, and of 1 MiB.
fn long(args: &Args, work: &Work) -> Result<Pairs, String> {
    let of = |mib: usize| {
        site(args, work, &format!("lint-long-{mib}"), |site| {
            corpus::write_long_file(&site.skill(), mib * MIB)
        })
    };
    let (short, long) = (of(1)?, of(10)?);
    Pairs::take(args.reps, || Ok((lint(&long)?, lint(&short)?)))
}

fn site(
    args: &Args,
    work: &Work,
    name: &str,
    write: impl Fn(&Site) -> std::io::Result<()>,
) -> Result<Site, String> {
    let site = Site::new(&args.skc, work.root().join(name)).map_err(|e| e.to_string())?;
    write(&site).map_err(|e| e.to_string())?;
    settle();
    Ok(site)
}

/// Findings end it with status 1, which is not a failure here.
fn lint(site: &Site) -> Result<f64, String> {
    seconds_of_any_end(&mut site.skc(&["lint", SKILL, "--format", "json"]))
}
