//! The secret that authenticates HTTP clients: a file that only the user can read.

use hyper::HeaderMap;
use hyper::header::AUTHORIZATION;
use skillc_domain::fault::Fault;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use subtle::ConstantTimeEq;

/// Name of the file in `~/.skillc`.
pub const TOKEN_FILE: &str = "mcp-token";
/// Hexadecimal digits of a token: 256 bits.
const DIGITS: usize = 64;

/// The bearer token of the server.
pub struct Token(String);

/// The credentials of a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Credentials {
    /// The token.
    Valid,
    /// A wrong token, another scheme, or several headers.
    Invalid,
    /// No `Authorization` header.
    Missing,
}

impl Token {
    /// Reads the token from a file, which is created with a new token if it does not exist.
    ///
    /// # Errors
    /// E102 if the file is not a regular file, other users can access it, it holds no valid token, or it cannot be
    /// created.
    pub fn of_file(path: &Path, random: impl Fn() -> u128) -> Result<Self, Fault> {
        let found = match fs::symlink_metadata(path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                create(path, &format!("{:032x}{:032x}", random(), random()))
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

    /// Checks the credentials of a request. The token is compared in constant time.
    pub fn check(&self, headers: &HeaderMap) -> Credentials {
        let mut all = headers.get_all(AUTHORIZATION).iter();
        let (Some(one), None) = (all.next(), all.next()) else {
            let is_missing = !headers.contains_key(AUTHORIZATION);
            return if is_missing { Credentials::Missing } else { Credentials::Invalid };
        };
        let (scheme, token) = one.as_bytes().split_at(one.len().min("Bearer ".len()));
        let is_valid = scheme.eq_ignore_ascii_case(b"Bearer ") && bool::from(token.ct_eq(self.0.as_bytes()));
        if is_valid { Credentials::Valid } else { Credentials::Invalid }
    }
}

/// Creates the token file atomically: of two servers that start at once, the second finds the token of the first.
fn create(path: &Path, token: &str) -> io::Result<()> {
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

/// A temporary file, removed on drop.
struct Draft(PathBuf);

impl Drop for Draft {
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.0);
    }
}

/// The reason a file cannot hold a secret.
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
    // A longer file holds no token.
    File::open(path)?.take(2 * DIGITS as u64).read_to_string(&mut text)?;
    Ok(text)
}

fn unsafe_token(path: &Path, message: impl Into<String>) -> Fault {
    Fault::UnsafeToken { path: path.to_path_buf(), message: message.into() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use hyper::header::HeaderValue;

    /// RFC-0007:C-MCP-TRANSPORTS
    #[test]
    fn a_token_is_shown_once_and_whole_or_not_at_all() {
        let token = Token("ab".repeat(32));
        let checked = |values: &[&str]| {
            let mut headers = HeaderMap::new();
            values.iter().for_each(|value| {
                headers.append(AUTHORIZATION, HeaderValue::from_str(value).unwrap());
            });
            token.check(&headers)
        };
        let right = format!("Bearer {}", token.0);
        assert_eq!(checked(&[&right]), Credentials::Valid);
        assert_eq!(checked(&[&right.replace("Bearer", "bearer")]), Credentials::Valid);
        assert_eq!(checked(&[]), Credentials::Missing);
        let cut = &right[..right.len() - 1];
        for wrong in
            ["", "Bearer", "Bearer ", "Basic abc", cut, &format!("{right}0"), &format!(" {right}"), &token.0]
        {
            assert_eq!(checked(&[wrong]), Credentials::Invalid, "{wrong}");
        }
        assert_eq!(checked(&[&right, &right]), Credentials::Invalid);
    }
}
