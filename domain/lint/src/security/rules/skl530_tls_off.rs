//! SKL530: disabled certificate verification.

use crate::security::code_context::{self, Language, CodeContext};
use crate::security::invocation::{self, has_one};
use crate::confidence::Confidence;
use crate::rule::{Check, Example, Origin, Pattern, Rule, Severity, Tier};
use crate::view::{PatternHit, LintFile};
use crate::{FileView, Report};
use crate::security::{hits, context_window};
use std::ops::Range;

pub static RULE: Rule = Rule {
    id: "SKL530",
    name: "tls-off",
    severity: Severity::Warning,
    tier: Tier::Harms,
    origin: Origin::Field("Bandit B501, B323 and B507, gosec G402, CWE-295"),
    why: "Without certificate checks anyone on the network path can read what is sent, including keys, and forge the \
          answers. Options that accept any key of an SSH host are of the tier 'style'.",
    fix: "Leave verification on; for your own certificate, name it: `--cacert`, `verify=\"ca.pem\"`, \
          `NODE_EXTRA_CA_CERTS`.",
    params: &[],
    patterns: &[
        Pattern {
            needles: || &["curl ", "curl\"", "curl'", "wget ", "no-check-certificate", "--verify=no", "--verify no"],
            regex: r#"(?x-u) \bcurl\b (?u:[^\n|;&`])*? [\s"'] ( -[fsSLgiIvNjOJRlnpqaG46\#]*k[fsSLgiIvNjOJRlnpqaG46\#oXdHumA]* | --insecure | --proxy-insecure ) (?:[\s"'`,]|$) | --no-check-certificate\b | \bhttps?\ (?u:[^\n|;&`])* --verify[= ]no\b"#,
        },
        Pattern {
            needles: || &["verify=", "verify =", "verify_ssl", "verify_certs", "verify_tls", "cert_none", "unverified_context", "ssl=false", "check_hostname", "autoaddpolicy", "\"verify\":", "'verify':"],
            regex: r#"(?x-u) \b\w*verify(?:_ssl|_certs|_tls)? ["']? \s*[=:]\s* False \b | \bssl\s?=\s?False \b | \bssl\.CERT_NONE \b | \bcert_reqs \s* = \s* ["']CERT_NONE | \b_create_unverified_context \b | \bcheck_hostname \s* = \s* False \b | \bAutoAddPolicy \b"#,
        },
        Pattern {
            needles: || &["tls_reject", "rejectunauthorized", "strictssl", "strict-ssl", "strict_ssl", "sslverify", "ssl_no_verify", "httpsverify", "trusted-host", "tls-verify", "verify-ssl", "tlsverify"],
            regex: r#"(?ix-u) \bNODE_TLS_REJECT_UNAUTHORIZED ["'\]\s]* [=:] \s* ["']?0 | \brejectUnauthorized ["']? \s* [:=] \s* (?:false|!1) \b | \bstrictSSL ["']? \s* [:=] \s* false\b | \b(?:npm_config_)?strict[_-]ssl ["',\s=]+ false\b | \bhttp (?:\.[!-~]+)? \.sslVerify ["',\s=]+ (?:false|0)\b | \bGIT_SSL_NO_VERIFY ["'\]\s]* = \s* ["']?(?:1|true) | \bsslverify \s*=\s* (?:0|false)\b
                | \bPYTHONHTTPSVERIFY ["'\]\s]* = \s* ["']?0 | --trusted-host[=\s] | --insecure-skip-tls-verify\b | --no-verify-ssl\b | --tls-?verify=false"#,
        },
        Pattern {
            needles: || &["stricthostkey", "userknownhostsfile", "insecureskipverify", "verifypeer", "verify_none", "skipcertificatecheck", "certificatevalidationcallback", "accept_invalid_certs", "trustall", "accept_invalid"],
            regex: r#"(?ix-u) \bStrictHostKeyChecking ["']? [=\s]+ ["']?no\b | \bInsecureSkipVerify ["']? \s* [:=] \s* true\b | \bCURLOPT_SSL_VERIFY(?:PEER|HOST) \s* (?:,|=>) \s* (?:false|0)\b | \bVERIFY_NONE\b | -SkipCertificateCheck\b | \bServerCertificateValidationCallback \s* \+?= (?u:[^\n])* true | \bdanger_accept_invalid_(?:certs|hostnames)\(\s*true | \bServerCertificateCustomValidationCallback \s* = (?u:[^\n])* (?:true|Dangerous)"#,
        },
    ],
    good: &[Example::new(&[(
        "SKILL.md",
        crate::skill_md!("Never pass `--insecure` to curl.\n\n```sh\ncurl -fsS --cacert ca.pem https://api.example.com/a\ncurl -k https://localhost:8443/health\n```\n"),
    )])],
    bad: &[
        Example::new(&[("SKILL.md", crate::skill_md!("```sh\ncurl -sk https://api.example.com/a\n```\n"))]),
        Example::new(&[("SKILL.md", crate::skill_md!("```sh\ngit config --global http.sslVerify false\n```\n"))]),
    ],
    check: Check::File(check),
};

/// Index of the pattern for Python.
const PYTHON: usize = 1;
/// Hosts on the same machine, where no one can intercept the connection.
const NEAR: &str = "localhost|127.0.0.1|[::1]|0.0.0.0|host.docker.internal|.local/|.local:|.test/|192.168.";
/// Words in a text that show that `verify` refers to a connection.
const CONNECTS: &str = "request|http|session|client|connect|ssl|url|.get(|.post(|boto|urlopen|elasticsearch|aiohttp";

fn check(view: &FileView<'_>, report: &mut Report<'_>) {
    let Some(text) = view.file.text.as_deref() else { return };
    let found: Vec<&PatternHit> = hits::executable(view.file, &RULE).filter(|hit| is_off(view.file, text, hit)).collect();
    let (of_hosts, of_certificates): (Vec<&PatternHit>, Vec<&PatternHit>) =
        found.into_iter().partition(|hit| is_of_host_key(&text[hit.span.clone()]));
    let place = |hit: &&PatternHit| hit.span.start..hit.span.start + text[hit.span.clone()].trim_end().len();
    let shown = |span: &Range<usize>| crate::security::sentence::cut(text[span.clone()].trim_matches(['"', '\'', ' ']));
    let is_inspected = of_certificates.iter().all(|hit| is_for_inspection(view.file, text, hit));
    let finding = hits::once(report, of_certificates.iter().map(place), |span| {
        format!("'{}' turns off certificate verification", shown(span))
    });
    if let Some(finding) = finding.filter(|_| is_inspected) {
        finding.at_most(Confidence::Medium);
    }
    let of_hosts = of_hosts.iter().map(place);
    if let Some(finding) = hits::once(report, of_hosts, |span| format!("'{}' accepts any host key", shown(span))) {
        finding.tier(Tier::Style).hint("load the keys of known hosts; 'accept-new' of OpenSSH refuses a key that has changed");
    }
}

/// Whether an option concerns the keys of SSH hosts, which are unknown at first for each new machine.
fn is_of_host_key(option: &str) -> bool {
    option.contains("AutoAddPolicy") || option.to_ascii_lowercase().contains("hostkey")
}

fn is_off(file: &LintFile, text: &str, hit: &PatternHit) -> bool {
    let around = text[context_window::line(text, hit.span.start)].to_lowercase();
    if has_one(&around, NEAR) {
        return false;
    }
    match code_context::context_at(file, hit.span.start) {
        CodeContext::File(_) | CodeContext::Block(_) if code_context::is_comment(file, hit.span.start) => false,
        CodeContext::File(Language::Shell | Language::Windows) | CodeContext::Block(Language::Shell | Language::Windows) => {
            invocation::is_invoked(file, &hit.span)
        }
        CodeContext::File(_) | CodeContext::Block(_) if hit.pattern == PYTHON => {
            let near = &text[context_window::floor(text, hit.span.start.saturating_sub(600))..hit.span.start];
            has_one(&near.to_lowercase(), CONNECTS) && !is_listed(text, hit) && !is_unused_default(text, hit)
        }
        CodeContext::File(_) | CodeContext::Block(_) => !is_listed(text, hit),
        CodeContext::Inline | CodeContext::Prose => {
            (hit.pattern != PYTHON || has_one(&around, CONNECTS)) && invocation::is_invoked(file, &hit.span)
        }
        CodeContext::FrontMatterState => false,
    }
}

/// Whether a connection of a Python file is made only to read the certificate of the other side, or to see whether it
/// answers: the rest of the function opens it in a `with` statement, and sends, reads and passes on nothing.
fn is_for_inspection(file: &LintFile, text: &str, hit: &PatternHit) -> bool {
    if hit.pattern != PYTHON || code_context::context_at(file, hit.span.start) != CodeContext::File(Language::Python) {
        return false;
    }
    let is_other = |line: &&str| ["def ", "async def ", "class "].iter().any(|word| line.trim_start().starts_with(word));
    let after = context_window::after(text, hit.span.end, INSPECTION_BYTES_MAX);
    let mut function = after.lines().take_while(|line| !is_other(line)).skip_while(|line| !line.contains("wrap_socket("));
    let Some(opening) = function.next().filter(|line| line.trim_start().starts_with("with ")) else { return false };
    let name = opening.rsplit_once(" as ").map(|(_, name)| name.trim_end_matches(':').trim());
    let is_used = |line: &str| {
        USES.iter().any(|call| line.contains(call)) || name.is_some_and(|name| line.contains(&format!("return {name}")) || line.contains(&format!("= {name}")))
    };
    !function.any(is_used)
}

/// Calls that send or read over a connection.
const USES: [&str; 7] = [".send", ".recv", ".read", ".write", "yield", "request", "urlopen"];
/// Number of bytes after a setting in which a connection is used.
const INSPECTION_BYTES_MAX: usize = 3_000;

/// Whether it is the default of a parameter that no call passes on: `def connect(self, verify=False)`.
fn is_unused_default(text: &str, hit: &PatternHit) -> bool {
    let before = &text[context_window::floor(text, hit.span.start.saturating_sub(SIGNATURE_BYTES_MAX))..hit.span.start];
    let mut depth = 0;
    let open = before.rfind(|c: char| {
        depth += match c {
            ')' => 1,
            '(' => -1,
            _ => 0,
        };
        depth < 0
    });
    let line = open.and_then(|open| before[..open].lines().next_back()).unwrap_or_default().trim_start();
    let is_signature = line.starts_with("def ") || line.starts_with("async def ");
    is_signature && !["verify=verify", "verify = verify", "ssl="].iter().any(|call| text.contains(call))
}

/// Length of a function's parameters, in bytes, in which one is looked for.
const SIGNATURE_BYTES_MAX: usize = 600;

/// Whether a program only searches for the words: in a quotation, or as a pattern.
fn is_listed(text: &str, hit: &PatternHit) -> bool {
    let before = invocation::before(text, hit.span.start);
    let start = before.trim_start();
    let is_set = before.contains("environ") || before.contains("env.") || before.contains("env[");
    let is_command = before.to_lowercase().contains("curl") || before.contains("git") || before.contains("ssh") || before.contains("wget") || before.contains('=');
    !is_set && (start.starts_with(['"', '\'', '/']) || start.starts_with("r\"") || start.starts_with("r'")) && !is_command && !text[hit.span.clone()].contains("False")
}
