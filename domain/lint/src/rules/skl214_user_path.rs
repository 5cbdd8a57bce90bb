//! SKL214: paths from one person's machine.

use crate::code_text::SEARCHES_MAX;
use crate::rule::{Check, Example, Origin, Pattern, Rule, Severity, Tier};
use crate::one_line::one_line;
use crate::sample_file::is_sample_file;
use crate::{FileView, Finding, Report, SkillView};

pub static RULE: Rule = Rule {
    id: "SKL214",
    name: "user-path",
    severity: Severity::Warning,
    tier: Tier::Harms,
    origin: Origin::Field("agnix XP-SK-002, CC-SK-021"),
    why: "The path exists on the author's machine only, so the step fails everywhere else; it also reveals the \
          author's user name.",
    fix: "Write '~', '$HOME', or a path relative to the skill or the project.",
    params: &[],
    patterns: &[
        Pattern {
            needles: || &["/users/", "/home/"],
            regex: r#"(?:^|[^\w.~/$}%@-])(/(?:Users|home)/[A-Za-z0-9._-]+)/"#,
        },
        Pattern {
            needles: || &[":\\users\\", ":\\\\users\\\\", ":/users/"],
            regex: r#"\b([A-Za-z]:[\\/]{1,2}Users[\\/]{1,2}[A-Za-z0-9._-]+)[\\/]"#,
        },
    ],
    good: &[Example::new(&[(
        "SKILL.md",
        crate::skill_md!(
            "Write to `~/notes/today.md`, in a container to `/home/user/notes/` or `/home/ubuntu/notes/`, on macOS to \
             `/Users/<name>/notes/`. See https://example.com/home/anna/page.\n"
        ),
    )])],
    bad: &[Example::new(&[(
        "SKILL.md",
        crate::skill_md!("Read `/Users/annalee/notes/today.md` or `C:\\Users\\annalee\\notes`.\n"),
    )])],
    check: Check::File(check),
};

/// Placeholder names, and accounts that exist on many machines and in containers.
const ANYBODY: &[&str] = &[
    "...",
    "admin",
    "administrator",
    "agent",
    "alice",
    "app",
    "bar",
    "baz",
    "bob",
    "builder",
    "charlie",
    "circleci",
    "claude",
    "coder",
    "codespace",
    "container",
    "dashboard",
    "data",
    "database",
    "dave",
    "db",
    "debian",
    "default",
    "demo",
    "deploy",
    "details",
    "dev",
    "developer",
    "docker",
    "ec2-user",
    "eve",
    "example",
    "foo",
    "ftp",
    "git",
    "gitpod",
    "hadoop",
    "home",
    "jane",
    "jane.doe",
    "janedoe",
    "jdoe",
    "jenkins",
    "joe",
    "john",
    "john.doe",
    "johndoe",
    "jovyan",
    "jsmith",
    "linuxbrew",
    "me",
    "model",
    "myname",
    "mysql",
    "name",
    "nginx",
    "nobody",
    "node",
    "oai",
    "opc",
    "oracle",
    "page",
    "path",
    "person",
    "pi",
    "postgres",
    "profile",
    "project",
    "public",
    "root",
    "runner",
    "runneradmin",
    "runtime",
    "sandbox",
    "server",
    "service",
    "settings",
    "shared",
    "someone",
    "spark",
    "test",
    "tester",
    "ubuntu",
    "usr",
    "vagrant",
    "vscode",
    "worker",
    "workspace",
    "www",
    "www-data",
    "x",
    "xxx",
    "you",
];
/// Parts of names that mark a placeholder, such as `your-name`, `myUser`, `USERNAME`.
const PLACEHOLDERS: &[&str] = &["user", "your", "example", "placeholder"];

fn check(view: &FileView<'_>, report: &mut Report<'_>) {
    let mut created: Option<String> = None;
    for hit in view.file.hits_of(RULE.id) {
        let path = view.file.slice(&hit.span);
        let name = path.rsplit(['/', '\\']).next().unwrap_or_default();
        let is_product = name.eq_ignore_ascii_case(&view.context.folder);
        let mut is_created = || created.get_or_insert_with(|| created_users(view)).contains(&format!(" {name} "));
        let is_elsewhere = || is_remote(view, hit.span.start) || hit.pattern == UNIX && is_of_windows(view, hit.span.start);
        if is_personal(name) && !is_product && !is_elsewhere() && !is_sample(view, hit.span.start) && !is_created() {
            report.at(hit.span.clone(), format!("path '{}' is specific to one user", one_line(path)));
        }
    }
}

/// Index of the pattern for paths without a drive.
const UNIX: usize = 0;

/// Whether a path is the end of one with a drive, which the other pattern finds: `C:/Users/annalee`.
fn is_of_windows(view: &FileView<'_>, at: usize) -> bool {
    let before = view.file.slice(&(view.file.line_at(at).start..at));
    before.strip_suffix(':').is_some_and(|drive| drive.ends_with(|c: char| c.is_ascii_uppercase()))
}

/// Whether a path is on another machine: `scp host:/home/acme/a.txt`.
fn is_remote(view: &FileView<'_>, at: usize) -> bool {
    let line = view.file.slice(&(view.file.line_at(at).start..at));
    let host = line.strip_suffix(':').unwrap_or_default();
    host.ends_with(|c: char| c.is_ascii_alphanumeric() || c == '}') && (line.contains("scp ") || line.contains("rsync "))
}

/// Lowers findings about paths that the code of the project has as well: accounts of services.
pub fn weigh_of_project(view: &SkillView<'_>, findings: &mut [Finding], is_in_code: impl Fn(&str) -> bool) {
    let is_shown = |finding: &&mut Finding| finding.rule.id == RULE.id && finding.tier() != Tier::Style;
    for finding in findings.iter_mut().filter(is_shown).take(SEARCHES_MAX) {
        let path = view.file(&finding.path).map(|file| file.slice(&finding.span()).to_owned());
        if path.is_some_and(|path| is_in_code(&path)) {
            finding.issue.tier(Tier::Style).hint("code of the project has this path as well");
        }
    }
}

/// The words of the commands that create users, each between spaces: accounts of services, not of a person.
fn created_users(view: &FileView<'_>) -> String {
    let lines = view.file.text.iter().flat_map(|text| text.lines());
    let commands = lines.filter(|line| line.contains("useradd ") || line.contains("adduser "));
    let words = commands.flat_map(|line| line.split(|c: char| c.is_whitespace() || "`'\"".contains(c)));
    words.fold(String::from(" "), |all, word| all + word + " ")
}

/// Whether a path is only an example: in a template or test, in output, or in a line that warns about it.
fn is_sample(view: &FileView<'_>, at: usize) -> bool {
    let line = view.file.slice(&view.file.line_at(at)).to_ascii_lowercase();
    let is_output = ["→", "=> ", "# ->", "info:", "error:", "warn", "ready at", "output:", "[info]", "[debug]", "[warn", "[error]", "\", line "].iter().any(|sign| line.contains(sign));
    let is_warning = ["problem", "never ", "don't", "do not", "instead of", "avoid", "❌", "bad:", "wrong", "fails", "e.g."]
        .iter()
        .any(|word| line.contains(word));
    let is_made_up = ["my-project", "my-app", "myproject", "my_project"].iter().any(|project| line.contains(project));
    let is_code = view.file.markup.is_none() && line.contains(['"', '`']) && !line.contains("cd ");
    is_output || is_warning || is_made_up || is_code || is_sample_file(&view.file.path) || is_in_container(view, &line)
}

/// Whether a path belongs to the container that the file builds, as in `RUN python3 -m venv /home/tester/venv`.
fn is_in_container(view: &FileView<'_>, line: &str) -> bool {
    let name = view.file.path.name().to_ascii_lowercase();
    let is_recipe = ["dockerfile", "containerfile"].iter().any(|kind| name.starts_with(kind) || name.ends_with(kind));
    is_recipe && line.contains("/home/")
}

fn is_personal(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    // `server1` and `node2` are numbered names of the same kind.
    let kind = name.trim_end_matches(|c: char| c.is_ascii_digit() || matches!(c, '-' | '_'));
    !ANYBODY.contains(&name.as_str())
        && !ANYBODY.contains(&kind)
        && !PLACEHOLDERS.iter().any(|part| name.contains(part))
        && name.len() > 1
        && (name.contains(|c: char| c.is_ascii_alphabetic()) || name.len() > 4 && name.bytes().all(|b| b.is_ascii_digit()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_name_of_a_person_is_somebody() {
        for (name, expected) in [
            ("annalee", true),
            ("j.smith", true),
            ("user", false),
            ("YourName", false),
            ("myuserName", false),
            ("ubuntu", false),
            ("...", false),
            ("x", false),
            ("1000", false),
            ("server1", false),
            ("data", false),
            ("10418", true),
        ] {
            assert_eq!(is_personal(name), expected, "{name}");
        }
    }
}
