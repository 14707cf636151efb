//! The hash table from flows to slots, which never grows.
//!
//! Open addressing with linear probing, at most half full. Removal shifts the following entries back and leaves no tombstone, so no
//! operation ever rebuilds the table. A map that is rebuilt is slow at moments that an attacker can choose.

/// An empty bucket.
const NIL: u32 = u32::MAX;

#[derive(Debug, Clone, Copy)]
struct Bucket {
    hash: u32,
    slot: u32,
}

/// Slots by the hash of their flow. The table does not store flows, so the caller compares them.
#[derive(Debug)]
pub(super) struct FlowTable {
    buckets: Box<[Bucket]>,
}

impl FlowTable {
    /// An empty table for `capacity` flows.
    pub(super) fn new(capacity: usize) -> Self {
        let buckets = (2 * capacity.max(1)).next_power_of_two();
        Self { buckets: vec![Bucket { hash: 0, slot: NIL }; buckets].into() }
    }

    fn mask(&self) -> usize {
        self.buckets.len() - 1
    }

    /// Returns the slot with this hash for which `is` holds.
    #[inline]
    pub(super) fn find(&self, hash: u32, is: impl Fn(u32) -> bool) -> Option<u32> {
        let mut at = hash as usize & self.mask();
        loop {
            match self.buckets[at] {
                Bucket { slot: NIL, .. } => return None,
                bucket if bucket.hash == hash && is(bucket.slot) => return Some(bucket.slot),
                _ => at = (at + 1) & self.mask(),
            }
        }
    }

    /// Inserts a slot that is not in the table. The table holds at most the requested number of slots.
    pub(super) fn insert(&mut self, hash: u32, slot: u32) {
        let mut at = hash as usize & self.mask();
        while self.buckets[at].slot != NIL {
            at = (at + 1) & self.mask();
        }
        self.buckets[at] = Bucket { hash, slot };
    }

    /// Removes a slot of the table.
    pub(super) fn remove(&mut self, hash: u32, slot: u32) {
        let mask = self.mask();
        let mut hole = hash as usize & mask;
        while self.buckets[hole].slot != slot {
            hole = (hole + 1) & mask;
        }
        let mut at = hole;
        loop {
            at = (at + 1) & mask;
            let bucket = self.buckets[at];
            if bucket.slot == NIL {
                break;
            }
            // It may move into the hole if that is not before its own place.
            let from_home = at.wrapping_sub(bucket.hash as usize) & mask;
            if from_home >= at.wrapping_sub(hole) & mask {
                self.buckets[hole] = bucket;
                hole = at;
            }
        }
        self.buckets[hole].slot = NIL;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use forebay_core::Seed;
    use rand::RngExt;

    #[test]
    fn it_finds_what_a_list_finds_also_where_all_hashes_collide() {
        for hashes in [1, 3, 64, u32::MAX] {
            let mut rng = Seed(3).stream("table");
            let mut table = FlowTable::new(20);
            // Hash and slot; a slot is used once.
            let mut list: Vec<(u32, u32)> = Vec::new();
            for slot in 0..20_000 {
                // Some just before the end of the table, so that runs of buckets go round it.
                let hash = rng.random_range(0..hashes).wrapping_sub(1);
                if list.len() < 20 && rng.random_bool(0.5) {
                    table.insert(hash, slot);
                    list.push((hash, slot));
                } else if !list.is_empty() {
                    let (hash, slot) = list.swap_remove(rng.random_range(0..list.len()));
                    table.remove(hash, slot);
                    assert_eq!(table.find(hash, |found| found == slot), None);
                }
                for &(hash, slot) in &list {
                    assert_eq!(table.find(hash, |found| found == slot), Some(slot));
                }
            }
        }
    }
}
