//! Measures in a thread of its own, so that a proof ends in time even if a file system or a database hangs.

use super::reply::{ChoiceFigure, Figures, FollowFigure, LoadFigure, ReachFigure};
use super::time::ProofTime;
use super::{chosen, followed, loads, reached};
use crate::app::App;
use crate::executor::block_on;
use crate::failure::Failure;
use crate::headings::{OutlineFile, outline_of};
use crate::lint::skill::Trust;
use crate::lint::{Engine, LintedSkill, lint_skill};
use crate::run::{Outcome, Run};
use crate::skill::Skill;
use skillc_domain::limits::HEADING_LEVEL_MAX;
use skillc_domain::places::SKILL_FILE;
use skillc_domain::proof::heading_queries;
use std::sync::mpsc::{Receiver, Sender, channel};

/// A completed measure.
enum Measure {
    Loads(LoadFigure),
    Chosen(ChoiceFigure),
    Reached(ReachFigure),
    Followed(FollowFigure),
    /// Warnings, and failures of parts.
    Noted(Outcome),
}

/// The figures, and the names of the measures for which there was no time. The thread is then abandoned.
///
/// # Errors
/// The first error of a measure.
pub(super) fn measured(
    run: &mut Run<'_>,
    skill: &Skill,
    time: ProofTime,
) -> Result<(Figures, Vec<&'static str>), Failure> {
    let (sender, measures) = channel();
    let (app, skill) = (run.app.clone(), skill.clone());
    std::thread::spawn(move || {
        let done = block_on(&app, measure(&app, &skill, time, &sender));
        if let Err(failure) = done.and_then(|done| done) {
            // Without a receiver, time has run out.
            let _ = sender.send(Err(failure));
        }
    });
    collected(run, &measures, time)
}

fn collected(
    run: &mut Run<'_>,
    measures: &Receiver<Result<Measure, Failure>>,
    time: ProofTime,
) -> Result<(Figures, Vec<&'static str>), Failure> {
    let mut figures = Figures::default();
    let mut missing = vec!["loads", "chosen", "reached", "followed"];
    // The sender is dropped when everything is done.
    while let Ok(measure) = measures.recv_timeout(time.left()) {
        let name = match measure? {
            Measure::Loads(figure) => {
                figures.loads = figure;
                "loads"
            }
            Measure::Chosen(figure) => {
                figures.chosen = figure;
                "chosen"
            }
            Measure::Reached(figure) => {
                figures.reached = figure;
                "reached"
            }
            Measure::Followed(figure) => {
                figures.followed = figure;
                "followed"
            }
            Measure::Noted(Outcome { warnings, failures }) => {
                warnings.into_iter().for_each(|warning| run.warn(warning));
                failures.into_iter().for_each(|failure| run.part_failed(failure));
                continue;
            }
        };
        missing.retain(|known| *known != name);
    }
    Ok((figures, missing))
}

/// Runs each measure and sends its result at once. The skill itself comes before the ranking among all skills, whose
/// index may have to be created first.
async fn measure(
    app: &App,
    skill: &Skill,
    time: ProofTime,
    sender: &Sender<Result<Measure, Failure>>,
) -> Result<(), Failure> {
    let mut run = Run::new(app);
    let send = |measure| {
        let _ = sender.send(Ok(measure));
    };
    let linted = linted(&mut run, skill)?;
    send(Measure::Loads(loads::loads(&linted)));
    send(Measure::Followed(followed::followed(app, skill, &linted).await?));
    let outline = outline_of(&mut run, skill, HEADING_LEVEL_MAX).await?;
    send(Measure::Reached(reached::reached(app, skill, &outline, time).await?));
    send(Measure::Chosen(chosen::chosen(&mut run, skill, &linted, queries(&outline), time).await?));
    send(Measure::Noted(run.without_log()));
    Ok(())
}

fn linted(run: &mut Run<'_>, skill: &Skill) -> Result<LintedSkill, Failure> {
    let engine = Engine::new(run.app)?;
    lint_skill(run, &engine, &skill.path, Trust::Author, &[])
}

/// Requests made from the headings of SKILL.md, since that is what a ranking knows of a skill. Only the first three
/// levels: deeper headings are details.
fn queries(outline: &[OutlineFile]) -> Vec<String> {
    const LEVEL_MAX: u8 = 3;
    let headings = outline.iter().filter(|file| file.file == SKILL_FILE).flat_map(|file| &file.headings);
    heading_queries(
        headings.filter(|heading| heading.level <= LEVEL_MAX).map(|heading| heading.text.as_str()),
    )
}
