//! SKL510: URLs with an IP address.

use crate::rule::{Check, Example, Origin, Pattern, Rule, Severity, Tier};
use crate::{FileView, Report};
use crate::security::host;

pub static RULE: Rule = Rule {
    id: "SKL510",
    name: "raw-ip-url",
    severity: Severity::Warning,
    tier: Tier::Harms,
    origin: Origin::Field("Snyk agent-scan E005, skillshare ip-address-url"),
    why: "A public IP address has no owner that a reader can identify and no certificate for a name, and malware is \
          often served from one.",
    fix: "Use the host's name with https; in examples, use an address from 192.0.2.0/24.",
    params: &[],
    patterns: &[
        Pattern {
            needles: || &[
                "://0", "://1", "://2", "://3", "://4", "://5", "://6", "://7", "://8", "://9", "://[",
            ],
            regex: r"(?i-u)\b(?:https?|ftps?|wss?|tcp|udp|ssh|socks5?h?|git|telnet|sftp)://(?:[!-.0-?A-~]*@)?(\[[0-9a-f:.]+\]|[0-9a-fx.]+)",
        },
        // Preceded by a user or password.
        Pattern {
            needles: || &["@1", "@2", "@3", "@4", "@5", "@6", "@7", "@8", "@9"],
            regex: r"(?i-u)(?:\b(?:https?|ftps?)://[!-.0-?A-~]*|\b(?:ssh|scp|sftp|rsync)\b[\x20-~]*?)@(\d+\.\d+\.\d+\.\d+)\b",
        },
        // Connections without a scheme.
        Pattern {
            needles: || &["/dev/tcp/", "/dev/udp/"],
            regex: r"(?-u)/dev/(?:tcp|udp)/(\d+\.\d+\.\d+\.\d+)/",
        },
        Pattern {
            needles: || &[
                "nc -", "nc.exe", "ncat ", "netcat ", "telnet ", "socat ", "curl ", "wget ", " nc ", "\nnc ",
                "|nc ", "`nc ", "(nc ", "iwr ", " irm ", "\nirm ",
            ],
            regex: r"(?i-u)\b(?:nc(?:\.exe)?|ncat|netcat|telnet|socat|curl|wget|iwr|irm)\s(?:[\x20-.0-{}~]*?[\s:@'=\x22])?(\d+\.\d+\.\d+\.\d+)(?:[\s:/'\x22]|$)",
        },
        Pattern {
            needles: || &["connect(", "connection(", "tcpclient(", "socket("],
            regex: r#"(?i-u)\b(?:connect|create_?connection|tcpclient|tcpsocket\.new|socket)\s*\(+[\x20-&*-~]*?["'](\d+\.\d+\.\d+\.\d+)["']"#,
        },
    ],
    good: &[Example::new(&[(
        "SKILL.md",
        crate::skill_md!(
            "```sh\ncurl https://example.com/a\ncurl -s http://127.0.0.1:8080/health\ncurl https://192.0.2.7/a\n```\n"
        ),
    )])],
    bad: &[
        Example::new(&[(
            "SKILL.md",
            crate::skill_md!("The service answers at https://45.33.32.156:8443/api now.\n"),
        )]),
        Example::new(&[(
            "SKILL.md",
            crate::skill_md!(
                "1. Ask for the town, unless it is not needed.\n2. Request `https://45.33.32.156:8081/v2?town=NAME`.\n"
            ),
        )]),
    ],
    check: Check::File(check),
};

/// Well-known public addresses: DNS resolvers, which are used on purpose.
const KNOWN: &[&str] =
    &["1.0.0.1", "8.8.4.4", "9.9.9.9", "149.112.112.112", "208.67.222.222", "208.67.220.220"];
/// Placeholder addresses.
const FILLERS: &[&str] =
    &["1.2.3.4", "5.6.7.8", "4.3.2.1", "12.34.56.78", "123.45.67.89", "11.22.33.44", "123.123.123.123"];

/// Number of matches in a file that are examined. The words around them do not matter: a numeric address is always
/// suspicious.
const HITS_MAX: usize = 200;

fn check(view: &FileView<'_>, report: &mut Report<'_>) {
    let mut end = 0;
    for hit in view.file.hits_of(RULE.id).take(HITS_MAX) {
        let address = view.file.slice(&hit.span).trim_end_matches('.');
        let is_number = host::kind(address) == host::Host::PublicNumber && !is_start_of_name(view, hit.span.end);
        if hit.span.start < end || !is_number || is_filler(address) {
            continue;
        }
        end = hit.span.end;
        report.at(
            hit.span.start..hit.span.start + address.len(),
            format!("public IP address '{address}' instead of a host name"),
        );
    }
}

/// Whether a host's name goes on after a number: `3215535692-files.example.com`.
fn is_start_of_name(view: &FileView<'_>, end: usize) -> bool {
    let rest = view.file.text.as_deref().and_then(|text| text.get(end..)).unwrap_or_default();
    rest.starts_with(|c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_')
}

/// Whether an address is that of a resolver, `1.2.3.4` or the like, or four equal numbers.
fn is_filler(address: &str) -> bool {
    let mut parts = address.split('.');
    let first = parts.next().unwrap_or_default();
    KNOWN.contains(&address)
        || FILLERS.contains(&address)
        || (address.contains('.') && parts.all(|part| part == first))
}
