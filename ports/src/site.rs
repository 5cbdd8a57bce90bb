//! Files on web sites.

use crate::error::{ErrorKind, PortError};
use std::time::Duration;

/// A server's response.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SiteResponse {
    /// The URL of the file, after redirects.
    pub url: String,
    /// The HTTP status.
    pub status: u16,
    /// The body.
    pub bytes: Vec<u8>,
}

impl SiteResponse {
    /// Whether the status is a success, so that the body is the file.
    pub fn is_success(&self) -> bool {
        (200..300).contains(&self.status)
    }
}

/// Reads files of web sites as a client would. Sends nothing but their URLs, and caches nothing.
pub trait SiteReader: Send + Sync {
    /// The absolute URL of a reference in a file at `base`; `base` itself for an empty reference.
    ///
    /// # Errors
    /// `Invalid` for a URL that is not http or https, that has a user name or password, or that leads from https to
    /// http; `Unsupported` if the program was built without HTTP.
    fn resolve(&self, base: &str, reference: &str) -> Result<String, PortError>;

    /// Reads a file. Follows redirects to URLs that `resolve` permits. Never reads more than `bytes_max` bytes or
    /// takes longer than `time_max`, including all redirects.
    ///
    /// # Errors
    /// `Invalid` for a URL or a redirect that is not permitted, and after too many redirects; `TooLarge`;
    /// `OutOfTime`; `Insecure` if TLS fails; `Unreachable` if no server answers or the answer is not HTTP;
    /// `Unsupported`. Any status is a response.
    fn get(&self, url: &str, bytes_max: u64, time_max: Duration) -> Result<SiteResponse, PortError>;
}

/// The reader of a program that was built without HTTP: every call fails with `Unsupported`.
#[derive(Clone, Copy, Debug, Default)]
pub struct UnsupportedSiteReader;

impl SiteReader for UnsupportedSiteReader {
    fn resolve(&self, _: &str, _: &str) -> Result<String, PortError> {
        Err(PortError::new(ErrorKind::Unsupported, "read a web site"))
    }

    fn get(&self, _: &str, _: u64, _: Duration) -> Result<SiteResponse, PortError> {
        Err(PortError::new(ErrorKind::Unsupported, "read a web site"))
    }
}
