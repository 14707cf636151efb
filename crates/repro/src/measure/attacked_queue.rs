//! A scheduler that is attacked itself: figure 3.20 of SurgeProtector.
//!
//! A core takes packets from a link, puts them into a queue in the order of work per byte, and gives jobs to another core. Its time for a
//! packet is measured in this run, as CPU time of the thread that plays the same packets with the real queue. The result is computed:
//! packets wait in a ring for the core, and packets that find it full are lost. The more packets are lost there, the more of the rest have
//! to be dequeued again, so the time is measured a second time with the packets that remain.
//!
//! Values are called like `HFFS: largest jobs: goodput at 10 Gbps`, in Gb/s, `: ns per packet at 10 Gbps`, and `HFFS: no
//! attack: goodput`.

mod attacked_queues;
mod play;
mod traffic;

use super::{Experiment, MeasureEntry, Measured};
use crate::attacked;
use attacked_queues::{ENTRIES, Kind as Queue, heap, hffs, pair};
use forebay::Observer;
use forebay::error::Result;
use forebay_core::{About, Duration, Exactness, Seed, Time};
use play::{Played, cost_ns, play};
use traffic::{Arrival, Kind, Link, through_ring};

pub(crate) const ENTRY: MeasureEntry = MeasureEntry {
    about: About {
        name: "attacked-queue",
        title: "Packets lost by a scheduler that is attacked itself",
        exactness: Exactness::NotApplicable,
        hardware: "an idle core: it measures CPU time",
        cost: "ten attack rates for each queue",
        source: "SurgeProtector (thesis, chapter 3), figure 3.20",
        params: &[],
    },
    run,
    missing: || None,
};

/// Of the attack, in Gb/s.
const RATES: [f64; 10] = [0.01, 0.03, 0.1, 0.3, 1.0, 2.0, 3.0, 5.0, 7.0, 10.0];
/// Packets that are played to measure a time.
const PACKETS: f64 = 200_000.0;
/// Innocent packets and attack packets of 64 B in a second, the latter for each Gb/s.
const INNOCENT_PER_S: f64 = traffic::INNOCENT_BPS / 10_000.0;
const ATTACK_PER_S: f64 = 1e9 / 512.0;
/// Attack packets that the processor can work on beside all innocents, in a second, if jobs are falling: 6.2 us on average.
const WORKED_PER_S: f64 = 33_000.0;
/// Least and most seconds that do not count. A slow core fills the queue within the first; a queue that is not full after the
/// second never will be.
const WARMUP_S: (f64, f64) = (0.01, 1.0);

fn run(_: &Experiment, seed: Seed, observer: &dyn Observer) -> Result<Measured> {
    let mut measured = Measured::default();
    let link = Link::new();
    let mut goodputs = Vec::new();
    let mut times = Vec::new();
    for queue in Queue::ALL {
        let name = queue.name();
        let (goodput, ns) = measure(queue, &link, None, seed);
        measured.value(format!("{name}: no attack: goodput"), goodput);
        measured.value(format!("{name}: no attack: ns per packet"), ns);
        for kind in Kind::ALL {
            let label = format!("{name}: {}", kind.name());
            let (mut goodput_line, mut time_line) = (Vec::new(), Vec::new());
            for gbps in RATES.into_iter().take_while(|_| observer.goes_on()) {
                let (goodput, ns) = measure(queue, &link, Some((kind, gbps)), seed);
                measured.value(format!("{label}: goodput at {gbps} Gbps"), goodput);
                measured.value(format!("{label}: ns per packet at {gbps} Gbps"), ns);
                goodput_line.push((gbps, goodput));
                time_line.push((gbps, ns));
            }
            goodputs.push((label.clone(), goodput_line));
            times.push((label, time_line));
        }
    }
    let (x, title) = (("attack rate", "Gbit/s"), "A scheduler under attack");
    attacked::draw(&mut measured, "goodput", title, [x, ("goodput", "Gbit/s")], goodputs)?;
    attacked::draw(&mut measured, "times", title, [x, ("CPU time per packet", "ns")], times)?;
    Ok(measured)
}

/// Goodput in Gb/s, and nanoseconds that the core needs for a packet, at a rate of attack in Gb/s.
fn measure(queue: Queue, link: &Link, attack: Option<(Kind, f64)>, seed: Seed) -> (f64, f64) {
    let gbps = attack.map_or(0.0, |(_, gbps)| gbps);
    let left_over = gbps * ATTACK_PER_S - WORKED_PER_S;
    let fills_in = 1.2 * ENTRIES as f64 / left_over.max(1.0);
    let warmup = Duration::from_secs_f64(fills_in.clamp(WARMUP_S.0, WARMUP_S.1));
    let window = Duration::from_secs_f64(PACKETS / (INNOCENT_PER_S + gbps * ATTACK_PER_S));
    let from = Time::ZERO + warmup;
    let until = from + window;
    let all = link.arrivals(attack.map(|(kind, gbps)| (kind, gbps * 1e9)), until, seed);
    // What comes through the ring before a core that needs so long for a packet, and how much of it does not count.
    let through = |core_ns: f64| {
        let core = Duration::from_secs_f64(core_ns * 1e-9);
        let mut through = through_ring(&all, core.as_ps());
        through.retain(|arrival| arrival.at_ps <= until.as_ps());
        let warmup = through.partition_point(|arrival| arrival.at_ps < from.as_ps());
        (through, warmup)
    };
    let (arrivals, warmup) = through(0.0);
    let (arrivals, warmup) = through(cost(queue, &arrivals, warmup));
    let ns = cost(queue, &arrivals, warmup);
    let (arrivals, warmup) = through(ns);
    let served_bits = played(queue, &arrivals, warmup).served_bits;
    (served_bits as f64 / window.as_secs_f64() / 1e9, ns)
}

fn cost(queue: Queue, arrivals: &[Arrival], warmup: usize) -> f64 {
    match queue {
        Queue::Hffs => cost_ns(hffs, arrivals, warmup),
        Queue::Pair => cost_ns(pair, arrivals, warmup),
        Queue::Heap => cost_ns(heap, arrivals, warmup),
    }
}

fn played(queue: Queue, arrivals: &[Arrival], warmup: usize) -> Played {
    match queue {
        Queue::Hffs => play(hffs(), arrivals, warmup),
        Queue::Pair => play(pair(), arrivals, warmup),
        Queue::Heap => play(heap(), arrivals, warmup),
    }
}
