//! A file that grows: ten times the length may cost eleven times as much.

use super::{MIB, settle};
use crate::args::Args;
use crate::corpus;
use crate::process::seconds;
use crate::raw::Raw;
use crate::series::Pairs;
use crate::site::{SKILL, Site};
use crate::table::{Allowed, Figures, Row, Table, Unit};
use crate::work::Work;

/// Allowed factor for a file of ten times the length.
const TENFOLD_MOST: f64 = 11.0;

/// Builds and outlines of 10 MiB compared with 1 MiB; also FTS5's own growth.
pub fn measure(args: &Args, work: &Work, table: &mut Table) {
    let mut push = |name: &str, round: &dyn Fn() -> Result<(f64, f64), String>, most, limit_is: &str| {
        table.push(Row {
            name: name.into(),
            size: "10 MiB".into(),
            on: work.kind().into(),
            unit: Unit::Seconds,
            figures: Pairs::take(args.reps, round).map(Figures::from),
            allowed: most,
            limit_is: limit_is.into(),
        });
    };
    let tenfold = Allowed::AtMost(TENFOLD_MOST);
    match Long::prepare(args, work, 1).and_then(|short| Ok((short, Long::prepare(args, work, 10)?))) {
        Err(why) => push("first build, one long file", &|| Err(why.clone()), tenfold, ""),
        Ok((short, long)) => {
            let shorter = "the same of 1 MiB";
            push("first build, one long file", &|| Ok((long.build()?, short.build()?)), tenfold, shorter);
            push("outline, one long file", &|| Ok((long.outline()?, short.outline()?)), tenfold, shorter);
            push("raw FTS5 of its rows", &|| Ok((long.raw()?, short.raw()?)), Allowed::Anything, shorter);
            push(
                "first build, one long file",
                &|| Ok((long.build()?, long.raw()?)),
                Allowed::Anything,
                "raw FTS5",
            );
        }
    }
}

/// A skill with a single long reference.
struct Long {
    site: Site,
    raw: Raw,
}

impl Long {
    fn prepare(args: &Args, work: &Work, mib: usize) -> Result<Self, String> {
        let root = work.root().join(format!("file-{mib}"));
        let site = Site::new(&args.skc, root.clone()).map_err(|e| e.to_string())?;
        corpus::write_long_file(&site.skill(), mib * MIB).map_err(|e| e.to_string())?;
        settle();
        seconds(&mut site.build())?;
        let raw = Raw::of_index(&site.index()?, root.join("raw.db"))?;
        Ok(Long { site, raw })
    }

    fn build(&self) -> Result<f64, String> {
        self.site.forget_build()?;
        seconds(&mut self.site.build())
    }

    fn outline(&self) -> Result<f64, String> {
        seconds(&mut self.site.skc(&["outline", SKILL]))
    }

    fn raw(&self) -> Result<f64, String> {
        self.raw.insert()
    }
}
