//! The same commands of another program, compared with ours, each with a site of its own: the columns of the README's
//! table.

use crate::args::Args;
use crate::corpus::{self, COMMON};
use crate::process::{seconds, seconds_of_any_end};
use crate::series::Pairs;
use crate::site::{SKILL, Site};
use crate::table::{Allowed, Figures, Row, Table, Unit, thousands};
use crate::work::Work;
use std::path::Path;

/// Allowed factor for our commands, relative to the other program.
const SHARE_MOST: f64 = 0.9;
/// Number of files from which calling stat on each, which the other program does not do, dominates.
const MANY_FILES: usize = 10_000;
/// Numbers of skills in the stores that are listed.
const STORES: [usize; 2] = [10, 1_000];
/// A heading that is in no skill.
const NO_HEADING: &str = "Zebra Crossings";

/// Our site and the other program's, with the same files.
struct Sites {
    ours: Site,
    peer: Site,
}

/// The rows that compare with the program of `--peer`; none without it.
pub fn measure(args: &Args, work: &Work, table: &mut Table) {
    let Some(peer) = &args.peer else { return };
    let mut push = |name: &str, size: usize, allowed: Allowed, figures: Result<Figures, String>| {
        let size = if size == 0 { String::new() } else { thousands(size) };
        let (on, limit_is) = (work.kind().into(), "the peer".into());
        table.push(Row { name: name.into(), size, on, unit: Unit::Seconds, figures, allowed, limit_is });
    };
    let start = sites(args, peer, work, |_| Ok(())).and_then(|sites| sites.compare(args, &["--version"]));
    push("--version", 0, Allowed::Anything, start);
    for &size in &args.sizes {
        let built = sites(args, peer, work, |skill| corpus::write_skill(skill, size).map(|_| ()))
            .and_then(|sites| sites.built());
        let heading = corpus::heading(size / 2);
        let allowed = if size < MANY_FILES { Allowed::AtMost(SHARE_MOST) } else { Allowed::Anything };
        for (name, words) in [
            ("show", vec!["show", SKILL, "--section", &heading]),
            ("show, no such heading", vec!["show", SKILL, "--section", NO_HEADING]),
            ("open", vec!["open", SKILL, "SKILL.md"]),
            ("sources", vec!["sources", SKILL]),
            ("outline", vec!["outline", SKILL]),
            ("search", vec!["search", SKILL, COMMON]),
            ("stats", vec!["stats", SKILL]),
            ("lint", vec!["lint", SKILL]),
        ] {
            push(
                name,
                size,
                allowed,
                built.as_ref().map_err(String::clone).and_then(|s| s.compare(args, &words)),
            );
        }
    }
    for size in STORES {
        let stores = sites(args, peer, work, |skill| write_store(skill, size));
        for (name, words) in
            [("list", vec!["list"]), ("list --check-obsolete", vec!["list", "--check-obsolete"])]
        {
            let figures = stores.as_ref().map_err(String::clone).and_then(|s| s.compare(args, &words));
            push(name, size, Allowed::AtMost(SHARE_MOST), figures);
        }
    }
}

/// Two sites, after `write` has filled the skill's folder in each.
fn sites(
    args: &Args,
    peer: &Path,
    work: &Work,
    write: impl Fn(&Path) -> std::io::Result<()>,
) -> Result<Sites, String> {
    let site = |skc: &Path, name: &str| {
        let site = Site::new(skc, work.root().join(name))?;
        write(&site.skill()).map(|()| site)
    };
    let both = site(&args.skc, "ours").and_then(|ours| Ok(Sites { ours, peer: site(peer, "peer")? }));
    both.map_err(|e| e.to_string())
}

/// Writes a store of single-file skills next to the site's own skill, which becomes one of them.
fn write_store(skill: &Path, count: usize) -> std::io::Result<()> {
    for at in 1..count {
        corpus::write_skill(&skill.with_file_name(format!("{SKILL}-{at}")), 1)?;
    }
    corpus::write_skill(skill, 1).map(|_| ())
}

impl Sites {
    fn built(self) -> Result<Self, String> {
        super::settle();
        seconds(&mut self.ours.build())?;
        seconds(&mut self.peer.build())?;
        Ok(self)
    }

    /// Runs both in turn; status 1 counts as an answer.
    fn compare(&self, args: &Args, words: &[&str]) -> Result<Figures, String> {
        let round = || {
            let ours = seconds_of_any_end(&mut self.ours.skc(words))?;
            Ok((ours, seconds_of_any_end(&mut self.peer.skc(words))?))
        };
        round()?;
        Pairs::take(args.reps, round).map(Figures::from)
    }
}
