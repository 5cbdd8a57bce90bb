//! The skill that ships in the program.

macro_rules! shipped {
    ($($path:literal),* $(,)?) => {
        &[$(($path, include_bytes!(concat!("../skill/using-skc/", $path)))),*]
    };
}

/// The name of the shipped skill.
pub const SKILL: &str = "using-skc";

/// The files of the skill that ships in the program: path relative to the skill, bytes.
pub const SHIPPED_SKILL: &[(&str, &[u8])] = shipped![
    "SKILL.md",
    "examples/release-notes/SKILL.md.txt",
    "references/authoring.md",
    "references/building.md",
    "references/configuration.md",
    "references/deploying.md",
    "references/linting.md",
    "references/measuring.md",
    "references/reading.md",
    "references/searching.md",
    "references/troubleshooting.md",
];
