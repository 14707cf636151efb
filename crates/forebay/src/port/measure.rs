//! One run: one policy with one value of each axis, in one repetition.

use super::bound_rows::{BOUNDS, BoundRows};
use super::by_rank::{RankNumbers, bins};
use super::entered_queues::{EnteredQueues, Noting};
use super::packet_rows::{PACKETS, packet_row};
use super::result::{ClassReport, Counts, Parts, RunResult, counters, quantiles};
use super::run_evidence::Seen;
use super::{Cell, Setting};
use crate::detail::{DetailTable, Part, PartWriter, Rows};
use crate::error::Result;
use crate::observer::{Meter, Observer};
use crate::op_streams::{Recorder, Recording};
use crate::openqueue;
use crate::run::{Job, Made};
use crate::scenario::{
    EngineKind, NamedPolicy, OqPlan, Plan, Sinks, discipline, flow_discipline, marking, tree_discipline,
};
use forebay_core::{Discipline, Element, ParamValue, Seed};
use forebay_engine::{Engine, EngineOptions, Reference};
use forebay_sched::{Below, NodeSpec, RankUnit, Wrapped};
use forebay_sim::probes::{Departures, InversionCount, Inversions, PacketLog, PerRank, QueueLength, Traffic};
use forebay_sim::{EndReason, Port, PortOutcome, Probe, RunOptions};
use serde_json::{Value, json};
use std::cell::Cell as Changing;
use std::collections::BTreeMap;

/// A run to make.
pub(super) struct PortJob<'a> {
    pub(super) cell: &'a Cell,
    pub(super) seed: Seed,
    /// Whether this run records curves and series.
    pub(super) is_first: bool,
    /// Whether the run can be left out after an interrupt, since there are others.
    pub(super) is_repeated: bool,
    /// The recorder of its op streams, and the number of its line there.
    pub(super) recorder: Option<(&'a Recorder, usize, &'a dyn Observer)>,
}

impl Job for PortJob<'_> {
    type Result = RunResult;

    fn length(&self) -> u64 {
        match self.cell.setting.traffic.max_packets() {
            u64::MAX => 0,
            packets => packets,
        }
    }

    fn tables(&self) -> Vec<&'static DetailTable> {
        let setting = &self.cell.setting;
        let tables = [setting.records_packets.then_some(&PACKETS), setting.records_bounds.then_some(&BOUNDS)];
        tables.into_iter().flatten().collect()
    }

    fn make(&self, rows: &Rows<'_>, progress: &Meter<'_>) -> Result<Option<Made<RunResult>>> {
        if self.is_repeated && !progress.goes_on() {
            return Ok(None);
        }
        let recording = match self.recorder {
            Some((recorder, line, _)) => recorder.start(line)?,
            None => None,
        };
        let sinks = recording.as_ref().map_or_else(Sinks::new, Recording::sinks);
        let mut packets = if self.cell.setting.records_packets { rows.begin(&PACKETS)? } else { None };
        let mut bounds = BoundRows::default();
        let (mut result, outcome) = self.run(sinks, &mut bounds, packets.as_mut(), progress)?;
        if let (Some(recording), Some((.., observer))) = (recording, self.recorder) {
            if outcome.reason == EndReason::Stopped {
                recording.leave_out(observer);
            } else {
                recording.finish(observer)?;
            }
        }
        if outcome.reason == EndReason::Stopped && self.is_repeated {
            return Ok(None);
        }
        if !self.is_first {
            result.queue_length = None;
            result.delay_curve = Vec::new();
        }
        let mut parts: Vec<Part> = packets.map(PartWriter::finish).transpose()?.into_iter().collect();
        if self.cell.setting.records_bounds
            && let Some(mut part) = rows.begin(&BOUNDS)?
        {
            bounds.write(self.cell.setting.traffic.ranks(), &mut part);
            parts.push(part.finish()?);
        }
        Ok(Some(Made { result, parts, is_whole: outcome.reason != EndReason::Stopped }))
    }
}

impl PortJob<'_> {
    fn run(
        &self,
        sinks: Sinks,
        bounds: &mut BoundRows,
        packets: Option<&mut PartWriter>,
        progress: &Meter<'_>,
    ) -> Result<(RunResult, PortOutcome)> {
        let records_bounds = self.cell.setting.records_bounds;
        match &self.cell.policy.discipline {
            Plan::Parts(spec) => {
                let told = |queue| if records_bounds { bounds.of(spec, queue) } else { queue };
                self.discipline(discipline(spec, sinks, told)?, packets, progress)
            }
            Plan::Flows(spec) => self.discipline(flow_discipline(spec)?, packets, progress),
            Plan::Tree(spec, ..) => {
                let told = |node: &Wrapped<'_>, queue| if records_bounds { bounds.of_node(node, queue) } else { queue };
                self.discipline(tree_discipline(spec, sinks, told)?, packets, progress)
            }
            Plan::OpenQueue(plan) => Ok(match plan.engine {
                EngineKind::Fast => self.openqueue(openqueue::fast, plan, packets, progress),
                EngineKind::Reference => self.openqueue(Reference::new, plan, packets, progress),
            }),
        }
    }

    /// A policy that is this discipline, with its mark rule.
    fn discipline<D: Discipline>(
        &self,
        discipline: D,
        packets: Option<&mut PartWriter>,
        progress: &Meter<'_>,
    ) -> Result<(RunResult, PortOutcome)> {
        let Cell { setting, policy, .. } = self.cell;
        Ok(match policy.discipline.mark() {
            None => {
                let (result, outcome, _) = self.watched(discipline, packets, progress);
                (result, outcome)
            }
            Some(mark) => {
                let marking = marking(discipline, mark, setting.rate, self.seed)?;
                let (result, outcome, _) = self.watched(marking, packets, progress);
                (result, outcome)
            }
        })
    }

    /// A policy in OpenQueue on one of the engines.
    fn openqueue<E: Engine>(
        &self,
        build: impl Fn(&forebay_lang::Policy, EngineOptions) -> E + Send + 'static,
        plan: &OqPlan,
        packets: Option<&mut PartWriter>,
        progress: &Meter<'_>,
    ) -> (RunResult, PortOutcome) {
        let element = openqueue::element(build, plan, self.seed);
        let (mut result, outcome, mut element) = match packets {
            Some(packets) if plan.policy.queues.len() > 1 => {
                let entered = EnteredQueues::default();
                let noting = Noting::new(element, entered.clone());
                let queue =
                    |packet| entered.take(packet).map(|queue| plan.policy.queues[usize::from(queue.0)].name.as_str());
                let (result, outcome, noting) = self.logged(noting, packets, queue, progress);
                (result, outcome, noting.into_element())
            }
            packets => self.watched(element, packets, progress),
        };
        // Between the last packet and the end.
        element.catch_up(outcome.end);
        result.openqueue = Some(openqueue::describe(plan, &element));
        (result, outcome)
    }

    /// The result, how the run ended, and what is left of the policy. With a probe that writes a row for each packet, if that is asked
    /// for.
    fn watched<D: Element>(
        &self,
        element: D,
        packets: Option<&mut PartWriter>,
        progress: &Meter<'_>,
    ) -> (RunResult, PortOutcome, D) {
        match packets {
            Some(packets) => self.logged(element, packets, |_| None, progress),
            None => {
                let (result, outcome, element, ()) = self.watched_with_ranks((), element, progress);
                (result, outcome, element)
            }
        }
    }

    /// With a probe that writes a row for each packet; `queue` gives the name of the queue that a packet entered.
    fn logged<'n, D: Element>(
        &self,
        element: D,
        packets: &mut PartWriter,
        queue: impl Fn(u64) -> Option<&'n str>,
        progress: &Meter<'_>,
    ) -> (RunResult, PortOutcome, D) {
        let log = PacketLog::new(|logged| packets.row(&packet_row(logged, queue(logged.packet.id))));
        let (result, outcome, element, log) = self.watched_with_ranks(log, element, progress);
        log.finish();
        (result, outcome, element)
    }

    /// With a probe for ranks, where there are any.
    fn watched_with_ranks<P: Probe, D: Element>(
        &self,
        probe: P,
        element: D,
        progress: &Meter<'_>,
    ) -> (RunResult, PortOutcome, D, P) {
        match self.cell.setting.traffic.ranks() {
            None => self.watched_by(probe, element, progress),
            Some(pattern) => {
                let ranked = PerRank::new(bins(pattern));
                let (result, outcome, element, (ranked, probe)) = self.watched_by((ranked, probe), element, progress);
                let ranks = Some(RankNumbers::new(pattern, ranked.bins()));
                (RunResult { ranks, ..result }, outcome, element, probe)
            }
        }
    }

    fn watched_by<P: Probe, D: Element>(
        &self,
        probe: P,
        element: D,
        progress: &Meter<'_>,
    ) -> (RunResult, PortOutcome, D, P) {
        let Cell { setting, policy, .. } = self.cell;
        let Setting { rate, until, traffic, .. } = setting.as_ref();
        let watch_order = (Inversions::among(policy.discipline.comparable_classes()), Departures::default());
        let probes = ((Traffic::default(), probe), (watch_order, QueueLength::default()));
        let mut port = Port::new(*rate, element, probes);
        let mut source = traffic.open(self.seed);
        let reported = Changing::new(0);
        let go_on = |offered: u64| {
            progress.add(offered - reported.replace(offered));
            progress.goes_on()
        };
        let outcome = port.run(source.as_mut(), &RunOptions { until: *until, go_on: &go_on });
        let (element, ((counted, probe), ((inversions, departures), queue_length))) = port.into_parts();

        let total = counted.total();
        assert_eq!(total.packets_queued(), outcome.packets_queued, "every packet is out, dropped or queued");
        let seconds = outcome.end.as_secs_f64();
        let capacity_bits = seconds * rate.bits_per_second() as f64 * element.links() as f64;
        let share = |bytes: u64| if capacity_bits > 0.0 { bytes as f64 * 8.0 / capacity_bits } else { 0.0 };
        let classes: Vec<ClassReport> = counted
            .classes()
            .map(|(class, traffic)| ClassReport::new(class, Counts::new(traffic, inversions.of_class(class), seconds)))
            .collect();
        let all_inversions = classes.iter().fold(InversionCount::default(), |sum, class| InversionCount {
            inversions: sum.inversions + class.counts.inversions,
            overtaken: sum.overtaken + class.counts.overtaken,
        });
        let last_queued = queue_length.last_queued();
        let queue_length = queue_length.series(outcome.end);
        let asked = traffic.asked_bps().map(|bps| bps / (rate.bits_per_second() as f64 * element.links() as f64));
        let seen = asked.map(|asked| Seen::new(asked, last_queued, &queue_length));
        let result = RunResult {
            parts: parts(policy),
            complete: outcome.reason == EndReason::Finished,
            clock_ended: outcome.reason == EndReason::ClockOverflow,
            end_ns: outcome.end.as_ps() as f64 / 1e3,
            offered_load: share(total.bytes_in),
            utilisation: share(total.bytes_out),
            mean_queue_packets: queue_length.mean(outcome.end),
            max_queue_packets: queue_length.max(),
            counts: Counts::new(&total, all_inversions, seconds),
            counters: counters(&element.counters()),
            departures: departures.to_string(),
            openqueue: None,
            classes,
            ranks: None,
            queue_length: Some(queue_length),
            seen,
            delay_curve: quantiles().map(|q| total.delay_quantile_ns(q)).collect(),
        };
        (result, outcome, element, probe)
    }
}

fn parts(policy: &NamedPolicy<Plan>) -> Parts {
    let plan = &policy.discipline;
    Parts {
        rank: plan.rank(),
        queue: plan.queue(),
        parameters: parameters(plan),
        drop: plan.drop_rule().to_owned(),
        mark: plan.mark().map(|mark| mark.name.clone()),
        pace: plan.pace().map(|pace| pace.name.clone()),
        buffer: plan.buffer().map(|buffer| buffer.to_string()),
        rank_unit: match plan.rank_unit() {
            RankUnit::Linear(unit) => unit.get().into(),
            RankUnit::Float { mantissa_bits } => json!({ "steps_per_doubling": 1_u64 << mantissa_bits }),
        },
    }
}

/// The parameters of a queue; of a policy in OpenQueue its file and the values of its params.
fn parameters(plan: &Plan) -> BTreeMap<String, Value> {
    match plan {
        Plan::Parts(spec) | Plan::Flows(spec) => {
            spec.queue.params.iter().map(|(name, value)| (name.clone(), as_json(value))).collect()
        }
        Plan::Tree(spec, ..) => {
            let mut all: BTreeMap<String, Value> =
                spec.queue.params.iter().map(|(name, value)| (name.clone(), as_json(value))).collect();
            add_own_parameters(&spec.root, "root", &mut all);
            all
        }
        Plan::OpenQueue(plan) => {
            let params = openqueue::params(&plan.policy).map(|param| (param.name, param.value.into()));
            params.chain([("policy".to_owned(), plan.file.as_str().into())]).collect()
        }
    }
}

/// Adds the parameters of queues that nodes have of their own, each with its node, as in `root.0.queues`.
fn add_own_parameters(node: &NodeSpec, name: &str, all: &mut BTreeMap<String, Value>) {
    let own = node.queue.iter().flat_map(|queue| &queue.params);
    all.extend(own.map(|(param, value)| (format!("{name}.{param}"), as_json(value))));
    if let Below::Children(children) = &node.below {
        for (number, child) in children.iter().enumerate() {
            add_own_parameters(child, &format!("{name}.{number}"), all);
        }
    }
}

fn as_json(value: &ParamValue) -> Value {
    match value {
        ParamValue::Integer(number) => (*number).into(),
        ParamValue::Number(number) => (*number).into(),
        ParamValue::Text(text) => text.as_str().into(),
        ParamValue::Boolean(boolean) => (*boolean).into(),
        ParamValue::List(items) => items.iter().map(as_json).collect(),
        ParamValue::Table(entries) => entries.iter().map(|(key, value)| (key.clone(), as_json(value))).collect(),
    }
}
