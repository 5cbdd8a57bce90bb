//! Blocking work on a thread of its own, and the errors it ends in.

use crate::catch_panic::PANICKED;
use rmcp::ErrorData;
use skillc_domain::fault::Fault;
use skillc_domain::reader::Reader;
use skillc_ops::Diagnostic;
use skillc_ops::failure::Failure;
use skillc_ops::policy::is_refusal;

/// Runs work that may block. A panic fails only this request.
pub async fn blocking<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, Failure> + Send + 'static,
    refuse: impl FnOnce(&Failure, Reader) -> ErrorData,
    reader: Reader,
) -> Result<T, ErrorData> {
    match tokio::task::spawn_blocking(work).await {
        Ok(done) => done.map_err(|failure| refuse(&failure, reader)),
        Err(_) => Err(ErrorData::internal_error(PANICKED, None)),
    }
}

/// The error for a failure: invalid parameters if the request is at fault, otherwise an internal error.
pub fn error_data(failure: &Failure, reader: Reader) -> ErrorData {
    let fault = &failure.fault;
    let (message, data) = (fault.message(reader), Some(Diagnostic::of(fault, reader).json()));
    if is_refusal(fault) || is_unknown(fault) || matches!(fault, Fault::InvalidOption { .. }) {
        return ErrorData::invalid_params(message, data);
    }
    ErrorData::internal_error(message, data)
}

/// The error for a failed read of a resource: `data` has its URI, and a missing one has the code that older clients
/// expect.
pub fn read_error_data(failure: &Failure, uri: &str, reader: Reader) -> ErrorData {
    let mut error = error_data(failure, reader);
    if let Some(data) = &mut error.data {
        data["uri"] = uri.into();
    }
    if is_unknown(&failure.fault) {
        error = ErrorData::resource_not_found(error.message, error.data);
    }
    error
}

/// Whether the request names something that is not served.
fn is_unknown(fault: &Fault) -> bool {
    matches!(
        fault,
        Fault::SkillNotFound { .. } | Fault::FileNotFound { .. } | Fault::DirectoryNotFound { .. }
    )
}
