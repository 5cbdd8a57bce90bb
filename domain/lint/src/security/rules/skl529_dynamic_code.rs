//! SKL529: scripts that run their input as code.

use crate::security::code_context::{self, Language, CodeContext};
use crate::rule::{Check, Example, Origin, Pattern, Rule, Severity, Tier};
use crate::view::{PatternHit, LintFile};
use crate::{Confidence, FileView, Report};
use crate::security::{hits, context_window};

pub static RULE: Rule = Rule {
    id: "SKL529",
    name: "dynamic-code",
    severity: Severity::Warning,
    tier: Tier::Harms,
    origin: Origin::Field("Cisco COMMAND_INJECTION_EVAL, SkillSpector, Bandit B102, B301, B307, B506, B602 and B605"),
    why: "If text becomes code, its author controls the machine: a web page, a file name or an answer that the agent \
          passes on is enough.",
    fix: "Call the program with a list of arguments and without a shell; parse data as data: `json`, \
          `ast.literal_eval`, `yaml.safe_load`.",
    params: &[],
    patterns: &[
        Pattern {
            needles: || &["eval(", "exec(", "eval (", "exec ("],
            regex: r#"(?x-u) (?:^|(?u:[^A-Za-z0-9_.>'"`$-])) ( (?:eval|exec) \s?\( \s* (?u:[^\s"'`)])(?u:[^\n])* | (?:eval|exec) \s?\( \s* (?: f["'] | `(?u:[^`\n])*\$\{ | ["'](?u:[^\n"'])*["'] \s* [.+%] ) (?u:[^\n])* )"#,
        },
        Pattern {
            needles: || &["shell=true", "shell = true", "os.system(", "os.popen(", "getoutput(", "subprocess_shell("],
            regex: r#"(?x-u) \bshell \s? = \s? True \b | \b(?: os\.(?:system|popen) | (?:subprocess|commands)\.getoutput | subprocess\.getstatusoutput | create_subprocess_shell ) \( \s* (?: [A-Za-z_][\w.\[\]]*\s*[,)+%] | [fF]r?["'] (?u:[^\n])*? \{ | ["'] (?u:[^\n])*? ["'] \s* (?: % | \+ | \.format ) | ["'\ ]*\.join )"#,
        },
        Pattern {
            needles: || &["pickle", "marshal.loads", "yaml.load(", "yaml.unsafe_load", "yaml.full_load", "jsonpickle", "shelve.open", "dill.load"],
            regex: r"(?x-u) \b(?: c?[pP]ickle | dill | cloudpickle | marshal )\.(?:loads?|Unpickler) \s*\( | \bjsonpickle\.decode\( | \byaml\.(?: unsafe_load(?:_all)? | load(?:_all)? ) \s*\( (?u:[^\n])*",
        },
        Pattern {
            needles: || &["exec(", "execsync(", "new function(", "runincontext(", "runinnewcontext(", "runinthiscontext(", "spawn(", "spawnsync(", "settimeout("],
            regex: r#"(?x-u) \b(?: (?:child_process|cp|childProcess)\.exec | exec | execSync | execAsync | execPromise ) \( \s* (?: `(?u:[^`])*?\$\{ | ["'] (?u:[^\n"'])* ["'] \s* \+ | [A-Za-z_][\w.]* \s* \+ ) | \bnew\ Function\( \s* (?u:[^\n)])+ | \bvm\.runIn(?:This|New)?Context\( | \bspawn(?:Sync)?\( (?u:[^\n])* \bshell: \s* true | \bset(?:Timeout|Interval)\( \s* (?:["'`]|[\w.]*\s*\+)"#,
        },
        Pattern {
            needles: || &["eval ", "bash -c", "sh -c", "invoke-expression", "iex ", "scriptblock]::create"],
            regex: r#"(?x-u) (?:^|[\n;&|({]|\bthen|\bdo|\belse) [\ \t]* ( eval [\ \t]+ \\?["']? [\w\ ]* \$ (?u:[^\n])* | (?:sudo\s+)?(?:ba|z|da)?sh [\ \t]+ -\w*c [\ \t]+ "? \$ [{\w(@*] (?u:[^\n])* ) | (?i: \b(?:Invoke-Expression|iex) \s+ (?:-Command\s+)? [("]*\$ [\w:.{]+ | \[scriptblock\]::create\( \s* \$ )"#,
        },
        Pattern {
            needles: || &["instance_eval", "class_eval", "unserialize(", "__import__(", "getattr(os", "getattr(__builtins__", "getattr(builtins", "marshal.load", "create_function", "globals()[", "assert($"],
            regex: r#"(?x-u) \b(?:instance|class)_eval \b (?u:[^\n])* | \bunserialize\( \s* \$ | \b__import__\( \s* (?: base64 | bytes | chr\( | codecs | ["'][a-z_]*["'] \s* (?:\+|\[) ) | \bgetattr\( \s* (?:os|__builtins__|subprocess) \s*,\s* (?: [A-Za-z_] | ["'](?u:[^"'\n])*["'] \s* [+%] | ["'](?: system | popen | exec | eval | spawn | __import__ ) ) | \bMarshal\.load\b | \bcreate_function\( | \bassert\(\s*\$"#,
        },
    ],
    good: &[Example::new(&[
        ("SKILL.md", crate::skill_md!("Run [scripts/a.py](scripts/a.py) with a file.\n")),
        ("scripts/a.py", "import subprocess\nimport sys\n\nsubprocess.run([\"wc\", \"-l\", sys.argv[1]], check=True)\n"),
    ])],
    bad: &[
        Example::new(&[
            ("SKILL.md", crate::skill_md!("Run [scripts/a.py](scripts/a.py) with a term.\n")),
            ("scripts/a.py", "import sys\n\nprint(eval(sys.argv[1]))\n"),
        ]),
        Example::new(&[
            ("SKILL.md", crate::skill_md!("Run [scripts/a.py](scripts/a.py) with a file.\n")),
            ("scripts/a.py", "import os\nimport sys\n\nos.system(f\"wc -l {sys.argv[1]}\")\n"),
        ]),
    ],
    check: Check::File(check),
};

/// Indexes of the patterns.
const EVAL: usize = 0;
const PYTHON_SHELL: usize = 1;
const LOADERS: usize = 2;
const JAVASCRIPT: usize = 3;
const SHELL: usize = 4;

/// Tools whose output is meant to be evaluated.
const PRINTS_CODE: &str = "ssh-agent|shellenv| init|init -| hook| env|-env|activate|dircolors|keychain|completion|lesspipe|direnv|resize|getopt|export|locale|minikube|opam|--print|printf";

fn check(view: &FileView<'_>, report: &mut Report<'_>) {
    let Some(text) = view.file.text.as_deref() else { return };
    let places = hits::executable(view.file, &RULE).filter(|hit| is_dynamic(view.file, text, hit));
    // What a shell script evaluates mostly comes from the script itself.
    let (weak, strong): (Vec<&PatternHit>, Vec<&PatternHit>) =
        places.partition(|hit| hit.pattern == SHELL && !text[hit.span.clone()].contains("$("));
    let is_considered = strong.iter().all(|hit| is_accepted(text, hit) || is_of_own_file(text, hit));
    let (places, confidence) = match (strong.is_empty(), is_considered || is_purpose(view)) {
        (true, _) => (weak, Confidence::Low),
        (false, true) => (strong, Confidence::Medium),
        (false, false) => (strong, Confidence::High),
    };
    let places: Vec<_> = places.into_iter().map(|hit| trimmed(text, hit)).collect();
    let finding = hits::once(report, places.into_iter(), |span| {
        format!("'{}' runs text as code", crate::security::sentence::cut(&text[span.clone()]))
    });
    if let Some(finding) = finding {
        finding.at_most(confidence);
    }
}

/// Comments with which a linter is told that a call is meant.
const ACCEPTED: [&str; 6] = ["noqa: S", "noqa:S", "nosec", "eslint-disable", "nolint", "NOSONAR"];

/// Whether the line of a call, or the one above, says that the author has considered it.
fn is_accepted(text: &str, hit: &PatternHit) -> bool {
    let line = context_window::line(text, hit.span.start);
    let above = text[..line.start].lines().next_back().unwrap_or_default();
    ACCEPTED.iter().any(|comment| text[line.clone()].contains(comment) || above.contains(comment))
}

/// Whether a call runs a file beside the script, as an import does.
fn is_of_own_file(text: &str, hit: &PatternHit) -> bool {
    let call = &text[hit.span.clone()];
    let near = &text[context_window::floor(text, hit.span.start.saturating_sub(NEAR_BYTES))..hit.span.end];
    let is_beside = ["__file__", "\"scripts\"", "'scripts'", "scripts/"].iter().any(|place| near.contains(place));
    let is_given = GIVEN.iter().any(|word| near.contains(word));
    let is_run = ["exec(compile(open(", "exec(open("].iter().any(|start| call.starts_with(start));
    is_run && is_beside && !is_given
}

/// What shows that a file comes from elsewhere.
const GIVEN: [&str; 9] = ["argv[", "args.", "input(", "/tmp", "http", "urlretrieve", "download", "request", "tempfile"];
/// Number of bytes before a call in which its path is made.
const NEAR_BYTES: usize = 1_000;

/// Whether the skill is there to run code, by its name: `code-execute`.
fn is_purpose(view: &FileView<'_>) -> bool {
    let folder = view.context.folder.to_ascii_lowercase();
    let has = |words: &[&str]| folder.split(['-', '_']).any(|part| words.contains(&part));
    has(&["code"]) && has(&["exec", "execute", "execution", "executor", "interpreter", "run", "runner", "sandbox"])
}

fn trimmed(text: &str, hit: &PatternHit) -> std::ops::Range<usize> {
    let span = &hit.span;
    span.start..span.start + text[span.clone()].trim_end().len()
}

fn is_dynamic(file: &LintFile, text: &str, hit: &PatternHit) -> bool {
    let CodeContext::File(language) = code_context::context_at(file, hit.span.start) else { return false };
    let line = &text[context_window::line(text, hit.span.start)];
    let found = &text[hit.span.clone()];
    if is_quoted(text, hit) {
        return false;
    }
    match hit.pattern {
        EVAL => is_evaluated(language, line, found),
        PYTHON_SHELL => language == Language::Python && (!found.starts_with("shell") || is_built(text, hit)),
        LOADERS => {
            let is_safe = line.contains("Safe") || has_safe_loader(text, found) || is_of_ruamel(text, found);
            language == Language::Python && !is_safe
        }
        JAVASCRIPT => language == Language::JavaScript && !found.contains("`which ${") && !found.contains("`command -v ${"),
        SHELL if found.contains("$(") => language == Language::Shell && !PRINTS_CODE.split('|').any(|t| found.contains(t)),
        SHELL => matches!(language, Language::Shell | Language::Windows),
        _ => language != Language::Data,
    }
}

/// Whether a call reads YAML with a loader that the file derives from a safe one.
fn has_safe_loader(text: &str, found: &str) -> bool {
    let name = found.split("Loader=").nth(1).unwrap_or_default();
    let name = name.split(|c: char| !c.is_alphanumeric() && c != '_').next().unwrap_or_default();
    let derived = text.split_once(&format!("class {name}(")).map(|(_, rest)| rest.lines().next().unwrap_or_default());
    !name.is_empty() && derived.is_some_and(|base| base.contains("Safe"))
}

/// Whether a call is a method of ruamel.yaml's `YAML`, which creates no Python objects by default.
fn is_of_ruamel(text: &str, found: &str) -> bool {
    let is_load = found.starts_with("yaml.load(") || found.starts_with("yaml.load_all(");
    let has_ruamel = text.contains("from ruamel.yaml import") || text.contains("import ruamel.yaml");
    let is_unsafe = ["typ=\"unsafe\"", "typ='unsafe'", "typ = \"unsafe\""].iter().any(|typ| text.contains(typ));
    is_load && has_ruamel && !is_unsafe && !text.lines().any(|line| line.trim() == "import yaml")
}

/// Whether the words of a call are in quotes, as in a scanner's list of search terms.
fn is_quoted(text: &str, hit: &PatternHit) -> bool {
    let before = &text[context_window::line(text, hit.span.start).start..hit.span.start];
    let is_open = |quote: char| before.matches(quote).count() % 2 == 1;
    hit.pattern != SHELL && (is_open('"') || is_open('\'') || is_open('`'))
}

/// Whether a call is the language's own `eval` and its argument is not a literal.
fn is_evaluated(language: Language, line: &str, found: &str) -> bool {
    let starts = |words: &[&str]| words.iter().any(|word| line.trim_start().starts_with(word));
    let is_method = starts(&["eval(", "async eval(", "static eval("]) && line.trim_end().ends_with('{');
    let before = line.find(found).map_or(line, |at| &line[..at]);
    let is_function = before.split_whitespace().next_back().is_some_and(|word| ["def", "fn", "func", "function"].contains(&word));
    let is_defined = is_method || is_function || starts(&["def ", "function ", "import ", "fn "]);
    match language {
        Language::Python => !is_defined,
        // The argument of Node's `exec` is checked by another expression.
        Language::JavaScript | Language::Program => !is_defined && found.starts_with("eval"),
        _ => false,
    }
}

/// Whether the command passed to a shell is built from values that are not literals.
fn is_built(text: &str, hit: &PatternHit) -> bool {
    let above = &text[context_window::floor(text, hit.span.start.saturating_sub(400))..hit.span.start];
    let calls = ["run(", "call(", "Popen(", "check_output(", "check_call("];
    let Some(start) = calls.iter().filter_map(|call| above.rfind(call).map(|at| at + call.len())).max() else {
        return false;
    };
    let argument = above[start..].trim_start();
    let is_literal = argument.starts_with(['"', '\'']) || argument.starts_with("r\"") || argument.starts_with("r'");
    let quote = argument.chars().find(|c| "\"'".contains(*c)).unwrap_or('"');
    let is_joined = argument.contains(&format!("{quote} +")) || argument.contains(&format!("{quote} %")) || argument.contains(".format(");
    !is_literal || is_joined
}
