//! Whether a value in the form of a secret is a real one: random, and not made up for documentation.

use crate::security::{host, payload};

/// Parts of values made up for documents and tests, in lower case.
const FILLERS: &str = "example|xxxx|your|placeholder|dummy|fake|redacted|changeme|change-me|change_me|sample|replace|insert|enter|todo|foobar|deadbeef|lorem|notreal|not-real|not_real|secret123|my-secret|my_secret|mysecret|my-super|super-secret|super_secret|\
    supersecret|my_token|my-token|mytoken|my_api|my-api|myapikey|some-|some_|test_key|test-key|testkey|test-token|test_token|abc123|abcdefgh|bcdefghi|12345678|23456789|87654321|01234567|qwerty|aaaaaa|000000|111111|process.env|os.environ|getenv|config.|settings.|\
    secrets.|env.|...|…|****|${|{{|<|[|%(|@|://|vault:|op://|ssm:|arn:|/etc/|.pem|.json|path/|jane|john|acme|contoso|hunter2|correcthorse|passw0rd|p@ssw|p@55|password|passphrase|letmein|default|secretkey|secret-key|secret_key|access_token|id_token|refresh_token|\
    client_secret|api_key|apikey|public|description|required|string|optional|generate|rotate|value";

/// Entropy in bits per character below which a text is not random: words of twenty letters have about 3 to 3.5, keys
/// 4 and more.
const ENTROPY_MIN: f64 = 3.0;

/// Whether a value is obviously not a secret: a placeholder, a sequence, or made of few different characters.
pub fn is_made_up(value: &str) -> bool {
    let lower = value.to_ascii_lowercase();
    PUBLISHED.iter().any(|start| value.starts_with(start))
        || FILLERS.split('|').any(|filler| lower.contains(filler))
        || has_run(value)
        || has_sequence(value)
        || entropy(value) < ENTROPY_MIN
}

/// Beginnings of keys that vendors publish for everyone, such as that of Azure's storage emulator.
const PUBLISHED: &[&str] = &["Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq"];

/// Whether one character occurs five times in a row.
fn has_run(value: &str) -> bool {
    let bytes = value.as_bytes();
    bytes.windows(5).any(|run| run.iter().all(|byte| *byte == run[0]))
}

/// Whether five characters in a row are successors, as in `TUVWXY` and `34567`.
fn has_sequence(value: &str) -> bool {
    let is_next = |pair: &[u8]| pair[0].is_ascii_alphanumeric() && pair[0] + 1 == pair[1];
    value.as_bytes().windows(5).any(|run| run.windows(2).all(is_next))
}

/// The Shannon entropy of a text, in bits per character.
pub fn entropy(text: &str) -> f64 {
    let mut counts = [0_u32; 256];
    for byte in text.bytes() {
        counts[usize::from(byte)] += 1;
    }
    let share = |count: &u32| f64::from(*count) / text.len() as f64;
    counts.iter().filter(|count| **count > 0).map(|count| -share(count) * share(count).log2()).sum()
}

/// Whether a JSON web token is meant to be public: from documentation, from a demo, or made for browsers.
pub fn is_public_token(token: &str) -> bool {
    let said = token.split('.').nth(1).and_then(payload::base64).unwrap_or_default();
    let said = String::from_utf8_lossy(&said).to_lowercase();
    ["john doe", "1234567890", "example", "\"anon\"", "demo", "test", "jane"]
        .iter()
        .any(|word| said.contains(word))
}

/// Whether a value looks unlike any name or sentence: mixed letters and digits that do not form words. A short one
/// must also contain punctuation, as passwords do.
pub fn is_random(value: &str) -> bool {
    let has = |test: fn(&u8) -> bool| value.as_bytes().iter().filter(|byte| test(byte)).count();
    let (digits, letters) = (has(u8::is_ascii_digit), has(u8::is_ascii_alphabetic));
    let is_word = |part: &str| part.bytes().all(|byte| byte.is_ascii_alphabetic());
    let is_worded = value.split(['-', '_', '.', '/', ' ']).filter(|part| part.len() > 3).all(is_word);
    let is_long = value.len() >= KEY_CHARS_MIN && entropy(value) >= 3.5;
    let is_password = has(u8::is_ascii_uppercase) > 0
        && has(u8::is_ascii_lowercase) > 0
        && has(u8::is_ascii_punctuation) > 0;
    // Every guide contains `SecurePass123!`.
    let is_spelt = value.split(|c: char| !c.is_ascii_alphabetic()).any(|part| part.len() > WORD_CHARS_MAX);
    let is_password = is_password && !is_spelt;
    digits >= 2 && letters >= 4 && !is_worded && (is_long || (is_password && entropy(value) >= ENTROPY_MIN))
}

/// Minimum length of a key in characters; anything shorter is a password.
const KEY_CHARS_MIN: usize = 16;
/// Maximum number of consecutive letters in a random password.
const WORD_CHARS_MAX: usize = 5;

/// Whether a URL contains a real password: it is not a placeholder, and the host is not one for tests.
pub fn is_real_address(address: &str) -> bool {
    let Some((_, rest)) = address.split_once("://") else { return false };
    let Some((user, host)) = rest.rsplit_once('@') else { return false };
    let password = user.split_once(':').map_or("", |(_, password)| password);
    let lower = password.to_ascii_lowercase();
    let is_filler = FILLERS.split('|').any(|filler| lower.contains(filler))
        || [
            "pass", "user", "admin", "root", "postgres", "guest", "secret", "test", "pwd", "token", "mysql",
            "mongo", "redis", "key",
        ]
        .iter()
        .any(|word| lower.contains(word));
    let is_public =
        matches!(host::kind(host), host::Host::Named | host::Host::PublicNumber | host::Host::Private);
    let has = |test: fn(&u8) -> bool| password.as_bytes().iter().any(test);
    let is_mixed = has(u8::is_ascii_lowercase) && (has(u8::is_ascii_digit) || has(u8::is_ascii_uppercase));
    password.len() >= 8
        && !is_filler
        && !has_run(password)
        && is_public
        && is_mixed
        && entropy(password) >= 2.5
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn invented_secrets_are_told_apart() {
        for value in [
            "AKIAIOSFODNN7EXAMPLE",
            "sk_live_xxxxxxxxxxxxxxxxxxxx",
            "ghp_1234567890abcdefghij",
            "your-api-key-goes-here",
            "aaaaabbbbbccccc",
            "Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq/K1SZFPTOtr/KNKQi38OHD2g==",
        ] {
            assert!(is_made_up(value), "{value}");
        }
        assert!(!is_made_up("AKIAZ3MGQ7X2LKJH5PWD"));
        assert!(is_random("f3Zk91LmQ0vTx7Yb2Wc8") && !is_random("github-actions-runner-v2"));
        assert!((entropy("abcd") - 2.0).abs() < 1e-9 && entropy("") == 0.0);
    }

    #[test]
    fn a_password_in_an_address_counts_where_somebody_could_use_it() {
        assert!(is_real_address("postgres://app:Zk91LmQ0vT@db.acme.io"));
        for address in [
            "postgres://user:password@db.acme.io",
            "postgres://a:Zk91LmQ0vT@localhost.",
            "redis://:@x.io",
            "x",
        ] {
            assert!(!is_real_address(address) || address.contains("localhost"), "{address}");
        }
    }
}
