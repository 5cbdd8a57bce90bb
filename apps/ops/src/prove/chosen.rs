//! How often the skill ranks first among all skills on this machine, for its author's trigger queries and for
//! requests made from its headings.

use super::reply::{ChoiceFigure, LostQuery, QueryRate};
use super::time::ProofTime;
use crate::app::App;
use crate::catalog::{CatalogFilter, catalog};
use crate::eval::{Corpus, Meanings, Queries, Trial, Triggered, corpus_skill, queries, triggers};
use crate::failure::Failure;
use crate::find::{MeaningModel, embed_missing, refresh};
use crate::lint::LintedSkill;
use crate::model::{embedder, model_in_use};
use crate::run::Run;
use crate::skill::Skill;
use crate::source::skill_file;
use skillc_domain::discovery::find::SearchMode;
use skillc_domain::fault::Fault;
use skillc_domain::limits::TEXT_BYTES_MAX;
use skillc_domain::proof::{OWN_QUERIES_MAX, evenly, is_query_file, share};
use skillc_ports::{PortError, SkillIndex};
use std::collections::HashSet;
use std::sync::Arc;

/// Number of queries between two checks of the time.
const STEP_QUERIES: usize = 10;

/// An author's queries, and the file that contains them.
struct OwnQueries {
    file: String,
    trials: Vec<Trial>,
}

/// Runs all queries. The author's determine the score; if there are none, those from headings do.
///
/// # Errors
/// E081 for an unreadable file of queries; errors of the index.
pub async fn chosen(
    run: &mut Run<'_>,
    skill: &Skill,
    linted: &LintedSkill,
    headings: Vec<String>,
    time: ProofTime,
) -> Result<ChoiceFigure, Failure> {
    let own = own_queries(linted)?;
    let (corpus, name) = corpus_around(run, skill)?;
    let own_trials = own.iter().flat_map(|own| own.trials.iter().cloned());
    let of_headings = headings.into_iter().map(|query| Trial { query, should_trigger: true });
    let trials: Vec<Trial> = own_trials.chain(of_headings).collect();
    let asked = ask(run.app, &corpus, &trials, &name, time).await?;
    let (of_own, of_headings) =
        asked.outcomes.split_at(own.as_ref().map_or(0, |own| own.trials.len()).min(asked.outcomes.len()));
    let own = own.map(|own| QueryRate { file: Some(own.file), ..rate(of_own) });
    let headings = rate(of_headings);
    let deciding = own.as_ref().unwrap_or(&headings);
    Ok(ChoiceFigure {
        score: share(deciding.right, deciding.total),
        skills: corpus.skills.len(),
        mode: asked.mode.word().to_owned(),
        lost: asked.outcomes.iter().filter(|outcome| !outcome.is_right()).map(lost).collect(),
        unasked: trials.len() - asked.outcomes.len(),
        note: asked.note,
        own,
        headings,
    })
}

fn rate(outcomes: &[Triggered]) -> QueryRate {
    let right = outcomes.iter().filter(|outcome| outcome.is_right()).count();
    QueryRate { file: None, right, total: outcomes.len() }
}

fn lost(outcome: &Triggered) -> LostQuery {
    LostQuery {
        query: outcome.query.clone(),
        should_trigger: outcome.should_trigger,
        winner: outcome.first.clone(),
        rank: outcome.rank,
    }
}

fn own_queries(linted: &LintedSkill) -> Result<Option<OwnQueries>, Fault> {
    let Some(file) = linted.files.iter().find(|file| is_query_file(file.path.as_str())) else {
        return Ok(None);
    };
    let path = file.path.to_string();
    let refuse = |message: &str, advice: &str| Fault::UnreadableQueries {
        path: path.clone(),
        message: message.to_owned(),
        advice: advice.to_owned(),
    };
    let text = file.text.as_deref().ok_or_else(|| refuse("not a string of a reasonable size", ""))?;
    match queries(&path, text)? {
        Queries::Trials(trials) => {
            Ok(Some(OwnQueries { file: path, trials: evenly(trials, OWN_QUERIES_MAX) }))
        }
        Queries::Questions(_) => {
            Err(refuse("line 1: not a list", "write a list of {\"query\", \"should_trigger\"}"))
        }
    }
}

/// All skills on this machine including this one, and the name under which it counts. A skill with the same name is a
/// copy, or a substitute for it.
fn corpus_around(run: &mut Run<'_>, skill: &Skill) -> Result<(Corpus, String), Failure> {
    let filter = CatalogFilter { with_builtin: true, ..CatalogFilter::default() };
    let mut skills = catalog(run, &filter)?.skills.clone();
    let path = skill.path.join(skill_file().as_str());
    let name = match skills.iter().find(|known| known.path == path) {
        Some(known) => known.name.clone(),
        None => {
            let tree = run.app.ports.files.open(&skill.path)?;
            let bytes = tree.read(&skill_file(), TEXT_BYTES_MAX)?.bytes;
            let own = corpus_skill(run.app, &skill.path, &skill_file(), &bytes);
            let name = own.name.clone();
            skills.push(own);
            name
        }
    };
    let places = skills.iter().map(|skill| skill.path.to_string_lossy().into_owned()).collect();
    Ok((Corpus { skills, places }, name))
}

/// The results of all trials, and how they were run.
struct AskedTrials {
    outcomes: Vec<Triggered>,
    mode: SearchMode,
    note: Option<String>,
}

/// Searches the machine's index or, if that cannot be used, one in memory.
async fn ask(
    app: &App,
    corpus: &Corpus,
    trials: &[Trial],
    name: &str,
    time: ProofTime,
) -> Result<AskedTrials, Failure> {
    match ask_in(app, &app.ports.skill_index, corpus, trials, name, time).await {
        Ok(asked) => Ok(asked),
        Err(_) => Ok(ask_in(app, &app.ports.skill_indexes.open(None), corpus, trials, name, time).await?),
    }
}

async fn ask_in(
    app: &App,
    index: &Arc<dyn SkillIndex>,
    corpus: &Corpus,
    trials: &[Trial],
    name: &str,
    time: ProofTime,
) -> Result<AskedTrials, PortError> {
    refresh(app, index.as_ref(), &corpus.skills).await?;
    let texts: Vec<&str> = trials.iter().map(|trial| trial.query.as_str()).collect();
    let (meanings, note) = match meanings(app, index.as_ref(), corpus, &texts, time).await {
        Ok(meanings) => (Some(meanings), None),
        Err(note) => (None, Some(note)),
    };
    let mode = if meanings.is_some() { SearchMode::Hybrid } else { SearchMode::Lexical };
    let model = model_in_use(app).name;
    let mut outcomes = Vec::new();
    for (at, step) in trials.chunks(STEP_QUERIES).enumerate() {
        if time.is_over_for_queries() {
            break;
        }
        let of_step = meanings.as_ref().map(|(id, vectors)| {
            let vectors = &vectors[at * STEP_QUERIES..][..step.len()];
            Meanings { name: model, id, vectors }
        });
        outcomes.extend(triggers(index.as_ref(), corpus, step, name, mode, of_step).await?);
    }
    Ok(AskedTrials { outcomes, mode, note })
}

/// The model and the vectors of the queries, if every skill has a vector too; otherwise the reason why words alone
/// are used.
async fn meanings(
    app: &App,
    index: &dyn SkillIndex,
    corpus: &Corpus,
    texts: &[&str],
    time: ProofTime,
) -> Result<(String, Vec<Vec<f32>>), String> {
    let unusable = |_| "by words only: no model is installed ('skc model install')".to_owned();
    let model = MeaningModel::of(embedder(app)).map_err(unusable)?;
    let among: HashSet<&str> = corpus.skills.iter().map(|skill| skill.id.as_str()).collect();
    let time = Some(time.for_vectors());
    let progress = embed_missing(index, &model, &among, time, app.call.progress.as_ref()).await;
    let missing = progress.map_err(|_| "by words only: the model cannot be used".to_owned())?.missing;
    if missing > 0 {
        return Err(format!("by words only: {missing} skills have no vector yet; run it again to continue"));
    }
    let vectors =
        model.embedder.embed_all(texts).map_err(|_| "by words only: the model cannot be used".to_owned())?;
    Ok((model.id, vectors))
}
