//! Packet trains: an object is requested several times in a row, as a flow sends packets.

use super::arrivals::{Arrivals, Geometric};
use super::common::{SKEW, params};
use super::{Generator, GeneratorEntry, Popularity, about};
use forebay_core::params::ParamKind;
use forebay_core::{Clock, ParamSpec, Rng};
use rand_distr::{Distribution as _, Exp1};
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// The registry's entry.
pub const ENTRY: GeneratorEntry = GeneratorEntry {
    about: about(
        "trains",
        "Packet trains: bursts of requests for an object, begun at random, with many active at the same time, like flows that send packets",
        "Jain and Routhier, JSAC 1986; thesis, section 2.6.1",
        params![
            SKEW,
            ParamSpec {
                name: "length",
                kind: ParamKind::Number { min: 1.0, max: 1e9, default: 10.0 },
                meaning: "mean number of requests of a train (geometric)",
            },
            ParamSpec {
                name: "gap",
                kind: ParamKind::Number { min: 0.0, max: 1e9, default: 50.0 },
                meaning: "mean time from a request of a train to its next, in mean times between two requests of the \
                          trace; about so many trains overlap",
            },
            ParamSpec::choice("gaps", &["exponential", "constant"], "exponential", "how these times are distributed")
        ],
    ),
    also_known_as: &["packet-trains"],
    open: |common, params| {
        let exponential = params.text("gaps") == "exponential";
        let length = params.number("length");
        let mut begins = common.arrivals(length);
        let trains = Trains {
            next_begin: begins.next_time(),
            begins,
            clock: common.clock,
            free: 0,
            popularity: Popularity::new(common.objects, params.number("skew"))?,
            length: Geometric::new(length),
            gap: params.number("gap") * common.mean_gap(),
            exponential,
            running: BinaryHeap::new(),
            begun: 0,
            rng: common.rng("trains"),
        };
        Ok((Box::new(trains), common.objects))
    },
};

/// Trains that run, and when the next begins.
struct Trains {
    begins: Arrivals,
    next_begin: u64,
    clock: Clock,
    /// The first slot without a request, if time is in slots.
    free: u64,
    popularity: Popularity,
    length: Geometric,
    /// The gap in ticks.
    gap: f64,
    exponential: bool,
    /// The active trains: the time of the next request, the train's number, its object, and its number of remaining requests.
    running: BinaryHeap<Reverse<(u64, u64, u64, u64)>>,
    begun: u64,
    rng: Rng,
}

impl Trains {
    fn begin(&mut self) {
        let object = self.popularity.draw(&mut self.rng);
        let requests = self.length.draw(&mut self.rng);
        self.running.push(Reverse((self.next_begin, self.begun, object, requests)));
        self.begun += 1;
        self.next_begin = self.begins.next_time();
    }

    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "float casts saturate")]
    fn gap(&mut self) -> u64 {
        let factor = if self.exponential { Exp1.sample(&mut self.rng) } else { 1.0 };
        (self.gap * factor).round() as u64
    }
}

impl Generator for Trains {
    fn next_request(&mut self) -> (u64, u64) {
        loop {
            match self.running.peek() {
                Some(&Reverse((time, train, object, left))) if time <= self.next_begin => {
                    self.running.pop();
                    if left > 1 {
                        let next = time.saturating_add(self.gap());
                        self.running.push(Reverse((next, train, object, left - 1)));
                    }
                    // In slots, requests that come together have one slot after the other.
                    let at = if self.clock == Clock::Slots { time.max(self.free) } else { time };
                    self.free = at.saturating_add(1);
                    return (at, object);
                }
                _ => self.begin(),
            }
        }
    }
}
