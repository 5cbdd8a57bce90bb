//! Homes in which skc and the model once disagreed.

use super::action::{Action, Manner};
use super::home::Store;
use super::{Step, live};

/// The question after each step; the list and the deployments are always checked.
const SHOW: usize = 0;
const STATS: usize = 6;

/// Killed so late that the command has ended.
const AT_THE_END: Manner = Manner::Killed(20_000);

#[track_caller]
fn agrees(actions: &[(Action, Manner)]) {
    agrees_on(SHOW, actions);
}

#[track_caller]
fn agrees_on(question: usize, actions: &[(Action, Manner)]) {
    let step = |&(action, manner)| Step { action, manner, question, name: 2 };
    let steps: Vec<Step> = actions.iter().map(step).collect();
    live(&steps).unwrap();
}

#[track_caller]
fn agrees_alone(actions: &[Action]) {
    let actions: Vec<_> = actions.iter().map(|&action| (action, Manner::Alone)).collect();
    agrees(&actions);
}

const fn build(name: usize) -> Action {
    Action::Build { name, is_copy: false }
}

#[test]
fn two_processes_remove_one_skill() {
    agrees(&[(Action::Init(2), Manner::Alone), (Action::Remove(2), Manner::Twice)]);
}

#[test]
fn two_processes_rename_one_skill() {
    agrees(&[
        (Action::Import(2), Manner::Alone),
        (Action::Rename(2, 0), Manner::Twice),
        (Action::Undo, Manner::Alone),
    ]);
}

#[test]
fn the_new_name_is_deployed_still_of_a_skill_that_was_deleted() {
    let [new, other] = [Action::Import(2), Action::Write(Store::Project, 0)];
    agrees_alone(&[new, other, build(0), Action::Delete(Store::Project, 2), Action::Rename(0, 2)]);
}

#[test]
fn a_skill_is_undeployed_while_it_is_switched_off() {
    agrees_alone(&[Action::Import(2), Action::Disable(2), Action::Undeploy(2), Action::Enable(2)]);
}

#[test]
fn a_removed_skill_comes_back_while_it_is_switched_off() {
    let write = Action::Write(Store::Project, 0);
    agrees_alone(&[write, build(0), Action::Disable(0), Action::Remove(0), Action::Undo, Action::Enable(0)]);
}

#[test]
fn a_removed_skill_comes_back_in_place_of_a_new_one() {
    let write = Action::Write(Store::Project, 2);
    agrees_alone(&[
        write,
        build(2),
        Action::Remove(2),
        write,
        build(2),
        Action::Undo,
        Action::Undo,
        Action::Undo,
    ]);
}

#[test]
fn a_name_that_no_skill_has_is_switched_on() {
    agrees_alone(&[Action::Import(2), Action::Disable(2), Action::Rename(2, 0), Action::Enable(2)]);
}

#[test]
fn two_processes_remove_a_skill_of_a_name_that_the_home_has_too() {
    agrees(&[
        (Action::Write(Store::Home, 0), Manner::Alone),
        (Action::Write(Store::Project, 0), Manner::Alone),
        (Action::Remove(0), Manner::Twice),
    ]);
}

/// RFC-0010:C-ENABLE.
#[test]
fn remains_of_a_deleted_skill_are_disabled_with_one_of_its_name() {
    agrees_alone(&[
        Action::Write(Store::Home, 0),
        build(0),
        Action::Delete(Store::Home, 0),
        Action::Import(0),
        Action::Disable(0),
        Action::Enable(0),
    ]);
}

#[test]
fn a_killed_removal_is_not_repeated_with_the_homes_skill_of_the_name() {
    agrees(&[
        (Action::Write(Store::Project, 0), Manner::Alone),
        (Action::Write(Store::Home, 0), Manner::Alone),
        (Action::Remove(0), AT_THE_END),
    ]);
}

#[test]
fn undeploying_a_deleted_skill_is_an_event_of_its_log() {
    for manner in [Manner::Alone, AT_THE_END] {
        agrees_on(
            STATS,
            &[
                (Action::Write(Store::Project, 2), Manner::Alone),
                (build(2), Manner::Alone),
                (Action::Delete(Store::Project, 2), Manner::Alone),
                (Action::Undeploy(2), manner),
                (Action::Write(Store::Project, 2), Manner::Alone),
            ],
        );
    }
}

#[test]
fn two_processes_rename_one_skill_of_the_home() {
    agrees(&[(Action::Write(Store::Home, 0), Manner::Alone), (Action::Rename(0, 2), Manner::Twice)]);
}
