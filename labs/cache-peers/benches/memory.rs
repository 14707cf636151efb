//! Bytes per entry of all caches that are full, keys and values of 8 bytes included.
#![expect(clippy::print_stdout, reason = "it is there to print")]

use allocation_counter::measure;
use forebay_cache_peers::{Row, all};

const SIZES: [usize; 2] = [100_000, 1_000_000];

/// Fills a cache, and inserts as many keys again, so that what a cache remembers of evicted keys is there.
fn bytes_per_entry((_, make): &Row, entries: usize) -> i64 {
    let used = measure(|| {
        let cache = make(entries);
        for key in 0..2 * entries as u64 {
            cache.insert(key, key);
            if key % 1_000 == 0 {
                cache.settle();
            }
        }
        cache.settle();
        std::mem::forget(cache);
    });
    used.bytes_current / i64::try_from(entries).expect("small numbers")
}

fn main() {
    println!("bytes per entry of a full cache, key and value of 8 bytes each included");
    println!("{:36} {:>9} {:>9}", "entries", SIZES[0], SIZES[1]);
    for row in all() {
        let [small, large] = SIZES.map(|entries| bytes_per_entry(&row, entries));
        println!("{:36} {small:9} {large:9}", row.0);
    }
}
