//! The structure that keeps flows in the order of their ranks: any double-ended rank queue from which any flow can be removed.

use crate::part::Part;
use crate::queues::bitmap_tree::{Levels1, Levels2, Levels3, Levels4};
use crate::queues::queue::hffs::Hffs;
use crate::queues::{Handle, PopMax, Remove, Tournament};
use crate::spec::unknown;
use forebay_core::{ParamError, Params};

/// An order of flows, which are identified by their slots. The lowest rank is first; flows of equal rank are in the order in which they got
/// the rank.
///
/// Every double-ended rank queue of slots with removal implements this trait: [`Hffs`], whose cost per operation is constant but whose
/// ranks are bounded, or [`Tournament`] for any rank.
pub trait FlowOrder {
    /// Inserts a flow; returns `None` if the queue is full or the rank too high.
    fn insert(&mut self, rank: u64, slot: u32) -> Option<Handle>;
    /// Removes a flow.
    fn remove(&mut self, handle: Handle);
    /// The first flow, with its rank.
    fn first(&self) -> Option<(u64, u32)>;
    /// The last flow, with its rank.
    fn last(&self) -> Option<(u64, u32)>;
    /// The most flows that fit.
    fn capacity(&self) -> usize;
    /// The highest rank that the order accepts.
    fn max_rank(&self) -> u64;
}

impl<Q: PopMax<u32> + Remove<u32>> FlowOrder for Q {
    fn insert(&mut self, rank: u64, slot: u32) -> Option<Handle> {
        Remove::insert(self, rank, slot).ok()
    }

    fn remove(&mut self, handle: Handle) {
        Remove::remove(self, handle);
    }

    fn first(&self) -> Option<(u64, u32)> {
        self.peek_min().map(|(rank, &slot)| (rank, slot))
    }

    fn last(&self) -> Option<(u64, u32)> {
        self.peek_max().map(|(rank, &slot)| (rank, slot))
    }

    fn capacity(&self) -> usize {
        crate::queues::RankQueue::capacity(self)
    }

    fn max_rank(&self) -> u64 {
        crate::queues::RankQueue::max_rank(self)
    }
}

impl FlowOrder for Box<dyn FlowOrder + Send> {
    fn insert(&mut self, rank: u64, slot: u32) -> Option<Handle> {
        (**self).insert(rank, slot)
    }

    fn remove(&mut self, handle: Handle) {
        (**self).remove(handle);
    }

    fn first(&self) -> Option<(u64, u32)> {
        (**self).first()
    }

    fn last(&self) -> Option<(u64, u32)> {
        (**self).last()
    }

    fn capacity(&self) -> usize {
        (**self).capacity()
    }

    fn max_rank(&self) -> u64 {
        (**self).max_rank()
    }
}

/// Builds the order from the registered queue that `part` names, for `capacity` flows.
///
/// # Errors
/// If the queue is unknown or cannot order flows, or if its parameters are wrong.
pub(super) fn by_name(part: &Part, capacity: usize) -> Result<Box<dyn FlowOrder + Send>, ParamError> {
    let given = &part.params;
    let queue = part.queue_entry()?;
    let params = Params::check(queue.about.params, given.clone())?;
    match queue.about.name {
        "pifo" => Ok(Box::new(Tournament::new(capacity))),
        "hffs" => {
            if let Some(param) = ["width", "levels"].into_iter().find(|&param| given.contains_key(param)) {
                let message = format!("to order flows, hffs has 64 bits per bitmap; leave `{param}` out");
                return Err(ParamError::of(param, message));
            }
            let ranks = params.integer("ranks").and_then(|ranks| usize::try_from(ranks).ok()).unwrap_or(1);
            Ok(match ranks {
                0..=64 => Box::new(Hffs::<u32, Levels1>::new(capacity, ranks)),
                65..=4_096 => Box::new(Hffs::<u32, Levels2>::new(capacity, ranks)),
                4_097..=262_144 => Box::new(Hffs::<u32, Levels3>::new(capacity, ranks)),
                _ => Box::new(Hffs::<u32, Levels4>::new(capacity, ranks)),
            })
        }
        _ => Err(unknown(format!(
            "`{}` cannot order flows, whose ranks change while they wait; use queue = \"pifo\" or \"hffs\"",
            part.name
        ))),
    }
}
