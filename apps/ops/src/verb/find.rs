//! `skc find` and the tool `skill_search` (RFC-0011:C-FIND).

use crate::app::{App, Caller};
use crate::catalogue::{Ask, catalogue};
use crate::failure::Failure;
use crate::find::{
    Asked, Found, TeamAnswer, TeamAsk, TeamHit, embed_beside, embed_missing, find, find_in_team, refresh,
};
use crate::operation::{Operation, Surface};
use crate::render::{Render, View, line, plain};
use crate::run::Run;
use crate::verb::catalog::{Roots, ScopeWord};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use skillc_domain::discovery::find::{Mode, Ranked};
use skillc_domain::discovery::skill::CatalogueSkill;
use skillc_domain::fault::{Fault, Warning};
use skillc_domain::limits::FIND_EMBED_MS;
use skillc_domain::query::Query;
use skillc_ports::{Detail, ErrorKind, PortError, SkillDirectory};
use std::collections::HashSet;
use std::path::PathBuf;
use std::sync::Arc;
use std::thread::JoinHandle;
use std::time::Duration;

/// How skills are looked for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum FindMode {
    /// By words and meaning; by words alone without a model.
    #[default]
    Auto,
    /// By exact name, prefix and shared words.
    Rule,
    /// By words.
    Lexical,
    /// By meaning.
    Semantic,
    /// By words and meaning.
    Hybrid,
}

impl FindMode {
    /// The mode, unless it depends on what there is.
    pub fn chosen(self) -> Option<Mode> {
        match self {
            Self::Auto => None,
            Self::Rule => Some(Mode::Rule),
            Self::Lexical => Some(Mode::Lexical),
            Self::Semantic => Some(Mode::Semantic),
            Self::Hybrid => Some(Mode::Hybrid),
        }
    }
}

/// Find the skills on this machine that can do something, by saying what is to be done.
#[derive(Debug, clap::Args, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct FindRequest {
    /// What is to be done, or a skill's name or path.
    pub query: String,
    /// How to look.
    #[arg(long, value_enum, default_value_t)]
    #[serde(default)]
    pub mode: FindMode,
    /// Only the repository's or the user's skills.
    #[arg(long, value_enum)]
    pub scope: Option<ScopeWord>,
    /// At most so many results.
    #[arg(short, long, value_name = "N")]
    pub limit: Option<u32>,
    /// Which folders.
    #[arg(long, value_enum, default_value_t)]
    #[serde(default)]
    pub roots: Roots,
    /// Say what each part of the search found.
    #[arg(long)]
    #[serde(default)]
    pub explain: bool,
    /// First make all that the index still lacks, however long it takes.
    #[arg(long)]
    #[serde(default)]
    pub index: bool,
    /// Search the team's catalogue in place of this machine.
    #[arg(long, conflicts_with_all = ["scope", "roots", "index"])]
    #[serde(default)]
    pub team: bool,
}

/// What each part of the search says of a skill.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct FindParts {
    /// BM25.
    pub lexical: Option<f64>,
    /// Cosine.
    pub semantic: Option<f64>,
}

/// A skill that was found.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct FindResult {
    /// Its id.
    pub id: String,
    /// Its name.
    pub name: String,
    /// What it says about itself.
    pub description: String,
    /// Its SKILL.md.
    pub path: PathBuf,
    /// Its folder.
    pub dir: PathBuf,
    /// `repo` or `user`.
    pub scope: String,
    /// 0 to 1.
    pub score: f64,
    /// Why it was found.
    pub reason: String,
    /// Scores of the parts, with `explain`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub parts: Option<FindParts>,
    /// What a team's catalogue says besides.
    #[serde(flatten)]
    #[schemars(skip)]
    pub team: Option<FindInTeam>,
}

/// Of a skill in a team's catalogue; no tool reaches it.
#[derive(Clone, Debug, Serialize)]
pub struct FindInTeam {
    /// The organisation.
    pub org: String,
    /// The machine that published it.
    pub machine: String,
    /// The name by which it resolves there.
    pub skill: String,
    /// Digest of its sources.
    pub digest: String,
    /// Whether a skill of this name with the very same files is on this machine.
    pub installed: bool,
}

/// The skills that were found.
#[derive(Debug, Serialize, JsonSchema)]
pub struct FindReply {
    /// How was looked: `rule`, `lexical`, `semantic` or `hybrid`.
    pub mode: String,
    /// Best first.
    pub results: Vec<FindResult>,
    /// How many there are.
    pub count: usize,
    /// Whether there were more.
    pub truncated: bool,
    /// Skills in folders of other agents, which `roots: all` takes in.
    pub elsewhere: usize,
    /// What to know besides.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
}

/// The operation.
pub struct Find;

impl Operation for Find {
    const NAME: &'static str = "find";
    const SURFACE: Surface = Surface::Everywhere;
    const TOOL: Option<&'static str> = Some("skill_search");
    const IS_READ_ONLY: bool = true;
    const EXAMPLES: &'static str = "skc find \"send a message on Discord\"\nskc find release --scope repo --explain\nskc find \"draw a diagram\" --roots all --mode lexical --format json";
    const COMMAND_LINE_ONLY: &'static [&'static str] = &["index", "team"];
    type Request = FindRequest;
    type Reply = FindReply;

    async fn run(run: &mut Run<'_>, request: FindRequest) -> Result<FindReply, Failure> {
        let query = Query::parse(&request.query)?;
        let limit = limit(run.app, request.limit)?;
        if request.team {
            return of_team(run.app, &query, &request, limit).await;
        }
        let catalogue = catalogue(run, &asked_catalogue(run.app, &request))?;
        let (way, found, missing) = answer(run, &request, &query, &catalogue.skills).await?;
        let results: Vec<FindResult> =
            found.iter().take(limit).map(|ranked| result(ranked, request.explain)).collect();
        Ok(FindReply {
            mode: way.mode.word().to_owned(),
            count: results.len(),
            truncated: found.len() > results.len(),
            elsewhere: catalogue.elsewhere,
            note: note(run.app, &way, missing),
            results,
        })
    }
}

async fn of_team(
    app: &App,
    query: &Query,
    request: &FindRequest,
    limit: usize,
) -> Result<FindReply, Failure> {
    let way = Way::choose(app, request.mode)?;
    let ask = TeamAsk { request: query.text(), mode: way.mode, model: way.model.as_deref(), limit };
    let answer = find_in_team(app, &ask).await?;
    let results: Vec<FindResult> =
        answer.hits.iter().map(|hit| team_result(hit, &answer.org, request.explain)).collect();
    Ok(FindReply {
        mode: way.mode.word().to_owned(),
        count: results.len(),
        truncated: answer.truncated,
        elsewhere: 0,
        note: team_note(app, &way, &answer),
        results,
    })
}

fn team_result(hit: &TeamHit, org: &str, is_explained: bool) -> FindResult {
    let skill = &hit.skill;
    FindResult {
        id: skill.skill.clone(),
        name: skill.name.clone(),
        description: skill.description.clone(),
        path: PathBuf::new(),
        dir: PathBuf::new(),
        scope: "team".to_owned(),
        score: hit.score,
        reason: hit.reason.word().to_owned(),
        parts: is_explained.then_some(FindParts { lexical: hit.parts.lexical, semantic: hit.parts.semantic }),
        team: Some(FindInTeam {
            org: org.to_owned(),
            machine: skill.machine.clone(),
            skill: skill.skill.clone(),
            digest: skill.digest.clone(),
            installed: hit.installed,
        }),
    }
}

fn team_note(app: &App, way: &Way, answer: &TeamAnswer) -> Option<String> {
    let missing = answer.without_vector;
    if missing == 0 {
        return note(app, way, 0);
    }
    Some(format!(
        "the catalogue has no vector of {missing} of the skills found by their words: 'skc team publish' adds \
         those of skills that are here"
    ))
}

fn asked_catalogue(app: &App, request: &FindRequest) -> Ask {
    Ask {
        roots: request.roots.which(),
        scope: request.scope.map(ScopeWord::scope),
        detail: Detail::Whole,
        with_builtin: true,
        counts_elsewhere: !matches!(app.caller, Caller::Agent(_)),
        ..Ask::default()
    }
}

/// How many results: those asked for, else as many as the settings say.
fn limit(app: &App, asked: Option<u32>) -> Result<usize, Fault> {
    let settings = &app.settings.skills;
    let limit = settings.max_limit;
    match asked {
        Some(asked) if asked == 0 || asked > limit => {
            Err(Fault::ResultsBeyondLimit { asked: asked.to_string(), limit: limit.to_string() })
        }
        asked => {
            Ok(usize::try_from(asked.unwrap_or(settings.default_limit).min(limit)).unwrap_or(usize::MAX))
        }
    }
}

/// How is looked, and with which model.
struct Way {
    mode: Mode,
    model: Option<String>,
    without: Option<PortError>,
}

impl Way {
    /// # Errors
    /// E060 or E061 where meaning was asked for and there is no model that can be used.
    fn choose(app: &App, asked: FindMode) -> Result<Self, Failure> {
        let mode = asked.chosen().unwrap_or(Mode::Hybrid);
        if !mode.has_meaning() {
            return Ok(Self { mode, model: None, without: None });
        }
        match app.embedder.model() {
            Ok(model) => Ok(Self { mode, model: Some(model.to_string()), without: None }),
            Err(error) if asked == FindMode::Auto => Ok(Self::without(error)),
            Err(error) => Err(crate::model::unusable(app, error)),
        }
    }

    /// By words alone.
    fn without(error: PortError) -> Self {
        Self { mode: Mode::Lexical, model: None, without: Some(error) }
    }
}

/// Looks for skills in the directory of the machine; where that cannot be used, in one in memory; and where a model turns
/// out to be of no use, by words alone, unless meaning was asked for.
async fn answer<'s>(
    run: &mut Run<'_>,
    request: &FindRequest,
    query: &Query,
    skills: &'s [CatalogueSkill],
) -> Result<(Way, Found<'s>, usize), Failure> {
    let app = run.app;
    let mut way = Way::choose(app, request.mode)?;
    let mut directory = app.directory.clone();
    let mut is_kept = true;
    loop {
        let search = Search { app, way: &way, query, skills, is_patient: request.index };
        let failure = match search.ask(&directory).await {
            Ok((found, missing)) => return Ok((way, found, missing)),
            Err(failure) => failure,
        };
        match failure.source {
            Some(error) if is_of_directory(&error) && is_kept => {
                run.warn(not_kept(app, &error));
                directory = app.directories.open(None);
                is_kept = false;
            }
            Some(error) if request.mode == FindMode::Auto && way.model.is_some() => way = Way::without(error),
            source => return Err(Failure { source, ..failure }),
        }
    }
}

/// One search of the catalogue.
struct Search<'a, 's> {
    app: &'a App,
    way: &'a Way,
    query: &'a Query,
    skills: &'s [CatalogueSkill],
    is_patient: bool,
}

impl<'s> Search<'_, 's> {
    /// Brings a directory up to date and asks it; how many skills have no vector yet besides.
    async fn ask(&self, directory: &Arc<dyn SkillDirectory>) -> Result<(Found<'s>, usize), Failure> {
        let vector = self.begin_embedding();
        if self.way.mode != Mode::Rule {
            refresh(self.app, directory.as_ref(), self.skills).await.map_err(directory_failure)?;
        }
        let vector = match vector {
            Some(vector) => {
                let failed = |_| PortError::new(ErrorKind::Failed, "embed the query");
                Some(vector.join().map_err(failed)??)
            }
            None => None,
        };
        let missing = match self.way.model {
            Some(_) => self.embed_skills(directory).await?,
            None => 0,
        };
        let meaning = self.way.model.as_deref().zip(vector.as_deref());
        let asked = Asked { request: self.query.text(), mode: self.way.mode, meaning };
        let found = find(directory.as_ref(), self.skills, &asked).await.map_err(directory_failure)?;
        Ok((found, missing))
    }

    /// The model takes longer than all else, so it works beside it.
    fn begin_embedding(&self) -> Option<JoinHandle<Result<Vec<f32>, PortError>>> {
        self.way.model.as_ref()?;
        let (embedder, text) = (self.app.embedder.clone(), self.query.text().to_owned());
        Some(std::thread::spawn(move || embedder.embed(&text)))
    }

    /// Makes vectors as long as one can wait for them; a server goes on beside its calls.
    async fn embed_skills(&self, directory: &Arc<dyn SkillDirectory>) -> Result<usize, Failure> {
        let app = self.app;
        let ids: HashSet<&str> = self.skills.iter().map(|skill| skill.id.as_str()).collect();
        let is_server = matches!(app.caller, Caller::Agent(_));
        let time_ms = if is_server { 0 } else { FIND_EMBED_MS };
        let time = (!self.is_patient).then_some(Duration::from_millis(time_ms));
        let (embedder, progress) = (app.embedder.as_ref(), app.progress.as_ref());
        let done = embed_missing(directory.as_ref(), embedder, &ids, time, progress).await?;
        if done.missing > 0 && is_server {
            embed_beside(app, directory, ids.into_iter().map(str::to_owned).collect());
        }
        Ok(done.missing)
    }
}

/// What the directory itself failed at, as against the model.
fn directory_failure(error: PortError) -> Failure {
    Failure::from(PortError { doing: format!("{DIRECTORY}{}", error.doing), ..error })
}

/// Begins what a failure of the directory was doing.
const DIRECTORY: &str = "use the directory of skills: ";

fn is_of_directory(error: &PortError) -> bool {
    error.doing.starts_with(DIRECTORY)
}

fn not_kept(app: &App, error: &PortError) -> Warning {
    let message = error.reason().to_owned();
    Warning::DirectoryNotKept { path: app.places.discovery().to_string_lossy().into_owned(), message }
}

fn result(ranked: &Ranked<'_>, is_explained: bool) -> FindResult {
    let skill = ranked.skill;
    FindResult {
        id: skill.id.clone(),
        name: skill.name.clone(),
        description: skill.description.clone(),
        path: skill.path.clone(),
        dir: skill.dir.clone(),
        scope: skill.scope.word().to_owned(),
        score: ranked.score,
        reason: ranked.reason.word().to_owned(),
        parts: is_explained
            .then_some(FindParts { lexical: ranked.parts.lexical, semantic: ranked.parts.semantic }),
        team: None,
    }
}

fn note(app: &App, way: &Way, missing: usize) -> Option<String> {
    if !app.settings.skills.enabled {
        return Some("skills are switched off: '[skills] enabled' is false".to_owned());
    }
    if let Some(error) = &way.without {
        return Some(match error.kind {
            ErrorKind::NotFound => "found by words alone; 'skc model install' adds meaning".to_owned(),
            _ => format!(
                "found by words alone: the model cannot be used ({}); see 'skc model status'",
                error.reason()
            ),
        });
    }
    (missing > 0).then(|| {
        format!("the meaning of {missing} skills is not indexed yet: further calls go on, '--index' does all at once")
    })
}

impl Render for FindReply {
    fn render(&self, view: &View, out: &mut Vec<u8>) {
        if self.results.is_empty() {
            line(out, "No skill was found");
        }
        for result in &self.results {
            let score = view.faint(format!("({:.2}, {})", result.score, result.reason));
            line(out, format!("{} {score}", view.strong(plain(&result.name))));
            if !result.description.is_empty() {
                line(out, format!("  {}", plain(&first_line(&result.description))));
            }
            line(out, format!("  {}", view.faint(result.place(view))));
            if let Some(parts) = &result.parts {
                line(out, format!("  lexical {}, semantic {}", shown(parts.lexical), shown(parts.semantic)));
            }
        }
    }

    fn diagnostics(&self, _: &View, out: &mut Vec<u8>) {
        if let Some(note) = &self.note {
            line(out, format!("note: {note}"));
        }
        if self.elsewhere > 0 {
            line(
                out,
                format!(
                    "note: {} more skills in folders of other agents; '--roots all' looks there too",
                    self.elsewhere
                ),
            );
        }
    }
}

impl FindResult {
    /// Where it is, for people.
    fn place(&self, view: &View) -> String {
        let Some(team) = &self.team else { return format!("{} [{}]", view.path(&self.path), self.scope) };
        let here = if team.installed { ", installed here" } else { "" };
        format!("'{}' of {}, from {}{here}", plain(&team.skill), plain(&team.org), plain(&team.machine))
    }
}

/// Characters of a description that are shown.
const SHOWN_CHARS: usize = 160;

/// A description on one line, cut where it is long.
fn first_line(text: &str) -> String {
    let joined = text.split_whitespace().collect::<Vec<_>>().join(" ");
    match joined.char_indices().nth(SHOWN_CHARS) {
        Some((at, _)) => format!("{}…", joined[..at].trim_end()),
        None => joined,
    }
}

fn shown(score: Option<f64>) -> String {
    score.map_or_else(|| "-".to_owned(), |score| format!("{score:.3}"))
}
