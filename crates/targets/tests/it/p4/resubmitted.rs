//! The variant for hardware: a register is accessed once in a pass, and a second pass may come late.

use super::choices::{arrivals, packet, port, switch};
use super::frames::SPREADS;
use super::{ORDERS, made};
use forebay_conform::p4model::{FrameOutcome, Switch};
use forebay_core::Seed;
use rand::RngExt;

/// Each register is read at most once, and written at most once, and then behind the read.
fn is_for_hardware(switch: &Switch) {
    for (register, (reads, writes)) in &switch.accesses {
        assert!(*reads == 1 && *writes <= 1, "{register}: {reads} reads and {writes} writes in a pass");
    }
}

#[test]
fn a_second_pass_that_comes_late_lowers_the_bounds_that_it_finds() {
    let order = &ORDERS[0];
    let mut seconds = 0;
    for (queues, spread) in [2, 4, 8, 16, 32].into_iter().zip(SPREADS) {
        let options = order.options(queues, true);
        let mut switch = switch(&made(&order.policy(), &options, "policy.p4"));
        let mut rng = Seed(queues.into()).stream("late");
        let stream = arrivals(4_000, spread, false, &mut rng);
        let mut bounds = [vec![0_u64; queues.into()], vec![0_u64; queues.into()]];
        let mut late: Vec<(usize, u128)> = Vec::new();
        for (id, arrival) in stream.iter().enumerate() {
            let rank = (order.rank)(&packet(&options.mapping, arrival));
            let port = port(arrival).unwrap();
            let outcome = switch.pass(&arrival.bytes, 0, None);
            is_for_hardware(&switch);
            match bounds[port].iter().rposition(|bound| *bound <= rank) {
                Some(queue) => {
                    bounds[port][queue] = rank;
                    assert!(
                        matches!(outcome, FrameOutcome::Queued(found, _) if found == queue as u128),
                        "frame {id}: {outcome:?}"
                    );
                }
                None => {
                    let cost = bounds[port][0] - rank;
                    assert_eq!(outcome, FrameOutcome::Resubmitted(cost.into()), "frame {id}");
                    bounds[port][0] = rank;
                    late.push((id, cost.into()));
                }
            }
            while !late.is_empty() && rng.random_bool(0.3) {
                let (id, cost) = late.remove(0);
                let arrival = &stream[id];
                let outcome = switch.pass(&arrival.bytes, 0, Some(cost));
                is_for_hardware(&switch);
                assert!(!switch.accesses.contains_key("bound_0"), "it has the rank already");
                assert!(matches!(outcome, FrameOutcome::Queued(0, _)), "{outcome:?}");
                let port = super::choices::port(arrival).unwrap();
                let cost = u64::try_from(cost).unwrap();
                bounds[port].iter_mut().skip(1).for_each(|bound| *bound = bound.saturating_sub(cost));
                seconds += 1;
            }
            for (port, bounds) in bounds.iter().enumerate() {
                assert_eq!(switch.bounds(port + 3), *bounds, "frame {id}");
            }
        }
    }
    assert!(seconds > 500, "only {seconds} second passes");
}

/// If a table drops the frames of a destination, these move no bounds and need no second pass.
#[test]
fn frames_that_an_entry_refuses_move_nothing() {
    let order = &ORDERS[0];
    for resubmit in [false, true] {
        let mut switch = switch(&made(&order.policy(), &order.options(4, resubmit), "policy.p4"));
        switch.forward.values_mut().for_each(|port| *port = None);
        let mut rng = Seed(3).stream("refused");
        for arrival in arrivals(500, SPREADS[0], false, &mut rng) {
            assert_eq!(switch.pass(&arrival.bytes, arrival.now.into(), None), FrameOutcome::Dropped);
            assert!(switch.accesses.is_empty(), "{:?}", switch.accesses);
        }
    }
}
