//! Reads the files of a site from where clients look for them, within limits.

use super::publish::{FOLDER, INDEX};
use crate::app::App;
use crate::failure::Failure;
use skillc_domain::fault::Fault;
use skillc_lint::pack::DiscoveryFlaw;
use skillc_ports::{ErrorKind, Patience, PortError, SiteResponse};
use std::time::Duration;

/// The folder in which clients look if the first has no index.
const OLD_FOLDER: &str = ".well-known/skills";
/// Maximum size of an index in bytes: two thousand skills with descriptions of usual length.
const INDEX_BYTES_MAX: u64 = 1024 * 1024;
/// Maximum size of a skill's file in bytes, as limited by clients.
const FILE_BYTES_MAX: u64 = 50 * 1024 * 1024;
/// Limit for one file: 50 MiB at 7 Mbit/s.
const FILE_TIME_MAX: Duration = Duration::from_secs(60);

/// Reads the first index in the places where clients look.
pub(super) fn read_index(app: &App, address: &str) -> Result<SiteResponse, Failure> {
    let invalid =
        "must be an address that begins with 'http://' or 'https://' and has no user name or password";
    let base = app.ports.sites.resolve(address, "").map_err(|error| match error.kind {
        ErrorKind::Unsupported => Failure::because(unsupported(), error),
        _ => Failure::because(Fault::invalid_argument("check", invalid), error),
    })?;
    let mut missing = None;
    for url in index_urls(&base) {
        let read = app.ports.sites.get(&url, INDEX_BYTES_MAX, FILE_TIME_MAX);
        match read.map_err(|error| unreadable(&url, error))? {
            response if response.is_success() => return Ok(response),
            response => missing = missing.or(Some((url, response.status))),
        }
    }
    let (address, status) = missing.unwrap_or((base, 404));
    Err(unusable(&address, responded(status), "upload the folder '.well-known' to the root of the server")
        .into())
}

/// The URLs at which clients look for the index of an address, in order.
fn index_urls(address: &str) -> Vec<String> {
    let path = address.split(['?', '#']).next().unwrap_or_default();
    let base = path.trim_end_matches('/');
    if base.ends_with(".json") {
        return vec![address.to_owned()];
    }
    if base.ends_with(FOLDER) || base.ends_with(OLD_FOLDER) {
        return vec![format!("{base}/{INDEX}")];
    }
    [FOLDER, OLD_FOLDER].map(|folder| format!("{base}/{folder}/{INDEX}")).to_vec()
}

/// Reads the file of a skill that the index names.
pub(super) fn read_file(
    app: &App,
    index: &str,
    reference: &str,
    patience: &Patience,
) -> Result<SiteResponse, DiscoveryFlaw> {
    const ADVICE: &str = "upload the file that the index names, and check its address in a browser";
    if patience.is_over() {
        let message = "its file was not read because the check took too long";
        return Err(DiscoveryFlaw::new(message, "check it again when the server is faster"));
    }
    let sites = &app.ports.sites;
    let url = sites.resolve(index, reference).map_err(|_| {
        let message = "its url is not http or https, has a password, or leads from https to http";
        DiscoveryFlaw::new(message, "use an address relative to the index")
    })?;
    let failed = |error: PortError| {
        let message = format!("cannot read '{url}': {}", reason(&error, FILE_BYTES_MAX));
        DiscoveryFlaw::new(message, ADVICE)
    };
    let response = sites.get(&url, FILE_BYTES_MAX, FILE_TIME_MAX).map_err(failed)?;
    match response.is_success() {
        true => Ok(response),
        false => Err(DiscoveryFlaw::new(
            format!("cannot read '{}': {}", response.url, responded(response.status)),
            ADVICE,
        )),
    }
}

fn unreadable(url: &str, error: PortError) -> Failure {
    let fault = match error.kind {
        ErrorKind::Unsupported => unsupported(),
        _ => {
            let advice = "check the address, the network and the server, then run it again";
            unusable(url, reason(&error, INDEX_BYTES_MAX), advice)
        }
    };
    Failure::because(fault, error)
}

pub(super) fn unusable(address: &str, message: String, advice: &str) -> Fault {
    Fault::SiteUnreadable { address: address.to_owned(), message, advice: advice.to_owned() }
}

fn unsupported() -> Fault {
    Fault::FeatureMissing { feature: "http".to_owned() }
}

fn reason(error: &PortError, bytes_max: u64) -> String {
    match error.kind {
        ErrorKind::TooLarge => format!("it has more than {bytes_max} bytes"),
        ErrorKind::OutOfTime => format!("it took longer than {} seconds", FILE_TIME_MAX.as_secs()),
        ErrorKind::Invalid => {
            "the server redirects to an address that clients do not follow, or too often".to_owned()
        }
        _ => error.reason().to_owned(),
    }
}

fn responded(status: u16) -> String {
    format!("the server responded with status {status}")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// RFC-0015:C-PUBLISH-CHECK
    #[test]
    fn an_index_is_looked_for_where_clients_look() {
        let new = "https://a.example/x/.well-known/agent-skills/index.json";
        let old = "https://a.example/x/.well-known/skills/index.json";
        for (address, expected) in [
            ("https://a.example/x", &[new, old][..]),
            ("https://a.example/x/?y#z", &[new, old]),
            ("https://a.example/x/.well-known/agent-skills/", &[new]),
            (new, &[new]),
        ] {
            assert_eq!(index_urls(address), expected, "{address}");
        }
    }
}
