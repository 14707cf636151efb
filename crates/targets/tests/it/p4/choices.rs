//! The choice of queues, packet by packet, and what leaves, beside the Rust SP-PIFO.

use super::frames::{DESTINATIONS, Kind, SPREADS, Spread, frame};
use super::{ORDERS, Order, made};
use forebay_conform::p4model::{FrameOutcome, Queues, Switch};
use forebay_core::{Packet, Rng, Seed, Time};
use forebay_sched::queues::RankQueue;
use forebay_sched::queues::queue::sp_pifo::SpPifo;
use forebay_targets::headers::{Mapping, Metadata};
use rand::RngExt;

/// A frame of a stream, with when it came in microseconds.
pub(super) struct Arrival {
    pub(super) bytes: Vec<u8>,
    pub(super) now: u64,
}

/// A stream of frames.
pub(super) fn arrivals(count: u64, spread: Spread, wild: bool, rng: &mut Rng) -> Vec<Arrival> {
    let mut now = 0;
    let limit = 1 << rng.random_range(8..60);
    let arrival = |number| {
        now += rng.random_range(0..1_500);
        Arrival { bytes: frame(rng, Kind { spread, limit, wild }, number), now }
    };
    (0..count).map(arrival).collect()
}

/// The packet that the policy sees.
pub(super) fn packet(mapping: &Mapping, arrival: &Arrival) -> Packet {
    let packet = mapping.packet(&arrival.bytes, Metadata::default());
    Packet { arrival: Time::from_ns(arrival.now * 1_000), ..packet }
}

/// A switch whose ports are those of the known destinations.
pub(super) fn switch(text: &str) -> Switch {
    let mut switch = Switch::new(text);
    for (port, destination) in (3..).zip(DESTINATIONS) {
        let number = destination.iter().fold(0_u128, |number, byte| number << 8 | u128::from(*byte));
        switch.forward.insert(number, Some(port));
    }
    switch
}

/// The port of a frame; `None` if nobody knows its destination.
pub(super) fn port(arrival: &Arrival) -> Option<usize> {
    DESTINATIONS.iter().position(|destination| arrival.bytes[..6] == destination[..])
}

/// Plays frames on a program and on the Rust SP-PIFO; the first difference.
pub(super) fn differs(text: &str, order: &Order, queues: u8, stream: &[Arrival], rng: &mut Rng) -> Option<String> {
    let mut switch = switch(text);
    let capacity = 8;
    let mut models: Vec<SpPifo<usize>> = (0..2).map(|_| SpPifo::new(queues.into(), capacity)).collect();
    let mut ports: Vec<Queues<usize>> = (0..2).map(|_| Queues::new(vec![capacity; queues.into()])).collect();
    let mapping = order.options(queues, false).mapping;
    for (id, arrival) in stream.iter().enumerate() {
        let mut outcome = switch.pass(&arrival.bytes, arrival.now.into(), None);
        if let FrameOutcome::Resubmitted(cost) = outcome {
            outcome = switch.pass(&arrival.bytes, arrival.now.into(), Some(cost));
        }
        let Some(port) = port(arrival) else {
            if outcome == FrameOutcome::Dropped {
                continue;
            }
            return Some(format!("frame {id} has no port: {outcome:?}"));
        };
        let FrameOutcome::Queued(queue, priority) = outcome else { return Some(format!("frame {id}: {outcome:?}")) };
        if queues <= 8 && priority != u128::from(queues) - 1 - queue {
            return Some(format!("frame {id}: priority {priority} of queue {queue}"));
        }
        let rank = (order.rank)(&packet(&mapping, arrival));
        let has_room = models[port].push(rank, id).is_ok();
        if has_room != ports[port].push(usize::try_from(queue).unwrap(), id) {
            return Some(format!("frame {id} of rank {rank}: only one of them has room"));
        }
        let expected: Vec<u64> = models[port].bounds().iter().map(|bound| bound & order.mask()).collect();
        let bounds = switch.bounds(port + 3);
        if bounds != expected {
            return Some(format!("frame {id} of rank {rank}: bounds {bounds:?}, and should be {expected:?}"));
        }
        while rng.random_bool(0.45) {
            let (expected, found) = (models[port].pop_min().map(|(_, id)| id), ports[port].pop());
            if found != expected {
                return Some(format!("behind frame {id} leaves {found:?}, and should {expected:?}"));
            }
        }
    }
    None
}

#[test]
fn queues_are_those_of_sp_pifo() {
    for (number, order) in ORDERS.iter().enumerate() {
        for (queues, spread) in [2, 4, 8, 16, 32].into_iter().zip(SPREADS.into_iter().cycle().skip(number)) {
            let mut rng = Seed(u64::from(queues)).stream(order.text);
            let stream = arrivals(1_000, spread, number % 2 == 0, &mut rng);
            for resubmit in [false, true] {
                let options = order.options(queues, resubmit);
                let text = made(&order.policy(), &options, "policy.p4");
                let difference = differs(&text, order, queues, &stream, &mut rng.clone());
                assert_eq!(difference, None, "{}, {queues} queues, {spread:?}, resubmit {resubmit}", order.text);
            }
        }
    }
}

#[test]
fn ranks_of_time_wrap_and_choose_as_if_they_did_not() {
    let order = Order {
        text: "q.procPrio(p1, p2) = (p1.slack + p1.arrival < p2.slack + p2.arrival);",
        fields: &["slack=udp[12:4]>>2"],
        rank_bits: 32,
        rank: |p| p.slack.as_ns() + p.arrival.as_ps() / 1_000,
    };
    for queues in [2, 4, 8] {
        for resubmit in [false, true] {
            let mut rng = Seed(queues.into()).stream("time");
            let mut stream: Vec<Arrival> = Vec::new();
            while stream.len() < 4_000 {
                let kind = Kind { spread: Spread::Uniform, limit: 1 << 40, wild: false };
                let number = stream.len() as u64;
                stream.push(Arrival { bytes: frame(&mut rng, kind, number), now: 3_000 * number });
            }
            let text = made(&order.policy(), &order.options(queues, resubmit), "policy.p4");
            assert_eq!(differs(&text, &order, queues, &stream, &mut rng), None, "{queues} queues");
            // Twelve seconds: a comparison that does not wrap is seen.
            let mutant = text.replace("bound - rank - 1 >= 1073741823", "bound <= rank");
            assert!(differs(&mutant, &order, queues, &stream, &mut rng).is_some(), "{queues} queues");
        }
    }
}

#[test]
fn ranks_that_fall_with_time_wrap_as_well() {
    let order = Order {
        text: "q.procPrio(p1, p2) = (p1.slack - p1.arrival < p2.slack - p2.arrival);",
        fields: &["slack=udp[12:4]>>4"],
        rank_bits: 32,
        rank: |_| 0,
    };
    let options = order.options(4, false);
    let mut switch = switch(&made(&order.policy(), &options, "policy.p4"));
    let mut rng = Seed(2).stream("falling");
    let mut bounds = [0_i64; 4];
    let mut chosen = [0; 4];
    for number in 0..6_000 {
        let kind = Kind { spread: Spread::Uniform, limit: 1 << 40, wild: false };
        let mut bytes = frame(&mut rng, kind, number);
        bytes[..6].copy_from_slice(&DESTINATIONS[0]);
        let arrival = Arrival { bytes, now: 1_000 * (number + 1) };
        let packet = packet(&options.mapping, &arrival);
        let rank =
            i64::try_from(packet.slack.as_ns()).unwrap() - i64::try_from(packet.arrival.as_ps() / 1_000).unwrap();
        let outcome = switch.pass(&arrival.bytes, arrival.now.into(), None);
        let queue = bounds.iter().rposition(|bound| *bound <= rank).unwrap_or(0);
        let cost = (bounds[0] - rank).max(0);
        bounds.iter_mut().for_each(|bound| *bound -= cost);
        bounds[queue] = rank;
        chosen[queue] += 1;
        let expected: Vec<u64> = bounds.iter().map(|bound| bound.cast_unsigned() & u64::from(u32::MAX)).collect();
        assert_eq!(switch.bounds(3), expected, "frame {number} of rank {rank}");
        assert!(matches!(outcome, FrameOutcome::Queued(found, _) if found == queue as u128), "{outcome:?}, {queue}");
    }
    assert!(chosen.iter().all(|times| *times > 100), "{chosen:?}");
}
