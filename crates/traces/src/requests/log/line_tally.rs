//! Counts the lines of a log that are no requests, and the results of the server's own cache in the log.

use super::{CacheStatus, Entry, LogOptions, NS_PER_MS, Size, Stamp, Status};

/// The counts so far.
#[derive(Debug, Default)]
pub(crate) struct Tally {
    without_url: u64,
    other_methods: u64,
    no_answer: u64,
    informational: u64,
    not_modified: u64,
    redirects: u64,
    errors: u64,
    without_size: u64,
    sizes_unknown: u64,
    partial: u64,
    without_elapsed: u64,
    hits: u64,
    not_hits: u64,
    /// The sum of the upstream times of answers that were no hits.
    upstream_ns: u128,
    upstreams: u64,
}

impl Tally {
    /// Returns the URL and the size of an answer, if its line is a request.
    pub(super) fn choose<'a>(&mut self, entry: &Entry<'a>, options: &LogOptions) -> Option<(&'a [u8], u64)> {
        let Some(url) = entry.url else {
            self.without_url += 1;
            return None;
        };
        if entry.method.is_some_and(|method| !options.takes_method(method)) {
            self.other_methods += 1;
            return None;
        }
        if !options.takes_status(entry.status) {
            *self.count_of(entry.status) += 1;
            return None;
        }
        let size = match entry.size {
            Size::Bytes(size) => size,
            Size::NotLogged => {
                self.sizes_unknown += 1;
                1
            }
            Size::NoBody if options.any_status => 0,
            Size::NoBody => {
                self.without_size += 1;
                return None;
            }
        };
        self.partial += u64::from(entry.status == Status::Code(206));
        self.count_lookup(entry);
        Some((url, size))
    }

    /// Returns the time of a request, as the options define it.
    pub(super) fn time(&mut self, entry: &Entry<'_>, options: &LogOptions) -> u64 {
        if !options.from_start || entry.stamp == Stamp::Start {
            return entry.time;
        }
        self.without_elapsed += u64::from(entry.elapsed.is_none());
        entry.time.saturating_sub(entry.elapsed.unwrap_or(0))
    }

    fn count_of(&mut self, status: Status) -> &mut u64 {
        match status {
            Status::Code(304) => &mut self.not_modified,
            Status::Code(100..=199) => &mut self.informational,
            Status::Code(300..=399) => &mut self.redirects,
            Status::Code(_) => &mut self.errors,
            Status::NoAnswer | Status::NotLogged => &mut self.no_answer,
        }
    }

    fn count_lookup(&mut self, entry: &Entry<'_>) {
        match entry.cache {
            CacheStatus::NotLogged => return,
            CacheStatus::Hit => {
                self.hits += 1;
                return;
            }
            CacheStatus::NotHit => self.not_hits += 1,
        }
        if let Some(ns) = entry.upstream.or(entry.elapsed) {
            self.upstream_ns += u128::from(ns);
            self.upstreams += 1;
        }
    }

    /// Returns warnings; `has_sizes` says whether the log should have sizes.
    pub(super) fn warnings(&self, has_sizes: bool) -> impl Iterator<Item = String> {
        let sizes_unknown = if has_sizes { self.sizes_unknown } else { 0 };
        let left_out = [
            (self.without_url, "without method and URL"),
            (self.other_methods, "with another method (`methods=all` takes them)"),
            (self.no_answer, "without an answer, since the client had closed the connection (`status=all` takes them)"),
            (self.informational, "with a status from 100 to 199 (`status=all` takes them)"),
            (
                self.not_modified,
                "with status 304, whose answers have no body (`status=all` takes them, with the size that is logged)",
            ),
            (self.redirects, "with a redirect, a status from 300 to 399 (`status=all` takes them)"),
            (self.errors, "with an error, such as a status of 400 or more (`status=all` takes them)"),
            (self.without_size, "without a size, since their answers had no body"),
        ];
        let left_out = left_out.into_iter().filter(|(lines, _)| *lines > 0);
        let left_out = left_out.map(|(lines, why)| format!("lines {why} were left out: {lines}"));
        let kept = [
            (sizes_unknown, "requests without a size in the log, taken as 1 byte"),
            (self.partial, "requests for a part of an object (status 206), which have the size of the part"),
            (self.without_elapsed, "requests without a duration, which keep the time of their end"),
        ];
        let kept = kept.into_iter().filter(|(lines, _)| *lines > 0);
        let kept = kept.map(|(lines, what)| format!("{what}: {lines}"));
        left_out.chain(kept).chain(self.of_cache())
    }

    /// Describes the results of the server's cache in the log.
    fn of_cache(&self) -> Option<String> {
        let lookups = self.hits + self.not_hits;
        if self.hits == 0 {
            return None;
        }
        let share = percent(self.hits, lookups);
        let slow = self.upstream_ns.checked_div(u128::from(self.upstreams)).map(|mean| {
            let tenths = mean * 10 / u128::from(NS_PER_MS);
            format!("; the others took {}.{} ms on average", tenths / 10, tenths % 10)
        });
        let slow = slow.unwrap_or_default();
        Some(format!("the log says: {share} % hits ({} of {lookups} requests with a cache status){slow}", self.hits))
    }
}

/// A share with one decimal, rounded.
fn percent(part: u64, whole: u64) -> String {
    let tenths = (u128::from(part) * 2_000 + u128::from(whole)) / (u128::from(whole) * 2);
    format!("{}.{}", tenths / 10, tenths % 10)
}

#[cfg(test)]
mod tests {
    use super::percent;

    #[test]
    fn shares_are_rounded() {
        assert_eq!(percent(2, 3), "66.7");
        assert_eq!(percent(1, 3), "33.3");
        assert_eq!(percent(7, 7), "100.0");
        assert_eq!(percent(1, 16), "6.3");
        assert_eq!(percent(u64::MAX, u64::MAX), "100.0");
    }
}
