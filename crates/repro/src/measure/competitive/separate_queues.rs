//! Table II: separate queues.
//!
//! In place of the optimum stands a schedule, so the true ratio is at least the measured one. The schedule sends the smallest packets
//! first; on the input that is bad for that, it serves first the queues that are filled again.

use super::{Case, Function, Size};
use forebay_engine::slotted::separate_queues::{served_by, smallest};
use forebay_engine::slotted::{Input, adversarial as bad};

/// Room for packets in a queue, except where it is what the ratio depends on.
const BUFFER: usize = 8;

type Make = Function<usize, Input>;

/// Every policy of Table II with the inputs that are bad for it.
pub(super) fn cases() -> Vec<Case> {
    let mut cases = Vec::new();
    for buffer in [4_u16, 8, 16, 32, 64] {
        let (k, room) = (buffer - 1, usize::from(buffer));
        let make = Box::new(move |rounds| bad::lqf(1, k, room, rounds));
        cases.push(case("lqf", "two full queues", k, room, 8, make));
    }
    for k in [4, 8, 16, 32, 64_u16] {
        let mut add = |policy, input, rounds, make: Make| {
            cases.push(case(policy, input, k, BUFFER, rounds, make));
        };
        add("sqf", "one long packet", 16, Box::new(move |rounds| bad::sqf(k, BUFFER, rounds)));
        let small = (1..k).take_while(|small| (BUFFER - 1) * usize::from(small * (small + 1) / 2) <= usize::from(k));
        let small = small.last().unwrap_or(1);
        add("lqf", "more full queues", 32, Box::new(move |rounds| bad::lqf(small, k, BUFFER, rounds)));
        add("maxqf", "long packets", 8, Box::new(move |rounds| bad::maxqf(k, BUFFER, rounds)));
        let all: Vec<u16> = (1..=k).collect();
        add("crr", "all queues", 256, Box::new(move |rounds| bad::crr(&all, BUFFER, rounds)));
        let third = bad::first_and_from(k.div_ceil(3), k);
        add("crr", "from k/3 on", 256, Box::new(move |rounds| bad::crr(&third, BUFFER, rounds)));
        let half = bad::first_and_from(k / 2, k);
        add("prr", "from k/2 on", 12, Box::new(move |rounds| bad::prr(&half, BUFFER, rounds)));
        let highest = bad::first_and_from(k + 1 - (2 * k).isqrt(), k);
        add("prr", "the highest", 12, Box::new(move |rounds| bad::prr(&highest, BUFFER, rounds)));
        add("mqf", "filled again", 0, Box::new(move |_| bad::minqf(k, BUFFER)));
        cases.push(case("mqf", "filled again", k, 1, 0, Box::new(move |_| bad::minqf(k, 1))));
    }
    cases
}

fn case(policy: &'static str, input: &'static str, k: u16, buffer: usize, rounds: usize, make: Make) -> Case {
    let size = Size { k: k.into(), buffer, separate: true };
    let queues = usize::from(k);
    let schedule = if policy == "mqf" { bad::emptied_before_refilled(k, buffer) } else { Vec::new() };
    let optimum = move |input: Input| {
        served_by(&input, queues, buffer, |slot, waiting| {
            schedule.get(slot).copied().or_else(|| smallest(slot, waiting))
        })
    };
    Case { policy, input, size, make, rounds, optimum: Box::new(optimum) }
}
