//! Hosts in URLs, and the kind of machine that each names.

use core::net::{IpAddr, Ipv4Addr, Ipv6Addr};

/// The kind of machine that a host names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Host {
    /// This machine.
    Loopback,
    /// A network that the public one cannot reach: private and link-local addresses, names without a dot or under a
    /// local domain.
    Private,
    /// Names reserved for documentation, and addresses that no machine has.
    Reserved,
    /// A public IP address.
    PublicNumber,
    /// A name under a public domain.
    Named,
}

/// Domains that never lead to the public network (RFC 2606, RFC 6761, RFC 6762, RFC 8375, RFC 9476), and those that
/// private networks commonly use.
const LOCAL_DOMAINS: &[&str] = &[
    "localhost",
    "local",
    "internal",
    "intranet",
    "lan",
    "corp",
    "home",
    "arpa",
    "svc",
    "cluster",
    "private",
];
/// Domains for documentation and tests (RFC 2606), and `onion`.
const DOCUMENT_DOMAINS: &[&str] = &["example", "test", "invalid", "alt"];

/// The host of a URL, without user, port and path; `None` without a scheme.
pub fn host_of(address: &str) -> Option<&str> {
    let (_, rest) =
        address.split_once("://").or_else(|| address.strip_prefix("//").map(|rest| ("", rest)))?;
    let authority = rest.split(['/', '?', '#', '\\', ' ', '"', '\'', '`', '<', '>', ')', '\n']).next()?;
    let host = authority.rsplit_once('@').map_or(authority, |(_, host)| host);
    if let Some(end) = host.strip_prefix('[').and_then(|inner| inner.find(']')) {
        return host.get(..end + 2);
    }
    host.split(':').next().filter(|host| !host.is_empty())
}

/// The kind of machine that a host names.
pub fn kind(host: &str) -> Host {
    let host = host.trim_end_matches('.').to_ascii_lowercase();
    if let Some(address) = number(&host) {
        return kind_of_number(address);
    }
    let last = host.rsplit('.').next().unwrap_or_default();
    if host == "localhost" || last == "localhost" {
        return Host::Loopback;
    }
    if DOCUMENT_DOMAINS.contains(&last) || is_document_name(&host) {
        return Host::Reserved;
    }
    if !host.contains('.') || LOCAL_DOMAINS.contains(&last) { Host::Private } else { Host::Named }
}

/// Whether a host is `example.com` or the like, or below it.
fn is_document_name(host: &str) -> bool {
    ["example.com", "example.org", "example.net", "example.edu"]
        .iter()
        .any(|name| host.strip_suffix(name).is_some_and(|rest| rest.is_empty() || rest.ends_with('.')))
}

/// Parses a numeric host in every notation that HTTP clients accept: dotted, a single number, hexadecimal, octal,
/// IPv6.
pub fn number(host: &str) -> Option<IpAddr> {
    if let Some(inner) = host.strip_prefix('[').and_then(|host| host.strip_suffix(']')) {
        return inner.parse::<Ipv6Addr>().ok().map(IpAddr::V6);
    }
    let parts: Vec<u32> = host.split('.').map(part).collect::<Option<_>>()?;
    let (last, firsts) = parts.split_last()?;
    let room = 4_usize.checked_sub(firsts.len())?;
    let is_small = firsts.iter().all(|part| *part < 256) && (room == 4 || u64::from(*last) < 1 << (8 * room));
    // A small number is a container's name, a page or a count, but hardly an address.
    if !is_small || (room == 4 && *last < 1 << 24) {
        return None;
    }
    let high = firsts.iter().enumerate().fold(0, |sum, (at, part)| sum | part << (24 - 8 * at));
    Some(IpAddr::V4(Ipv4Addr::from(high | last)))
}

fn part(text: &str) -> Option<u32> {
    if let Some(digits) = text.strip_prefix("0x") {
        return u32::from_str_radix(digits, 16).ok();
    }
    let is_octal = text.len() > 1 && text.starts_with('0') && text.bytes().all(|b| b.is_ascii_digit());
    if is_octal { u32::from_str_radix(text, 8).ok() } else { text.parse().ok() }
}

fn kind_of_number(address: IpAddr) -> Host {
    match address {
        IpAddr::V4(v4) => kind_of_v4(v4),
        IpAddr::V6(v6) => match v6.to_ipv4_mapped() {
            Some(v4) => kind_of_v4(v4),
            None if v6.is_loopback() => Host::Loopback,
            None if v6.is_unspecified() || v6.is_multicast() || v6.segments()[..2] == [0x2001, 0xdb8] => {
                Host::Reserved
            }
            None if v6.segments()[0] & 0xfe00 == 0xfc00 || v6.segments()[0] & 0xffc0 == 0xfe80 => {
                Host::Private
            }
            None => Host::PublicNumber,
        },
    }
}

fn kind_of_v4(address: Ipv4Addr) -> Host {
    let is_shared = address.octets()[0] == 100 && address.octets()[1] & 0xc0 == 64;
    if address.is_loopback() {
        Host::Loopback
    } else if address.is_private() || address.is_link_local() || is_shared {
        Host::Private
    } else if address.is_documentation() || address.octets()[0] == 0 || address.octets()[0] >= 224 {
        Host::Reserved
    } else {
        Host::PublicNumber
    }
}

/// Whether a host is a name itself or a subdomain of it.
pub fn is_below(host: &str, name: &str) -> bool {
    let Some(cut) = host.len().checked_sub(name.len()) else { return false };
    host.get(cut..).is_some_and(|end| end.eq_ignore_ascii_case(name))
        && (cut == 0 || host.as_bytes()[cut - 1] == b'.')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_host_is_what_a_browser_would_ask() {
        for (address, expected) in [
            ("https://a.b:8080/x", Some("a.b")),
            ("https://example.com@evil.io/x", Some("evil.io")),
            ("http://[::1]:80/", Some("[::1]")),
            ("//cdn.io/x", Some("cdn.io")),
            ("https://", None),
            ("mailto:x", None),
            ("https://é.fr?x", Some("é.fr")),
        ] {
            assert_eq!(host_of(address), expected, "{address}");
        }
    }

    #[test]
    fn a_host_is_told_apart_by_where_it_leads() {
        for (host, expected) in [
            ("127.0.0.1", Host::Loopback),
            ("localhost", Host::Loopback),
            ("[::1]", Host::Loopback),
            ("10.1.2.3", Host::Private),
            ("100.64.0.1", Host::Private),
            ("169.254.169.254", Host::Private),
            ("[fe80::1]", Host::Private),
            ("printer", Host::Private),
            ("db.internal", Host::Private),
            ("203.0.113.9", Host::Reserved),
            ("0.0.0.0", Host::Reserved),
            ("api.example.com", Host::Reserved),
            ("x.test", Host::Reserved),
            ("45.33.32.156", Host::PublicNumber),
            ("0x2d21209c", Host::PublicNumber),
            ("757145756", Host::PublicNumber),
            ("[2a00:1450::1]", Host::PublicNumber),
            ("myexample.com", Host::Named),
            ("1.2.3.4.io", Host::Named),
            ("1.2.3.4.5", Host::Named),
            ("999.1.1.1", Host::Named),
        ] {
            assert_eq!(kind(host), expected, "{host}");
        }
        assert!(is_below("www.bit.ly", "bit.ly") && is_below("BIT.ly", "bit.ly"));
        assert!(!is_below("rabbit.ly", "bit.ly") && !is_below("ly", "bit.ly"));
    }
}
