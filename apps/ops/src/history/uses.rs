//! Finds the uses of skills in a call.

use crate::app::App;
use crate::history::owner::{OwnedFile, RecordedSkill, SkillOwners};
use crate::history::sections::{ReadSections, SectionFinder};
use crate::history::shell;
use skillc_domain::history::shell::{ShellText, ShellVerb};
use skillc_domain::history::{
    AgentAction, HistoryCall, HistoryKind, HistoryLocation, LineRange, OfferedSkill, SkillChooser,
};

/// Characters per token in lists of names and descriptions, a rough mean for English text.
const CHARS_PER_TOKEN: u32 = 4;

/// A use of a skill.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SkillUse {
    /// The use's number within the call; the same for every import of the call.
    pub ordinal: u64,
    /// What happened.
    pub kind: HistoryKind,
    /// The skill that was used.
    pub skill: RecordedSkill,
    /// The file that was used; `None` for the skill as a whole.
    pub file: Option<String>,
    /// The lines that were used.
    pub lines: LineRange,
    /// The sections that were used.
    pub sections: ReadSections,
    /// Estimated tokens of an offered skill's entry in the list.
    pub listing_tokens: u32,
}

impl SkillUse {
    fn new(ordinal: usize, kind: HistoryKind, skill: RecordedSkill) -> Self {
        let (lines, sections) = (LineRange::Whole, ReadSections::WholeFile);
        Self { ordinal: ordinal as u64, kind, skill, file: None, lines, sections, listing_tokens: 0 }
    }
}

/// Finds the uses of skills in calls, and caches files during one import.
pub struct UseFinder<'a> {
    owners: SkillOwners<'a>,
    sections: SectionFinder<'a>,
}

impl<'a> UseFinder<'a> {
    /// Starts with an empty cache.
    pub fn new(app: &'a App) -> Self {
        Self { owners: SkillOwners::new(app), sections: SectionFinder::new(app) }
    }

    /// The uses in a call; none if it concerned no skill.
    pub fn of(&mut self, history: &HistoryLocation, call: &HistoryCall) -> Vec<SkillUse> {
        match &call.action {
            AgentAction::Offered(skills) => {
                skills.iter().enumerate().map(|(at, skill)| self.offered(history, call, at, skill)).collect()
            }
            AgentAction::Loaded { name, path, by } => {
                let skill = self.skill(history, call, name, path.as_deref());
                let kind = match (call.outcome.failure(), by) {
                    (Some(_), _) => HistoryKind::Failed,
                    (None, SkillChooser::Agent) => HistoryKind::Chosen,
                    (None, SkillChooser::User) => HistoryKind::Requested,
                };
                vec![SkillUse::new(0, kind, skill)]
            }
            AgentAction::Typed { name } => {
                // The agent's own commands look the same.
                let skill = self.owners.of_name(history, &call.cwd, name);
                let is_skill = !skill.path.as_os_str().is_empty();
                is_skill.then(|| SkillUse::new(0, HistoryKind::Requested, skill)).into_iter().collect()
            }
            AgentAction::Read { path, lines } => {
                self.read(call, 0, (path, &call.cwd), *lines).into_iter().collect()
            }
            AgentAction::Searched { path } => {
                let path = path.as_deref().unwrap_or(".");
                self.searched(0, (path, &call.cwd)).into_iter().collect()
            }
            AgentAction::Shell { text, workdir } => self.shell(call, text, workdir.as_deref()),
        }
    }

    fn offered(
        &mut self,
        history: &HistoryLocation,
        call: &HistoryCall,
        at: usize,
        offered: &OfferedSkill,
    ) -> SkillUse {
        let skill = self.skill(history, call, &offered.name, offered.path.as_deref());
        let listing_tokens = offered.chars.div_ceil(CHARS_PER_TOKEN);
        SkillUse { listing_tokens, ..SkillUse::new(at, HistoryKind::Offered, skill) }
    }

    /// The skill with a name, and with its folder or SKILL.md if recorded.
    fn skill(
        &mut self,
        history: &HistoryLocation,
        call: &HistoryCall,
        name: &str,
        path: Option<&str>,
    ) -> RecordedSkill {
        let path = path.and_then(|path| self.owners.absolute(path, &call.cwd));
        let owned = path.and_then(|path| self.owners.of_path(&path));
        owned.map_or_else(|| self.owners.of_name(history, &call.cwd, name), |owned| owned.skill)
    }

    fn owned(&mut self, (path, cwd): (&str, &str)) -> Option<OwnedFile> {
        let path = self.owners.absolute(path, cwd)?;
        self.owners.of_path(&path)
    }

    fn read(
        &mut self,
        call: &HistoryCall,
        at: usize,
        place: (&str, &str),
        lines: LineRange,
    ) -> Option<SkillUse> {
        let owned = self.owned(place).filter(|owned| !owned.file.is_empty())?;
        let sections = self.sections.of(&owned, lines, call.at);
        let file = Some(owned.file);
        Some(SkillUse { file, lines, sections, ..SkillUse::new(at, HistoryKind::Read, owned.skill) })
    }

    fn searched(&mut self, at: usize, place: (&str, &str)) -> Option<SkillUse> {
        let owned = self.owned(place)?;
        let file = Some(owned.file).filter(|file| !file.is_empty());
        Some(SkillUse { file, ..SkillUse::new(at, HistoryKind::Searched, owned.skill) })
    }

    /// A use that runs a file. Only scripts below a skill's `scripts` count.
    fn ran(&mut self, at: usize, place: (&str, &str)) -> Option<SkillUse> {
        let owned = self.owned(place).filter(|owned| owned.file.starts_with("scripts/"))?;
        Some(SkillUse { file: Some(owned.file), ..SkillUse::new(at, HistoryKind::Ran, owned.skill) })
    }

    fn shell(&mut self, call: &HistoryCall, text: &ShellText, workdir: Option<&str>) -> Vec<SkillUse> {
        let base = workdir.and_then(|workdir| self.owners.absolute(workdir, &call.cwd));
        let base = base.map_or_else(|| call.cwd.clone(), |base| base.to_string_lossy().into_owned());
        let mut found = Vec::new();
        for (at, used) in shell::paths(text).into_iter().enumerate() {
            let cwd = match &used.cwd {
                Some(cwd) => self.owners.absolute(cwd, &base).map(|cwd| cwd.to_string_lossy().into_owned()),
                None => Some(base.clone()),
            };
            let Some(cwd) = cwd else { continue };
            let place = (used.path.as_str(), cwd.as_str());
            found.extend(match used.verb {
                ShellVerb::Read(lines) => self.read(call, at, place, lines),
                ShellVerb::Run => self.ran(at, place),
                ShellVerb::Search => self.searched(at, place),
            });
        }
        found
    }
}
