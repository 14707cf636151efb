//! The thread is the bottleneck: it takes packets that lie ready in memory, and sends some, as fast as it can.
//!
//! This reads the clock, so times are never the same twice. Policies take turns in short rounds, each of the same packets, and the shortest
//! round of each counts: that is one in which nothing else had the processor.

use super::{Contender, draw, packet};
use crate::Measured;
use crate::drawing::Line;
use crate::policy::engine;
use forebay::Observer;
use forebay::error::Result;
use forebay::output::csv;
use forebay_core::{Packet, Seed, Time};
use forebay_engine::Engine;
use forebay_lang::ir::PortId;
use std::time::{Duration, Instant};

const PORT: PortId = PortId(0);
/// The number of departures for which each of [`ARRIVALS`] packets arrive.
const DEPARTURES: usize = 4;
const ARRIVALS: [usize; 5] = [4, 5, 6, 8, 12];
/// Three for two: what the rows of the experiments are about.
const OVERLOAD: usize = 6;
/// Packets that arrive in a round: some 100 microseconds, a multiple of all of [`ARRIVALS`].
const PACKETS: usize = 2_400;
const ROUNDS: usize = 200;
/// Rounds before the first that is measured; they fill the buffer.
const WARM_UP: usize = 4;

/// One policy under one load.
struct Course<E> {
    /// Its place among the policies.
    contender: usize,
    arrivals: usize,
    engine: E,
    now: Time,
    times: Vec<Duration>,
    /// Packets and value that left in the last round.
    sent: u64,
    value: u64,
}

/// The results of a course.
#[derive(Debug, Clone, Copy)]
struct Rates {
    /// Microseconds of the shortest round, and of the median one.
    least: f64,
    median: f64,
    sent: f64,
    value: f64,
}

impl<E: Engine> Course<E> {
    /// The buffer is full when the first round that counts begins.
    fn new(contender: usize, arrivals: usize, engine: E, packets: &[Packet], evicted: &mut Vec<Packet>) -> Self {
        let (now, times) = (Time::ZERO, Vec::with_capacity(ROUNDS));
        let mut course = Self { contender, arrivals, engine, now, times, sent: 0, value: 0 };
        for packet in packets {
            course.engine.enqueue(now, *packet, evicted);
        }
        (0..WARM_UP).for_each(|_| course.round(packets, evicted));
        course.times.clear();
        course
    }

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

    fn rates(&mut self) -> Rates {
        self.times.sort_unstable();
        let at = |place: usize| self.times.get(place).map_or(f64::NAN, |time| time.as_secs_f64() * 1e6);
        Rates { least: at(0), median: at(self.times.len() / 2), sent: self.sent as f64, value: self.value as f64 }
    }
}

impl Rates {
    /// Microseconds of other work for each packet sent with which this is worth as much per time as `other`.
    fn break_even(self, other: Self) -> f64 {
        let (time, worth) = (self.least / self.sent, self.value / self.sent);
        let (other_time, other_worth) = (other.least / other.sent, other.value / other.sent);
        // worth / (time + x) = other_worth / (other_time + x)
        (time * other_worth - other_time * worth) / (worth - other_worth)
    }
}

/// Adds packets and value per time of the thread.
pub(super) fn measure(
    contenders: &[Contender],
    seed: Seed,
    measured: &mut Measured,
    observer: &dyn Observer,
) -> Result<()> {
    let mut rng = seed.stream("operational-cost/thread");
    let packets: Vec<Packet> = (0..PACKETS).map(|_| packet(&mut rng)).collect();
    let mut evicted = Vec::new();
    let mut courses = Vec::new();
    for arrivals in ARRIVALS {
        for (place, contender) in contenders.iter().enumerate() {
            let engine = engine(&contender.policy, seed);
            courses.push(Course::new(place, arrivals, engine, &packets, &mut evicted));
        }
    }
    for _ in (0..ROUNDS).take_while(|_| observer.goes_on()) {
        for course in &mut courses {
            course.round(&packets, &mut evicted);
        }
    }
    let results: Vec<_> =
        courses.iter_mut().map(|course| (course.contender, course.arrivals, course.rates())).collect();
    overload(contenders, &results, measured);
    all_loads(contenders, &results, measured)
}

/// Adds the numbers that rows are about.
fn overload(contenders: &[Contender], results: &[(usize, usize, Rates)], measured: &mut Measured) {
    let overload = || results.iter().filter(|(_, arrivals, _)| *arrivals == OVERLOAD);
    for &(place, _, rates) in overload() {
        let Contender { label, queues, algorithm, .. } = &contenders[place];
        measured.value(format!("{label}: thread: million packets per second"), rates.sent / rates.least);
        measured.value(format!("{label}: thread: value per microsecond"), rates.value / rates.least);
        let is_a = |other: &Contender| other.algorithm == "A" && other.queues == *queues;
        if let Some(a) = overload().find(|(other, ..)| is_a(&contenders[*other]))
            && *algorithm != "A"
        {
            let nanoseconds = rates.break_even(a.2) * 1e3;
            measured.value(format!("{label}: thread: nanoseconds of other work to equal A"), nanoseconds);
        }
    }
}

/// Adds a table and pictures.
fn all_loads(contenders: &[Contender], results: &[(usize, usize, Rates)], measured: &mut Measured) -> Result<()> {
    let mut throughput: Vec<Line> = contenders.iter().map(|one| (one.label.clone(), Vec::new())).collect();
    let mut weighted = throughput.clone();
    let mut rows = Vec::new();
    for &(place, arrivals, rates) in results {
        let load = arrivals as f64 / DEPARTURES as f64;
        let (sent, value) = (rates.sent / rates.least, rates.value / rates.least);
        throughput[place].1.push((load, sent));
        weighted[place].1.push((load, value));
        let nanoseconds = |us: f64| us * 1e3 / PACKETS as f64;
        let numbers =
            [load, sent, PACKETS as f64 / rates.least, value, nanoseconds(rates.least), nanoseconds(rates.median)];
        let label = contenders[place].label.clone();
        rows.push(std::iter::once(label).chain(numbers.map(|number| number.to_string())).collect());
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
    let x = ("arrivals per departure", "");
    draw(measured, "thread", "Packets sent by a busy thread", [x, ("million packets per second", "")], throughput)?;
    draw(measured, "thread-weighted", "Value sent by a busy thread", [x, ("value per microsecond", "")], weighted)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::measure::operational_cost::tests::contenders_of;

    #[test]
    fn a_round_sends_what_it_should_whatever_the_time() {
        let mut rng = Seed(1).stream("test");
        let packets: Vec<Packet> = (0..PACKETS).map(|_| packet(&mut rng)).collect();
        let high = packets.iter().filter(|packet| packet.value > 1).count() as u64;
        let sent = (PACKETS / OVERLOAD * DEPARTURES) as u64;
        for contender in contenders_of("openqueue/experiment-1") {
            let engine = engine(&contender.policy, Seed(1));
            let mut course = Course::new(0, OVERLOAD, engine, &packets, &mut Vec::new());
            course.round(&packets, &mut Vec::new());
            assert_eq!(course.sent, sent, "{}", contender.label);
            // Every packet of high priority leaves, and as many of low as there is time for; A does not tell them apart.
            let value =
                if contender.algorithm == "A" { high * sent / PACKETS as u64 * 62 + sent } else { high * 62 + sent };
            assert!(course.value.abs_diff(value) < value / 20, "{}: {} {value}", contender.label, course.value);
        }
    }

    #[test]
    fn at_the_break_even_both_are_worth_the_same() {
        let cheap = Rates { least: 10.0, median: 0.0, sent: 100.0, value: 100.0 };
        let dear = Rates { least: 40.0, median: 0.0, sent: 100.0, value: 150.0 };
        // 1 / (0.1 + x) = 1.5 / (0.4 + x)
        assert!((dear.break_even(cheap) - 0.5).abs() < 1e-12);
    }
}
