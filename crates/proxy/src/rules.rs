//! What may be stored, for how long, and when it may be served: RFC 9111.

use crate::headers::NEVER_STORED;
use crate::key::varies_on_all;
use crate::settings::Caching;
use http::header::{
    AGE, AUTHORIZATION, CACHE_CONTROL, COOKIE, DATE, EXPIRES, HeaderMap, HeaderName, LAST_MODIFIED, PRAGMA, SET_COOKIE,
};
use http::{Method, StatusCode};
use pingora_cache::cache_control::{CacheControl, Cacheable, DirectiveKey, InterpretCacheControl};
use pingora_cache::{CacheMeta, ForcedFreshness, NoCacheReason, RespCacheable};
use pingora_http::{RequestHeader, ResponseHeader};
use std::time::{Duration, SystemTime};

/// The share of an answer's age since its last change for which it counts as fresh, if it says nothing itself
/// (RFC 9111, 4.2.2), and the longest such time.
const HEURISTIC_SHARE: u32 = 10;
const HEURISTIC_LONGEST: Duration = Duration::from_secs(86_400);
/// How long an answer counts as fresh that states a time beyond counting.
const FOREVER: Duration = Duration::from_secs(1 << 31);
/// How long ago the lifetime of an answer may have ended. Pingora stores no time before 1970.
const LONGEST_AGO: Duration = Duration::from_secs(1 << 30);

/// What of `Cache-Control` forbids to serve a stale answer (RFC 9111, 4.2.4).
const MUST_VALIDATE: [&str; 3] = ["must-revalidate", "proxy-revalidate", "s-maxage"];

/// Whether the answer to a request may come from the cache.
pub(crate) fn may_look_up(request: &RequestHeader) -> bool {
    let control = CacheControl::from_req_headers(request);
    let stores = !control.is_some_and(|control| control.has_key("no-store"));
    matches!(request.method, Method::GET | Method::HEAD)
        && stores
        && !request.headers.contains_key(http::header::UPGRADE)
}

/// Whether a method may change what the origin has (RFC 9110, 9.2.1).
pub(crate) fn is_unsafe(method: &Method) -> bool {
    !matches!(*method, Method::GET | Method::HEAD | Method::OPTIONS | Method::TRACE)
}

/// Whether the client wants an answer from the cache or none.
pub(crate) fn only_if_cached(request: &RequestHeader) -> bool {
    CacheControl::from_req_headers(request).is_some_and(|control| control.only_if_cached())
}

/// Whether an answer may be stored, and as what.
pub(crate) fn store(request: &RequestHeader, answer: &ResponseHeader, caching: &Caching) -> RespCacheable {
    let no = RespCacheable::Uncacheable(NoCacheReason::OriginNotCache);
    let control = CacheControl::from_resp_headers(answer);
    let says = |key: &str| control.as_ref().is_some_and(|control| control.has_key(key));
    let status = answer.status;
    // A part of an object is not stored, and neither is what only this client may see.
    if !request.method.is_safe() || status == StatusCode::PARTIAL_CONTENT || status.is_informational() {
        return no;
    }
    // What must be understood may be stored in spite of `no-store`, and only if it is (5.2.2.3).
    let must_understand = says("must-understand");
    let forbids = match must_understand {
        true => !is_understood(status) || control.as_ref().is_some_and(CacheControl::private),
        false => control.as_ref().is_some_and(|control| control.is_cacheable() == Cacheable::No),
    };
    if varies_on_all(&answer.headers) || forbids {
        return no;
    }
    // With a list of headers, it is about these alone.
    let asks_each_time = control.as_ref().is_some_and(CacheControl::no_cache);
    let shared = says("public") || says("s-maxage");
    if request.headers.contains_key(AUTHORIZATION) && !shared && !says("must-revalidate") {
        return no;
    }
    if answer.headers.contains_key(SET_COOKIE) && !shared {
        return no;
    }
    let now = SystemTime::now();
    let Some(lifetime) = lifetime(request, answer, control.as_ref(), caching, now) else { return no };
    // What was stale when it came, has been so since its lifetime ended, not since it came (4.2.4).
    let (lifetime, age) = (lifetime.min(FOREVER), initial_age(&answer.headers, now));
    let fresh_until = match lifetime.checked_sub(age) {
        Some(left) if !asks_each_time && !left.is_zero() => now + left,
        _ => now - age.saturating_sub(lifetime).clamp(Duration::from_secs(1), LONGEST_AGO),
    };
    let validates = asks_each_time || MUST_VALIDATE.iter().any(|key| says(key));
    let control = control.as_ref();
    let stale = |stated: Option<Duration>, usual: u32| match stated {
        _ if validates => 0,
        Some(stated) => u32::try_from(stated.as_secs()).unwrap_or(u32::MAX),
        None => usual,
    };
    let revalidating = stale(
        control.and_then(InterpretCacheControl::serve_stale_while_revalidate_duration),
        caching.stale_while_revalidate.whole_seconds(),
    );
    let failing = stale(
        control.and_then(InterpretCacheControl::serve_stale_if_error_duration),
        caching.stale_if_error.whole_seconds(),
    );
    let mut stored = answer.clone();
    if let Some(control) = control {
        control.strip_private_headers(&mut stored);
    }
    for name in &NEVER_STORED {
        stored.remove_header(name);
    }
    if !stored.headers.contains_key(DATE) && stored.insert_header(DATE, httpdate::fmt_http_date(now)).is_err() {
        return no;
    }
    RespCacheable::Cacheable(CacheMeta::new(fresh_until, now, revalidating, failing, stored))
}

/// How long an answer is fresh from its date on. [`None`] if it must not be stored.
fn lifetime(
    request: &RequestHeader,
    answer: &ResponseHeader,
    control: Option<&CacheControl>,
    caching: &Caching,
    now: SystemTime,
) -> Option<Duration> {
    if let Some(stated) = control.and_then(|control| stated_lifetime(&answer.headers, control)) {
        return Some(stated);
    }
    let date = date(&answer.headers, &DATE).unwrap_or(now);
    if answer.headers.contains_key(EXPIRES) {
        // Several, or one that is no date, lie in the past.
        let mut all = answer.headers.get_all(EXPIRES).iter();
        let one = all.next().filter(|_| all.next().is_none());
        let expires = one.and_then(|value| httpdate::parse_http_date(value.to_str().ok()?).ok());
        return Some(expires.and_then(|expires| expires.duration_since(date).ok()).unwrap_or_default());
    }
    // Without a statement of its own, an answer to a request with cookies may be for that client alone.
    if !is_cacheable_by_default(answer.status) || request.headers.contains_key(COOKIE) {
        let stated = control.is_some_and(|control| control.has_key("public") || control.has_key("no-cache"));
        return stated.then_some(Duration::ZERO);
    }
    if let Some(usual) = caching.default_lifetime {
        return Some(usual.0);
    }
    let changed = self::date(&answer.headers, &LAST_MODIFIED)?;
    let since = date.duration_since(changed).ok()?;
    Some((since / HEURISTIC_SHARE).min(HEURISTIC_LONGEST))
}

/// The lifetime in `Cache-Control`. One that is stated twice, or is no number, is over (RFC 9111, 4.2.1).
fn stated_lifetime(headers: &HeaderMap, control: &CacheControl) -> Option<Duration> {
    if control.no_cache() {
        return Some(Duration::ZERO);
    }
    let key = ["s-maxage", "max-age"].into_iter().find(|key| control.has_key(key))?;
    let value = control.directives.get(&DirectiveKey::from_lowercase(key))?.as_ref();
    let seconds = value.and_then(|value| value.parse_as_delta_seconds().ok()).filter(|_| !repeats(headers, key));
    Some(Duration::from_secs(seconds.unwrap_or(0).into()))
}

/// Whether `Cache-Control` has a directive more than once.
fn repeats(headers: &HeaderMap, name: &str) -> bool {
    let lines = headers.get_all(CACHE_CONTROL).iter().filter_map(|line| line.to_str().ok());
    let parts = lines.flat_map(|line| {
        let mut quoted = false;
        line.split(move |letter| {
            quoted ^= letter == '"';
            letter == ',' && !quoted
        })
    });
    let names = parts.filter_map(|part| part.split('=').next());
    names.filter(|found| found.trim().eq_ignore_ascii_case(name)).count() > 1
}

/// The statuses for which this cache knows all rules about storing (RFC 9110, 15).
fn is_understood(status: StatusCode) -> bool {
    is_cacheable_by_default(status) || matches!(status.as_u16(), 302 | 303 | 307 | 400 | 403 | 500..=504)
}

/// The statuses whose answers may be stored without any statement (RFC 9110, 15.1). 501 could be, but an error is stored
/// only if the origin says so.
fn is_cacheable_by_default(status: StatusCode) -> bool {
    matches!(status.as_u16(), 200 | 203 | 204 | 300 | 301 | 308 | 404 | 405 | 410 | 414)
}

fn date(headers: &HeaderMap, name: &HeaderName) -> Option<SystemTime> {
    httpdate::parse_http_date(headers.get(name)?.to_str().ok()?).ok()
}

/// The age that an answer had when it came (RFC 9111, 4.2.3).
pub(crate) fn initial_age(headers: &HeaderMap, now: SystemTime) -> Duration {
    let stated = stated_age(headers);
    let apparent = date(headers, &DATE).and_then(|date| now.duration_since(date).ok()).unwrap_or_default();
    stated.max(apparent)
}

/// The age that the header `Age` of an answer states. One beyond counting is very long (RFC 9111, 1.2.2).
fn stated_age(headers: &HeaderMap) -> Duration {
    let digits = headers.get(AGE).and_then(|age| age.to_str().ok()).map(str::trim);
    let digits = digits.filter(|text| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit()));
    digits.map_or(Duration::ZERO, |text| text.parse().map_or(FOREVER, Duration::from_secs).min(FOREVER))
}

/// The age of a stored answer now.
pub(crate) fn age(meta: &CacheMeta) -> Duration {
    let arrived = meta.updated();
    initial_age(meta.headers(), arrived) + SystemTime::now().duration_since(arrived).unwrap_or_default()
}

/// What a request says about the freshness of a stored answer (RFC 9111, 5.2.1).
pub(crate) fn wished(request: &RequestHeader, meta: &CacheMeta) -> Option<ForcedFreshness> {
    let control = CacheControl::from_req_headers(request);
    let Some(control) = control else {
        let all = request.headers.get_all(PRAGMA).iter().flat_map(|value| value.as_bytes().split(|&byte| byte == b','));
        let asks = all.map(<[u8]>::trim_ascii).any(|value| value.eq_ignore_ascii_case(b"no-cache"));
        return asks.then_some(ForcedFreshness::ForceExpired);
    };
    if control.has_key("no-cache") {
        return Some(ForcedFreshness::ForceExpired);
    }
    let seconds = |key: &str| {
        let value = control.directives.get(&DirectiveKey::from_lowercase(key))?.as_ref()?;
        Some(Duration::from_secs(value.parse_as_delta_seconds().ok()?.into()))
    };
    let age = age(meta);
    let now = SystemTime::now();
    if seconds("max-age").is_some_and(|most| age > most) {
        return Some(ForcedFreshness::ForceExpired);
    }
    let left = meta.fresh_until().duration_since(now);
    if let Some(least) = seconds("min-fresh")
        && left.as_ref().map_or(true, |left| *left < least)
    {
        return Some(ForcedFreshness::ForceExpired);
    }
    let stale = match left {
        Ok(_) => return None,
        Err(past) => past.duration(),
    };
    if !control.has_key("max-stale") || must_validate(meta) {
        return None;
    }
    seconds("max-stale").is_none_or(|most| stale <= most).then_some(ForcedFreshness::ForceFresh)
}

/// Whether a stale answer must not be served without asking the origin.
pub(crate) fn must_validate(meta: &CacheMeta) -> bool {
    let control = CacheControl::from_resp_headers(meta.response_header());
    control.is_some_and(|control| control.no_cache() || MUST_VALIDATE.iter().any(|key| control.has_key(key)))
}
