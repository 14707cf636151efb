//! The packet that leaves a tree to make room for an arriving one: the packet that would leave last of all if no more packets arrived.
//!
//! The last entry of the root is the entry that the root would serve last. It names a child, whose last entry names the next child, down to
//! a packet. This mirrors the search for the first packet. The arriving packet counts as queued, with an entry in each node from its leaf
//! to the root, and the drop rule compares packets at these nodes. If the last entry of a node is the arriving packet's, but another packet
//! is dropped, that entry replaces the dropped packet's entry.
//!
//! If the arriving packet is itself the last, it is dropped without a change to the tree. Each dropped packet costs a pop-max in each node
//! on its path.

use super::TreeDiscipline;
use crate::traits::{DropRule, Victim};
use forebay_core::{Packet, Time, Verdict};

/// An entry that the arriving packet is about to add to a node.
#[derive(Debug, Clone, Copy)]
pub(super) struct Offer {
    node: usize,
    /// The packet as the node sees it, with its rank.
    seen: Packet,
    /// Whether the entry is still to be added.
    open: bool,
}

impl TreeDiscipline {
    /// Enqueues a packet, and pushes out packets that would leave later.
    pub(super) fn enqueue_pushing_out(
        &mut self,
        now: Time,
        leaf: usize,
        offered: &Packet,
        evicted: &mut Vec<Packet>,
    ) -> Verdict {
        let mut way = std::mem::take(&mut self.way);
        self.offers(now, leaf, offered, &mut way);
        let rank = way[0].seen.rank;
        let is_in = self.make_room(offered, &mut way, evicted);
        if is_in {
            self.len += 1;
            self.bytes += u64::from(offered.size_bytes);
            self.enter_all(&way);
        } else {
            self.give_back(&way);
        }
        self.way = way;
        if is_in { Verdict::Queued { rank } } else { Verdict::Refused { rank } }
    }

    /// The entries of a packet, from its leaf to the root.
    fn offers(&mut self, now: Time, leaf: usize, offered: &Packet, way: &mut Vec<Offer>) {
        way.clear();
        let (mut node, mut seen) = (leaf, *offered);
        loop {
            seen.rank = self.nodes[node].rank_fn.rank(now, &seen);
            way.push(Offer { node, seen, open: true });
            let Some(parent) = self.nodes[node].parent else { return };
            seen = self.seen_above(node, offered);
            node = parent;
        }
    }

    /// Pushes packets out until the arriving one fits; returns `false` if it is itself the last.
    fn make_room(&mut self, offered: &Packet, way: &mut [Offer], evicted: &mut Vec<Packet>) -> bool {
        while !self.fits(offered) {
            let Some(path) = self.last(way) else { return false };
            for (node, is_offer) in path {
                if is_offer {
                    let offer = way.iter_mut().find(|offer| offer.node == node);
                    offer.expect("only offers are taken").open = false;
                    continue;
                }
                let Some(entry) = self.queues.pop_max(node) else { return false };
                self.nodes[node].rank_fn.evicted(&entry);
                if self.nodes[node].children.is_empty() {
                    self.len -= 1;
                    self.bytes -= u64::from(entry.size_bytes);
                    evicted.push(entry);
                }
            }
        }
        true
    }

    /// Returns the nodes from the root to the packet that would leave last. Each node has a flag: whether its last entry is the arriving
    /// packet's. Returns [`None`] if the arriving packet is the last.
    fn last(&mut self, way: &[Offer]) -> Option<Vec<(usize, bool)>> {
        let rule: &mut dyn DropRule = self.push_out.as_deref_mut()?;
        let (mut node, mut path) = (0, Vec::new());
        loop {
            let worst = self.queues.peek_max(node);
            let offer = way.iter().find(|offer| offer.node == node && offer.open).map(|offer| &offer.seen);
            let is_offer = offer.is_some_and(|offer| rule.victim(offer, worst) == Victim::Arriving);
            let last = if is_offer { offer } else { worst }?;
            path.push((node, is_offer));
            let Some(child) = self.nodes[node].children.get(last.flow.index()) else {
                return (!is_offer).then_some(path);
            };
            node = *child;
        }
    }

    /// Adds the entries that are still missing.
    fn enter_all(&mut self, way: &[Offer]) {
        for Offer { node, seen, .. } in way.iter().filter(|offer| offer.open) {
            let pushed = self.push(*node, seen);
            assert!(pushed, "a queue that gives up its last entry takes one for each packet that fits the buffer");
        }
    }

    /// Undoes the entries of a packet that is not admitted: if its entry had replaced another one, the other entry is removed now. That
    /// entry is the last one, and belongs to the packet's child, since it led to the packet.
    fn give_back(&mut self, way: &[Offer]) {
        for offer in way.iter().filter(|offer| !offer.open) {
            if let Some(entry) = self.queues.pop_max(offer.node) {
                self.nodes[offer.node].rank_fn.evicted(&entry);
            }
        }
    }
}
