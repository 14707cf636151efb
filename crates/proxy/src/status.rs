//! How the cache handled a request, for the header `Cache-Status` (RFC 9211) and for the log.

use crate::service::NAME;
use pingora_cache::{CachePhase, HttpCache};

/// The value of `Cache-Status`.
pub(crate) fn cache_status(cache: &HttpCache) -> String {
    let waited = cache.lock_duration().is_some();
    let how = match cache.phase() {
        CachePhase::Hit if waited => "hit; collapsed",
        CachePhase::Hit => "hit",
        CachePhase::StaleUpdating => "hit; detail=stale-while-revalidate",
        CachePhase::Stale => "hit; detail=stale-if-error",
        CachePhase::Revalidated | CachePhase::RevalidatedNoCache(_) => "hit; fwd=stale; fwd-status=304",
        CachePhase::Miss => "fwd=uri-miss; stored",
        CachePhase::Expired => "fwd=stale; stored",
        CachePhase::Disabled(_) | CachePhase::Bypass | CachePhase::Uninit | CachePhase::CacheKey => "fwd=bypass",
    };
    format!("{NAME}; {how}")
}

/// Whether the answer comes from the cache.
pub(crate) fn is_stored(cache: &HttpCache) -> bool {
    matches!(
        cache.phase(),
        CachePhase::Hit
            | CachePhase::StaleUpdating
            | CachePhase::Stale
            | CachePhase::Revalidated
            | CachePhase::RevalidatedNoCache(_)
    )
}

/// The word that nginx has for it in `$upstream_cache_status`.
pub(crate) fn word(cache: &HttpCache) -> &'static str {
    match cache.phase() {
        CachePhase::Hit => "HIT",
        CachePhase::StaleUpdating => "UPDATING",
        CachePhase::Stale => "STALE",
        CachePhase::Revalidated | CachePhase::RevalidatedNoCache(_) => "REVALIDATED",
        CachePhase::Miss => "MISS",
        CachePhase::Expired => "EXPIRED",
        CachePhase::Bypass => "BYPASS",
        CachePhase::Disabled(_) | CachePhase::Uninit | CachePhase::CacheKey => "-",
    }
}
