//! Table I: a single queue.

use super::{Case, Size};
use forebay_engine::slotted::{Input, adversarial as bad, single_queue};

const BUFFER: usize = 16;
/// One less than that: a level of the shrinking input is worth the most.
const SHRINK: u32 = 15;

/// Every policy of Table I with the inputs that are bad for it. The optimal one gets those of the others.
pub(super) fn cases() -> Vec<Case> {
    let mut cases = Vec::new();
    for policy in ["fifo-fifo", "rsrpt-srpt"] {
        for k in [4, 16, 64] {
            cases.push(case(policy, "fills with k", k, 4, move |rounds| bad::fifo_fifo(k, BUFFER, rounds)));
        }
    }
    for k in [4, 16] {
        let slots = 2 * BUFFER * (k as usize).pow(2);
        let make = move |_| bad::oldest_pushed_out(k, slots);
        cases.push(case("fifo-by-the-letter", "overload", k, 0, make));
    }
    for policy in ["rsrpt-fifo", "rsrpt-srpt"] {
        for k in [16, 256, 4_096, 65_536] {
            cases.push(case(policy, "shrinking", k, 0, move |_| bad::rsrpt_fifo(k, BUFFER, SHRINK)));
        }
    }
    cases
}

fn case(
    policy: &'static str,
    input: &'static str,
    k: u32,
    rounds: usize,
    make: impl Fn(usize) -> Input + Send + Sync + 'static,
) -> Case {
    let size = Size { k, buffer: BUFFER, separate: false };
    let optimum = Box::new(|input: Input| single_queue::shortest_first(&input, BUFFER));
    Case { policy, input, size, make: Box::new(make), rounds, optimum }
}
