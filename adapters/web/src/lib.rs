//! Reads files of web sites, within limits.
//!
//! Terms are defined in the [glossary](skillc_domain::glossary).

mod address;

use skillc_ports::{ErrorKind, PortError, SiteReader, SiteResponse};
use std::io::Read;
use std::time::{Duration, Instant};
use ureq::http::header::LOCATION;
use ureq::{Agent, Body};
use url::Url;

/// Maximum number of redirects: far more than sites usually need.
const REDIRECTS_MAX: usize = 5;

/// Reads over HTTP/1.1, with TLS for https.
#[derive(Clone, Debug)]
pub struct HttpSiteReader {
    agent: Agent,
}

impl Default for HttpSiteReader {
    fn default() -> Self {
        // Redirects are followed here, since the library would follow them to any URL.
        let config = Agent::config_builder()
            .max_redirects(0)
            .max_redirects_will_error(false)
            .http_status_as_error(false)
            .user_agent(concat!("skc/", env!("CARGO_PKG_VERSION")))
            .build();
        Self { agent: config.into() }
    }
}

impl SiteReader for HttpSiteReader {
    fn resolve(&self, base: &str, reference: &str) -> Result<String, PortError> {
        address::resolve(base, reference).map(String::from)
    }

    fn get(&self, url: &str, bytes_max: u64, time_max: Duration) -> Result<SiteResponse, PortError> {
        let ends = Instant::now() + time_max;
        let mut url = address::resolve(url, "")?;
        for _ in 0..=REDIRECTS_MAX {
            let response = self.request(&url, ends)?;
            match redirect(&url, &response)? {
                Some(next) => url = next,
                None => return read(&url, response, bytes_max),
            }
        }
        Err(PortError::new(ErrorKind::Invalid, doing(&url)))
    }
}

type HttpResponse = ureq::http::Response<Body>;

impl HttpSiteReader {
    fn request(&self, url: &Url, ends: Instant) -> Result<HttpResponse, PortError> {
        let left = ends.saturating_duration_since(Instant::now()).max(Duration::from_millis(1));
        let request = self.agent.get(url.as_str()).config().timeout_global(Some(left)).build();
        request.call().map_err(|error| failure(url, error))
    }
}

/// The URL to which a response redirects.
fn redirect(url: &Url, response: &HttpResponse) -> Result<Option<Url>, PortError> {
    if !matches!(response.status().as_u16(), 301 | 302 | 303 | 307 | 308) {
        return Ok(None);
    }
    let location = response.headers().get(LOCATION).and_then(|location| location.to_str().ok());
    location.map(|location| address::resolve(url.as_str(), location)).transpose()
}

fn read(url: &Url, mut response: HttpResponse, bytes_max: u64) -> Result<SiteResponse, PortError> {
    let status = response.status().as_u16();
    let mut bytes = Vec::new();
    // One extra byte reveals a longer file.
    let mut body = response.body_mut().as_reader().take(bytes_max + 1);
    body.read_to_end(&mut bytes).map_err(|error| failure(url, ureq::Error::from(error)))?;
    if bytes.len() as u64 > bytes_max {
        return Err(PortError::new(ErrorKind::TooLarge, doing(url)));
    }
    Ok(SiteResponse { url: url.to_string(), status, bytes })
}

fn failure(url: &Url, error: ureq::Error) -> PortError {
    let kind = match &error {
        ureq::Error::Timeout(_) => ErrorKind::OutOfTime,
        ureq::Error::Tls(_) | ureq::Error::Rustls(_) => ErrorKind::Insecure,
        _ => ErrorKind::Unreachable,
    };
    PortError::new(kind, doing(url)).caused_by(error)
}

fn doing(url: &Url) -> String {
    format!("read '{url}'")
}

#[cfg(test)]
mod tests;
