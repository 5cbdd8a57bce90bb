//! Draws the state. It decides only the layout.

use crate::item::SkillItem;
use crate::preview::LineKind;
use crate::state::{ListRow, State};
use crate::text::{columns, cut, one_line, padded};
use ratatui::Frame;
use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use ratatui::style::{Color, Modifier, Style};

/// Width from which the preview is next to the list.
const BESIDE_COLUMNS: u16 = 90;
/// Height between prompt and footer from which the preview is below the list.
const BELOW_LINES: u16 = 14;
/// Width from which a row shows scope and description.
const WIDE_COLUMNS: usize = 40;
/// Before the query.
const PROMPT: &str = "> ";
/// Key bindings, most needed first.
const HELP: &str = "enter load  esc cancel  ^Y copy text  ^O edit  tab scope  ^E on/off  alt-E in project  alt-up/down preview  + on  - off  ~ by meaning";

/// The areas of the screen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Layout {
    prompt: Rect,
    list: Rect,
    preview: Option<Rect>,
    footer: Option<Rect>,
}

impl Layout {
    fn of(area: Rect) -> Self {
        let Rect { x, y, width, height } = area;
        let line = |y: u16| Rect { x, y, width, height: 1 };
        let has_footer = height >= 4;
        let prompt = Rect { height: height.min(1), ..line(y) };
        let middle =
            Rect { x, y: y + prompt.height, width, height: height - prompt.height - u16::from(has_footer) };
        let (list, preview) = split(middle);
        Self { prompt, list, preview, footer: has_footer.then(|| line(y + height - 1)) }
    }
}

/// The areas of list and preview: side by side if it is wide enough, stacked if it is high enough, else only the list.
fn split(middle: Rect) -> (Rect, Option<Rect>) {
    let Rect { x, y, width, height } = middle;
    if width >= BESIDE_COLUMNS {
        let list = Rect { width: width / 2, ..middle };
        let preview = Rect { x: x + list.width + 2, width: width - list.width - 2, ..middle };
        return (list, Some(preview));
    }
    if height >= BELOW_LINES {
        let list = Rect { height: height / 2, ..middle };
        let preview = Rect { y: y + list.height + 1, height: height - list.height - 1, ..middle };
        return (list, Some(preview));
    }
    (middle, None)
}

/// The styles; without color they differ only in brightness.
#[derive(Clone, Copy, Debug)]
pub struct Theme {
    /// Whether to use color.
    pub has_color: bool,
}

impl Theme {
    fn colored(self, style: Style, color: Color) -> Style {
        if self.has_color { style.fg(color) } else { style }
    }

    fn plain(self) -> Style {
        Style::new()
    }

    fn strong(self) -> Style {
        Style::new().add_modifier(Modifier::BOLD)
    }

    fn faint(self) -> Style {
        Style::new().add_modifier(Modifier::DIM)
    }

    fn of_line(self, kind: LineKind) -> Style {
        match kind {
            LineKind::Title => self.colored(self.strong(), Color::Cyan),
            LineKind::Path => self.faint(),
            LineKind::Text => self.plain(),
            LineKind::Section => self.colored(self.plain(), Color::Yellow),
            LineKind::Problem => self.colored(self.strong(), Color::Red),
        }
    }
}

/// Draws the whole screen.
pub fn draw(frame: &mut Frame<'_>, state: &mut State, theme: Theme) {
    let layout = Layout::of(frame.area());
    let preview = layout.preview.map(|area| (usize::from(area.width), usize::from(area.height)));
    state.fit(usize::from(layout.list.height), preview);
    let cursor = draw_prompt(frame.buffer_mut(), layout.prompt, state, theme);
    frame.set_cursor_position(cursor);
    let buffer = frame.buffer_mut();
    draw_list(buffer, layout.list, state, theme);
    if let Some(area) = layout.preview {
        draw_border(buffer, layout.list, area, theme);
        for (line, y) in state.preview().iter().zip(area.y..) {
            put(buffer, area.x, y, area.width, &line.text, theme.of_line(line.kind));
        }
    }
    if let Some(area) = layout.footer {
        let (text, style) = match state.message() {
            Some(message) => (one_line(message), theme.of_line(LineKind::Problem)),
            None => (HELP.to_owned(), theme.faint()),
        };
        put(buffer, area.x, area.y, area.width, &cut(&text, usize::from(area.width)), style);
    }
}

/// Draws the query and, at the right, the number of results. Returns the cursor position; of a query that is too long,
/// the end is shown.
fn draw_prompt(buffer: &mut Buffer, area: Rect, state: &State, theme: Theme) -> Position {
    let width = usize::from(area.width);
    let (query, before) = state.query();
    let (rows, all) = state.counts();
    let counts = format!("  {rows}/{all} {}", state.scope().word());
    let has_counts = width >= PROMPT.len() + columns(query) + 1 + columns(&counts);
    let room = width.saturating_sub(PROMPT.len() + 1);
    let from = skipped(before, room);
    put(buffer, area.x, area.y, area.width, PROMPT, theme.colored(theme.strong(), Color::Cyan));
    let x = area.x + PROMPT.len() as u16;
    put(buffer, x, area.y, area.width.saturating_sub(PROMPT.len() as u16), &query[from..], theme.plain());
    if has_counts {
        let at = area.x + area.width - columns(&counts) as u16;
        put(buffer, at, area.y, area.width, &counts, theme.faint());
    }
    let column = PROMPT.len() + columns(&before[from..]);
    Position { x: area.x + column.min(width.saturating_sub(1)) as u16, y: area.y }
}

/// Bytes at the start of the text before the cursor that do not fit.
fn skipped(before: &str, room: usize) -> usize {
    let fits = |at: &usize| columns(&before[*at..]) <= room;
    before.char_indices().map(|(at, _)| at).find(fits).unwrap_or(before.len())
}

fn draw_list(buffer: &mut Buffer, area: Rect, state: &State, theme: Theme) {
    let width = usize::from(area.width);
    let longest = state.rows().map(|(item, ..)| columns(&item.name)).max().unwrap_or_default();
    let name = longest.min(if width < WIDE_COLUMNS { width } else { (width * 2 / 5).max(12) });
    for ((item, row, is_selected), y) in state.rows().zip(area.y..) {
        let line = line_of(item, row, is_selected, name, width);
        let mut style = if item.is_enabled { theme.plain() } else { theme.faint() };
        if is_selected {
            style = style.add_modifier(Modifier::REVERSED | Modifier::BOLD);
        }
        put(buffer, area.x, y, area.width, &line, style);
    }
    if state.counts().0 == 0 && area.height > 0 {
        let message = if state.counts().1 == 0 { "no skills found" } else { "no matches" };
        put(buffer, area.x, area.y, area.width, &cut(message, width), theme.faint());
    }
}

/// The row of a skill: marks, name, scope and description, padded to a width in columns.
fn line_of(item: &SkillItem, row: ListRow, is_selected: bool, name_columns: usize, width: usize) -> String {
    let marks = [
        if is_selected { '>' } else { ' ' },
        if item.is_enabled { '+' } else { '-' },
        if row.is_similar { '~' } else { ' ' },
    ];
    let marks: String = marks.into_iter().collect();
    if width < WIDE_COLUMNS {
        return padded(&format!("{marks}{}", item.name), width);
    }
    let name = padded(&item.name, name_columns);
    padded(&format!("{marks}{name}  {}  {}", item.scope.word(), item.description), width)
}

/// Draws the line between list and preview.
fn draw_border(buffer: &mut Buffer, list: Rect, preview: Rect, theme: Theme) {
    if preview.y == list.y {
        (list.y..list.y + list.height).for_each(|y| put(buffer, preview.x - 2, y, 1, "│", theme.faint()));
    } else {
        put(buffer, list.x, preview.y - 1, list.width, &"─".repeat(usize::from(list.width)), theme.faint());
    }
}

/// Writes a text, clipped to a width and to the screen.
fn put(buffer: &mut Buffer, x: u16, y: u16, width: u16, text: &str, style: Style) {
    let area = buffer.area;
    if x < area.right() && y < area.bottom() {
        buffer.set_stringn(x, y, text, usize::from(width.min(area.right() - x)), style);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::item::ScopeView;
    use crate::preview::Preview;
    use crate::state::{Key, PickerEvent};
    use ratatui::Terminal;
    use ratatui::backend::TestBackend;
    use skillc_domain::discovery::skill::SkillScope;

    fn items() -> Vec<SkillItem> {
        let item = |(name, description, is_enabled): &(&str, &str, bool)| SkillItem {
            name: (*name).to_owned(),
            description: one_line(description),
            path: format!("/s/{name}/SKILL.md").into(),
            scope: SkillScope::Repo,
            is_enabled: *is_enabled,
        };
        let all = [
            ("pdf-forms", "Fills in forms of PDF files, one after the other.", true),
            ("release-notes", "Drafts notes.\u{1b}[2J", false),
            ("日本語の技能", "翻訳する 🦀 that is long enough to be cut", true),
        ];
        all.iter().map(item).collect()
    }

    fn drawn(state: &mut State, width: u16, height: u16) -> Vec<String> {
        let mut terminal = Terminal::new(TestBackend::new(width, height)).unwrap();
        terminal.draw(|frame| draw(frame, state, Theme { has_color: false })).unwrap();
        let buffer = terminal.backend().buffer();
        let symbol = |x, y| buffer.cell((x, y)).map_or("", |cell| cell.symbol()).to_owned();
        (0..height)
            .map(|y| (0..width).map(|x| symbol(x, y)).collect::<String>().trim_end().to_owned())
            .collect()
    }

    fn state() -> State {
        State::new(items(), "", ScopeView::All).0
    }

    /// RFC-0012:C-PICK
    #[test]
    fn a_row_shows_marks_name_scope_and_description() {
        let lines = drawn(&mut state(), 60, 6);
        assert_eq!(lines[0], ">                                                    3/3 all");
        assert_eq!(lines[1], ">+ pdf-forms      repo  Fills in forms of PDF files, one af…");
        assert!(lines[2].starts_with(" - release-notes  repo  Drafts notes.\\u{1b}[2J"), "{}", lines[2]);
        assert!(lines[3].contains("翻") && lines[3].ends_with('…'), "{}", lines[3]);
        assert!(lines[5].starts_with("enter load  esc cancel"));
    }

    /// RFC-0012:C-PICK
    #[test]
    fn any_screen_is_drawn_however_small() {
        for width in (0..30).chain([89, 90, 91, 200]) {
            for height in (0..20).chain([60]) {
                let mut state = state();
                state.handle_event(PickerEvent::Preview(
                    "/s/pdf-forms/SKILL.md".into(),
                    Preview { text: "日本 ".repeat(99), ..Preview::default() },
                ));
                drawn(&mut state, width, height);
                "日本語の長い query".chars().for_each(|c| drop(state.handle_key(Key::Char(c))));
                drawn(&mut state, width, height);
            }
        }
        let tiny = drawn(&mut state(), 20, 5);
        assert_eq!(
            tiny,
            [
                ">            3/3 all",
                ">+ pdf-forms",
                " - release-notes",
                " + 日 本 語 の 技 能",
                "enter load  esc can…"
            ]
        );
    }

    /// RFC-0012:C-PICK
    #[test]
    fn the_preview_stands_beside_or_below_or_not_at_all() {
        let preview = Preview {
            sections: vec![(1, "Forms".to_owned()), (2, "Filling in".to_owned())],
            text: "# Forms\n\n## Filling in\n".to_owned(),
            problem: None,
        };
        let shown = |width, height| {
            let mut state = state();
            state.handle_event(PickerEvent::Preview("/s/pdf-forms/SKILL.md".into(), preview.clone()));
            drawn(&mut state, width, height)
        };
        let wide = shown(100, 10);
        assert!(wide[1].contains("│ pdf-forms (repo)"), "{wide:?}");
        assert!(
            wide.iter().any(|line| line.ends_with("│ Forms"))
                && wide.iter().any(|line| line.ends_with("│   Filling in"))
        );
        let high = shown(50, 30);
        let border = high.iter().position(|line| line.starts_with('─')).unwrap();
        assert_eq!(high[border + 1], "pdf-forms (repo)");
        assert!(!shown(50, 10).iter().any(|line| line.contains("pdf-forms (repo)")));
    }

    #[test]
    fn the_end_of_a_long_query_is_seen() {
        let mut state = state();
        "0123456789abcdefghijklmnop".chars().for_each(|c| drop(state.handle_key(Key::Char(c))));
        assert_eq!(drawn(&mut state, 20, 3)[0], "> 9abcdefghijklmnop");
        assert_eq!(drawn(&mut state, 20, 3)[1], "no matches");
    }
}
