//! Function calls and commands that send data to another machine.

use crate::security::word_lists::WordLists;
use crate::security::{context_window, flow};
use std::ops::Range;

static WORDS: WordLists = WordLists::new(include_str!("../../data/words/exfil-sinks.txt"));

/// Function calls and commands that send data to another machine, in lower case.
pub fn sinks() -> &'static [&'static str] {
    WORDS.get("sinks")
}

/// Arguments that authenticate the sender and are not sent on.
pub const PROVES: &str = "authorization|bearer| -i |--key|--cert|--user|-u $|--netrc|x-api-key|pkey|key_filename|identityfile|--kubeconfig|-h \"x-|token $|auth=";

/// Whether a value is passed to a call that sends it, other than for authentication.
pub fn flows(text: &str, place: &Range<usize>) -> bool {
    let Some(sink) = flow::reaches(text, place, sinks()) else { return false };
    // Downloading private data from another machine does not send it.
    let is_fetched = text[place.clone()].contains("://") && sink.start < place.start;
    let line = text[context_window::line(text, sink.start)].to_ascii_lowercase();
    // A header that includes a whole file sends it away.
    let is_read = ["$(cat", "$(base64", "`cat ", "$(<"].iter().any(|reads| line.contains(reads));
    !is_fetched && (is_read || !PROVES.split('|').any(|word| line.contains(word)))
}
