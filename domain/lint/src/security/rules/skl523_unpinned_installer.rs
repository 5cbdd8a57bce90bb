//! SKL523: packages without a version.

use crate::security::code_context::{self, CodeContext};
use crate::security::package::{self, Package, Use, Version};
use crate::security::packages;
use crate::rule::{Check, Example, Origin, Param, Pattern, Rule, Severity, Tier};
use crate::one_line::one_line;
use crate::view::{PatternHit, LintFile};
use crate::{FileView, Report};
use crate::security::{hits, host};
use std::ops::Range;

pub static RULE: Rule = Rule {
    id: "SKL523",
    name: "unpinned-installer",
    severity: Severity::Warning,
    tier: Tier::Harms,
    origin: Origin::Field(
        "agnix AS-024, SkillSpector SC1, skillshare untrusted-install; https://agentskills.io/skill-creation/using-scripts",
    ),
    why: "Without a version the latest one runs, whoever published it: the skill can behave differently tomorrow.",
    fix: "Pin the version: 'npx tool@1.2.3', 'pip install tool==1.2.3', a commit for a repository.",
    params: &[Param {
        name: "libraries",
        default: 1,
        meaning: "1 to check libraries of a project too, 0 for programs that run at once only",
    }],
    patterns: &[
        packages::PATTERN,
        packages::SETTING,
        Pattern {
            needles: || &["git+", "\nhttp", "@ http"],
            regex: r"(?-u)(?:^|\n)((?:-e\s+)?(?:[\w.\[\]-]+\s*@\s*)?(?:git\+|https?://)[!-~]+)",
        },
    ],
    good: &[Example::new(&[(
        "SKILL.md",
        crate::skill_md!(
            "```sh\nnpx prettier@3.3.2 --check .\npip install requests==2.32.3\npip install -r requirements.txt\n```\n"
        ),
    )])],
    bad: &[
        Example::new(&[("SKILL.md", crate::skill_md!("```sh\nnpx cowsay hello\n```\n"))]),
        Example::new(&[("SKILL.md", crate::skill_md!("```sh\n.venv/bin/pip install cowsay\n```\n"))]),
    ],
    check: Check::File(check),
};

/// Indexes of the patterns.
const REQUIREMENT: usize = 2;
/// Programs that projects usually have as dependencies, so that the package runner downloads nothing.
const OWN: &str = "tsc|jest|vitest|eslint|prettier|playwright|next|vite|prisma|tsx|ts-node|nx|turbo|cypress|drizzle-kit|hardhat|expo|webpack|rollup|mocha|tailwindcss|husky|lint-staged|biome|stylelint|nodemon|rimraf|concurrently|storybook|changeset|\
    remotion|svelte-check|vue-tsc|astro|ng|cap|detox|knip|typedoc|commitlint|c8|nyc|esbuild|tsup|gulp|grunt|parcel|react-native|sequelize|knex|typeorm|mikro-orm|wp-scripts|oxlint|ava|tap|karma|lerna|rspack|swc|babel|web-ext|electron|electron-builder|ladle|@biomejs/biome|@playwright/test|react-scripts|sv|payload|sanity|hexo|docusaurus|eas|wrangler|stryker|graphql-codegen|openapi-typescript";
/// Package managers, which every guide installs.
const INSTALLERS: &str = "pip|setuptools|wheel|uv|pipx|poetry|npm|pnpm|yarn|bun|corepack|virtualenv";
/// Registries that are commonly used in place of the public one.
const REGISTRIES: &[&str] = &[
    "pypi.org",
    "test.pypi.org",
    "registry.npmjs.org",
    "download.pytorch.org",
    "pypi.nvidia.com",
    "data.pyg.org",
    "npm.pkg.github.com",
    "rubygems.org",
    "crates.io",
    "storage.googleapis.com",
    "aliyun.com",
    "tuna.tsinghua.edu.cn",
    "npmmirror.com",
];

fn check(view: &FileView<'_>, report: &mut Report<'_>) {
    let file = view.file;
    let Some(text) = file.text.as_deref() else { return };
    let takes_libraries = RULE.param(&view.context.settings, "libraries") > 0;
    let mut found: Vec<(Range<usize>, String)> = Vec::new();
    for hit in hits::executable(file, &RULE) {
        if hit.pattern == REQUIREMENT {
            found.extend(required(file, text, hit));
        } else if is_command(file, hit) {
            found.extend(unpinned(text, hit, takes_libraries));
        }
    }
    found.sort_by_key(|(span, _)| span.start);
    let first = found.first().map(|(_, message)| message.clone()).unwrap_or_default();
    hits::once(report, found.into_iter().map(|(span, _)| span), |_| first);
}

fn is_command(file: &LintFile, hit: &PatternHit) -> bool {
    matches!(code_context::context_at(file, hit.span.start), CodeContext::Block(_) | CodeContext::File(_) | CodeContext::Inline)
}

/// The first package of a command that is not pinned, or its registry if that is unknown.
fn unpinned(text: &str, hit: &PatternHit, takes_libraries: bool) -> Option<(Range<usize>, String)> {
    if let Some(registry) = packages::own_registry(text, &hit.span).filter(|registry| is_foreign(registry)) {
        return Some((
            hit.span.start..hit.span.start + packages::shown(text, &hit.span).len(),
            format!("packages are installed from '{}'", one_line(registry)),
        ));
    }
    let all = packages::packages(text, &hit.span);
    let package = all.iter().find(|package| is_unpinned(package, takes_libraries))?;
    let written = one_line(&text[package.span.clone()]).into_owned();
    let message = match package.version {
        Version::Moving => format!("'{written}' is installed without a commit"),
        _ => format!("'{written}' is installed without a version"),
    };
    Some((package.span.clone(), message))
}

fn is_unpinned(package: &Package, takes_libraries: bool) -> bool {
    let is_own = package.usage == Use::Run && OWN.split('|').any(|own| own == package.name);
    let is_installer = INSTALLERS.split('|').any(|tool| tool == package.name);
    let is_small = package.usage == Use::Library && package.version == Version::Any && !takes_libraries;
    package.version != Version::Fixed && !is_own && !is_installer && !is_small
}

fn is_foreign(registry: &str) -> bool {
    let Some(name) = host::host_of(registry) else { return false };
    matches!(host::kind(name), host::Host::Named | host::Host::PublicNumber)
        && !REGISTRIES.iter().any(|known| host::is_below(name, known))
}

/// A line of a requirements file that names a repository or URL without a commit or digest.
fn required(file: &LintFile, text: &str, hit: &PatternHit) -> Option<(Range<usize>, String)> {
    let line = text.get(hit.span.clone())?;
    let end = line.rsplit(['@', '#']).next().unwrap_or_default();
    let is_commit = end.len() >= 7 && end.bytes().all(|byte| byte.is_ascii_hexdigit());
    let is_loose = package::is_requirements(file.path.as_str()) && !is_commit && !line.contains("sha256");
    is_loose.then(|| (hit.span.clone(), format!("'{}' is installed without a commit", one_line(line))))
}
