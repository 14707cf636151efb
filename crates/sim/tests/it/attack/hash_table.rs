//! The hash table beside one whose chains are really followed.

use forebay_core::{Duration, Seed};
use forebay_sim::attack::applications::hash_table::{Hash, Table};
use rand::RngExt as _;

/// Chains of keys, each with the time at which it was added.
struct Naive {
    chains: Vec<Vec<(u64, u64)>>,
    entries: usize,
    now: u64,
}

impl Naive {
    fn look_up(&mut self, key: u64, bucket: usize) -> u64 {
        self.now += 1;
        let mut looked = 0;
        for (known, _) in &self.chains[bucket] {
            looked += 1;
            if *known == key {
                return looked;
            }
        }
        if self.chains.iter().map(Vec::len).sum::<usize>() == self.entries {
            let oldest = self.chains.iter().flatten().map(|(_, came)| *came).min().unwrap();
            self.chains.iter_mut().for_each(|chain| chain.retain(|(_, came)| *came != oldest));
        }
        self.chains[bucket].push((key, self.now));
        looked
    }
}

#[test]
fn every_look_up_is_that_of_chains_that_are_followed() {
    let mut rng = Seed(7).stream("keys");
    let (mut longest, mut left) = (0, 0);
    for round in 0..200 {
        let (buckets, entries) = (rng.random_range(1..9_u64), rng.random_range(1..40_u64));
        let hash = if round % 2 == 0 { Hash::Public } else { Hash::universal(&mut rng) };
        let mut fast = Table::new((Duration::ZERO, Duration::from_ps(1)), hash, buckets, entries);
        let chains = vec![Vec::new(); usize::try_from(buckets).unwrap()];
        let mut naive = Naive { chains, entries: usize::try_from(entries).unwrap(), now: 0 };
        let keys = rng.random_range(1..80_u64);
        for _ in 0..400 {
            let key = rng.random_range(0..keys);
            let bucket = usize::try_from(hash.bucket(key, buckets)).unwrap();
            let len = fast.chain_len(key);
            assert_eq!(len, naive.chains[bucket].len() as u64);
            let looked = fast.look_up(key);
            assert_eq!(looked, naive.look_up(key, bucket));
            assert!(looked <= len, "the length of the chain bounds what is looked at");
            longest = longest.max(looked);
        }
        left += u64::from(keys > entries);
    }
    assert!(longest > 20 && left > 50, "the cases are rich: {longest} {left}");
}

#[test]
fn a_secret_spreads_the_keys_that_collide_in_public() {
    let buckets = 4_096;
    let hash = Hash::universal(&mut Seed(3).stream("hash"));
    let keys = (0..16_384).map(|number| number * buckets);
    let mut counts = std::collections::BTreeMap::<u64, u64>::new();
    keys.clone().for_each(|key| *counts.entry(hash.bucket(key, buckets)).or_default() += 1);
    assert!(keys.into_iter().all(|key| Hash::Public.bucket(key, buckets) == 0));
    assert!(counts.len() > 2_000 && counts.values().all(|&count| count < 64), "{}", counts.len());
}
