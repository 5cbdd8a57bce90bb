//! Bytes encoded as text, in base 64 or as hexadecimal digits, and what they contain.

use crate::security::magic::{self, Family};

/// The content of decoded bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DecodedContent {
    /// Readable text.
    Text(String),
    /// A file in a known format; holds its family and name.
    File(Family, &'static str),
    /// Anything else.
    Bytes,
}

/// Words that indicate that a decoded text is a program or an order.
const ACTIVE: &str = "curl |wget |bash|/bin/sh|sh -c|powershell|invoke-|iex |eval(|exec(|import os|subprocess|os.system|require(|child_process|#!/|rm -rf|\
    http://|https://|ignore previous|ignore all|instructions|system(|<script|onload=|onerror=|javascript:|chmod |crontab|nc -|/dev/tcp|base64|python|.ssh|api_key|password|fetch(|sudo ";
/// Number of bytes that are decoded; a program or an order shows at its start.
const DECODED_BYTES_MAX: usize = 4_096;

/// Decodes base 64 in either alphabet, with or without line breaks and padding; `None` if it contains anything else.
pub fn base64(text: &str) -> Option<Vec<u8>> {
    let (mut out, mut bits, mut count) = (Vec::new(), 0_u32, 0_u32);
    for byte in text.bytes().filter(|byte| !byte.is_ascii_whitespace() && *byte != b'=') {
        bits = bits << 6 | sextet(byte)?;
        count += 6;
        if count >= 8 {
            count -= 8;
            out.push((bits >> count & 0xff) as u8);
        }
        if out.len() >= DECODED_BYTES_MAX {
            break;
        }
    }
    Some(out)
}

fn sextet(byte: u8) -> Option<u32> {
    let value = match byte {
        b'A'..=b'Z' => byte - b'A',
        b'a'..=b'z' => byte - b'a' + 26,
        b'0'..=b'9' => byte - b'0' + 52,
        b'+' | b'-' => 62,
        b'/' | b'_' => 63,
        _ => return None,
    };
    Some(u32::from(value))
}

/// Decodes hexadecimal digits, optionally separated by `\x`, `0x`, white space and commas; `None` if it contains
/// anything else.
pub fn hex(text: &str) -> Option<Vec<u8>> {
    let digits = text.replace("\\x", "").replace("0x", "");
    let digits: Vec<u8> =
        digits.bytes().filter(|b| !b" ,\n\r\t%".contains(b)).take(2 * DECODED_BYTES_MAX).collect();
    let pair = |pair: &[u8]| u8::from_str_radix(std::str::from_utf8(pair).ok()?, 16).ok();
    digits.chunks_exact(2).map(pair).collect()
}

/// Classifies decoded bytes.
pub fn reading(bytes: &[u8]) -> DecodedContent {
    if let Some((family, name)) = magic::kind(bytes).filter(|(family, _)| *family != Family::Text) {
        return DecodedContent::File(family, name);
    }
    let whole = match std::str::from_utf8(bytes) {
        Ok(text) => text,
        // The cut at the limit may be inside a character.
        Err(error) if error.error_len().is_none() => {
            std::str::from_utf8(&bytes[..error.valid_up_to()]).unwrap_or("")
        }
        Err(_) => return DecodedContent::Bytes,
    };
    let is_shown = |c: char| !c.is_control() || c.is_whitespace();
    if whole.len() > 3 && whole.chars().all(is_shown) {
        DecodedContent::Text(whole.to_owned())
    } else {
        DecodedContent::Bytes
    }
}

/// Whether a decoded text looks like a program, a command or an order.
pub fn is_active(text: &str) -> bool {
    let text = text.to_ascii_lowercase();
    ACTIVE.split('|').any(|word| text.contains(word))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn encoded_text_is_decoded() {
        let text = |bytes: Option<Vec<u8>>| reading(&bytes.unwrap());
        assert_eq!(text(base64("Y3VybCBldmls\nLmlv")), DecodedContent::Text("curl evil.io".into()));
        assert_eq!(text(base64("8J-mgA==")), DecodedContent::Text("🦀".into()));
        assert_eq!(text(base64("f0VMRgIB")), DecodedContent::File(Family::Program, "an ELF program"));
        assert_eq!(text(hex("\\x63\\x75\\x72\\x6c")), DecodedContent::Text("curl".into()));
        assert_eq!(text(hex("0x00, 0xff, 0xfe, 0x01")), DecodedContent::Bytes);
        assert_eq!((base64("a*b"), hex("zz"), reading(b"")), (None, None, DecodedContent::Bytes));
        assert!(is_active("CURL x") && !is_active("a poem"));
    }
}
