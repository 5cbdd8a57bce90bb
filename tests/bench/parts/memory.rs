//! The peak memory of a first build.

use super::MIB;
use crate::args::Args;
use crate::corpus;
use crate::process::peak_bytes;
use crate::site::Site;
use crate::table::{Allowed, Figures, Row, Table, Unit, thousands};
use crate::work::Work;
use std::io;
use std::path::Path;

/// Number of runs, of which the maximum counts.
const RUNS: usize = 3;

/// A build of the largest skill with many files, and of one with a long file.
pub fn measure(args: &Args, work: &Work, table: &mut Table) {
    let files = args.sizes.last().copied().unwrap_or(1);
    let row = |size, limit_is: &str, figures| Row {
        name: "peak memory, first build".into(),
        size,
        on: work.kind().into(),
        unit: Unit::Bytes,
        figures,
        allowed: Allowed::AtMost(1.0),
        limit_is: limit_is.into(),
    };
    let many = peak(args, work, 40 * MIB, |folder| corpus::write_skill(folder, files).map(drop));
    table.push(row(thousands(files), "40 MiB", many));
    let long = peak(args, work, (8 * 10 + 32) * MIB, |folder| corpus::write_long_file(folder, 10 * MIB));
    table.push(row("10 MiB".into(), "8 x the file + 32 MiB", long));
}

fn peak(
    args: &Args,
    work: &Work,
    most_bytes: usize,
    fill: impl Fn(&Path) -> io::Result<()>,
) -> Result<Figures, String> {
    let root = work.root().join("memory");
    let site = Site::new(&args.skc, root.clone()).map_err(|e| e.to_string())?;
    fill(&site.skill()).map_err(|e| e.to_string())?;
    let mut peak = 0.0_f64;
    for _ in 0..RUNS {
        site.forget_build()?;
        peak = peak.max(peak_bytes(&site.build(), &root.join("peak"))?);
    }
    Ok(Figures::of(peak, most_bytes as f64))
}
