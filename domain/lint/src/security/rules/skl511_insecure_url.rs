//! SKL511: URLs without TLS, whose responses anyone on the network path can forge.

use crate::security::code_context::{self, Language, CodeContext};
use crate::rule::{Check, Example, Origin, Pattern, Rule, Severity, Tier};
use crate::view::{PatternHit, LintFile};
use crate::{FileView, Report};
use crate::security::{hits, host, context_window};

pub static RULE: Rule = Rule {
    id: "SKL511",
    name: "insecure-url",
    severity: Severity::Warning,
    tier: Tier::Harms,
    origin: Origin::Field("skillshare insecure-http, Snyk agent-scan E005"),
    why: "Anyone between the agent and the host can read and change what is transferred without TLS.",
    fix: "Use https; if the host does not support it, download the content once, check it, and include it in the \
          skill.",
    params: &[],
    patterns: &[Pattern { needles: || &["http://"], regex: r"(?i-u)\bhttp://(?:[!#-&(-;=?-_a-~])+" }],
    good: &[Example::new(&[(
        "SKILL.md",
        crate::skill_md!(
            "See https://docs.rs.\n\n```sh\ncurl http://localhost:3000/health\n```\n\n```xml\n<a xmlns=\"http://www.w3.org/2000/svg\"/>\n```\n"
        ),
    )])],
    bad: &[Example::new(&[(
        "SKILL.md",
        crate::skill_md!("```sh\ncurl -O http://downloads.acme-tools.com/data.csv\n```\n"),
    )])],
    check: Check::File(check),
};

/// Hosts of URLs that are identifiers and are not fetched.
const NAMESPACES: &str = "www.w3.org|w3.org|schemas.microsoft.com|schemas.openxmlformats.org|schemas.xmlsoap.org|schemas.android.com|schemas.datacontract.org|\
    purl.org|purl.oclc.org|purl.obolibrary.org|json-schema.org|www.sitemaps.org|maven.apache.org|adaptivecards.io|ns.adobe.com|java.sun.com|xmlns.jcp.org|\
    xmlns.com|www.opengis.net|ogp.me|schema.org|schema.management.azure.com|www.springframework.org|relaxng.org|docbook.org|www.topografix.com|xml.apache.org|\
    docs.oasis-open.org|www.oasis-open.org|www.apple.com|www.apache.org|apache.org|opensource.org|creativecommons.org|www.gnu.org|gnu.org|mozilla.org|\
    scripts.sil.org|unlicense.org|www.omg.org|spec.graphql.org|rdfs.org|dublincore.org|www.ebi.ac.uk|identifiers.org|semanticscience.org|dbpedia.org|\
    www.wikidata.org|wikidata.org|rdf.data-vocabulary.org|sqlalche.me|xsd.io|jabber.org|etherx.jabber.org|www.xfa.org|tempuri.org|logback.qos.ch|www.jetbrains.com|\
    www.inkscape.org|sodipodi.sourceforge.net|www.freedesktop.org|projectreactor.io|hl7.org|unitsofmeasure.org|loinc.org|snomed.info|www.nlm.nih.gov|terminology.hl7.org";
/// Words in a line that uses URLs as identifiers.
const NAMING: &str = "xmlns|schemalocation|doctype|@prefix|prefix |\"@context\"|\"$schema\"|namespace|rdf:|\"system\"|<rdf|identifier|targetnamespace|urn:|dtd";
/// Host labels that refer to the reader's own machine or network.
const FILLERS: &str = "target|victim|your|yourdomain|yoursite|mysite|mydomain|myapp|example|host|hostname|server|domain|test|foo|bar|site|website|url|some|company|app|api|internal|vulnerable|attacker|evil|address|ip";
/// Commands that download.
const FETCHERS: &str = "curl|wget|git |pip|npm|yarn|apt|deb |rpm|invoke-|iwr |irm |http |fetch|requests.|urlopen|axios|download|add |docker|brew|gem |cargo|go get|open |svn |hg |rsync|ftp|proxy|index-url|registry|repo|url|endpoint|host";

fn check(view: &FileView<'_>, report: &mut Report<'_>) {
    let found = hits::unwarned(view.file, &RULE).filter(|hit| is_insecure(view.file, hit));
    let places: Vec<_> =
        found.map(|hit| hit.span.start..hit.span.start + shown(view.file.slice(&hit.span)).len()).collect();
    hits::once(report, places.into_iter(), |span| {
        format!("URL '{}' does not use TLS", view.file.slice(span))
    });
}

/// The URL without the punctuation that ends the sentence around it.
fn shown(address: &str) -> &str {
    address.trim_end_matches(['.', ',', ';', ':', ')', ']', '!', '?', '*', '_', '|', '\'', '`'])
}

fn is_insecure(file: &LintFile, hit: &PatternHit) -> bool {
    let address = file.slice(&hit.span);
    let Some(name) = host::host_of(address) else { return false };
    // A numeric address has a rule of its own.
    let is_public = host::kind(name) == host::Host::Named;
    is_public && is_plain(name) && !is_listed(NAMESPACES, name) && !is_filler(name) && is_used(file, hit)
}

/// Whether a host is complete, without placeholders.
fn is_plain(name: &str) -> bool {
    name.bytes().all(|byte| byte.is_ascii_alphanumeric() || b".-".contains(&byte))
        && name.bytes().any(|b| b.is_ascii_lowercase() || b.is_ascii_digit())
}

fn is_filler(name: &str) -> bool {
    let own = name.rsplit('.').nth(1).unwrap_or_default();
    is_listed(FILLERS, own.trim_end_matches(|c: char| c.is_ascii_digit()))
        || own.starts_with("your")
        || own.starts_with("my-")
        || own.starts_with("target")
}

fn is_listed(list: &str, word: &str) -> bool {
    list.split('|').any(|listed| listed.eq_ignore_ascii_case(word))
}

/// Whether the URL is a link, or is in a command or script that downloads.
fn is_used(file: &LintFile, hit: &PatternHit) -> bool {
    let Some(text) = file.text.as_deref() else { return false };
    let line = text[context_window::line(text, hit.span.start)].to_ascii_lowercase();
    if NAMING.split('|').any(|word| line.contains(word)) {
        return false;
    }
    match code_context::context_at(file, hit.span.start) {
        CodeContext::Prose => {
            !text[..hit.span.start].ends_with(['"', '\'']) || line.contains("href=") || line.contains("src=")
        }
        // Inline code that consists of the URL is a link.
        CodeContext::Inline if is_alone(file, hit) => true,
        CodeContext::Block(Language::Shell | Language::Windows | Language::Unknown)
        | CodeContext::Inline
        | CodeContext::File(_) => {
            !code_context::is_comment(file, hit.span.start) && FETCHERS.split('|').any(|word| line.contains(word))
        }
        CodeContext::Block(_) | CodeContext::FrontMatterState => false,
    }
}

fn is_alone(file: &LintFile, hit: &PatternHit) -> bool {
    code_context::inline(file, hit.span.start)
        .is_some_and(|code| hit.span.start <= code.start + 2 && code.end <= hit.span.end + 2)
}
