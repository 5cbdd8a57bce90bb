//! SKL543: commands that are legitimate but deserve a second look each time.

use crate::security::code_context::{self, CodeContext};
use crate::rule::{Check, Example, Origin, Pattern, Rule, Severity, Tier};
use crate::{FileView, Report};
use crate::security::hits;

pub static RULE: Rule = Rule {
    id: "SKL543",
    name: "risky-command",
    severity: Severity::Warning,
    tier: Tier::Harms,
    origin: Origin::Field("skillshare destructive-commands"),
    why: "Such a command can irrecoverably hit the wrong disk, database or branch, and rights for everyone include \
          malware; agents do make mistakes with names.",
    fix: "Have the agent show the command and wait for confirmation, or use a form that asks or can be undone.",
    params: &[],
    patterns: &[
        Pattern {
            needles: || &[
                "mkfs",
                "of=/dev/",
                "wipefs",
                "shred ",
                "luksformat",
                "diskpart",
                "format c:",
                "> /dev/sd",
                ">/dev/sd",
                "> /dev/nvme",
                "sgdisk",
                "diskutil erase",
                "blkdiscard",
                "hdparm",
            ],
            regex: r#"(?ix-u) \bmkfs(?:\.\w+)? \s+ [\x20-~]*? (?: /dev/ | \$ | [A-Z]: ) [!-~]* | \bdd \s [\x20-~]*? \bof= ["']? /dev/ (?:sd|nvme|hd|vd|xvd|mmcblk|disk|rdisk)[!-~]* | \bwipefs \s+ [\x20-~]*? -?-a[!-~]* [\x20-~]* | \bshred \s [\x20-~]+ | \bluksformat \s [\x20-~]+ | \bdiskpart\b [\x20-~]*
                | \bformat \s+ [a-z]: [\x20-~]* | > \s* /dev/(?:sd|nvme|hd)[!-~]+ | \bsgdisk \s [\x20-~]*? (?:-Z|--zap-all)[\x20-~]* | \bdiskutil \s+ erase\w+ [\x20-~]* | \bblkdiscard \s [\x20-~]+"#,
        },
        Pattern {
            needles: || &[
                "chmod 777",
                "chmod -r 777",
                "chmod 0777",
                "chmod a+rwx",
                "chmod -r a+rwx",
                "chmod 666",
                "chmod -r 0777",
                "chmod -r 666",
                "chmod ugo+rwx",
                "chmod(",
                "0o777",
            ],
            regex: r"(?ix-u) \bchmod [\x20\t]+ (?: -\w+ [\x20\t]+ )* (?: 0?777 | 0?666 | a\+rwx | ugo\+rwx | a=rwx ) [\x20\t]+ [!-~]+ | \bchmod\( [\x20-~]*? \b0o?777 \b",
        },
        Pattern {
            needles: || &[
                "drop database",
                "drop schema",
                "truncate table",
                "flushall",
                "flushdb",
                "dropdatabase(",
                "dropdb ",
                "drop table",
            ],
            regex: r"(?ix-u) \bdrop \s+ (?:database|schema) \s+ (?:if\s+exists\s+)? [\w.`$<{\x22]+ [\x20-~]* | \b(?:flushall|flushdb)\b | \bdropDatabase\(\) | \bdropdb \s+ [\w$-]+ [\x20-~]*",
        },
        Pattern {
            needles: || &[
                "push --force",
                "push -f",
                "--mirror",
                "push origin +",
                "--force origin",
                "-f origin",
                "terraform destroy",
                "delete --all",
                "delete namespace",
                "delete ns ",
                "s3 rb",
                "s3 rm",
                "prune -a",
                "--delete-all",
                "gcloud projects delete",
                "pulumi destroy",
                "filter-branch",
                "reflog expire",
            ],
            regex: r"(?ix-u) \bgit \s+ push \s+ [\x20-~]*? (?: (?:--force|-f)\b [\x20-~]*? \b(?:main|master)\b | \b(?:main|master)\s+(?:--force|-f)\b | \s\+(?:main|master)\b | --mirror\b ) | \b(?:terraform|pulumi|tofu) \s+ destroy \b [\x20-~]*? -(?:-?auto-approve|-yes|y)\b
                | \bkubectl \s+ delete \s [\x20-~]*? (?: --all\b | \bnamespace\s | \bns\s ) [\x20-~]* | \baws \s+ s3 \s+ (?: rb \s [\x20-~]*? --force | rm \s [\x20-~]*? --recursive ) [\x20-~]* | \bdocker \s+ system \s+ prune \s [\x20-~]*? --volumes [\x20-~]* | \bgcloud \s+ projects \s+ delete [\x20-~]* | \bgit \s+ reflog \s+ expire [\x20-~]* --all [\x20-~]*",
        },
    ],
    good: &[Example::new(&[(
        "SKILL.md",
        crate::skill_md!("```sh\nchmod 755 run.sh\ngit push --force-with-lease origin topic\n```\n"),
    )])],
    bad: &[Example::new(&[("SKILL.md", crate::skill_md!("```sh\nmkfs.ext4 /dev/sdb1\n```\n"))])],
    check: Check::File(check),
};

fn check(view: &FileView<'_>, report: &mut Report<'_>) {
    let file = view.file;
    let found = hits::executable(file, &RULE)
        .filter(|hit| !matches!(code_context::context_at(file, hit.span.start), CodeContext::Prose | CodeContext::FrontMatterState));
    let found: Vec<_> = found.collect();
    let is_open = found.first().is_some_and(|hit| hit.pattern == RIGHTS);
    let what = if is_open { "gives everyone all rights" } else { "cannot be undone" };
    let places =
        found.iter().map(|hit| hit.span.start..hit.span.start + file.slice(&hit.span).trim_end().len());
    hits::once(report, places, |span| format!("'{}' {what}", file.slice(span)));
}

/// Index of the pattern for permissions.
const RIGHTS: usize = 1;
