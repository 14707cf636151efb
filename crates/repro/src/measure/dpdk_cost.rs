//! The algorithms of section IV-G of OpenQueue as DPDK programs, with one queue or several. A is FIFO with tail drop. B is FIFO that drops
//! the lowest priority. C serves the highest priority first and drops the lowest.
//!
//! 32 packets arrive at a time, and as many depart as a link of 10 Gbps would send meanwhile. Values are called like `C: mixed at 20 Gbps:
//! core: million packets per second` and `C, k = 4: bursts at 20 Gbps: port: value per microsecond`. In `mixed` each packet has a priority
//! and flow of its own, in `bursts` they are those of 256 packets on average. `core` is a core without other work, at its own speed. `port`
//! is a core and a link: a burst takes as long as the slower of both.

#[cfg_attr(not(feature = "machines"), path = "dpdk_cost/no_program.rs")]
mod program;

use super::{Experiment, MeasureEntry, Measured};
use crate::Experiments;
use crate::drawing::unit;
use crate::policy::{plain, policy};
use forebay::Observer;
use forebay::error::{Result, UserError};
use forebay::figure::{Axis, Figure, Point, Unit};
use forebay::output::csv;
use forebay_core::{About, Exactness, Seed};
use program::{Program, missing};
use serde::Deserialize;

pub(crate) const ENTRY: MeasureEntry = MeasureEntry {
    about: About {
        name: "dpdk-cost",
        title: "Cost and benefit of three OpenQueue algorithms as DPDK programs",
        exactness: Exactness::NotApplicable,
        hardware: "libdpdk-dev, pkg-config, gcc and make; Linux",
        cost: "a run for each algorithm and setting",
        source: "OpenQueue, ToN 2020, section IV-G",
        params: &[],
    },
    run,
    missing,
};

/// Numbers of queues of experiment 2.
const QUEUES: [u32; 3] = [2, 4, 8];
/// Packets that leave for [`ARRIVALS`].
const DEPARTURES: [u32; 4] = [32, 24, 20, 16];
const ARRIVALS: u32 = 32;
/// How many packets have the same priority and flow, on average.
const PATTERNS: [(&str, u32); 2] = [("mixed", 1), ("bursts", 256)];
/// In each round every program runs once with each load, and its shortest time counts.
const ROUNDS: usize = 4;
/// Nanoseconds that the largest usual frame takes at 10 Gbps, with its preamble and the gap behind it.
const FRAME_NS: f64 = 1_538.0 * 8.0 / 10.0;

/// What a program has counted.
#[derive(Debug, Clone, Copy, Deserialize)]
struct Counted {
    /// Packets that arrived.
    arrived: f64,
    /// Packets that left.
    left: f64,
    /// The sum of their Types of Service.
    services: f64,
    /// What receiving, the policy and sending took for a packet that arrived, in the shortest of blocks of 1,024 packets.
    least_ns: f64,
}

/// An algorithm, built.
struct Contender {
    label: String,
    algorithm: &'static str,
    /// 1 in experiment 1.
    queues: u32,
    program: Program,
}

/// One policy under one load.
struct Course {
    /// Its place among the policies.
    contender: usize,
    /// Its place in [`PATTERNS`].
    pattern: usize,
    departures: u32,
    counted: Option<Counted>,
}

fn run(experiment: &Experiment, seed: Seed, observer: &dyn Observer) -> Result<Measured> {
    let contenders = contenders(experiment.experiments())?;
    let courses = play(&contenders, seed, observer)?;
    let mut measured = Measured::default();
    if observer.goes_on() {
        evaluate(&contenders, &courses, &mut measured)?;
    }
    Ok(measured)
}

/// The policies are those of the experiments in which the engine plays them.
fn contenders(experiments: &Experiments) -> Result<Vec<Contender>> {
    let all = experiments.all()?;
    let mut found = Vec::new();
    let mut add = |from: &str, algorithm: &'static str, queues: u32| {
        let experiment = all.iter().find(|experiment| experiment.name == from);
        let experiment = experiment.ok_or_else(|| UserError::new(format!("there is no experiment {from}")))?;
        let params = if queues == 1 { Vec::new() } else { vec![plain("k", queues)] };
        let policy = policy(experiment, &algorithm.to_lowercase(), &params)?;
        let label = if queues == 1 { algorithm.to_owned() } else { format!("{algorithm}, k = {queues}") };
        let program =
            Program::build(&policy).map_err(|why| UserError::at(format!("algorithm {label}"), why.to_string()))?;
        found.push(Contender { label, algorithm, queues, program });
        Ok::<_, UserError>(())
    };
    for algorithm in ["A", "B", "C"] {
        add("openqueue/experiment-1", algorithm, 1)?;
    }
    for algorithm in ["A", "C"] {
        QUEUES.into_iter().try_for_each(|queues| add("openqueue/experiment-2", algorithm, queues))?;
    }
    Ok(found)
}

/// Several queues are only tried at the highest load.
fn courses(contenders: &[Contender]) -> Vec<Course> {
    let mut courses = Vec::new();
    for (contender, one) in contenders.iter().enumerate() {
        for pattern in 0..PATTERNS.len() {
            let departures = if one.queues == 1 { &DEPARTURES[..] } else { &DEPARTURES[DEPARTURES.len() - 1..] };
            courses.extend(departures.iter().map(|&departures| Course {
                contender,
                pattern,
                departures,
                counted: None,
            }));
        }
    }
    courses
}

fn play(contenders: &[Contender], seed: Seed, observer: &dyn Observer) -> Result<Vec<Course>> {
    let mut courses = courses(contenders);
    for _ in 0..ROUNDS {
        for course in &mut courses {
            if !observer.goes_on() {
                return Ok(courses);
            }
            let Contender { label, program, .. } = &contenders[course.contender];
            let counted = program.measure(course.departures, PATTERNS[course.pattern].1, seed);
            let counted = counted.map_err(|why| UserError::at(format!("algorithm {label}"), why.to_string()))?;
            let least_ns = course.counted.map_or(f64::INFINITY, |before| before.least_ns).min(counted.least_ns);
            course.counted = Some(Counted { least_ns, ..counted });
        }
    }
    Ok(courses)
}

/// The results of a course.
struct Rates {
    place: &'static str,
    packets: f64,
    value: f64,
}

impl Course {
    /// Gbps that arrive where 10 leave.
    fn load(&self) -> f64 {
        f64::from(10 * ARRIVALS) / f64::from(self.departures)
    }

    /// Millions of packets per second, and value per microsecond.
    fn rates(&self) -> [Rates; 2] {
        let [left, services, ns] = self
            .counted
            .map_or([f64::NAN; 3], |counted| [counted.left, counted.services, counted.arrived * counted.least_ns]);
        let of = |place, ns: f64| Rates { place, packets: left / ns * 1e3, value: services / ns * 1e3 };
        [of("core", ns), of("port", ns.max(left * FRAME_NS))]
    }
}

fn evaluate(contenders: &[Contender], courses: &[Course], measured: &mut Measured) -> Result<()> {
    let mut rows = Vec::new();
    for course in courses {
        let label = &contenders[course.contender].label;
        let (pattern, load) = (PATTERNS[course.pattern].0, format!("{:.3}", course.load()));
        let load = load.trim_end_matches('0').trim_end_matches('.');
        for Rates { place, packets, value } in course.rates() {
            let begin = format!("{label}: {pattern} at {load} Gbps: {place}");
            measured.value(format!("{begin}: million packets per second"), packets);
            measured.value(format!("{begin}: value per microsecond"), value);
            let texts = [label, pattern, load, place].map(str::to_owned);
            rows.push(texts.into_iter().chain([packets, value].map(|number| number.to_string())).collect());
        }
    }
    let header = ["algorithm", "arrivals", "load_gbps", "what", "million_packets_per_s", "value_per_us"];
    measured.files.push(("dpdk.csv".to_owned(), csv::lines(&header, rows.into_iter())));
    for (place, title) in [("core", "A core with nothing else to do"), ("port", "A core and a 10 GbE port")] {
        for (pattern, (name, _)) in PATTERNS.iter().enumerate() {
            let mut figure = Figure::titled(format!("{title}: {name}"), "algorithm");
            add_panels(&mut figure, contenders, courses, place, pattern);
            measured.draw(&format!("{place}-{name}"), "lines", figure)?;
        }
    }
    Ok(())
}

/// As figure 7 has them: packets and value over the load, and over the number of queues.
fn add_panels(figure: &mut Figure, contenders: &[Contender], courses: &[Course], place: &str, pattern: usize) {
    figure.across = Some(2);
    for is_one_queue in [true, false] {
        for (y, is_value) in [("million packets per second", false), ("value per microsecond", true)] {
            let y = Axis::linear(y, Unit::Plain);
            for course in courses.iter().filter(|course| course.pattern == pattern) {
                let contender = &contenders[course.contender];
                let rates = course.rates().into_iter().find(|rates| rates.place == place);
                let Some(rates) = rates.filter(|_| (contender.queues == 1) == is_one_queue) else { continue };
                let (axis, x) = if is_one_queue {
                    (Axis::linear("input load", unit("Gbit/s")), course.load())
                } else {
                    (Axis::linear("queues, at 20 Gbit/s", Unit::Plain), contender.queues.into())
                };
                let point = Point::of(x, if is_value { rates.value } else { rates.packets });
                figure.panel("", [&axis, &y]).add(contender.algorithm, [point]);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_port_is_as_fast_as_the_slower_of_core_and_link() {
        let counted = |ns: f64| Some(Counted { arrived: 200.0, left: 100.0, services: 3_200.0, least_ns: ns / 200.0 });
        let course = |ns| Course { contender: 0, pattern: 0, departures: 16, counted: counted(ns) };
        let [core, port] = course(10_000.0).rates();
        assert!((course(1.0).load() - 20.0).abs() < 1e-9);
        assert!((core.packets - 10.0).abs() < 1e-9 && (core.value - 320.0).abs() < 1e-9);
        assert!((port.packets - 1e3 / FRAME_NS).abs() < 1e-9);
        let [core, port] = course(200_000.0).rates();
        assert!((core.packets - 0.5).abs() < 1e-9 && (port.packets - core.packets).abs() < 1e-9);
    }

    #[test]
    fn a_short_run_gives_every_row_its_value() {
        if let Some(why) = missing() {
            println!("skipped: {why}");
            return;
        }
        let contenders = contenders(&Experiments::compiled_in()).unwrap();
        let mut courses = courses(&contenders);
        for course in &mut courses {
            let program = &contenders[course.contender].program;
            course.counted =
                Some(program.measure_packets(10_000, course.departures, PATTERNS[course.pattern].1, Seed(1)).unwrap());
        }
        let mut measured = Measured::default();
        evaluate(&contenders, &courses, &mut measured).unwrap();
        let all = crate::all().unwrap();
        let experiment = all.iter().find(|one| one.name == "openqueue/figure-7").unwrap();
        for row in &experiment.rows {
            let value = row.formula.compute(&|name, node| crate::look_up(&measured, name, node));
            assert!(value.unwrap() > 0.0, "{}", row.quantity);
        }
        // All send as many packets, and those that know priorities more value.
        let of = |label: &str| {
            let is = |course: &&Course| contenders[course.contender].label == label && course.departures == 16;
            courses.iter().find(is).unwrap().counted.unwrap()
        };
        for better in ["B", "C"] {
            assert!((of(better).left - of("A").left).abs() < 0.5, "{better}");
            assert!(of(better).services > 1.8 * of("A").services, "{better}");
        }
    }
}
