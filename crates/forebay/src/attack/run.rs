//! Runs all cells, each once for every repetition.

use super::plan::{Attacked, Sent, attacks};
use super::report::{AttackReport, Settings};
use super::run_result::{GBPS, Harm, InnocentPackets, Limits, RunResult};
use super::scenario::{AttackScenario, Cell, Sends, Setting};
use crate::detail::{DetailTable, Rows};
use crate::disk::Folder;
use crate::error::Result;
use crate::observer::{Meter, Observer, Unit};
use crate::run::{self, About, Asked, CellRuns, Head, Job, Kind, Made, Part, Plan, PlannedCell, Results};
use forebay_core::{Duration, Element, Seed};
use forebay_sim::attack::applications::{LiveTrial, Workload};
use forebay_sim::attack::trial::{Measured, Span, Trial};
use forebay_sim::attack::{Strategy, Suspected, Waiting};
use std::collections::BTreeMap;
use std::sync::{Arc, OnceLock};

/// Runs everything of this part that `folder` does not hold yet, and keeps the results there. The result does not depend on the number of
/// threads. Warnings are reported to the observer before the runs.
pub(crate) fn run(
    scenario: &AttackScenario,
    folder: Option<&Folder>,
    part: &Part,
    observer: &dyn Observer,
) -> Result<AttackReport> {
    scenario.warnings.iter().for_each(|warning| observer.warn(warning));
    run::made::<AttackScenario, _>(&scenario.plan()?, scenario.head(), folder, part, observer)
}

impl Kind for AttackScenario {
    const NAME: &'static str = "attack";
    const UNIT: Unit = Unit::Packets;
    type Settings = Settings;
    type Run = RunResult;
    type Report = AttackReport;

    fn report(about: About, head: Head<Settings>, results: Results<RunResult>) -> Result<AttackReport> {
        Ok(AttackReport::new(about, head, &CellRuns::all(results)?))
    }
}

impl AttackScenario {
    /// Returns all runs, in the order of the report.
    pub(super) fn plan(&self) -> Result<Plan<AttackJob<'_>>> {
        let mut baselines: BTreeMap<(&str, u64), Baseline> = BTreeMap::new();
        let attacks: Vec<Arc<[Attacked]>> = self.cells.iter().map(|cell| attacks(cell).into()).collect();
        let job = |number: usize, repetition, seed| {
            let cell = &self.cells[number];
            let place = (cell.baseline_key.as_str(), repetition);
            let is_first = !baselines.contains_key(&place);
            let baseline = Arc::clone(baselines.entry(place).or_default());
            AttackJob { cell, attacks: Arc::clone(&attacks[number]), seed, baseline, is_first }
        };
        let cells = self.cells.iter();
        let cells = cells.map(|cell| PlannedCell { policy: &cell.policy.name, axes: &cell.axes, key: &cell.key });
        let seed_of = |repetition| self.seed_of(repetition);
        run::plan::<Self, _>(&self.said, &self.head(), cells, seed_of, job)
    }

    fn head(&self) -> Head<Settings> {
        let settings = Settings::of(&self.cells[0].setting);
        let policies = self.cells.iter().map(|cell| cell.policy.name.as_str());
        let asked = Asked::new(settings, self.repetitions, policies, self.baseline.as_ref(), self.cells.len());
        Head { asked, own_axes: self.rate_axis.clone().into_iter().collect(), warnings: self.warnings.clone() }
    }
}

/// The measurement without an attack, which the first of several runs makes for all. [`None`] if it was interrupted.
type Baseline = Arc<OnceLock<Option<Measured>>>;

/// A run to make.
pub(super) struct AttackJob<'a> {
    cell: &'a Cell,
    attacks: Arc<[Attacked]>,
    seed: Seed,
    baseline: Baseline,
    /// Whether it counts the packets of the baseline as its own.
    is_first: bool,
}

impl Job for AttackJob<'_> {
    type Result = RunResult;

    fn length(&self) -> u64 {
        let setting = &self.cell.setting;
        let baseline = if self.is_first { setting.packets_with(None) } else { 0 };
        self.attacks.iter().fold(baseline, |sum, attacked| sum.saturating_add(setting.packets_with(Some(attacked))))
    }

    fn tables(&self) -> Vec<&'static DetailTable> {
        Vec::new()
    }

    /// Half a run is none.
    fn make(&self, _: &Rows<'_>, progress: &Meter<'_>) -> Result<Option<Made<RunResult>>> {
        let Some(baseline) = self.baseline(progress)? else { return Ok(None) };
        let mut harms = Vec::new();
        for attacked in self.attacks.iter() {
            let Some(measured) = self.play(Some(attacked), progress, true)? else { return Ok(None) };
            let job = attacked.only_job();
            harms.push(Harm {
                strategy: attacked.found,
                packet_bytes: job.map(|job| job.size_bytes),
                job_ns: job.map(|job| job.work.as_ns_f64()),
                goodput_bps: measured.goodput_bps,
                work_share: measured.attack_work_share,
                suspected: measured.suspected.map(|Suspected { innocent, attack }| [innocent, attack]),
                innocents: innocents(&measured, &baseline),
                application: measured.application.map(Limits::of),
                served: (measured.attack_bps > 0.0).then(|| measured.attack_served_bps / measured.attack_bps),
            });
        }
        let setting = &self.cell.setting;
        let analysed = self.cell.analysed();
        let terms = setting.terms(setting.attacker.limits);
        // What is predicted is the harm of the largest jobs of the smallest packets.
        let predictable = analysed.filter(|_| matches!(setting.attacker.sends, Sends::Optimal));
        let result = RunResult {
            innocent_gbps: setting.innocent_bps as f64 / GBPS,
            attack_bps: setting.attack_bps as f64,
            load: setting.innocent_bps as f64 / setting.capacity_bps(),
            bound: analysed.and_then(|policy| policy.bound(&terms)),
            predicted: predictable.and_then(|policy| policy.predicted(&terms, setting.attack_bps)),
            baseline_bps: baseline.goodput_bps,
            baseline_suspected: baseline.suspected.and_then(|shares| shares.innocent),
            baseline_application: baseline.application.map(Limits::of),
            attacks: harms,
        };
        Ok(Some(Made { result, parts: Vec::new(), is_whole: true }))
    }
}

/// Compares the waits and the order of innocent packets with those without an attack.
fn innocents(measured: &Measured, baseline: &Measured) -> InnocentPackets {
    let ns = |measured: &Measured| measured.innocent_waits.map(|waits| waits.map(Duration::as_ns_f64));
    let (waits, before) = (ns(measured), ns(baseline));
    let factor = waits.zip(before).map(|([mean, _], [before, _])| mean / before);
    InnocentPackets {
        waits,
        wait_factor: factor.filter(|factor| factor.is_finite()),
        reordered: measured.innocent_reordered,
    }
}

impl AttackJob<'_> {
    fn baseline(&self, progress: &Meter<'_>) -> Result<Option<Measured>> {
        let measured = match self.baseline.get() {
            Some(known) => *known,
            None => {
                // Who comes second waits: it would measure the same.
                let mut failed = None;
                let measured = *self.baseline.get_or_init(|| match self.play(None, progress, false) {
                    Ok(measured) => measured,
                    Err(error) => {
                        failed = Some(error);
                        None
                    }
                });
                if let Some(error) = failed {
                    return Err(error);
                }
                measured
            }
        };
        if self.is_first {
            progress.add(self.cell.setting.packets_with(None));
        }
        Ok(measured)
    }

    /// Plays one attack, or none. [`None`] if it was interrupted.
    fn play(&self, attacked: Option<&Attacked>, progress: &Meter<'_>, is_counted: bool) -> Result<Option<Measured>> {
        if !progress.goes_on() {
            return Ok(None);
        }
        let setting = &self.cell.setting;
        let mut queue = self.cell.element(self.seed)?;
        let aside = setting.processor.aside;
        let mut suspected = aside.map(|rule| Ok((rule, self.cell.element(self.seed)?))).transpose()?;
        let aside = suspected.as_mut().map(|(rule, queue)| (*rule, &mut **queue as &mut dyn Element));
        let waiting = Waiting { queue: &mut *queue, aside };
        let reported = std::cell::Cell::new(0);
        let go_on = |arrived: u64| {
            let before = reported.replace(arrived);
            if is_counted {
                progress.add(arrived - before);
            }
            progress.goes_on()
        };
        let span = Span { warmup: setting.time_of(setting.warmup), window: setting.time_of(setting.packets) };
        let (innocent_bps, servers, seed) = (setting.innocent_bps as f64, setting.processor.servers, self.seed);
        let turns = setting.processor.turns;
        let attack_bps = attacked.map(|_| setting.attack_bps as f64);
        let sent = attacked.map(|attacked| &attacked.sent);
        let workload: Option<&dyn Workload> = match (sent, &setting.attacker.sends) {
            (Some(Sent::Inputs(workload)), _) => Some(&**workload),
            (None, Sends::Inputs(own)) => Some(own.workload()),
            _ => None,
        };
        let measured = match workload {
            Some(workload) => {
                let trial = LiveTrial { workload, innocent_bps, attack_bps, span, servers, seed };
                trial.run_with(turns, waiting, &go_on)
            }
            None => {
                let (innocent, estimator) = (&setting.innocent.innocent, setting.processor.estimator);
                let attack = sent.and_then(Sent::jobs).zip(attack_bps);
                let trial = Trial { innocent, innocent_bps, attack, span, servers, estimator, seed };
                trial.run_with(turns, waiting, &go_on)
            }
        };
        if is_counted {
            progress.add(setting.packets_with(attacked).saturating_sub(reported.get()));
        }
        Ok(measured.complete.then_some(measured))
    }
}

impl Setting {
    /// Returns the approximate number of packets that arrive with an attack, or without one.
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "float casts saturate")]
    pub(super) fn packets_with(&self, attacked: Option<&Attacked>) -> u64 {
        let innocent = self.packets.saturating_add(self.warmup);
        let seconds = self.time_of(innocent).as_secs_f64();
        let attack = attacked.map_or(0.0, |attacked| {
            let per_bit: f64 = match &attacked.sent {
                Sent::Jobs(attack) => {
                    let shares: f64 = attack.strategies.iter().map(|strategy| strategy.share).sum();
                    let of_kind = |one: &Strategy| one.share / shares / 8.0 / f64::from(one.job.size_bytes);
                    attack.strategies.iter().map(of_kind).sum()
                }
                Sent::Inputs(_) => attacked.only_job().map_or(0.0, |job| 1.0 / 8.0 / f64::from(job.size_bytes)),
            };
            self.attack_bps as f64 * seconds * per_bit
        });
        innocent.saturating_add(attack as u64)
    }
}
