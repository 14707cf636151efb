//! Flows of TCP in slow start: Pareto sizes, windows that double each round trip.

use super::arrivals::Arrivals;
use super::common::{SKEW, params};
use super::slow_start::{FlowSizes, Windows};
use super::{Common, Generator, GeneratorEntry, Popularity, about};
use forebay_core::params::ParamKind;
use forebay_core::{About, Clock, ParamError, ParamSpec, Params, Rng};
use rand::RngExt as _;
use rand_distr::{Distribution as _, Exp1};
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// The registry's entry.
pub const ENTRY: GeneratorEntry = GeneratorEntry {
    about: About {
        cost: "O(log n) per request, where n flows run at the same time; 72 bytes per running flow",
        ..about(
            "tcp-trains",
            "Flows in slow start: Pareto sizes, a window of requests each round trip, which doubles each time",
            "RFC 5681; Crovella and Bestavros, IEEE/ACM ToN 1997; thesis, section 2.4.2",
            params![
                SKEW,
                ParamSpec {
                    name: "shape",
                    kind: ParamKind::Number { min: 0.1, max: 10.0, default: 1.1 },
                    meaning: "shape of the Pareto distribution of flow sizes; the smaller, the more requests are in long flows",
                },
                ParamSpec {
                    name: "longest",
                    kind: ParamKind::Integer { min: 1, max: 10_000_000, default: Some(100_000) },
                    meaning: "requests of the longest flow; the shortest has 1",
                },
                ParamSpec {
                    name: "rtt",
                    kind: ParamKind::Number { min: 0.0, max: 1e7, default: 10_000.0 },
                    meaning: "mean round-trip time, in mean times between two requests of the trace",
                },
                ParamSpec::choice(
                    "rtts",
                    &["exponential", "constant"],
                    "exponential",
                    "how round-trip times of flows are distributed"
                ),
                ParamSpec {
                    name: "initial",
                    kind: ParamKind::Integer { min: 1, max: 1_000_000, default: Some(1) },
                    meaning: "initial window, in requests",
                },
                ParamSpec {
                    name: "window",
                    kind: ParamKind::Integer { min: 1, max: 1_000_000, default: Some(44) },
                    meaning: "largest window, in requests (44: 64 KiB in segments of 1,460 bytes)",
                },
                ParamSpec {
                    name: "gap",
                    kind: ParamKind::Number { min: 0.0, max: 1e7, default: 10.0 },
                    meaning: "time from a request of a window to its next, in mean times between two requests of the trace; \
                              shorter where a window would not fit into a round trip",
                }
            ],
        )
    },
    also_known_as: &["slow-start"],
    open: |common, params| {
        let trains = TcpTrains::new(common, params)?;
        Ok((Box::new(trains), common.objects))
    },
};

/// A flow: the time of its next request, and its state. Flows are ordered by this time.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Flow {
    next: u64,
    /// Orders flows whose requests arrive at the same time.
    number: u64,
    object: u64,
    /// Requests that are left, the next one included.
    left: u64,
    rtt: u64,
    /// The round trip of the next request, from 0.
    round: u64,
    /// The time at which this round trip began; negative if it began before the trace.
    began: i64,
    /// The place of the next request in the window of this round trip.
    place: u64,
}

struct TcpTrains {
    begins: Arrivals,
    next_begin: u64,
    clock: Clock,
    /// The first slot without a request, if time is in slots.
    free: u64,
    popularity: Popularity,
    sizes: FlowSizes,
    windows: Windows,
    /// The gap in ticks, as `rtt`.
    gap: f64,
    rtt: f64,
    exponential: bool,
    running: BinaryHeap<Reverse<Flow>>,
    begun: u64,
    rng: Rng,
}

impl TcpTrains {
    fn new(common: &Common, params: &Params) -> Result<Self, ParamError> {
        let whole = |name| params.integer(name).unwrap_or(1);
        let sizes = FlowSizes::new(params.number("shape"), whole("longest"));
        let windows = Windows { initial: whole("initial"), largest: whole("window") };
        let mut begins = common.arrivals(sizes.mean());
        let mut trains = Self {
            next_begin: begins.next_time(),
            begins,
            clock: common.clock,
            free: 0,
            popularity: Popularity::new(common.objects, params.number("skew"))?,
            gap: params.number("gap") * common.mean_gap(),
            rtt: params.number("rtt") * common.mean_gap(),
            exponential: params.text("rtts") == "exponential",
            running: BinaryHeap::new(),
            begun: 0,
            rng: common.rng("trains"),
            sizes,
            windows,
        };
        trains.begin_before_the_trace(params.number("rtt") / trains.sizes.mean());
        Ok(trains)
    }

    /// Begins the flows that run when the trace begins, so that it starts in equilibrium.
    ///
    /// Adds flows that began before the trace. On average, `begun_per_rtt` flows begin in a round trip. Flows that began `round` round
    /// trips ago are still active if they are longer than all windows until then.
    fn begin_before_the_trace(&mut self, begun_per_rtt: f64) {
        // The flows are a Poisson process over the rounds in which they are: exponential steps.
        let (mut expected, mut next): (f64, f64) = (0.0, Exp1.sample(&mut self.rng));
        let (mut round, mut sent) = (0, 0);
        while sent < self.sizes.longest {
            expected += begun_per_rtt * self.sizes.share_of_at_least(sent + 1);
            while next < expected {
                self.join(round, sent);
                let step: f64 = Exp1.sample(&mut self.rng);
                next += step;
            }
            sent += self.windows.of(round);
            round += 1;
        }
    }

    /// Adds a flow that is within this round trip at time 0, and has sent `sent` requests before it.
    #[expect(clippy::cast_possible_truncation, reason = "float casts saturate")]
    fn join(&mut self, round: u64, sent: u64) {
        // A time meets long round trips more often than short ones: in proportion to their length.
        let factor: f64 =
            if self.exponential { [(); 2].map(|()| -> f64 { Exp1.sample(&mut self.rng) }).iter().sum() } else { 1.0 };
        let left = self.sizes.draw_at_least(sent + 1, &mut self.rng) - sent;
        let rtt = ticks(self.rtt * factor);
        let began = -((rtt as f64 * self.rng.random::<f64>()) as i64);
        let object = self.popularity.draw(&mut self.rng);
        let mut flow = Some(Flow { next: 0, number: self.begun, object, left, rtt, round, began, place: 0 });
        while let Some(past) = flow.take_if(|flow| self.time_of(flow) < 0) {
            flow = self.after(past);
        }
        self.run(flow);
    }

    /// A flow that begins in the trace.
    #[expect(clippy::cast_possible_wrap, reason = "times are far below 2^63")]
    fn begin(&mut self) {
        let object = self.popularity.draw(&mut self.rng);
        let left = self.sizes.draw_at_least(1, &mut self.rng);
        let factor: f64 = if self.exponential { Exp1.sample(&mut self.rng) } else { 1.0 };
        let (rtt, began) = (ticks(self.rtt * factor), self.next_begin as i64);
        self.run(Some(Flow { next: 0, number: self.begun, object, left, rtt, round: 0, began, place: 0 }));
        self.next_begin = self.begins.next_time();
    }

    /// The time of the next request of this flow.
    #[expect(clippy::cast_possible_truncation, reason = "float casts saturate")]
    fn time_of(&self, flow: &Flow) -> i64 {
        let gap = self.gap.min(flow.rtt as f64 / self.windows.of(flow.round) as f64);
        flow.began.saturating_add((flow.place as f64 * gap) as i64)
    }

    /// The flow after its next request, if that is not its last.
    fn after(&self, mut flow: Flow) -> Option<Flow> {
        flow.left -= 1;
        flow.place += 1;
        if flow.place == self.windows.of(flow.round) {
            flow.began = flow.began.saturating_add_unsigned(flow.rtt);
            flow.round += 1;
            flow.place = 0;
        }
        (flow.left > 0).then_some(flow)
    }

    fn run(&mut self, flow: Option<Flow>) {
        self.begun += 1;
        self.wait(flow);
    }

    fn wait(&mut self, flow: Option<Flow>) {
        if let Some(mut flow) = flow {
            flow.next = u64::try_from(self.time_of(&flow)).unwrap_or(0);
            self.running.push(Reverse(flow));
        }
    }
}

/// A time in whole ticks.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "float casts saturate")]
fn ticks(time: f64) -> u64 {
    time.round() as u64
}

impl Generator for TcpTrains {
    fn next_request(&mut self) -> (u64, u64) {
        loop {
            match self.running.peek() {
                Some(Reverse(flow)) if flow.next <= self.next_begin => {}
                _ => {
                    self.begin();
                    continue;
                }
            }
            let Some(Reverse(flow)) = self.running.pop() else { continue };
            // In slots, requests that come together have one slot after the other.
            let at = if self.clock == Clock::Slots { flow.next.max(self.free) } else { flow.next };
            self.free = at.saturating_add(1);
            let object = flow.object;
            let after = self.after(flow);
            self.wait(after);
            return (at, object);
        }
    }
}
