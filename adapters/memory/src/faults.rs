//! Plans of failing calls: chosen one by one, or drawn from a seed.

use skillc_ports::ErrorKind;
use std::collections::BTreeMap;

/// A call of a port that can be made to fail.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum PortCall {
    /// `SkillFiles::open`
    OpenSkill,
    /// `SkillTree::survey`
    Survey,
    /// `SkillTree::read`
    ReadFile,
    /// `SkillTree::digest`
    DigestFile,
    /// `SkillEditor::replace`
    EditFile,
    /// `SkillStores::names`
    ListStore,
    /// `SkillStores::create_folder`
    CreateFolder,
    /// `SkillStores::create_skill`
    CreateSkill,
    /// `SkillStores::rename`
    RenameFolder,
    /// `SkillStores::import`
    Import,
    /// `SkillStores::escaping_links`
    EscapingLinks,
    /// `RuntimeStore::lock`
    Lock,
    /// `RuntimeStore::mark_pending`
    MarkPending,
    /// `RuntimeStore::clear_pending`
    ClearPending,
    /// `RuntimeStore::read`
    ReadRuntimeFile,
    /// `RuntimeStore::write`
    WriteRuntimeFile,
    /// `Deployer::look`
    LookAtPlace,
    /// `Deployer::link`
    DeployLink,
    /// `Deployer::copy`
    DeployCopy,
    /// `Deployer::link_entries`
    LinkEntries,
    /// `Deployer::remove`
    Undeploy,
    /// `SectionIndex::writer` and all calls of the writer
    WriteIndex,
    /// Every query of an `IndexReader`
    ReadIndex,
    /// `AccessLog::append` of a machine's log
    AppendEvents,
    /// Every query of a machine's log
    ReadLog,
    /// `LocalLog::acknowledge`
    Acknowledge,
    /// `LocalLog::forget`
    ForgetEvents,
    /// `LocalLog::relabel`
    RelabelEvents,
    /// `LocalLog::retire`
    RetireLog,
    /// `TeamStore::init`
    InitTeam,
    /// `TeamStore::status` and `usage` of its log
    ReadTeam,
    /// `append` of a team's log
    AppendTeam,
    /// `TeamStore::publish`
    PublishSkill,
}

/// The way in which a call fails.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FaultEffect {
    /// Fails with this kind before it changes anything.
    Refuse(ErrorKind),
    /// Makes this many changes, then fails with `Failed` without cleanup, like a full disk or a killed process. A file
    /// is written in two changes; in an index each file is one, and the commit another.
    StopAfter(u64),
}

/// A planned failure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PlannedFault {
    /// The call.
    pub operation: PortCall,
    /// Which of these calls fails, counted from the plan; 1 is the next one.
    pub call: u32,
    /// How it fails.
    pub effect: FaultEffect,
}

/// A plan of failing calls.
#[derive(Clone, Debug, Default)]
pub struct FaultPlan {
    planned: Vec<PlannedFault>,
    calls: BTreeMap<PortCall, u32>,
    chance: Option<Chance>,
}

#[derive(Clone, Debug)]
struct Chance {
    state: u64,
    one_in: u64,
}

impl FaultPlan {
    /// A plan without failures.
    pub fn none() -> Self {
        Self::default()
    }

    /// Lets the n-th call of an operation fail; 1 is the next one.
    pub fn fail(self, operation: PortCall, call: u32, kind: ErrorKind) -> Self {
        self.with(PlannedFault { operation, call, effect: FaultEffect::Refuse(kind) })
    }

    /// Lets the n-th call of an operation stop after this many changes; 1 is the next one.
    pub fn stop(self, operation: PortCall, call: u32, steps: u64) -> Self {
        self.with(PlannedFault { operation, call, effect: FaultEffect::StopAfter(steps) })
    }

    /// Adds a planned failure.
    pub fn with(mut self, fault: PlannedFault) -> Self {
        self.planned.push(fault);
        self
    }

    /// Lets one call in `one_in` fail, deterministically for a seed: half of them at once, half after a few changes.
    pub fn seeded(seed: u64, one_in: u64) -> Self {
        let chance = Chance { state: seed, one_in: one_in.max(1) };
        Self { chance: Some(chance), ..Self::default() }
    }

    /// Counts a call; returns its failure, if one is planned.
    pub(crate) fn count(&mut self, operation: PortCall) -> Option<FaultEffect> {
        let calls = self.calls.entry(operation).or_default();
        *calls += 1;
        let planned = self.planned.iter().find(|fault| fault.operation == operation && fault.call == *calls);
        planned.map(|fault| fault.effect).or_else(|| self.chance.as_mut()?.draw())
    }
}

impl Chance {
    fn draw(&mut self) -> Option<FaultEffect> {
        let dice = next_random(&mut self.state);
        if !dice.is_multiple_of(self.one_in) {
            return None;
        }
        let dice = next_random(&mut self.state);
        let kinds = [ErrorKind::Denied, ErrorKind::Busy, ErrorKind::Failed];
        Some(match dice % 2 {
            0 => FaultEffect::Refuse(kinds[(dice / 2 % 3) as usize]),
            _ => FaultEffect::StopAfter(dice / 2 % 8),
        })
    }
}

/// The next number of SplitMix64 (Steele, Lea and Flood 2014), which works with any seed.
pub(crate) fn next_random(state: &mut u64) -> u64 {
    *state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let mixed = (*state ^ (*state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    mixed ^ (mixed >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_planned_call_fails() {
        let mut plan = FaultPlan::none().fail(PortCall::Survey, 2, ErrorKind::Denied);
        let refused = Some(FaultEffect::Refuse(ErrorKind::Denied));
        let effects: Vec<_> = (0..3).map(|_| plan.count(PortCall::Survey)).collect();
        assert_eq!(effects, [None, refused, None]);
        assert_eq!(plan.count(PortCall::ReadFile), None);
    }

    #[test]
    fn the_same_seed_gives_the_same_faults() {
        let faults = |seed| {
            let mut plan = FaultPlan::seeded(seed, 4);
            (0..100).map(|_| plan.count(PortCall::ReadFile)).collect::<Vec<_>>()
        };
        assert_eq!(faults(7), faults(7));
        assert_ne!(faults(7), faults(8));
        assert!((10..50).contains(&faults(7).iter().flatten().count()));
    }
}
