//! Creates archives of a skill.

use super::check::{metadata, refuse, verdict};
use super::member::{Division, divide};
use super::reply::{PackReply, PackedArchive, TargetVerdict};
use crate::app::App;
use crate::failure::Failure;
use crate::resolve::{resolve, typed};
use crate::run::Run;
use crate::skill::Skill;
use crate::source::skill_file;
use crate::written::{self, Allowed};
use glob::Pattern;
use skillc_domain::archive::{ArchiveEntry, ArchiveListing, ArchiveMember};
use skillc_domain::fault::Fault;
use skillc_domain::limits::ARCHIVE_UNPACKED_BYTES_MAX;
use skillc_domain::reader::Wording;
use skillc_domain::survey::SurveyedFile;
use skillc_lint::pack::{PackTarget, PackedMetadata};
use skillc_ports::SkillTree;
use std::path::PathBuf;

/// The options for packing a skill.
pub struct Packing<'a> {
    /// The skill, as the caller named it.
    pub skill: &'a str,
    /// The receivers. Those that expect SKILL.md in the same place share an archive.
    pub targets: &'a [&'static PackTarget],
    /// Files and folders to omit.
    pub excluded: &'a [Pattern],
    /// The archive's path; by default a name in the working directory.
    pub output: Option<&'a str>,
    /// Which files may be replaced.
    pub allowed: Allowed,
}

/// Packs a skill. Nothing is written if a receiver would refuse its archive; each reason is then reported as an E057.
///
/// # Errors
/// As for [`resolve`]; E012 and E016 as for a build; E018, E052, E100 for the output.
pub fn pack(run: &mut Run<'_>, packing: &Packing<'_>) -> Result<PackReply, Failure> {
    let skill = resolve(run.app, packing.skill)?;
    run.uses(&skill);
    let plans = plans(run.app, &skill, packing)?;
    let tree = run.app.ports.files.open(&skill.path)?;
    let Division { packed, left_out } = divide(run, tree.as_ref(), packing.excluded)?;
    let skill_md = packed.iter().any(|file| file.path == skill_file());
    let metadata = match skill_md {
        true => Some(metadata(run.app, &tree.read(&skill_file(), ARCHIVE_UNPACKED_BYTES_MAX)?.bytes)),
        false => None,
    };
    let verdicts: Vec<TargetVerdict> =
        plans.iter().flat_map(|plan| plan.verdicts(&skill, &packed, metadata.as_ref())).collect();
    let mut reply = PackReply { skill: Some(skill.name.clone()), left_out, ..PackReply::default() };
    if verdicts.iter().all(|verdict| verdict.accepts) {
        let members = read_members(tree.as_ref(), &packed)?;
        for plan in &plans {
            reply.archives.push(plan.write(run.app, &skill, &members, packing.allowed)?);
        }
    } else if let [first, ..] = &plans[..] {
        refuse(run, &verdicts, &first.output);
    }
    reply.targets = verdicts;
    Ok(reply)
}

/// The listing of an archive with these files, under names derived from their paths.
pub(super) fn listing_of(files: &[SurveyedFile], name: impl Fn(&str) -> String) -> ArchiveListing {
    let entry = |file: &SurveyedFile| ArchiveEntry::file(name(file.path.as_str()), file.stamp.size);
    ArchiveListing { entries: files.iter().map(entry).collect(), ..ArchiveListing::default() }
}

/// Reads the files of a skill, in total no more than any receiver accepts.
pub(super) fn read_members(
    tree: &dyn SkillTree,
    files: &[SurveyedFile],
) -> Result<Vec<ArchiveMember>, Failure> {
    let mut left = ARCHIVE_UNPACKED_BYTES_MAX;
    let mut members = Vec::with_capacity(files.len());
    for file in files {
        let bytes = tree.read(&file.path, left)?.bytes;
        left = left.saturating_sub(bytes.len() as u64);
        members.push(ArchiveMember { name: file.path.to_string(), bytes });
    }
    Ok(members)
}

/// An archive to be created.
struct Plan {
    targets: Vec<&'static PackTarget>,
    has_folder: bool,
    output: PathBuf,
}

/// One archive for the receivers that expect a folder in it, and one for the others.
fn plans(app: &App, skill: &Skill, packing: &Packing<'_>) -> Result<Vec<Plan>, Fault> {
    let mut plans = Vec::new();
    for has_folder in [true, false] {
        let is_meant = |target: &&&'static PackTarget| target.has_folder() == has_folder;
        let targets: Vec<&'static PackTarget> = packing.targets.iter().filter(is_meant).copied().collect();
        let Some(first) = targets.first() else { continue };
        let name = packing.output.map_or_else(|| format!("{}{}", skill.name, first.suffix), str::to_owned);
        plans.push(Plan { output: typed(app, &name), targets, has_folder });
    }
    if packing.output.is_some() && plans.len() > 1 {
        return Err(Fault::invalid_option(Wording::new(|to| {
            let (output, store) = (to.argument("output"), to.argument("for"));
            format!(
                "{output} names one file, but two archives are created; leave it out, or name one receiver with {store}"
            )
        })));
    }
    match plans.iter().find(|plan| app.ports.stores.real_path(&plan.output).starts_with(&skill.path)) {
        Some(inside) => Err(Fault::invalid_option(Wording::new(|to| {
            let (output, name) = (to.argument("output"), inside.output.display());
            format!("'{name}' is in the skill itself; name another file with {output}")
        }))),
        None => Ok(plans),
    }
}

impl Plan {
    fn name(&self, skill: &Skill, path: &str) -> String {
        if self.has_folder { format!("{}/{path}", skill.name) } else { path.to_owned() }
    }

    fn verdicts(
        &self,
        skill: &Skill,
        files: &[SurveyedFile],
        metadata: Option<&PackedMetadata>,
    ) -> Vec<TargetVerdict> {
        let archive = listing_of(files, |path| self.name(skill, path));
        self.targets.iter().map(|target| verdict(target, &archive, metadata)).collect()
    }

    fn write(
        &self,
        app: &App,
        skill: &Skill,
        members: &[ArchiveMember],
        allowed: Allowed,
    ) -> Result<PackedArchive, Failure> {
        let named = |member: &ArchiveMember| ArchiveMember {
            name: self.name(skill, &member.name),
            bytes: member.bytes.clone(),
        };
        let bytes = app.ports.archives.pack(&members.iter().map(named).collect::<Vec<_>>())?;
        let is_ours = |old: &[u8]| app.ports.archives.is_packed(old);
        written::write(app, &self.output, &bytes, allowed, &is_ours)?;
        Ok(PackedArchive {
            file: self.output.clone(),
            r#for: self.targets.iter().map(|target| target.label.to_owned()).collect(),
            files: members.len(),
            bytes: bytes.len(),
            unpacked_bytes: members.iter().map(|member| member.bytes.len() as u64).sum(),
            sha256: app.ports.files.digest(&bytes).to_string(),
        })
    }
}
