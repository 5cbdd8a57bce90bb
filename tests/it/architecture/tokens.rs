//! The tokens of a Rust file, as far as paths need them: identifiers, `::` and single characters. Comments, strings
//! and test-only items are omitted.

/// Tokens of `text` without items marked `#[cfg(test)]`.
pub fn tokens(text: &str) -> Vec<String> {
    without_tests(&scan(text))
}

/// Whether the tokens from `at` on are `expected`.
pub fn starts_with(tokens: &[String], at: usize, expected: &[&str]) -> bool {
    tokens.len() >= at + expected.len() && expected.iter().zip(&tokens[at..]).all(|(e, t)| e == t)
}

/// The position after the bracket that closes the one at `open`.
pub fn behind_bracket(tokens: &[String], open: usize) -> usize {
    let mut depth = 0;
    for (at, token) in tokens.iter().enumerate().skip(open) {
        depth += match token.as_str() {
            "(" | "[" | "{" => 1,
            ")" | "]" | "}" => -1,
            _ => 0,
        };
        if depth == 0 {
            return at + 1;
        }
    }
    tokens.len()
}

fn without_tests(tokens: &[String]) -> Vec<String> {
    let (mut kept, mut at) = (Vec::new(), 0);
    while at < tokens.len() {
        let is_test = starts_with(tokens, at, &["#", "[", "cfg", "(", "test"])
            || starts_with(tokens, at, &["#", "[", "cfg", "(", "all", "(", "test"]);
        if is_test {
            at = behind_item(tokens, at);
        } else {
            kept.push(tokens[at].clone());
            at += 1;
        }
    }
    kept
}

/// The position after the item whose first attribute begins at `at`.
fn behind_item(tokens: &[String], mut at: usize) -> usize {
    while starts_with(tokens, at, &["#"]) {
        at = behind_bracket(tokens, at + 1);
    }
    while at < tokens.len() {
        match tokens[at].as_str() {
            ";" => return at + 1,
            "{" => return behind_bracket(tokens, at),
            "(" | "[" => at = behind_bracket(tokens, at),
            _ => at += 1,
        }
    }
    at
}

fn scan(text: &str) -> Vec<String> {
    let (mut found, mut rest) = (Vec::new(), text);
    while let Some(first) = rest.chars().next() {
        let skipped = skipped_len(rest);
        let len = if skipped > 0 {
            skipped
        } else if is_word(first) {
            let len = rest.find(|c| !is_word(c)).unwrap_or(rest.len());
            found.push(rest[..len].to_owned());
            len
        } else if rest.starts_with("::") {
            found.push("::".to_owned());
            2
        } else {
            if !first.is_whitespace() {
                found.push(first.to_string());
            }
            first.len_utf8()
        };
        rest = &rest[len..];
    }
    found
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// Length in bytes of the comment, string, character or lifetime at the start of `rest`; 0 if there is none.
fn skipped_len(rest: &str) -> usize {
    let until =
        |end: &str, from: usize| rest[from..].find(end).map_or(rest.len(), |at| from + at + end.len());
    if rest.starts_with("//") {
        return until("\n", 2);
    }
    if rest.starts_with("/*") {
        return until("*/", 2);
    }
    let body = rest.trim_start_matches('b');
    let prefix = rest.len() - body.len();
    if prefix > 1 {
        return 0;
    }
    if let Some(raw) = body.strip_prefix('r') {
        let hashes = raw.len() - raw.trim_start_matches('#').len();
        if raw[hashes..].starts_with('"') {
            return until(&format!("\"{}", "#".repeat(hashes)), prefix + 1 + hashes + 1);
        }
        return 0;
    }
    match body.chars().next() {
        Some('"') => prefix + quoted_len(body, '"'),
        Some('\'') if is_lifetime(body) => 1 + body[1..].find(|c| !is_word(c)).unwrap_or(body.len() - 1),
        Some('\'') => prefix + quoted_len(body, '\''),
        _ => 0,
    }
}

fn is_lifetime(body: &str) -> bool {
    let mut chars = body.chars().skip(1);
    chars.next().is_some_and(is_word) && chars.next() != Some('\'')
}

fn quoted_len(body: &str, quote: char) -> usize {
    let mut chars = body.char_indices().skip(1);
    while let Some((at, c)) = chars.next() {
        if c == '\\' {
            chars.next();
        } else if c == quote {
            return at + 1;
        }
    }
    body.len()
}
