//! Surveys of skills whose folders are watched (adr/0023).
//!
//! A survey is kept if nothing was told of its folders from before the first look at each until after the last, and given
//! again as long as nothing is told. Links and second names of files are ways past the folders: such skills are not kept.

use crate::events::{Event, Events, WatchId};
use crate::survey::{ObservedSurvey, survey_with_listener};
use cap_std::fs::Dir;
use rustix::fs::fstat;
use skillc_domain::freshness::SummarizedSurvey;
use skillc_domain::path::RelPath;
use skillc_domain::survey::Stamp;
use std::collections::{BTreeSet, HashMap};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// How long a survey is given again: what no event tells (a file that got a second name and is written by it, one that is
/// being written through a memory map, a mount) is seen after this time. A walk of 10,000 files takes 20 ms.
const AGE_MAX: Duration = Duration::from_secs(60);
/// How long a skill that could not be watched is not tried again.
const BLIND: Duration = Duration::from_secs(60);
/// Folders that are watched at a time. Systems grant a user 8,192 at least, and editors need some.
const WATCHES_MAX: usize = 4_096;
/// Skills that are known at a time; further ones come in when some were not asked for a while.
const SKILLS_MAX: usize = 512;
/// How long a skill is kept for nobody where others need the room.
const IDLE: Duration = Duration::from_secs(60);

/// Device and number of a skill's folder: what stands at its path may be another one by now.
type FolderId = (u64, u64);

/// What is remembered of skills.
#[derive(Default)]
pub(crate) struct Memory {
    state: Mutex<State>,
    /// Held for a walk: many who ask at once after a change need one survey.
    walking: Mutex<()>,
}

#[derive(Default)]
struct State {
    events: Option<Events>,
    skills: HashMap<FolderId, Skill>,
    /// The skills that a folder is part of: more than one where a skill stands in another.
    owners: HashMap<WatchId, Vec<FolderId>>,
}

struct Skill {
    /// Counts events.
    changes: u64,
    watches: BTreeSet<WatchId>,
    survey: Option<(Arc<SummarizedSurvey>, Instant)>,
    asked_at: Instant,
    blind_until: Option<Instant>,
}

/// What is known of a skill when somebody asks.
enum Known {
    Survey(Arc<SummarizedSurvey>),
    /// Nothing; so many changes were told until now.
    Nothing(u64),
    /// It cannot be watched.
    Blind,
}

impl Memory {
    /// The survey of an open folder as it is now; `None` where it cannot be told without a walk that is of no further use.
    pub(crate) fn survey(&self, root: &Dir) -> Option<Arc<SummarizedSurvey>> {
        let id = folder_id(root)?;
        match self.known(id) {
            Known::Survey(survey) => return Some(survey),
            Known::Blind => return None,
            Known::Nothing(_) => {}
        }
        let _turn = self.walking.lock().unwrap_or_else(PoisonError::into_inner);
        match self.known(id) {
            Known::Survey(survey) => Some(survey),
            Known::Blind => None,
            Known::Nothing(changes) => self.look(id, root, changes),
        }
    }

    /// Walks, and keeps what was seen if nothing happened meanwhile.
    fn look(&self, id: FolderId, root: &Dir, changes: u64) -> Option<Arc<SummarizedSurvey>> {
        let mut watches = BTreeSet::new();
        let mut is_watched = true;
        let mut watch = |folder: &Dir| {
            // After one that cannot be watched the others are of no use.
            match is_watched.then(|| self.locked().watch(id, folder)).flatten() {
                Some(watch) => drop(watches.insert(watch)),
                None => is_watched = false,
            }
        };
        let seen = survey_with_listener(root, Some(&mut watch));
        let mut state = self.locked();
        let Ok(ObservedSurvey { survey, is_within_folders }) = seen else {
            state.turn_blind(id);
            return None;
        };
        let survey = Arc::new(SummarizedSurvey::new(survey));
        match is_watched && is_within_folders {
            true => state.keep(id, &survey, changes, watches),
            false => state.turn_blind(id),
        }
        Some(survey)
    }

    fn known(&self, id: FolderId) -> Known {
        let mut state = self.locked();
        state.catch_up();
        let now = Instant::now();
        let skill = state.skills.entry(id).or_insert_with(|| Skill::new(now));
        skill.asked_at = now;
        if skill.blind_until.is_some_and(|until| now < until) {
            return Known::Blind;
        }
        let young = skill.survey.as_ref().filter(|(_, taken_at)| now.duration_since(*taken_at) < AGE_MAX);
        let known = young.map(|(survey, _)| Known::Survey(survey.clone()));
        let known = known.unwrap_or(Known::Nothing(skill.changes));
        if state.skills.len() > SKILLS_MAX {
            state.forget_idle(now);
        }
        known
    }

    /// Forgets a survey that says something else of a file than the file itself.
    pub(crate) fn doubt(&self, root: &Dir, path: &RelPath, stamp: &Stamp) {
        let Some(id) = folder_id(root) else { return };
        if let Some(skill) = self.locked().skills.get_mut(&id) {
            let is_other =
                |survey: &SummarizedSurvey| survey.get(path).is_some_and(|known| known.stamp != *stamp);
            skill.survey.take_if(|(survey, _)| is_other(survey));
        }
    }

    fn locked(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Skill {
    fn new(now: Instant) -> Self {
        Self { changes: 0, watches: BTreeSet::new(), survey: None, asked_at: now, blind_until: None }
    }

    fn change(&mut self) {
        self.changes += 1;
        self.survey = None;
    }
}

impl State {
    /// Applies the events so far.
    fn catch_up(&mut self) {
        let Some(events) = &self.events else { return };
        let happened = events.take(is_seen);
        if happened.is_anything {
            self.skills.values_mut().for_each(Skill::change);
        }
        for watch in happened.in_folders {
            for id in self.owners.get(&watch).into_iter().flatten() {
                self.skills.get_mut(id).into_iter().for_each(Skill::change);
            }
        }
        for watch in happened.gone {
            for id in self.owners.remove(&watch).into_iter().flatten() {
                if let Some(skill) = self.skills.get_mut(&id) {
                    skill.watches.remove(&watch);
                }
            }
        }
    }

    fn watch(&mut self, id: FolderId, folder: &Dir) -> Option<WatchId> {
        if self.owners.len() >= WATCHES_MAX {
            self.forget_idle(Instant::now());
        }
        if self.events.is_none() {
            self.events = Events::new();
        }
        let is_room = self.owners.len() < WATCHES_MAX;
        let watch = self.events.as_ref().filter(|_| is_room)?.watch(folder)?;
        let owners = self.owners.entry(watch).or_default();
        if !owners.contains(&id) {
            owners.push(id);
        }
        self.skills.get_mut(&id)?.watches.insert(watch);
        Some(watch)
    }

    /// Keeps a survey of which nothing was told since, with the watches that belong to it.
    fn keep(
        &mut self,
        id: FolderId,
        survey: &Arc<SummarizedSurvey>,
        changes: u64,
        watches: BTreeSet<WatchId>,
    ) {
        self.catch_up();
        let Some(skill) = self.skills.get_mut(&id).filter(|skill| skill.changes == changes) else { return };
        skill.survey = Some((survey.clone(), Instant::now()));
        skill.blind_until = None;
        let old: Vec<WatchId> = skill.watches.difference(&watches).copied().collect();
        skill.watches = watches;
        self.unwatch(id, old);
    }

    fn turn_blind(&mut self, id: FolderId) {
        let Some(skill) = self.skills.get_mut(&id) else { return };
        skill.change();
        skill.blind_until = Some(Instant::now() + BLIND);
        let watches = std::mem::take(&mut skill.watches);
        self.unwatch(id, watches);
    }

    fn forget_idle(&mut self, now: Instant) {
        let is_idle = |skill: &Skill| now.duration_since(skill.asked_at) >= IDLE;
        let idle: Vec<FolderId> =
            self.skills.iter().filter(|(_, skill)| is_idle(skill)).map(|(id, _)| *id).collect();
        for id in idle {
            let watches = self.skills.remove(&id).map(|skill| skill.watches);
            self.unwatch(id, watches.into_iter().flatten());
        }
    }

    /// Takes a skill off folders, which are watched no longer where they are of no other one.
    fn unwatch(&mut self, id: FolderId, watches: impl IntoIterator<Item = WatchId>) {
        for watch in watches {
            let Some(owners) = self.owners.get_mut(&watch) else { continue };
            owners.retain(|owner| *owner != id);
            if owners.is_empty() {
                self.owners.remove(&watch);
                self.events.iter().for_each(|events| events.forget(watch));
            }
        }
    }
}

/// No survey sees what is hidden; editors write there all the while.
fn is_seen(event: &Event<'_>) -> bool {
    !event.name.is_some_and(|name| name.starts_with(b"."))
}

fn folder_id(root: &Dir) -> Option<FolderId> {
    fstat(root).ok().map(|stat| (stat.st_dev, stat.st_ino))
}
