//! The lookup of `skc explain CODE`.

use crate::rule::Rule;
use crate::rules::{RULES, find};
use skillc_domain::fault::{FAULTS, Fault, Row, WARNINGS};

/// What a code refers to.
#[derive(Clone, Copy, Debug)]
pub enum Explained {
    /// An error or warning of the table.
    Row(&'static Row),
    /// A lint rule.
    Rule(&'static Rule),
}

/// The fault or rule of a code or name; letter case is ignored.
///
/// # Errors
/// E100 with the codes that look most alike.
pub fn explain(code: &str) -> Result<Explained, Fault> {
    let requested = code.trim().to_ascii_uppercase();
    let rows = || FAULTS.iter().chain(WARNINGS);
    let row = rows().find(|row| row.code == requested || row.name.eq_ignore_ascii_case(code.trim()));
    if let Some(found) = row.map(Explained::Row).or(find(code).map(Explained::Rule)) {
        return Ok(found);
    }
    let codes = rows().map(|row| row.code).chain(RULES.iter().map(|rule| rule.id));
    let near: Vec<_> = codes.filter(|known| is_near(known, &requested)).take(NEAR_MAX).collect();
    let known = if near.is_empty() {
        "E001 to E999, W001 to W300, SKL001 to SKL599".to_owned()
    } else {
        near.join(", ")
    };
    Err(Fault::invalid_option(format!("unknown code '{code}'; there are {known}")))
}

/// Codes that are named to one who mistyped: more are no help.
const NEAR_MAX: usize = 12;

fn is_near(known: &str, requested: &str) -> bool {
    known.len() == requested.len()
        && known.bytes().zip(requested.bytes()).filter(|(a, b)| a != b).count() <= 1
}

#[cfg(test)]
mod tests {
    use super::{Explained, explain};

    fn code(requested: &str) -> &'static str {
        match explain(requested).unwrap() {
            Explained::Row(row) => row.code,
            Explained::Rule(rule) => rule.id,
        }
    }

    /// RFC-0007:C-EXPLAIN
    #[test]
    fn a_code_is_explained_in_any_case() {
        assert_eq!(code("index-unusable"), "E002");
        assert_eq!(code(" w001 "), "W001");
        assert_eq!(code("path-escapes"), "E012");
        assert_eq!(code("skl102"), "SKL102");
        assert_eq!(code("name-format"), "SKL102");
        assert!(explain("E007").unwrap_err().to_string().contains("E001"));
        assert!(explain("SKL199").unwrap_err().to_string().contains("SKL109"));
        assert!(explain("nonsense").is_err());
    }
}
