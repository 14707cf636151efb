//! Worst-case fair weighted fair queueing (WF2Q): WFQ among the packets that the fluid has begun.
//!
//! WFQ keeps packets from being late: each finishes at most one transmission after the fluid GPS would finish it. WFQ does not keep packets
//! from being early. Take a flow with half of all weight, whose packets finish first in the fluid. WFQ sends a burst of them in a row, and
//! the flow then waits for an equally long time until its next packet. In WF2Q, a packet may not leave before the fluid begins it. So no
//! flow is ahead of the fluid by more than one packet, and packets still finish at most one transmission late (Bennett and Zhang,
//! INFOCOM'96).
//!
//! The rank is the virtual finish time, and a packet is eligible at its virtual start time, both as in `wfq`, in the virtual time of the
//! fluid. So the queue must hold packets back, which `pieo` does.
//!
//! In theory a packet that waits at a free link is always eligible, since the fluid has sent as much as the link. Times are rounded down
//! here, and a port may send at another rate than that of the fluid. Where no packet is eligible, the virtual time skips to the first
//! packet's start, as in WF2Q+ (Bennett and Zhang, SIGCOMM'96).
//!
//! Below the root of a tree a node has a share of the link, which changes. There the fluid receives as much service as the node sends,
//! packet by packet, instead of the service of a link over time. This is the reference time by which Bennett and Zhang put fair queueing
//! into a hierarchy (SIGCOMM'96, section 4). So the tree is their hierarchy with the virtual time of WF2Q, which is never before the
//! earliest start of the waiting packets, as in WF2Q+. The virtual time of WF2Q+ itself depends on the weights of all flows, including idle
//! ones, which a leaf does not know. Where all flows are busy, the two virtual times are the same. As in other trees of rank functions, an
//! entry is charged with the length of the packet that brought it. A child chooses its packet when it is served, not when its entry becomes
//! the first.
//!
//! The worst packet of `pieo` cannot be pushed out, so the drop rule must be `tail`: choose a buffer that is rarely full. Ranks and starts
//! count in 1/256 bytes at weight 1, rounded down, and stop at 2^64 - 1, as with `wfq`.

use super::wfq::UNITS_PER_RANK;
use crate::class_weights::ClassWeights;
use crate::gps_clock::GpsClock;
use crate::traits::{BuiltRankFn, RankEntry, RankFn, RankRange, Serves, VirtualPace};
use forebay_core::{About, Exactness, Packet, Params, Rate, Time, convert};

/// The registry's entry for [`Wf2q`].
pub const ENTRY: RankEntry = RankEntry {
    about: About {
        name: "wf2q",
        title: "Worst-case fair queueing, on queue = \"pieo\": as wfq, but no packet departs before the fluid model \
                begins it; 1/256 byte",
        exactness: Exactness::NotApplicable,
        hardware: "as `wfq`, and a queue that holds packets back until a virtual time, such as PIEO",
        cost: "O(log flows) per packet and per flow that runs empty; 32 bytes per flow, about as many again while it waits",
        source: "Bennett, Zhang: WF2Q, INFOCOM'96; in a tree Bennett, Zhang, SIGCOMM'96, section 4",
        params: &[ClassWeights::PARAM],
    },
    also_known_as: &["worst-case-fair"],
    needs: None,
    serves: Serves::FairShares,
    range: RankRange::Rising,
    build,
};

fn build(link_rate: Option<Rate>, params: &Params) -> BuiltRankFn {
    let weights = ClassWeights::read(params)?;
    Ok(Box::new(match link_rate {
        Some(rate) => Wf2q::new(rate, weights),
        None => Wf2q::of_share(weights),
    }))
}

/// The virtual finish times, and the virtual start times before which packets may not leave.
#[derive(Debug, Clone)]
pub struct Wf2q {
    clock: GpsClock,
    weights: ClassWeights,
}

impl Wf2q {
    /// Creates fair queueing on a link of `link_rate`. A flow's weight is the weight of the class of the packet with which its backlog
    /// begins.
    #[must_use]
    pub fn new(link_rate: Rate, weights: ClassWeights) -> Self {
        Self { clock: GpsClock::new(link_rate), weights }
    }

    /// Creates fair queueing of a share of a link whose rate is unknown.
    #[must_use]
    pub fn of_share(weights: ClassWeights) -> Self {
        Self { clock: GpsClock::by_service(), weights }
    }
}

impl RankFn for Wf2q {
    fn rank(&mut self, now: Time, packet: &Packet) -> u64 {
        self.clock.advance(now);
        let finish = self.clock.finish(packet.flow, packet.size_bytes, self.weights.of(packet.class));
        convert::saturate(finish / UNITS_PER_RANK)
    }

    fn queued(&mut self, packet: &Packet) {
        self.clock.arrive(packet.flow, packet.size_bytes, self.weights.of(packet.class));
    }

    fn dequeued(&mut self, _: Time, packet: &mut Packet) {
        self.clock.serve(packet.size_bytes);
    }

    fn as_virtual_pace_mut(&mut self) -> Option<&mut dyn VirtualPace> {
        Some(self)
    }
}

impl VirtualPace for Wf2q {
    fn eligible(&self, packet: &Packet) -> u64 {
        convert::saturate(self.clock.start(packet.flow) / UNITS_PER_RANK)
    }

    fn virtual_time(&mut self, now: Time) -> u64 {
        self.clock.advance(now);
        convert::saturate(self.clock.virtual_time() / UNITS_PER_RANK)
    }

    fn skip_to(&mut self, eligible: u64) {
        self.clock.skip_to(u128::from(eligible) * UNITS_PER_RANK);
    }
}
