//! SP-PIFO with reserved queues, second passes and a guard, against a plain form of each.

#![allow(
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "a test may stop at what it did not expect, and say what it measured"
)]

use forebay_core::{Packet, ParamValue, Params, Rng, Seed};
use forebay_sched::queues::adversary::{Harm, harm, ramps, shuffled};
use forebay_sched::queues::queue::sp_pifo::{GuardSetting, SpPifo};
use forebay_sched::queues::{BuiltQueue, QUEUES, QueueSize, RankQueue};
use rand::RngExt;
use std::collections::BTreeMap;

/// SP-PIFO as its text has it: every decision looks at all packets.
struct Plain {
    /// Ranks that wait, in order of arrival.
    queues: Vec<Vec<u64>>,
    capacity: usize,
    reserved: Vec<u64>,
    bounds: Vec<u64>,
    guard: Option<GuardSetting>,
    last_window: Vec<u64>,
    /// Rank, and the highest rank that then waited in its queue.
    window: Vec<(u64, u64)>,
    held: u64,
    alarms: u64,
}

impl Plain {
    fn new(queues: usize, capacity: usize, reserved: &[u64], guard: Option<GuardSetting>) -> Self {
        Self {
            queues: vec![Vec::new(); queues],
            capacity,
            reserved: reserved.to_vec(),
            bounds: vec![0; queues - reserved.len()],
            guard,
            last_window: Vec::new(),
            window: Vec::new(),
            held: 0,
            alarms: 0,
        }
    }

    fn push(&mut self, rank: u64) -> bool {
        let queue = match self.reserved.iter().position(|&highest| rank <= highest) {
            Some(reserved) => reserved,
            None => self.reserved.len() + self.map(rank),
        };
        let has_room = self.queues[queue].len() < self.capacity;
        if has_room {
            self.queues[queue].push(rank);
        }
        has_room
    }

    fn map(&mut self, rank: u64) -> usize {
        let chosen = self.bounds.iter().rposition(|&bound| rank >= bound);
        let queue = chosen.unwrap_or(0);
        if self.held > 0 {
            self.held -= 1;
            return queue;
        }
        if chosen.is_none() {
            let cost = self.bounds[0] - rank;
            self.bounds.iter_mut().for_each(|bound| *bound -= cost);
        }
        self.bounds[queue] = rank;
        let waiting = &self.queues[self.reserved.len() + queue];
        self.window.push((rank, waiting.iter().copied().max().unwrap_or(0)));
        if let Some(guard) = self.guard.filter(|guard| guard.window == self.window.len()) {
            self.end_window(guard);
        }
        queue
    }

    fn end_window(&mut self, guard: GuardSetting) {
        let between = |&(rank, highest): &(u64, u64)| {
            self.last_window.iter().filter(|&&seen| rank <= seen && seen < highest).count() as f64
        };
        let cost: f64 = self.window.iter().map(between).sum();
        self.last_window = self.window.drain(..).map(|(rank, _)| rank).collect();
        self.last_window.sort_unstable();
        if cost / (guard.window * guard.window) as f64 > guard.limit {
            self.alarms += 1;
            self.held = guard.hold;
            let queues = self.bounds.len();
            self.bounds = (0..queues).map(|queue| self.last_window[queue * guard.window / queues]).collect();
        }
    }

    fn pop(&mut self) -> Option<u64> {
        self.queues.iter_mut().find(|queue| !queue.is_empty()).map(|queue| queue.remove(0))
    }
}

/// Ranks that rise for a while, fall for a while, and are random for a while.
fn rank(rng: &mut Rng, step: u64, most: u64) -> u64 {
    match step / 200 % 3 {
        0 => step * 7 % (most + 1),
        1 => most - step * 3 % (most + 1),
        _ => rng.random_range(0..=most),
    }
}

fn value(counters: &[forebay_core::Counter], name: &str) -> u64 {
    counters.iter().find(|counter| counter.name == name).unwrap().value
}

#[test]
fn packets_leave_as_from_the_plain_form() {
    let mut rng = Seed(1).stream("plain sp-pifo");
    let mut alarms = 0;
    for case in 0..120 {
        let queues = rng.random_range(1..=8);
        let capacity = rng.random_range(1..=30);
        let mut reserved: Vec<u64> = (0..rng.random_range(0..queues)).map(|_| rng.random_range(0..40)).collect();
        reserved.sort_unstable();
        reserved.dedup();
        let guard = GuardSetting {
            limit: rng.random_range(0..6) as f64 / 100.0,
            window: rng.random_range(1..=60),
            hold: rng.random_range(1..=150),
        };
        let guard = (case % 3 > 0).then_some(guard);
        let mut plain = Plain::new(queues, capacity, &reserved, guard);
        let mut queue = SpPifo::new(queues, capacity).with_reserved(reserved.clone());
        if let Some(guard) = guard {
            queue = queue.with_guard(guard);
        }
        for step in 0..3_000 {
            let rank = rank(&mut rng, step, 60);
            assert_eq!(queue.push(rank, ()).is_ok(), plain.push(rank), "case {case}, step {step}");
            assert_eq!(queue.bounds(), plain.bounds, "case {case}, step {step}");
            // Queues fill, then drain.
            for _ in 0..rng.random_range(0..=if step % 400 < 200 { 1 } else { 2 }) {
                assert_eq!(queue.pop_min().map(|(rank, ())| rank), plain.pop(), "case {case}, step {step}");
            }
        }
        alarms += plain.alarms;
        if guard.is_some() {
            assert_eq!(value(&queue.counters(), "guard_alarms"), plain.alarms);
        }
    }
    assert!(alarms > 1_000, "{alarms}");
}

/// Section 7: "strong PIFO-like guarantees for some ranks".
#[test]
fn ranks_with_a_queue_each_leave_as_from_a_pifo_and_the_others_pay() {
    let mut rng = Seed(2).stream("reserved");
    let mut queues = [SpPifo::new(8, 1_000), SpPifo::new(8, 1_000).with_reserved(vec![0, 1, 2])];
    let mut waiting: [Vec<u64>; 2] = Default::default();
    // Of ranks 0 to 2, and of others.
    let mut inversions = [[0; 2]; 2];
    for step in 0..40_000 {
        let rank = rng.random_range(0..=20);
        for (which, queue) in queues.iter_mut().enumerate() {
            queue.push(rank, ()).unwrap();
            waiting[which].push(rank);
            if step < 40 {
                continue;
            }
            let (rank, ()) = queue.pop_min().unwrap();
            let lowest = *waiting[which].iter().min().unwrap();
            let place = waiting[which].iter().position(|&queued| queued == rank).unwrap();
            waiting[which].remove(place);
            inversions[which][usize::from(lowest > 2)] += u32::from(lowest < rank);
        }
    }
    println!("inversions of ranks up to 2 and of others, without and with reserved queues: {inversions:?}");
    let [without, with] = inversions;
    assert!(without[0] > 0, "SP-PIFO lets others leave before the lowest ranks");
    assert_eq!(with[0], 0, "nothing leaves while a packet of a reserved rank waits, except a lower one");
    assert!(with[1] > without[1], "five queues sort the others worse than eight");
}

#[test]
fn a_packet_is_resubmitted_when_it_is_below_all_bounds() {
    let mut rng = Seed(3).stream("resubmissions");
    for between in [0, 1, 8] {
        let mut queue = SpPifo::new(4, 20).with_second_pass(between);
        let mut below_all = 0;
        for _ in 0..20_000 {
            let rank = rng.random_range(0..=100);
            // What is due sinks first, so the bounds before the push say it only if nothing is due: the first
            // bound never sinks in a second pass.
            let others_sunk_below = || queue.bounds()[1..].iter().any(|&bound| bound <= rank);
            let certainly_above = queue.bounds()[0] <= rank || others_sunk_below();
            let before = value(&queue.counters(), "resubmissions");
            queue.push(rank, ()).ok();
            let resubmitted = value(&queue.counters(), "resubmissions") - before;
            assert!(resubmitted <= 1 && !(certainly_above && resubmitted == 1));
            // The packet that takes a second pass leaves the first bound at its rank, and no other bound at or below it.
            below_all += resubmitted;
            queue.pop_min();
        }
        assert!((1_000..6_000).contains(&below_all), "{below_all} of 20,000");
    }
    assert!(SpPifo::<()>::new(4, 20).counters().is_empty(), "one pass resubmits nothing");
}

/// In one pass the same packets cause push-downs as with a second pass that is the next: so many are resubmitted.
#[test]
fn resubmissions_are_push_downs() {
    let mut rng = Seed(4).stream("push-downs");
    let uniform: Vec<u64> = (0..20_000).map(|_| rng.random_range(0..=100)).collect();
    let mut shares = Vec::new();
    for ranks in [uniform, ramps(400, 50, 0, 100)] {
        let mut one_pass = SpPifo::new(8, 10);
        let mut two_passes = SpPifo::new(8, 10).with_second_pass(0);
        let mut push_downs = 0;
        for rank in ranks {
            push_downs += u64::from(one_pass.bounds()[0] > rank);
            one_pass.push(rank, ()).ok();
            two_passes.push(rank, ()).ok();
            one_pass.pop_min();
            two_passes.pop_min();
        }
        assert_eq!(value(&two_passes.counters(), "resubmissions"), push_downs);
        shares.push(push_downs as f64 / 20_000.0);
    }
    println!("resubmitted: {:.3} of uniform ranks, {:.4} in ramps of 50", shares[0], shares[1]);
    assert!(shares[1] < shares[0] / 4.0, "an attack by ramps has fewer of them than random ranks");
}

const BACKLOG: usize = 40;
const PACKETS: usize = 40_000;
const GUARD: GuardSetting = GuardSetting { limit: 0.0175, window: 1_000, hold: 10_000 };

fn guarded() -> SpPifo<Packet> {
    SpPifo::new(8, PACKETS).with_guard(GUARD)
}

/// Harm without and with the guard, and its alarms.
fn without_and_with(ranks: &[u64]) -> (Harm, Harm, u64) {
    let mut queue = guarded();
    let with = harm(&mut queue, ranks, BACKLOG);
    (harm(&mut SpPifo::new(8, PACKETS), ranks, BACKLOG), with, value(&queue.counters(), "guard_alarms"))
}

/// Appendix B.3: "sequences of monotonically-increasing packet ranks", then a sudden decrease.
#[test]
fn a_guard_takes_most_of_the_harm_out_of_ramps() {
    for length in [20, 25, 30, 40, 50, 100, 200] {
        let (without, with, alarms) = without_and_with(&ramps(PACKETS / length, length, 0, 100));
        println!(
            "ramps of {length}: inversions {:.3} -> {:.3}, excess {:.2} -> {:.2}, {alarms} alarms",
            without.inversions_per_packet(),
            with.inversions_per_packet(),
            without.excess_per_packet(),
            with.excess_per_packet()
        );
        assert!(alarms > 0 && 2.5 * with.excess_per_packet() < without.excess_per_packet(), "ramps of {length}");
        assert!(with.inversions < without.inversions);
    }
}

#[test]
fn a_guard_changes_nothing_for_ranks_in_random_order() {
    for seed in 1..=10 {
        let mut rng = Seed(seed).stream("uniform");
        let uniform: Vec<u64> = (0..PACKETS).map(|_| rng.random_range(0..=100)).collect();
        let shuffled_ramps = shuffled(&ramps(PACKETS / 50, 50, 0, 100), Seed(seed));
        for ranks in [uniform, shuffled_ramps] {
            let (without, with, alarms) = without_and_with(&ranks);
            assert_eq!((alarms, with), (0, without), "seed {seed}");
        }
    }
}

/// What the guard's documentation says of its limits.
#[test]
fn some_ramps_stay_below_the_limit_and_some_random_orders_do_not() {
    let short = ramps(PACKETS / 15, 15, 0, 100);
    assert_eq!(without_and_with(&short).2, 0);
    let mut lower = SpPifo::new(8, PACKETS).with_guard(GuardSetting { limit: 0.015, ..GUARD });
    harm(&mut lower, &short, BACKLOG);
    assert!(value(&lower.counters(), "guard_alarms") > 0);

    // Inverse-exponential: each rank is less likely than the one above.
    let mut rng = Seed(6).stream("inverse-exponential");
    let mut rank = || (0..).find(|_| rng.random_bool(0.04)).map_or(0, |below| 100_u64.saturating_sub(below));
    let (without, with, alarms) = without_and_with(&(0..PACKETS).map(|_| rank()).collect::<Vec<_>>());
    println!("inverse-exponential: {without:?} -> {with:?}, {alarms} alarms");
    assert!(alarms > 0 && with.inversions < without.inversions && with.excess < without.excess);
}

/// A few packets of the highest rank do not widen the scale by which the others are judged.
#[test]
fn a_guard_is_not_blinded_by_a_few_high_ranks() {
    let mut ranks = ramps(PACKETS / 50, 50, 0, 100);
    ranks.iter_mut().step_by(500).for_each(|rank| *rank = u64::MAX);
    let mut queue = guarded();
    harm(&mut queue, &ranks, BACKLOG);
    assert!(value(&queue.counters(), "guard_alarms") > 0);
}

type Given<'a> = &'a [(&'a str, ParamValue)];

fn build(given: Given) -> Result<BuiltQueue, forebay_core::ParamError> {
    let entry = QUEUES.iter().find(|entry| entry.about.name == "sp-pifo").unwrap();
    let given: BTreeMap<String, ParamValue> =
        given.iter().map(|(name, value)| ((*name).to_owned(), value.clone())).collect();
    (entry.build)(QueueSize { packets: 80 }, &Params::check(entry.about.params, given)?)
}

#[test]
fn parameters_that_do_not_fit_say_what_would() {
    let integers = |items: &[i64]| ParamValue::List(items.iter().copied().map(ParamValue::Integer).collect());
    let text = |text: &str| ParamValue::Text(text.to_owned());
    let queues = ("queues", ParamValue::Integer(2));
    let cases: [(Given, &str, &str); 7] = [
        (&[("reserved", integers(&[3, 3]))], "reserved", "each above the one before, like [0, 9], not [3, 3]"),
        (&[("reserved", integers(&[0, 1])), queues], "reserved", "it has 2 of 2 queues; reserve fewer"),
        (&[("reserved", ParamValue::Integer(1))], "reserved", "must be a list"),
        (&[("guard", ParamValue::Integer(2))], "guard", "a share from 0 to 1"),
        (&[("guard_window", ParamValue::Integer(500))], "guard_window", "add guard = \"1.75 %\""),
        (&[("guard_hold", ParamValue::Integer(500))], "guard_hold", "add guard = \"1.75 %\""),
        (&[("guard", text("2 %")), ("guard_window", ParamValue::Integer(0))], "guard_window", "from 1 to"),
    ];
    for (given, param, message) in cases {
        let error = build(given).err().unwrap();
        assert_eq!(error.param.as_deref(), Some(param), "{error}");
        assert!(error.message.contains(message), "{error}");
    }
}

#[test]
fn names_of_parameters_reach_the_queue() {
    let reserved = ("reserved", ParamValue::List(vec![ParamValue::Integer(5)]));
    let guard = ("guard", ParamValue::Text("0 %".to_owned()));
    let windows = [("guard_window", ParamValue::Integer(2)), ("guard_hold", ParamValue::Integer(3))];
    let mut queue = build(&[&[("queues", ParamValue::Integer(2)), reserved, guard], &windows[..]].concat()).unwrap();
    for rank in [40, 30, 20, 35, 25, 5, 50] {
        queue.push(rank, Packet::default()).unwrap();
    }
    // Two windows of two, the second with an alarm: 20 enters behind 40, and 30 lies between. Then 25 and 50 are guarded, 5 is reserved.
    let counters = queue.counters();
    assert_eq!((value(&counters, "guard_alarms"), value(&counters, "packets_guarded")), (1, 2));
    assert_eq!(queue.pop_min().unwrap().0, 5);
}
