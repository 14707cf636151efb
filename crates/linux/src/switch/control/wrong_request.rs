//! Rejected requests, and their reasons.

use super::Answer;
use crate::switch::change::{CannotChange, CannotSet};
use forebay_lang::{Overrides, ValueError};

/// Returns the answer to a line that is no request.
pub(super) fn no_request(error: &serde_json::Error) -> Answer {
    Answer::Error(format!("this is not a request: {error}"))
}

/// Returns the answer to a change that cannot be made. `policy` names the change's policy, if there is one.
pub(super) fn cannot(policy: Option<&str>, why: &CannotChange) -> Answer {
    Answer::Error(match (policy, why) {
        (Some(policy), why) if !matches!(why, CannotChange::NoPort { .. }) => format!("{policy}: {why}"),
        _ => why.to_string(),
    })
}

/// Why a request failed. Nothing was changed.
#[derive(Debug, thiserror::Error)]
pub(super) enum WrongRequest {
    #[error("there is no port `{name}`; there are {}", ports.join(", "))]
    Port { name: String, ports: Vec<String> },
    #[error("`{0}` should be NAME=VALUE")]
    Shape(String),
    #[error("`{text}`: {why}")]
    Value { text: String, why: ValueError },
    #[error(transparent)]
    Set(#[from] CannotSet),
}

impl From<WrongRequest> for Answer {
    fn from(why: WrongRequest) -> Self {
        Self::Error(why.to_string())
    }
}

/// Parses texts of the form `NAME=VALUE`.
pub(super) fn read_values(texts: &[String]) -> Result<Overrides, WrongRequest> {
    let one = |text: &String| {
        let (name, value) = text.split_once('=').ok_or_else(|| WrongRequest::Shape(text.clone()))?;
        let value = value.parse().map_err(|why| WrongRequest::Value { text: text.clone(), why })?;
        Ok((name.trim().to_owned(), value))
    };
    texts.iter().map(one).collect()
}
