//! Generated skills of any size: the same size yields the same bytes on every machine.
//!
//! The common needle is in every tenth file, the rare one in exactly one.

use std::fmt::Write;
use std::fs;
use std::io;
use std::path::Path;

/// A word in every tenth file.
pub const COMMON: &str = "needlecommon";
/// A word in a single file.
pub const RARE: &str = "needlerare";

/// Approximate size of a generated file in bytes.
const FILE_BYTES: usize = 4096;
/// Number of files in a folder, roughly as people organize them.
const FOLDER_FILES: usize = 40;
/// Size of the vocabulary; English prose of this length uses about as many words.
const WORDS: usize = 4000;
/// Added to a word's rank, so that the first few words do not dominate the text.
const ZIPF_SHIFT: f64 = 5.0;
/// Levels of a file's eight headings; in every second file they go down to the fourth. A section's row repeats its
/// children's text, so the rows of such skills are about 2.2 times as large as the source.
const LEVELS: [[usize; 8]; 2] = [[1, 2, 3, 2, 2, 3, 2, 2], [1, 2, 3, 2, 2, 3, 4, 2]];
/// The heading that is underlined instead of marked with number signs, in every third file.
const UNDERLINED: usize = 4;

const SYLLABLES: [&str; 20] = [
    "ba", "den", "fir", "go", "hul", "jat", "ke", "lim", "mor", "nu", "pas", "quen", "ri", "sol", "tav",
    "ul", "ver", "wyn", "xo", "zel",
];
const TITLES: [&str; 8] = ["", "Setup", "Options", "Commands", "Failures", "Recovery", "Details", "See also"];
const CHINESE: &str = "技能的来源被编译成索引，代理按章节阅读内容。检索词在句子中间也能找到。\n";
const CODE: &str = "```sh\n# a comment, no heading\n## nor this\nskc build .\n```\n";

/// The heading of the `i`-th file, which is unique; the first file is SKILL.md.
pub fn heading(i: usize) -> String {
    format!("Topic {i:05}")
}

/// The path of the `i`-th Markdown file below the skill's folder.
pub fn path(i: usize) -> String {
    if i == 0 {
        "SKILL.md".to_string()
    } else {
        format!("references/part{:03}/topic{i:05}.md", i / FOLDER_FILES)
    }
}

/// Writes a skill of `files` Markdown files, with some text, code and binary files beside them. Returns the number of
/// bytes that an index contains: Markdown and plain text.
pub fn write_skill(folder: &Path, files: usize) -> io::Result<u64> {
    let language = Language::new();
    let mut dice = Dice(files as u64);
    let mut text_bytes = 0;
    for i in 0..files {
        let text = markdown(&language, &mut dice, i, files);
        text_bytes += put(folder, &path(i), text.as_bytes())?;
        if i % 20 == 7 {
            let note = language.prose(&mut dice, FILE_BYTES);
            text_bytes += put(folder, &format!("notes/note{i:05}.txt"), note.as_bytes())?;
        }
        if i % 25 == 9 {
            let noise: Vec<u8> = (0..FILE_BYTES / 8).flat_map(|_| dice.next().to_le_bytes()).collect();
            put(folder, &format!("assets/image{i:05}.bin"), &noise)?;
        }
        if i % 30 == 11 {
            put(folder, &format!("scripts/step{i:05}.py"), b"# not Markdown\nprint('step')\n")?;
        }
    }
    Ok(text_bytes)
}

/// Writes a skill with SKILL.md and one reference of about `bytes` bytes, with a heading for every two KiB.
pub fn write_long_file(folder: &Path, bytes: usize) -> io::Result<()> {
    let language = Language::new();
    let mut dice = Dice(1);
    put(folder, &path(0), markdown(&language, &mut dice, 0, 1).as_bytes())?;
    let mut text = format!("# {}\n\n", heading(1));
    while text.len() < bytes {
        let level = 2 + dice.below(3);
        let _ = write!(text, "{} {}\n\n", "#".repeat(level), language.words(&mut dice, 3));
        text.push_str(&language.prose(&mut dice, 2000));
        text.push('\n');
    }
    put(folder, "references/big.md", text.as_bytes()).map(drop)
}

/// Writes this many skills with one file each, about as long as published ones; returns name, description, headings
/// and text of each.
pub fn write_catalog(folder: &Path, skills: usize) -> io::Result<Vec<[String; 4]>> {
    let language = Language::new();
    let mut dice = Dice(11);
    (0..skills)
        .map(|i| {
            let name = format!("skill-{i}");
            let description = language.words(&mut dice, 30);
            let mut body = String::new();
            let mut headings = Vec::new();
            for position in 0..LEVELS[0].len() {
                let title = format!("{} {}", TITLES[position], language.words(&mut dice, 1));
                write_heading(&mut body, &title, LEVELS[i % 2][position], false);
                write_specials(&mut body, i, skills, position);
                body.push_str(&language.prose(&mut dice, 1_000));
                headings.push(title);
            }
            let text = format!("---\nname: {name}\ndescription: {description}\n---\n{body}");
            put(folder, &format!("{name}/SKILL.md"), text.as_bytes())?;
            Ok([name, description, headings.join("\n"), body])
        })
        .collect()
}

fn put(folder: &Path, relative: &str, bytes: &[u8]) -> io::Result<u64> {
    let place = folder.join(relative);
    place.parent().map_or(Ok(()), fs::create_dir_all)?;
    fs::write(place, bytes)?;
    Ok(bytes.len() as u64)
}

fn markdown(language: &Language, dice: &mut Dice, i: usize, files: usize) -> String {
    let mut text = front_matter(i, files);
    for (position, level) in LEVELS[i % 2].into_iter().enumerate() {
        let title = match position {
            0 => heading(i),
            _ => format!("{} {}", TITLES[position], language.words(dice, 1)),
        };
        write_heading(&mut text, &title, level, position == UNDERLINED && i % 3 == 1);
        write_specials(&mut text, i, files, position);
        text.push_str(&language.prose(dice, FILE_BYTES / LEVELS[0].len() - 40));
        text.push('\n');
    }
    text
}

fn front_matter(i: usize, files: usize) -> String {
    match i {
        0 => format!(
            "---\nname: bench\ndescription: A made-up skill of {files} files. Use when measuring.\n---\n"
        ),
        _ if i % 6 == 1 => format!("---\ndescription: \"Part {i}: what it is for\"\n---\n"),
        _ => String::new(),
    }
}

fn write_heading(text: &mut String, title: &str, level: usize, is_underlined: bool) {
    let _ = if is_underlined {
        write!(text, "{title}\n{}\n\n", "-".repeat(title.len()))
    } else {
        write!(text, "{} {title}\n\n", "#".repeat(level))
    };
}

/// Writes content that only some files have: needles, links, code, Chinese, a table.
fn write_specials(text: &mut String, i: usize, files: usize, position: usize) {
    match position {
        0 if i.is_multiple_of(10) => text.push_str(&format!("Here is the {COMMON}.\n\n")),
        1 if i == files / 2 => text.push_str(&format!("Only here is the {RARE}.\n\n")),
        2 if i > 0 => text.push_str("Back to [the start](../../SKILL.md).\n\n"),
        3 if i % 5 == 1 => text.push_str(CODE),
        5 if i % 11 == 2 => text.push_str(CHINESE),
        6 if i % 17 == 5 => text.push_str("| a | b |\n|---|---|\n| # x | `# y` |\n\n"),
        _ => {}
    }
}

/// A generated vocabulary, with frequencies by rank.
struct Language {
    words: Vec<String>,
    /// Sum of the weights up to and including each word.
    weights: Vec<f64>,
}

impl Language {
    fn new() -> Self {
        let spell = |mut n: usize| {
            let mut word = String::new();
            while n > 0 || word.len() < 4 {
                word.push_str(SYLLABLES[n % SYLLABLES.len()]);
                n /= SYLLABLES.len();
            }
            word
        };
        let mut sum = 0.0;
        let weigh = |rank: usize| {
            sum += 1.0 / (rank as f64 + ZIPF_SHIFT);
            sum
        };
        // 7 and 4,000 have no common factor, so every number occurs once, with short and long words mixed.
        let words = (0..WORDS).map(|rank| spell(rank * 7 % WORDS)).collect();
        Language { words, weights: (0..WORDS).map(weigh).collect() }
    }

    fn word(&self, dice: &mut Dice) -> &str {
        let aim = dice.fraction() * self.weights[WORDS - 1];
        let rank = self.weights.partition_point(|sum| *sum < aim);
        &self.words[rank.min(WORDS - 1)]
    }

    fn words(&self, dice: &mut Dice, count: usize) -> String {
        (0..count).map(|_| self.word(dice)).collect::<Vec<_>>().join(" ")
    }

    /// About `bytes` bytes in lines of up to 76 characters.
    fn prose(&self, dice: &mut Dice, bytes: usize) -> String {
        let mut text = String::with_capacity(bytes + 16);
        let mut column = 0;
        while text.len() < bytes {
            let word = self.word(dice);
            let is_full = column + word.len() > 76;
            if column > 0 {
                text.push(if is_full { '\n' } else { ' ' });
            }
            column = if is_full { 0 } else { column } + word.len() + 1;
            text.push_str(word);
        }
        text.push('\n');
        text
    }
}

/// SplitMix64 (Steele, Lea, Flood 2014): small, fast, and the same everywhere.
pub struct Dice(pub u64);

impl Dice {
    /// 64 random bits.
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number from 0 up to, but not including, 1.
    pub fn fraction(&mut self) -> f64 {
        (self.next() >> 11) as f64 / (1u64 << 53) as f64
    }

    /// A number from 0 up to, but not including, `end`.
    pub fn below(&mut self, end: usize) -> usize {
        (self.next() % end as u64) as usize
    }
}
