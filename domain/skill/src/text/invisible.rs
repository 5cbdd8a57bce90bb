//! Characters that a terminal or a web page does not show as they are.

/// Whether a character is invisible by itself. Direction marks do not count.
pub fn is_invisible(c: char) -> bool {
    matches!(u32::from(c),
        0x00AD | 0x034F | 0x115F | 0x1160 | 0x17B4 | 0x17B5 | 0x180B..=0x180F | 0x200B..=0x200D | 0x2060..=0x2065
        | 0x206A..=0x206F | 0x3164 | 0xFE00..=0xFE0F | 0xFEFF | 0xFFA0 | 0xFFF0..=0xFFFB | 0x1D173..=0x1D17A
        | 0xE0000..=0xE0FFF)
}

/// Whether a message cannot show a character as it is: invisible characters, direction marks and control characters.
pub fn is_unseen(c: char) -> bool {
    is_invisible(c) || is_direction(c) || c.is_control()
}

/// Whether a character changes the direction of the text around it.
pub fn is_direction(c: char) -> bool {
    matches!(c, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn invisible_characters_marks_of_direction_and_controls_are_unseen() {
        for (c, invisible, direction) in [
            ('\u{200b}', true, false),
            ('\u{ad}', true, false),
            ('\u{fe0f}', true, false),
            ('\u{e0041}', true, false),
            ('\u{200e}', false, true),
            ('\u{202e}', false, true),
            ('\u{2066}', false, true),
            ('\n', false, false),
            ('\u{1b}', false, false),
        ] {
            assert_eq!((is_invisible(c), is_direction(c)), (invisible, direction), "{c:?}");
            assert!(is_unseen(c), "{c:?}");
        }
        for c in ['a', ' ', 'é', '日', '\u{2010}', '🙂'] {
            assert!(!is_unseen(c) && !is_invisible(c) && !is_direction(c), "{c:?}");
        }
    }
}
