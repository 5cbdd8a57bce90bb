//! The sections about agents' own histories: how far sessions got with each skill, and a heat map of each file's
//! sections, by agent.

use super::super::agents::agent_title;
use super::super::funnel::{FunnelCount, STAGES};
use super::super::words::{number, shown};
use super::escape::{cell, escaped, path_cell};
use skillc_domain::history::SectionReads;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

/// Number of shades in a heat map; the style has classes `heat-1` and up.
const SHADES: u64 = 5;
/// Maximum number of rows in all heat maps; a page over every skill shows the most read ones.
const ROWS_MAX: usize = 400;

/// The data about agents' histories that the page shows.
#[derive(Clone, Debug, Default)]
pub struct HistorySections {
    /// How far sessions got with each skill.
    pub funnels: Vec<FunnelCount>,
    /// Which sections were read by which agent.
    pub reads: Vec<SectionReads>,
}

/// Both sections; each is omitted if it has nothing to show.
pub fn sections(history: &HistorySections) -> String {
    let mut html = String::new();
    if !history.funnels.is_empty() {
        put_funnels(&mut html, &history.funnels);
    }
    if !history.reads.is_empty() {
        put_heat_maps(&mut html, &history.reads);
    }
    html
}

fn put_funnels(html: &mut String, funnels: &[FunnelCount]) {
    html.push_str(
        "<section aria-labelledby=\"funnel\"><div class=\"head\"><h2 id=\"funnel\">From offer to use</h2>\
         <p class=\"soft\">sessions in which each skill was offered, chosen, read, and done without a failure</p></div>\n\
         <div class=\"wide\"><table class=\"matrix funnel\" data-rows=\"skills\"><caption>Sessions by skill and agent</caption>\n\
         <thead><tr><th scope=\"col\">Skill</th><th scope=\"col\" class=\"agent\">Agent</th>",
    );
    for stage in STAGES {
        let _ = write!(
            html,
            "<th scope=\"col\" class=\"figure\">{}{}</th>",
            stage[..1].to_uppercase(),
            &stage[1..]
        );
    }
    html.push_str("</tr></thead>\n<tbody>\n");
    for one in funnels {
        let _ = write!(
            html,
            "<tr><th scope=\"row\">{}</th><td class=\"agent\">{}</td>",
            cell(&one.skill),
            escaped(&agent_title(&one.agent))
        );
        one.stages().iter().for_each(|count| put_figure(html, *count, 0));
        html.push_str("</tr>\n");
    }
    html.push_str("</tbody></table></div>\n</section>\n");
}

fn put_figure(html: &mut String, count: u64, shade: u64) {
    let heat = if shade > 0 { format!(" heat-{shade}") } else { String::new() };
    let _ = write!(html, "<td class=\"figure{heat}\"><data value=\"{count}\">{}</data></td>", number(count));
}

/// Reads of one file, by section and agent.
type FileReads<'r> = BTreeMap<Option<&'r str>, BTreeMap<&'r str, u64>>;

fn put_heat_maps(html: &mut String, reads: &[SectionReads]) {
    let mut files: BTreeMap<(&str, &str, &str), FileReads<'_>> = BTreeMap::new();
    let mut agents = BTreeSet::new();
    for read in reads {
        let file = files.entry((&read.skill, &read.skill_path, &read.file)).or_default();
        *file.entry(read.section.as_deref()).or_default().entry(&read.agent).or_default() += read.count;
        agents.insert(read.agent.as_str());
    }
    let is_over_skills =
        files.keys().map(|(skill, path, _)| (skill, path)).collect::<BTreeSet<_>>().len() > 1;
    let largest = reads.iter().map(|read| read.count).max().unwrap_or_default();
    let mut files: Vec<_> = files.into_iter().collect();
    files.sort_by_key(|(_, sections)| {
        std::cmp::Reverse(sections.values().flat_map(BTreeMap::values).sum::<u64>())
    });
    html.push_str(
        "<section aria-labelledby=\"heat\"><div class=\"head\"><h2 id=\"heat\">Sections by agent</h2>\
         <p class=\"soft\">reads that the agents recorded themselves</p></div>\n<div class=\"wide\"><table class=\"matrix\">\
         <caption>Reads of each section, by agent; a darker cell has more</caption>\n<thead><tr><th scope=\"col\">Section</th>",
    );
    for agent in &agents {
        let _ = write!(html, "<th scope=\"col\" class=\"figure\">{}</th>", escaped(&agent_title(agent)));
    }
    html.push_str("</tr></thead>\n");
    let mut rows = 0;
    for ((skill, _, file), sections) in files {
        if rows >= ROWS_MAX {
            break;
        }
        rows += sections.len() + 1;
        let of_skill = if is_over_skills { format!("{} ", cell(skill)) } else { String::new() };
        let span = agents.len() + 1;
        let _ = writeln!(
            html,
            "<tbody><tr class=\"file\"><th scope=\"rowgroup\" colspan=\"{span}\">{of_skill}<span class=\"path\">{}</span></th></tr>",
            path_cell(file)
        );
        sections.iter().for_each(|(section, counts)| put_section(html, *section, counts, &agents, largest));
        html.push_str("</tbody>\n");
    }
    html.push_str("</table></div>\n</section>\n");
}

fn put_section(
    html: &mut String,
    section: Option<&str>,
    counts: &BTreeMap<&str, u64>,
    agents: &BTreeSet<&str>,
    largest: u64,
) {
    let text = section.map_or_else(
        || "<span class=\"soft\">whole, or lines without a heading</span>".to_owned(),
        |section| cell(shown("section", section)),
    );
    let _ = write!(html, "<tr><th scope=\"row\">{text}</th>");
    for agent in agents {
        let count = counts.get(agent).copied().unwrap_or_default();
        put_figure(html, count, shade(count, largest));
    }
    html.push_str("</tr>\n");
}

/// The shade of a count: 0 for none, `SHADES` for the largest.
fn shade(count: u64, largest: u64) -> u64 {
    let share = u128::from(count) * u128::from(SHADES);
    u64::try_from(share.div_ceil(u128::from(largest.max(1)))).unwrap_or(SHADES).min(SHADES)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(file: &str, section: Option<&str>, agent: &str, count: u64) -> SectionReads {
        SectionReads {
            skill: "pdf".to_owned(),
            skill_path: "/s/pdf".to_owned(),
            file: file.to_owned(),
            section: section.map(str::to_owned),
            agent: agent.to_owned(),
            count,
        }
    }

    #[test]
    fn a_count_above_zero_has_a_shade_and_the_largest_has_the_darkest() {
        let shades = [0, 1, 20, 21, 99, 100].map(|count| shade(count, 100));
        assert_eq!(shades, [0, 1, 1, 2, 5, 5]);
        assert_eq!(shade(3, 0), 5);
    }

    /// RFC-0014:C-STATS
    #[test]
    fn each_section_of_each_file_has_a_cell_for_each_agent() {
        let reads = vec![
            read("a.md", Some("<One>"), "codex", 4),
            read("a.md", Some("<One>"), "claude-code", 1),
            read("b.md", None, "codex", 2),
        ];
        let page = sections(&HistorySections { reads, funnels: Vec::new() });
        assert!(page.contains("&lt;One&gt;") && !page.contains("<One>"), "{page}");
        assert_eq!(page.matches("<td class=\"figure").count(), 4, "two sections, two agents");
        assert!(
            page.contains("heat-5\"><data value=\"4\">")
                && page.contains("<td class=\"figure\"><data value=\"0\">")
        );
        assert!(!page.contains("id=\"funnel\""));
    }
}
