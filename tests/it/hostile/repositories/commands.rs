//! The command lines for hostile repositories. None names a path outside; only the repository may lead there.

use super::random::Random;
use skillc::CLIENTS;
use skillc_domain::agents::AGENTS;

/// The command reference, which provides examples for verbs without a line here.
const REFERENCE: &str = include_str!("../../../golden/cli.md");

/// Words separated by one space. `{skill}` stands for a skill, `{new}` for a new name, `{agent}` and `{client}` for an
/// id.
const LINES: &[&str] = &[
    "init",
    "init {new}",
    "init {new} --global",
    "lint",
    "lint {skill}",
    "lint {skill} --fix",
    "lint {skill} --fix --unsafe",
    "lint {skill} --diff",
    "lint {skill} --baseline baseline.json",
    "lint --baseline baseline.json --write",
    "lint {skill} --explain-load --profile all",
    "lint ./vendor/dl --distrust",
    "lint {skill} --format sarif",
    "lint --force .claude/skills/{skill}",
    "build {skill}",
    "build {skill}",
    "build {skill} --force",
    "build --all",
    "build --all",
    "build --all --force",
    "build --all --copy",
    "build --all --global",
    "build {skill} --global",
    "build {skill} --global --force",
    "build {skill} -t {agent}",
    "build {skill} -t {agent},{agent} --force",
    "build {skill} -t ./out",
    "build {skill} --copy --force",
    "build ./vendor/dl",
    "build ./vendor/dl --force",
    "build ./vendor/dl --global",
    "build ./.skillc/skills/{skill}",
    "build mine",
    "list",
    "list --check-obsolete",
    "list --status obsolete -o json",
    "list --scope project -v",
    "outline {skill}",
    "outline {skill} -o json",
    "outline ./.agents/skills/plain",
    "outline mine",
    "show {skill} --section Top",
    "show {skill} -s Ref --file refs/a.md",
    "open {skill} SKILL.md",
    "open {skill} refs/a.md",
    "open {skill} scripts/run.py -o json",
    "open {skill} ../../config.toml",
    "sources {skill}",
    "sources {skill} --dir refs -o json",
    "search {skill} marmot",
    "search {skill} marmot -o json",
    "find marmot",
    "find plain --roots all --mode lexical -o json",
    "find testing --index --explain",
    "find testing --scope repo",
    "load {skill}",
    "load --path .skillc/skills/{skill}/SKILL.md",
    "load plain",
    "load --path .agents/skills/plain",
    "mentions $demo",
    "mentions --file prompt.md",
    "enable {skill}",
    "enable {skill} --project",
    "enable {skill} --allow",
    "disable {skill}",
    "disable {skill} --project",
    "eval discovery --queries queries.jsonl --corpus .skillc/skills",
    "eval discovery --queries queries.jsonl --corpus .skillc/skills --index eval.db",
    "eval discovery --queries queries.jsonl --corpus . --index notes.txt",
    "stats {skill}",
    "stats --all --group-by sections",
    "stats --all --format csv",
    "stats --funnel",
    "stats {skill} --paths -o json",
    "slim",
    "slim {skill} -o json",
    "slim --apply all",
    "stats {skill} --html usage.html",
    "stats {skill} --html notes.txt",
    "stats {skill} --html notes.txt --force",
    "stats {skill} --group-by search --since 30d -o json",
    "remove {skill}",
    "rename {skill} {new}",
    "rename {skill} moved",
    "rename moved {skill}",
    "undo",
    "undo --list",
    "doctor",
    "doctor --roots all -o json",
    "doctor --fix",
    "pack {skill}",
    "pack {skill} --for all",
    "pack {skill} --for api --output notes.txt",
    "pack {skill} --output notes.txt --force",
    "pack ./vendor/dl --exclude refs",
    "pack --check notes.txt",
    "publish --well-known public",
    "plugin init",
    "plugin init --force --for agent-plugins,claude,marketplace,codex,gemini",
    "plugin sync",
    "plugin check --explain-load",
    "publish {skill} --well-known docs",
    "publish ./vendor/dl --well-known . --force",
    "prove {skill}",
    "prove ./vendor/dl --min 0.9 --format markdown",
    "prove {skill} --badge notes.txt",
    "prove {skill} --badge badge.svg --force",
    "sync",
    "sync --dry-run",
    "sync {skill}",
    "sync --team",
    "log forget {skill}",
    "log forget --before 2020-01-01",
    "log forget {skill} --before 1d",
    "team status",
    "team publish {skill}",
    "model status",
    "model install --from vendor/dl",
    "targets",
    "targets --present -o json",
    "undeploy {skill}",
    "undeploy {skill} -t {agent}",
    "undeploy {skill} -t ./out",
    "undeploy --all",
    "catalog",
    "catalog --roots all --format json",
    "catalog --write AGENTS.md",
    "catalog --write AGENTS.md --check",
    "catalog --budget codex --scope repo",
    "config",
    "config -o json",
    "config set index.on_stale rebuild",
    "config set search.tokenizer cjk --global",
    "config edit",
    "explain E002",
    "completions bash",
    "man nowhere",
    "version",
    "try",
    "pick",
    "pick --print demo",
    "mcp config {client}",
    "mcp config {client} --write --project",
    "mcp config {client} --remove --project",
];

/// Names passed to `init`.
const NEW_NAMES: &[&str] =
    &["fresh", "home", "neighbor", ".ssh", "docs", "..", "../x", "con", "-rf", "commit"];

/// Markers of examples to skip: servers, downloads, shells and outside paths.
const LEFT_OUT: &[&str] = &["~", "$(", "|", "<", ">", "--http", "--socket", "model install", "team init"];

/// Verbs tested as sessions.
const SESSIONS: &[&str] = &["mcp", "host"];

/// All lines, split into words.
pub fn lines() -> Vec<Vec<String>> {
    let by_hand = LINES.iter().map(|line| line.split(' ').map(str::to_owned).collect::<Vec<_>>());
    let mut all: Vec<Vec<String>> = by_hand.collect();
    let known: Vec<String> = all.iter().map(|words| words[0].clone()).collect();
    for (verb, examples) in examples() {
        if !known.contains(&verb) && !SESSIONS.contains(&verb.as_str()) {
            all.extend(examples);
        }
    }
    all
}

/// All verbs of the reference with their examples.
pub fn examples() -> Vec<(String, Vec<Vec<String>>)> {
    let parts = REFERENCE.split("\n## skc ").skip(1);
    parts
        .filter_map(|part| {
            let (verb, rest) = part.split_once('\n')?;
            let shown = rest.split_once("\nExamples:\n").map_or("", |(_, rest)| rest);
            let lines = shown.lines().map_while(|line| line.trim().strip_prefix("skc "));
            let fits = |line: &&str| !LEFT_OUT.iter().any(|out| line.contains(out));
            let words = |line: &str| {
                line.replace("my-skill", "{skill}")
                    .split(' ')
                    .map(|w| w.trim_matches(['"', '\'']).to_owned())
                    .collect()
            };
            (!verb.contains(' ')).then(|| (verb.to_owned(), lines.filter(fits).map(words).collect()))
        })
        .collect()
}

/// Replaces the placeholders of a line.
pub fn filled(words: &[String], skills: &[String], random: &mut Random) -> Vec<String> {
    let clients: Vec<&str> = CLIENTS.iter().filter(|client| client.project.is_some()).map(|c| c.id).collect();
    words
        .iter()
        .map(|word| {
            word.replace("{skill}", random.pick(skills).as_str())
                .replace("{new}", NEW_NAMES[random.below(NEW_NAMES.len())])
                .replace("{agent}", random.pick(AGENTS).id)
                .replace("{client}", clients[random.below(clients.len())])
        })
        .collect()
}

/// Whether a line names this path.
pub fn names(words: &[String], place: &str) -> bool {
    let first = place.split('/').next().unwrap_or(place);
    let is_client = words.starts_with(&["mcp".to_owned(), "config".to_owned()])
        && CLIENTS
            .iter()
            .filter_map(|client| client.project)
            .any(|file| file.split('/').next() == Some(first));
    let is_named = |word: &String| {
        let word = word.trim_start_matches("./");
        !word.is_empty() && (word == place || word.starts_with(&format!("{first}/")) || word == first)
    };
    !first.is_empty() && (is_client || words[1..].iter().any(is_named))
}
