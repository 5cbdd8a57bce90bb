//! What a team shares: whose events they are, and what its catalog says of a skill.

/// Whose events are sent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TeamOrigin {
    /// The organisation; several may share a store, each sees its own.
    pub org: String,
    /// The machine.
    pub machine: String,
}

/// An address as it may be shown: `***` for the password between `:` and `@`, and for that of a `password` option.
pub fn without_password(url: &str) -> String {
    let (address, options) = url.split_once('?').map_or((url, None), |(a, o)| (a, Some(o)));
    let option = |pair: &str| match pair.split_once('=') {
        Some((key, _)) if key.to_ascii_lowercase().contains("pass") => format!("{key}=***"),
        _ => pair.to_owned(),
    };
    let options = options.map(|o| format!("?{}", o.split('&').map(option).collect::<Vec<_>>().join("&")));
    let options = options.unwrap_or_default();
    // A password may hold what nobody escaped: a `?`, or an `@`, of which the last one ends it.
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
    /// Its file, relative to the skill.
    pub file: String,
    /// 1 to 6.
    pub level: u8,
    /// Its text.
    pub text: String,
}

/// A skill in the catalog: metadata, never its text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TeamCatalogEntry {
    /// Name by which it resolves.
    pub skill: String,
    /// `name` of its front matter.
    pub name: String,
    /// `description` of its front matter.
    pub description: String,
    /// Digest of its sources, 64 hexadecimal digits.
    pub digest: String,
    /// Its headings, by file, then line.
    pub headings: Vec<TeamCatalogHeading>,
}

/// A skill as the directory of a team's catalog tells it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PublishedSkill {
    /// Name by which it resolves; its id.
    pub skill: String,
    /// `name` of its front matter.
    pub name: String,
    /// `description` of its front matter.
    pub description: String,
    /// Digest of its sources, 64 hexadecimal digits.
    pub digest: String,
    /// The machine that published it.
    pub machine: String,
}

/// What a team's store says about itself.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TeamStatus {
    /// Made once by `init`; by it a machine remembers what it has sent where.
    pub store: String,
    /// Such as `15.18`.
    pub server_version: String,
    /// Version of the tables.
    pub schema: u32,
    /// Version of the tables that this program makes.
    pub schema_known: u32,
    /// How the connection is encrypted, such as `TLSv1.3`; empty when it is not.
    pub encryption: String,
    /// Events, as the rollups count them.
    pub events: u64,
    /// Events in the partition for months that have none of their own; `init` moves them.
    pub events_unplaced: u64,
    /// Skills in the catalog.
    pub skills: u64,
    /// Vectors of skills in the catalog, of all models.
    pub vectors: u64,
    /// Version of the pgvector by which vectors are compared; empty where the server has none, and plain arrays serve.
    pub pgvector: String,
    /// First and last month with a partition, `YYYY-MM`; empty when there is none.
    pub months: Option<(String, String)>,
    /// Whether this user may add events.
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
