//! Controls of the registry, and acknowledgements for them.

use forebay_core::{Duration, Params, Time, registry};
use forebay_sim::net::congestion::{Acked, CONTROLS, CongestionControl, Limits};

/// The control called `name` with `params`, as texts.
pub(crate) fn control(name: &str, params: &[(&str, &str)], limits: &Limits) -> Box<dyn CongestionControl> {
    let entry = registry::find("congestion control", CONTROLS, name).expect("registered");
    let params = Params::of_texts(entry.about.params, params.iter().copied()).expect("its parameters");
    (entry.make.control)(&params, limits).expect("values that it takes")
}

/// A flow as a control sees it: its window is always used up, and each acknowledgement is of one segment.
pub(crate) struct Busy {
    pub(crate) control: Box<dyn CongestionControl>,
    pub(crate) limits: Limits,
    pub(crate) now: Time,
    pub(crate) acknowledged: u64,
}

impl Busy {
    pub(crate) fn new(name: &str, params: &[(&str, &str)], limits: Limits) -> Self {
        Self { control: control(name, params, &limits), limits, now: Time::ZERO, acknowledged: 0 }
    }

    /// The acknowledgement of `bytes` bytes more, with nothing unusual about it.
    pub(crate) fn acked(&mut self, bytes: u64, rtt: Duration) -> Acked {
        self.acknowledged += bytes;
        Acked {
            bytes,
            marked_bytes: 0,
            acknowledged: self.acknowledged,
            sent: self.acknowledged + self.control.window_bytes(),
            in_flight: self.control.window_bytes(),
            rtt: Some(rtt),
            recovering: false,
            app_limited: false,
        }
    }

    /// One round trip of acknowledgements, evenly spread over it.
    pub(crate) fn round(&mut self, rtt: Duration) {
        let segments = self.control.window_bytes() / self.limits.segment_bytes;
        let start = self.now;
        for number in 1..=segments {
            self.now = start + Duration::from_ps(rtt.as_ps() * number / segments);
            let acked = self.acked(self.limits.segment_bytes, rtt);
            self.control.on_ack(self.now, &acked);
        }
    }
}
