//! The estimate of an object's aggregate delay from its past (thesis, algorithm 1).

use super::options::{MadDefaults, MadOptions, WindowLatency};
use crate::access::{Access, Fetched};

/// The counters of one object, as if all its requests had been misses.
///
/// 40 bytes, since most of what a cache is asked for is in no cache.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Delays {
    requests: u32,
    /// Windows, and their delay in ticks; the latest window is among them.
    windows: u32,
    cumulative: u64,
    /// When the latest window began, and its delay.
    start: u64,
    latest: u64,
    /// How long its fetches take, in ticks: as given, or the mean of what was measured;
    /// 0 if nothing was measured yet.
    latency: f64,
}

/// How delays are counted.
#[derive(Debug, Clone, Copy)]
pub(super) struct Counting {
    defaults: MadDefaults,
    /// `None`: the model says how long fetches take.
    measured: Option<Mean>,
    /// Whether the end of a fetch corrects the delay of its window.
    corrects: bool,
    /// Whether each object has its own latency, where they are measured.
    is_by_object: bool,
}

/// The mean latency of all fetches.
#[derive(Debug, Clone, Copy, Default)]
struct Mean {
    sum: f64,
    count: f64,
}

/// The weight of the latest fetch in the moving mean of an object's latency; as for
/// round-trip times in RFC 6298.
const GAIN: f64 = 0.125;

/// With shorter fetches every object is proven, in ticks.
const SHORT: f64 = 100.0;

/// An aggregate delay that is none, but leaves an order among several.
const NO_DELAY: f64 = 1e-30;

impl Counting {
    pub(super) fn new(options: &MadOptions) -> Self {
        let latency = options.latency;
        let measured = matches!(latency, WindowLatency::Measured | WindowLatency::Mean).then(Mean::default);
        let is_by_object = latency != WindowLatency::Mean;
        Self { defaults: options.counting, measured, corrects: latency == WindowLatency::Corrected, is_by_object }
    }

    /// A request: it opens a window of one latency, or waits for the rest of the open one.
    #[inline]
    pub(super) fn request(&self, of: &mut Delays, access: &Access) {
        let latency = if self.measured.is_none() {
            of.latency = access.latency as f64;
            access.latency
        } else {
            ticks(self.latency(of))
        };
        of.requests = of.requests.saturating_add(1);
        let since = access.time.saturating_sub(of.start);
        let delay = if of.windows == 0 || since >= latency {
            of.windows = of.windows.saturating_add(1);
            of.start = access.time;
            of.latest = 0;
            latency
        } else {
            latency - since
        };
        of.latest = of.latest.saturating_add(delay);
        of.cumulative = of.cumulative.saturating_add(delay);
    }

    /// A fetch is complete.
    #[inline]
    pub(super) fn fetched(&mut self, of: &mut Delays, new: &Fetched) {
        if self.corrects {
            of.correct(new);
        }
        let Some(all) = &mut self.measured else { return };
        let latency = new.latency as f64;
        all.sum += latency;
        all.count += 1.0;
        if !self.is_by_object {
            return;
        }
        of.latency = if of.latency == 0.0 { latency } else { of.latency + GAIN * (latency - of.latency) };
    }

    /// The mean aggregate delay per window, in ticks. Without any window it is the latency
    /// of one miss, so that at a latency of 1 all objects are alike.
    #[inline]
    pub(super) fn aggregate_delay(&self, of: &Delays) -> f64 {
        if u64::from(of.requests) < self.defaults.proven && self.latency(of) > SHORT {
            return NO_DELAY;
        }
        let (windows, cumulative) = if self.defaults.open_window {
            (of.windows, of.cumulative)
        } else {
            (of.windows.saturating_sub(1), of.cumulative - of.latest)
        };
        if windows == 0 { self.latency(of) } else { cumulative as f64 / f64::from(windows) }
    }

    /// How long a fetch is expected to take, in ticks: as measured for this object, or for
    /// all, or 1.
    fn latency(&self, of: &Delays) -> f64 {
        match self.measured {
            Some(all) if of.latency == 0.0 && all.count > 0.0 => all.sum / all.count,
            _ => of.latency.max(1.0),
        }
    }
}

impl Delays {
    /// Nothing is known.
    pub(super) const NONE: Self = Self { requests: 0, windows: 0, cumulative: 0, start: 0, latest: 0, latency: 0.0 };

    /// The fetch with which the latest window began is complete. The difference between its duration and the expected
    /// one is added to the wait of each request in the window. If a request has begun another window meanwhile,
    /// since the fetch took longer than expected, nothing changes.
    fn correct(&mut self, new: &Fetched) {
        if self.windows == 0 || self.start.saturating_add(new.latency) != new.time {
            return;
        }
        let expected = ticks(self.latency).saturating_mul(new.waiting);
        let actual = new.latency.saturating_mul(new.waiting);
        self.cumulative = self.cumulative.saturating_sub(self.latest);
        self.latest = self.latest.saturating_add(actual).saturating_sub(expected);
        self.cumulative = self.cumulative.saturating_add(self.latest);
        self.latency = new.latency as f64;
    }
}

#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "float casts saturate")]
fn ticks(number: f64) -> u64 {
    number.round() as u64
}
