//! The catalog of many unchanged skills, compared with calling stat on each and starting programs.

use crate::args::Args;
use crate::limits::Limits;
use crate::process::seconds;
use crate::series::Pairs;
use crate::site::Site;
use crate::table::{Allowed, Figures, Row, Table, Unit, thousands};
use crate::work::Work;
use std::fs;
use std::path::PathBuf;
use std::time::Instant;

/// Number of skills: as many as the published ones on which queries are tested.
const SKILLS: usize = 3_344;
/// Number of empty program starts that a command may additionally take.
const STARTS: f64 = 3.0;

/// The row of an unchanged catalog.
pub fn measure(args: &Args, work: &Work, limits: &Limits, table: &mut Table) {
    table.push(Row {
        name: "catalog".into(),
        size: thousands(SKILLS),
        on: work.kind().into(),
        unit: Unit::Seconds,
        figures: unchanged(args, work, limits),
        allowed: Allowed::AtMost(1.0),
        limit_is: "a stat of each skill, and three empty programs".into(),
    });
}

fn unchanged(args: &Args, work: &Work, limits: &Limits) -> Result<Figures, String> {
    let site = Site::new(&args.skc, work.root().join("catalog")).map_err(|e| e.to_string())?;
    let root = site.home().join(".agents/skills");
    let files = write(&root).map_err(|e| e.to_string())?;
    super::settle();
    // Scanned once, and again when all stamps are old enough to be trusted.
    for _ in 0..2 {
        seconds(&mut site.skc(&["catalog"]))?;
        super::settle();
    }
    let round = || {
        let ours = seconds(&mut site.skc(&["catalog"]))?;
        let start = Instant::now();
        files.iter().for_each(|file| drop(fs::metadata(file)));
        Ok((ours, start.elapsed().as_secs_f64() + STARTS * limits.empty()?))
    };
    Pairs::take(args.reps * 5, round).map(Figures::from)
}

/// Writes skills into folders of their own, with descriptions of usual length.
fn write(root: &std::path::Path) -> std::io::Result<Vec<PathBuf>> {
    let mut files = Vec::with_capacity(SKILLS);
    for at in 0..SKILLS {
        let folder = root.join(format!("skill-{at}"));
        fs::create_dir_all(&folder)?;
        let words =
            "Reads and writes tables of numbers. Use when a table is to be made or mended. ".repeat(3);
        let file = folder.join("SKILL.md");
        fs::write(&file, format!("---\nname: skill-{at}\ndescription: {words}\n---\n# Skill {at}\n"))?;
        files.push(file);
    }
    Ok(files)
}
