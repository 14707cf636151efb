//! PIAS: flows start at the best level and sink as they send, so that short flows
//! go first although nobody knows their size.
//!
//! The rank is the number of thresholds that the flow's bytes accepted at this port have reached.

use crate::flow_state::FlowState;
use crate::traits::{RankEntry, RankFn, RankRange, Serves};
use forebay_core::params::ParamKind;
use forebay_core::{About, Exactness, Packet, ParamError, ParamSpec, Params, Time};

/// Levels are strict-priority queues; no switch has more.
const MAX_THRESHOLDS: usize = 63;

/// The registry's entry for [`Pias`].
pub const ENTRY: RankEntry = RankEntry {
    about: About {
        name: "pias",
        title: "Multi-level feedback (PIAS): rank = number of thresholds that the flow's bytes so far have reached",
        exactness: Exactness::NotApplicable,
        hardware: "one byte counter per flow, here or at the sender",
        cost: "O(log thresholds); 8 bytes per flow that ever began, also elsewhere in the network",
        source: "Bai et al.: Information-agnostic flow scheduling, NSDI'15",
        params: &[ParamSpec::list(
            "thresholds",
            &ParamKind::Bytes { default: None },
            "10 KB, 100 KB, 1 MB, 10 MB",
            "bytes at which a flow sinks to the next level, rising (the default is ours, a level per decade)",
        )],
    },
    also_known_as: &[],
    needs: None,
    serves: Serves::Otherwise,
    range: RankRange::UpTo(MAX_THRESHOLDS as u64),
    build: |_, params| Ok(Box::new(Pias::new(read_thresholds(params)?))),
};

fn read_thresholds(params: &Params) -> Result<Vec<u64>, ParamError> {
    let thresholds = params.integers("thresholds");
    if (1..=MAX_THRESHOLDS).contains(&thresholds.len()) && thresholds.is_sorted_by(|a, b| a < b) {
        return Ok(thresholds);
    }
    let message = format!("`thresholds` must be 1 to {MAX_THRESHOLDS} rising sizes, not {thresholds:?} bytes");
    Err(ParamError::of("thresholds", message))
}

/// A rank function that ranks packets by the bytes that their flow has sent.
#[derive(Debug, Clone)]
pub struct Pias {
    thresholds: Vec<u64>,
    /// Accepted bytes of each flow.
    sent_bytes: FlowState<u64>,
}

impl Pias {
    /// Creates PIAS in which flows sink by a level at each of `thresholds` (bytes, rising).
    #[must_use]
    pub fn new(thresholds: Vec<u64>) -> Self {
        Self { thresholds, sent_bytes: FlowState::default() }
    }
}

impl RankFn for Pias {
    fn rank(&mut self, _: Time, packet: &Packet) -> u64 {
        let sent = self.sent_bytes.get(packet.flow);
        self.thresholds.partition_point(|&threshold| threshold <= sent) as u64
    }

    fn queued(&mut self, packet: &Packet) {
        *self.sent_bytes.get_mut(packet.flow) += u64::from(packet.size_bytes);
    }

    fn evicted(&mut self, packet: &Packet) {
        *self.sent_bytes.get_mut(packet.flow) -= u64::from(packet.size_bytes);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use forebay_core::{FlowId, ParamValue, Rate};
    use std::collections::BTreeMap;

    #[test]
    fn a_flow_sinks_as_it_sends() {
        let mut pias = Pias::new(vec![1_000, 2_500]);
        let packet = Packet { size_bytes: 1_000, flow: FlowId(3), ..Packet::default() };
        let ranks: Vec<u64> = (0..4)
            .map(|_| {
                let rank = pias.rank(Time::ZERO, &packet);
                pias.queued(&packet);
                rank
            })
            .collect();
        assert_eq!(ranks, [0, 1, 1, 2]);
        assert_eq!(pias.rank(Time::ZERO, &Packet { flow: FlowId(9), ..packet }), 0);
    }

    #[test]
    fn thresholds_that_do_not_rise_are_refused() {
        for sizes in [&[][..], &["10"], &["2 KB", "1 KB"], &["x KB"]] {
            let list = ParamValue::List(sizes.iter().map(|text| ParamValue::Text((*text).to_owned())).collect());
            let link = Rate::parse("1 Gbps").unwrap();
            let params = Params::check(ENTRY.about.params, BTreeMap::from([("thresholds".to_owned(), list)]));
            assert!(params.and_then(|params| (ENTRY.build)(Some(link), &params)).is_err(), "{sizes:?}");
        }
    }
}
