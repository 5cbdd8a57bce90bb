//! A model from the hub, in pieces if need be.

use crate::check;
use skillc_domain::model::{Model, ModelFile, ModelFlaw};
use skillc_ports::{ErrorKind, PortError, Progress};
use std::fs::{self, OpenOptions};
use std::io::{Read, Write};
use std::path::Path;
use std::time::{Duration, Instant};
use ureq::http::StatusCode;
use ureq::http::header::{CONTENT_RANGE, RANGE};
use ureq::{Agent, Body};

/// How long the hub may take to accept a connection.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(15);
/// How long it may take to begin its answer.
const ANSWER_TIMEOUT: Duration = Duration::from_secs(60);
/// How long the bytes of one file may take: 91 MB at 50 kB a second. What came until then stays.
const BODY_TIMEOUT: Duration = Duration::from_secs(30 * 60);
/// Bytes that are written at once.
const BLOCK_BYTES: usize = 64 * 1024;

/// How long a hub is put up with that sends nothing, or next to nothing.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Patience {
    /// How long it may send nothing.
    pub silence_max: Duration,
    /// How long its speed is measured.
    pub pace_time: Duration,
    /// Bytes that come in that time at least.
    pub pace_bytes_min: u64,
    /// How long an install waits for another one.
    pub install_max: Duration,
}

impl Default for Patience {
    /// A modem sends 64 KiB in a minute five times over; two minutes are enough for the whole model at 6 Mbit/s.
    fn default() -> Self {
        Self {
            silence_max: Duration::from_secs(30),
            pace_time: Duration::from_secs(60),
            pace_bytes_min: 64 * 1024,
            install_max: Duration::from_secs(120),
        }
    }
}

type Answer = ureq::http::Response<Body>;

/// What fetches into one folder.
pub(crate) struct Fetch<'a> {
    agent: Agent,
    model: &'a Model,
    address: &'a str,
    stage: &'a Path,
    patience: Patience,
    progress: &'a dyn Progress,
}

impl<'a> Fetch<'a> {
    /// From an address to which the names of files are appended.
    pub(crate) fn new(
        model: &'a Model,
        address: &'a str,
        stage: &'a Path,
        patience: Patience,
        progress: &'a dyn Progress,
    ) -> Self {
        let config = Agent::config_builder()
            .timeout_connect(Some(CONNECT_TIMEOUT))
            .timeout_recv_response(Some(ANSWER_TIMEOUT))
            .timeout_recv_body(Some(BODY_TIMEOUT))
            .timeout_per_read(Some(patience.silence_max))
            .http_status_as_error(false)
            .user_agent(concat!("skc/", env!("CARGO_PKG_VERSION")))
            .build();
        Self { agent: config.into(), model, address, stage, patience, progress }
    }

    /// Brings every file that is not there yet, and compares it.
    pub(crate) fn all(&self) -> Result<(), PortError> {
        self.progress.begin(&format!("Fetching {}", self.model.name), self.model.bytes());
        let fetched = self.model.files.iter().try_for_each(|file| self.file(file));
        self.progress.end();
        fetched
    }

    fn file(&self, file: &ModelFile) -> Result<(), PortError> {
        let whole = self.stage.join(file.name);
        if length(&whole) == file.bytes {
            self.progress.advance(file.bytes);
            return Ok(());
        }
        let part = self.stage.join(format!("{}.part", file.name));
        if length(&part) < file.bytes {
            self.rest(file, &part)?;
        }
        // Once more from the first byte: what came before an interruption counts as well.
        let digest = check::digest(&part, &skillc_ports::Quiet)?;
        if let Err(flaw) = file.check_length(length(&part)).and_then(|()| file.check_digest(digest)) {
            fs::remove_file(&part).map_err(|e| PortError::io(format!("remove '{}'", part.display()), e))?;
            return Err(PortError::new(ErrorKind::Corrupt, self.doing(file)).caused_by(flaw));
        }
        fs::rename(&part, &whole).map_err(|e| PortError::io(format!("write '{}'", whole.display()), e))
    }

    /// Appends what the part lacks; begins anew where the hub knows no parts.
    fn rest(&self, file: &ModelFile, part: &Path) -> Result<(), PortError> {
        let have = length(part);
        let answer = self.ask(file, have)?;
        match answer.status() {
            StatusCode::PARTIAL_CONTENT if begins_at(&answer) == Some(have) => {
                self.take(file, part, have, answer)
            }
            StatusCode::OK => self.take(file, part, 0, answer),
            StatusCode::NOT_FOUND | StatusCode::GONE => {
                let flaw = ModelFlaw::Missing { file: file.name };
                Err(PortError::new(ErrorKind::NotFound, self.doing(file)).caused_by(flaw))
            }
            StatusCode::UNAUTHORIZED | StatusCode::FORBIDDEN => {
                Err(PortError::new(ErrorKind::Denied, self.doing(file)))
            }
            status => Err(self.unreachable(file, format!("the hub answers {status}").into())),
        }
    }

    fn ask(&self, file: &ModelFile, have: u64) -> Result<Answer, PortError> {
        let request = self.agent.get(format!("{}/{}", self.address, file.name));
        let request = if have > 0 { request.header(RANGE, format!("bytes={have}-")) } else { request };
        request.call().map_err(|error| match error {
            ureq::Error::BadUri(_) | ureq::Error::Http(_) => {
                PortError::new(ErrorKind::Invalid, self.doing(file)).caused_by(error)
            }
            error => self.unreachable(file, error.into()),
        })
    }

    fn take(&self, file: &ModelFile, part: &Path, from: u64, mut answer: Answer) -> Result<(), PortError> {
        let doing = || format!("write '{}'", part.display());
        let mut options = OpenOptions::new();
        let options =
            if from > 0 { options.append(true) } else { options.write(true).create(true).truncate(true) };
        let mut target = options.open(part).map_err(|e| PortError::io(doing(), e))?;
        self.progress.advance(from);
        // One byte more than is missing tells that the file is another.
        let mut body = answer.body_mut().as_reader().take(file.bytes - from + 1);
        let (mut block, mut pace) = (vec![0; BLOCK_BYTES], Pace::begin(self.patience));
        loop {
            let read = match body.read(&mut block) {
                Ok(0) => break,
                Ok(read) => read,
                Err(error) if is_timeout(&error) => return Err(self.stalled(file).caused_by(error)),
                Err(error) => return Err(self.unreachable(file, error.into())),
            };
            target.write_all(&block[..read]).map_err(|e| PortError::io(doing(), e))?;
            self.progress.advance(read as u64);
            if !pace.is_kept(read as u64) {
                return Err(self.stalled(file));
            }
        }
        target.sync_all().map_err(|e| PortError::io(doing(), e))
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

/// How fast bytes come.
struct Pace {
    patience: Patience,
    since: Instant,
    bytes: u64,
}

impl Pace {
    fn begin(patience: Patience) -> Self {
        Self { patience, since: Instant::now(), bytes: 0 }
    }

    /// Takes what came; `false` when that was too little for too long.
    fn is_kept(&mut self, bytes: u64) -> bool {
        self.bytes += bytes;
        if self.since.elapsed() < self.patience.pace_time {
            return true;
        }
        let is_kept = self.bytes >= self.patience.pace_bytes_min;
        *self = Self::begin(self.patience);
        is_kept
    }
}

/// Whether nothing came in the time that there was.
fn is_timeout(error: &std::io::Error) -> bool {
    let inner = error.get_ref().and_then(|inner| inner.downcast_ref::<ureq::Error>());
    matches!(inner, Some(ureq::Error::Timeout(_)))
}

/// 0 where there is no file.
fn length(path: &Path) -> u64 {
    fs::metadata(path).map_or(0, |metadata| metadata.len())
}

/// The first byte of a part, out of `bytes 100-999/1000`.
fn begins_at(answer: &Answer) -> Option<u64> {
    let range = answer.headers().get(CONTENT_RANGE)?.to_str().ok()?;
    range.strip_prefix("bytes ")?.split('-').next()?.parse().ok()
}
