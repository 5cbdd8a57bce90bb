//! Asks for consent on the terminal.

use skillc_ops::render::plain;
use skillc_ports::{Agreed, Consent};
use std::io::{BufRead, IsTerminal, Write, stderr, stdin};

/// Attempts to get a valid answer.
const TRIES_MAX: u32 = 3;

/// The user at the terminal of stdin and stderr.
#[derive(Clone, Copy, Debug, Default)]
pub struct TerminalConsent;

impl Consent for TerminalConsent {
    fn ask(&self, question: &str) -> Agreed {
        if !stdin().is_terminal() || !stderr().is_terminal() {
            return Agreed::No;
        }
        asked(question, &mut stdin().lock(), &mut stderr())
    }
}

fn asked(question: &str, input: &mut impl BufRead, output: &mut impl Write) -> Agreed {
    for _ in 0..TRIES_MAX {
        let written =
            write!(output, "{} [y]es, [n]o, [a]lways: ", plain(question)).and_then(|()| output.flush());
        let mut line = String::new();
        let read = input.read_line(&mut line);
        if written.is_err() || !matches!(read, Ok(1..)) {
            return Agreed::No;
        }
        match line.trim().to_ascii_lowercase().as_str() {
            "y" | "yes" => return Agreed::Once,
            "a" | "always" => return Agreed::Always,
            "n" | "no" | "" => return Agreed::No,
            _ => {}
        }
    }
    Agreed::No
}

#[cfg(test)]
mod tests {
    use super::*;

    /// RFC-0010:C-POLICY
    #[test]
    fn only_a_plain_yes_agrees() {
        for (typed, agreed) in [
            ("y\n", Agreed::Once),
            (" YES \r\n", Agreed::Once),
            ("always\n", Agreed::Always),
            ("what\na\n", Agreed::Always),
            ("\n", Agreed::No),
            ("n\ny\n", Agreed::No),
            ("", Agreed::No),
            ("yep\nsure\nok\ny\n", Agreed::No),
        ] {
            assert_eq!(asked("Load?", &mut typed.as_bytes(), &mut Vec::new()), agreed, "{typed:?}");
        }
        let mut told = Vec::new();
        asked("Load 'a\u{1b}[2J'?", &mut "n\n".as_bytes(), &mut told);
        assert_eq!(String::from_utf8(told).unwrap(), "Load 'a\\u{1b}[2J'? [y]es, [n]o, [a]lways: ");
    }
}
