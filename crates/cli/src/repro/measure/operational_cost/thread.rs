//! The thread is the bottleneck: it takes packets that lie ready in memory, and sends some, as fast as it can.
//!
//! This reads the clock, so that nothing here comes out the same twice. Contenders take turns in short rounds, each of the
//! same packets, and the shortest round of each counts: that is one in which nothing else had the processor.

use super::{Contender, draw, packet};
use crate::error::Result;
use crate::interrupt;
use crate::output::csv;
use crate::output::curves::Curve;
use crate::repro::Measured;
use crate::repro::policy::engine;
use forebay_core::{Packet, Seed, Time};
use forebay_engine::Engine;
use forebay_lang::ir::PortId;
use std::time::{Duration, Instant};

const PORT: PortId = PortId(0);
/// Packets that arrive for so many that leave.
const DEPARTURES: usize = 4;
const ARRIVALS: [usize; 5] = [4, 5, 6, 8, 12];
/// Three for two: what the rows of the experiments are about.
const OVERLOAD: usize = 6;
/// Packets that arrive in a round: some 100 microseconds, a multiple of all of [`ARRIVALS`].
const PACKETS: usize = 2_400;
const ROUNDS: usize = 400;
/// Rounds before the first that is measured; they fill the buffer.
const WARM_UP: usize = 4;

/// One contender under one load.
struct Course<E> {
    arrivals: usize,
    engine: E,
    now: Time,
    times: Vec<Duration>,
    /// Of the last round.
    sent: u64,
    value: u64,
}

impl<E: Engine> Course<E> {
    fn round(&mut self, packets: &[Packet], evicted: &mut Vec<Packet>) {
        let start = Instant::now();
        let (mut sent, mut value) = (0, 0);
        for group in packets.chunks_exact(self.arrivals) {
            for packet in group {
                self.now = Time::from_ps(self.now.as_ps() + 1_000);
                self.engine.enqueue(self.now, Packet { arrival: self.now, ..*packet }, evicted);
                evicted.clear();
            }
            for _ in 0..DEPARTURES {
                if let Some(packet) = self.engine.dequeue(self.now, PORT) {
                    sent += 1;
                    value += u64::from(packet.value);
                }
            }
        }
        self.times.push(start.elapsed());
        (self.sent, self.value) = (sent, value);
    }

    /// Seconds of the shortest round, and of the median one.
    fn seconds(&mut self) -> (f64, f64) {
        self.times.sort_unstable();
        let at = |place: usize| self.times.get(place).map_or(f64::NAN, Duration::as_secs_f64);
        (at(0), at(self.times.len() / 2))
    }
}

/// Adds packets and value per second of the thread.
pub(super) fn measure(contenders: &[Contender], seed: Seed, measured: &mut Measured) -> Result<()> {
    let mut rng = seed.stream("operational-cost/thread");
    let packets: Vec<Packet> = (0..PACKETS).map(|_| packet(&mut rng)).collect();
    let mut evicted = Vec::new();
    let mut courses = Vec::new();
    for arrivals in ARRIVALS {
        for contender in contenders {
            let engine = engine(&contender.policy, seed);
            let mut course = Course { arrivals, engine, now: Time::ZERO, times: Vec::new(), sent: 0, value: 0 };
            // The buffer is full at the start of each load.
            for packet in &packets {
                course.engine.enqueue(Time::ZERO, *packet, &mut evicted);
            }
            for _ in 0..WARM_UP {
                course.round(&packets, &mut evicted);
            }
            course.times.clear();
            courses.push(course);
        }
    }
    for _ in (0..ROUNDS).take_while(|_| !interrupt::requested()) {
        for course in &mut courses {
            course.round(&packets, &mut evicted);
        }
    }
    let mut rows = Vec::new();
    let mut throughput: Vec<_> = contenders.iter().map(curve).collect();
    let mut weighted = throughput.clone();
    for (number, course) in courses.iter_mut().enumerate() {
        let place = number % contenders.len();
        let label = &contenders[place].label;
        let (least, median) = course.seconds();
        let (sent, value) = (course.sent as f64 / least / 1e6, course.value as f64 / least / 1e6);
        let offered = PACKETS as f64 / least / 1e6;
        if course.arrivals == OVERLOAD {
            measured.value(format!("{label}: CPU: million packets per second"), sent);
            measured.value(format!("{label}: CPU: million packets offered per second"), offered);
            measured.value(format!("{label}: CPU: value per microsecond"), value);
        }
        let load = course.arrivals as f64 / DEPARTURES as f64;
        throughput[place].points.push((load, sent));
        weighted[place].points.push((load, value));
        let nanoseconds = |seconds: f64| (seconds * 1e9 / PACKETS as f64).to_string();
        let numbers = [load, sent, offered, value].map(|number| number.to_string());
        rows.push([vec![label.clone()], numbers.to_vec(), vec![nanoseconds(least), nanoseconds(median)]].concat());
    }
    let header = [
        "algorithm",
        "arrivals_per_departure",
        "million_packets_sent_per_s",
        "million_packets_offered_per_s",
        "value_per_us",
        "ns_per_packet_offered",
        "ns_per_packet_offered_median",
    ];
    measured.files.push(("thread.csv".to_owned(), csv::lines(&header, rows.into_iter())));
    let x = "arrivals per departure";
    draw(measured, "thread", ["Packets sent by a busy thread", x, "million per second (log scale)"], &throughput)?;
    draw(measured, "thread-weighted", ["Value sent by a busy thread", x, "per microsecond (log scale)"], &weighted)
}

/// A line to come.
fn curve(contender: &Contender) -> Curve {
    Curve { label: contender.label.clone(), points: Vec::new() }
}
