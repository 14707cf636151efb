//! CUBIC: the window is a cubic function of the time since the last reduction (RFC 9438).
//!
//! With `t` in seconds and windows in segments, `W_cubic(t) = C (t - K)^3 + W_max` (figure 1). `W_max` is the window before the reduction,
//! and `K` the time until the curve reaches `W_max` again (figure 2). The window grows quickly at first, slowly near `W_max`, and quickly
//! again beyond. Where Reno would have a larger window, CUBIC uses `W_est`, an estimate of Reno's window (section 4.3). This is the case
//! with the short round trips of data centres. A loss or a mark multiplies the window by `beta` (section 4.6). A flow whose `W_max` falls
//! leaves room for new flows (fast convergence, section 4.7).
//!
//! Growth counts acknowledged segments, not acknowledgements, so delayed acknowledgements do not slow it down. Slow start follows RFC 5681.
//! Left out: the detection of needless reductions (section 4.9) and HyStart++ (section 4.10).

use super::{Acked, Build, Congestion, CongestionControl, ControlEntry, Ecn, Limits, Make};
use crate::net::tcp::{PARAMS, with_common};
use forebay_core::params::{ParamKind, ParamSpec};
use forebay_core::{About, Duration, Exactness, ParamError, Params, Rate, Time, real};

const ALL_PARAMS: [ParamSpec; PARAMS.len() + 5] = with_common([
    ParamSpec {
        name: "beta",
        kind: ParamKind::Number { min: 0.1, max: 0.99, default: 0.7 },
        meaning: "share of the window that remains after a loss",
    },
    ParamSpec {
        name: "c",
        kind: ParamKind::Number { min: 1e-3, max: 1e12, default: 0.4 },
        meaning: "steepness of the curve, in segments per cubic second",
    },
    ParamSpec::boolean("fast_convergence", true, "whether a flow whose window falls leaves room for new flows"),
    ParamSpec::boolean("ecn", false, "whether packets are ECN-capable and marks count as losses (RFC 3168)"),
    ParamSpec::boolean("pacing", false, "whether data is paced: 1.25 windows in a round trip, 2 in slow start"),
]);

/// The registry's entry for [`Cubic`].
pub const ENTRY: ControlEntry = ControlEntry {
    about: About {
        name: "cubic",
        title: "TCP whose window is a cubic function of the time since the last loss",
        exactness: Exactness::NotApplicable,
        hardware: "none",
        cost: "O(1) per segment; 16 bytes per gap at the receiver",
        source: "RFC 9438; Ha, Rhee, Xu, SIGOPS OSR 2008",
        params: &ALL_PARAMS,
    },
    make: Make::of::<Cubic>(),
};

/// Windows in a round trip at which data leaves: in slow start, and later (RFC 9002, section 7.7).
const PACED_WINDOWS: [f64; 2] = [2.0, 1.25];

/// A control whose window grows along the cubic curve. All windows are in segments.
#[derive(Debug, Clone, Copy)]
pub struct Cubic {
    segment_bytes: f64,
    initial: f64,
    max_window_bytes: u64,
    beta: f64,
    c: f64,
    is_fast: bool,
    ecn: Ecn,
    is_paced: bool,
    window: f64,
    threshold: f64,
    /// The window before the last reduction, or less with fast convergence; 0: none yet.
    w_max: f64,
    /// The window when the threshold was last set (`cwnd_prior`).
    prior: f64,
    /// The stage of congestion avoidance, once an acknowledgement has begun it.
    epoch: Option<Epoch>,
    last_ack: Time,
    smoothed_rtt: Option<Duration>,
}

/// A stage of congestion avoidance.
#[derive(Debug, Clone, Copy)]
struct Epoch {
    start: Time,
    /// The curve's middle, and when it is there, in seconds from the start.
    w_max: f64,
    k: f64,
    /// The estimate of Reno's window.
    w_est: f64,
}

impl Build for Cubic {
    fn build(params: &Params, limits: &Limits) -> Result<Self, ParamError> {
        let segment_bytes = limits.segment_bytes as f64;
        let initial = limits.initial_window_bytes.clamp(limits.segment_bytes, limits.max_window_bytes) as f64;
        Ok(Self {
            segment_bytes,
            initial: initial / segment_bytes,
            max_window_bytes: limits.max_window_bytes,
            beta: params.number("beta"),
            c: params.number("c"),
            is_fast: params.boolean("fast_convergence"),
            ecn: if params.boolean("ecn") { Ecn::Classic } else { Ecn::Off },
            is_paced: params.boolean("pacing"),
            window: initial / segment_bytes,
            threshold: limits.initial_threshold_bytes as f64 / segment_bytes,
            w_max: 0.0,
            prior: 0.0,
            epoch: None,
            last_ack: Time::ZERO,
            smoothed_rtt: None,
        })
    }
}

impl Cubic {
    /// A stage begins with the first acknowledgement after slow start or a repair.
    fn begin(&self, now: Time) -> Epoch {
        // Section 4.8 and 4.10: behind a timeout or a slow start the curve begins at its middle.
        let (w_max, k) = if self.window < self.w_max {
            (self.w_max, real::pow((self.w_max - self.window) / self.c, 1.0 / 3.0))
        } else {
            (self.window, 0.0)
        };
        Epoch { start: now, w_max, k, w_est: self.window }
    }

    /// Grows the window for `segments` acknowledged segments (sections 4.2 to 4.5).
    fn avoid(&mut self, now: Time, segments: f64) {
        let mut epoch = self.epoch.unwrap_or_else(|| self.begin(now));
        let alpha = if epoch.w_est < self.prior { 3.0 * (1.0 - self.beta) / (1.0 + self.beta) } else { 1.0 };
        epoch.w_est += alpha * segments / self.window;
        let t = now.since(epoch.start).as_secs_f64();
        let curve = |t: f64| self.c * (t - epoch.k) * (t - epoch.k) * (t - epoch.k) + epoch.w_max;
        if curve(t) < epoch.w_est {
            self.window = self.window.max(epoch.w_est);
        } else {
            let rtt = self.smoothed_rtt.map_or(0.0, Duration::as_secs_f64);
            let target = curve(t + rtt).clamp(self.window, 1.5 * self.window);
            self.window += (target - self.window) / self.window * segments;
        }
        self.epoch = Some(epoch);
    }

    /// Remembers the window, and sets the threshold by the bytes in flight (sections 4.6 and 4.7). Returns the share of the window that is
    /// left.
    fn congested(&mut self, in_flight: u64) -> f64 {
        let falls = self.is_fast && self.window < self.w_max;
        self.w_max = if falls { self.window * (1.0 + self.beta) / 2.0 } else { self.window };
        self.prior = self.window;
        let in_flight = (in_flight as f64 / self.segment_bytes).min(self.window);
        let left = in_flight * self.beta;
        self.threshold = left.max(2.0);
        self.epoch = None;
        left
    }

    fn bound(&mut self) {
        self.window = self.window.clamp(1.0, (self.max_window_bytes as f64 / self.segment_bytes).max(1.0));
    }
}

impl CongestionControl for Cubic {
    fn on_ack(&mut self, now: Time, acked: &Acked) {
        if let Some(rtt) = acked.rtt {
            let eighth = |duration: Duration| Duration::from_ps(duration.as_ps() / 8);
            self.smoothed_rtt =
                Some(self.smoothed_rtt.map_or(rtt, |smoothed| smoothed - eighth(smoothed) + eighth(rtt)));
        }
        let passed = now.since(std::mem::replace(&mut self.last_ack, now));
        if acked.app_limited {
            // Section 5.8: time in which the window limits nothing does not count.
            if let Some(epoch) = &mut self.epoch {
                epoch.start = (epoch.start + passed).min(now);
            }
            return;
        }
        if acked.recovering || acked.marked_bytes > 0 {
            return;
        }
        let segments = acked.bytes as f64 / self.segment_bytes;
        if self.window < self.threshold {
            self.window += segments.min(1.0);
        } else {
            self.avoid(now, segments);
        }
        self.bound();
    }

    fn on_congestion(&mut self, _: Time, congestion: Congestion, in_flight: u64) {
        let left = self.congested(in_flight);
        // Section 4.6: two segments remain after a loss, one after a mark.
        self.window = match congestion {
            Congestion::Loss => self.threshold,
            Congestion::Mark => left,
        };
        self.bound();
    }

    fn on_recovered(&mut self, _: Time, in_flight: u64) {
        let in_flight = in_flight as f64 / self.segment_bytes;
        self.window = self.threshold.min(in_flight.max(1.0) + 1.0);
        self.bound();
    }

    fn on_timeout(&mut self, _: Time, in_flight: Option<u64>) {
        if let Some(in_flight) = in_flight {
            self.congested(in_flight);
        }
        // Section 4.8: the next stage begins at the middle of its curve.
        self.w_max = 0.0;
        self.window = 1.0;
        self.epoch = None;
    }

    fn on_idle(&mut self, _: Time) {
        self.window = self.window.min(self.initial);
        self.epoch = None;
    }

    #[expect(clippy::cast_possible_truncation, reason = "float casts saturate")]
    fn window_bytes(&self) -> u64 {
        // Sums of fractions may miss a whole number of bytes by less than this.
        ((self.window * self.segment_bytes + 1e-6) as u64).clamp(self.segment_bytes as u64, self.max_window_bytes)
    }

    #[expect(clippy::cast_possible_truncation, reason = "float casts saturate")]
    fn pacing_rate(&self) -> Option<Rate> {
        let rtt = self.smoothed_rtt.filter(|rtt| self.is_paced && *rtt > Duration::ZERO)?;
        let windows = PACED_WINDOWS[usize::from(self.window >= self.threshold)];
        let bits = self.window * self.segment_bytes * 8.0 * windows;
        Rate::from_bits_per_second((bits / rtt.as_secs_f64()) as u64)
    }

    fn ecn(&self) -> Ecn {
        self.ecn
    }
}
