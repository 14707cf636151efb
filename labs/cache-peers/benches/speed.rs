//! Operations per second of CPU time of all caches in turns: hits alone, and a mix with misses.
#![expect(clippy::print_stdout, reason = "it is there to print")]

use forebay_cache_peers::{Cached, all};
use forebay_core::Seed;
use rand_distr::{Distribution as _, Zipf};
use std::sync::Barrier;
use std::time::Duration;

/// Keys that are all there, in a cache with room for twice as many.
const KEYS: u64 = 10_000;
const HITS: usize = 2_000_000;
/// The mix: Zipf 0.9 over a million keys, in a cache for a tenth of them.
const POPULATION: u64 = 1_000_000;
const MIX: usize = 1_000_000;
const ROUNDS: usize = 5;

/// All keys again and again, in an order that no cache of the processor likes.
fn stride(thread: usize) -> impl Iterator<Item = u64> {
    std::iter::successors(Some(thread as u64 * KEYS / 2), |key| Some((key + 7_919) % KEYS)).take(HITS)
}

#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "Zipf gives whole numbers from 1")]
fn zipf(seed: u64) -> Vec<u64> {
    let mut rng = Seed(seed).stream("bench/mix");
    let popularity = Zipf::new(POPULATION as f64, 0.9).expect("both are above 0");
    (0..MIX).map(|_| popularity.sample(&mut rng) as u64).collect()
}

fn entries(count: u64) -> usize {
    usize::try_from(count).expect("they fit into memory")
}

/// CPU time of this process.
fn cpu() -> Duration {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ProcessCPUTime);
    time.try_into().expect("CPU time is not negative")
}

/// Million operations in a second of CPU time, and the share of hits.
fn rate(cache: &dyn Cached, each: &[&[u64]]) -> (f64, f64) {
    let together = Barrier::new(each.len());
    let begin = cpu();
    let ask = &|thread: usize| {
        together.wait();
        let keys = each[thread];
        if keys.is_empty() { cache.ask(&mut stride(thread)) } else { cache.ask(&mut keys.iter().copied()) }
    };
    let hits: u64 = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..each.len()).map(|thread| scope.spawn(move || ask(thread))).collect();
        threads.into_iter().map(|thread| thread.join().expect("no thread panics")).sum()
    });
    let count: usize = each.iter().map(|keys| if keys.is_empty() { HITS } else { keys.len() }).sum();
    (count as f64 / (cpu() - begin).as_secs_f64() / 1e6, hits as f64 / count as f64)
}

fn median(rates: &mut [f64]) -> f64 {
    rates.sort_by(f64::total_cmp);
    rates[rates.len() / 2]
}

fn main() {
    let mixes = [zipf(1), zipf(2)];
    let rows = all();
    let filled: Vec<_> = rows
        .iter()
        .map(|(_, make)| {
            let (hot, mixed) = (make(entries(2 * KEYS)), make(entries(POPULATION / 10)));
            (0..KEYS).for_each(|key| hot.insert(key, key));
            hot.settle();
            // The first round fills the cache.
            rate(&*mixed, &[&mixes[0], &mixes[1]]);
            (hot, mixed)
        })
        .collect();
    // In turns, so that what else the machine does harms all alike; the median of each counts.
    let mut rates = vec![[const { Vec::new() }; 5]; rows.len()];
    for _ in 0..ROUNDS {
        for ((hot, mixed), rates) in filled.iter().zip(&mut rates) {
            rates[0].push(rate(&**hot, &[&[]]).0);
            rates[1].push(rate(&**hot, &[&[], &[]]).0);
            let (one, share) = rate(&**mixed, &[&mixes[0]]);
            rates[2].push(one);
            rates[3].push(rate(&**mixed, &[&mixes[0], &mixes[1]]).0);
            rates[4].push(share);
        }
    }
    println!("million operations in a second of CPU time, with one thread and with two; the share of hits of the mix");
    println!("{:36} {:>7} {:>7} {:>7} {:>7} {:>7}", "", "hits 1", "hits 2", "mix 1", "mix 2", "share");
    for ((name, _), rates) in rows.iter().zip(&mut rates) {
        let [one, two, mixed, mixed_two, share] = rates.each_mut().map(|rates| median(rates));
        let share = 100.0 * share;
        println!("{name:36} {one:7.1} {two:7.1} {mixed:7.1} {mixed_two:7.1} {share:6.2}%");
    }
}
