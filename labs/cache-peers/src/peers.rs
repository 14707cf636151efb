//! The caches of others.

use super::{Cached, Hash, Row};
use quick_cache::UnitWeighter;
use quick_cache::sync::DefaultLifecycle;

type Quick = quick_cache::sync::Cache<u64, u64, UnitWeighter, Hash>;
type Moka = moka::sync::Cache<u64, u64, Hash>;
type MiniMoka = mini_moka::sync::Cache<u64, u64, Hash>;
type Foyer = foyer_memory::Cache<u64, u64, Hash>;

/// Shards of foyer, whose default is one for each hardware thread; the loading cache has as many.
const SHARDS: usize = 8;

pub(crate) fn all() -> Vec<Row> {
    let foyer = |config: foyer_memory::EvictionConfig| {
        move |entries: usize| -> Box<dyn Cached> {
            let builder = foyer_memory::CacheBuilder::new(entries).with_shards(SHARDS);
            let cache: Foyer = builder.with_eviction_config(config.clone()).with_hash_builder(Hash::default()).build();
            Box::new(cache)
        }
    };
    vec![
        ("quick_cache".to_owned(), Box::new(|entries| Box::new(quick(entries)))),
        (
            "moka".to_owned(),
            Box::new(|entries| {
                let builder = moka::sync::Cache::builder().max_capacity(entries as u64);
                Box::new(builder.build_with_hasher(Hash::default()))
            }),
        ),
        (
            "mini-moka".to_owned(),
            Box::new(|entries| {
                let builder = mini_moka::sync::Cache::builder().max_capacity(entries as u64);
                Box::new(builder.build_with_hasher(Hash::default()))
            }),
        ),
        ("foyer, S3-FIFO".to_owned(), Box::new(foyer(foyer_memory::S3FifoConfig::default().into()))),
        ("foyer, SIEVE".to_owned(), Box::new(foyer(foyer_memory::SieveConfig::default().into()))),
        ("foyer, LRU".to_owned(), Box::new(foyer(foyer_memory::LruConfig::default().into()))),
    ]
}

fn quick(entries: usize) -> Quick {
    Quick::with(entries, entries as u64, UnitWeighter, Hash::default(), DefaultLifecycle::default())
}

impl Cached for Quick {
    fn get(&self, key: u64) -> Option<u64> {
        self.get(&key)
    }

    fn insert(&self, key: u64, value: u64) {
        self.insert(key, value);
    }
}

impl Cached for Moka {
    fn get(&self, key: u64) -> Option<u64> {
        self.get(&key)
    }

    fn insert(&self, key: u64, value: u64) {
        self.insert(key, value);
    }

    fn settle(&self) {
        self.run_pending_tasks();
    }
}

impl Cached for MiniMoka {
    fn get(&self, key: u64) -> Option<u64> {
        self.get(&key)
    }

    fn insert(&self, key: u64, value: u64) {
        self.insert(key, value);
    }

    fn settle(&self) {
        mini_moka::sync::ConcurrentCacheExt::sync(self);
    }
}

impl Cached for Foyer {
    fn get(&self, key: u64) -> Option<u64> {
        self.get(&key).map(|entry| *entry.value())
    }

    fn insert(&self, key: u64, value: u64) {
        drop(self.insert(key, value));
    }
}
