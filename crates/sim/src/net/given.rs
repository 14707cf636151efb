//! Parameters of transports and topologies: those that several have, and texts that are durations, rates, yes or no.

use forebay_core::params::{ParamKind, ParamSpec};
use forebay_core::{Duration, ParamError, Params, Rate};

/// A parameter that is a whole number.
pub(crate) const fn integer(
    name: &'static str,
    min: u64,
    max: u64,
    default: Option<u64>,
    meaning: &'static str,
) -> ParamSpec {
    ParamSpec { name, kind: ParamKind::Integer { min, max, default }, meaning }
}

/// A parameter that is a text, such as a rate or a duration.
pub(crate) const fn text(name: &'static str, default: &'static str, meaning: &'static str) -> ParamSpec {
    ParamSpec { name, kind: ParamKind::Text { default }, meaning }
}

/// How much of a flow a full packet carries, where a transport is not TCP.
pub(crate) const PAYLOAD_BYTES: ParamSpec =
    integer("payload_bytes", 1, 1_000_000, Some(1_460), "bytes of the flow in a full packet");

/// What a packet has besides, where all packets carry data.
pub(crate) const HEADER_BYTES: ParamSpec =
    integer("header_bytes", 0, 1_000, Some(40), "bytes of all headers of a packet");

/// The duration called `name`.
///
/// # Errors
/// If the text is no duration.
pub(crate) fn duration(params: &Params, name: &str) -> Result<Duration, ParamError> {
    Duration::parse(params.text(name)).map_err(|error| ParamError::of(name, format!("`{name}`: {error}")))
}

/// The duration called `name`; `None` if the text is empty.
///
/// # Errors
/// If the text is neither empty nor a duration.
pub(crate) fn optional_duration(params: &Params, name: &str) -> Result<Option<Duration>, ParamError> {
    if params.text(name).is_empty() { Ok(None) } else { duration(params, name).map(Some) }
}

/// The rate called `name`.
///
/// # Errors
/// If the text is no rate.
pub(crate) fn rate(params: &Params, name: &str) -> Result<Rate, ParamError> {
    Rate::parse(params.text(name)).map_err(|error| ParamError::of(name, format!("`{name}`: {error}")))
}

/// The rate called `name`; `None` if the text is empty.
///
/// # Errors
/// If the text is neither empty nor a rate.
pub(crate) fn optional_rate(params: &Params, name: &str) -> Result<Option<Rate>, ParamError> {
    if params.text(name).is_empty() { Ok(None) } else { rate(params, name).map(Some) }
}

/// The place of the text called `name` among the words that it may be.
///
/// # Errors
/// If it is none of them.
pub(crate) fn one_of<const N: usize>(params: &Params, name: &str, words: [&str; N]) -> Result<usize, ParamError> {
    let text = params.text(name);
    let wrong = || ParamError::of(name, format!("`{name}` must be \"{}\", not \"{text}\"", words.join("\" or \"")));
    words.iter().position(|word| *word == text).ok_or_else(wrong)
}

/// Whether the text called `name` is `yes`.
///
/// # Errors
/// If it is neither `yes` nor `no`.
pub(crate) fn yes_or_no(params: &Params, name: &str) -> Result<bool, ParamError> {
    Ok(one_of(params, name, ["no", "yes"])? == 1)
}

/// The whole number of 32 bits called `name`.
///
/// # Panics
/// If the parameter is declared without a default, or with a range beyond 32 bits.
pub(crate) fn small(params: &Params, name: &str) -> u32 {
    let number = params.integer(name).expect("the parameter has a default");
    u32::try_from(number).expect("the parameter's range has 32 bits")
}
