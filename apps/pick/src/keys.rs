//! Key bindings.

use crate::state::{Key, PickAction, SettingsScope};
use ratatui::crossterm::event::{Event, KeyCode, KeyEvent, KeyEventKind, KeyModifiers};

/// The action of a terminal event; `None` if it only causes a redraw.
pub fn key(event: Event) -> Option<Key> {
    match event {
        Event::Key(key) if key.kind != KeyEventKind::Release => pressed(&key),
        Event::Paste(text) => Some(Key::Paste(text)),
        _ => None,
    }
}

fn pressed(key: &KeyEvent) -> Option<Key> {
    let has = |modifier| key.modifiers.contains(modifier);
    let is_other = has(KeyModifiers::CONTROL) || has(KeyModifiers::ALT);
    let for_preview = is_other || has(KeyModifiers::SHIFT);
    let found = match key.code {
        KeyCode::Char(c) if has(KeyModifiers::CONTROL) => return with_control(c),
        KeyCode::Char('e') if has(KeyModifiers::ALT) => Key::Switch(SettingsScope::Project),
        KeyCode::Char(_) if is_other => return None,
        KeyCode::Char(c) => Key::Char(c),
        KeyCode::Up if for_preview => Key::PreviewUp,
        KeyCode::Down if for_preview => Key::PreviewDown,
        KeyCode::Up => Key::Up,
        KeyCode::Down => Key::Down,
        KeyCode::PageUp => Key::PageUp,
        KeyCode::PageDown => Key::PageDown,
        KeyCode::Left => Key::Left,
        KeyCode::Right => Key::Right,
        KeyCode::Home => Key::Home,
        KeyCode::End => Key::End,
        KeyCode::Backspace if is_other => Key::DeleteWord,
        KeyCode::Backspace => Key::Backspace,
        KeyCode::Delete => Key::Delete,
        KeyCode::Tab | KeyCode::BackTab => Key::NextScope,
        KeyCode::Enter => Key::Pick(PickAction::CopyPath),
        KeyCode::Esc => Key::Cancel,
        _ => return None,
    };
    Some(found)
}

fn with_control(c: char) -> Option<Key> {
    let found = match c {
        'c' | 'g' => Key::Cancel,
        'e' => Key::Switch(SettingsScope::User),
        'p' | 'k' => Key::Up,
        'n' => Key::Down,
        'j' | 'm' => Key::Pick(PickAction::CopyPath),
        'y' => Key::Pick(PickAction::CopyText),
        'o' => Key::Pick(PickAction::Edit),
        'h' => Key::Backspace,
        'w' => Key::DeleteWord,
        'u' => Key::Clear,
        'a' => Key::Home,
        'b' => Key::Left,
        'f' => Key::Right,
        'd' => Key::Delete,
        _ => return None,
    };
    Some(found)
}
