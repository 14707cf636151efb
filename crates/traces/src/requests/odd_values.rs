//! Checks for possible but odd readings of a trace, about which a person should be warned.

/// Requests before any reading is called odd.
const FEWEST: u64 = 20;
/// Codes with which HTTP servers answer.
const CODES: [u64; 22] =
    [200, 201, 202, 204, 206, 301, 302, 303, 304, 307, 308, 400, 401, 403, 404, 405, 408, 416, 429, 500, 502, 503];
/// Different sizes that are remembered.
const MOST: usize = 8;

/// Looks for sizes that are HTTP status codes.
#[derive(Debug, Default)]
pub(super) struct OddSizes {
    seen: [u64; MOST],
    different: usize,
    last: u64,
    /// A size was no code, or there are too many.
    are_sizes: bool,
}

impl OddSizes {
    #[inline]
    pub(super) fn look(&mut self, size: u64) {
        if !self.are_sizes && size != self.last {
            self.last = size;
            self.remember(size);
        }
    }

    #[cold]
    fn remember(&mut self, size: u64) {
        if self.seen[..self.different].contains(&size) {
            return;
        }
        self.are_sizes = self.different == MOST || !CODES.contains(&size);
        if !self.are_sizes {
            self.seen[self.different] = size;
            self.different += 1;
        }
    }

    pub(super) fn warning(&self, requests: u64) -> Option<String> {
        let seen = &self.seen[..self.different];
        if self.are_sizes || requests < FEWEST || seen.len() < 2 || !seen.contains(&200) {
            return None;
        }
        let seen: Vec<String> = seen.iter().map(u64::to_string).collect();
        Some(format!("all sizes are HTTP status codes ({}); is the column of the size right?", seen.join(", ")))
    }
}

/// Returns a warning if all of many requests have the same time.
pub(super) fn one_time(requests: u64, first: u64, last: u64) -> Option<String> {
    let why = "requests have the same time; is the column of the time right?";
    (requests >= FEWEST && first == last).then(|| format!("all {requests} {why}"))
}

/// Counts keys that look like pieces of JSON.
#[derive(Debug, Default)]
pub(super) struct OddKeys(u64);

impl OddKeys {
    #[inline]
    pub(super) fn look(&mut self, key: &[u8]) {
        self.0 += u64::from(matches!(key, [b'{' | b'[', ..]));
    }

    pub(super) fn warning(&self) -> Option<String> {
        let what = "keys look like pieces of JSON, since they begin with a brace or bracket; if each line is an object: --format-in json-lines";
        (self.0 > 0).then(|| format!("{} {what}", self.0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_that_are_codes_are_odd_if_there_are_several() {
        let warned = |sizes: &[u64]| {
            let mut odd = OddSizes::default();
            (0..100).for_each(|n| odd.look(sizes[n % sizes.len()]));
            odd.warning(100).is_some()
        };
        assert!(warned(&[200, 304, 404, 200]));
        assert!(!warned(&[200]) && !warned(&[200, 304, 512]) && !warned(&[404, 304]));
        assert_eq!(OddSizes::default().warning(100), None);
        assert!(one_time(20, 7, 7).is_some() && one_time(20, 7, 8).is_none() && one_time(19, 7, 7).is_none());
    }
}
