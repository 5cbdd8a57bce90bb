//! Finds actions that a PDF performs on its own, by the names in its bytes. Compressed streams are not read.

/// Names of actions, with descriptions.
const ACTIONS: &[(&[u8], &str)] = &[
    (b"/JavaScript", "runs JavaScript"),
    (b"/JS", "runs JavaScript"),
    (b"/Launch", "starts a program"),
    (b"/SubmitForm", "sends a form"),
    (b"/ImportData", "takes in data"),
    (b"/RichMedia", "plays an embedded program"),
];
/// Bytes after `/OpenAction` that are searched for an inline action.
const OPEN_ACTION_BYTES: usize = 200;

/// The actions that a file performs on its own; empty if it is not a PDF. Linear in its size.
pub fn actions(bytes: &[u8]) -> Vec<&'static str> {
    let mut found = Vec::new();
    if !bytes.starts_with(b"%PDF-") {
        return found;
    }
    for (at, _) in bytes.iter().enumerate().filter(|(_, byte)| **byte == b'/') {
        let rest = &bytes[at..];
        let action = ACTIONS.iter().find(|(name, _)| is_name(rest, name)).map(|(_, what)| *what);
        found.extend(action.or_else(|| opens_address(rest).then_some("opens an address")));
    }
    found.sort_unstable();
    found.dedup();
    found
}

/// Whether the bytes begin with exactly this name.
fn is_name(rest: &[u8], name: &[u8]) -> bool {
    rest.starts_with(name) && rest.get(name.len()).is_none_or(|byte| !byte.is_ascii_alphanumeric())
}

/// Whether the file opens a URL. Most PDFs use the same name to open at a page.
fn opens_address(rest: &[u8]) -> bool {
    if !is_name(rest, b"/OpenAction") {
        return false;
    }
    let own = &rest[..rest.len().min(OPEN_ACTION_BYTES)];
    let own = own.windows(6).position(|part| part == b"endobj").map_or(own, |end| &own[..end]);
    own.windows(5).any(|part| part == b"/URI ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn actions_are_told_from_names_that_are_like_them() {
        for (bytes, expected) in [
            (&b"%PDF-1.4 /OpenAction << /S /JavaScript /JS (x) >>"[..], &["runs JavaScript"][..]),
            (b"%PDF-1.4 /A<</S/Launch/F(x)>>", &["starts a program"]),
            (b"%PDF-1.4 /OpenAction << /S /URI /URI (http://x) >>", &["opens an address"]),
            (b"%PDF-1.4 /OpenAction 5 0 R endobj /S /URI /URI (x)", &[]),
            (b"%PDF-1.4 \xff /JSX /Launcher", &[]),
            (b"/JavaScript", &[]),
            (b"%PDF-1.4 /OpenAction", &[]),
        ] {
            assert_eq!(actions(bytes), expected, "{}", String::from_utf8_lossy(bytes));
        }
    }
}
