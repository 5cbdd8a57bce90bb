//! Rules for servers that are reached over HTTP, and for secrets in any server.

use super::common::GOOD;
use super::mcp_shape::{SHAPE, server, texts_of};
use crate::plugin::rule::{PluginEffect, PluginReport, PluginRule};
use crate::security::secret_value::{is_made_up, is_random};
use skillc_domain::json::JsonNode;

pub static URL: PluginRule = PluginRule {
    id: "PLG208",
    name: "mcp-server-url",
    effect: PluginEffect::PartDropped,
    why: "'url' is an absolute address with HTTPS, or with HTTP on this machine, without user information or a fragment. Otherwise clients skip the server. Placeholders in it are not replaced.",
    fix: "Write an address such as https://mcp.example.com/mcp.",
    source: "https://github.com/agentplugins/agent-plugins-spec spec/1.0.0.md 7.2.1",
    bad: &[
        ("plugin.json", GOOD),
        ("mcp.json", server!("\"type\": \"streamable-http\", \"url\": \"http://mcp.example.com/mcp\"")),
    ],
    good: &[
        ("plugin.json", GOOD),
        ("mcp.json", server!("\"type\": \"streamable-http\", \"url\": \"https://mcp.example.com/mcp\"")),
    ],
};

pub static HEADERS: PluginRule = PluginRule {
    id: "PLG209",
    name: "mcp-server-headers",
    effect: PluginEffect::PartDropped,
    why: "Headers must be valid in HTTP, and each may occur only once, ignoring case. Otherwise clients skip the server.",
    fix: "Correct the header, or remove all but one of them.",
    source: "https://github.com/agentplugins/agent-plugins-spec spec/1.0.0.md 7.2.1",
    bad: &[
        ("plugin.json", GOOD),
        (
            "mcp.json",
            server!(
                "\"type\": \"sse\", \"url\": \"https://mcp.example.com/sse\", \"headers\": {\"X-Tenant\": \"a\", \"x-tenant\": \"b\"}"
            ),
        ),
    ],
    good: &[
        ("plugin.json", GOOD),
        (
            "mcp.json",
            server!(
                "\"type\": \"sse\", \"url\": \"https://mcp.example.com/sse\", \"headers\": {\"X-Tenant\": \"a\"}"
            ),
        ),
    ],
};

pub static SECRET: PluginRule = PluginRule {
    id: "PLG210",
    name: "mcp-server-secret",
    effect: PluginEffect::Nothing,
    why: "Headers and variables are part of the plugin: everyone who installs it can read them. Agent Plugins forbids secrets in both.",
    fix: "Remove the secret, revoke it, and let users set it in their own environment.",
    source: "https://github.com/agentplugins/agent-plugins-spec spec/1.0.0.md 7.2.1 and 9.2",
    bad: &[
        ("plugin.json", GOOD),
        (
            "mcp.json",
            server!(
                "\"type\": \"stdio\", \"command\": \"npx\", \"env\": {\"DEMO_TOKEN\": \"q7Zk91LmQ0vTx7Yb2Wc8Rf3D\"}"
            ),
        ),
    ],
    good: &[("plugin.json", GOOD), ("mcp.json", server!("\"type\": \"stdio\", \"command\": \"npx\""))],
};

pub(super) fn check(name: &str, node: &JsonNode, report: &mut PluginReport<'_>) {
    match node.get("url").map(|url| (url, url.text())) {
        None => report.add(&SHAPE, &node.span, format!("server '{name}' has no 'url'")),
        Some((url, None)) => {
            report.add(
                &SHAPE,
                &url.span,
                format!("'url' of server '{name}' is {}, not text", url.value.kind()),
            );
        }
        Some((node, Some(url))) => {
            if let Some(flaw) = url_flaw(url) {
                report.add(&URL, &node.span, format!("the address of server '{name}' {flaw}"));
            }
        }
    }
    texts_of(name, node, "headers", report);
    headers(name, node, report);
}

/// What is wrong with a server's URL.
pub(super) fn url_flaw(url: &str) -> Option<String> {
    if url.chars().any(|c| c.is_whitespace() || c.is_control()) {
        return Some("contains a blank".to_owned());
    }
    let Some((scheme, rest)) = url.split_once("://") else {
        return Some(format!("'{url}' is not absolute"));
    };
    let scheme = scheme.to_ascii_lowercase();
    if scheme != "https" && scheme != "http" {
        return Some(format!("is neither HTTP nor HTTPS but '{scheme}'"));
    }
    if url.contains('#') {
        return Some("has a fragment".to_owned());
    }
    let authority = rest.split(['/', '?', '\\']).next().unwrap_or_default();
    if authority.contains('@') {
        return Some("has user information".to_owned());
    }
    let host = host(authority);
    match host {
        None | Some("") => Some(format!("'{url}' has no host")),
        Some(host) if scheme == "http" && !is_loopback(host) => {
            Some(format!("uses HTTP, which is allowed only for this machine, and '{host}' is another one"))
        }
        Some(_) => None,
    }
}

/// The host without its port; `None` if the port is not a number.
fn host(authority: &str) -> Option<&str> {
    let (host, port) = match authority.strip_prefix('[') {
        Some(rest) => rest.split_once(']')?,
        None => authority.find(':').map_or((authority, ""), |at| authority.split_at(at)),
    };
    let is_port = |port: &str| port.is_empty() || port.parse::<u16>().is_ok();
    (port.is_empty() || port.strip_prefix(':').is_some_and(is_port)).then_some(host)
}

fn is_loopback(host: &str) -> bool {
    let is_byte = |part: &&str| {
        part.len() <= 3 && part.parse::<u8>().is_ok() && (*part == "0" || !part.starts_with('0'))
    };
    let parts: Vec<&str> = host.split('.').collect();
    let is_v4 = parts.len() == 4 && parts[0] == "127" && parts.iter().all(is_byte);
    host.eq_ignore_ascii_case("localhost") || is_v4 || ["::1", "0:0:0:0:0:0:0:1"].contains(&host)
}

fn headers(name: &str, node: &JsonNode, report: &mut PluginReport<'_>) {
    let headers = node.get("headers").map(JsonNode::members).unwrap_or_default();
    for (at, header) in headers.iter().enumerate() {
        let key = &header.key;
        if !is_token(key) {
            let message = format!(
                "'{}' in 'headers' of server '{name}' is not a valid header name",
                key.escape_debug()
            );
            report.add(&HEADERS, &header.key_span, message);
        }
        if header.node.text().is_some_and(|value| !is_field_value(value)) {
            let message = format!("the value of header '{key}' of server '{name}' is not valid in HTTP");
            report.add(&HEADERS, &header.node.span, message);
        }
        if headers[..at].iter().any(|before| before.key.eq_ignore_ascii_case(key)) {
            let message = format!("header '{key}' of server '{name}' occurs twice");
            report.add(&HEADERS, &header.key_span, message);
        }
    }
    secrets(name, node, "headers", report);
}

/// Reports values that look like secrets, in `env` or `headers`.
pub(super) fn secrets(name: &str, node: &JsonNode, key: &str, report: &mut PluginReport<'_>) {
    for member in node.get(key).map(JsonNode::members).unwrap_or_default() {
        let Some(value) = member.node.text() else { continue };
        let value = value.rsplit(' ').next().unwrap_or(value);
        if is_random(value) && !is_made_up(value) {
            let message = format!("'{}' in '{key}' of server '{name}' looks like a secret", member.key);
            report.add(&SECRET, &member.node.span, message);
        }
    }
}

/// Whether a text can be a header's name (RFC 9110).
fn is_token(name: &str) -> bool {
    !name.is_empty()
        && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(&byte))
}

/// Whether a text can be a header's value (RFC 9110): no control characters, and no white space at its ends.
fn is_field_value(value: &str) -> bool {
    value.trim_matches([' ', '\t']) == value && !value.chars().any(|c| c.is_control() && c != '\t')
}

#[cfg(test)]
mod tests {
    use super::*;

    /// RFC-0015:C-PLUGIN-SPEC
    #[test]
    fn the_address_of_a_server_is_checked_as_the_specification_says() {
        for url in [
            "https://a.b/mcp",
            "https://a.b",
            "HTTPS://a.b:8443/x?y=z",
            "http://localhost:3000/mcp",
            "http://127.0.0.1",
            "http://127.9.9.9:80/",
            "http://[::1]:9/x",
            "https://[2001:db8::1]/",
        ] {
            assert_eq!(url_flaw(url), None, "{url}");
        }
        for url in [
            "",
            "a.b/mcp",
            "//a.b",
            "ftp://a.b",
            "http://a.b",
            "https://u@a.b",
            "https://u:p@a.b",
            "https://a.b/#x",
            "https://",
            "https:///x",
            "http://localhost.example.com",
            "http://128.0.0.1",
            "https://a.b:x",
            "https://a b",
            "http://localhost@evil.example",
            "http://[::2]",
            "${URL}",
        ] {
            assert!(url_flaw(url).is_some(), "{url}");
        }
    }
}
