//! The columns of a log. Those beside RFC-0007:C-LOGGING are derived in SQL for rows of programs that do not know them.

/// The text at a JSON path (an SQL expression) within the arguments; null if there is none or they are not JSON.
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

/// The integer at a JSON path (an SQL expression) within the arguments; null if there is none or they are not JSON.
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

/// Whether the timestamp is valid, as `Timestamp::parse`. The bounds are those of `UnixNs`.
macro_rules! has_valid_time {
    () => {
        "ifnull(timestamp = strftime('%Y-%m-%dT%H:%M:%SZ', timestamp)
             AND timestamp BETWEEN '1677-09-21T00:12:44Z' AND '2262-04-11T23:47:16Z', 0)"
    };
}

/// The columns that every log has beside `id`, whichever program created it.
pub const BASE: [&str; 8] = ["timestamp", "run_id", "command", "skill", "skill_path", "cwd", "args", "error"];

/// Name, type and SQL expression of each derived column. In `flaws`, bit 1 marks invalid arguments, bit 2 an invalid
/// timestamp, bit 4 that only a part of the file was returned, bit 8 a search that found nothing, and bit 16 a row that is no access of
/// its own; null marks a row that is not derived yet.
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

/// A subquery without the check of timestamps, for a reader that parses them anyway: it is a third of the cost.
pub fn without_time_check(rows: &str) -> String {
    rows.replace(has_valid_time!(), "1")
}

/// Derives the columns of all rows that have an id and lack them.
pub fn fill() -> String {
    let set = DERIVED.map(|(name, _, value)| format!("{name} = {value}")).join(", ");
    format!("UPDATE access_log SET {set} WHERE flaws IS NULL AND event_id IS NOT NULL")
}
