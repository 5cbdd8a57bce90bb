//! Limits that an RFC promises, that users can observe, or that several crates share, each with its unit and reason.
//!
//! A limit of a single implementation (a buffer, a retry, a timeout of one adapter) is a constant in the file that
//! uses it.

/// Maximum number of SKILL.md's H1 and H2 headings that a stub lists (RFC-0001:C-SECTIONS).
pub const STUB_SECTIONS_MAX: usize = 15;
/// Maximum number of H1 headings among them (RFC-0001:C-CONSTRAINTS).
pub const STUB_TOP_HEADINGS_MAX: usize = 12;
/// Maximum number of reference files that a stub lists (RFC-0001:C-SECTIONS).
pub const STUB_REFERENCES_MAX: usize = 15;
/// Maximum size in bytes of a stub's two lists, not counting the first line of each. With this limit, an agent that
/// reads a stub, searches and shows takes in less than a tenth of the files (RFC-0001:C-SECTIONS; measured by
/// `tools/context_economy.py`).
pub const STUB_LIST_BYTES_MAX: usize = 200;
/// Maximum number of lines in a whole stub (RFC-0001:C-CONSTRAINTS).
pub const STUB_LINES_MAX: usize = 100;
/// Maximum length in characters of a reference's description in a stub (RFC-0001:C-SECTIONS).
pub const REFERENCE_DESCRIPTION_CHARS_MAX: usize = 120;
/// Default of `[build] whole_bytes_max`: half of the 5,000 tokens that the Agent Skills specification recommends for
/// instructions, at four bytes per token (adr/0037).
pub const WHOLE_BYTES_MAX: u32 = 10_000;
/// Largest value of `[build] whole_bytes_max`: far below the size of the largest stub that is read back.
pub const WHOLE_BYTES_MAX_SETTING: u32 = 256 * 1024;

/// Characters of a skill name (Agent Skills specification, SKL103).
pub const SKILL_NAME_CHARS_MAX: usize = 64;
/// Length in bytes of a path segment that common file systems accept.
pub const PATH_SEGMENT_BYTES_MAX: usize = 255;
/// Length in bytes of a path that the system accepts (Linux' PATH_MAX).
pub const PATH_BYTES_MAX: usize = 4_096;

/// Size in bytes of front matter that is parsed: 64 KiB is forty times the largest of 3,344 published skills.
pub const FRONT_MATTER_BYTES_MAX: usize = 64 * 1024;
/// Size in bytes up to which a file is read into memory and indexed; larger ones are skipped with W022.
pub const TEXT_BYTES_MAX: u64 = 64 * 1024 * 1024;
/// Size in bytes of the largest file that `open` returns: more than any agent can use, and small enough to fit in
/// memory.
pub const OPEN_BYTES_MAX: u64 = 256 * 1024 * 1024;
/// Bytes of text that a tool returns by default: about 16,000 tokens, enough for nearly every reference file, and
/// below the size at which clients truncate results.
pub const AGENT_TEXT_BYTES_MAX: u32 = 64 * 1024;
/// Maximum number of files in a skill: ten times the largest that the benchmark measures.
pub const SKILL_FILES_MAX: usize = 100_000;

/// Number of suggestions after a heading that was not found (RFC-0002:C-SHOW).
pub const SUGGESTIONS_MAX: usize = 5;
/// Length in bytes up to which an unknown heading gets suggestions. A longer one is not a typo, and would be compared
/// with every heading.
pub const SUGGESTION_QUERY_BYTES_MAX: usize = 1_024;
/// Default of `search --limit` (RFC-0004:C-SEARCH).
pub const SEARCH_LIMIT: u32 = 10;
/// Largest value of `search --limit`: more results than a reader can use.
pub const SEARCH_LIMIT_MAX: u32 = 1_000;
/// Milliseconds that a search may take: a thousand times the duration in a large skill.
pub const SEARCH_MS_MAX: u64 = 10_000;
/// Number of matches in a section up to which SQLite builds its snippet. SQLite compares all pairs of matches; 256
/// take less than a millisecond.
pub const SNIPPET_PLACES_MAX: usize = 256;
/// Size in bytes of a piece of a section with more matches, from which the snippet is then built: five times a
/// snippet of prose.
pub const SNIPPET_PIECE_BYTES: usize = 1024;
/// After a piece with some of a query's words is found, this many more are searched for one with all of them: 30,000
/// words.
pub const SNIPPET_PIECES_MAX: usize = 256;
/// Maximum length in bytes of a query, far above the longest that people or agents write.
pub const QUERY_BYTES_MAX: usize = 16 * 1024;
/// Default of `sources --limit` (RFC-0002:C-SOURCES).
pub const SOURCES_LIMIT: u32 = 100;
/// Deepest heading level of Markdown.
pub const HEADING_LEVEL_MAX: u8 = 6;
/// Number of words of a request that `find` searches for; later ones add little.
pub const FIND_WORDS_MAX: usize = 64;
/// Number of skills that each method contributes to a fusion; later ones never reached the first ten (adr/0027).
pub const FIND_CANDIDATES: usize = 100;
/// Number of skills whose lexical scores are read for a fusion. For a semantic candidate that comes later, the lexical
/// score hardly matters (adr/0049).
pub const FIND_SCORED_BY_WORDS: usize = 1_000;
/// The percentage of skills without a vector above which a search ranks by words alone: a score by words cannot be
/// compared with scores by both, and too many of them would come first.
pub const FIND_UNKNOWN_MEANING_PERCENT_MAX: usize = 10;
/// Maximum size in bytes of a file of queries: a thousand times what people write.
pub const QUERIES_BYTES_MAX: u64 = 16 * 1024 * 1024;
/// Time in milliseconds that a `find` on the command line spends on embedding new skills before it answers.
pub const FIND_EMBED_MS: u64 = 300;
/// Version of the schema of `discovery.db` (RFC-0011:C-INDEX).
pub const DISCOVERY_SCHEMA_VERSION: i32 = 5;
/// Length of a search snippet in tokens (RFC-0004:C-SEARCH).
pub const SNIPPET_TOKENS: u32 = 32;

/// Number of components of an embedding, as computed by all-MiniLM-L6-v2.
pub const EMBEDDING_DIMENSIONS: usize = 384;
/// Number of word pieces of a text that are embedded, including the two special ones of every text: the length that
/// the model was trained with (its `max_seq_length`).
pub const EMBEDDING_WORD_PIECES_MAX: usize = 256;
/// Number of bytes of a text that are split into word pieces: ten times the size of that many pieces of prose.
pub const EMBEDDING_TEXT_BYTES_MAX: usize = 16 * 1024;

/// Width of text tables in columns: every terminal has that many.
pub const TEXT_COLUMNS: usize = 80;
/// Number of sections and commands in the overview of `stats`, so that it fits on one screen.
pub const STATS_TOP_MAX: usize = 10;
/// Number of unread sections in the text of `stats`; the HTML page lists all.
pub const STATS_UNREAD_MAX: usize = 20;
/// Number of unread sections that the HTML page of `stats` shows expanded: one screen in two columns.
pub const PAGE_UNREAD_MAX: usize = 40;
/// Number of days in the sparkline of `stats`: a month.
pub const STATS_DAYS_MAX: usize = 30;

/// Maximum size in bytes of a client's configuration file that is edited. Claude Code stores its whole history,
/// several MiB, in one.
pub const CLIENT_CONFIG_BYTES_MAX: u64 = 64 * 1024 * 1024;

/// Version of the index's schema (RFC-0004:C-INDEX).
pub const INDEX_SCHEMA_VERSION: u32 = 4;
/// Version of the manifest's fields (RFC-0001:C-MANIFEST).
pub const MANIFEST_VERSION: u32 = 1;
/// Newest supported `version` of a configuration file (RFC-0009:C-FILES).
pub const CONFIG_VERSION: i64 = 1;

/// Bytes of changed text up to which an index of any size is edited in place. The pages of an edit stay in memory, so
/// a larger edit would need more memory than a new index.
pub const IN_PLACE_BYTES_MAX: u64 = 2 * 1024 * 1024;
/// An edit in place may also change one part in this many of all text. Per file, an edit takes six to seven times as
/// long as a new index.
pub const IN_PLACE_PART_MAX: u64 = 8;
/// Bytes of changed text up to which an index is always edited in place: editing them costs less than the fixed cost
/// of a new index.
pub const IN_PLACE_BYTES_ALWAYS: u64 = 64 * 1024;

/// If a file's times are closer to the survey than this, in nanoseconds, they prove nothing: two ticks of a 100 Hz
/// kernel clock.
pub const STAMP_GRAIN_NS: i64 = 20_000_000;
/// The same for file systems that store whole seconds (FAT: two).
pub const STAMP_GRAIN_COARSE_NS: i64 = 2_000_000_000;
/// Number of files with such times from which a build waits until they prove something: each later read would hash them,
/// which takes about 30 µs for each.
pub const UNSETTLED_FILES_MIN: usize = 4;
/// Bytes of such files from which it waits, whatever their number. Hashing as many takes 0.1 ms.
pub const UNSETTLED_BYTES_MIN: u64 = 128 * 1024;

/// Age of a fallback log, in seconds, at which W003 suggests `skc sync` (RFC-0007:C-LOGGING).
pub const FALLBACK_LOG_AGE_S: i64 = 3_600;
/// Number of events per step of a sync: enough for most of a server's throughput. 5,000 rows of about 350 bytes take
/// 2 MiB of memory.
pub const SYNC_BATCH_EVENTS: u32 = 5_000;
/// Number of unread sections that a reply lists; the rest are counted.
pub const UNREAD_SECTIONS_MAX: usize = 200;

/// Maximum number of files of a served skill, including SKILL.md: the number that every host of MCP's skills
/// extension must accept.
pub const SERVED_FILES_MAX: usize = 512;
/// Maximum size in bytes of all files of a served skill; from the same table of the extension.
pub const SERVED_BYTES_MAX: u64 = 16 * 1024 * 1024;
/// Maximum length in characters of a served description (Agent Skills specification). Strict clients reject a list
/// with a longer one.
pub const SERVED_DESCRIPTION_CHARS_MAX: usize = 1_024;
/// Maximum length in characters of a served `compatibility` field; same source.
pub const SERVED_COMPATIBILITY_CHARS_MAX: usize = 500;
/// Number of skills per page of a list: with up to 512 files of about 150 bytes each, usually a few hundred
/// kilobytes.
pub const SERVED_PAGE_SKILLS: usize = 50;
/// Number of resources per page of a list: the whole folder of most skills.
pub const SERVED_PAGE_RESOURCES: usize = 200;
/// Maximum number of values in a completion (Model Context Protocol).
pub const COMPLETIONS_MAX: usize = 100;

/// Maximum size in bytes of a SKILL.md that is loaded: more than fits any context, and three and a half times the
/// largest of 3,344 published ones.
pub const LOAD_BYTES_MAX: u64 = 1024 * 1024;
/// Number of a loaded skill's files that are listed: the whole folder of most skills.
pub const LOAD_FILES_MAX: usize = 200;
/// Maximum size in bytes of the listed paths: about 4,000 tokens.
pub const LOAD_FILE_BYTES_MAX: usize = 16 * 1024;
/// Maximum length in bytes of a mentioned path: the limit of common systems.
pub const MENTION_PATH_BYTES_MAX: usize = 4_096;
/// Maximum size in bytes of a text that is searched for mentions: a long conversation.
pub const MENTIONS_BYTES_MAX: u64 = 16 * 1024 * 1024;
/// Number of loaded skills that are recorded over all sessions; the oldest are dropped first.
pub const SESSION_LOADS_MAX: u32 = 2_000;
/// Age in seconds at which a loaded skill is forgotten: no session lasts a month.
pub const SESSION_LOAD_AGE_MAX_S: i64 = 30 * 86_400;
/// Maximum size in bytes of a configuration or password file: a thousand times what people write.
pub const SETTINGS_BYTES_MAX: u64 = 1024 * 1024;
/// Number of characters of a key or value that a message shows.
pub const SETTING_CHARS_MAX: usize = 80;
/// Number of warnings shown for one configuration file; the rest are counted.
pub const SETTINGS_WARNINGS_MAX: usize = 50;
/// Maximum size in bytes of a baseline: six times that of 3,344 published skills.
pub const BASELINE_BYTES_MAX: u64 = 16 * 1024 * 1024;
/// Time in milliseconds after which `stats` stops migrating rows of other programs and scans them instead: ten times
/// what a million rows need.
pub const TAKE_OVER_MS_MAX: u64 = 60_000;
/// Length in bytes up to which an unknown name gets suggestions; it is compared with every name.
pub const NEAREST_NAME_BYTES_MAX: usize = 128;

/// Maximum number of folders in one setting of a configuration file: several times what any machine has, and each is
/// scanned.
pub const CONFIGURED_FOLDERS_MAX: usize = 256;
/// Number of folder levels below a root that are scanned, as in Codex.
pub const SCAN_DEPTH_MAX: u32 = 6;
/// Number of folders below a root that are scanned: five times those of 3,344 published skills, and at most half a
/// second of work.
pub const SCAN_FOLDERS_MAX: usize = 32_768;
/// Number of scans that a process caches; a host works in many working directories.
pub const CACHED_SCANS_MAX: usize = 256;
/// Maximum size in bytes of a SKILL.md that the catalog reads: fifty times the largest of 3,344 published ones.
pub const CATALOGED_BYTES_MAX: u64 = 4 * 1024 * 1024;
/// Maximum size in bytes of a manifest or of a runtime's deployments: a thousand times what a build writes.
pub const STUB_MANIFEST_BYTES_MAX: u64 = 1024 * 1024;
/// Maximum length in characters of a skill's description (Agent Skills specification).
pub const SKILL_DESCRIPTION_CHARS_MAX: usize = 1_024;

/// Maximum size in bytes of a file that skc writes to a runtime: manifest, stub, deployments, marker. Builds write a
/// few KiB; skc did not write a larger file.
pub const RUNTIME_FILE_BYTES_MAX: u64 = 1024 * 1024;

/// Maximum size in bytes of a plugin's manifest: a thousand times what people write.
pub const PLUGIN_MANIFEST_BYTES_MAX: u64 = 1024 * 1024;

/// Number of archive entries that are read: ten times the most that any receiver of skills accepts.
pub const ARCHIVE_ENTRIES_MAX: u64 = 10_000;
/// Number of bytes that an archive is unpacked to when it is checked: more than any receiver of skills accepts.
pub const ARCHIVE_UNPACKED_BYTES_MAX: u64 = 64 * 1024 * 1024;
/// Size in bytes from which the compression ratio of an entry matters: a small file of one repeated character is not an
/// attack.
pub const ARCHIVE_BOMB_BYTES_MIN: u64 = 1024 * 1024;
/// Compression ratio that no text of a skill reaches: prose shrinks to a third or a quarter.
pub const ARCHIVE_RATIO_MAX: u64 = 100;

#[cfg(test)]
mod tests {
    use super::*;

    /// RFC-0002:C-CURSOR, RFC-0009:C-RESOLUTION, RFC-0010:C-CATALOG, RFC-0010:C-LOAD, RFC-0013:C-MODEL,
    /// RFC-0015:C-SAFE
    #[test]
    fn sizes_are_those_that_the_rfcs_promise() {
        const KIB: u64 = 1024;
        const MIB: u64 = 1024 * KIB;
        for (name, bytes, expected) in [
            ("reply", u64::from(AGENT_TEXT_BYTES_MAX), 64 * KIB),
            ("configuration", SETTINGS_BYTES_MAX, MIB),
            ("whole text", u64::from(WHOLE_BYTES_MAX_SETTING), 262_144),
            ("cataloged SKILL.md", CATALOGED_BYTES_MAX, 4 * MIB),
            ("loaded SKILL.md", LOAD_BYTES_MAX, MIB),
            ("listed paths", LOAD_FILE_BYTES_MAX as u64, 16 * KIB),
            ("embedded text", EMBEDDING_TEXT_BYTES_MAX as u64, 16 * KIB),
            ("unpacked archive", ARCHIVE_UNPACKED_BYTES_MAX, 64 * MIB),
            ("compressed file", ARCHIVE_BOMB_BYTES_MIN, MIB),
            ("manifest of a plugin", PLUGIN_MANIFEST_BYTES_MAX, MIB),
        ] {
            assert_eq!(bytes, expected, "{name}");
        }
    }
}
