//! Whether a phrase occurs in the form in which it is effective.

use crate::security::mention;
use crate::security::prose::{Voice, voice};
use crate::security::sentence::{Sentence, sentence};
use crate::security::terms;
use crate::view::LintFile;
use skillc_domain::markup::RegionKind;
use std::ops::Range;

/// The form in which a phrase is effective. A phrase that is only mentioned never is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PhraseForm {
    /// As an order: at the start of a clause, or after `you must` and the like.
    Order,
    /// In any form.
    Any,
    /// Unless negated: `without asking` is an order, `never without asking` is not.
    Unless,
    /// Outside of code: a marker that only works in text.
    Marker,
    /// As code, in a program or a code block.
    Code,
}

impl PhraseForm {
    /// Parses the form's name in a data file, such as `order`.
    pub fn parse(name: &str) -> Option<Self> {
        Some(match name {
            "order" => Self::Order,
            "any" => Self::Any,
            "unless" => Self::Unless,
            "marker" => Self::Marker,
            "code" => Self::Code,
            _ => return None,
        })
    }
}

/// Words that may precede an order without changing that it is one.
const COMMANDING: &str = "\
    must|should|shall|will|please|now|then|and|or|but|always|immediately|simply|just|instead|also|\
    first|so|therefore|you|ai|agent|assistant|model|claude|to always|need to|needs to|have to|\
    required to|supposed to|instructed to|authorized to|authorised to|allowed to|permitted to|free to|\
    told to|expected to|is to|are to|want you to|you to|ready to|do|silently|quietly|secretly|\
    completely|entirely|totally|hereby|fully|agents|assistants|instructions|message|rules|skill|\
    section|document|these|following|this|below|it is safe to|task is to|step is to|instruction|\
    directive|prompt|important|critical|mandatory|urgent|only|to do so|hesitate to|mode|automatically|finally";

/// Whether the phrase at a span is effective: it has the form, and the text does not only mention it.
pub fn is_meant(file: &LintFile, span: &Range<usize>, form: PhraseForm) -> bool {
    let Some(text) = file.text.as_deref() else { return false };
    let has_form = match form {
        PhraseForm::Any => true,
        PhraseForm::Order => is_order(text, span),
        PhraseForm::Unless => !mention::is_negated_anywhere(text, span),
        PhraseForm::Code => return !mention::is_below_report(file, span),
        PhraseForm::Marker => {
            !matches!(file.region_at(span.start), Some(RegionKind::CodeBlock | RegionKind::InlineCode))
        }
    };
    has_form
        && voice(file, text, span.start) != Voice::Code
        && !is_style(text, span)
        && !mention::is_mentioned(file, span)
}

/// Words after an order to be silent that limit it to the style or truth of answers.
const STYLE: &str = "\
    each|every|internal|implementation|raw|intermediate|technical|verbose|what is|what to|what they|\
    what you think|what the|which|how to|to run|to use|to add|to do|to install";
/// Words that restrict an order to a time or a case.
const UNTIL: &str = "\
    until|unless|before|if you are not sure|if unsure|without checking|without verifying";

/// Whether an order to be silent is about style or truth: `do not tell the user about each call`, `… that it works
/// until the tests pass`.
fn is_style(text: &str, span: &Range<usize>) -> bool {
    let Sentence { hit, after, .. } = sentence(text, span);
    let silences = terms::has_term(hit, "tell|telling|inform|mention|report|show|display|say|reveal|output");
    let next = terms::words(after).into_iter().take(2).collect::<Vec<_>>().join(" ");
    let last = terms::words(hit).pop().unwrap_or_default();
    silences && (terms::has_term(&format!("{last} {next}"), STYLE) || terms::has_term(after, UNTIL))
}

/// Whether a verb at a span is an order.
pub fn is_order(text: &str, span: &Range<usize>) -> bool {
    let before = sentence(text, span).before;
    let clause =
        before.rsplit([',', ';', ':', '—', '–', '(', '|', '.', '!', '?', '>']).next().unwrap_or_default();
    let last = terms::words(clause).pop();
    last.is_none_or(|word| word.parse::<u32>().is_ok()) || terms::ends_with_term(clause, COMMANDING)
}
