//! What every command costs before it does anything.

use crate::args::Args;
use crate::limits::Limits;
use crate::process::seconds;
use crate::series::Pairs;
use crate::site::Site;
use crate::table::{Allowed, Figures, Row, Table, Unit};
use crate::work::Work;

/// Starts are short and vary a lot, so each round of an expensive row has this many pairs.
const PAIRS_A_ROUND: usize = 30;

/// The row of `skc --version`.
pub fn measure(args: &Args, work: &Work, limits: &Limits, table: &mut Table) {
    table.push(Row {
        name: "--version".into(),
        size: "".into(),
        on: work.kind().into(),
        unit: Unit::Seconds,
        figures: version(args, work, limits),
        allowed: Allowed::AtMost(1.3),
        limit_is: "empty".into(),
    });
}

fn version(args: &Args, work: &Work, limits: &Limits) -> Result<Figures, String> {
    let site = Site::new(&args.skc, work.root().join("start")).map_err(|e| e.to_string())?;
    let round = || Ok((seconds(&mut site.skc(&["--version"]))?, limits.empty()?));
    Pairs::take(args.reps * PAIRS_A_ROUND, round).map(Figures::from)
}
