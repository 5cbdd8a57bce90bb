//! Bounds that an RFC promises, that users can observe, or that several crates share, each with its unit and reason.
//!
//! A bound of a single implementation (a buffer, a retry, a timeout of one adapter) is a constant in the file that uses it.

/// Entries of SKILL.md's H1 and H2 that a stub lists, at most (RFC-0001:C-SECTIONS).
pub const STUB_SECTIONS_MAX: usize = 15;
/// H1 headings among them, at most (RFC-0001:C-CONSTRAINTS).
pub const STUB_TOP_HEADINGS_MAX: usize = 12;
/// Reference files that a stub lists, at most (RFC-0001:C-SECTIONS).
pub const STUB_REFERENCES_MAX: usize = 15;
/// Lines of a whole stub, at most (RFC-0001:C-CONSTRAINTS).
pub const STUB_LINES_MAX: usize = 100;
/// Characters of a reference's description in a stub (RFC-0001:C-SECTIONS).
pub const REFERENCE_DESCRIPTION_CHARS_MAX: usize = 120;

/// Characters of a skill name (Agent Skills specification, SKL103).
pub const SKILL_NAME_CHARS_MAX: usize = 64;
/// Bytes of one path segment that file systems in use take.
pub const PATH_SEGMENT_BYTES_MAX: usize = 255;

/// Bytes of front matter that are parsed: 64 KiB is forty times the largest of 3,344 published skills.
pub const FRONT_MATTER_BYTES_MAX: usize = 64 * 1024;
/// Bytes of a file that is read whole for the index; larger ones are skipped with W022.
pub const TEXT_BYTES_MAX: u64 = 64 * 1024 * 1024;
/// Bytes of a file that `open` returns: more than any agent takes in, and no more than a machine has memory for.
pub const OPEN_BYTES_MAX: u64 = 256 * 1024 * 1024;
/// Bytes of text that a tool returns at once unless it is asked for another number: about 16,000 tokens, more than nearly
/// every reference file has, and less than clients cut off or move into a file by themselves.
pub const AGENT_TEXT_BYTES_MAX: u32 = 64 * 1024;
/// Files in one skill: ten times the largest that the bench measures.
pub const SKILL_FILES_MAX: usize = 100_000;

/// Suggestions after a heading that was not found (RFC-0002:C-SHOW).
pub const SUGGESTIONS_MAX: usize = 5;
/// Bytes of a heading that was not found up to which others are suggested: a longer one is no slip of the fingers, and
/// would be compared with every heading.
pub const SUGGESTION_QUERY_BYTES_MAX: usize = 1_024;
/// Default of `search --limit` (RFC-0004:C-SEARCH).
pub const SEARCH_LIMIT: u32 = 10;
/// Largest `search --limit`: more hits than anybody reads.
pub const SEARCH_LIMIT_MAX: u32 = 1_000;
/// Milliseconds that a search may take: a thousand times what one in a large skill takes.
pub const SEARCH_MS_MAX: u64 = 10_000;
/// Places of a section where a word of a query may stand up to which SQLite makes the snippet of it: it compares all of
/// them with each other, 256 in less than a millisecond.
pub const SNIPPET_PLACES_MAX: usize = 256;
/// Letters of a part of a section from which a snippet is made where it has more: five times a snippet of prose.
pub const SNIPPET_PIECE_BYTES: usize = 1024;
/// Such parts that are searched for one with every word of a query, when one with some of them is known: 30,000 words.
pub const SNIPPET_PIECES_MAX: usize = 256;
/// Bytes of a query: the longest that a person or an agent asks is far below.
pub const QUERY_BYTES_MAX: usize = 16 * 1024;
/// Default of `sources --limit` (RFC-0002:C-SOURCES).
pub const SOURCES_LIMIT: u32 = 100;
/// Deepest heading level of Markdown.
pub const HEADING_LEVEL_MAX: u8 = 6;
/// Words of a request for a skill that are looked for; those behind say little that the first did not.
pub const FIND_WORDS_MAX: usize = 64;
/// Skills that each part of a search contributes to its fusion: further ones never came among the first ten (adr/0027).
pub const FIND_CANDIDATES: usize = 100;
/// Bytes of a file of queries: a thousand times what people write.
pub const QUERIES_BYTES_MAX: u64 = 16 * 1024 * 1024;
/// Milliseconds that a `find` on the command line spends on vectors of new skills before it answers.
pub const FIND_EMBED_MS: u64 = 300;
/// Version of the tables of `discovery.db` (RFC-0011:C-INDEX).
pub const DISCOVERY_SCHEMA_VERSION: i32 = 4;
/// Tokens of a search snippet (RFC-0004:C-SEARCH).
pub const SNIPPET_TOKENS: u32 = 32;

/// Components of a text's vector: what all-MiniLM-L6-v2 has.
pub const EMBEDDING_DIMENSIONS: usize = 384;
/// Word pieces of a text that its vector is made of, the two that frame every text among them: what the model was
/// trained with (its `max_seq_length`).
pub const EMBEDDING_WORD_PIECES_MAX: usize = 256;
/// Bytes of a text that are cut into word pieces: ten times what so many pieces of prose take.
pub const EMBEDDING_TEXT_BYTES_MAX: usize = 16 * 1024;

/// Columns of a terminal that a table keeps to: what every terminal has.
pub const TEXT_COLUMNS: usize = 80;
/// Sections and commands in the overview of `stats`: what stands on one screen with the rest.
pub const STATS_TOP_MAX: usize = 10;
/// Sections never read that the text of `stats` lists; the page lists all.
pub const STATS_UNREAD_MAX: usize = 20;
/// Sections never read that the page of `stats` lists unfolded: a screen of them in two columns.
pub const PAGE_UNREAD_MAX: usize = 40;
/// Days of the sparkline of `stats`: a month, as the guide's example shows.
pub const STATS_DAYS_MAX: usize = 30;

/// Bytes of a client's configuration file that is changed: Claude Code keeps its whole history in one, of some MiB.
pub const CLIENT_CONFIG_BYTES_MAX: u64 = 64 * 1024 * 1024;

/// Version of the index's tables (RFC-0004:C-INDEX).
pub const INDEX_SCHEMA_VERSION: u32 = 4;
/// Version of the manifest's fields (RFC-0001:C-MANIFEST).
pub const MANIFEST_VERSION: u32 = 1;
/// Newest `version` of a configuration file that is understood (RFC-0009:C-FILES).
pub const CONFIG_VERSION: i64 = 1;

/// Bytes of changed text up to which an index is edited in place, however large it is: more would need more memory than
/// a whole new one, since an edit's pages stay in memory.
pub const IN_PLACE_BYTES_MAX: u64 = 2 * 1024 * 1024;
/// The same as a part of all text: an edit takes six to seven times as long for each file as a whole new index.
pub const IN_PLACE_PART_MAX: u64 = 8;
/// Bytes of changed text that are always edited in place: a new file costs more than these.
pub const IN_PLACE_BYTES_ALWAYS: u64 = 64 * 1024;

/// How near a file's times may be to the survey before they say nothing: two ticks of a 100 Hz kernel clock.
pub const STAMP_GRAIN_NS: i64 = 20_000_000;
/// The same where a file system keeps whole seconds only (FAT keeps two).
pub const STAMP_GRAIN_COARSE_NS: i64 = 2_000_000_000;

/// Age of a fallback log, in seconds, from which W003 reminds of `skc sync` (RFC-0007:C-LOGGING).
pub const FALLBACK_LOG_AGE_S: i64 = 3_600;
/// Events of one step of a sync: a batch of this size reaches most of a server's speed, and 5,000 rows of about 350 bytes
/// are 2 MiB of memory.
pub const SYNC_BATCH_EVENTS: u32 = 5_000;
/// Sections never read that a reply lists; more are counted.
pub const UNREAD_SECTIONS_MAX: usize = 200;

/// Files of a skill that is served, SKILL.md included: what every host of the skills extension of MCP has to take.
pub const SERVED_FILES_MAX: usize = 512;
/// Bytes of all files of a skill that is served; from the same table of the extension.
pub const SERVED_BYTES_MAX: u64 = 16 * 1024 * 1024;
/// Characters of a description that is served (Agent Skills specification); strict clients refuse a list with a longer one.
pub const SERVED_DESCRIPTION_CHARS_MAX: usize = 1_024;
/// Characters of `compatibility` that are served; the same.
pub const SERVED_COMPATIBILITY_CHARS_MAX: usize = 500;
/// Skills on one page of a list, of up to 512 files each with some 150 bytes: a few hundred kilobytes as a rule.
pub const SERVED_PAGE_SKILLS: usize = 50;
/// Resources on one page of a list: a folder of most skills, whole.
pub const SERVED_PAGE_RESOURCES: usize = 200;
/// Values that a completion gives (Model Context Protocol).
pub const COMPLETIONS_MAX: usize = 100;

/// Bytes of a SKILL.md that is loaded into a context: more than any context takes; three and a half times
/// the largest of 3,344 published ones.
pub const LOAD_BYTES_MAX: u64 = 1024 * 1024;
/// Files of a loaded skill that are listed: a folder of most skills, whole.
pub const LOAD_FILES_MAX: usize = 200;
/// Bytes of their paths: about 4,000 tokens.
pub const LOAD_FILE_BYTES_MAX: usize = 16 * 1024;
/// Bytes of a path that a text mentions: what systems in use take.
pub const MENTION_PATH_BYTES_MAX: usize = 4_096;
/// Bytes of a text that is searched for mentions: a long conversation.
pub const MENTIONS_BYTES_MAX: u64 = 16 * 1024 * 1024;
/// Skills that are remembered as loaded, of all sessions together; the ones loaded longest ago go first.
pub const SESSION_LOADS_MAX: u32 = 2_000;
/// Age in seconds from which a loaded skill is forgotten: no session is a month old.
pub const SESSION_LOAD_AGE_MAX_S: i64 = 30 * 86_400;
/// Bytes of a configuration file, and of the file of a password: a thousand times what people write.
pub const SETTINGS_BYTES_MAX: u64 = 1024 * 1024;
/// Characters of a key or value of a configuration file that a message shows.
pub const SETTING_CHARS_MAX: usize = 80;
/// Warnings that are shown for one configuration file; the rest are counted.
pub const SETTINGS_WARNINGS_MAX: usize = 50;
/// Bytes of a file of accepted findings: six times that of 3,344 published skills.
pub const BASELINE_BYTES_MAX: u64 = 16 * 1024 * 1024;
/// Bytes of a name that no skill has up to which others are suggested: it is compared with every name.
pub const NEAREST_NAME_BYTES_MAX: usize = 128;

/// Folders that one setting of a configuration file lists: several times what any machine has, and a search looks at each.
pub const CONFIGURED_FOLDERS_MAX: usize = 256;
/// Levels of folders below a folder of skills that are searched, as Codex does.
pub const SCAN_DEPTH_MAX: u32 = 6;
/// Folders below one folder of skills that are searched: five times those of 3,344 published skills, and half a second's
/// work at most.
pub const SCAN_FOLDERS_MAX: usize = 32_768;
/// Bytes of a SKILL.md that the catalog takes in: fifty times the largest of 3,344 published ones.
pub const CATALOGED_BYTES_MAX: u64 = 4 * 1024 * 1024;
/// Bytes of a manifest, or of the list of a runtime's deployments: a thousand times what a build writes.
pub const STUB_MANIFEST_BYTES_MAX: u64 = 1024 * 1024;
/// Characters of a skill's description (Agent Skills specification).
pub const SKILL_DESCRIPTION_CHARS_MAX: usize = 1_024;

/// Bytes of a file of ours in a runtime: manifest, stub, list of deployments, marker. Builds write a few KiB; a larger one is
/// not ours.
pub const RUNTIME_FILE_BYTES_MAX: u64 = 1024 * 1024;
