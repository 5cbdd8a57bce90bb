//! Edits a text so that all other bytes stay unchanged.

use crate::parse::{STRICT, parse};
use crate::write::input;
use jsonc_parser::cst::{CstArray, CstInputValue, CstNode, CstObject, CstObjectProp, CstRootNode};
use skillc_domain::json::{JsonEdit, JsonFlaw, JsonStep, JsonValue};

/// Applies edits to a text.
///
/// # Errors
/// As [`parse`], and for a path that does not exist.
pub fn edited(text: &str, edits: &[JsonEdit]) -> Result<String, JsonFlaw> {
    parse(text)?;
    let flaw = |message: String| JsonFlaw { message, at: 0 };
    let root = CstRootNode::parse(text, &STRICT).map_err(|error| flaw(error.to_string()))?;
    for edit in edits {
        let start = root.value().ok_or_else(|| flaw("it is empty".to_owned()))?;
        apply(start, &edit.path, edit.value.as_ref()).map_err(flaw)?;
    }
    Ok(root.to_string())
}

/// Changes one value below a node.
fn apply(node: CstNode, path: &[JsonStep], value: Option<&JsonValue>) -> Result<(), String> {
    let Some((step, rest)) = path.split_first() else {
        return Err("the document as a whole cannot be replaced".to_owned());
    };
    match step {
        JsonStep::Key(key) => {
            let object = node
                .as_object()
                .ok_or_else(|| format!("cannot set '{key}' in a value that is not an object"))?;
            in_object(&object, key, rest, value)
        }
        JsonStep::Item(index) => {
            let list = node
                .as_array()
                .ok_or_else(|| format!("cannot set item {index} of a value that is not a list"))?;
            in_list(&list, *index, rest, value)
        }
    }
}

fn in_object(
    object: &CstObject,
    key: &str,
    rest: &[JsonStep],
    value: Option<&JsonValue>,
) -> Result<(), String> {
    let member = last_member(object, key);
    match (member, value, rest) {
        (Some(member), Some(value), []) => set(&member, value),
        // All of them; otherwise an earlier one would take effect.
        (Some(_), None, []) => members(object, key).for_each(CstObjectProp::remove),
        (Some(member), _, _) => {
            let below = member.value().ok_or_else(|| format!("'{key}' has no value"))?;
            return apply(below, rest, value);
        }
        (None, None, _) => {}
        (None, Some(value), _) => {
            object.append(key, nested(rest, value));
        }
    }
    Ok(())
}

/// The member with a key; if the key repeats, the last one, which counts.
fn last_member(object: &CstObject, key: &str) -> Option<CstObjectProp> {
    members(object, key).last()
}

/// The members with a key, which may repeat.
fn members(object: &CstObject, key: &str) -> impl Iterator<Item = CstObjectProp> {
    let has_key = move |member: &CstObjectProp| member.decoded_name().as_deref() == Some(key);
    object.properties().into_iter().filter(has_key)
}

/// Replaces a value in place, so that a text or number keeps its line and its surroundings.
fn set(member: &CstObjectProp, value: &JsonValue) {
    member.set_value(input(value));
}

fn in_list(
    list: &CstArray,
    index: usize,
    rest: &[JsonStep],
    value: Option<&JsonValue>,
) -> Result<(), String> {
    let item = list.elements().into_iter().nth(index);
    match (item, value, rest) {
        (Some(item), _, [_, ..]) => return apply(item, rest, value),
        (Some(item), None, []) => item.remove(),
        (Some(item), Some(value), []) => {
            item.remove();
            list.insert(index, input(value));
        }
        (None, None, _) => {}
        (None, Some(value), _) => {
            list.append(nested(rest, value));
        }
    }
    Ok(())
}

/// A value inside the objects that are missing along its path.
fn nested(path: &[JsonStep], value: &JsonValue) -> CstInputValue {
    path.iter().rev().fold(input(value), |inner, step| match step {
        JsonStep::Key(key) => CstInputValue::Object(vec![(key.clone(), inner)]),
        JsonStep::Item(_) => CstInputValue::Array(vec![inner]),
    })
}
