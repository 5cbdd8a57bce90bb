//! What the columns beside those of RFC-0007:C-LOGGING hold, worked out of an event's arguments in SQL: for rows that
//! something wrote that does not know these columns.

/// A text within the arguments at a path that is given in SQL; null if there is none, or no JSON.
macro_rules! argument {
    ($path:expr) => {
        concat!(
            "CASE json_type(iif(json_valid(args), args, 0), ",
            $path,
            ") WHEN 'text' THEN json_extract(args, ",
            $path,
            ") END"
        )
    };
}

/// Whether the time is what `domain::time::is_log_time` takes for one. The bounds are those of `UnixNs`.
macro_rules! is_sound {
    () => {
        "ifnull(timestamp = strftime('%Y-%m-%dT%H:%M:%SZ', timestamp)
             AND timestamp BETWEEN '1677-09-21T00:12:44Z' AND '2262-04-11T23:47:16Z', 0)"
    };
}

/// The columns with their types, and what each holds, said by the other columns of the same row. In `flaws`, 1 stands for
/// arguments and 2 for a time that cannot be read; null for a row that nobody has looked at.
pub const SIDE: [(&str, &str, &str); 4] = [
    (
        "target",
        "TEXT",
        argument!(
            "CASE command WHEN 'show' THEN '$.section' WHEN 'open' THEN '$.path' WHEN 'search' THEN '$.query' END"
        ),
    ),
    (
        "file",
        "TEXT",
        argument!(
            "CASE WHEN error IS NULL THEN CASE command WHEN 'show' THEN '$.file' WHEN 'open' THEN '$.path' END END"
        ),
    ),
    (
        "section",
        "TEXT",
        concat!(
            "CASE WHEN error IS NULL AND command = 'show' AND (",
            argument!("'$.file'"),
            ") IS NOT NULL THEN ",
            argument!("'$.section'"),
            " END"
        ),
    ),
    (
        "flaws",
        "INTEGER",
        concat!("(json_type(iif(json_valid(args), args, 0)) <> 'object') + 2 * (NOT ", is_sound!(), ")"),
    ),
];

/// Fills the columns of the rows that nobody has looked at.
pub fn fill() -> String {
    let set = SIDE.map(|(name, _, value)| format!("{name} = {value}")).join(", ");
    format!("UPDATE access_log SET {set} WHERE flaws IS NULL")
}
