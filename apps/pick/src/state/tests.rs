//! The effects of keys and events.

use super::*;
use skillc_domain::discovery::skill::SkillScope;

fn items() -> Vec<SkillItem> {
    let item = |(name, scope): (&str, SkillScope)| SkillItem {
        name: name.to_owned(),
        description: format!("Does {name}."),
        path: path(name),
        scope,
        is_enabled: true,
    };
    let all = [
        ("alpha", SkillScope::Repo),
        ("beta", SkillScope::Repo),
        ("gamma", SkillScope::User),
        ("日本語", SkillScope::User),
    ];
    all.into_iter().map(item).collect()
}

fn path(name: &str) -> PathBuf {
    PathBuf::from(format!("/s/{name}/SKILL.md"))
}

fn state(query: &str) -> State {
    State::new(items(), query, ScopeView::All).0
}

fn names(state: &mut State) -> Vec<String> {
    state.fit(10, None);
    state.rows().map(|(item, ..)| item.name.clone()).collect()
}

fn typed(state: &mut State, text: &str) {
    text.chars().for_each(|c| drop(state.handle_key(Key::Char(c))));
}

/// RFC-0012:C-PICK
#[test]
fn typing_narrows_the_list_and_deleting_widens_it() {
    let mut state = state("");
    assert_eq!(names(&mut state), ["alpha", "beta", "gamma", "日本語"]);
    typed(&mut state, "gm");
    assert_eq!(names(&mut state), ["gamma"]);
    state.handle_key(Key::Backspace);
    assert_eq!(names(&mut state), ["gamma"]);
    state.handle_key(Key::Clear);
    typed(&mut state, "日");
    assert_eq!(names(&mut state), ["日本語"]);
    state.handle_key(Key::DeleteWord);
    assert_eq!(names(&mut state).len(), 4);
    typed(&mut state, "nothing at all");
    assert_eq!(names(&mut state), Vec::<String>::new());
    assert_eq!(state.handle_key(Key::Pick(PickAction::CopyPath)), [], "there is nothing to pick");
}

/// RFC-0012:C-PICK
#[test]
fn the_scope_goes_round_and_narrows_the_list() {
    let mut state = state("a");
    state.handle_key(Key::NextScope);
    assert_eq!(
        (state.scope(), names(&mut state)),
        (ScopeView::Repo, vec!["alpha".to_owned(), "beta".to_owned()])
    );
    state.handle_key(Key::NextScope);
    assert_eq!((state.scope(), names(&mut state)), (ScopeView::User, vec!["gamma".to_owned()]));
    state.handle_key(Key::NextScope);
    assert_eq!(state.scope(), ScopeView::All);
}

/// RFC-0012:C-PICK
#[test]
fn enter_gives_the_selected_skill_and_cancel_none() {
    let (mut state, effects) = State::new(items(), "", ScopeView::All);
    assert_eq!(effects, [Effect::Preview(path("alpha"))]);
    assert_eq!(state.handle_key(Key::Down), [Effect::Preview(path("beta"))]);
    assert_eq!(
        state.handle_key(Key::Pick(PickAction::CopyPath)),
        [Effect::End(Some((path("beta"), PickAction::CopyPath)))]
    );
    assert_eq!(state.handle_key(Key::Cancel), [Effect::End(None)]);
    for _ in 0..9 {
        state.handle_key(Key::Down);
    }
    assert_eq!(
        state.handle_key(Key::Pick(PickAction::Edit)),
        [Effect::End(Some((path("日本語"), PickAction::Edit)))]
    );
    assert_eq!(state.handle_key(Key::PageUp), [Effect::Preview(path("gamma"))], "a page of one line so far");
    state.fit(10, None);
    assert_eq!(state.handle_key(Key::PageUp), [Effect::Preview(path("alpha"))]);
}

/// RFC-0012:C-PICK
#[test]
fn a_switch_is_asked_for_and_shown_when_it_was_made() {
    let mut state = state("");
    let asked =
        |is_enabled| Effect::Switch { name: "alpha".to_owned(), is_enabled, scope: SettingsScope::Project };
    assert_eq!(state.handle_key(Key::Switch(SettingsScope::Project)), [asked(false)]);
    assert!(state.selected().unwrap().is_enabled, "not before it was made");
    state.handle_event(PickerEvent::Switched(Ok(vec![false, true, true, true])));
    assert!(!state.selected().unwrap().is_enabled);
    assert_eq!(state.handle_key(Key::Switch(SettingsScope::Project)), [asked(true)]);
    state.handle_event(PickerEvent::Switched(Err("read-only\u{1b}".to_owned())));
    assert_eq!(state.message(), Some("read-only\\u{1b}"));
    state.handle_key(Key::Down);
    assert_eq!(state.message(), None);
}

/// RFC-0012:C-PICK
#[test]
fn skills_of_near_meaning_come_after_those_that_match() {
    let mut state = state("");
    assert_eq!(
        state.handle_key(Key::Char('b')),
        [Effect::Search("b".to_owned()), Effect::Preview(path("beta"))]
    );
    let near = vec![path("gamma"), path("beta"), path("gone"), path("alpha")];
    state.handle_event(PickerEvent::Similar("b".to_owned(), Some(near.clone())));
    assert_eq!(names(&mut state), ["beta", "gamma", "alpha"]);
    assert_eq!(state.rows().map(|(_, row, _)| row.is_similar).collect::<Vec<_>>(), [false, true, true]);
    typed(&mut state, "e");
    assert_eq!(names(&mut state), ["beta"], "they belong to one query");
    state.handle_event(PickerEvent::Similar("b".to_owned(), Some(near)));
    assert_eq!(names(&mut state), ["beta"], "a late answer is none");
    state.handle_event(PickerEvent::Similar("be".to_owned(), None));
    assert_eq!(state.handle_key(Key::Char('t')), [], "nobody can tell, so nobody is asked");
}

#[test]
fn a_selection_stays_on_its_skill_when_others_come() {
    let mut state = state("a");
    state.handle_key(Key::Down);
    let chosen = state.selected().unwrap().name.clone();
    state.handle_event(PickerEvent::Similar("a".to_owned(), Some(vec![path("日本語")])));
    assert_eq!(state.selected().unwrap().name, chosen);
}

#[test]
fn a_query_is_edited_by_characters() {
    let mut state = state("日本 ab");
    state.handle_key(Key::Left);
    state.handle_key(Key::Backspace);
    assert_eq!(state.query(), ("日本 b", "日本 "));
    state.handle_key(Key::Home);
    state.handle_key(Key::Delete);
    assert_eq!(state.query(), ("本 b", ""));
    state.handle_key(Key::Backspace);
    state.handle_key(Key::Right);
    state.handle_key(Key::Paste("x\u{1b}\ny".to_owned()));
    assert_eq!(state.query(), ("本x y b", "本x y"));
    state.handle_key(Key::End);
    state.handle_key(Key::DeleteWord);
    assert_eq!(state.query(), ("本x y ", "本x y "));
    state.handle_key(Key::Delete);
    state.handle_key(Key::Paste("長".repeat(1_000)));
    assert_eq!(state.query().0.chars().count(), 500);
}

/// RFC-0012:C-PICK
#[test]
fn the_preview_scrolls_within_its_lines() {
    let mut state = state("");
    let text: String = (0..20).map(|i| format!("line {i}\n")).collect();
    let preview = Preview { sections: vec![(1, "Top".to_owned())], text, problem: None };
    state.handle_event(PickerEvent::Preview(path("alpha"), preview));
    state.fit(3, Some((40, 6)));
    assert_eq!(state.preview().len(), 6);
    assert_eq!(state.preview()[0].text, "alpha (repo)");
    for _ in 0..40 {
        state.handle_key(Key::PreviewDown);
    }
    state.fit(3, Some((40, 6)));
    assert_eq!(state.preview()[5].text, "line 19");
    state.handle_key(Key::PreviewUp);
    state.fit(3, Some((40, 6)));
    assert_eq!(state.preview()[5].text, "line 16");
    state.handle_key(Key::Down);
    state.fit(3, Some((40, 6)));
    assert_eq!(state.preview()[0].text, "beta (repo)", "another skill begins at its top");
}

#[test]
fn the_selected_row_is_always_seen() {
    let many: Vec<SkillItem> = (0..100)
        .map(|i| SkillItem { name: format!("s{i}"), path: path(&i.to_string()), ..items()[0].clone() })
        .collect();
    let (mut state, _) = State::new(many, "", ScopeView::All);
    let keys = [Key::PageDown, Key::Down, Key::PageUp, Key::Up, Key::PageDown, Key::PageDown];
    for (step, height) in [1, 7, 3, 50, 200, 2].into_iter().cycle().take(60).enumerate() {
        state.handle_key(keys[step % keys.len()].clone());
        state.fit(height, None);
        assert_eq!(state.rows().filter(|(.., is_selected)| *is_selected).count(), 1, "step {step}");
    }
}
