//! The data that a team shares: the origin of events, and the catalog's entries.

/// The organization and machine that events come from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TeamOrigin {
    /// The organization. Several can share a store; each sees only its own data.
    pub org: String,
    /// The machine's name.
    pub machine: String,
}

/// A URL that is safe to show: the password between `:` and `@`, and that of a `password` parameter, is replaced by
/// `***`.
pub fn without_password(url: &str) -> String {
    let (address, options) = url.split_once('?').map_or((url, None), |(a, o)| (a, Some(o)));
    let option = |pair: &str| match pair.split_once('=') {
        Some((key, _)) if key.to_ascii_lowercase().contains("pass") => format!("{key}=***"),
        _ => pair.to_owned(),
    };
    let options = options.map(|o| format!("?{}", o.split('&').map(option).collect::<Vec<_>>().join("&")));
    let options = options.unwrap_or_default();
    // A password may contain an unescaped `?` or `@`; the last `@` ends it.
    let (of_user, rest) = match address.contains('@') {
        true => (address.to_owned(), options),
        false => (format!("{address}{options}"), String::new()),
    };
    let (scheme, of_user) = of_user.split_at(of_user.find("://").map_or(0, |at| at + 3));
    let shown = match of_user.rsplit_once('@') {
        Some((user, host)) if user.contains(':') => {
            format!("{}:***@{host}", user.split(':').next().unwrap_or_default())
        }
        _ => of_user.to_owned(),
    };
    format!("{scheme}{shown}{rest}")
}

/// A heading of a skill in the catalog.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TeamCatalogHeading {
    /// Path of the file, relative to the skill.
    pub file: String,
    /// 1 to 6.
    pub level: u8,
    /// The heading's text.
    pub text: String,
}

/// A skill in the team's catalog: metadata, never its text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TeamCatalogEntry {
    /// The name by which it is resolved.
    pub skill: String,
    /// `name` of its front matter.
    pub name: String,
    /// `description` of its front matter.
    pub description: String,
    /// Digest of its source, 64 hexadecimal digits.
    pub digest: String,
    /// Headings, sorted by file, then by line.
    pub headings: Vec<TeamCatalogHeading>,
}

/// A skill as listed in the team's catalog.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PublishedSkill {
    /// The name by which it is resolved; serves as its id.
    pub skill: String,
    /// `name` of its front matter.
    pub name: String,
    /// `description` of its front matter.
    pub description: String,
    /// Digest of its source, 64 hexadecimal digits.
    pub digest: String,
    /// The machine that published it.
    pub machine: String,
}

/// The state of a team's store.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TeamStatus {
    /// An id created once by `init`. Machines use it to remember what they have sent to which store.
    pub store: String,
    /// The server's version, such as `15.18`.
    pub server_version: String,
    /// Version of the store's schema.
    pub schema: u32,
    /// Version of the schema that this program creates.
    pub schema_known: u32,
    /// The connection's encryption, such as `TLSv1.3`; empty if it is not encrypted.
    pub encryption: String,
    /// Number of events according to the rollups.
    pub events: u64,
    /// Number of events in the default partition, for months without one of their own; `init` moves them.
    pub events_unplaced: u64,
    /// Number of skills in the catalog.
    pub skills: u64,
    /// Number of vectors of skills in the catalog, for all models.
    pub vectors: u64,
    /// Version of the pgvector extension that compares vectors; empty if the server lacks it and plain arrays are
    /// used.
    pub pgvector: String,
    /// First and last month with a partition, `YYYY-MM`; `None` if there are no partitions.
    pub months: Option<(String, String)>,
    /// Whether this user may insert events.
    pub may_write: bool,
    /// Whether this user may run `init`.
    pub may_init: bool,
}

#[cfg(test)]
mod tests {
    use super::without_password;

    #[test]
    fn an_address_is_shown_without_its_password() {
        for (url, shown) in [
            ("postgres://team:se:cr@t@db.example:5432/skillc", "postgres://team:***@db.example:5432/skillc"),
            ("postgres://team@db.example/skillc", "postgres://team@db.example/skillc"),
            (
                "postgres:///x?host=/run/pg&user=a&password=secret",
                "postgres:///x?host=/run/pg&user=a&password=***",
            ),
            ("postgres://:secret@/x", "postgres://:***@/x"),
            ("team:secret@host", "team:***@host"),
            ("postgres://u:se?cret@h/d", "postgres://u:***@h/d"),
            ("postgres://u:se?c&r=et@h/d?x=y", "postgres://u:***@h/d?x=y"),
            ("postgres://u:s@h/d?password=a@b&x=y", "postgres://u:***@h/d?password=***&x=y"),
            ("postgres://h:5432/d?password=a@b", "postgres://h:5432/d?password=***"),
            ("", ""),
        ] {
            assert_eq!(without_password(url), shown);
        }
    }
}
