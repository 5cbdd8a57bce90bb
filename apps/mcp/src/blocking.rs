//! Work with files, on a thread of its own, so that others are answered meanwhile.

use rmcp::ErrorData;
use skillc_domain::fault::Fault;
use skillc_ops::failure::Failure;
use skillc_ops::policy::is_refusal;

/// Does work that may block. A panic in it fails this one request.
pub async fn blocking<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, Failure> + Send + 'static,
    refuse: impl FnOnce(&Failure) -> ErrorData,
) -> Result<T, ErrorData> {
    match tokio::task::spawn_blocking(work).await {
        Ok(done) => done.map_err(|failure| refuse(&failure)),
        Err(_) => Err(ErrorData::internal_error("skc panicked; this request was ended", None)),
    }
}

/// The error for what cannot be answered: parameters that mean nothing here are the client's, anything else is ours.
pub fn refusal(failure: &Failure) -> ErrorData {
    let data = Some(serde_json::json!({ "code": failure.fault.code(), "hint": failure.fault.hint() }));
    let message = failure.fault.to_string();
    let is_refused = is_refusal(&failure.fault) || matches!(failure.fault, Fault::InvalidOption { .. });
    if is_refused || is_unknown(&failure.fault) {
        return ErrorData::invalid_params(message, data);
    }
    ErrorData::internal_error(message, data)
}

/// The same for the reading of a resource, which it names, and for which older clients know a code of its own.
pub fn read_refusal(failure: &Failure, uri: &str) -> ErrorData {
    let mut error = refusal(failure);
    if let Some(data) = &mut error.data {
        data["uri"] = uri.into();
    }
    if is_unknown(&failure.fault) {
        error = ErrorData::resource_not_found(error.message, error.data);
    }
    error
}

/// Whether something was asked for that is not served.
fn is_unknown(fault: &Fault) -> bool {
    matches!(
        fault,
        Fault::SkillNotFound { .. } | Fault::FileNotFound { .. } | Fault::DirectoryNotFound { .. }
    )
}
