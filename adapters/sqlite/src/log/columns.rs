//! The columns of a log. For rows of other programs, columns beyond RFC-0007:C-LOGGING are derived in SQL.

/// SQL for the text at a JSON path in the arguments; null if there is none or they are not JSON.
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

/// SQL for the integer at a JSON path in the arguments; null if there is none or they are not JSON.
macro_rules! integer {
    ($path:expr) => {
        concat!(
            "CASE json_type(iif(json_valid(args), args, 0), ",
            $path,
            ") WHEN 'integer' THEN json_extract(args, ",
            $path,
            ") END"
        )
    };
}

/// SQL for whether the timestamp is valid, as `Timestamp::parse` decides. The bounds are those of `UnixNs`.
macro_rules! has_valid_time {
    () => {
        "ifnull(timestamp = strftime('%Y-%m-%dT%H:%M:%SZ', timestamp)
             AND timestamp BETWEEN '1677-09-21T00:12:44Z' AND '2262-04-11T23:47:16Z', 0)"
    };
}

/// The columns besides `id` that every log has, whichever program created it.
pub const BASE: [&str; 8] = ["timestamp", "run_id", "command", "skill", "skill_path", "cwd", "args", "error"];

/// Name, type and SQL expression of each derived column. Bits in `flaws`: 1 for invalid arguments, 2 for an invalid
/// timestamp, 4 if only a part of the file was returned, 8 for a search without results, 16 for a row that is not an
/// access of its own. Null marks a row that has not been derived yet.
pub const DERIVED: [(&str, &str, &str); 4] = [
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
        concat!(
            "(json_type(iif(json_valid(args), args, 0)) <> 'object') + 2 * (NOT ",
            has_valid_time!(),
            ") + 4 * (command = 'open' AND ",
            integer!("'$.max_lines'"),
            " IS NOT NULL) + 8 * ifnull(command = 'search' AND error IS NULL AND ",
            integer!("'$.result_count'"),
            " = 0, 0)"
        ),
    ),
];

/// A subquery without the check of timestamps, which is a third of the cost, for a reader that parses them anyway.
pub fn without_time_check(rows: &str) -> String {
    rows.replace(has_valid_time!(), "1")
}

/// Derives the columns of all rows that have an id and lack them.
pub fn fill() -> String {
    let set = DERIVED.map(|(name, _, value)| format!("{name} = {value}")).join(", ");
    format!("UPDATE access_log SET {set} WHERE flaws IS NULL AND event_id IS NOT NULL")
}
