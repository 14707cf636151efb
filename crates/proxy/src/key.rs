//! The keys of objects: what a request asks for, and which variant of it.

use http::header::{HeaderMap, HeaderName, VARY};
use http::uri::Authority;
use pingora_cache::CacheKey;
use pingora_cache::key::HashBinary;
use pingora_cache::{CacheMeta, VarianceBuilder};
use pingora_http::RequestHeader;

/// The host of a request, in lower case and without port. Empty if it names none.
pub(crate) fn host(request: &RequestHeader) -> String {
    authority(request).map(|authority| authority.host().to_ascii_lowercase()).unwrap_or_default()
}

/// The host and port of a request.
pub(crate) fn authority(request: &RequestHeader) -> Option<Authority> {
    if let Some(authority) = request.uri.authority() {
        return Some(authority.clone());
    }
    request.headers.get(http::header::HOST)?.to_str().ok()?.parse().ok()
}

/// The key of the object at a path, of the host and port of a request.
///
/// The parts are separated by a line end, which none of them can contain, so two requests have the same key only if all
/// parts are the same.
pub(crate) fn key(request: &RequestHeader, has_tls: bool, path: &str) -> CacheKey {
    let (host, port) = origin(authority(request).as_ref(), has_tls);
    CacheKey::new(format!("{}\n{host}\n{port}\n{path}", scheme(has_tls)), "")
}

/// The scheme of an address.
pub(crate) fn scheme(has_tls: bool) -> &'static str {
    if has_tls { "https" } else { "http" }
}

/// The host in lower case, and the port (RFC 9110, 4.2.3).
pub(crate) fn origin(authority: Option<&Authority>, has_tls: bool) -> (String, u16) {
    let host = authority.map(|authority| authority.host().to_ascii_lowercase()).unwrap_or_default();
    let port = authority.and_then(Authority::port_u16).unwrap_or(if has_tls { 443 } else { 80 });
    (host, port)
}

/// The path and query of a request.
pub(crate) fn path(request: &RequestHeader) -> String {
    request.uri.path_and_query().map_or_else(|| "/".to_owned(), |path| path.as_str().to_owned())
}

/// The variant of an object that fits a request (RFC 9111, 4.1), if its answer names headers in `Vary`.
pub(crate) fn variance(meta: &CacheMeta, request: &RequestHeader) -> Option<HashBinary> {
    let names = varying(meta.headers());
    let mut builder = VarianceBuilder::new();
    for name in &names {
        builder.add_owned_value(name.as_str(), normal(&request.headers, name));
    }
    builder.finalize()
}

/// The header names in `Vary`, in order and once each.
pub(crate) fn varying(headers: &HeaderMap) -> Vec<HeaderName> {
    let values = headers.get_all(VARY).iter().filter_map(|value| value.to_str().ok());
    let mut names: Vec<HeaderName> =
        values.flat_map(|value| value.split(',')).filter_map(|name| name.trim().parse().ok()).collect();
    names.sort_by(|a, b| a.as_str().cmp(b.as_str()));
    names.dedup();
    names
}

/// Whether `Vary` has `*`: no other request fits.
pub(crate) fn varies_on_all(headers: &HeaderMap) -> bool {
    let mut values = headers.get_all(VARY).iter().filter_map(|value| value.to_str().ok());
    values.any(|value| value.split(',').any(|name| name.trim() == "*"))
}

/// The values of a header as one list, without white space that has no meaning.
fn normal(headers: &HeaderMap, name: &HeaderName) -> Vec<u8> {
    let values = headers.get_all(name).iter();
    let parts = values.flat_map(|value| value.as_bytes().split(|&byte| byte == b',')).map(<[u8]>::trim_ascii);
    parts.collect::<Vec<_>>().join(&b","[..])
}
