//! A rough test of whether a text is in English, for rules about words.

/// Words that occur in most English sentences.
const ENGLISH: &[&str] = &[
    "a", "an", "and", "for", "from", "in", "into", "is", "of", "on", "or", "the", "this", "to", "use",
    "when", "with",
];
/// Words that occur in most sentences of other languages in Latin script, but not in English ones.
const FOREIGN: &[&str] = &[
    "ao", "aus", "auf", "avec", "bei", "como", "con", "cuando", "dans", "da", "das", "del", "der", "di",
    "dos", "des", "die", "du", "e", "ein", "eine", "el", "em", "en", "est", "et", "für", "il", "ist", "la",
    "las", "le", "les", "los", "mit", "não", "nicht", "nel", "oder", "ou", "para", "per", "pour", "por",
    "quando", "que", "quand", "se", "sur", "um", "una", "und", "une", "uso", "von", "wenn", "y", "zu", "zum",
    "zur",
];

/// Whether a text in Latin script contains more function words of other languages than of English.
pub fn is_foreign(text: &str) -> bool {
    let (mut english, mut foreign) = (0_usize, 0_usize);
    // `MIT` and `DAS` are abbreviations.
    let is_abbreviation = |word: &&str| word.len() > 1 && !word.chars().any(char::is_lowercase);
    let words = text.split(|c: char| !c.is_alphanumeric()).filter(|word| !is_abbreviation(word));
    for word in words.map(str::to_lowercase) {
        english += usize::from(ENGLISH.contains(&word.as_str()));
        foreign += usize::from(FOREIGN.contains(&word.as_str()));
    }
    foreign > english
}

/// Whether at least half of the letters are Latin. Names of tools are Latin in every language. A CJK character counts
/// as three letters, since it carries as much meaning.
pub fn is_mostly_latin(text: &str) -> bool {
    let (mut latin, mut others) = (0_usize, 0_usize);
    for c in text.chars().filter(|c| c.is_alphabetic()) {
        match c {
            '\0'..='\u{24f}' | '\u{1e00}'..='\u{1eff}' => latin += 1,
            '\u{3040}'..='\u{30ff}' | '\u{3400}'..='\u{9fff}' | '\u{ac00}'..='\u{d7a3}' => others += 3,
            _ => others += 1,
        }
    }
    latin >= others
}

/// Whether at least a fifth of the letters are in a script other than Latin and Cyrillic, of whose languages no words
/// are known.
pub fn has_unknown_script(text: &str) -> bool {
    let (mut unknown, mut all) = (0_usize, 0_usize);
    for c in text.chars().filter(|c| c.is_alphabetic()) {
        let is_known = matches!(c, '\0'..='\u{24f}' | '\u{400}'..='\u{52f}' | '\u{1e00}'..='\u{1eff}');
        all += 1;
        unknown += usize::from(!is_known);
    }
    unknown > 0 && unknown * UNKNOWN_ONE_OF >= all
}

/// One letter of this many in an unknown script is more than a name or a quoted word.
const UNKNOWN_ONE_OF: usize = 5;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_description_in_another_script_is_known() {
        for (text, latin) in [
            ("Draws charts", true),
            ("Erzeugt Diagramme für Größen", true),
            ("使用 Kubernetes 部署应用程序", false),
            ("Создаёт диаграммы в SVG", false),
            ("Docker コンテナを管理する", false),
            ("Translates 中文 into English", true),
            ("123", true),
        ] {
            assert_eq!(is_mostly_latin(text), latin, "{text}");
        }
    }

    #[test]
    fn a_fifth_of_the_letters_in_an_unknown_script_is_not_english() {
        for (text, expected) in [
            ("Draws charts", false),
            ("Translates 中文 into English", false),
            ("Guided customization 프로필을 조정한다", true),
            ("Guided customization профиля", false),
            ("", false),
        ] {
            assert_eq!(has_unknown_script(text), expected, "{text}");
        }
    }

    #[test]
    fn a_language_is_known_by_its_small_words() {
        for (text, foreign) in [
            ("Erzeugt Diagramme für Größen und Mengen", true),
            ("Genera informes para el equipo", true),
            ("Crée des rapports pour les équipes", true),
            ("Draws charts of data and writes them to a file", false),
            ("Docker, Kubernetes, Helm", false),
            ("Most Important Task tracker. Set one MIT per day, check in nightly.", false),
        ] {
            assert_eq!(is_foreign(text), foreign, "{text}");
        }
    }
}
