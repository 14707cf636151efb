//! Data Center TCP: marks tell how congested the path is, and the window gives way by as much.
//!
//! Switches mark packets that find more than a few waiting. The receiver repeats each mark, the sender keeps an average of
//! the share of bytes that were marked, `alpha`, and reduces its window once in a round trip with marks to
//! `1 - alpha / 2` of it; so a few marks cost little, and queues stay short. Losses count as in NewReno, whose machine
//! this is (`crates/sim/src/net/tcp.rs`).
//!
//! The window is reduced at the first echo and not at the end of the observed window of data, as in RFC 3168, whose timing
//! RFC 8257 keeps. All data can be marked, also what is sent again, since a switch that marks drops what it may not
//! mark.

use crate::net::endpoint::{Endpoint, FlowContext, Transport, TransportEntry};
use crate::net::segment::Flags;
use crate::net::tcp::{Echo, Options, PARAMS, Reaction, Receiver, Sender, with_common};
use forebay_core::params::{ParamKind, ParamSpec};
use forebay_core::{About, Exactness};
use std::sync::Arc;

const ALL_PARAMS: [ParamSpec; PARAMS.len() + 2] = with_common([
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
]);

/// The registry's entry for [`Dctcp`].
pub const ENTRY: TransportEntry = TransportEntry {
    about: About {
        name: "dctcp",
        title: "TCP that reduces its window by the share of marked bytes",
        exactness: Exactness::NotApplicable,
        hardware: "switches that mark (ECN)",
        cost: "O(1) per segment; 16 bytes per gap at the receiver",
        source: "RFC 8257; Alizadeh et al., SIGCOMM'10",
        params: &ALL_PARAMS,
    },
    build: |params| {
        let (gain, initial_alpha) = (params.number("gain"), params.number("initial_alpha"));
        Ok(Box::new(Dctcp { options: Arc::new(Options::read(params)?), gain, initial_alpha }))
    },
};

/// Opens DCTCP connections.
#[derive(Debug, Clone)]
pub struct Dctcp {
    options: Arc<Options>,
    gain: f64,
    initial_alpha: f64,
}

impl Transport for Dctcp {
    fn open(&self, context: &FlowContext) -> (Box<dyn Endpoint>, Box<dyn Endpoint>) {
        let (options, bytes) = (&self.options, context.flow.bytes);
        let share = MarkedShare::new(self.gain, self.initial_alpha);
        let receiver = Receiver::new(options, Exact::default(), bytes);
        (Box::new(Sender::new(options, share, bytes)), Box::new(receiver))
    }

    fn full_segment_bytes(&self) -> (u32, u32) {
        self.options.segment_bytes()
    }
}

/// The sender's average of the share of marked bytes: RFC 8257, section 3.3.
#[derive(Debug, Clone, Copy)]
struct MarkedShare {
    gain: f64,
    alpha: f64,
    /// Acknowledged and echoed in the window of data that is being observed.
    acknowledged: u64,
    marked: u64,
    /// Where that window ends.
    end: u64,
}

impl MarkedShare {
    fn new(gain: f64, alpha: f64) -> Self {
        Self { gain, alpha, acknowledged: 0, marked: 0, end: 0 }
    }
}

impl Reaction for MarkedShare {
    fn capable(&self, _: bool) -> bool {
        true
    }

    #[inline]
    fn acknowledged(&mut self, bytes: u64, echo: bool, acknowledged: u64, sent: u64) {
        self.acknowledged += bytes;
        self.marked += if echo { bytes } else { 0 };
        if acknowledged > self.end {
            let share = self.marked as f64 / self.acknowledged as f64;
            self.alpha = (1.0 - self.gain) * self.alpha + self.gain * share;
            *self = Self { acknowledged: 0, marked: 0, end: sent, ..*self };
        }
    }

    #[expect(clippy::cast_possible_truncation, reason = "not more than the window")]
    fn reduced(&self, window: u64) -> u64 {
        (window as f64 * (1.0 - self.alpha / 2.0)) as u64
    }
}

/// The receiver's echo: RFC 8257, section 3.2. An acknowledgement tells of data that was all marked or all not; where that
/// changes, what is held back is acknowledged first.
#[derive(Debug, Clone, Copy, Default)]
struct Exact {
    marked: bool,
}

impl Echo for Exact {
    fn separates(&self, flags: Flags) -> bool {
        self.marked != flags.has(Flags::CONGESTED)
    }

    fn arrived(&mut self, flags: Flags) {
        self.marked = flags.has(Flags::CONGESTED);
    }

    fn echoes(&self) -> bool {
        self.marked
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn alpha_is_the_average_of_the_formula() {
        let mut share = MarkedShare::new(0.0625, 1.0);
        // The first acknowledgement ends a window; then one ends behind byte 10, another behind 20.
        share.acknowledged(1, false, 1, 10);
        assert_eq!(share.alpha, 0.9375);
        assert_eq!(share.reduced(10_000), 5_312);
        share.acknowledged(4, true, 5, 14);
        share.acknowledged(5, false, 10, 20);
        assert_eq!(share.alpha, 0.9375, "not yet");
        share.acknowledged(1, false, 11, 20);
        assert_eq!(share.alpha, 0.9375 * 0.9375 + 0.0625 * 0.4);
        assert_eq!((share.acknowledged, share.marked, share.end), (0, 0, 20));
    }

    #[test]
    fn alpha_converges_to_the_share_that_is_marked() {
        let mut share = MarkedShare::new(0.0625, 1.0);
        for byte in 0..100_000 {
            share.acknowledged(1, byte % 5 == 0, byte + 1, byte + 100);
        }
        assert!((share.alpha - 0.2).abs() < 0.002, "{}", share.alpha);
        assert!(share.reduced(100_000).abs_diff(90_000) < 200);
    }
}
