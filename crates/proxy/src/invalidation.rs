//! Which objects an answer to an unsafe request makes invalid (RFC 9111, 4.4).

use crate::key;
use http::Uri;
use http::header::{CONTENT_LOCATION, LOCATION};
use pingora_http::{RequestHeader, ResponseHeader};

/// The paths, each with its query, at the origin of the request.
pub(crate) fn paths(request: &RequestHeader, answer: &ResponseHeader, has_tls: bool) -> Vec<String> {
    let own = key::path(request);
    let stated = [LOCATION, CONTENT_LOCATION].map(|name| answer.headers.get(name)?.to_str().ok());
    let others = stated.into_iter().flatten().filter_map(|reference| resolve(reference, request, &own, has_tls));
    let others: Vec<_> = others.collect();
    std::iter::once(own).chain(others).collect()
}

/// The path and query of a reference (RFC 3986, 5.2). [`None`] if it leads to another origin, which may not be
/// invalidated, or if it is none.
fn resolve(reference: &str, request: &RequestHeader, own: &str, has_tls: bool) -> Option<String> {
    let reference = reference.split('#').next().unwrap_or_default();
    let absolute = match reference.strip_prefix("//") {
        Some(rest) => format!("{}://{rest}", key::scheme(has_tls)),
        None => reference.to_owned(),
    };
    if absolute.contains("://") && !absolute.starts_with(['/', '?']) {
        let uri: Uri = absolute.parse().ok()?;
        let tls = uri.scheme_str()?.eq_ignore_ascii_case("https");
        let same =
            tls == has_tls && key::origin(uri.authority(), tls) == key::origin(key::authority(request).as_ref(), tls);
        return same.then(|| uri.path_and_query().map_or_else(|| "/".to_owned(), |path| path.as_str().to_owned()));
    }
    let path = own.split('?').next().unwrap_or_default();
    let (folder, _) = path.rsplit_once('/')?;
    Some(match reference.as_bytes().first() {
        None => own.to_owned(),
        Some(b'/') => without_dots(reference),
        Some(b'?') => format!("{path}{reference}"),
        Some(_) => without_dots(&format!("{folder}/{reference}")),
    })
}

/// A path without `.` and `..` (RFC 3986, 5.2.4).
fn without_dots(path: &str) -> String {
    let (path, query) = path.split_once('?').map_or((path, None), |(path, query)| (path, Some(query)));
    let mut parts: Vec<&str> = Vec::new();
    for part in path.split('/').skip(1) {
        match part {
            "." => {}
            ".." => drop(parts.pop()),
            part => parts.push(part),
        }
    }
    if path.ends_with("/.") || path.ends_with("/..") {
        parts.push("");
    }
    let path = format!("/{}", parts.join("/"));
    query.map_or_else(|| path.clone(), |query| format!("{path}?{query}"))
}
