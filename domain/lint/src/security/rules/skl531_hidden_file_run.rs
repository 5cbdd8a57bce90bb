//! SKL531: hidden files that are run.

use crate::security::invocation;
use crate::rule::{Check, Example, Origin, Pattern, Rule, Severity, Tier};
use crate::view::{PatternHit, LintFile};
use crate::{FileView, Report};
use crate::security::hits;
use std::ops::Range;

pub static RULE: Rule = Rule {
    id: "SKL531",
    name: "hidden-file-run",
    severity: Severity::Warning,
    tier: Tier::Harms,
    origin: Origin::Field("Cisco skill-scanner hidden executables, skillshare hidden-files"),
    why: "Listings omit files whose name begins with a dot, and lint does not check them, so no one knows what runs.",
    fix: "Give the script a name without a dot, in `scripts/`.",
    params: &[],
    patterns: &[
        Pattern {
            needles: || &[
                "sh ", "python", "node ", "source ", "perl ", "ruby ", "php ", "deno ", "bun ", ". .", ". \".", ". $", ". ./", "sh\"", "sh'", "node\"", "node'", "chmod ", "pwsh", "powershell", "exec ",
            ],
            regex: r#"(?x-u) (?: (?:^|(?u:[^A-Za-z0-9_./-])) (?: (?:ba|z|da|k)?sh | source | python[\d.]* | node | perl | ruby | php | deno\ run | bun(?:\ run)? | pwsh | powershell | lua | Rscript | exec | chmod \s+ (?: [augo]*\+x | 0?7[0-7]{2} ) ) (?: ["'],? )? (?: [\ \t]+ (?: -[A-Za-z][\w-]* | < ) )* | (?: ^ | [\n;&|(] ) [\ \t]* \. )
                [\ \t]+ ["']? ( [\w${}@.~/-]*? \.[A-Za-z_][\w.-]* [\w./-]* )"#,
        },
        Pattern {
            needles: || &["./."],
            regex: r#"(?x-u) (?: ^ | [\n;&|(`] | \bthen\s | \bdo\s | \bsudo\s | "\s*:\s*" ) [\ \t]* (?:\$[\ \t]+)? ( \./\.[A-Za-z_][\w./-]* ) (?: [\ \t]+ -(?u:.)* | [\ \t]* (?: $ | [\n;&|)`"'] ) ) | (?:require|import)\( \s* ["'] ( \.\.?/(?:[\w-]+/)*\.[a-z_][\w./-]* ) ["']"#,
        },
        Pattern {
            needles: || &["\".", "'.", "/."],
            regex: r#"(?x-u) \b (?: subprocess\.\w+ | os\.system | execSync | spawn(?:Sync)? | execFile(?:Sync)? | runpy\.run_path | exec_module | spec_from_file_location | sys\.path\.(?:insert|append) | __import__ | exec | load_source ) \( (?u:[^\n])*?
                ["'/] ( \.[a-z_][\w-]* (?: /[\w./-]+ | \.(?:sh|bash|py|pyc|js|mjs|cjs|rb|pl|ps1|php|bin|so) ) ) ["'\s]"#,
        },
    ],
    good: &[Example::new(&[(
        "SKILL.md",
        crate::skill_md!("```sh\ntouch ./.done\nsource .venv/bin/activate\nsource .env\nnode_modules/.bin/tsc\nbash ~/.nvm/nvm.sh\n```\n"),
    )])],
    bad: &[
        Example::new(&[("SKILL.md", crate::skill_md!("```sh\nbash .setup.sh\n```\n"))]),
        Example::new(&[("SKILL.md", crate::skill_md!("```sh\npython3 .hidden/collect.py\n```\n"))]),
    ],
    check: Check::File(check),
};

/// Index of the pattern for programs, whose text is checked separately.
const BY_PROGRAM: usize = 2;
/// Names that projects, tools and clients hide by convention; a name that begins with one of them counts too.
const KNOWN: &str = ".venv|.virtualenv|.env|.github|.gitlab|.git|.claude|.agents|.agent|.gemini|.cursor|.codex|.copilot|.opencode|.kiro|.openclaw|.windsurf|.continue|.roo|.config|.local|.cargo|.nvm|.husky|.bin|.rustup|.deno|.bun|.asdf|.pyenv|.rbenv|\
    .sdkman|.tox|.nox|.npm|.pnpm|.yarn|.worktrees|.vscode|.devcontainer|.docker|.ci|.circleci|.buildkite|.specify|.conda|.miniconda|.bashrc|.bash_|.zsh|.profile|.zprofile|.eslintrc|.prettierrc|.mocharc|.babelrc|.next|.nuxt|.output|.build|.terraform|.aws|.ssh|.gnupg|\
    .platformio|.poetry|.uv|.direnv|.fzf|.oh-my|.emscripten|.factory|.qwen|.augment|.trae|.goose|.crush|.kilocode|.junie|.amazonq|.pi|.rulesync|.swiftpm|.gradle|.m2|.dotnet|.nuget|.cache/pip|.mise|.proto|.volta|.n/|.fnm|.ghcup|.opam|.cabal|.stack|.sh|.py|.js|.mjs|.cjs|.ts|.rb|.pl|.php|.json|.md|.txt|.yaml|.yml";

fn check(view: &FileView<'_>, report: &mut Report<'_>) {
    let Some(text) = view.file.text.as_deref() else { return };
    let mut end = 0;
    for hit in hits::executable(view.file, &RULE).collect::<Vec<_>>() {
        let span = trimmed(text, hit);
        let is_call = text[span.end..].starts_with('(');
        if span.start >= end && !is_call && is_hidden(&text[span.clone()]) && is_run(view.file, hit, &span) {
            end = span.end;
            report.at(span.clone(), format!("the hidden file '{}' is run", &text[span]));
        }
    }
}

fn trimmed(text: &str, hit: &PatternHit) -> Range<usize> {
    let path = text[hit.span.clone()].trim_end_matches(['.', '/', '-']);
    hit.span.start..hit.span.start + path.len()
}

fn is_run(file: &LintFile, hit: &PatternHit, path: &Range<usize>) -> bool {
    hit.pattern == BY_PROGRAM && file.markup.is_none() || invocation::is_invoked(file, path)
}

/// Whether a part of a relative path is hidden and not one of the names that are hidden by convention.
fn is_hidden(path: &str) -> bool {
    let is_elsewhere = path.starts_with(['~', '/']) || path.starts_with("$HOME") || path.starts_with("${HOME");
    let is_odd = |part: &str| {
        part.len() > 2
            && part.starts_with('.')
            && part[1..].starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
            && !KNOWN.split('|').any(|known| part.starts_with(known) && !part[known.len()..].starts_with(|c: char| c.is_alphanumeric() && known.len() < 4))
    };
    !is_elsewhere && path.split('/').any(is_odd)
}
