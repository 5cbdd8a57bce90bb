//! What the picker knows and decides. Keys and news go in, effects come out; nothing else happens here.

mod event;
mod query;
#[cfg(test)]
mod tests;

pub use event::{Effect, Key, News, Place, Row};

use crate::filter::Index;
use crate::item::{Item, ScopeFilter};
use crate::preview::{self, Preview, PreviewLine};
use query::Query;
use skillc_ops::render::plain;
use std::collections::{HashMap, HashSet};
use std::ffi::OsStr;
use std::path::{Path, PathBuf};

/// All that is known.
pub struct State {
    items: Vec<Item>,
    index: Index,
    query: Query,
    scope: ScopeFilter,
    /// What matches the query, in the order of items, for the query and scope of the last search.
    matched: Option<(String, ScopeFilter, Vec<u32>)>,
    by_letters: Vec<u32>,
    near: Option<(String, Vec<u32>)>,
    can_ask: bool,
    rows: Vec<Row>,
    selected: usize,
    top: usize,
    list_height: usize,
    preview: Option<(PathBuf, Preview)>,
    preview_lines: Option<(PathBuf, usize, Vec<PreviewLine>)>,
    scrolled: usize,
    preview_height: usize,
    message: Option<String>,
}

impl State {
    /// With these skills, a first query and a scope, and what is to be done at once.
    pub fn new(items: Vec<Item>, query: &str, scope: ScopeFilter) -> (Self, Vec<Effect>) {
        let mut state = Self {
            index: Index::new(&items),
            items,
            query: Query::new(query),
            scope,
            matched: None,
            by_letters: Vec::new(),
            near: None,
            can_ask: true,
            rows: Vec::new(),
            selected: 0,
            top: 0,
            list_height: 1,
            preview: None,
            preview_lines: None,
            scrolled: 0,
            preview_height: 1,
            message: None,
        };
        state.search();
        let mut effects = state.ask();
        effects.extend(state.effects(None));
        (state, effects)
    }

    /// Takes what a person does.
    pub fn press(&mut self, key: Key) -> Vec<Effect> {
        self.message = None;
        let before = self.selected_path();
        match key {
            Key::Cancel => return vec![Effect::End(None)],
            Key::Enter => {
                return self
                    .selected()
                    .map(|item| Effect::End(Some(item.path.clone())))
                    .into_iter()
                    .collect();
            }
            Key::Switch(place) => return self.switch(place).into_iter().collect(),
            Key::Up => self.select(self.selected.saturating_sub(1)),
            Key::Down => self.select(self.selected + 1),
            Key::PageUp => self.select(self.selected.saturating_sub(self.list_height)),
            Key::PageDown => self.select(self.selected + self.list_height),
            Key::PreviewUp => self.scrolled = self.scrolled.saturating_sub(self.preview_step()),
            Key::PreviewDown => self.scrolled += self.preview_step(),
            Key::NextScope => {
                self.scope = self.scope.next();
                self.search();
            }
            Key::Char(_)
            | Key::Paste(_)
            | Key::Backspace
            | Key::Delete
            | Key::DeleteWord
            | Key::Clear
            | Key::Left
            | Key::Right
            | Key::Home
            | Key::End => return self.edit(&key, before),
        }
        self.effects(before)
    }

    fn edit(&mut self, key: &Key, before: Option<PathBuf>) -> Vec<Effect> {
        let old = self.query.text().trim().to_owned();
        self.query.press(key);
        if self.query.text().trim() == old {
            return Vec::new();
        }
        self.search();
        let mut effects = self.ask();
        effects.extend(self.effects(before));
        effects
    }

    fn ask(&self) -> Vec<Effect> {
        let query = self.query.text().trim();
        let is_asked = self.can_ask && !query.is_empty();
        is_asked.then(|| Effect::Ask(query.to_owned())).into_iter().collect()
    }

    /// Takes what came from elsewhere.
    pub fn hear(&mut self, news: News) -> Vec<Effect> {
        let before = self.selected_path();
        match news {
            News::Near(_, None) => self.can_ask = false,
            News::Near(query, Some(paths)) => {
                if query == self.query.text().trim() {
                    self.near = Some((query, self.positions(&paths)));
                    self.arrange();
                    self.keep_selected(before.as_deref());
                }
            }
            News::Preview(path, preview) => {
                self.preview = Some((path, preview));
                self.preview_lines = None;
            }
            News::Switched(Ok(enabled)) => {
                self.items
                    .iter_mut()
                    .zip(enabled)
                    .for_each(|(item, is_enabled)| item.is_enabled = is_enabled);
                self.preview_lines = None;
            }
            News::Switched(Err(message)) => self.message = Some(plain(&message)),
        }
        self.effects(before)
    }

    /// What a change of the selection brings about.
    fn effects(&mut self, before: Option<PathBuf>) -> Vec<Effect> {
        let now = self.selected_path();
        if now == before {
            return Vec::new();
        }
        self.scrolled = 0;
        now.map(Effect::Read).into_iter().collect()
    }

    fn switch(&self, place: Place) -> Option<Effect> {
        let item = self.selected()?;
        Some(Effect::Switch { name: item.name.clone(), is_enabled: !item.is_enabled, place })
    }

    fn positions(&self, paths: &[PathBuf]) -> Vec<u32> {
        let ranks: HashMap<&OsStr, usize> =
            paths.iter().enumerate().map(|(rank, path)| (path.as_os_str(), rank)).collect();
        let ranked = |(at, item): (usize, &Item)| Some((*ranks.get(item.path.as_os_str())?, at as u32));
        let mut found: Vec<(usize, u32)> = self.items.iter().enumerate().filter_map(ranked).collect();
        found.sort_unstable();
        found.into_iter().map(|(_, at)| at).collect()
    }

    /// Finds what the query means. A query that only grew is looked for in what matched before.
    fn search(&mut self) {
        let matched = self.matched.take();
        let grown = matched.filter(|(query, scope, _)| {
            *scope == self.scope && self.query.text().starts_with(query.as_str())
        });
        let among = grown.map_or_else(|| self.in_scope(), |(_, _, among)| among);
        self.by_letters = self.index.find(self.query.text(), &among);
        let mut ordered = self.by_letters.clone();
        ordered.sort_unstable();
        self.matched = Some((self.query.text().to_owned(), self.scope, ordered));
        self.arrange();
        (self.selected, self.top) = (0, 0);
    }

    fn in_scope(&self) -> Vec<u32> {
        let is_in = |(at, item): (usize, &Item)| self.scope.takes(item.scope).then_some(at as u32);
        self.items.iter().enumerate().filter_map(is_in).collect()
    }

    /// Those by letters first, then those that only mean something near, each once.
    fn arrange(&mut self) {
        self.rows = self.by_letters.iter().map(|at| Row { at: *at, is_near: false }).collect();
        let Some((_, near)) = self.near.as_ref().filter(|(query, _)| query == self.query.text().trim())
        else {
            return;
        };
        let there: HashSet<u32> = self.by_letters.iter().copied().collect();
        let is_new = |at: &&u32| !there.contains(*at) && self.scope.takes(self.items[**at as usize].scope);
        self.rows.extend(near.iter().filter(is_new).map(|at| Row { at: *at, is_near: true }));
    }

    fn keep_selected(&mut self, path: Option<&Path>) {
        let at = self.rows.iter().position(|row| Some(self.items[row.at as usize].path.as_path()) == path);
        self.select(at.unwrap_or_default());
    }

    fn select(&mut self, row: usize) {
        self.selected = row.min(self.rows.len().saturating_sub(1));
    }

    fn preview_step(&self) -> usize {
        (self.preview_height / 2).max(1)
    }

    /// Says how much of list and preview is to be seen, before it is drawn.
    pub fn fit(&mut self, list_height: usize, preview: Option<(usize, usize)>) {
        self.list_height = list_height.max(1);
        if self.selected < self.top {
            self.top = self.selected;
        }
        self.top = self.top.max((self.selected + 1).saturating_sub(self.list_height));
        self.top = self.top.min(self.rows.len().saturating_sub(self.list_height));
        let Some((columns, height)) = preview else { return };
        self.preview_height = height;
        self.break_lines(columns);
        let lines = self.preview_lines.as_ref().map_or(0, |(.., lines)| lines.len());
        self.scrolled = self.scrolled.min(lines.saturating_sub(height));
    }

    fn break_lines(&mut self, columns: usize) {
        let Some(item) = self.selected() else { return self.preview_lines = None };
        if self.preview_lines.as_ref().is_some_and(|(path, width, _)| *path == item.path && *width == columns)
        {
            return;
        }
        let nothing = Preview::default();
        let known = self.preview.as_ref().filter(|(path, _)| *path == item.path);
        let preview = known.map_or(&nothing, |(_, preview)| preview);
        let state = if item.is_enabled { "" } else { ", switched off" };
        let title = format!("{} ({}{state})", item.name, item.scope.word());
        let lines = preview::lines(&title, &item.path.to_string_lossy(), &item.description, preview, columns);
        self.preview_lines = Some((item.path.clone(), columns, lines));
    }

    /// The lines of the preview that are to be seen.
    pub fn preview(&self) -> &[PreviewLine] {
        let lines = self.preview_lines.as_ref().map_or(&[][..], |(.., lines)| lines);
        &lines[self.scrolled.min(lines.len())..(self.scrolled + self.preview_height).min(lines.len())]
    }

    /// The rows that are to be seen, each with whether it is selected.
    pub fn rows(&self) -> impl Iterator<Item = (&Item, Row, bool)> {
        let seen = self.rows.iter().enumerate().skip(self.top).take(self.list_height);
        seen.map(|(row, found)| (&self.items[found.at as usize], *found, row == self.selected))
    }

    /// The selected skill; `None` where nothing matches.
    pub fn selected(&self) -> Option<&Item> {
        self.rows.get(self.selected).map(|row| &self.items[row.at as usize])
    }

    fn selected_path(&self) -> Option<PathBuf> {
        self.selected().map(|item| item.path.clone())
    }

    /// The query, and how much of it stands before the cursor.
    pub fn query(&self) -> (&str, &str) {
        (self.query.text(), self.query.before_cursor())
    }

    /// The scope that is shown.
    pub fn scope(&self) -> ScopeFilter {
        self.scope
    }

    /// Rows that there are, and all skills.
    pub fn counts(&self) -> (usize, usize) {
        (self.rows.len(), self.items.len())
    }

    /// What went wrong last.
    pub fn message(&self) -> Option<&str> {
        self.message.as_deref()
    }
}
