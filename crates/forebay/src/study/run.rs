//! Runs a study: all repetitions, spread over cores.

use super::Study;
use super::measure::{Measured, measure};
use super::report::{CellReport, Settings, StudyReport};
use crate::error::Result;
use crate::experiment::CLOCK_ENDED;
use crate::observer::{Meter, Observer, Unit};
use crate::op_streams::{Recorder, Recording};
use crate::scenario::Sinks;
use forebay_core::convert::index;
use rayon::prelude::*;
use std::path::Path;

/// What was measured for one queue, load and distribution of ranks: its repetitions
/// in order, `None` where one was interrupted.
type Cell = Vec<Option<Measured>>;

/// Records the first repetition of each line in `folder`; the others are like it.
pub fn recorder(study: &Study, folder: &Path, observer: &dyn Observer) -> Result<Recorder> {
    let lines: Vec<_> = cells(study)
        .into_iter()
        .map(|(ranks, load, queue)| {
            let (ranks, load) = (&study.ranks[ranks], study.loads[load]);
            let queue = &ranks.queues[queue];
            (queue, format!("{}.{}.{load}", queue.name, ranks.name))
        })
        .collect();
    let run = format!("queue study {:?}, first repetition of seed {}", study.name, study.seed.0);
    Recorder::new(folder, run, &lines, observer)
}

/// Runs everything, and records what is wanted. The result does not depend on the number of threads.
pub fn run(study: &Study, recorder: Option<&Recorder>, observer: &dyn Observer) -> Result<StudyReport> {
    let cells = cells(study);
    let runs = study.repetitions.saturating_mul(cells.len() as u64);
    let progress = Meter::new(observer, Unit::Packets, Some(runs.saturating_mul(study.packets)));
    // Repetition by repetition, handed out in order: an interrupt then leaves each
    // queue about as many as the others.
    let mut measured = (0..runs)
        .par_bridge()
        .map(|run| {
            let (repetition, cell) = (run / cells.len() as u64, run % cells.len() as u64);
            let cell = index(cell);
            let (ranks, load, queue) = cells[cell];
            let ranks = &study.ranks[ranks];
            let recording = recorder.filter(|_| repetition == 0).map_or(Ok(None), |recorder| recorder.start(cell))?;
            let sinks = recording.as_ref().map_or_else(Sinks::new, Recording::sinks);
            let (load, queue) = (study.loads[load], &ranks.queues[queue]);
            let measured = measure(study, ranks, load, queue, repetition, sinks, &progress)?;
            recording.map_or(Ok(()), |recording| recording.finish(observer))?;
            Ok((run, measured))
        })
        .collect::<Result<Vec<_>>>()?;
    progress.finish();
    measured.sort_unstable_by_key(|&(run, _)| run);

    let mut by_cell: Vec<Cell> = vec![Vec::new(); cells.len()];
    for (place, (_, measured)) in (0..cells.len()).cycle().zip(measured) {
        by_cell[place].push(measured);
    }
    let mut warnings = Vec::new();
    if by_cell.iter().flatten().flatten().any(|measured| measured.clock_ended) {
        warnings.push(CLOCK_ENDED.to_owned());
    }
    let results = cells
        .iter()
        .enumerate()
        .map(|(place, &(ranks, load, queue))| {
            // The queues of one distribution and load stand beside each other.
            let baseline = &by_cell[place - queue + study.baseline];
            CellReport::new(study, (ranks, load, queue), &by_cell[place], baseline)
        })
        .collect();
    Ok(StudyReport {
        forebay: env!("CARGO_PKG_VERSION"),
        scenario: study.name.clone(),
        seed: study.seed.0,
        queue_study: Settings::of(study),
        warnings,
        results,
    })
}

/// Every distribution with every load and every queue, as indices.
fn cells(study: &Study) -> Vec<(usize, usize, usize)> {
    let queues = |ranks: usize, load| (0..study.ranks[ranks].queues.len()).map(move |queue| (ranks, load, queue));
    let loads = |ranks| (0..study.loads.len()).flat_map(move |load| queues(ranks, load));
    (0..study.ranks.len()).flat_map(loads).collect()
}

#[cfg(test)]
mod tests {
    use super::super::quantity::Quantity;
    use super::*;
    use crate::document::Node;
    use crate::observer::Silent;
    use crate::scenario::Beside;
    use forebay_core::Source as _;
    use forebay_traces::generate::Generator;
    use std::path::Path;

    /// Every packet arrives while the first is being sent, and finds room.
    const BACKLOG: &str = r#"
        repetitions = 3
        [queue_study]
        ranks = [
            { distribution = "uniform", min = 0, max = 3 },
            { name = "alike", distribution = "constant", min = 7 },
        ]
        load = 1000
        packets = 1000
        buffer = "1000 packets"
        arrivals = "constant"
        [[queue]]
        queue = "fifo"
        [[queue]]
        queue = "pifo"
        [[queue]]
        queue = { name = "sp-pifo", queues = 2, queue_packets = 1000 }
    "#;

    fn study(text: &str) -> Study {
        Study::read(&Node::parse("s.toml", text).unwrap(), "s", None, &Beside(Path::new("s.toml"))).unwrap()
    }

    fn values(report: &StudyReport, ranks: &str, queue: &str, quantity: Quantity) -> Vec<f64> {
        let cell = report.find(ranks, 1000.0, queue).unwrap();
        cell.estimate(quantity).values.iter().map(|value| value.unwrap()).collect()
    }

    #[test]
    fn a_fifo_with_everything_in_it_inverts_what_its_packets_say() {
        let study = study(BACKLOG);
        let report = run(&study, None, &Silent).unwrap();
        for repetition in 0..3 {
            let seed = study.seed.part(&format!("study/repetition/{repetition}"));
            let mut source = Generator::new(study.traffic(&study.ranks[0], 1000.0), seed);
            let ranks: Vec<u64> = std::iter::from_fn(|| source.next_packet()).map(|packet| packet.rank).collect();
            // The first packet leaves before the second comes.
            let overtaken: Vec<usize> = (1..ranks.len())
                .map(|place| ranks[place..].iter().filter(|&&behind| behind < ranks[place]).count())
                .collect();
            let inversions = overtaken.iter().filter(|&&behind| behind > 0).count() as f64;
            assert!(inversions > 500.0);
            assert_eq!(values(&report, "uniform", "fifo", Quantity::Inversions)[repetition], inversions);
            let overtaken = overtaken.iter().sum::<usize>() as f64;
            assert_eq!(values(&report, "uniform", "fifo", Quantity::Overtaken)[repetition], overtaken);
        }
    }

    #[test]
    fn a_pifo_inverts_nothing_and_equal_ranks_cannot_be_inverted() {
        let report = run(&study(BACKLOG), None, &Silent).unwrap();
        assert_eq!(values(&report, "uniform", "pifo", Quantity::Inversions), [0.0; 3]);
        for queue in ["fifo", "pifo", "sp-pifo"] {
            assert_eq!(values(&report, "alike", queue, Quantity::Inversions), [0.0; 3]);
            assert_eq!(values(&report, "alike", queue, Quantity::PacketsOut), [1000.0; 3]);
        }
        let none = report.find("alike", 1000.0, "sp-pifo").unwrap().estimate(Quantity::InversionsVsBaseline);
        assert_eq!((none.mean, none.ci95, none.values.len()), (None, None, 3), "the baseline has none either");
    }

    #[test]
    fn the_ratio_is_that_of_each_seed() {
        let report = run(&study(BACKLOG), None, &Silent).unwrap();
        let [own, other] = ["sp-pifo", "fifo"].map(|queue| values(&report, "uniform", queue, Quantity::Inversions));
        let ratios: Vec<f64> = own.iter().zip(other).map(|(own, other)| own / other).collect();
        assert_eq!(values(&report, "uniform", "sp-pifo", Quantity::InversionsVsBaseline), ratios);
        assert!(ratios.iter().all(|&ratio| ratio > 0.0 && ratio < 1.0), "{ratios:?}");
    }
}
