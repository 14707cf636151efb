//! Messages of the Language Server Protocol, one at a time.

use forebay::error::{Result, UserError};
use forebay_lang::lsp::{Message, Server};
use serde_json::{Value, json};

/// Passes a message to the server, and returns the server's messages.
pub(crate) fn answer(server: &mut Server, message: Value) -> Result<Value> {
    let message: Message = serde_json::from_value(message)
        .map_err(|error| UserError::new(format!("this is not a message of the Language Server Protocol: {error}")))?;
    Ok(json!(server.handle(message)))
}
