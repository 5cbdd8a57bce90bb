//! SKL405: skills with too many files or bytes.

use crate::rule::{Check, Example, Origin, Param, Rule, Severity, Tier};
use crate::{Report, SkillView};

pub static RULE: Rule = Rule {
    id: "SKL405",
    name: "package-size",
    severity: Severity::Warning,
    tier: Tier::Breaks,
    origin: Origin::Client(
        "MCP Skills extension",
        "modelcontextprotocol/ext-skills specification/stable/skills.mdx (SEP-2640)",
    ),
    why: "Servers and clients that distribute skills have limits: 512 files and 16 MiB in the MCP Skills extension, \
          30 MB for an upload to Claude's API. A larger skill cannot be installed there. Too many files alone are of the tier 'style'.",
    fix: "Remove files that the skill does not use; download large data when it is needed.",
    params: &[
        Param { name: "max-files", default: 512, meaning: "maximum files of a skill" },
        Param {
            name: "max-mib",
            default: 16,
            meaning: "maximum mebibytes of all files of a skill together",
        },
    ],
    patterns: &[],
    good: &[Example::new(&[("SKILL.md", crate::skill_md!("Text.\n"))])],
    bad: &[Example::new(&[
        (".skilllint.toml", "[rules]\nSKL405 = { max-files = 1 }\n"),
        ("SKILL.md", crate::skill_md!("Run `run.py`.\n")),
        ("run.py", "print('run')\n"),
    ])],
    check: Check::Skill(check),
};

/// Bytes per mebibyte.
const MIB: u64 = 1024 * 1024;

fn check(view: &SkillView<'_>, report: &mut Report<'_>) {
    let files = &view.context.survey.files;
    let max_files = RULE.param(&view.context.settings, "max-files") as usize;
    if files.len() > max_files {
        // Only some ways to share a skill have such a limit, and most skills with many files are manuals on purpose.
        report.file(format!("skill has {} files (max: {max_files})", files.len())).tier(Tier::Style);
    }
    let bytes: u64 = files.iter().map(|file| file.stamp.size).sum();
    let max_mib = u64::from(RULE.param(&view.context.settings, "max-mib"));
    if bytes > max_mib * MIB {
        report.file(format!("skill has {} MiB (max: {max_mib})", bytes.div_ceil(MIB)));
    }
}
