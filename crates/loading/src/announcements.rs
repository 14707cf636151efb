//! The announced keys and their times.

use std::collections::{BTreeSet, HashMap};

/// Announcements of the keys of a shard, by hash; times in nanoseconds. Memory is bounded: each announcement is
/// forgotten in time, and their number is limited.
#[derive(Debug)]
pub(crate) struct Announcements {
    of: HashMap<u64, Announced>,
    /// The announcements by the time at which they are forgotten, with the hash.
    by_end: BTreeSet<(u64, u64)>,
    most: usize,
}

#[derive(Debug, Clone, Copy)]
struct Announced {
    when: u64,
    end: u64,
}

impl Announcements {
    /// No announcements, with a limit on their number.
    pub(crate) fn new(most: usize) -> Self {
        Self { of: HashMap::new(), by_end: BTreeSet::new(), most }
    }

    /// Announces that the key with this hash will be requested at `when`. If `when` passes without a request, the
    /// announcement holds for as long again. A second announcement of a key replaces the first. Returns whether there
    /// was room.
    pub(crate) fn announce(&mut self, hash: u64, now: u64, when: u64) -> bool {
        self.forget(hash);
        self.pass(now);
        if self.of.len() >= self.most {
            return false;
        }
        let end = when.saturating_add(when.saturating_sub(now)).saturating_add(1);
        self.of.insert(hash, Announced { when, end });
        self.by_end.insert((end, hash));
        true
    }

    /// A request arrives now. It ends the announcement, unless it arrives before the announced time.
    pub(crate) fn request(&mut self, hash: u64, now: u64) {
        if self.of.get(&hash).is_some_and(|own| own.when <= now) {
            self.forget(hash);
        }
    }

    /// Takes an announcement back.
    pub(crate) fn forget(&mut self, hash: u64) -> bool {
        let own = self.of.remove(&hash);
        own.is_some_and(|own| self.by_end.remove(&(own.end, hash)))
    }

    /// Forgets announcements whose time has passed.
    pub(crate) fn pass(&mut self, now: u64) {
        while let Some(&(end, hash)) = self.by_end.first().filter(|(end, _)| *end <= now) {
            self.by_end.remove(&(end, hash));
            self.of.remove(&hash);
        }
    }

    /// The time at which the key with this hash will be requested, if it is announced.
    pub(crate) fn when(&self, hash: u64) -> Option<u64> {
        self.of.get(&hash).map(|own| own.when)
    }

    pub(crate) fn len(&self) -> usize {
        self.of.len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_announcement_ends_with_its_request_or_in_time() {
        let mut announced = Announcements::new(2);
        assert!(announced.announce(1, 10, 20) && announced.announce(2, 10, 30) && !announced.announce(3, 10, 15));
        announced.request(1, 19);
        assert_eq!((announced.when(1), announced.when(3)), (Some(20), None), "a request before its time is another");
        announced.request(1, 20);
        assert_eq!(announced.when(1), None);
        announced.pass(50);
        assert_eq!(announced.when(2), Some(30), "20 ahead, so 20 longer");
        announced.pass(51);
        assert_eq!((announced.when(2), announced.len()), (None, 0));
        assert!(announced.announce(4, 60, 61) && announced.announce(4, 60, 70));
        assert_eq!((announced.when(4), announced.len()), (Some(70), 1));
        assert!(announced.forget(4) && !announced.forget(4));
    }
}
