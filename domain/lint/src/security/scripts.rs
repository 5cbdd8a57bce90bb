//! Writing systems, as far as the rules about look-alikes and invisible characters need them.

/// A writing system, or a group of them that are treated alike.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Script {
    /// Latin, including ASCII letters.
    Latin,
    /// Greek.
    Greek,
    /// Cyrillic.
    Cyrillic,
    /// Armenian.
    Armenian,
    /// Cherokee, in both cases.
    Cherokee,
    /// Hebrew, written from right to left.
    Hebrew,
    /// Arabic, Syriac, N'Ko and similar scripts, written from right to left with joining letters.
    Arabic,
    /// The scripts of India and its neighbors, whose letters are joined by invisible characters.
    Indic,
    /// Thai, Lao, Khmer, Myanmar, Tibetan: scripts without spaces between words.
    Unspaced,
    /// Mongolian, whose letters have variants.
    Mongolian,
    /// Han, Kana, Bopomofo, Yi.
    Han,
    /// Hangul, including single letters.
    Hangul,
    /// Full-width Latin letters and digits.
    FullWidth,
    /// Mathematical Latin and Greek letters, such as U+1D400.
    Mathematical,
}

impl Script {
    /// The name used in messages.
    pub fn name(self) -> &'static str {
        match self {
            Self::Latin => "Latin",
            Self::Greek => "Greek",
            Self::Cyrillic => "Cyrillic",
            Self::Armenian => "Armenian",
            Self::Cherokee => "Cherokee",
            Self::Hebrew => "Hebrew",
            Self::Arabic => "Arabic",
            Self::Indic => "Indic",
            Self::Unspaced => "South-East Asian",
            Self::Mongolian => "Mongolian",
            Self::Han => "Han",
            Self::Hangul => "Hangul",
            Self::FullWidth => "full-width",
            Self::Mathematical => "mathematical",
        }
    }
}

/// First and last character of each Unicode block, in order.
const BLOCKS: &[(u32, u32, Script)] = &[
    (0x0041, 0x005A, Script::Latin),
    (0x0061, 0x007A, Script::Latin),
    (0x00C0, 0x024F, Script::Latin),
    (0x0370, 0x03FF, Script::Greek),
    (0x0400, 0x052F, Script::Cyrillic),
    (0x0530, 0x058F, Script::Armenian),
    (0x0590, 0x05FF, Script::Hebrew),
    (0x0600, 0x08FF, Script::Arabic),
    (0x0900, 0x0DFF, Script::Indic),
    (0x0E00, 0x109F, Script::Unspaced),
    (0x1100, 0x11FF, Script::Hangul),
    (0x13A0, 0x13FF, Script::Cherokee),
    (0x1700, 0x177F, Script::Indic),
    (0x1780, 0x17FF, Script::Unspaced),
    (0x1800, 0x18AF, Script::Mongolian),
    (0x1900, 0x1AAF, Script::Unspaced),
    (0x1B00, 0x1C4F, Script::Indic),
    (0x1E00, 0x1EFF, Script::Latin),
    (0x1F00, 0x1FFF, Script::Greek),
    (0x2DE0, 0x2DFF, Script::Cyrillic),
    (0x2E80, 0x312F, Script::Han),
    (0x3130, 0x318F, Script::Hangul),
    (0x3190, 0x9FFF, Script::Han),
    (0xA000, 0xA4CF, Script::Han),
    (0xA640, 0xA69F, Script::Cyrillic),
    (0xA840, 0xA95F, Script::Indic),
    (0xA960, 0xA97F, Script::Hangul),
    (0xA980, 0xA9FF, Script::Indic),
    (0xAA00, 0xAADF, Script::Unspaced),
    (0xAB70, 0xABBF, Script::Cherokee),
    (0xABC0, 0xABFF, Script::Indic),
    (0xAC00, 0xD7FF, Script::Hangul),
    (0xF900, 0xFAFF, Script::Han),
    (0xFB1D, 0xFB4F, Script::Hebrew),
    (0xFB50, 0xFDFF, Script::Arabic),
    (0xFE70, 0xFEFE, Script::Arabic),
    (0xFF10, 0xFF19, Script::FullWidth),
    (0xFF21, 0xFF3A, Script::FullWidth),
    (0xFF41, 0xFF5A, Script::FullWidth),
    (0xFF66, 0xFF9F, Script::Han),
    (0xFFA0, 0xFFDC, Script::Hangul),
    (0x10800, 0x10FFF, Script::Arabic),
    (0x11000, 0x11FFF, Script::Indic),
    (0x1B000, 0x1B16F, Script::Han),
    (0x1D400, 0x1D7FF, Script::Mathematical),
    (0x1E800, 0x1EFFF, Script::Arabic),
    (0x20000, 0x3FFFF, Script::Han),
];

/// Letters that look like a Latin one, and these Latin letters in the same order; from the Unicode list of
/// confusables.
const LOOK_ALIKES: &[(&str, &str)] = &[
    ("ΑΒΕΖΗΙΚΜΝΟΡΤΥΧαγικνορτυχϲϳϹ", "ABEZHIKMNOPTYXayikvoptuxcjC"),
    (
        "ЅІЇЈАВЕКМНОРСТУХЬавгеикмнопрстухьёѕіїјћѡѴѵҮүһӀӏԁԌԛԜԝ",
        "SIIJABEKMHOPCTYXbabreukmhonpctyxbesiijhwVvYyhIldGqWw",
    ),
    ("ՍՕագզհյոսցօ", "UOwqqhjnugo"),
    ("ᎠᎡᎢᎥᎪᎫᎬᎳᎷᎻᏀᏂᏃᏎᏏᏒᏔᏕᏙᏚᏞᏟᏢᏦᏧᏭᏴ", "DRTiAJEWMHGhZ4bRWSVSLCPKdGB"),
];

/// The writing system of a letter; `None` for other characters and for scripts without look-alikes.
pub fn script(c: char) -> Option<Script> {
    let code = u32::from(c);
    let at = BLOCKS.partition_point(|(_, last, _)| *last < code);
    BLOCKS.get(at).filter(|(first, _, _)| *first <= code).map(|(_, _, script)| *script)
}

/// The Latin letter that a letter of another script looks like.
pub fn looks_like(c: char) -> Option<char> {
    match script(c)? {
        Script::FullWidth => char::from_u32(u32::from(c) - 0xFF01 + 0x21),
        _ => LOOK_ALIKES.iter().find_map(|(from, to)| to.chars().nth(from.chars().position(|f| f == c)?)),
    }
}

/// Whether a letter is written from right to left.
pub fn is_right_to_left(c: char) -> bool {
    matches!(script(c), Some(Script::Hebrew | Script::Arabic))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_are_well_formed() {
        assert!(BLOCKS.windows(2).all(|pair| pair[0].1 < pair[1].0));
        assert!(LOOK_ALIKES.iter().all(|(from, to)| from.chars().count() == to.len()));
    }

    #[test]
    fn a_look_alike_is_told_from_the_letter_that_it_imitates() {
        assert_eq!((script('a'), looks_like('a')), (Some(Script::Latin), None));
        assert_eq!((script('а'), looks_like('а')), (Some(Script::Cyrillic), Some('a')));
        assert_eq!((script('ο'), looks_like('ο')), (Some(Script::Greek), Some('o')));
        assert_eq!((script('ｓ'), looks_like('ｓ')), (Some(Script::FullWidth), Some('s')));
        assert_eq!((script('ж'), looks_like('ж')), (Some(Script::Cyrillic), None));
        assert_eq!((script('€'), script('7'), script('😀')), (None, None, None));
        assert!(is_right_to_left('א') && is_right_to_left('ب') && !is_right_to_left('a'));
    }
}
