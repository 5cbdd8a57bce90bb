//! Web sites, as a map from URLs to files.

use skillc_ports::{ErrorKind, PortError, SiteReader, SiteResponse};
use std::collections::BTreeMap;
use std::time::Duration;

/// Sites whose servers answer at once; every other URL is unreachable.
#[derive(Clone, Debug, Default)]
pub struct MemorySiteReader {
    files: BTreeMap<String, Vec<u8>>,
}

impl MemorySiteReader {
    /// Adds a file.
    pub fn with(mut self, url: &str, bytes: impl AsRef<[u8]>) -> Self {
        self.files.insert(url.to_owned(), bytes.as_ref().to_vec());
        self
    }
}

impl SiteReader for MemorySiteReader {
    fn resolve(&self, base: &str, reference: &str) -> Result<String, PortError> {
        let url = match reference {
            "" => base.to_owned(),
            absolute if absolute.contains(':') => absolute.to_owned(),
            relative => format!("{}/{relative}", base.rsplit_once('/').map_or(base, |(folder, _)| folder)),
        };
        let is_permitted =
            url.starts_with("https://") || url.starts_with("http://") && base.starts_with("http://");
        if is_permitted { Ok(url) } else { Err(PortError::new(ErrorKind::Invalid, "read a web site")) }
    }

    fn get(&self, url: &str, bytes_max: u64, _: Duration) -> Result<SiteResponse, PortError> {
        let failed = |kind| PortError::new(kind, format!("read '{url}'"));
        let url = self.resolve(url, "")?;
        let bytes = self.files.get(&url).ok_or_else(|| failed(ErrorKind::Unreachable))?;
        if bytes.len() as u64 > bytes_max {
            return Err(failed(ErrorKind::TooLarge));
        }
        Ok(SiteResponse { url, status: 200, bytes: bytes.clone() })
    }
}
