//! Parses the address of a server and keeps its password out of texts.

use sqlx::ConnectOptions;
use sqlx::postgres::{PgConnectOptions, PgSslMode};
use std::fmt;
use std::net::IpAddr;
use std::time::Duration;

/// Long enough for a server on the other side of the world.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(5);

/// Long enough to read a year of rollups.
const STATEMENT_TIMEOUT: Duration = Duration::from_secs(30);

/// PostgreSQL's default port, left out of displayed addresses.
const DEFAULT_PORT: u16 = 5432;

/// The address and timeouts of a server.
#[derive(Clone)]
pub struct PostgresSettings {
    /// `postgres://user:password@host:port/database?sslmode=…`; reserved characters are percent-encoded.
    pub url: String,
    /// Overrides the password in the URL.
    pub password: Option<String>,
    /// Limit for establishing a connection.
    pub connect_timeout: Duration,
    /// Limit for one statement.
    pub statement_timeout: Duration,
    /// Whether to refuse unencrypted connections even if the URL allows them.
    pub is_tls_required: bool,
}

impl PostgresSettings {
    /// Settings for a URL with the default timeouts.
    pub fn new(url: impl Into<String>) -> Self {
        Self {
            url: url.into(),
            password: None,
            connect_timeout: CONNECT_TIMEOUT,
            statement_timeout: STATEMENT_TIMEOUT,
            is_tls_required: false,
        }
    }
}

impl fmt::Debug for PostgresSettings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PostgresSettings").finish_non_exhaustive()
    }
}

pub struct ServerAddress {
    /// Options for the driver.
    pub options: PgConnectOptions,
    /// The address for messages, without user, password and options.
    pub address: String,
    /// Passwords, which are removed from messages.
    pub secrets: Vec<String>,
}

impl ServerAddress {
    /// Parses the URL; `None` if it is invalid or ambiguous, or names several hosts.
    pub fn parse(settings: &PostgresSettings) -> Option<Self> {
        let url = RawUrl::split(settings.url.trim())?;
        let mut options: PgConnectOptions = settings.url.trim().parse().ok()?;
        let mut secrets = url.secrets();
        if let Some(password) = &settings.password {
            options = options.password(password);
            secrets.push(password.clone());
        }
        // The driver would compare certificates with the IPv6 address including its brackets.
        let host = options.get_host().trim_matches(['[', ']']).to_owned();
        // The driver would look up the whole list as one name.
        if host.contains(',') {
            return None;
        }
        let mode = ssl_mode(&options, &host, url.has_ssl_mode(), settings.is_tls_required);
        options = options.host(&host).ssl_mode(mode).application_name("skc").extra_float_digits(None);
        secrets.retain(|secret| !secret.is_empty());
        Some(Self { address: address(&options), options: options.disable_statement_logging(), secrets })
    }
}

/// The mode in the URL; without one, the driver's default for this machine and a verified certificate for others.
fn ssl_mode(options: &PgConnectOptions, host: &str, is_explicit: bool, is_tls_required: bool) -> PgSslMode {
    let is_local = options.get_socket().is_some() || host.starts_with('/') || is_loopback(host);
    match options.get_ssl_mode() {
        PgSslMode::Disable | PgSslMode::Allow | PgSslMode::Prefer if is_tls_required => PgSslMode::VerifyFull,
        mode if is_explicit || is_local => mode,
        _ => PgSslMode::VerifyFull,
    }
}

fn is_loopback(host: &str) -> bool {
    host == "localhost" || host.parse().is_ok_and(|ip: IpAddr| ip.is_loopback())
}

/// `host[:port]/database` or `folder/database`.
fn address(options: &PgConnectOptions) -> String {
    let socket = options.get_socket().map(|folder| folder.display().to_string());
    let mut address = match socket {
        Some(folder) => folder,
        None if options.get_host().contains(':') => format!("[{}]", options.get_host()),
        None => options.get_host().to_owned(),
    };
    if !address.starts_with('/') && options.get_port() != DEFAULT_PORT {
        address.push_str(&format!(":{}", options.get_port()));
    }
    let address = address.trim_end_matches('/');
    options.get_database().map_or_else(|| address.to_owned(), |database| format!("{address}/{database}"))
}

/// The parts of a URL, still percent-encoded.
struct RawUrl<'a> {
    /// `user:password`.
    user: &'a str,
    /// `key=value&key=value`.
    query: &'a str,
}

impl<'a> RawUrl<'a> {
    fn split(url: &'a str) -> Option<Self> {
        let rest = url.strip_prefix("postgres://").or_else(|| url.strip_prefix("postgresql://"))?;
        let (authority, tail) = rest.split_at(rest.find(['/', '?', '#']).unwrap_or(rest.len()));
        // An unescaped reserved character in a password would turn its rest into a host, database or option.
        if tail.contains(['@', '#']) || url.contains(char::is_control) {
            return None;
        }
        let user = authority.rsplit_once('@').map_or("", |(user, _)| user);
        Some(Self { user, query: tail.split_once('?').map_or("", |(_, query)| query) })
    }

    fn pairs(&self) -> impl Iterator<Item = (String, &'a str)> {
        let pairs = self.query.split('&').map(|pair| pair.split_once('=').unwrap_or((pair, "")));
        pairs.map(|(key, value)| (decoded(key), value))
    }

    fn has_ssl_mode(&self) -> bool {
        self.pairs().any(|(key, _)| key == "sslmode" || key == "ssl-mode")
    }

    /// Passwords, percent-encoded and decoded.
    fn secrets(&self) -> Vec<String> {
        let of_user = self.user.split_once(':').map(|(_, password)| password);
        let of_query = self.pairs().filter(|(key, _)| key == "password").map(|(_, value)| value);
        let written = of_user.into_iter().chain(of_query);
        written.flat_map(|secret| [secret.to_owned(), decoded(secret)]).collect()
    }
}

/// Decodes percent-encoding; leaves invalid escapes as they are.
fn decoded(text: &str) -> String {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((&first, after)) = rest.split_first() {
        let code = (first == b'%').then(|| after.get(..2)).flatten();
        let byte = code
            .and_then(|code| std::str::from_utf8(code).ok())
            .and_then(|code| u8::from_str_radix(code, 16).ok());
        bytes.push(byte.unwrap_or(first));
        rest = if byte.is_some() { &after[2..] } else { after };
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(url: &str) -> Option<ServerAddress> {
        ServerAddress::parse(&PostgresSettings::new(url))
    }

    #[test]
    fn an_address_names_neither_user_nor_password_nor_options() {
        for (url, address) in [
            ("postgres://u:secret@db.example.org/team?application_name=x", "db.example.org/team"),
            ("postgresql://u:secret@db.example.org:6432/team", "db.example.org:6432/team"),
            ("postgres://u:secret@[2001:db8::1]:6432/team", "[2001:db8::1]:6432/team"),
            ("postgres:///team?host=/run/pg/&password=secret&user=u", "/run/pg/team"),
            ("postgres://u:secret@%2Frun%2Fpg/team", "/run/pg/team"),
            (" postgres://u:secret@db.example.org/t%20m \n", "db.example.org/t m"),
        ] {
            assert_eq!(parse(url).map(|t| t.address).as_deref(), Some(address), "{url}");
        }
    }

    #[test]
    fn an_ambiguous_url_is_refused() {
        for url in [
            "",
            "team",
            "mysql://u@h/d",
            "postgres://u:p@h:port/d",
            "postgres://u:se/cret@h/d",
            "postgres://u:12#34@h/d",
            "postgres://u:12?34@h/d",
            "postgres://u:se\ncret@h/d",
            "postgres://h/d?sslmode=secret",
            "postgres://h/d?port=x",
            "postgres://a,b/d",
            "postgres:///d?host=a,b",
        ] {
            assert!(parse(url).is_none(), "{url}");
        }
    }

    #[test]
    fn every_form_of_a_password_is_recorded_as_a_secret() {
        let mut settings = PostgresSettings::new("postgres://u:a%2Fb@h/d?password=c%20d&x");
        settings.password = Some("e".to_owned());
        let secrets = ServerAddress::parse(&settings).map(|t| t.secrets).unwrap_or_default();
        assert_eq!(secrets, ["a%2Fb", "a/b", "c%20d", "c d", "e"]);
        assert!(!format!("{settings:?}").contains("a%2Fb"));
        assert_eq!(decoded("%"), "%");
        assert_eq!(decoded("a%zz%e4%1"), "a%zz\u{fffd}%1");
    }

    #[test]
    fn another_machine_must_prove_who_it_is_unless_the_url_says_otherwise() {
        for (url, is_required, mode) in [
            ("postgres://h/d", false, "VerifyFull"),
            ("postgres://h/d?sslmode=prefer", false, "Prefer"),
            ("postgres://h/d?sslmode=disable", false, "Disable"),
            ("postgres://h/d?sslmode=disable", true, "VerifyFull"),
            ("postgres://h/d?sslmode=require", true, "Require"),
            ("postgres://127.0.0.1/d", true, "VerifyFull"),
            ("postgres://127.0.0.1/d?sslmode=prefer", false, "Prefer"),
            ("postgres://[::1]/d?sslmode=verify-ca", false, "VerifyCa"),
        ] {
            let mut settings = PostgresSettings::new(url);
            settings.is_tls_required = is_required;
            let found = ServerAddress::parse(&settings).map(|t| format!("{:?}", t.options.get_ssl_mode()));
            assert_eq!(found.as_deref(), Some(mode), "{url}");
        }
        for url in [
            "postgres://localhost/d",
            "postgres:///d?host=/run",
            "postgres://[::1]/d",
            "postgres://127.9.9.9/d",
        ] {
            let found = parse(url).map(|t| format!("{:?}", t.options.get_ssl_mode()));
            assert_ne!(found.as_deref(), Some("VerifyFull"), "{url}");
        }
    }
}
