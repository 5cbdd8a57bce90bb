//! Project configurations that this user has approved, each by its digest.

use crate::app::App;
use crate::failure::Failure;
use skillc_domain::fault::Fault;
use skillc_domain::limits::SETTINGS_BYTES_MAX;
use skillc_ports::{Consent, ErrorKind, WriteOptions};
use std::collections::BTreeMap;
use std::path::Path;

/// Digests of approved configurations, by path of the file.
type Approvals = BTreeMap<String, String>;

/// Asks the user to approve the project's configuration, unless this version is approved already. A project without one
/// needs no approval.
///
/// # Errors
/// E019 if the user declines or cannot be asked.
pub fn demand(app: &App) -> Result<(), Failure> {
    let Some(config) = &app.call.environment.project_config else { return Ok(()) };
    let Some(digest) = digest(app, config)? else { return Ok(()) };
    let key = config.to_string_lossy().into_owned();
    let mut approvals = read(app);
    if approvals.get(&key) == Some(&digest) {
        return Ok(());
    }
    let question = format!(
        "Replace whatever is in the way of the skills of this project? Its configuration '{key}' is new or has changed."
    );
    match app.call.consent.ask(&question) {
        // An agent could otherwise approve itself.
        _ if app.call.is_agent() => Err(Fault::NotApproved { path: config.clone() }.into()),
        Consent::Denied => Err(Fault::NotApproved { path: config.clone() }.into()),
        Consent::Once => Ok(()),
        Consent::Always => {
            approvals.insert(key, digest);
            write(app, &approvals)
        }
    }
}

fn digest(app: &App, config: &Path) -> Result<Option<String>, Failure> {
    match app.ports.named.read(config, SETTINGS_BYTES_MAX) {
        Ok(bytes) => Ok(Some(app.ports.files.digest(&bytes).to_string())),
        Err(error) if error.kind == ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error.into()),
    }
}

/// The approved configurations. An unreadable list approves nothing.
fn read(app: &App) -> Approvals {
    let bytes = app.ports.named.read(&app.call.places.approvals(), SETTINGS_BYTES_MAX).unwrap_or_default();
    serde_json::from_slice(&bytes).unwrap_or_default()
}

fn write(app: &App, approvals: &Approvals) -> Result<(), Failure> {
    // Maps of strings can always be serialized.
    let bytes = serde_json::to_vec_pretty(approvals).unwrap_or_default();
    app.ports.stores.create_folder(&app.call.places.own)?;
    let writing = WriteOptions { root: None, follows: false, may_replace: &|_| true };
    Ok(app.ports.named.write(&app.call.places.approvals(), &bytes, &writing)?)
}
