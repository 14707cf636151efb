//! Fixed bounds: strict-priority FIFO queues, each for a fixed range of ranks.
//!
//! Operators configure such bounds today. Bounds that are chosen for a known distribution can be optimal for it. SP-PIFO (NSDI'20, section
//! 4.2) compares itself with bounds spread evenly over uniform ranks. [`optimal_bounds`](crate::queues::optimal_bounds()) chooses them for
//! any distribution.

use crate::queues::entry::{BuiltQueue, QueueEntry};
use crate::queues::serve_from::serve_from;
use crate::queues::strict_priority::{Shape, StrictPriority};
use crate::queues::traits::{PushError, RankQueue};
use crate::queues::unpifoness::Cost;
use forebay_core::params::ParamKind;
use forebay_core::{About, Exactness, ParamError, ParamSpec, Params};

/// The most queues.
const MAX_BOUNDS: usize = 1_024;
const BOUND: ParamKind = ParamKind::Integer { min: 0, max: i64::MAX as u64, default: None };

/// The registry's entry for [`FixedBounds`].
pub const ENTRY: QueueEntry = QueueEntry {
    about: About {
        name: "fixed-bounds",
        title: "Strict-priority FIFO queues, each for a fixed range of ranks",
        exactness: Exactness::Approximate,
        hardware: "strict-priority queues and a table; every switch has them",
        cost: "O(queues) per push, O(queues) per pop; one slot per packet and one bound per queue",
        source: "SP-PIFO, NSDI'20, section 4.2",
        params: &[
            Shape::QUEUES,
            Shape::QUEUE_PACKETS,
            ParamSpec {
                name: "max_rank",
                kind: ParamKind::Integer { min: 1, max: 1 << 62, default: Some(100) },
                meaning: "bounds are spread evenly from 0 to this: bound i is i x max_rank / queues",
            },
            ParamSpec {
                name: "bounds",
                kind: ParamKind::List { of: &BOUND, words: &["optimal"], default: "" },
                meaning: "the lowest rank of each queue, rising from 0, like [0, 12, 25, 37]; replaces max_rank and queues; \
                          \"optimal\" where the distribution of ranks is known",
            },
            Cost::param(
                "cost of an inversion when bounds are \"optimal\" (section 3.1): the distance of the two ranks; or constant: 1",
            ),
        ],
    },
    build: |size, params| {
        let mut shape = Shape::from_params(size.packets, params)?;
        let bounds = read_bounds(params, shape.queues)?;
        if bounds.len() != shape.queues && params.integer("queue_packets").is_none() {
            shape.queue_capacity = size.packets.div_ceil(bounds.len());
        }
        Ok(BuiltQueue::SingleEnded(Box::new(FixedBounds::new(bounds, shape.queue_capacity))))
    },
};

fn read_bounds(params: &Params, queues: usize) -> Result<Vec<u64>, ParamError> {
    if params.word("bounds").is_some() {
        let message = "`bounds = \"optimal\"` needs a known distribution of ranks, which only a port has whose traffic draws \
                       ranks; give numbers, like [0, 12, 25]";
        return Err(ParamError::of("bounds", message));
    }
    if Cost::from_params(params) == Cost::Constant {
        let message = "`cost` is for bounds that are computed; add bounds = \"optimal\", or leave `cost` out";
        return Err(ParamError::of("cost", message));
    }
    let bounds = params.integers("bounds");
    match bounds[..] {
        [] => Ok(even_bounds(queues, params.integer("max_rank").unwrap_or(0))),
        [0, ..] if bounds.is_sorted() && bounds.len() <= MAX_BOUNDS => Ok(bounds),
        _ => {
            let message = format!(
                "`bounds` must be up to {MAX_BOUNDS} whole numbers, the first 0 and none below the one before, like \
                 [0, 12, 25], not {bounds:?}"
            );
            Err(ParamError::of("bounds", message))
        }
    }
}

/// Bounds spread evenly from 0 to `max_rank`: bound i is i x `max_rank` / `queues`.
pub(super) fn even_bounds(queues: usize, max_rank: u64) -> Vec<u64> {
    let bound = |queue| {
        u64::try_from(queue as u128 * u128::from(max_rank) / queues as u128).expect("a share of the greatest rank")
    };
    (0..queues).map(bound).collect()
}

/// Strict-priority queues with fixed bounds.
#[derive(Debug)]
pub struct FixedBounds<T> {
    queues: StrictPriority<T>,
    /// The lowest rank of each queue, highest priority first.
    bounds: Vec<u64>,
}

impl<T> FixedBounds<T> {
    /// Creates one empty queue of `queue_capacity` items per bound.
    ///
    /// # Panics
    /// If there are no bounds, the first is not 0, or they are not sorted.
    #[must_use]
    pub fn new(bounds: Vec<u64>, queue_capacity: usize) -> Self {
        assert!(bounds.first() == Some(&0) && bounds.is_sorted(), "bounds rise from 0");
        Self { queues: StrictPriority::new(Shape { queues: bounds.len(), queue_capacity }), bounds }
    }
}

impl<T> RankQueue<T> for FixedBounds<T> {
    fn push(&mut self, rank: u64, item: T) -> Result<(), PushError<T>> {
        let queue = self.bounds.partition_point(|&bound| bound <= rank) - 1;
        self.queues.push(queue, rank, item)
    }

    serve_from!(queues);

    fn sure_capacity(&self) -> usize {
        self.queues.sure_capacity()
    }

    fn add_bounds(&self, bounds: &mut Vec<u64>) {
        bounds.extend(&self.bounds);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use forebay_core::ParamValue;
    use std::collections::BTreeMap;

    #[test]
    fn even_bounds_are_those_of_the_paper() {
        let params = Params::defaults(ENTRY.about.params);
        assert_eq!(read_bounds(&params, 8).unwrap(), [0, 12, 25, 37, 50, 62, 75, 87]);
    }

    #[test]
    fn ranks_go_to_the_queue_whose_range_they_are_in() {
        let mut queue = FixedBounds::new(vec![0, 3, 5], 10);
        for rank in [10, 2, 3, 4] {
            queue.push(rank, ()).unwrap();
        }
        let order: Vec<u64> = std::iter::from_fn(|| queue.pop_min()).map(|(rank, ())| rank).collect();
        assert_eq!(order, [2, 3, 4, 10]);
    }

    #[test]
    fn a_cost_without_bounds_that_it_decides_is_refused() {
        let given = BTreeMap::from([("cost".to_owned(), ParamValue::Text("constant".to_owned()))]);
        let params = Params::check(ENTRY.about.params, given).unwrap();
        let error = read_bounds(&params, 8).unwrap_err();
        assert_eq!(error.param.as_deref(), Some("cost"));
        assert!(error.message.contains("add bounds = \"optimal\""), "{error}");
    }

    #[test]
    fn bounds_that_do_not_rise_from_zero_are_refused() {
        let list = |bounds: &[i64]| ParamValue::List(bounds.iter().copied().map(ParamValue::Integer).collect());
        let optimal = ParamValue::Text("optimal".to_owned());
        for value in [list(&[1, 2]), list(&[0, 5, 3]), optimal.clone()] {
            let given = BTreeMap::from([("bounds".to_owned(), value.clone())]);
            let params = Params::check(ENTRY.about.params, given).unwrap();
            let error = read_bounds(&params, 8).unwrap_err();
            assert_eq!(error.message.contains("needs a known distribution"), value == optimal, "{error}");
        }
    }
}
