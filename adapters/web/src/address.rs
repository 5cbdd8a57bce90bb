//! Decides which URLs may be read.

use skillc_ports::{ErrorKind, PortError};
use url::Url;

/// Resolves a reference in a file at `base`.
pub(crate) fn resolve(base: &str, reference: &str) -> Result<Url, PortError> {
    let invalid = || PortError::new(ErrorKind::Invalid, "read a web site at this address");
    let base = Url::parse(base).map_err(|error| invalid().caused_by(error))?;
    let mut url = base.join(reference).map_err(|error| invalid().caused_by(error))?;
    let is_permitted = match url.scheme() {
        "https" => true,
        "http" => base.scheme() == "http",
        _ => false,
    };
    let is_anonymous = url.username().is_empty() && url.password().is_none();
    if !is_permitted || !is_anonymous || !url.has_host() {
        return Err(invalid());
    }
    url.set_fragment(None);
    Ok(url)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// RFC-0015:C-PUBLISH-CHECK
    #[test]
    fn only_http_and_https_without_a_password_are_read() {
        const INDEX: &str = "https://a.example/x/.well-known/agent-skills/index.json";
        for (base, reference, expected) in [
            (INDEX, "demo.zip", Some("https://a.example/x/.well-known/agent-skills/demo.zip")),
            (INDEX, "/demo.zip#x", Some("https://a.example/demo.zip")),
            (INDEX, "https://b.example/demo.zip", Some("https://b.example/demo.zip")),
            (INDEX, "", Some(INDEX)),
            ("http://a.example", "https://a.example/", Some("https://a.example/")),
            (INDEX, "http://a.example/demo.zip", None),
            (INDEX, "file:///etc/passwd", None),
            (INDEX, "data:text/plain,x", None),
            (INDEX, "https://ada:secret@a.example/", None),
            (INDEX, "https://", None),
            ("a.example", "", None),
            ("file:///etc/passwd", "", None),
        ] {
            let url = resolve(base, reference).map(String::from);
            assert_eq!(url.as_deref().ok(), expected, "{base} {reference}");
            assert!(url.is_ok() || url.is_err_and(|error| error.kind == ErrorKind::Invalid));
        }
    }
}
