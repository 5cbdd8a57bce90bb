//! SKL517: commands that destroy a user's data.

use crate::security::code_context::{self, CodeContext};
use crate::rule::{Check, Example, Origin, Pattern, Rule, Severity, Tier};
use crate::one_line::one_line;
use crate::view::{PatternHit, LintFile};
use crate::{FileView, Report};
use crate::security::{flow, hits};

pub static RULE: Rule = Rule {
    id: "SKL517",
    name: "destructive-command",
    severity: Severity::Error,
    tier: Tier::Harms,
    origin: Origin::Field("skillshare destructive-commands"),
    why: "An agent that runs it deletes the user's files or takes down the machine, with no way to undo it.",
    fix: "Name the one folder to delete, inside the project or a temporary folder, and guard variables: '${DIR:?}'.",
    params: &[],
    patterns: &[
        // Everything below the root, the home folder or the working folder.
        Pattern {
            needles: || &["rm -", "rm --"],
            regex: r#"(?x-u) \brm \s+ (?: -[\w-]+ \s+ )* (?: -\w*[rR]\w* | --recursive ) \s+ (?: -[\w=-]+ \s+ )*
                (?: --no-preserve-root [\x20-~]* | ["']? (?: / | /\* | ~/? | ~/\* | \$\{?HOME\}?/? ["']? (?:/?\*)? | /(?:home|Users|etc|usr|var|bin|lib|boot|root|opt|sys|System|Library|sbin)/?\*? | /(?:home|Users)/(?:\w+|\$\w+|\*)/?\*? | \* | \./\* | \.\*? | \.\. | \.\./?\*? | \$\(pwd\)/?\*? | \$\{?PWD\}?/?\*? | [A-Z]:[/\\]?\*?
                    | "?\$\{?\w+\}?"? / \*? ) ["']? ) (?: \s | ; | & | \| | \) | ` | " | ' | $ )"#,
        },
        Pattern {
            needles: || &["find / ", "find ~", "find $home", "find . ", "find /home", "find \"$home"],
            regex: r#"(?ix-u) \bfind \s+ ["']? (?: / | ~/? | \$\{?HOME\}?/? | /home ) ["']? \s [\x20-~]*? (?: -delete \b | -exec \s+ (?:sudo\s+)? (?:rm|shred|unlink) \b )"#,
        },
        Pattern {
            needles: || &[":(){", ":() {", "bomb()", "fork()", "%0|%0"],
            regex: r"(?-u) ?:\s*\(\)\s*\{\s*:\s*\|\s*:\s*&\s*\}\s*;\s*:|\b(\w+)\(\)\s*\{\s*\w+\s*\|\s*\w+\s*&\s*\}\s*;\s*\w+|%0\|%0|while\s+(?:True|1)\s*:\s*os\.fork\(\)",
        },
        Pattern {
            needles: || &["\"rm\"", "'rm'"],
            regex: r#"(?x-u) ["']rm["'] \s* , \s* ["']-\w*[rR]\w*["'] \s* , \s* (?: ["'] (?: / | ~/? | /\* | \* | /home/?\w* | /etc | /usr ) ["'] | os\.path\.expanduser\( \s* ["']~/?["'] | os\.homedir\(\) | Path\.home\(\) )"#,
        },
        // Programs that delete folder trees.
        Pattern {
            needles: || &[
                "rmtree",
                "rmsync",
                "rimraf",
                "fs.rm",
                "rmdirsync",
                "remove-item",
                "del /",
                "rd /s",
                "rmdir /s",
                "removedirectory",
                "fileutils.rm",
                "shutil",
                "deltree",
                "directory.delete",
            ],
            regex: r#"(?ix-u) \b (?: (?:shutil\.)?rmtree | fs(?:\.promises)?\.rm(?:Sync|dirSync|dir)? | rmSync | rimraf(?:\.sync|Sync)? | FileUtils\.rm_rf? | Directory\.Delete ) \s* \( \s* (?: ["'`] (?: / | ~/? | /home/?\w* | [A-Z]:\\+ | /Users/?\w* | /etc | \.\.? ) ["'`]
                        | os\.path\.expanduser\( \s* ["']~/?["'] | (?:str\()?\s*Path\.home\(\) \s* \)? \s* [,)] | os\.homedir\(\) \s* [,)] | os\.environ\[["']HOME["']\] \s*[,)] | process\.env\.HOME \s* [,)] | Dir\.home )
                | \b(?:Remove-Item|rm|ri|del) \s [\x20-~]*? (?: -Recurse\b [\x20-~]*? )? ["']? (?: [A-Z]:\\\*? | \$HOME\\?\*? | ~\\?\*? | \$env:(?:USERPROFILE|SystemDrive|SystemRoot)\\?\*? ) ["']? (?: \s+ -(?:Recurse|Force|r)\b | \s* (?:$|\n|;) )
                | \b(?: del | erase ) \s+ (?: /[a-z] \s+ )+ ["']? (?: [A-Z]:\\\*?[\*.]* | %(?:USERPROFILE|SystemDrive|SystemRoot|HOMEPATH)%\\?\*? ) | \b(?:rd|rmdir) \s+ (?: /[a-z] \s+ )+ ["']? (?: [A-Z]:\\? | %(?:USERPROFILE|SystemDrive|SystemRoot)% ) (?: \s | $ | " )"#,
        },
        // Backups and other means of recovery.
        Pattern {
            needles: || &[
                "vssadmin",
                "wbadmin",
                "bcdedit",
                "wmic shadowcopy",
                "kill -9 -1",
                "tmutil",
                "chmod -r",
                "chmod 000",
                "chown -r",
                "mv ",
            ],
            regex: r#"(?ix-u) \bvssadmin(?:\.exe)? \s+ delete \s+ shadows | \bwbadmin \s+ delete | \bwmic \s+ shadowcopy \s+ delete | \bbcdedit [\x20-~]*? recoveryenabled \s+ no | \bkill \s+ -9 \s+ -1\b | \btmutil \s+ (?:disable|deletelocalsnapshots)
                | \bchmod \s+ (?: -R \s+ [0-7a-z+=,-]+ | [0-7]+ \s+ -R ) \s+ ["']? (?: / | ~/? | \$\{?HOME\}?/? | /(?:etc|usr|var|bin|home|root)/? ) ["']? (?: \s | $ | ; | & ) | \bchown \s+ -R \s+ [\w:.$]+ \s+ ["']? (?: / | /(?:etc|usr|bin|lib)/? ) ["']? (?: \s | $ | ; ) | \bmv \s+ (?: ~ | /\* | \$HOME )/?\*? \s+ /dev/null"#,
        },
        // Everything in a home folder, file by file.
        Pattern {
            needles: || &[
                "home().iterdir",
                "home().rglob",
                "home().glob",
                "listdir(os.path.expanduser",
                "os.walk(os.path.expanduser",
                "os.walk(path.home",
                "readdirsync(os.homedir",
                "home().walk",
            ],
            regex: r#"(?ix-u) \b(?: Path\.home\(\)\.(?:iterdir|rglob|glob|walk)\( | os\.(?:listdir|walk|scandir)\( \s* (?: os\.path\.expanduser\( \s* ["']~/?["'] | (?:str\()?\s*Path\.home\(\) ) | readdirsync\( \s* os\.homedir\(\) )"#,
        },
        // An order in words.
        Pattern {
            needles: || &[
                "home directory",
                "home folder",
                "hard drive",
                "hard disk",
                "file system",
                "filesystem",
                "entire disk",
                "whole disk",
                "all files on",
                "every file on",
                "all of the user's",
                "all the user's",
                "root directory",
            ],
            regex: r"(?ix-u) \b(?:delete|remove|erase|wipe|destroy|overwrite|format|shred|purge)(?:s|ing)? \s+ (?:out\s+)? (?:all|every|everything|any|the\s+(?:entire|whole|user's|complete)|the) \b (?u:[^.\n])*? \b(?: home\ (?:directory|folder) | hard\ (?:drive|disk) | file\ ?system | entire\ disk | whole\ disk | (?:on|from|of)\ the\ (?:user's\ )?(?:machine|computer|disk|drive|system) | root\ directory | user's\ (?:files|documents|data) )",
        },
    ],
    good: &[Example::new(&[(
        "SKILL.md",
        crate::skill_md!(
            "```sh\nrm -rf ./build node_modules\nrm -rf \"${WORK:?}\"/out\n```\n\nNever run `rm -rf /`.\n"
        ),
    )])],
    bad: &[Example::new(&[("SKILL.md", crate::skill_md!("```sh\nrm -rf ~/*\n```\n"))])],
    check: Check::File(check),
};

/// Index of the pattern for orders in words.
const WORDS: usize = 7;
/// Index of the pattern for files that are followed.
const FOLLOWED: usize = 6;
/// Functions and commands that delete a file.
const SINKS: &[&str] =
    &["rmtree(", ".unlink(", "os.remove(", "os.unlink(", ".rmdir(", "rmsync(", "unlinksync("];

fn check(view: &FileView<'_>, report: &mut Report<'_>) {
    let mut end = 0;
    for hit in hits::executable(view.file, &RULE) {
        if hit.span.start >= end && is_meant(view.file, hit) {
            end = hit.span.end;
            let written = one_line(view.file.slice(&hit.span).trim());
            report.at(hit.span.clone(), format!("'{written}' destroys user data"));
        }
    }
}

fn is_meant(file: &LintFile, hit: &PatternHit) -> bool {
    let Some(text) = file.text.as_deref() else { return false };
    match code_context::context_at(file, hit.span.start) {
        CodeContext::Prose => hit.pattern == WORDS,
        CodeContext::FrontMatterState => false,
        CodeContext::Inline | CodeContext::Block(_) | CodeContext::File(_) => match hit.pattern {
            WORDS => false,
            FOLLOWED => flow::reaches(text, &hit.span, SINKS).is_some(),
            _ => true,
        },
    }
}
