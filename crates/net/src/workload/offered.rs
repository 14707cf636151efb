//! What a workload asked the network to carry.

use crate::flow::FlowSpec;
use forebay_core::Duration;

/// Counts flows as they are handed out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Offered {
    /// Flows, those without end included.
    pub flows: u64,
    /// Flows without end, whose bytes do not count.
    pub endless: u64,
    /// Bytes of the applications, without headers.
    pub bytes: u128,
}

impl Offered {
    /// Counts a flow.
    pub fn add(&mut self, flow: &FlowSpec) {
        self.flows += 1;
        if flow.bytes == FlowSpec::ENDLESS {
            self.endless += 1;
        } else {
            self.bytes += u128::from(flow.bytes);
        }
    }

    /// The bytes as a share of what `capacity_bps` carries in `window`; `None` if that is nothing.
    #[must_use]
    pub fn load(&self, capacity_bps: f64, window: Duration) -> Option<f64> {
        let bits = capacity_bps * window.as_secs_f64();
        (bits > 0.0).then(|| self.bytes as f64 * 8.0 / bits)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::flow::HostId;
    use forebay_core::Time;

    #[test]
    fn bytes_are_counted_and_flows_without_end_are_not() {
        let mut offered = Offered::default();
        for bytes in [1_000, 1_500, FlowSpec::ENDLESS] {
            offered.add(&FlowSpec { start: Time::ZERO, src: HostId(0), dst: HostId(1), bytes, workload: 0 });
        }
        assert_eq!(offered, Offered { flows: 3, endless: 1, bytes: 2_500 });
        assert_eq!(offered.load(1e6, Duration::from_ms(40)), Some(0.5));
        assert_eq!(offered.load(1e6, Duration::ZERO), None);
    }
}
