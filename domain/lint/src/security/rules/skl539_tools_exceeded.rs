//! SKL539: skills that do more than their declared tools allow.

use crate::security::code_context::{self, Language, CodeContext};
use crate::report::IssueLocation;
use crate::rule::{Check, Example, Origin, Pattern, Rule, Severity, Tier};
use crate::one_line::one_line;
use crate::tools;
use crate::view::{PatternHit, LintFile};
use crate::{Report, SkillView};
use crate::security::{warning_context, hits, context_window};
use skillc_domain::markup::CodeBlock;
use std::ops::Range;

pub static RULE: Rule = Rule {
    id: "SKL539",
    name: "tools-exceeded",
    severity: Severity::Warning,
    tier: Tier::Harms,
    origin: Origin::Field("SkillSpector LP1, LP3 and LP4; Cisco skill-scanner ALLOWED_TOOLS_*_VIOLATION"),
    why: "A reader of 'allowed-tools' underestimates the skill, and the agent prompts at a step that the author \
          believed to be allowed, or fails.",
    fix: "Add what the skill needs, such as 'Bash(python3 scripts/report.py:*)', or remove what exceeds it.",
    params: &[],
    patterns: &[Pattern {
        needles: || &[".py", ".sh", ".js", ".mjs", ".ts", ".rb", ".pl", ".ps1"],
        regex: r#"(?x-u) ( (?: \b (?:python[\d.]*|bash|sh|zsh|node|deno\x20run|bun\x20run|bun|uv\x20run|npx\x20tsx|tsx|ruby|perl|pwsh) \x20+ (?:-[!-~]+\x20+)* (?:python3?\x20+)? | \./ )
            ["']? (?: [$\{]+\w+\}* / | \./ | /?(?:[\w.-]+/)+ )* [\w.-]+ \. (?:py|sh|m?js|ts|rb|pl|ps1) ) \b"#,
    }],
    good: &[Example::new(&[
        (
            "SKILL.md",
            "---\nname: demo\ndescription: Shows how one rule works. Use when a rule needs an example.\n\
             allowed-tools: Read Bash(python3:*)\n---\n\n# Demo\n\nRun `python3 scripts/report.py`.\n",
        ),
        ("scripts/report.py", "print('report')\n"),
    ])],
    bad: &[
        Example::new(&[
            (
                "SKILL.md",
                "---\nname: demo\ndescription: Shows how one rule works. Use when a rule needs an example.\n\
                 allowed-tools: Read Grep\n---\n\n# Demo\n\nRun `python3 scripts/report.py`.\n",
            ),
            ("scripts/report.py", "print('report')\n"),
        ]),
        Example::new(&[
            (
                "SKILL.md",
                "---\nname: demo\ndescription: Shows how one rule works. Use when a rule needs an example.\n\
                 allowed-tools: Read\n---\n\n# Demo\n\nThe report comes from `scripts/report.py`.\n",
            ),
            ("scripts/report.py", "from pathlib import Path\nPath('report.txt').write_text('report')\n"),
        ]),
    ],
    check: Check::Skill(check),
};

/// Parts of tool names, in lower case, that run or may run commands; other clients have their own names.
const RUNNING: &str = "shell|run|exec|terminal|command|python|code|script|process|task|agent|workflow|repl|monitor";
/// Tools that only read.
const LOOKING: &str = "Read|Grep|Glob|LS|NotebookRead|TodoRead|TodoWrite|AskUserQuestion|LSP|ToolSearch|Skill";
/// Functions with which scripts write, in lower case.
const WRITING: &str = "\
    .write_text(|.write_bytes(|, \"w\"|, 'w'|, \"a\")|, 'a')|, \"wb\"|, 'wb'|writefile|appendfile|createwritestream|\
    shutil.copy|shutil.move|shutil.rmtree|os.remove(|os.unlink(|.unlink(|os.rename(|rmsync(|unlinksync(|rm -|tee |\
    sed -i|file.write(|out-file|set-content";
/// Functions with which scripts reach other machines.
const REACHING: &str = "\
    requests.get(|requests.post(|requests.put(|requests.request(|urlopen(|urlretrieve(|httpx.|aiohttp.|http.client|\
    socket.connect|smtplib|fetch(|axios.|axios(|https.request(|http.request(|https.get(|curl |wget |\
    invoke-webrequest|invoke-restmethod|net::http";
/// Words above a command block that make it a step, and headings under which it is not one.
const STEPS: &str = "run|running|execute|step|then|use this command|following command";
const ASIDES: &str = "install|setup|set up|usage|example|development|contribut|prerequisite|test|troubleshoot|reference";
/// Number of bytes above a block that are examined.
const LEAD_BYTES: usize = 200;

/// The permissions granted by `allowed-tools`.
struct Grants<'a> {
    /// Whether any command is, or may be, allowed.
    is_open: bool,
    /// Prefixes of allowed commands.
    commands: Vec<&'a str>,
    /// Whether only reading is allowed.
    only_looks: bool,
    /// Byte range of the field's value.
    span: Range<usize>,
}

fn check(view: &SkillView<'_>, report: &mut Report<'_>) {
    let Some(file) = view.files.iter().find(|file| file.is_skill_md()) else { return };
    let Some(grants) = grants(file).filter(|grants| !grants.is_open) else { return };
    let runs = hits::unwarned(file, &RULE).filter(|hit| is_step(view, file, hit) && !grants.covers(file.slice(&hit.span)) && !grants.covers_start(before(file, hit)));
    let found = hits::once(report, runs.map(|hit| hit.span.clone()), |span| {
        format!("'allowed-tools' does not grant '{}'", one_line(file.slice(span)))
    });
    if found.is_some() {
        return;
    }
    let blocks = commands(file).filter(|_| grants.commands.is_empty());
    let found = hits::once(report, blocks, |span| {
        format!("'allowed-tools' grants no shell, but '{}' has to run", one_line(file.slice(span)))
    });
    if found.is_none() && grants.only_looks {
        scripts(view, &grants, report);
    }
}

fn scripts(view: &SkillView<'_>, grants: &Grants<'_>, report: &mut Report<'_>) {
    let found = view.files.iter().filter(|file| is_own(file)).find_map(|file| Some((file, deed(file)?)));
    let Some((file, deed)) = found else { return };
    let message = format!("'allowed-tools' is read-only, but '{}' {deed}", one_line(file.path.as_str()));
    let skill_md = view.files.iter().find(|file| file.is_skill_md()).map(|file| &file.path);
    if let Some(path) = skill_md {
        report.elsewhere(path, IssueLocation::Span(grants.span.clone()), message);
    }
}

fn grants(file: &LintFile) -> Option<Grants<'_>> {
    let field = file.fields()?.get("allowed-tools")?;
    let mut grants = Grants { is_open: false, commands: Vec::new(), only_looks: true, span: field.span.clone() };
    let listed = tools::listed(field);
    for (_, text, entry) in &listed {
        let name = &text[entry.name.clone()];
        let small = name.to_ascii_lowercase();
        let argument = text[entry.name.end..entry.span.end].trim_start_matches('(').trim_end_matches(')');
        let command = argument.trim_end_matches(['*', ':', ' ']);
        grants.only_looks &= LOOKING.split('|').any(|tool| tool == name);
        match small.as_str() {
            "bash" | "shell" | "powershell" if !command.is_empty() => grants.commands.push(command),
            "bash" | "*" => grants.is_open = true,
            _ => grants.is_open |= RUNNING.split('|').any(|part| small.contains(part)) && !is_known(&small),
        }
    }
    (!listed.is_empty()).then_some(grants)
}

/// Tools whose names contain such a part but that run nothing.
fn is_known(small: &str) -> bool {
    matches!(small, "bashoutput" | "killbash" | "killshell" | "taskget" | "tasklist" | "taskcreate" | "taskupdate" | "taskoutput" | "taskstop" | "slashcommand")
}

impl Grants<'_> {
    /// Whether a command that begins like this is allowed.
    fn covers_start(&self, command: &str) -> bool {
        self.commands.iter().any(|granted| command.strip_prefix(granted).is_some_and(|rest| rest.starts_with(' ')))
    }

    /// Whether a command is allowed: by its prefix, its program, or the script that it names.
    fn covers(&self, command: &str) -> bool {
        let program = command.split([' ', '"', '\'']).next().unwrap_or_default();
        let script = command.rsplit(['/', ' ']).next().unwrap_or_default();
        self.commands.iter().any(|granted| {
            command.starts_with(granted)
                || granted.split(' ').any(|word| word == program || word.trim_end_matches(['*', '3']) == program)
                || granted.contains(script)
                || granted.ends_with('/')
                || granted.contains('*')
        })
    }
}

/// The part of a command before a script that is its argument: `acme publish -g ` before `./scripts/a.js`.
fn before<'f>(file: &'f LintFile, hit: &PatternHit) -> &'f str {
    let text = file.text.as_deref().unwrap_or_default();
    let start = context_window::line(text, hit.span.start).start;
    text[start..hit.span.start].rsplit(['`', '|', ';', '&', '$']).next().unwrap_or_default().trim_start()
}

/// Whether the agent is told to run a command: it is code that names a bundled script.
fn is_step(view: &SkillView<'_>, file: &LintFile, hit: &PatternHit) -> bool {
    let context = code_context::context_at(file, hit.span.start);
    let is_code = matches!(context, CodeContext::Block(Language::Shell | Language::Unknown) | CodeContext::Inline);
    let command = file.slice(&hit.span);
    let name = command.rsplit(['/', ' ', '"', '\'']).next().unwrap_or_default();
    let is_bundled = view.files.iter().any(|file| file.path.name() == name) || command.contains("scripts/");
    is_code && is_bundled && !code_context::is_comment(file, hit.span.start)
}

/// The first command of each shell block that is a step.
fn commands(file: &LintFile) -> impl Iterator<Item = Range<usize>> + '_ {
    let blocks = file.markup.iter().flat_map(|markup| &markup.code_blocks);
    blocks.filter_map(|block| first_command(file, block))
}

fn first_command(file: &LintFile, block: &CodeBlock) -> Option<Range<usize>> {
    let text = file.text.as_deref()?;
    let is_shell = matches!(block.info.as_str(), "sh" | "bash" | "zsh" | "shell" | "console");
    if !is_shell || warning_context::is_warned_against(file, &block.span) {
        return None;
    }
    let above = context_window::above(text, block.span.start);
    let lead = above[context_window::floor(above, above.len().saturating_sub(LEAD_BYTES))..].to_lowercase();
    let nearest = lead.lines().rev().find(|line| !line.trim().is_empty())?;
    let markup = file.markup.as_ref()?;
    let over = markup.headings.partition_point(|heading| heading.offset <= block.span.start);
    let heading = markup.headings[..over].last().map_or(String::new(), |heading| heading.text.to_lowercase());
    let is_word = |word: &str| nearest.split(|c: char| !c.is_alphanumeric() && c != ' ').any(|part| {
        format!(" {part} ").contains(&format!(" {word} "))
    });
    let is_step = STEPS.split('|').any(is_word) && !ASIDES.split('|').any(|aside| heading.contains(aside));
    let mut start = block.span.start;
    for line in text[block.span.clone()].split_inclusive('\n').take_while(|_| is_step) {
        let command = line.trim();
        if command.starts_with(|c: char| c.is_ascii_alphabetic() || c == '.' || c == '$') {
            let at = start + line.len() - line.trim_start().len();
            return Some(at..at + command.len());
        }
        start += line.len();
    }
    None
}

/// Whether a file is a script of the skill itself, and not a test or template.
fn is_own(file: &LintFile) -> bool {
    let path = file.path.as_str().to_ascii_lowercase();
    let is_apart = ["test", "asset", "template", "example", "fixture", "eval"].iter().any(|part| path.contains(part));
    code_context::is_script(file) && !is_apart
}

/// What a script does apart from reading.
fn deed(file: &LintFile) -> Option<&'static str> {
    let small = file.text.as_deref()?.to_ascii_lowercase();
    let lines = || small.lines().filter(|line| !line.trim_start().starts_with(['#', '*']) && !line.trim_start().starts_with("//"));
    let has = |list: &str| lines().any(|line| list.split('|').any(|call| line.contains(call)));
    match () {
        () if has(REACHING) => Some("reaches other machines"),
        () if has(WRITING) => Some("writes files"),
        () => None,
    }
}
