//! The loading cache beside quick_cache, moka, mini-moka and foyer, in one run.
//!
//! The benchmarks `speed` and `memory` measure all caches that [`all`] lists, with keys and values of 8 bytes and the same
//! hash. The other caches are there only with the feature `peers`.

use forebay_loading::LoadingCache;

/// The hash of all caches.
pub type Hash = foldhash::fast::RandomState;

/// A cache to measure, from keys to numbers.
pub trait Cached: Sync {
    /// Looks a key up.
    fn get(&self, key: u64) -> Option<u64>;

    /// Inserts a value.
    fn insert(&self, key: u64, value: u64);

    /// Does at once what the cache would do later.
    fn settle(&self) {}

    /// Looks all keys up, and inserts the missing ones. Returns the number of hits.
    fn ask(&self, keys: &mut dyn Iterator<Item = u64>) -> u64 {
        keys.map(|key| {
            let is_hit = std::hint::black_box(self.get(key)).is_some();
            if !is_hit {
                self.insert(key, key);
            }
            u64::from(is_hit)
        })
        .sum()
    }
}

/// A name, and how the cache is made for a number of entries.
pub type Row = (String, Box<dyn Fn(usize) -> Box<dyn Cached>>);

/// The policies of the loading cache that are measured.
pub const POLICIES: [&str; 8] =
    ["fifo", "clock", "sieve", "s3-fifo", "lru", "sieve-mad", "lru-mad(sample=64)", "lru-mad"];

/// All caches; the others first, if they are there.
#[must_use]
pub fn all() -> Vec<Row> {
    let mut all: Vec<Row> = Vec::new();
    #[cfg(feature = "peers")]
    all.extend(peers::all());
    for policy in POLICIES {
        let make = move |entries: usize| -> Box<dyn Cached> {
            let builder = LoadingCache::<u64, u64, String>::builder(entries as u64).policy(policy).seed(1);
            Box::new(builder.build_with_hasher(Hash::default()).expect("the policies are online"))
        };
        all.push((format!("forebay-loading, {policy}"), Box::new(make)));
    }
    all
}

impl Cached for LoadingCache<u64, u64, String, Hash> {
    fn get(&self, key: u64) -> Option<u64> {
        self.get(&key)
    }

    fn insert(&self, key: u64, value: u64) {
        self.insert(key, value);
    }
}

#[cfg(feature = "peers")]
mod peers;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_cache_keeps_what_fits() {
        for (name, make) in all() {
            let cache = make(10_000);
            let mut keys = (0..1_000).chain(0..1_000);
            assert_eq!((cache.ask(&mut keys), cache.get(5), cache.get(5_000)), (1_000, Some(5), None), "{name}");
        }
    }
}
