//! Downloads a model from the hub, and resumes interrupted downloads.

use crate::check::{self, io_error};
use skillc_domain::model::{EmbeddingModel, ModelFile, ModelFlaw};
use skillc_ports::{ErrorKind, PortError, Progress};
use std::fs::{self, OpenOptions};
use std::io::{Read, Write};
use std::path::Path;
use std::time::{Duration, Instant};
use ureq::http::StatusCode;
use ureq::http::header::{CONTENT_RANGE, RANGE};
use ureq::{Agent, Body};

/// Limit for connecting to the hub.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(15);
/// Limit until the response begins.
const RESPONSE_TIMEOUT: Duration = Duration::from_secs(60);
/// Limit for receiving one file: 91 MB at 50 kB per second. Bytes received until then are kept for the next attempt.
const BODY_TIMEOUT: Duration = Duration::from_secs(30 * 60);
/// Bytes written at a time.
const BLOCK_BYTES: usize = 64 * 1024;

/// Limits on waiting for a slow hub and for another installation.
#[derive(Clone, Copy, Debug)]
pub(crate) struct HubLimits {
    /// How long no bytes may arrive.
    pub silence_max: Duration,
    /// The interval over which the speed is measured.
    pub pace_time: Duration,
    /// Minimum number of bytes in each interval.
    pub pace_bytes_min: u64,
    /// How long to wait for another installation.
    pub install_max: Duration,
}

impl Default for HubLimits {
    /// A modem reaches five times 64 KiB per minute; at 6 Mbit/s the whole model takes two minutes.
    fn default() -> Self {
        Self {
            silence_max: Duration::from_secs(30),
            pace_time: Duration::from_secs(60),
            pace_bytes_min: 64 * 1024,
            install_max: Duration::from_secs(120),
        }
    }
}

type HubResponse = ureq::http::Response<Body>;

/// A download into one folder.
pub(crate) struct Download<'a> {
    agent: Agent,
    model: &'a EmbeddingModel,
    address: &'a str,
    stage: &'a Path,
    limits: HubLimits,
    progress: &'a dyn Progress,
}

impl<'a> Download<'a> {
    /// File names are appended to `address`.
    pub(crate) fn new(
        model: &'a EmbeddingModel,
        address: &'a str,
        stage: &'a Path,
        limits: HubLimits,
        progress: &'a dyn Progress,
    ) -> Self {
        let config = Agent::config_builder()
            .timeout_connect(Some(CONNECT_TIMEOUT))
            .timeout_recv_response(Some(RESPONSE_TIMEOUT))
            .timeout_recv_body(Some(BODY_TIMEOUT))
            .timeout_per_read(Some(limits.silence_max))
            .http_status_as_error(false)
            .user_agent(concat!("skc/", env!("CARGO_PKG_VERSION")))
            .build();
        Self { agent: config.into(), model, address, stage, limits, progress }
    }

    /// Downloads and checks every missing file.
    pub(crate) fn all(&self) -> Result<(), PortError> {
        self.progress.begin(&format!("Fetching {}", self.model.name), self.model.bytes());
        let fetched = self.model.files.iter().try_for_each(|file| self.download_file(file));
        self.progress.end();
        fetched
    }

    fn download_file(&self, file: &ModelFile) -> Result<(), PortError> {
        let whole = self.stage.join(file.name);
        if length(&whole) == file.bytes {
            self.progress.advance(file.bytes);
            return Ok(());
        }
        let part = self.stage.join(format!("{}.part", file.name));
        if length(&part) < file.bytes {
            self.download_rest(file, &part)?;
        }
        // From the first byte, since an earlier attempt may have written part of the file.
        let digest = check::digest(&part, &skillc_ports::Quiet)?;
        if let Err(flaw) = file.check_length(length(&part)).and_then(|()| file.check_digest(digest)) {
            fs::remove_file(&part).map_err(io_error("remove", &part))?;
            return Err(PortError::new(ErrorKind::Corrupt, self.doing(file)).caused_by(flaw));
        }
        fs::rename(&part, &whole).map_err(io_error("write", &whole))
    }

    /// Appends the missing bytes; starts over if the hub does not support ranges.
    fn download_rest(&self, file: &ModelFile, part: &Path) -> Result<(), PortError> {
        let have = length(part);
        let response = self.request(file, have)?;
        match response.status() {
            StatusCode::PARTIAL_CONTENT if range_start(&response) == Some(have) => {
                self.write_body(file, part, have, response)
            }
            StatusCode::OK => self.write_body(file, part, 0, response),
            StatusCode::NOT_FOUND | StatusCode::GONE => {
                let flaw = ModelFlaw::Missing { file: file.name };
                Err(PortError::new(ErrorKind::NotFound, self.doing(file)).caused_by(flaw))
            }
            StatusCode::UNAUTHORIZED | StatusCode::FORBIDDEN => {
                Err(PortError::new(ErrorKind::Denied, self.doing(file)))
            }
            status => Err(self.unreachable(file, format!("the hub responded with {status}").into())),
        }
    }

    fn request(&self, file: &ModelFile, have: u64) -> Result<HubResponse, PortError> {
        let request = self.agent.get(format!("{}/{}", self.address, file.name));
        let request = if have > 0 { request.header(RANGE, format!("bytes={have}-")) } else { request };
        request.call().map_err(|error| match error {
            ureq::Error::BadUri(_) | ureq::Error::Http(_) => {
                PortError::new(ErrorKind::Invalid, self.doing(file)).caused_by(error)
            }
            error => self.unreachable(file, error.into()),
        })
    }

    fn write_body(
        &self,
        file: &ModelFile,
        part: &Path,
        from: u64,
        mut response: HubResponse,
    ) -> Result<(), PortError> {
        let failed = io_error("write", part);
        let mut options = OpenOptions::new();
        let options =
            if from > 0 { options.append(true) } else { options.write(true).create(true).truncate(true) };
        let mut target = options.open(part).map_err(failed)?;
        self.progress.advance(from);
        // One extra byte reveals a longer file.
        let mut body = response.body_mut().as_reader().take(file.bytes - from + 1);
        let (mut block, mut throughput) = (vec![0; BLOCK_BYTES], Throughput::begin(self.limits));
        loop {
            let read = match body.read(&mut block) {
                Ok(0) => break,
                Ok(read) => read,
                Err(error) if is_timeout(&error) => return Err(self.stalled(file).caused_by(error)),
                Err(error) => return Err(self.unreachable(file, error.into())),
            };
            target.write_all(&block[..read]).map_err(failed)?;
            self.progress.advance(read as u64);
            if !throughput.is_sufficient(read as u64) {
                return Err(self.stalled(file));
            }
        }
        target.sync_all().map_err(failed)
    }

    fn doing(&self, file: &ModelFile) -> String {
        format!("fetch '{}/{}'", self.address, file.name)
    }

    fn stalled(&self, file: &ModelFile) -> PortError {
        PortError::new(ErrorKind::Stalled, self.doing(file))
    }

    fn unreachable(&self, file: &ModelFile, error: Box<dyn std::error::Error + Send + Sync>) -> PortError {
        PortError::new(ErrorKind::Unreachable, self.doing(file)).caused_by(error)
    }
}

/// Measures the download speed.
struct Throughput {
    limits: HubLimits,
    since: Instant,
    bytes: u64,
}

impl Throughput {
    fn begin(limits: HubLimits) -> Self {
        Self { limits, since: Instant::now(), bytes: 0 }
    }

    /// Counts received bytes; returns false after an interval with too few.
    fn is_sufficient(&mut self, bytes: u64) -> bool {
        self.bytes += bytes;
        if self.since.elapsed() < self.limits.pace_time {
            return true;
        }
        let is_sufficient = self.bytes >= self.limits.pace_bytes_min;
        *self = Self::begin(self.limits);
        is_sufficient
    }
}

/// Whether an error means that no bytes arrived in time.
fn is_timeout(error: &std::io::Error) -> bool {
    let inner = error.get_ref().and_then(|inner| inner.downcast_ref::<ureq::Error>());
    matches!(inner, Some(ureq::Error::Timeout(_)))
}

/// The size of a file; 0 if it is missing.
fn length(path: &Path) -> u64 {
    fs::metadata(path).map_or(0, |metadata| metadata.len())
}

/// The first byte of a range such as `bytes 100-999/1000`.
fn range_start(response: &HubResponse) -> Option<u64> {
    let range = response.headers().get(CONTENT_RANGE)?.to_str().ok()?;
    range.strip_prefix("bytes ")?.split('-').next()?.parse().ok()
}
