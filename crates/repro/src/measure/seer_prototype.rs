//! Seer's prototype (section 5.2, figure 6): misses over the length of packets and over the rate of generation. The prototype is as in the
//! paper, and with one thing changed at a time.
//!
//! Values are called like `sizes: 64 B: as stated: Seer: misses`, or `loads: 2 Gb/s: ...`: of the packets, in percent,
//!
//! - `misses`: the state was not in the cache, and no fetch of it had begun,
//! - `waits`: the state was not in the cache, whether or not a fetch had begun,
//! - `fetches`: reads of the backing store, which are misses and prefetches.
//!
//! An experiment computes what its rows ask for: `sizes` or `loads`.

mod settings;

use super::{Experiment, MeasureEntry, Measured};
use crate::drawing::{Line, points, unit};
use forebay::Observer;
use forebay::error::{Result, UserError};
use forebay::figure::{Axis, Figure};
use forebay::output::csv;
use forebay_cache::seer::SeerCache;
use forebay_cache::seer::prototype::{Prototype, Recording, Target, TargetCounts};
use forebay_cache::{Choice, ChoiceError, StateCache};
use forebay_core::{About, Exactness, ParamError, Seed};
use rayon::prelude::*;
use settings::{Point, STATED, Setting};

pub(crate) const ENTRY: MeasureEntry = MeasureEntry {
    about: About {
        name: "seer-prototype",
        title: "Misses of Seer's prototype over packet length and rate",
        exactness: Exactness::NotApplicable,
        hardware: "none",
        cost: "a run for each length, rate and variant",
        source: "Seer, NSDI'24, section 5.2, Figure 6",
        params: &[],
    },
    run,
    missing: || None,
};

/// The number of packets that fill the cache; the number of counted packets follows.
const WARMUP: u64 = 200_000;
const PACKETS: u64 = 300_000;

/// What was counted at one point in one setting.
struct Cell {
    point: Point,
    setting: &'static Setting,
    lru: TargetCounts,
    seer: TargetCounts,
    /// Where packets arrive as stated; only their order counts.
    belady: Option<TargetCounts>,
    link: Link,
}

/// What the link did.
struct Link {
    /// In percent of its time.
    control: f64,
    /// The share of the packets that were notified, in percent.
    told: f64,
    /// How long before its packet an FPM arrived: the mean, and the median.
    lead_ns: [f64; 2],
    /// How many packets before.
    lead_packets: [f64; 2],
    /// In percent of the packets.
    dropped: f64,
}

fn run(experiment: &Experiment, seed: Seed, observer: &dyn Observer) -> Result<Measured> {
    let mut measured = Measured::default();
    for sweep in settings::SWEEPS.iter().filter(|sweep| experiment.asks_for(&format!("{}: ", sweep.name))) {
        let all = settings::SETTINGS.iter().flat_map(|setting| sweep.points.iter().map(move |&point| (point, setting)));
        // Figures show all; for the rows alone, some are enough.
        let is_needed = |(point, setting): &(Point, &Setting)| {
            !experiment.is_quick || experiment.asks_for(&place(*point, setting, sweep.name))
        };
        let runs: Vec<(Point, &'static Setting)> = all.filter(is_needed).collect();
        let play = |&(point, setting): &(Point, &'static Setting)| {
            if !observer.goes_on() { Ok(None) } else { Cell::play(point, setting, seed).map(Some) }
        };
        let cells: Vec<Option<Cell>> = runs
            .par_iter()
            .map(play)
            .collect::<std::result::Result<_, ParamError>>()
            .map_err(|error| UserError::new(error.message))?;
        let cells: Vec<Cell> = cells.into_iter().flatten().collect();
        if !observer.goes_on() {
            return Ok(measured);
        }
        cells.iter().for_each(|cell| cell.add(&mut measured, sweep.name));
        measured.draw(sweep.name, "lines", figure(sweep, &cells))?;
        measured.files.push((format!("{}.csv", sweep.name), table(&cells)));
    }
    Ok(measured)
}

impl Cell {
    fn play(point: Point, setting: &'static Setting, seed: Seed) -> std::result::Result<Self, ParamError> {
        let spec = setting.spec(point)?;
        let lru: Choice = choice("lru")?;
        let mut plain = StateCache::new(&spec.cache(seed), &lru)?;
        let mut told = SeerCache::new(&spec.seer(seed), &lru)?;
        let mut recording = Recording::default();
        let mut targets: Vec<&mut dyn Target> = vec![&mut plain, &mut told];
        if setting.name == STATED {
            targets.push(&mut recording);
        }
        let mut prototype = Prototype::new(&spec, seed)?;
        let counts = prototype.measure(WARMUP, PACKETS, &mut targets);
        assert_sound(&prototype, &told);
        let belady = (setting.name == STATED).then(|| recording.play(&choice("belady")?, &spec.cache(seed), WARMUP));
        let report = prototype.report();
        let percent = |part: u64, of: u64| 100.0 * part as f64 / of.max(1) as f64;
        let leads = &report.leads;
        let link = Link {
            control: 100.0 * report.control_share(),
            told: percent(leads.count(), report.sent),
            lead_ns: [leads.mean(), leads.quantile(0.5)].map(forebay_core::Duration::as_ns_f64),
            lead_packets: [leads.mean_packets(), leads.quantile_packets(0.5) as f64],
            dropped: percent(report.dropped, report.generated),
        };
        Ok(Self { point, setting, lru: counts[0], seer: counts[1], belady: belady.transpose()?, link })
    }

    /// Whose counts they are.
    fn contenders(&self) -> impl Iterator<Item = (&'static str, TargetCounts)> {
        [("LRU", Some(self.lru)), ("Seer", Some(self.seer)), ("Belady", self.belady)]
            .into_iter()
            .filter_map(|(name, counts)| Some((name, counts?)))
    }

    fn add(&self, measured: &mut Measured, sweep: &str) {
        let place = place(self.point, self.setting, sweep);
        for (name, counts) in self.contenders() {
            let [misses, waits, fetches] = shares(counts);
            measured.value(format!("{place}{name}: misses"), misses);
            measured.value(format!("{place}{name}: waits"), waits);
            measured.value(format!("{place}{name}: fetches"), fetches);
            measured.value(format!("{place}{name}: mean wait, ns"), mean_wait_ns(counts));
        }
        let Link { control, told, lead_ns, lead_packets, dropped } = self.link;
        measured.value(format!("{place}control packets"), control);
        measured.value(format!("{place}told of"), told);
        for (which, name) in ["mean", "median"].into_iter().enumerate() {
            measured.value(format!("{place}{name} lead, ns"), lead_ns[which]);
            measured.value(format!("{place}{name} lead, packets"), lead_packets[which]);
        }
        measured.value(format!("{place}dropped"), dropped);
    }
}

/// How the names of a cell's values begin.
fn place(point: Point, setting: &Setting, sweep: &str) -> String {
    format!("{sweep}: {}: {}: ", point.name(sweep), setting.name)
}

/// Checks what holds in every run: everything is accounted for, and if all packets were notified as planned, none arrived at another time
/// than expected.
///
/// # Panics
/// If it does not hold, since the figures would be meaningless.
fn assert_sound(prototype: &Prototype, told: &SeerCache) {
    assert!(
        prototype.is_conserved(),
        "a packet or an FPM of the prototype has no fate, or two: {:?}",
        prototype.report()
    );
    let (sent, fpms) = (prototype.report().announcer, told.counts().fpms);
    let received = fpms.full + fpms.used + fpms.replaced + fpms.expired + fpms.expected;
    assert!(
        sent.sent() == fpms.received && fpms.received == received,
        "an FPM of the cache has no fate, or two: {} sent, {fpms:?}",
        sent.sent()
    );
    let complete = sent.dropped_full == 0 && fpms.full == 0 && fpms.expired == 0;
    assert!(!complete || fpms.mistimed == 0, "all packets were announced, and some arrived at another time: {fpms:?}");
}

/// Misses, waits and fetches, in percent of the packets.
fn shares(counts: TargetCounts) -> [f64; 3] {
    let fetches = counts.fetches() as f64 / counts.accesses().max(1) as f64;
    [counts.miss_ratio(), counts.absent_ratio(), fetches].map(|share| 100.0 * share)
}

fn mean_wait_ns(counts: TargetCounts) -> f64 {
    counts.waited as f64 / counts.accesses().max(1) as f64 / 1_000.0
}

fn choice(policy: &str) -> std::result::Result<Choice, ParamError> {
    policy.parse().map_err(|wrong: ChoiceError| ParamError::of("policy", wrong))
}

/// Misses and waits as stated, and by how much both are below LRU's in each setting.
fn figure(sweep: &settings::Sweep, cells: &[Cell]) -> Figure {
    let of = |setting: &'static Setting| cells.iter().filter(move |cell| cell.setting.name == setting.name);
    let line = |label: &str, setting, value: &dyn Fn(&Cell) -> Option<f64>| -> Line {
        (label.to_owned(), of(setting).filter_map(|cell| Some((sweep.x(cell.point), value(cell)?))).collect())
    };
    let stated = &settings::SETTINGS[0];
    let counts = vec![
        line("LRU", stated, &|cell| Some(shares(cell.lru)[0])),
        line("Belady", stated, &|cell| cell.belady.map(|counts| shares(counts)[0])),
        line("Seer: misses", stated, &|cell| Some(shares(cell.seer)[0])),
        line("Seer: waits", stated, &|cell| Some(shares(cell.seer)[1])),
    ];
    let below = |which: usize| {
        let value = move |cell: &Cell| Some(100.0 * (1.0 - shares(cell.seer)[which] / shares(cell.lru)[which]));
        let lines = settings::SETTINGS.iter().map(|setting| line(setting.name, setting, &value));
        lines.chain([("published".to_owned(), sweep.published.to_vec())]).collect::<Vec<_>>()
    };
    let x = Axis { is_logarithmic: sweep.is_logarithmic, ..Axis::linear(sweep.axis, unit(sweep.unit)) };
    let (of_packets, below_lru) = (Axis::linear("share of packets", unit("%")), Axis::linear("below LRU", unit("%")));
    let mut figure = Figure::titled("State that is not in the cache", "line");
    for (title, y, lines) in
        [("as stated", &of_packets, counts), ("misses", &below_lru, below(0)), ("waits", &below_lru, below(1))]
    {
        for (label, pairs) in lines {
            figure.panel(title, [&x, y]).add(&label, points(pairs));
        }
    }
    figure
}

fn table(cells: &[Cell]) -> String {
    let header = [
        "packet_bytes",
        "gbps",
        "setting",
        "contender",
        "misses_percent",
        "waits_percent",
        "fetches_percent",
        "mean_wait_ns",
        "control_percent",
        "told_percent",
        "mean_lead_ns",
        "mean_lead_packets",
        "median_lead_ns",
        "median_lead_packets",
    ];
    let rows = cells.iter().flat_map(|cell| {
        cell.contenders().map(|(name, counts)| {
            let Link { control, told, lead_ns, lead_packets, .. } = cell.link;
            let [misses, waits, fetches] = shares(counts);
            let leads = [lead_ns[0], lead_packets[0], lead_ns[1], lead_packets[1]];
            let numbers = [misses, waits, fetches, mean_wait_ns(counts), control, told];
            let place = [cell.point.bytes.to_string(), cell.point.gbps.to_string()];
            let names = [cell.setting.name, name].map(str::to_owned);
            place
                .into_iter()
                .chain(names)
                .chain(numbers.into_iter().chain(leads).map(|number| number.to_string()))
                .collect()
        })
    });
    csv::lines(&header, rows)
}
