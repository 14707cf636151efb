//! A limit on the memory of a reassembler, and the flows that are reset to keep the limit (SurgeProtector, thesis, section 3.7: memory
//! complexity attacks).

use forebay_core::FlowId;
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;

/// The choice of the flow that is reset when the memory is full.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Victim {
    /// The flow whose last segment is the longest ago.
    #[default]
    Oldest,
    /// The flow that holds the most bytes; among equals, the flow with the greatest number.
    Largest,
}

impl Victim {
    /// All variants, with their names.
    pub const ALL: [(&'static str, Self); 2] = [("oldest", Self::Oldest), ("largest", Self::Largest)];
}

/// Flows that hold something, in the order in which they would be reset.
#[derive(Debug, Clone)]
pub(super) struct Memory {
    limit_bytes: u64,
    victim: Victim,
    /// Served segments.
    clock: u64,
    order: BTreeSet<(u64, FlowId)>,
    keys: FxHashMap<FlowId, u64>,
}

impl Memory {
    pub(super) fn new(limit_bytes: u64, victim: Victim) -> Self {
        Self { limit_bytes, victim, clock: 0, order: BTreeSet::new(), keys: FxHashMap::default() }
    }

    /// A segment of a flow was served, which now holds so much.
    pub(super) fn served(&mut self, flow: FlowId, held_bytes: u64) {
        self.clock += 1;
        self.forget(flow);
        if held_bytes > 0 {
            let key = match self.victim {
                Victim::Oldest => self.clock,
                Victim::Largest => held_bytes,
            };
            self.keys.insert(flow, key);
            self.order.insert((key, flow));
        }
    }

    /// The flow to reset if `held_bytes` are held by all; [`None`] if they may be.
    pub(super) fn victim(&mut self, held_bytes: u64) -> Option<FlowId> {
        if held_bytes <= self.limit_bytes {
            return None;
        }
        let (_, flow) = match self.victim {
            Victim::Oldest => self.order.first(),
            Victim::Largest => self.order.last(),
        }
        .copied()?;
        self.forget(flow);
        Some(flow)
    }

    fn forget(&mut self, flow: FlowId) {
        if let Some(key) = self.keys.remove(&flow) {
            self.order.remove(&(key, flow));
        }
    }
}
