//! Headers of one connection, headers that a 304 renews, and ranges that mean nothing.

use http::header::{
    AGE, CONNECTION, CONTENT_ENCODING, CONTENT_LENGTH, CONTENT_RANGE, CONTENT_TYPE, DATE, HeaderMap, HeaderName,
    HeaderValue, IF_RANGE, RANGE, SET_COOKIE, TRAILER, TRANSFER_ENCODING, VARY,
};
use http::{Method, StatusCode};
use pingora_http::{RequestHeader, ResponseHeader};

/// Headers of one connection, beside those that `Connection` names (RFC 9110, 7.6.1). Framing is Pingora's.
const OF_A_CONNECTION: [HeaderName; 3] =
    [CONNECTION, HeaderName::from_static("keep-alive"), HeaderName::from_static("proxy-connection")];

/// Headers that are never stored (RFC 9111, 3.1).
pub(crate) const NEVER_STORED: [HeaderName; 3] = [
    HeaderName::from_static("proxy-authenticate"),
    HeaderName::from_static("proxy-authentication-info"),
    HeaderName::from_static("proxy-authorization"),
];

/// Headers of a stored answer that its body needs as they are (RFC 9111, 3.2). Pingora keeps the variant of a validated
/// answer, so `Vary` must stay too. A cookie that comes with a 304 is for one client.
const NEVER_RENEWED: [HeaderName; 7] =
    [CONTENT_LENGTH, CONTENT_ENCODING, CONTENT_TYPE, CONTENT_RANGE, TRANSFER_ENCODING, VARY, SET_COOKIE];

/// Removes the headers that are for the connection to the origin alone.
pub(crate) fn remove_those_of_the_connection(answer: &mut ResponseHeader) {
    if answer.status == StatusCode::SWITCHING_PROTOCOLS {
        return;
    }
    let lines = answer.headers.get_all(CONNECTION).iter().filter_map(|line| line.to_str().ok());
    let named = lines.flat_map(|line| line.split(',')).filter_map(|name| name.trim().parse::<HeaderName>().ok());
    let named: Vec<_> = named.filter(|name| ![CONTENT_LENGTH, TRANSFER_ENCODING, TRAILER].contains(name)).collect();
    for name in named.iter().chain(&OF_A_CONNECTION) {
        answer.remove_header(name);
    }
}

/// The header of a stored answer, renewed by that of a 304 (RFC 9111, 3.2 and 4.3.4).
///
/// Without `Date` and `Age`, the 304 was made now: those of the stored answer do not count any more.
pub(crate) fn renewed(stored: &ResponseHeader, by: &HeaderMap) -> pingora_core::Result<ResponseHeader> {
    let mut renewed = stored.clone();
    for name in [AGE, DATE] {
        renewed.remove_header(&name);
    }
    for name in by.keys().filter(|name| !NEVER_RENEWED.contains(name)) {
        renewed.remove_header(name);
        for value in by.get_all(name) {
            renewed.append_header(name.clone(), value.clone())?;
        }
    }
    Ok(renewed)
}

/// The request as it counts for ranges, if it differs from what was sent.
///
/// A range is for `GET` alone (RFC 9110, 14.2). A weak validator never fits `If-Range` (13.1.5). The last 0 bytes are no
/// range that could be satisfied (14.1.2).
pub(crate) fn for_ranges(request: &RequestHeader) -> Option<RequestHeader> {
    let range = request.headers.get(RANGE)?.to_str().ok()?;
    let is_weak = |value: &HeaderValue| value.as_bytes().starts_with(b"W/");
    let mut counts = request.clone();
    if request.method != Method::GET || request.headers.get(IF_RANGE).is_some_and(is_weak) {
        counts.remove_header(&RANGE);
        return Some(counts);
    }
    let (unit, parts) = range.split_once('=')?;
    let is_nothing = |part: &str| {
        part.trim().strip_prefix('-').is_some_and(|rest| rest.trim_matches('0').is_empty() && !rest.is_empty())
    };
    if !parts.split(',').any(is_nothing) {
        return None;
    }
    let left = parts.split(',').filter(|part| !is_nothing(part)).collect::<Vec<_>>().join(",");
    // Beyond the end of every object.
    let left = if left.is_empty() { format!("{}-", usize::MAX) } else { left };
    counts.insert_header(RANGE, format!("{unit}={left}")).ok()?;
    Some(counts)
}
