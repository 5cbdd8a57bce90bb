//! Statistics as CSV (RFC 4180): a header row, then a row for each tally, or for each total of the summary.

use super::UsageReport;
use csv::{QuoteStyle, Terminator, Writer, WriterBuilder};
use skillc_domain::usage::Grouping;

/// The report as CSV, in UTF-8.
///
/// A grouping has the columns of `Grouping::key`, preceded by the skill if all skills are counted, and followed by
/// `count` and, for searches, `without_hit`. Rows are sorted by count. The summary has the columns `metric` and
/// `value`, with an empty value if there is none; over all skills, a column `skill` precedes them, which is empty in
/// the rows of totals. Texts are quoted, so that programs that split at semicolons keep them intact. A text that a
/// spreadsheet could read as a formula is preceded by an apostrophe.
pub fn render(report: &UsageReport) -> Vec<u8> {
    let (header, rows) = match report.query.grouping {
        Grouping::Summary => summary(report),
        _ => tallies(report),
    };
    let mut bytes = written(QuoteStyle::Necessary, [header]);
    bytes.extend(written(QuoteStyle::NonNumeric, rows));
    bytes
}

type Row = Vec<String>;

fn tallies(report: &UsageReport) -> (Row, Vec<Row>) {
    let key = report.query.grouping.key().iter().map(|name| (*name).to_owned());
    let skill = report.names_skills().then(|| "skill".to_owned());
    let is_search = report.query.grouping == Grouping::Search;
    let without_hit = is_search.then(|| "without_hit".to_owned());
    let header = skill.into_iter().chain(key).chain(["count".to_owned()]).chain(without_hit).collect();
    let is_named = report.names_skills();
    let row = |tally: &skillc_domain::usage::Tally| {
        let skill = is_named.then(|| tally.skill.as_deref().unwrap_or_default());
        let texts = skill.into_iter().chain(tally.key.iter().map(String::as_str)).map(harmless);
        let without_hit = is_search.then(|| tally.without_hit.to_string());
        texts.chain([tally.count.to_string()]).chain(without_hit).collect()
    };
    (header, report.usage.tallies.iter().map(row).collect())
}

fn summary(report: &UsageReport) -> (Row, Vec<Row>) {
    let (usage, totals) = (&report.usage, &report.usage.summary);
    let period = usage.period.as_ref();
    let metrics = [
        ("reads", totals.reads.to_string()),
        ("total_accesses", totals.total_accesses.to_string()),
        ("unique_sections", totals.unique_sections.to_string()),
        ("unique_files", totals.unique_files.to_string()),
        ("error_count", totals.error_count.to_string()),
        ("period_start", period.map_or_else(String::new, |period| period.start.to_string())),
        ("period_end", period.map_or_else(String::new, |period| period.end.to_string())),
        ("unreadable_timestamps", usage.issues.timestamps.to_string()),
        ("unreadable_arguments", usage.issues.arguments.to_string()),
    ];
    let skill = |name: &str| report.names_skills().then(|| harmless(name));
    let row = |of: Option<String>, metric: &str, value: String| {
        of.into_iter().chain([metric.to_owned(), value]).collect::<Row>()
    };
    let totals = metrics.into_iter().map(|(metric, value)| row(skill(""), metric, value));
    let skills = usage.tallies.iter().map(|tally| {
        row(skill(tally.skill.as_deref().unwrap_or_default()), "total_accesses", tally.count.to_string())
    });
    let header = row(report.names_skills().then(|| "skill".to_owned()), "metric", "value".to_owned());
    (header, totals.chain(skills).collect())
}

/// A text that spreadsheets show without evaluating it. Some also evaluate full-width signs.
fn harmless(text: &str) -> String {
    match text.starts_with(['=', '+', '-', '@', '\t', '\r', '\n', '＝', '＋', '－', '＠']) {
        true => format!("'{text}"),
        false => text.to_owned(),
    }
}

fn written(quotes: QuoteStyle, rows: impl IntoIterator<Item = Row>) -> Vec<u8> {
    let mut writer: Writer<Vec<u8>> =
        WriterBuilder::new().quote_style(quotes).terminator(Terminator::CRLF).from_writer(Vec::new());
    for row in rows {
        // Neither can fail: all rows of a table have the same length, and writing to memory always succeeds.
        let _ = writer.write_record(row);
    }
    writer.into_inner().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::super::sample;
    use super::*;

    fn text(report: &UsageReport) -> String {
        String::from_utf8(render(report)).unwrap()
    }

    #[test]
    fn a_grouping_has_its_keys_and_the_count() {
        let report = sample::report(Grouping::Sections, &[(None, &["SKILL.md", "Say \"hi\", twice"], 3)]);
        assert_eq!(text(&report), "file,section,count\r\n\"SKILL.md\",\"Say \"\"hi\"\", twice\",3\r\n");
        let report = sample::report(Grouping::Files, &[(Some("pdf"), &["a\r\nb"], 2)]);
        assert_eq!(text(&report), "skill,file,count\r\n\"pdf\",\"a\r\nb\",2\r\n");
        assert_eq!(text(&sample::report(Grouping::Search, &[])), "query,count,without_hit\r\n");
    }

    #[test]
    fn the_summary_is_a_row_for_each_total() {
        let mut report = sample::summary();
        let expected = "metric,value\r\n\"reads\",45\r\n\"total_accesses\",47\r\n\"unique_sections\",12\r\n\"unique_files\",3\r\n\
                        \"error_count\",5\r\n\"period_start\",\"2026-10-23T08:12:44Z\"\r\n\
                        \"period_end\",\"2026-11-20T17:03:10Z\"\r\n\"unreadable_timestamps\",2\r\n\
                        \"unreadable_arguments\",1\r\n";
        assert_eq!(text(&report), expected);
        report.usage = sample::report(Grouping::Summary, &[(Some("pdf"), &[], 4)]).usage;
        let shown = text(&report);
        assert!(shown.starts_with("skill,metric,value\r\n\"\",\"reads\",0\r\n"), "{shown}");
        assert!(shown.contains("\"\",\"period_start\",\"\"\r\n"), "{shown}");
        assert!(shown.ends_with("\"pdf\",\"total_accesses\",4\r\n"), "{shown}");
    }

    #[test]
    fn no_cell_is_a_formula() {
        for hostile in ["=1+1", "+1", "-1", "@a", "\tx", "\rx", "\nx", "＝1", "=cmd|' /c calc'!A0", "a;=1+1"]
        {
            let report = sample::report(Grouping::Search, &[(Some(hostile), &[hostile], 1)]);
            let bytes = render(&report);
            let mut reader = csv::Reader::from_reader(bytes.as_slice());
            let row = reader.records().next().unwrap().unwrap();
            for cell in [&row[0], &row[1]] {
                assert_eq!(cell.trim_start_matches('\''), hostile);
                assert_eq!(cell.starts_with('\''), !hostile.starts_with('a'), "{hostile}");
            }
            assert!(String::from_utf8(bytes).unwrap().contains(",\""), "texts stand in quotes");
        }
    }
}
