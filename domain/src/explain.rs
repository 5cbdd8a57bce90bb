//! What `skc explain CODE` answers.

use crate::fault::{FAULTS, Fault, Row, WARNINGS};

/// The row of a code, in any case of letters.
///
/// # Errors
/// E100 with the codes that look most alike.
pub fn explain(code: &str) -> Result<&'static Row, Fault> {
    let wanted = code.trim().to_ascii_uppercase();
    let rows = || FAULTS.iter().chain(WARNINGS);
    rows().find(|row| row.code == wanted || row.name.eq_ignore_ascii_case(code.trim())).ok_or_else(|| {
        let near: Vec<_> = rows().map(|row| row.code).filter(|known| is_near(known, &wanted)).collect();
        let known = if near.is_empty() { "E001 to E999, W001 to W300".to_owned() } else { near.join(", ") };
        Fault::invalid_option(format!("unknown code '{code}'; there are {known}"))
    })
}

fn is_near(known: &str, wanted: &str) -> bool {
    known.len() == wanted.len() && known.bytes().zip(wanted.bytes()).filter(|(a, b)| a != b).count() <= 1
}

#[cfg(test)]
mod tests {
    use super::explain;

    /// RFC-0007:C-EXPLAIN
    #[test]
    fn a_code_is_explained_in_any_case() {
        assert_eq!(explain("e002").unwrap().name, "index-unusable");
        assert_eq!(explain(" W001 ").unwrap().name, "multiple-matches");
        assert_eq!(explain("path-escapes").unwrap().code, "E012");
        assert!(explain("E007").unwrap_err().to_string().contains("E001"));
        assert!(explain("nonsense").is_err());
    }
}
