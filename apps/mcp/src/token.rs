//! The secret by which the HTTP server knows its user: a file that nobody else can read.

use hyper::HeaderMap;
use hyper::header::AUTHORIZATION;
use skillc_domain::fault::Fault;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use subtle::ConstantTimeEq;

/// Name of the file in `.skillc` of the home.
pub const TOKEN_FILE: &str = "mcp-token";
/// Hexadecimal digits of a token: 256 bits.
const DIGITS: usize = 64;

/// What a caller must know.
pub struct Token(String);

/// What a caller showed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shown {
    /// The token.
    Right,
    /// Another one, or something else.
    Wrong,
    /// None.
    Nothing,
}

impl Token {
    /// The token in a file; made with the file where there is none yet.
    ///
    /// # Errors
    /// E102 for a link, for anything but a file, for one that others may read, for one without a token in it, and where
    /// none can be made.
    pub fn of_file(path: &Path, random: impl Fn() -> u128) -> Result<Self, Fault> {
        let found = match fs::symlink_metadata(path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                make(path, &format!("{:032x}{:032x}", random(), random()))
                    .and_then(|()| fs::symlink_metadata(path))
            }
            found => found,
        };
        let found = found.map_err(|error| unsafe_token(path, error.to_string()))?;
        if let Some(reason) = exposed(&found) {
            return Err(unsafe_token(path, reason));
        }
        let text = read(path).map_err(|error| unsafe_token(path, error.to_string()))?;
        match text.trim_end() {
            token if token.len() == DIGITS && token.bytes().all(|b| b.is_ascii_hexdigit()) => {
                Ok(Self(token.to_owned()))
            }
            _ => {
                Err(unsafe_token(path, "it holds no valid token; delete it, and the next start creates one"))
            }
        }
    }

    /// What the headers of a request show. The time that it takes tells nothing of the token.
    pub fn shown(&self, headers: &HeaderMap) -> Shown {
        let mut all = headers.get_all(AUTHORIZATION).iter();
        let (Some(one), None) = (all.next(), all.next()) else {
            return if headers.contains_key(AUTHORIZATION) { Shown::Wrong } else { Shown::Nothing };
        };
        let (scheme, token) = one.as_bytes().split_at(one.len().min("Bearer ".len()));
        let is_right = scheme.eq_ignore_ascii_case(b"Bearer ") && bool::from(token.ct_eq(self.0.as_bytes()));
        if is_right { Shown::Right } else { Shown::Wrong }
    }
}

/// Puts a token into place whole: of two servers that start at once, the second finds the first one's.
fn make(path: &Path, token: &str) -> io::Result<()> {
    let folder = path.parent().unwrap_or(Path::new(""));
    fs::create_dir_all(folder)?;
    let draft = Draft(folder.join(format!(".{TOKEN_FILE}-{}", std::process::id())));
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let mut file = options.open(&draft.0)?;
    file.write_all(format!("{token}\n").as_bytes())?;
    file.sync_all()?;
    match fs::hard_link(&draft.0, path) {
        Err(error) if error.kind() != io::ErrorKind::AlreadyExists => Err(error),
        _ => Ok(()),
    }
}

/// A file that goes with the value.
struct Draft(PathBuf);

impl Drop for Draft {
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.0);
    }
}

/// Why a file cannot keep a secret.
fn exposed(found: &fs::Metadata) -> Option<String> {
    if found.is_symlink() {
        return Some("it is a link".to_owned());
    }
    if !found.is_file() {
        return Some("it is not a regular file".to_owned());
    }
    #[cfg(unix)]
    {
        let mode = std::os::unix::fs::PermissionsExt::mode(&found.permissions()) & 0o777;
        if mode & 0o077 != 0 {
            return Some(format!("other users can access it (mode {mode:o}); set mode 600"));
        }
    }
    None
}

fn read(path: &Path) -> io::Result<String> {
    let mut text = String::new();
    // More than a token is none.
    File::open(path)?.take(2 * DIGITS as u64).read_to_string(&mut text)?;
    Ok(text)
}

fn unsafe_token(path: &Path, message: impl Into<String>) -> Fault {
    Fault::UnsafeToken { path: path.display().to_string(), message: message.into() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use hyper::header::HeaderValue;

    /// RFC-0007:C-MCP-TRANSPORTS
    #[test]
    fn a_token_is_shown_once_and_whole_or_not_at_all() {
        let token = Token("ab".repeat(32));
        let shown = |values: &[&str]| {
            let mut headers = HeaderMap::new();
            values.iter().for_each(|value| {
                headers.append(AUTHORIZATION, HeaderValue::from_str(value).unwrap());
            });
            token.shown(&headers)
        };
        let right = format!("Bearer {}", token.0);
        assert_eq!(shown(&[&right]), Shown::Right);
        assert_eq!(shown(&[&right.replace("Bearer", "bearer")]), Shown::Right);
        assert_eq!(shown(&[]), Shown::Nothing);
        let cut = &right[..right.len() - 1];
        for wrong in
            ["", "Bearer", "Bearer ", "Basic abc", cut, &format!("{right}0"), &format!(" {right}"), &token.0]
        {
            assert_eq!(shown(&[wrong]), Shown::Wrong, "{wrong}");
        }
        assert_eq!(shown(&[&right, &right]), Shown::Wrong);
    }
}
