//! Queueing disciplines of Linux at a port of a switch, between clients that send UDP and a receiver: how long the queue is.
//!
//! All of them are network namespaces of a virtual machine, in a line of pairs of devices. Names of values are like `heap: 16 clients:
//! length` and `pfifo: MTU 1500/16: length`: the mean number of packets in the queue, from when the clients begin until it is empty. `list:
//! through: instructions` are all that the machine executes for a packet, where no other waits. `list: arrival: instructions` are those
//! until a packet is in a queue that grows. `packets lost` is of all runs.

#[cfg_attr(not(all(target_os = "linux", feature = "machines")), path = "kernel_line/no_machine.rs")]
mod machine;
mod run;
mod setting;

use super::{Experiment, MeasureEntry, Measured};
use crate::drawing::unit;
use forebay::Observer;
use forebay::error::{Result, UserError};
use forebay::figure::{Axis, Figure, Point, Unit};
use forebay::output::csv;
use forebay::statistics::mean_and_ci95;
use forebay_core::{About, Exactness, Seed};
use machine::{Line, missing};
use run::Run;
use setting::{GROWING, Setting, THROUGH, by_clients, by_mtu};

pub(crate) const ENTRY: MeasureEntry = MeasureEntry {
    about: About {
        name: "kernel-line",
        title: "Queue lengths of Linux queueing disciplines at a port between clients and a receiver",
        exactness: Exactness::NotApplicable,
        hardware: "QEMU, a kernel and clang (`cargo xtask fetch-kernel`); Linux",
        cost: "runs in a virtual machine",
        source: "OpenQueue, ToN 2020, section IV-F, Figure 6",
        params: &[],
    },
    run,
    missing,
};

/// The kernel's own, and the policies of the experiment.
const DISCIPLINES: [&str; 3] = ["pfifo", "list", "heap"];
/// Packets for which they have room: more than ever wait.
const ROOM: u32 = 2_048;
/// Each with gaps of its own.
const REPETITIONS: u64 = 5;

fn run(experiment: &Experiment, seed: Seed, _: &dyn Observer) -> Result<Measured> {
    let line = Line::new(experiment)?;
    let seeds: Vec<u64> = (0..REPETITIONS).map(|repetition| seed.0.wrapping_mul(REPETITIONS) + repetition).collect();
    evaluate(&line.run(&setting::all(), &seeds)?)
}

/// A number of a discipline in a setting: its mean over repetitions, and half of the 95 % confidence interval.
fn mean(runs: &[Run], discipline: &str, setting: Setting, number: fn(&Run) -> f64) -> Result<[f64; 2]> {
    let of = runs.iter().filter(|run| run.discipline == discipline && run.setting == setting);
    let (mean, ci95) = mean_and_ci95(of.map(number));
    let none = || UserError::new(format!("the virtual machine has no result of {discipline}"));
    Ok([mean.ok_or_else(none)?, ci95.unwrap_or(f64::NAN)])
}

fn evaluate(runs: &[Run]) -> Result<Measured> {
    let mut measured = Measured::default();
    measured.value("packets lost", runs.iter().map(Run::lost).sum::<u64>() as f64);
    lengths(runs, &mut measured)?;
    costs(runs, &mut measured)?;
    Ok(measured)
}

/// Adds how long the queues are.
fn lengths(runs: &[Run], measured: &mut Measured) -> Result<()> {
    let mut rows = Vec::new();
    let mut figure = Figure::titled("FIFO in the kernel: the length of the queue", "discipline");
    let x_axes = [Axis::logarithmic("clients", Unit::Plain), Axis::logarithmic("MTU", Unit::Bytes)];
    let lengths = Axis::linear("mean length", unit("packets"));
    let excesses = Axis::linear("longer than pfifo's", unit("packets"));
    for (x_axis, settings) in x_axes.iter().zip([by_clients(), by_mtu()]) {
        for discipline in DISCIPLINES {
            for &setting in &settings {
                let [mean_length, ci95] = mean(runs, discipline, setting, Run::length)?;
                let [of_kernel, _] = mean(runs, DISCIPLINES[0], setting, Run::length)?;
                let is_clients = x_axis.title == "clients";
                let label = if is_clients { format!("{} clients", setting.clients) } else { setting.mtu_label() };
                measured.value(format!("{discipline}: {label}: length"), mean_length);
                let x = f64::from(if is_clients { setting.clients } else { setting.mtu() });
                let point = Point { ci95: Some(ci95), samples: runs.len(), ..Point::of(x, mean_length) };
                figure.panel("", [x_axis, &lengths]).add(discipline, [point]);
                figure.panel("", [x_axis, &excesses]).add(discipline, [Point::of(x, mean_length - of_kernel)]);
                let begin = [discipline.to_owned(), setting.clients.to_string(), setting.mtu().to_string()];
                rows.push(begin.into_iter().chain([mean_length, ci95].map(|number| number.to_string())).collect());
            }
        }
    }
    let header = ["discipline", "clients", "mtu", "length", "length_ci95"];
    measured.files.push(("length.csv".to_owned(), csv::lines(&header, rows.into_iter())));
    figure.across = Some(2);
    measured.draw("length", "lines", figure)
}

/// Adds what a packet costs.
fn costs(runs: &[Run], measured: &mut Measured) -> Result<()> {
    type Cost = (&'static str, Setting, fn(&Run) -> f64);
    let kinds: [Cost; 2] = [("through", THROUGH, Run::through), ("arrival", GROWING, Run::arrival)];
    let mut rows = Vec::new();
    for discipline in DISCIPLINES {
        for (kind, setting, number) in kinds {
            let [instructions, ci95] = mean(runs, discipline, setting, number)?;
            measured.value(format!("{discipline}: {kind}: instructions"), instructions);
            rows.push(vec![discipline.to_owned(), kind.to_owned(), instructions.to_string(), ci95.to_string()]);
        }
    }
    let header = ["discipline", "what", "instructions_a_packet", "instructions_a_packet_ci95"];
    measured.files.push(("cost.csv".to_owned(), csv::lines(&header, rows.into_iter())));
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What a machine says in which the queue of each setting is as long as it has packets.
    fn runs() -> Vec<Run> {
        let settings = setting::all();
        let mut runs = Vec::new();
        for discipline in DISCIPLINES {
            for (place, setting) in settings.iter().enumerate() {
                for repetition in 0..2 {
                    let packets = setting.packets();
                    let waited = packets * 2_560_000 + repetition * 2_560_000;
                    let line = format!("{discipline} {place} {packets} {waited} 2560000 25600");
                    runs.push(Run::read(&line, &settings).unwrap());
                }
            }
        }
        runs
    }

    #[test]
    fn means_are_over_repetitions_and_every_row_has_its_value() {
        let measured = evaluate(&runs()).unwrap();
        for (name, value) in [
            ("heap: 16 clients: length", 1_280.5),
            ("pfifo: MTU 1500/16: length", 84.0 * 21.0 + 0.5),
            ("list: through: instructions", 1_000.0),
            ("heap: arrival: instructions", 10.0),
            ("packets lost", 0.0),
        ] {
            assert!((measured.values[name] - value).abs() < 1e-9, "{name}: {}", measured.values[name]);
        }
        let all = crate::all().unwrap();
        let experiment = all.iter().find(|one| one.name == "openqueue/figure-6").unwrap();
        for row in &experiment.rows {
            let value = row.formula.compute(&|name, node| crate::look_up(&measured, name, node));
            assert!(value.unwrap().is_finite(), "{}", row.quantity);
        }
    }

    #[test]
    fn a_packet_that_has_not_come_is_lost() {
        let mut runs = runs();
        runs[0].packets -= 3;
        assert!((evaluate(&runs).unwrap().values["packets lost"] - 3.0).abs() < 1e-9);
    }

    #[test]
    fn a_discipline_without_runs_is_an_error() {
        let runs: Vec<Run> = runs().into_iter().filter(|run| run.discipline != "list").collect();
        let error = evaluate(&runs).unwrap_err().to_string();
        assert_eq!(error, "the virtual machine has no result of list");
    }
}
