//! Inversions at the ports that a scenario names.

use super::run_result::{LinkInversions, RankCounts};
use forebay_core::{Element, Packet, Time};
use forebay_sim::Probe;
use forebay_sim::net::{Graph, Network};
use forebay_sim::probes::InversionsByRank;
use std::sync::{Arc, Mutex, PoisonError};

/// The counts at ports. The network holds one handle to each count, and this value the other.
pub(super) struct Watched(Vec<(String, Arc<Mutex<InversionsByRank>>)>);

impl Watched {
    /// Counts inversions at these links of `network` from now on.
    pub(super) fn at<E: Element>(links: &[usize], graph: &Graph, network: &mut Network<E>) -> Self {
        let watch = |&link: &usize| {
            let inversions = Arc::new(Mutex::new(InversionsByRank::default()));
            network.watch(link, Box::new(Shared(Arc::clone(&inversions))));
            (graph.link_name(link), inversions)
        };
        Self(links.iter().map(watch).collect())
    }

    /// Returns the counts at each link, over the whole run.
    pub(super) fn counted(&self) -> Vec<LinkInversions> {
        let of_link = |(link, inversions): &(String, Arc<Mutex<InversionsByRank>>)| {
            let inversions = inversions.lock().unwrap_or_else(PoisonError::into_inner);
            let total = inversions.total();
            let by_rank = RankCounts {
                bin_width: inversions.bin_width(),
                packets_out: inversions.bins().iter().map(|bin| bin.packets_out).collect(),
                inversions: inversions.bins().iter().map(|bin| bin.inversions).collect(),
            };
            LinkInversions { link: link.clone(), inversions: total.inversions, overtaken: total.overtaken, by_rank }
        };
        self.0.iter().map(of_link).collect()
    }
}

/// The end that the network keeps.
struct Shared(Arc<Mutex<InversionsByRank>>);

impl Shared {
    fn tell(&self, what: impl FnOnce(&mut InversionsByRank)) {
        what(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner));
    }
}

impl Probe for Shared {
    fn queued(&mut self, now: Time, packet: &Packet, queue_len: usize) {
        self.tell(|inversions| inversions.queued(now, packet, queue_len));
    }

    fn evicted(&mut self, now: Time, packet: &Packet) {
        self.tell(|inversions| inversions.evicted(now, packet));
    }

    fn dequeued(&mut self, now: Time, packet: &Packet, queue_len: usize) {
        self.tell(|inversions| inversions.dequeued(now, packet, queue_len));
    }
}
