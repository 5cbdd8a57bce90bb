//! The receivers of archived skills.

/// The required position of SKILL.md in an archive.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PackLayout {
    /// In a single top-level folder with the skill's name.
    Folder,
    /// At the top level.
    Root,
    /// Either of both.
    FolderOrRoot,
}

/// The error messages of a receiver, as users reported them.
#[derive(Clone, Copy, Debug)]
pub struct PackWords {
    /// For too many files: the text before and after the limit.
    pub too_many_files: (&'static str, &'static str),
    /// For no SKILL.md, or more than one.
    pub one_skill_md: &'static str,
    /// For a SKILL.md in the wrong folder.
    pub top_level: &'static str,
    /// For a description of more than 1,024 characters.
    pub long_description: &'static str,
}

/// A receiver of archived skills. Unknown limits are `None`.
#[derive(Clone, Copy, Debug)]
pub struct PackTarget {
    /// The value of `--for`.
    pub id: &'static str,
    /// The name that people see.
    pub label: &'static str,
    /// Where its limits are documented, or who reported them.
    pub source: &'static str,
    /// Where it expects SKILL.md.
    pub layout: PackLayout,
    /// The extension of the archive, after the skill's name.
    pub suffix: &'static str,
    /// Maximum number of files.
    pub files_max: Option<usize>,
    /// Maximum total uncompressed size in bytes.
    pub bytes_max: Option<u64>,
    /// Whether the name must satisfy the Agent Skills specification and equal the folder's name.
    pub checks_name: bool,
    /// Words that the name must not contain.
    pub reserved_words: &'static [&'static str],
    /// Whether it refuses descriptions with tags.
    pub refuses_tags: bool,
    /// Length of a description, in characters, above which a refusal was reported once, while others saw none.
    pub description_chars_seen: Option<usize>,
    /// Its error messages, if they are known.
    pub words: Option<PackWords>,
}

const UPLOADS: &str = "error texts of uploads, in OWASP/secure-agent-playbook#24 and eleven other threads";

const CLAUDE: PackTarget = PackTarget {
    id: "claude",
    label: "claude.ai",
    source: UPLOADS,
    layout: PackLayout::Folder,
    suffix: ".skill",
    files_max: Some(200),
    bytes_max: None,
    checks_name: false,
    reserved_words: &[],
    refuses_tags: true,
    description_chars_seen: Some(200),
    words: Some(PackWords {
        too_many_files: ("Zip contains too many files (maximum ", ")"),
        one_skill_md: "Zip must contain exactly one SKILL.md file",
        top_level: "SKILL.md file must be in the top-level folder",
        long_description: "field 'description' in SKILL.md must be at most 1024 characters",
    }),
};

const API: PackTarget = PackTarget {
    id: "api",
    label: "the Claude API",
    source: "https://platform.claude.com/docs/en/build-with-claude/skills-guide",
    layout: PackLayout::Folder,
    suffix: ".zip",
    files_max: None,
    bytes_max: Some(30_000_000),
    checks_name: true,
    reserved_words: &["anthropic", "claude"],
    refuses_tags: true,
    description_chars_seen: None,
    words: None,
};

const GEMINI: PackTarget = PackTarget {
    id: "gemini",
    label: "Gemini CLI",
    source: "google-gemini/gemini-cli packages/core/src/skills 5cfc0a19",
    layout: PackLayout::FolderOrRoot,
    suffix: ".skill",
    files_max: None,
    bytes_max: None,
    checks_name: false,
    reserved_words: &[],
    refuses_tags: false,
    description_chars_seen: None,
    words: None,
};

/// An index at a well-known URL, where agents discover skills.
pub const WELL_KNOWN: PackTarget = PackTarget {
    id: "well-known",
    label: "a well-known index",
    source: "https://github.com/cloudflare/agent-skills-discovery-rfc 0.2.0, and vercel-labs/skills 1.7.4, which reads it",
    layout: PackLayout::Root,
    suffix: ".well-known.zip",
    files_max: Some(1_000),
    bytes_max: Some(50 * 1024 * 1024),
    checks_name: true,
    reserved_words: &[],
    refuses_tags: false,
    description_chars_seen: None,
    words: None,
};

/// All known receivers.
pub const PACK_TARGETS: [&PackTarget; 4] = [&CLAUDE, &API, &GEMINI, &WELL_KNOWN];

/// Looks up a receiver by id.
pub fn find(id: &str) -> Option<&'static PackTarget> {
    PACK_TARGETS.into_iter().find(|target| target.id == id)
}

impl PackTarget {
    /// Whether its archives have SKILL.md in a folder.
    pub fn has_folder(&self) -> bool {
        self.layout != PackLayout::Root
    }
}
