//! SKL527: reads of files with keys and passwords.

use crate::security::code_context::{self, CodeContext};
use crate::security::sensitive_paths;
use crate::rule::{Check, Example, Origin, Pattern, Rule, Severity, Tier};
use crate::view::LintFile;
use crate::{FileView, Report};
use crate::security::{hits, context_window};
use std::ops::Range;

pub static RULE: Rule = Rule {
    id: "SKL527",
    name: "credential-path",
    severity: Severity::Warning,
    tier: Tier::Harms,
    origin: Origin::Field("SkillSpector PE3, Cisco DATA_EXFIL_SENSITIVE_FILES, Snyk agent-scan W007"),
    why: "What an agent reads goes to its model and possibly further: a key or password is no longer secret once it \
          was read.",
    fix: "Let the program that needs the credential read it, and have the skill name only the variable or profile.",
    params: &[],
    patterns: &[Pattern { needles: || sensitive_paths::PATH_NEEDLES, regex: sensitive_paths::PATHS }],
    good: &[Example::new(&[(
        "SKILL.md",
        crate::skill_md!(
            "Never commit `.env`.\n\n```sh\ncp .env.example .env\nssh -i ~/.ssh/deploy_key host uptime\n```\n"
        ),
    )])],
    bad: &[Example::new(&[("SKILL.md", crate::skill_md!("```sh\ncat ~/.aws/credentials\n```\n"))])],
    check: Check::File(check),
};

/// Words before a path on its line that read or copy the file.
const READERS: &str = "cat |less |more |head |tail |cp |mv |scp |rsync |tar |zip |7z |grep |rg |base64 |xxd |strings |awk |sed -n|jq |yq |find |open(|open |readfile|read_text|read_bytes|file.read|file.open|get-content|gc |copy-item|type |\
    sqlite3 |path(|path.join|.home()|home |expanduser|.join(|homedir|shutil.copy|copyfile|glob(|curl |wget |dd if|fs.|file_get_contents|io.open|nc |$(<|xclip|pbcopy|new-object|readalltext|openssl ";
/// Verbs that begin an order to read something.
const VERBS: &str = "read |read the|open |cat |copy |collect |print |dump |display |show |extract |harvest |gather |include |upload |send |grab |steal |exfiltrate |search |scan |look in|look at|list |inspect |load |retrieve |get the|find |take the|take |use what|use the key|use the cred|use the token";
/// Commands that use such a file without revealing its content.
const HARMLESS: &str = "ssh-keygen|ssh-add|ssh-copy-id|ssh-keyscan|chmod|chown|mkdir|touch |known_hosts|.ssh/config|identityfile|identity_file|--key|--cert|--identity|ssh -i|scp -i|sftp -i| -i ~/.ssh| -i $|keyfile|key_filename|.example|.sample|.template|gitignore|\
    dockerignore|--env-file|env_file|dotenv|--kubeconfig|kubeconfig=|--netrc|ssh-agent|.ssh/environment|git check-ignore|git ls-files|git log|git rm|rm -f|unlink|-v ~/|volume|mount|cat <<|cat >|tee ";

fn check(view: &FileView<'_>, report: &mut Report<'_>) {
    let Some(text) = view.file.text.as_deref() else { return };
    let paths = hits::executable(view.file, &RULE).map(|hit| trimmed(text, &hit.span));
    let read: Vec<_> = paths.filter(|path| is_read(view.file, text, path)).collect();
    hits::once(report, read.into_iter(), |path| format!("credentials at '{}' are read", &text[path.clone()]));
}

/// The path without surrounding spaces or quotes.
pub fn trimmed(text: &str, span: &Range<usize>) -> Range<usize> {
    let ends = |c: char| c.is_whitespace() || "\"'`/=@(:<),;|&>]".contains(c);
    let path = &text[span.clone()];
    let start = if path.contains(".env") && !path.contains('/') {
        path.len() - path.trim_start_matches(ends).len()
    } else {
        path.len() - path.trim_start_matches(|c: char| c.is_whitespace() || "\"'`(".contains(c)).len()
    };
    let end = path.trim_end_matches(|c: char| c.is_whitespace() || "\"'`),;|&>]".contains(c)).len();
    let before = context_window::line(text, span.start).start..span.start + start.min(end);
    let is_part = |c: char| c.is_ascii_alphanumeric() || "~$/{}.-_%\\:".contains(c);
    before.start + text[before.clone()].trim_end_matches(is_part).len()..span.start + end
}

fn is_read(file: &LintFile, text: &str, path: &Range<usize>) -> bool {
    let before = context_window::before(text, path.start).to_ascii_lowercase();
    let after = context_window::rest(text, path.end).to_ascii_lowercase();
    let name = text[path.clone()].to_ascii_lowercase();
    let whole = format!("{before}{name}{after}");
    if has_one(&whole, HARMLESS)
        || name.ends_with(".pub")
        || after.starts_with(".pub")
        || before.trim_end().ends_with('>')
    {
        return false;
    }
    if sensitive_paths::is_remote(text, path) || name.ends_with("authorized_keys") {
        return false;
    }
    let context = code_context::context_at(file, path.start);
    if ["security ", "secret-tool", "cmdkey", "gpg", "kubectl", "aws ", "reg"]
        .iter()
        .any(|tool| name.starts_with(tool))
    {
        return matches!(context, CodeContext::Block(_) | CodeContext::File(_))
            || is_ordered(&before, &name)
            || has_one(&before, "run |execute |use |take |get |fetch |read ")
            || after.starts_with(" -");
    }
    match context {
        CodeContext::Prose | CodeContext::Inline => {
            is_ordered(&before, &name)
                || (!is_settings(&name)
                    && has_one(&after, "read it|copy it|take it|print it|include it|send it|show it"))
        }
        CodeContext::Block(_) | CodeContext::File(_) => {
            has_one(&before, READERS) && (!is_settings(&name) || is_shown(&before, &after))
        }
        CodeContext::FrontMatterState => false,
    }
}

/// Whether a file is the `.env` of a project, which scripts read for their own settings.
fn is_settings(name: &str) -> bool {
    name.starts_with(".env")
}

/// Whether a `.env` is the first argument of a command that reads files, and its lines are not used as variables.
fn is_shown(before: &str, after: &str) -> bool {
    let words: Vec<&str> =
        before.rsplit(['|', ';', '&']).next().unwrap_or_default().split_whitespace().collect();
    let tool = words.iter().rfind(|word| !word.starts_with('-'));
    let is_reader = tool.is_some_and(|tool| {
        matches!(
            *tool,
            "cat" | "less" | "more" | "head" | "tail" | "base64" | "type" | "get-content" | "strings" | "xxd"
        )
    });
    is_reader && !after.contains("xargs") && !after.contains("cut ") && !after.contains("grep")
}

/// Whether the text tells the agent to read the path.
fn is_ordered(before: &str, name: &str) -> bool {
    let sentence = before.rsplit(". ").next().unwrap_or_default();
    let last = sentence.trim_start_matches(['-', '*', ' ', '`', '>', '|']);
    let is_numbered =
        last.trim_start_matches(|c: char| c.is_ascii_digit()).trim_start_matches(['.', ')', ' ']);
    let nearest = &sentence[context_window::floor(sentence, sentence.len().saturating_sub(60))..];
    let is_verb = VERBS.split('|').any(|verb| {
        is_numbered.starts_with(verb)
            || nearest.contains(&format!(" {verb}"))
            || nearest.contains(&format!("`{verb}"))
    });
    is_verb && !is_settings(name)
}

fn has_one(text: &str, words: &str) -> bool {
    words.split('|').any(|word| text.contains(word))
}
