//! The state of the picker: keys and events go in, effects come out. It performs no I/O.

mod event;
mod query;
#[cfg(test)]
mod tests;

pub use event::{Effect, Key, ListRow, PickAction, PickerEvent, SettingsScope};

use crate::filter::FuzzyIndex;
use crate::item::{ScopeView, SkillItem};
use crate::preview::{self, Preview, PreviewLine};
use query::QueryInput;
use skillc_ops::render::plain;
use std::collections::{HashMap, HashSet};
use std::ffi::OsStr;
use std::path::{Path, PathBuf};

pub struct State {
    items: Vec<SkillItem>,
    index: FuzzyIndex,
    query: QueryInput,
    scope: ScopeView,
    /// Query, scope and sorted matches of the last search.
    matched: Option<(String, ScopeView, Vec<u32>)>,
    by_letters: Vec<u32>,
    similar: Option<(String, Vec<u32>)>,
    has_model: bool,
    rows: Vec<ListRow>,
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
    /// The initial state with its first effects.
    pub fn new(items: Vec<SkillItem>, query: &str, scope: ScopeView) -> (Self, Vec<Effect>) {
        let mut state = Self {
            index: FuzzyIndex::new(&items),
            items,
            query: QueryInput::new(query),
            scope,
            matched: None,
            by_letters: Vec::new(),
            similar: None,
            has_model: true,
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
        let mut effects = state.search_similar();
        effects.extend(state.effects(None));
        (state, effects)
    }

    /// Handles an action of the user.
    pub fn handle_key(&mut self, key: Key) -> Vec<Effect> {
        self.message = None;
        let before = self.selected_path();
        match key {
            Key::Cancel => return vec![Effect::End(None)],
            Key::Pick(action) => {
                let end = |item: &SkillItem| Effect::End(Some((item.path.clone(), action)));
                return self.selected().map(end).into_iter().collect();
            }
            Key::Switch(scope) => return self.switch(scope).into_iter().collect(),
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
        self.query.handle_key(key);
        if self.query.text().trim() == old {
            return Vec::new();
        }
        self.search();
        let mut effects = self.search_similar();
        effects.extend(self.effects(before));
        effects
    }

    fn search_similar(&self) -> Vec<Effect> {
        let query = self.query.text().trim();
        let can_search = self.has_model && !query.is_empty();
        can_search.then(|| Effect::Search(query.to_owned())).into_iter().collect()
    }

    /// Handles the result of an effect.
    pub fn handle_event(&mut self, event: PickerEvent) -> Vec<Effect> {
        let before = self.selected_path();
        match event {
            PickerEvent::Similar(_, None) => self.has_model = false,
            PickerEvent::Similar(query, Some(paths)) => {
                if query == self.query.text().trim() {
                    self.similar = Some((query, self.positions(&paths)));
                    self.arrange();
                    self.select_path(before.as_deref());
                }
            }
            PickerEvent::Preview(path, preview) => {
                self.preview = Some((path, preview));
                self.preview_lines = None;
            }
            PickerEvent::Switched(Ok(enabled)) => {
                self.items
                    .iter_mut()
                    .zip(enabled)
                    .for_each(|(item, is_enabled)| item.is_enabled = is_enabled);
                self.preview_lines = None;
            }
            PickerEvent::Switched(Err(message)) => self.message = Some(plain(&message)),
        }
        self.effects(before)
    }

    /// The effects of a change of the selection.
    fn effects(&mut self, before: Option<PathBuf>) -> Vec<Effect> {
        let now = self.selected_path();
        if now == before {
            return Vec::new();
        }
        self.scrolled = 0;
        now.map(Effect::Preview).into_iter().collect()
    }

    fn switch(&self, scope: SettingsScope) -> Option<Effect> {
        let item = self.selected()?;
        Some(Effect::Switch { name: item.name.clone(), is_enabled: !item.is_enabled, scope })
    }

    fn positions(&self, paths: &[PathBuf]) -> Vec<u32> {
        let ranks: HashMap<&OsStr, usize> =
            paths.iter().enumerate().map(|(rank, path)| (path.as_os_str(), rank)).collect();
        let ranked = |(at, item): (usize, &SkillItem)| Some((*ranks.get(item.path.as_os_str())?, at as u32));
        let mut found: Vec<(usize, u32)> = self.items.iter().enumerate().filter_map(ranked).collect();
        found.sort_unstable();
        found.into_iter().map(|(_, at)| at).collect()
    }

    /// Searches by letters. A query that only grew is searched among the previous matches.
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
        let is_in = |(at, item): (usize, &SkillItem)| self.scope.matches(item.scope).then_some(at as u32);
        self.items.iter().enumerate().filter_map(is_in).collect()
    }

    /// Lists the matches by letters first, and then those by meaning only.
    fn arrange(&mut self) {
        self.rows = self.by_letters.iter().map(|at| ListRow { at: *at, is_similar: false }).collect();
        let similar = self.similar.as_ref().filter(|(query, _)| query == self.query.text().trim());
        let Some((_, similar)) = similar else { return };
        let listed: HashSet<u32> = self.by_letters.iter().copied().collect();
        let is_new = |at: &&u32| !listed.contains(*at) && self.scope.matches(self.items[**at as usize].scope);
        self.rows.extend(similar.iter().filter(is_new).map(|at| ListRow { at: *at, is_similar: true }));
    }

    fn select_path(&mut self, path: Option<&Path>) {
        let at = self.rows.iter().position(|row| Some(self.items[row.at as usize].path.as_path()) == path);
        self.select(at.unwrap_or_default());
    }

    fn select(&mut self, row: usize) {
        self.selected = row.min(self.rows.len().saturating_sub(1));
    }

    fn preview_step(&self) -> usize {
        (self.preview_height / 2).max(1)
    }

    /// Scrolls list and preview to their heights and, for the preview, width. Called before each draw.
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

    /// The visible lines of the preview.
    pub fn preview(&self) -> &[PreviewLine] {
        let lines = self.preview_lines.as_ref().map_or(&[][..], |(.., lines)| lines);
        &lines[self.scrolled.min(lines.len())..(self.scrolled + self.preview_height).min(lines.len())]
    }

    /// The visible rows, each with whether it is selected.
    pub fn rows(&self) -> impl Iterator<Item = (&SkillItem, ListRow, bool)> {
        let seen = self.rows.iter().enumerate().skip(self.top).take(self.list_height);
        seen.map(|(row, found)| (&self.items[found.at as usize], *found, row == self.selected))
    }

    /// The selected skill; `None` without matches.
    pub fn selected(&self) -> Option<&SkillItem> {
        self.rows.get(self.selected).map(|row| &self.items[row.at as usize])
    }

    fn selected_path(&self) -> Option<PathBuf> {
        self.selected().map(|item| item.path.clone())
    }

    /// The query, and the part of it before the cursor.
    pub fn query(&self) -> (&str, &str) {
        (self.query.text(), self.query.before_cursor())
    }

    /// The scope whose skills are shown.
    pub fn scope(&self) -> ScopeView {
        self.scope
    }

    /// The number of rows, and of all skills.
    pub fn counts(&self) -> (usize, usize) {
        (self.rows.len(), self.items.len())
    }

    /// The error of the last action.
    pub fn message(&self) -> Option<&str> {
        self.message.as_deref()
    }
}
