//! Asks for consent on the terminal.

use skillc_ops::render::plain;
use skillc_ports::{Consent, ConsentPrompt};
use std::io::{BufRead, IsTerminal, Write, stderr, stdin};

/// Attempts to get a valid answer.
const TRIES_MAX: u32 = 3;

/// The user at the terminal of stdin and stderr.
#[derive(Clone, Copy, Debug, Default)]
pub struct TerminalConsent;

impl ConsentPrompt for TerminalConsent {
    fn ask(&self, question: &str) -> Consent {
        if !stdin().is_terminal() || !stderr().is_terminal() {
            return Consent::Denied;
        }
        asked(question, &mut stdin().lock(), &mut stderr())
    }
}

fn asked(question: &str, input: &mut impl BufRead, output: &mut impl Write) -> Consent {
    for _ in 0..TRIES_MAX {
        let written =
            write!(output, "{} [y]es, [n]o, [a]lways: ", plain(question)).and_then(|()| output.flush());
        let mut line = String::new();
        let read = input.read_line(&mut line);
        if written.is_err() || !matches!(read, Ok(1..)) {
            return Consent::Denied;
        }
        match line.trim().to_ascii_lowercase().as_str() {
            "y" | "yes" => return Consent::Once,
            "a" | "always" => return Consent::Always,
            "n" | "no" | "" => return Consent::Denied,
            _ => {}
        }
    }
    Consent::Denied
}

#[cfg(test)]
mod tests {
    use super::*;

    /// RFC-0010:C-POLICY
    #[test]
    fn only_a_plain_yes_agrees() {
        for (typed, agreed) in [
            ("y\n", Consent::Once),
            (" YES \r\n", Consent::Once),
            ("always\n", Consent::Always),
            ("what\na\n", Consent::Always),
            ("\n", Consent::Denied),
            ("n\ny\n", Consent::Denied),
            ("", Consent::Denied),
            ("yep\nsure\nok\ny\n", Consent::Denied),
        ] {
            assert_eq!(asked("Load?", &mut typed.as_bytes(), &mut Vec::new()), agreed, "{typed:?}");
        }
        let mut output = Vec::new();
        asked("Load 'a\u{1b}[2J'?", &mut "n\n".as_bytes(), &mut output);
        assert_eq!(String::from_utf8(output).unwrap(), "Load 'a\\u{1b}[2J'? [y]es, [n]o, [a]lways: ");
    }
}
