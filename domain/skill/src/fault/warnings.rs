//! The warnings: what a user should know although an operation succeeded, as rows sorted by code.

use super::row::{Row, ShownField};
use crate::reader::Reader;
use crate::suggest::did_you_mean;
use crate::text::shell::argument;
use std::fmt;
use std::path::PathBuf;

diagnostics! {
    to;
    /// What a user should know although the operation succeeded.
    Warning, WARNINGS;

    W001 MultipleMatches "multiple-matches" { section, candidates }
        "multiple matches for '{section}'; showing first", "multiple matches for '<section>'; showing first";
        hint Some(match candidates.is_empty() {
            true => format!("name the file with {} to choose", to.argument("file")),
            false => format!("choose with {}:\n{candidates}", to.argument("section")),
        });
        means "several headings have the same text";
        do "choose with --section and a name that the hint lists, or with --file";
        like "skc show my-skill --section Usage --file references/api.md";
    W002 LoggingDisabled "logging-disabled" {}
        "logging disabled; run 'skc sync' after session to merge logs",
        "logging disabled; run 'skc sync' after session to merge logs";
        agents "logging disabled; this use of the skill was not recorded";
        means "the use of the skill could not be written to its log or to the fallback below the working directory";
        do "the command itself succeeded; fix the permissions or free some space to record statistics again";
        like "skc show my-skill --section Usage";
    W003 StaleLocalLogs "stale-local-logs" { skill }
        "stale local logs for '{skill}'; run 'skc sync' to upload", "stale local logs for '<skill>'; run 'skc sync' to upload";
        agents "stale local logs for '{skill}'; ask the user to run `skc sync` to upload them";
        means "a fallback log has been waiting for more than an hour";
        do "run 'skc sync' where the runtime is writable";
        like "skc sync my-skill";
    W010 LocalLogsLeft "local-logs-left" { path: PathBuf }
        "synced, but not removed: '{path}'", "synced, but not removed: '<path>'";
        hint Some(format!("delete it by hand, or {} again with permission to delete it; nothing is counted twice", to.run_yourself("sync")));
        means "every event was moved, and the local log cannot be deleted from here";
        do "delete the named file, or leave it: a further sync counts nothing twice";
        like "skc sync";
    W011 BrokenLog "log-broken" { path: PathBuf, skill }
        "access log is damaged: '{path}'; events go to the fallback log",
        "access log is damaged: '<path>'; events go to the fallback log";
        hint Some(format!("{} to keep the events that can be read", to.run_yourself(&format!("log repair {}", argument(skill)))));
        means "the log of a skill is not an SQLite database, or parts of it are overwritten";
        do "run 'skc log repair <skill>', then 'skc sync' for the events of the fallback log";
        like "skc log repair my-skill";
    W012 HistoryUnreadable "history-unreadable" { agent, path, reason }
        "skipped history of {agent}: '{path}': {reason}",
        "skipped history of <agent>: '<path>': <reason>";
        means "a file of an agent's history is locked, damaged, not accessible, or in an unknown format; records read before that are imported";
        do "import again once the agent has ended, or check the permissions of the file";
        like "skc history import";
    W020 FileNotUtf8 "file-not-utf8" { path }
        "skipped '{path}': not UTF-8 text", "skipped '<path>': not UTF-8 text";
        means "a .md or .txt file is in another encoding, so its text is not indexed";
        do "save the file as UTF-8";
        like "iconv -f latin1 -t utf-8 notes.txt";
    W021 NameNotUtf8 "name-not-utf8" { path }
        "skipped '{path}': file name is not UTF-8", "skipped '<path>': file name is not UTF-8";
        means "a file's name is not valid text, so no command can name it";
        do "rename the file";
        like "skc sources my-skill";
    W022 FileTooLarge "file-too-large" { path, limit: u64 }
        "skipped '{path}': larger than {limit} bytes", "skipped '<path>': larger than <limit> bytes";
        means "a text file is too large for the index";
        do "split the file, or use another extension than .md or .txt";
        like "skc build my-skill";
    W023 FileUnreadable "file-unreadable" { path, message }
        "skipped '{path}': {message}", "skipped '<path>': <message>";
        means "a file or folder could not be read";
        do "fix its permissions";
        like "chmod u+r notes.md";
    W024 SkillSkipped "skill-skipped" { path: PathBuf, message }
        "skipped skill '{path}': {message}", "skipped skill '<path>': <message>";
        means "a folder of the store has an invalid SKILL.md";
        do "fix its front matter; 'skc build' shows where";
        like "skc build my-skill";
    W025 FileInNoSkill "file-in-no-skill" { path }
        "skipped '{path}': not part of a skill", "skipped '<path>': not part of a skill";
        means "the file to lint is in no folder with a SKILL.md";
        do "nothing, if the file belongs to no skill; otherwise name the skill's folder";
        like "skc lint skills/*/SKILL.md";
    W030 UnknownSetting "unknown-setting" { key, path: PathBuf, suggestions }
        "unknown setting '{key}' in '{path}'", "unknown setting '<key>' in '<path>'";
        hint Some(match suggestions.is_empty() {
            true => format!("{} to list the settings", to.run("config")),
            false => did_you_mean(suggestions),
        });
        means "the configuration names a setting that this skc does not know; it is ignored";
        do "check the spelling against 'skc config'";
        like "skc config";
    W031 NewerConfig "newer-config" { path: PathBuf, version: i128 }
        "'{path}' is for a newer skc (version {version})", "'<path>' is for a newer skc (version <version>)";
        means "the configuration file's version is above what this skc knows; known settings are used";
        do "update skc, or lower the version";
        like "version = 1";
    W032 InvalidSetting "invalid-setting" { value, key, used }
        "invalid value '{value}' for {key}; using '{used}'", "invalid value '<value>' for <key>; using '<used>'";
        means "a setting or environment variable has a value that is not allowed";
        do "use one of the values that 'skc config' shows";
        like "SKILLC_TOKENIZER=cjk skc build my-skill";
    W033 NotInProject "not-in-project" { key, path: PathBuf }
        "'{key}' is allowed only in the user's own file; ignored in '{path}'",
        "'<key>' is allowed only in the user's own file; ignored in '<path>'";
        hint Some("move it to ~/.skillc/config.toml if you trust it".to_owned());
        means "a project's file cannot set where events are sent, allow a skill, or name a path outside the project; otherwise a cloned repository could decide what happens to your data";
        do "move the setting to ~/.skillc/config.toml, or delete it";
        like "[team]\nurl = \"postgres://team@db.example/skillc\"";
    W035 TooManyFolders "too-many-folders" { key, count: usize, path: PathBuf, limit: usize }
        "'{key}' lists {count} folders in '{path}'; only the first {limit} are used",
        "'<key>' lists <count> folders in '<path>'; only the first <limit> are used";
        means "a configuration file lists more folders of skills than skc searches; each one costs time in every search";
        do "list their parent folder, or only those that have skills";
        like "[discovery]\nroots = [\"tools/skills\"]";
    W040 DeployedAsCopy "deployed-as-copy" { path: PathBuf, message }
        "deployed '{path}' as a copy: {message}", "deployed '<path>' as a copy: <message>";
        means "a link could not be made, so the stub was copied; later builds do not update a copy";
        do "build again after each change, or allow links on that file system";
        like "skc build my-skill --copy";
    W041 MovedToTrash "moved-to-trash" { path: PathBuf, id }
        "'{path}' was replaced and moved to the trash", "'<path>' was replaced and moved to the trash";
        hint Some(format!("{} to restore it", to.run_yourself(&format!("undo {id}"))));
        means "a build or an import with --force replaced a file that skc did not create; it was moved to ~/.skillc/trash";
        do "nothing, if it is not needed; otherwise restore it with 'skc undo'";
        like "skc build my-skill --force";
    W042 LeftOutOfCatalog "left-out-of-catalog" { skill, message }
        "'{skill}' is built, but catalog, find and load leave it out: {message}",
        "'<skill>' is built, but catalog, find and load leave it out: <message>";
        hint Some("fix it in SKILL.md, or set 'lenient = true' in [discovery]".to_owned());
        means "a build accepts a skill that is invalid by the Agent Skills specification; catalog, find, load and some agents do not";
        do "fix what the message names, or set 'lenient = true' in [discovery]";
        like "skc lint my-skill";
    W043 TooLargeToLoad "too-large-to-load" { skill, bytes: u64, limit: u64 }
        "'{skill}' is built, but load refuses it: SKILL.md has {bytes} bytes, at most {limit} are allowed",
        "'<skill>' is built, but load refuses it: SKILL.md has <bytes> bytes, at most <limit> are allowed";
        hint Some("move parts of SKILL.md to files in references, which agents read by section".to_owned());
        means "load puts the whole SKILL.md into an agent's context and refuses one that is too large for that; it is built, and its sections can be read";
        do "move parts of SKILL.md to files in 'references', or read it by section";
        like "skc outline my-skill";
    W044 RenameSettled "rename-settled" { old, new, end }
        "the rename of '{old}' to '{new}' was interrupted, and is now {end}",
        "the rename of '<old>' to '<new>' was interrupted, and is now <end>";
        means "an 'skc rename' was killed; this command has completed it, or undone it if the folder still had its old name";
        do "nothing; if it was undone, run 'skc rename' again";
        like "skc rename my-skill release-notes";
    W045 RenameUnsettled "rename-unsettled" { old, new, message }
        "the rename of '{old}' to '{new}' was interrupted, and cannot be completed: {message}",
        "the rename of '<old>' to '<new>' was interrupted, and cannot be completed: <message>";
        hint Some("fix what the message names; each command tries again".to_owned());
        means "an 'skc rename' was killed, and it can now be neither completed nor undone";
        do "fix what the message names, then run any command; to give up, delete the files in ~/.skillc/journal";
        like "skc list";
    W046 FilesNotLinked "files-not-linked" { path: PathBuf, skill, message }
        "cannot link the files of the skill in '{path}': {message}", "cannot link the files of the skill in '<path>': <message>";
        hint Some(format!("{} to try again", to.run_yourself(&format!("build {}", argument(skill)))));
        means "scripts and assets could not be linked next to the stub; the links there are missing or lead to an earlier place";
        do "build again; until then, these files are found by the base directory that every reading command prints";
        like "skc build my-skill";
    W050 CatalogOff "catalog-off" {}
        "the catalog is switched off", "the catalog is switched off";
        hint Some(format!("set 'enabled = true' in [skills], or delete the line; {} to see in which file", to.run("config")));
        means "'[skills] enabled = false' is in a configuration file, so the catalog is empty: no skill is found or loaded";
        do "set 'enabled = true', or delete the line";
        like "[skills]\nenabled = true";
    W051 CatalogCut "catalog-cut" {}
        "the scan for skills reached its limit; some may be missing",
        "the scan for skills reached its limit; some may be missing";
        means "a folder of skills is deeper than 6 levels, or has more than 32,768 folders";
        do "list the folders that have skills in '[discovery] roots'";
        like "[discovery]\nroots = [\"~/work/skills\"]";
    W053 SkillIndexUnusable "skill-index-unusable" { path: PathBuf, message }
        "discovery database '{path}' is not used: {message}", "discovery database '<path>' is not used: <message>";
        hint Some("the skills were indexed in memory, which takes longer; fix the file's permissions, or delete it".to_owned());
        means "the discovery database cannot be read or written: its folder is read-only, the disk is full, or another program has locked it";
        do "fix the error that the message names; deleting the file costs only time";
        like "skc find \"release notes\" -v";
    W056 ForgedMarkup "forged-markup" { path: PathBuf }
        "SKILL.md imitates the tags that frame a loaded skill; they were escaped: '{path}'",
        "SKILL.md imitates the tags that frame a loaded skill; they were escaped: '<path>'";
        hint Some("read the skill before you follow it".to_owned());
        means "SKILL.md contains a tag that marks where a loaded skill begins or ends, so it could pretend to end there or to be another skill; '<' was replaced by '&lt;' in these tags";
        do "read the skill; if it only explains such tags, write them with '&lt;'";
        like "skc load my-skill";
    W057 StillDisabled "still-disabled" { skill, path: PathBuf }
        "'{skill}' is still switched off in '{path}'", "'<skill>' is still switched off in '<path>'";
        means "a skill that is listed under '[skills] disabled' in any file is off";
        do "switch it on there too: 'skc enable <skill>' changes the user's file, with '--project' the project's";
        like "skc enable my-skill --project";
    W058 UnreadablePattern "unreadable-pattern" { pattern, message }
        "invalid pattern '{pattern}' in [permissions]: {message}", "invalid pattern '<pattern>' in [permissions]: <message>";
        hint Some("it matches only a name with exactly this text; write a literal '[' as '[[]'".to_owned());
        means "the skill_name of a rule of '[permissions]' is not a valid glob pattern";
        do "fix the pattern in the file that 'skc config' names";
        like "deny = [{ skill_name = \"deploy-*\" }]";
    W059 RuleWithoutSkill "rule-without-skill" { rule, setting }
        "'{rule}' in {setting} matches no skill", "'<rule>' in <setting> matches no skill";
        hint Some(format!("{} to list the names", to.run_yourself("catalog --roots all")));
        means "a name or pattern that should restrict skills matches none of the skills found from here, perhaps because of a typo";
        do "compare the name with 'skc catalog --roots all', or delete the rule";
        like "[skills]\ndisabled = [\"old-release-notes\"]";
    W082 HiddenFromAgents "hidden-from-agents" { skill, rule }
        "skill '{skill}' is hidden from agents: {rule}", "skill '<skill>' is hidden from agents: <rule>";
        hint Some(match to {
            Reader::Person => "agents cannot use it; your own command line can".to_owned(),
            Reader::Agent(_) => "go on without it, or ask the user".to_owned(),
        });
        means "a rule of '[permissions] deny' or '[skills] disabled' keeps this skill from agents; the user's command line is not affected";
        do "nothing, if that is intended; otherwise run 'skc enable <skill>', or remove the rule";
        like "skc show internal-notes --section Setup";
    W300 LintWarning "lint-warning" { rule, name, message }
        "{rule} {name}: {message}", "<rule-id> <rule-name>: <message>";
        means "a lint rule of warning severity is violated";
        do "see the rule";
        like "skc lint my-skill";
}
