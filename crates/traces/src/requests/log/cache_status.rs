//! The cache status in a log: the result of a lookup in the cache of the server.

/// The outcome of a lookup in the cache of the server that wrote the log.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) enum CacheStatus {
    /// The line has none.
    #[default]
    NotLogged,
    Hit,
    /// A miss, or an answer that the cache did not look for.
    NotHit,
}

impl CacheStatus {
    /// Reads the words of nginx, Squid, Varnish, CloudFront, Fastly and of headers like `X-Cache`.
    pub(crate) fn read(text: &[u8]) -> Self {
        const OTHER_HITS: [&[u8]; 4] = [b"STALE", b"UPDATING", b"REVALIDATED", b"TCP_REFRESH_UNMODIFIED"];
        // Varnish remembers that an object cannot be cached.
        const NO_HITS: [&[u8]; 3] = [b"hitmiss", b"hit-for-miss", b"hitpass"];
        if matches!(text, b"" | b"-") {
            return Self::NotLogged;
        }
        let has_hit = text.windows(3).any(|word| word.eq_ignore_ascii_case(b"hit"));
        let is_hit = has_hit && !NO_HITS.contains(&text) || OTHER_HITS.contains(&text);
        if is_hit { Self::Hit } else { Self::NotHit }
    }
}

#[cfg(test)]
mod tests {
    use super::CacheStatus;

    #[test]
    fn words_of_all_servers() {
        let words = |list: &'static str| list.split_whitespace();
        for word in
            words("HIT STALE REVALIDATED TCP_HIT TCP_MEM_HIT TCP_REFRESH_UNMODIFIED hit Hit RefreshHit HIT-CLUSTER")
        {
            assert_eq!(CacheStatus::read(word.as_bytes()), CacheStatus::Hit, "{word}");
        }
        for word in words("MISS EXPIRED BYPASS TCP_MISS TCP_REFRESH_MODIFIED pass hitmiss LimitExceeded Error PASS") {
            assert_eq!(CacheStatus::read(word.as_bytes()), CacheStatus::NotHit, "{word}");
        }
        assert_eq!(CacheStatus::read(b"MISS, HIT"), CacheStatus::Hit);
        assert_eq!(CacheStatus::read(b"-"), CacheStatus::NotLogged);
    }
}
