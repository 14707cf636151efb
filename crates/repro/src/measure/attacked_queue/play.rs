//! A queue before a processor: packets arrive at given times, and the processor takes the best one whenever it is free.

use super::attacked_queues::{Contender, ENTRIES, Nothing};
use super::traffic::Arrival;
use cpu_time::ThreadTime;

/// Times of the same packets, of which the shortest counts: nothing else had the processor's caches then.
const ROUNDS: usize = 2;

/// The results of a queue.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(super) struct Played {
    /// Innocent bits of packets that were taken by the processor.
    pub(super) served_bits: u64,
    /// Nanoseconds of the thread for each packet that arrived.
    pub(super) ns: f64,
}

/// Plays packets, of which the first `warmup` do not count.
pub(super) fn play(mut queue: impl Contender, arrivals: &[Arrival], warmup: usize) -> Played {
    let mut player = Player::default();
    player.play(&mut queue, arrivals, 0..warmup);
    let (before, begin) = (player.served_bits, ThreadTime::now());
    player.play(&mut queue, arrivals, warmup..arrivals.len());
    let ns = begin.elapsed().as_secs_f64() * 1e9 / (arrivals.len() - warmup).max(1) as f64;
    Played { served_bits: player.served_bits - before, ns }
}

/// What a queue costs for each packet, in nanoseconds: without the cost of playing.
pub(super) fn cost_ns<Q: Contender>(queue: impl Fn() -> Q, arrivals: &[Arrival], warmup: usize) -> f64 {
    let least = |times: &dyn Fn() -> f64| (0..ROUNDS).map(|_| times()).fold(f64::INFINITY, f64::min);
    let with = least(&|| play(queue(), arrivals, warmup).ns);
    let without = least(&|| play(Nothing::default(), arrivals, warmup).ns);
    (with - without).max(0.0)
}

/// The processor.
#[derive(Debug, Default)]
struct Player {
    free_at: u64,
    waiting: usize,
    served_bits: u64,
}

impl Player {
    #[inline(never)]
    fn play(&mut self, queue: &mut impl Contender, arrivals: &[Arrival], places: std::ops::Range<usize>) {
        for (item, arrival) in (0_u32..).zip(arrivals).take(places.end).skip(places.start) {
            while self.waiting > 0 && self.free_at <= arrival.at_ps {
                let Some(next) = queue.pop_min() else { break };
                self.waiting -= 1;
                let next = &arrivals[next as usize];
                self.served_bits += u64::from(next.bits);
                self.free_at = self.free_at.max(next.at_ps) + next.work_ps;
            }
            let rank = u64::from(arrival.rank);
            if self.waiting == ENTRIES {
                match queue.worst() {
                    Some(worst) if worst > rank => {
                        queue.pop_worst();
                        self.waiting -= 1;
                    }
                    _ => continue,
                }
            }
            queue.push(rank, item);
            self.waiting += 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::attacked_queues::{heap, hffs, pair};
    use super::super::traffic::{INNOCENT_BPS, Kind, Link};
    use super::*;
    use forebay_core::{Seed, Time};

    /// Share of innocent bits that is served of the second half.
    fn share(queue: impl Contender, attack: Option<(Kind, f64)>) -> f64 {
        let all = Link::new().arrivals(attack, Time::from_ns(40_000_000), Seed(1));
        let warmup = all.partition_point(|arrival| arrival.at_ps < 20_000_000_000);
        play(queue, &all, warmup).served_bits as f64 / (INNOCENT_BPS * 0.02)
    }

    #[test]
    fn two_ends_keep_the_goodput_and_one_does_not() {
        for kind in Kind::ALL {
            // 2 Gb/s fill the queue in 4 ms.
            let attack = Some((kind, 2e9));
            let two = [share(hffs(), attack), share(pair(), attack)];
            assert!(two.iter().all(|share| (share - 1.0).abs() < 0.03), "{kind:?}: {two:?}");
            assert!(share(heap(), attack) < 0.2, "{kind:?}");
        }
        assert!((share(heap(), None) - 1.0).abs() < 0.03);
    }
}
