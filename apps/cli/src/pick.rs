//! `skc pick`: what happens with the picked skill.

use crate::config;
use crate::environment::Surroundings;
use crate::print::Printer;
use clap::ArgMatches;
use skillc_domain::discovery::roots::Which;
use skillc_domain::fault::Fault;
use skillc_ops::operation::call_blocking;
use skillc_ops::render::plain;
use skillc_ops::verb::load::{Load, LoadReply, LoadRequest};
use skillc_ops::{Answer, App};
use skillc_pick::{PickAction, PickOptions, Picked, ScopeView, SkillSource};
use std::path::Path;
use std::process::ExitCode;

/// Lets the user pick a skill, then loads it or prints its path. Exits with status 1 if none was picked.
pub fn run(mut app: App, surroundings: Surroundings, matches: &ArgMatches, printer: &Printer) -> ExitCode {
    let word = |name: &str| matches.get_one::<String>(name).map(String::as_str).unwrap_or_default();
    let options = PickOptions {
        query: word("query").to_owned(),
        scope: ScopeView::from_word(word("scope")).unwrap_or_default(),
        has_color: printer.has_color_on_terminal(),
    };
    let roots = match word("roots") {
        "all" => Which::All,
        "standard" => Which::Standard,
        _ => Which::Default,
    };
    // Enabling or disabling a skill may have created the project's file.
    let reload = move || config::load(&surroundings.moved_to(&surroundings.places.cwd)).settings;
    let again = reload.clone();
    match skillc_pick::pick(SkillSource::new(app.clone(), roots, Box::new(reload)), &options) {
        Ok(Picked::Skill(path, _)) if matches.get_flag("print") => printer.path(&path),
        Ok(Picked::Skill(path, action)) => {
            app.call.settings = again();
            match printer.is_person_at_terminal() && !matches.get_flag("print-text") {
                true => carry_out(&app, &path, action, printer),
                false => printer.answer(&load(&app, &path).boxed()),
            }
        }
        Ok(Picked::Nothing) => ExitCode::FAILURE,
        Err(fault) => printer.refused(&fault),
    }
}

/// Loads a skill as `skc load PATH` does.
fn load(app: &App, path: &Path) -> Answer<LoadReply> {
    let request = LoadRequest { path: Some(path.to_string_lossy().into_owned()), ..LoadRequest::default() };
    call_blocking::<Load>(app, request)
}

/// Performs the action of the pressed key, and reports it.
fn carry_out(app: &App, path: &Path, action: PickAction, printer: &Printer) -> ExitCode {
    if action == PickAction::Edit {
        return edit(app, path, printer);
    }
    let answer = load(app, path);
    let lines = answer.reply.as_ref().map(|reply| match action {
        PickAction::CopyText => loaded(reply, printer, "its text", &reply.text),
        _ => loaded(reply, printer, "its path", &reply.path.to_string_lossy()),
    });
    let status = printer.answer(&Answer { reply: None, ..answer.boxed() });
    lines.iter().flatten().for_each(|line| printer.line(line));
    status
}

/// Reports what was loaded, from where, and what is now on the clipboard.
fn loaded(reply: &LoadReply, printer: &Printer, what: &str, text: &str) -> [String; 2] {
    let copied = match skillc_pick::copy(text) {
        true => format!("Copied {what} (OSC 52; some terminals forbid it)"),
        false => format!(
            "Could not copy {what}: too long for a terminal; 'skc load {}' prints it",
            plain(&reply.name)
        ),
    };
    [format!("Loaded {} from {}", plain(&reply.name), printer.shown_path(&reply.path)), copied]
}

fn edit(app: &App, path: &Path, printer: &Printer) -> ExitCode {
    let Some(editor) = &app.ports.text_editor else {
        let message = format!("no editor is set to open '{}'; set VISUAL or EDITOR to one", path.display());
        return printer.refused(&Fault::invalid_option(message));
    };
    match editor.edit(path) {
        Ok(()) => {
            printer.line(&format!("Edited {}", printer.shown_path(path)));
            ExitCode::SUCCESS
        }
        Err(error) => printer.answer(&Answer::failed(error.into())),
    }
}
