//! The steps of the gradient algorithm: how bounds move towards less unpifoness.
//!
//! Source: SP-PIFO (NSDI'20), section 3.2 and appendix A. See [`unpifoness`](crate::queues::unpifoness) for the condition under which
//! bounds are at rest.

use crate::queues::unpifoness::Histogram;
use std::cmp::Ordering;

/// One iteration of the gradient algorithm. Each bound in turn moves by one, up or down, if that lowers the unpifoness. It also moves if a
/// later step in the same direction, beyond ranks without packets, lowers the unpifoness. Returns the number of bounds that moved.
pub fn step(bounds: &mut [u64], window: &Histogram) -> usize {
    move_all(bounds, window, |bound, rest| if rest > bound { bound + 1 } else { bound - 1 })
}

/// One iteration in which all bounds move at once. Each bound moves to the next rank of the window, in the direction in which a step would
/// lower the unpifoness. Returns the number of bounds that moved.
///
/// Bounds stay sorted: a bound rises only if its own queue has a rank above the bound, and then to the lowest such rank, which is below the
/// next bound.
pub fn step_to_next(bounds: &mut [u64], window: &Histogram) -> usize {
    let mut moved = 0;
    let mut before = bounds.first().copied().unwrap_or_default();
    for queue in 1..bounds.len() {
        let bound = bounds[queue];
        // The queue before began in the window where its bound was then.
        let now = std::mem::replace(&mut bounds[queue - 1], before);
        let rest = window.rest(bounds, queue);
        bounds[queue - 1] = now;
        before = bound;
        let next = match rest.cmp(&bound) {
            Ordering::Greater => window.ranks().iter().find(|&&rank| rank > bound),
            Ordering::Less => window.ranks().iter().rfind(|&&rank| rank < bound),
            Ordering::Equal => None,
        };
        if let Some(&next) = next {
            bounds[queue] = next;
            moved += 1;
        }
    }
    moved
}

/// Iterates until every bound is at rest. Returns the number of iterations that moved a bound.
///
/// An iteration moves each bound in turn to the end of its steps, whatever the distance. The loop ends, since the unpifoness falls with
/// every packet that changes its queue, and without such changes no mean moves.
pub fn converge(bounds: &mut [u64], window: &Histogram) -> u64 {
    let mut iterations = 0;
    while move_all(bounds, window, |_, rest| rest) > 0 {
        iterations += 1;
    }
    iterations
}

/// Bounds stay sorted: a bound rises only towards packets of its own queue, which are below the next bound. It falls only towards packets
/// of the queue before.
fn move_all(bounds: &mut [u64], window: &Histogram, to: impl Fn(u64, u64) -> u64) -> usize {
    let mut moved = 0;
    for queue in 1..bounds.len() {
        let rest = window.rest(bounds, queue);
        if rest != bounds[queue] {
            bounds[queue] = to(bounds[queue], rest);
            moved += 1;
        }
    }
    moved
}
