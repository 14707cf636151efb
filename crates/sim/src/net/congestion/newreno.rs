//! NewReno: the congestion control of the textbooks (RFC 5681, section 3.1; RFC 6582).
//!
//! The window doubles in each round trip up to a threshold, and grows by one segment beyond. A loss, or with `ecn` a mark, halves it.
//! `tcp/window.rs` implements the window; this file has the parameters.
//!
//! The window grows even if the application limits the flow. Published simulators do the same, so results can be compared with theirs.

use super::{Acked, Build, Congestion, CongestionControl, ControlEntry, Ecn, Limits, Make};
use crate::net::tcp::{PARAMS, Window, with_common};
use forebay_core::{About, Exactness, ParamError, ParamSpec, Params, Time};

const ALL_PARAMS: [ParamSpec; PARAMS.len() + 1] = with_common([ParamSpec::boolean(
    "ecn",
    false,
    "whether packets are ECN-capable and marks count as losses (RFC 3168)",
)]);

/// The registry's entry for [`NewReno`].
pub const ENTRY: ControlEntry = ControlEntry {
    about: About {
        name: "newreno",
        title: "TCP that treats losses as congestion and repairs several losses in one window",
        exactness: Exactness::NotApplicable,
        hardware: "none",
        cost: "O(1) per segment; 16 bytes per gap at the receiver",
        source: "RFC 5681, RFC 6582, RFC 6298, RFC 3042, RFC 3168",
        params: &ALL_PARAMS,
    },
    make: Make::of::<NewReno>(),
};

/// A control that halves its window on a loss.
#[derive(Debug, Clone, Copy)]
pub struct NewReno {
    window: Window,
    ecn: Ecn,
}

impl Build for NewReno {
    fn build(params: &Params, limits: &Limits) -> Result<Self, ParamError> {
        let ecn = if params.boolean("ecn") { Ecn::Classic } else { Ecn::Off };
        Ok(Self { window: Window::within(limits), ecn })
    }
}

impl CongestionControl for NewReno {
    #[inline]
    fn on_ack(&mut self, _: Time, acked: &Acked) {
        if !acked.recovering && acked.marked_bytes == 0 {
            self.window.grow(acked.bytes);
        }
    }

    fn on_congestion(&mut self, _: Time, congestion: Congestion, in_flight: u64) {
        match congestion {
            Congestion::Loss => self.window.halve(in_flight),
            Congestion::Mark => self.window.reduce_to(self.window.bytes() / 2),
        }
    }

    fn on_recovered(&mut self, _: Time, in_flight: u64) {
        self.window.recovered(in_flight);
    }

    fn on_timeout(&mut self, _: Time, in_flight: Option<u64>) {
        self.window.time_out(in_flight);
    }

    fn on_idle(&mut self, _: Time) {
        self.window.restart();
    }

    #[inline]
    fn window_bytes(&self) -> u64 {
        self.window.bytes()
    }

    #[inline]
    fn ecn(&self) -> Ecn {
        self.ecn
    }
}
