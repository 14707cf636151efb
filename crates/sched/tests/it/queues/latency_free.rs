//! Theorem 1 and Lemma 1 of BBQ (NSDI'24, appendix C.3), and that with a PIFO of
//! more elements than the latency every extraction is right.

#![allow(clippy::unwrap_used, reason = "a test may stop at what it did not expect")]

use forebay_core::Seed;
use forebay_sched::queues::latency_free::{Extracted, LatencyFree, Ties};
use forebay_sched::queues::pipelined::Pipelined;
use forebay_sched::queues::{PushError, RankQueue};
use rand::RngExt;

/// A large queue whose elements a test can see: sorted by rank, then arrival.
struct Sorted(Vec<(u64, u64)>);

const CAPACITY: usize = 60;

impl RankQueue<u64> for Sorted {
    fn push(&mut self, rank: u64, item: u64) -> Result<(), PushError<u64>> {
        assert!(self.0.len() < CAPACITY, "the system is never fuller than its large queue may be");
        let place = self.0.partition_point(|&(queued, _)| queued <= rank);
        self.0.insert(place, (rank, item));
        Ok(())
    }

    fn pop_min(&mut self) -> Option<(u64, u64)> {
        if self.0.is_empty() { None } else { Some(self.0.remove(0)) }
    }

    fn peek_min(&self) -> Option<(u64, &u64)> {
        self.0.first().map(|(rank, item)| (*rank, item))
    }

    fn len(&self) -> usize {
        self.0.len()
    }

    fn capacity(&self) -> usize {
        CAPACITY
    }
}

/// How often a run was not as a true priority queue.
#[derive(Debug, Default, Clone, Copy, PartialEq)]
struct Faults {
    /// Steps after which the best `k - p` were not all in the PIFO, by rank.
    theorem_1: u64,
    /// Steps after which the PIFO had fewer than `k - p` and the large queue some.
    lemma_1: u64,
    /// Extractions of a rank that was not the lowest in the system.
    not_the_best: u64,
    /// Extractions of the lowest rank, but not of its earliest arrival.
    not_the_first: u64,
    /// Extractions that found the PIFO empty and the system not.
    late: u64,
}

#[derive(Debug, Clone, Copy)]
struct Run {
    front: usize,
    latency: usize,
    ties: Ties,
    /// Ranks are below this.
    ranks: u64,
    seed: u64,
}

fn run(run: Run) -> Faults {
    let mut rng = Seed(run.seed).stream("latency-free");
    let mut system = LatencyFree::new(run.front, Pipelined::new(Sorted(Vec::new()), run.latency), run.ties);
    // All (rank, number of arrival) in the system, best and earliest first.
    let mut inside: Vec<(u64, u64)> = Vec::new();
    let mut faults = Faults::default();
    for item in 0..3_000 {
        // The mix swings: the system fills, stays as full as it is, and drains.
        let (inserts, extracts) = [(0.9, 0.5), (1.0, 1.0), (0.3, 1.0), (0.7, 0.8)][(item / 100 % 4) as usize];
        let insert = rng.random_bool(inserts).then(|| (rng.random_range(0..run.ranks), item));
        let step = system.step(insert, rng.random_bool(extracts));
        match step.extracted {
            Extracted::Element(rank, item) => {
                let place = inside.iter().position(|&queued| queued == (rank, item));
                let place = place.expect("nothing is invented, altered or returned twice");
                faults.not_the_best += u64::from(rank > inside[0].0);
                faults.not_the_first += u64::from(rank == inside[0].0 && place > 0);
                inside.remove(place);
            }
            Extracted::Late => faults.late += 1,
            Extracted::Nothing => {}
        }
        match step.refused {
            None => inside.extend(insert),
            Some(error) => assert!(error.item == item && inside.len() == CAPACITY, "only a full system refuses"),
        }
        inside.sort_unstable();

        let large = system.large();
        let outside: Vec<u64> =
            large.in_flight().map(|(_, &item)| item).chain(large.queue().0.iter().map(|&(_, item)| item)).collect();
        let front: Vec<u64> =
            inside.iter().filter(|(_, item)| !outside.contains(item)).map(|&(rank, _)| rank).collect();
        assert_eq!((front.len(), inside.len()), (system.front().len(), system.len()), "nothing is lost");
        assert!(front.len() <= run.front, "what overflows has spilled");
        let best = run.front.saturating_sub(run.latency).min(inside.len());
        let is_in_front = front.len() >= best && (0..best).all(|place| front[place] == inside[place].0);
        faults.theorem_1 += u64::from(!is_in_front);
        faults.lemma_1 += u64::from(front.len() < run.front.saturating_sub(run.latency) && large.queue().len() > 0);
    }
    faults
}

fn runs(ties: Ties, shapes: impl Iterator<Item = (usize, usize)> + Clone) -> impl Iterator<Item = Run> {
    [1, 4, 1_000]
        .into_iter()
        .flat_map(move |ranks| shapes.clone().map(move |(front, latency)| Run { front, latency, ties, ranks, seed: 1 }))
}

/// A PIFO of `k` elements before a latency of `p`, with `k > p`.
fn sufficient() -> impl Iterator<Item = (usize, usize)> + Clone {
    (1..12).flat_map(|latency| [1, 2, 7].map(|more| (latency + more, latency)))
}

#[test]
fn a_front_larger_than_the_latency_always_has_the_best() {
    for shape in runs(Ties::ByArrival, sufficient()) {
        assert_eq!(run(shape), Faults::default(), "{shape:?}: exact, and FIFO among equals");
    }
}

#[test]
fn the_published_design_has_the_best_rank_but_not_the_first_of_its_equals() {
    let mut not_the_first = 0;
    for shape in runs(Ties::AsPublished, sufficient()) {
        let faults = run(shape);
        not_the_first += faults.not_the_first;
        assert_eq!(faults, Faults { not_the_first: faults.not_the_first, ..Faults::default() }, "{shape:?}");
    }
    assert!(not_the_first > 0, "equals that spill come back behind those that did not");
}

#[test]
fn a_front_no_larger_than_the_latency_goes_wrong() {
    for (front, latency) in (1..12).flat_map(|latency| (1..=latency).map(move |front| (front, latency))) {
        // Where the front is as large as the latency it takes as many steps in a row
        // that extract and do not insert.
        let is_wrong = |seed| {
            let faults = run(Run { front, latency, ties: Ties::ByArrival, ranks: 1_000, seed });
            faults.late + faults.not_the_best > 0
        };
        assert!((1..100).any(is_wrong), "k = {front}, p = {latency}");
    }
    let short = run(Run { front: 3, latency: 8, ties: Ties::ByArrival, ranks: 1_000, seed: 1 });
    assert!(short.late > 0 && short.not_the_best > 0, "{short:?}");
}

#[test]
fn one_element_more_than_the_latency_is_just_enough() {
    // k + 1 elements, extracted in k + 1 steps: the last is behind the PIFO, and
    // there in time only if its answer takes fewer than k steps.
    for (front, latency) in (1..20).flat_map(|latency| [latency, latency + 1].map(|front| (front, latency))) {
        let mut system = LatencyFree::new(front, Pipelined::new(Sorted(Vec::new()), latency), Ties::AsPublished);
        for item in 0..=front as u64 {
            system.step(Some((item, item)), false);
        }
        let in_time =
            (0..=front as u64).all(|item| system.step(None, true).extracted == Extracted::Element(item, item));
        assert_eq!(in_time, front > latency, "k = {front}, p = {latency}");
    }
}

#[test]
fn an_extraction_without_an_element_in_front_is_late_and_fetches_one() {
    // One element fits the front, an answer takes two steps.
    let mut system = LatencyFree::new(1, Pipelined::new(Sorted(Vec::new()), 2), Ties::AsPublished);
    system.step(Some((1, 10)), false);
    system.step(Some((2, 11)), false);
    let mut extract = || system.step(None, true).extracted;
    assert_eq!(extract(), Extracted::Element(1, 10));
    assert_eq!([extract(), extract()], [Extracted::Late, Extracted::Late], "11 is in flight");
    assert_eq!([extract(), extract()], [Extracted::Element(2, 11), Extracted::Nothing]);
}
