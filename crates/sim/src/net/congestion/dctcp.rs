//! Data Center TCP: marks show how congested the path is, and the window shrinks in proportion (RFC 8257, section 3.3).
//!
//! Switches mark packets that find more than a few packets in the queue. The receiver repeats each mark. The control keeps an average of
//! the share of bytes that were marked, `alpha`. In a round trip with marks it multiplies its window once by `1 - alpha / 2`; so a few
//! marks cost little, and queues stay short. Losses are handled as in NewReno, and the window is NewReno's.
//!
//! The window is reduced at the first echo and not at the end of the observed window of data. RFC 3168 does the same, and RFC 8257 keeps
//! its timing. All data can be marked, including retransmitted data, since a marking switch drops packets that must not be marked.
//!
//! With `reduces = "every"` each marked acknowledgement reduces the window, as in a published simulator: a window whose marks arrive
//! together falls by a power of `1 - alpha / 2`.

use super::{Acked, Build, Congestion, CongestionControl, ControlEntry, Ecn, Limits, Make};
use crate::net::tcp::{PARAMS, Window, with_common};
use forebay_core::params::{ParamKind, ParamSpec};
use forebay_core::{About, Exactness, ParamError, Params, Time};

const ALL_PARAMS: [ParamSpec; PARAMS.len() + 3] = with_common([
    ParamSpec {
        name: "gain",
        kind: ParamKind::Number { min: 1e-6, max: 1.0, default: 0.0625 },
        meaning: "weight of the newest window of data in alpha (g)",
    },
    ParamSpec {
        name: "initial_alpha",
        kind: ParamKind::Number { min: 0.0, max: 1.0, default: 1.0 },
        meaning: "share of marked bytes that is assumed at first",
    },
    ParamSpec::choice(
        "reduces",
        &["once", "every"],
        "once",
        "which marked acknowledgements reduce the window: once in a window of data; or every one",
    ),
]);

/// The registry's entry for [`Dctcp`].
pub const ENTRY: ControlEntry = ControlEntry {
    about: About {
        name: "dctcp",
        title: "TCP that reduces its window by the share of marked bytes",
        exactness: Exactness::NotApplicable,
        hardware: "switches that mark (ECN)",
        cost: "O(1) per segment; 16 bytes per gap at the receiver",
        source: "RFC 8257; Alizadeh et al., SIGCOMM'10",
        params: &ALL_PARAMS,
    },
    make: Make::of::<Dctcp>(),
};

/// A control that reduces its window by the share of marked bytes.
#[derive(Debug, Clone, Copy)]
pub struct Dctcp {
    window: Window,
    share: MarkedShare,
    reduces_at_every_mark: bool,
}

impl Build for Dctcp {
    fn build(params: &Params, limits: &Limits) -> Result<Self, ParamError> {
        let share = MarkedShare::new(params.number("gain"), params.number("initial_alpha"));
        let reduces_at_every_mark = params.text("reduces") == "every";
        Ok(Self { window: Window::within(limits), share, reduces_at_every_mark })
    }
}

impl CongestionControl for Dctcp {
    #[inline]
    fn on_ack(&mut self, _: Time, acked: &Acked) {
        self.share.acknowledged(acked.bytes, acked.marked_bytes, acked.acknowledged, acked.sent);
        if !acked.recovering && acked.marked_bytes == 0 {
            self.window.grow(acked.bytes);
        }
    }

    fn on_congestion(&mut self, _: Time, congestion: Congestion, in_flight: u64) {
        match congestion {
            Congestion::Loss => self.window.halve(in_flight),
            Congestion::Mark => self.window.reduce_to(self.share.reduced(self.window.bytes())),
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
        Ecn::Exact
    }

    #[inline]
    fn reduces_at_every_mark(&self) -> bool {
        self.reduces_at_every_mark
    }
}

/// The average of the share of marked bytes.
#[derive(Debug, Clone, Copy)]
struct MarkedShare {
    gain: f64,
    alpha: f64,
    /// Acknowledged and echoed in the window of data that is being observed.
    acknowledged: u64,
    marked: u64,
    /// The end of that window.
    end: u64,
}

impl MarkedShare {
    fn new(gain: f64, alpha: f64) -> Self {
        Self { gain, alpha, acknowledged: 0, marked: 0, end: 0 }
    }

    /// `bytes` more are acknowledged, of which `marked` were marked; that makes all before `acknowledged`. Nothing has been
    /// sent from `sent` on.
    #[inline]
    fn acknowledged(&mut self, bytes: u64, marked: u64, acknowledged: u64, sent: u64) {
        self.acknowledged += bytes;
        self.marked += marked;
        if acknowledged > self.end {
            let share = self.marked as f64 / self.acknowledged as f64;
            self.alpha = (1.0 - self.gain) * self.alpha + self.gain * share;
            *self = Self { acknowledged: 0, marked: 0, end: sent, ..*self };
        }
    }

    /// To how many bytes a window of `window` bytes is reduced.
    #[expect(clippy::cast_possible_truncation, reason = "not more than the window")]
    fn reduced(&self, window: u64) -> u64 {
        (window as f64 * (1.0 - self.alpha / 2.0)) as u64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn alpha_is_the_average_of_the_formula() {
        let mut share = MarkedShare::new(0.0625, 1.0);
        // The first acknowledgement ends a window; then one ends behind byte 10, another behind 20.
        share.acknowledged(1, 0, 1, 10);
        assert_eq!(share.alpha, 0.9375);
        assert_eq!(share.reduced(10_000), 5_312);
        share.acknowledged(4, 4, 5, 14);
        share.acknowledged(5, 0, 10, 20);
        assert_eq!(share.alpha, 0.9375, "not yet");
        share.acknowledged(1, 0, 11, 20);
        assert_eq!(share.alpha, 0.9375 * 0.9375 + 0.0625 * 0.4);
        assert_eq!((share.acknowledged, share.marked, share.end), (0, 0, 20));
    }

    #[test]
    fn alpha_converges_to_the_share_that_is_marked() {
        let mut share = MarkedShare::new(0.0625, 1.0);
        for byte in 0..100_000 {
            share.acknowledged(1, u64::from(byte % 5 == 0), byte + 1, byte + 100);
        }
        assert!((share.alpha - 0.2).abs() < 0.002, "{}", share.alpha);
        assert!(share.reduced(100_000).abs_diff(90_000) < 200);
    }
}
