//! Why a request gets no result.

use lsp_server::ErrorCode;

/// The error that a client gets instead of a result.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Failure {
    /// The protocol's code.
    pub(crate) code: i32,
    /// For the user.
    pub(crate) message: String,
}

impl Failure {
    pub(crate) fn new(code: ErrorCode, message: impl Into<String>) -> Self {
        Self { code: code as i32, message: message.into() }
    }

    /// The request is well formed, but cannot be granted.
    pub(crate) fn refused(message: impl Into<String>) -> Self {
        Self::new(ErrorCode::RequestFailed, message)
    }
}
