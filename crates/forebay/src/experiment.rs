//! Runs a scenario: every policy on the same packets, spread over cores.

use crate::error::Result;
use crate::observer::{Meter, Observer, Unit};
use crate::op_streams::{Recorder, Recording};
use crate::openqueue;
use crate::report::{ClassReport, Counts, PolicyReport, PortReport, Report, counters, quantiles};
use crate::scenario::{
    EngineKind, OqPlan, Plan, Policy, Scenario, Sinks, discipline, flow_discipline, marking, tree_discipline,
};
use forebay_core::{Discipline, Element, Seed};
use forebay_engine::{Engine, Options, Reference};
use forebay_sim::probes::{Departures, InversionCount, Inversions, QueueLength, Traffic};
use forebay_sim::{EndReason, Outcome, Port, RunOptions};
use rayon::prelude::*;
use std::cell::Cell;

/// Said where a run came to the end of the clock.
pub(crate) const CLOCK_ENDED: &str = "the clock ends after 213 days of simulated time; what comes later is left out";

/// Runs all policies, and records what their queues do, if that is wanted. The result does not
/// depend on the number of threads.
pub(crate) fn run(scenario: &Scenario, recorder: Option<&Recorder>, observer: &dyn Observer) -> Result<Report> {
    let packets = scenario.traffic.max_packets();
    let all = (packets < u64::MAX).then(|| packets.saturating_mul(scenario.policies.len() as u64));
    let progress = Meter::new(observer, Unit::Packets, all);
    let results = scenario
        .policies
        .par_iter()
        .enumerate()
        .map(|(number, policy)| {
            let recording = recorder.map_or(Ok(None), |recorder| recorder.start(number))?;
            let sinks = recording.as_ref().map_or_else(Sinks::new, Recording::sinks);
            let ran = run_policy(scenario, policy, sinks, &progress)?;
            recording.map_or(Ok(()), |recording| recording.finish(observer))?;
            Ok(ran)
        })
        .collect::<Result<Vec<_>>>()?;
    progress.finish();
    let (results, overflowed): (Vec<_>, Vec<_>) = results.into_iter().unzip();
    let mut warnings = scenario.traffic.warnings();
    if overflowed.contains(&true) {
        warnings.push(CLOCK_ENDED.to_owned());
    }
    Ok(Report {
        forebay: env!("CARGO_PKG_VERSION"),
        scenario: scenario.name.clone(),
        seed: scenario.seed.0,
        port: PortReport {
            rate_bps: scenario.rate.bits_per_second(),
            buffer: scenario.buffer.map(|buffer| buffer.to_string()),
        },
        warnings,
        results,
    })
}

/// The report, and whether the clock came to its end.
fn run_policy(
    scenario: &Scenario,
    policy: &Policy<Plan>,
    sinks: Sinks,
    progress: &Meter<'_>,
) -> Result<(PolicyReport, bool)> {
    let (report, outcome) = match &policy.discipline {
        Plan::Parts(spec) => run_discipline(scenario, policy, discipline(spec, sinks)?, progress)?,
        Plan::Flows(spec) => run_discipline(scenario, policy, flow_discipline(spec)?, progress)?,
        Plan::Tree(spec, ..) => run_discipline(scenario, policy, tree_discipline(spec, sinks)?, progress)?,
        Plan::OpenQueue(plan) => match plan.engine {
            EngineKind::Fast => run_openqueue(openqueue::fast, plan, scenario, policy, progress),
            EngineKind::Reference => run_openqueue(Reference::new, plan, scenario, policy, progress),
        },
    };
    Ok((report, outcome.reason == EndReason::ClockOverflow))
}

/// Runs a policy that is this discipline, with its mark rule.
fn run_discipline<D: Discipline>(
    scenario: &Scenario,
    policy: &Policy<Plan>,
    discipline: D,
    progress: &Meter<'_>,
) -> Result<(PolicyReport, Outcome)> {
    let (report, outcome) = match policy.discipline.mark() {
        None => {
            let (report, outcome, _) = run_element(scenario, policy, discipline, progress);
            (report, outcome)
        }
        Some(mark) => {
            let marking = marking(discipline, mark, scenario.rate, scenario.seed)?;
            let (report, outcome, _) = run_element(scenario, policy, marking, progress);
            (report, outcome)
        }
    };
    Ok((report, outcome))
}

/// Runs a policy in OpenQueue on one of the engines.
fn run_openqueue<E: Engine>(
    build: impl Fn(&forebay_lang::Policy, Options) -> E + Send + 'static,
    plan: &OqPlan,
    scenario: &Scenario,
    policy: &Policy<Plan>,
    progress: &Meter<'_>,
) -> (PolicyReport, Outcome) {
    let element = openqueue::element(build, plan, scenario.seed);
    let (mut report, outcome, mut element) = run_element(scenario, policy, element, progress);
    // Between the last packet and the end.
    element.catch_up(outcome.end);
    report.openqueue = Some(openqueue::describe(plan, &element));
    (report, outcome)
}

/// Runs a policy: the report, how the run ended, and what is left of the policy.
fn run_element<D: Element>(
    scenario: &Scenario,
    policy: &Policy<Plan>,
    discipline: D,
    progress: &Meter<'_>,
) -> (PolicyReport, Outcome, D) {
    let watch_order = (Inversions::among(policy.discipline.comparable_classes()), Departures::default());
    let probes = (Traffic::default(), (watch_order, QueueLength::default()));
    let mut port = Port::new(scenario.rate, discipline, probes);
    let mut source = scenario.traffic.open(Seed(scenario.seed.0));
    let reported = Cell::new(0);
    let go_on = |offered: u64| {
        progress.add(offered - reported.replace(offered));
        progress.goes_on()
    };
    let outcome = port.run(source.as_mut(), &RunOptions { until: scenario.until, go_on: &go_on });
    let (discipline, (traffic, ((inversions, departures), queue_length))) = port.into_parts();

    let total = traffic.total();
    assert_eq!(total.packets_queued(), outcome.packets_queued, "every packet is out, dropped or queued");
    let seconds = outcome.end.as_secs_f64();
    let capacity_bits = seconds * scenario.rate.bits_per_second() as f64 * discipline.links() as f64;
    let share = |bytes: u64| if capacity_bits > 0.0 { bytes as f64 * 8.0 / capacity_bits } else { 0.0 };
    let classes: Vec<ClassReport> = traffic
        .classes()
        .map(|(class, traffic)| ClassReport::new(class, Counts::new(traffic, inversions.of_class(class), seconds)))
        .collect();
    let all_inversions = classes.iter().fold(InversionCount::default(), |sum, class| InversionCount {
        inversions: sum.inversions + class.counts.inversions,
        overtaken: sum.overtaken + class.counts.overtaken,
    });
    let report = PolicyReport {
        policy: policy.name.clone(),
        rank: policy.discipline.rank(),
        queue: policy.discipline.queue().to_owned(),
        drop: policy.discipline.drop_rule().to_owned(),
        mark: policy.discipline.mark().map(|mark| mark.name.clone()),
        complete: outcome.reason == EndReason::Finished,
        end_ns: outcome.end.as_ps() as f64 / 1e3,
        offered_load: share(total.bytes_in),
        utilisation: share(total.bytes_out),
        counts: Counts::new(&total, all_inversions, seconds),
        counters: counters(&discipline.counters()),
        departures: departures.to_string(),
        openqueue: None,
        classes,
        queue_length: queue_length.series(outcome.end),
        delay_curve: quantiles().map(|q| total.delay_quantile_ns(q)).collect(),
    };
    (report, outcome, discipline)
}
