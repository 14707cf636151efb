//! Computes the result of a run of a network from its counters.

use super::ports::{self, Window};
use super::run_result::{
    Completion, DropCounts, Ended, GroupResult, MeasureContext, QueueSeries, ReceivedSeries, RunResult, SenderCounts,
    SeriesResult, SizeClass, WindowSeries, WorkloadContext,
};
use super::spread::{at_least, spread};
use crate::statistics::{Settled, jain_index};
use forebay_core::{Duration, Element, Time};
use forebay_sim::net::{FlowRecord, FlowSpec, NetworkOutcome, RunEnd};
use std::collections::BTreeMap;

/// A geometric mean of slowdowns that moves by less, as a share of itself, is as good as the same.
const LEAST_BIAS: f64 = 0.01;

/// Returns everything that a run reports.
pub(super) fn measure<E: Element>(outcome: &NetworkOutcome<E>, context: &MeasureContext) -> RunResult {
    let flows: Vec<&FlowRecord> = outcome.flows.iter().filter(|record| counts(record, context)).collect();
    let all = Group { workload: None, sizes: None }.measure(&flows, outcome, context);
    let starts = Starts::of(outcome, context);
    let window = Window::of(outcome, context);
    let drops = outcome.drops;
    RunResult {
        ended: match outcome.reason {
            RunEnd::Finished => Ended::Finished,
            RunEnd::Stalled => Ended::Stalled,
            RunEnd::TimeIsUp => Ended::TimeIsUp,
            RunEnd::Stopped => Ended::Stopped,
        },
        end_ns: outcome.end.since(Time::ZERO).as_ns_f64(),
        counted_ns: window.length().as_ns_f64(),
        hosts: context.host_names.len() as u64,
        access_bps: context.access_bps,
        flows_started: outcome.flows.len() as u64,
        flows: all.flows,
        completed: all.completed,
        unfinished: all.unfinished,
        endless: all.endless,
        offered_load: starts.offered_load(&flows, context),
        asked_load: context.asked_load,
        load_deviation: load_deviation(&flows, context),
        settled: settled(outcome, context),
        goodput_bps: starts.goodput_bps(&all),
        delivered_bps: window.delivered_bps(context),
        senders: senders(&flows),
        switches: window.sums(context, |link| link.from_switch),
        cards: window.sums(context, |link| !link.from_switch),
        busiest: window.busiest(context),
        longest_queue: ports::longest_queue(outcome, context),
        drops: DropCounts {
            discipline: drops.discipline,
            shared_buffer: drops.shared_buffer,
            on_link: drops.on_link,
            link_down: drops.link_down,
            no_route: drops.no_route,
            state: drops.state,
        },
        packets_injected: outcome.packets_injected,
        packets_delivered: outcome.packets_delivered,
        packets_in_network: outcome.packets_in_network,
        packet_hops: outcome.packet_hops,
        events: outcome.events,
        counters: counters(outcome),
        groups: groups(context).iter().map(|group| group.measure(&flows, outcome, context)).collect(),
        inversions: Vec::new(),
        states: Vec::new(),
        series: series(outcome, context),
    }
}

/// Returns whether a flow starts in the counted window.
pub(super) fn counts(record: &FlowRecord, context: &MeasureContext) -> bool {
    (context.counted_from..context.counted_until).contains(&record.flow.start)
}

/// Returns the completion time of a flow, and its completion time alone in the network, if it is complete.
pub(super) fn completion_time(record: &FlowRecord, context: &MeasureContext) -> Option<(Duration, Option<Duration>)> {
    let acknowledges = context.workloads[usize::from(record.flow.workload)].acknowledges;
    let waits_for_answer = context.completion == Completion::Acknowledged && acknowledges;
    let end = if waits_for_answer { record.acknowledged } else { record.received }?;
    let alone = record.alone.map(|alone| if waits_for_answer { alone.data + alone.answer } else { alone.data });
    Some((end.since(record.flow.start), alone))
}

/// Bits that the receiver has per second, until the flow was complete or the run ended.
fn goodput_bps(record: &FlowRecord, end: Time, context: &MeasureContext) -> Option<f64> {
    let so_far = || end.max(record.flow.start).since(record.flow.start);
    let took = completion_time(record, context).map_or_else(so_far, |(took, _)| took);
    (took > Duration::ZERO).then(|| record.received_bytes as f64 * 8.0 / took.as_secs_f64())
}

/// Returns the share of the flows with a deadline that were late or not complete. Flows for which the run cannot decide this are left out.
fn deadlines_missed(flows: &[&FlowRecord], end: Time, context: &MeasureContext) -> Option<f64> {
    let missed = flows.iter().filter_map(|record| {
        let deadline = context.workloads[usize::from(record.flow.workload)].lateness?.deadline(&record.flow)?;
        match completion_time(record, context) {
            Some((took, _)) => Some(record.flow.start + took > deadline),
            None => (end > deadline).then_some(true),
        }
    });
    let missed: Vec<bool> = missed.collect();
    let late = missed.iter().filter(|missed| **missed).count();
    (!missed.is_empty()).then(|| late as f64 / missed.len() as f64)
}

/// Returns the completion time over the completion time alone in the network.
pub(super) fn slowdown(took: Duration, alone: Option<Duration>) -> Option<f64> {
    let alone = alone.filter(|alone| *alone > Duration::ZERO)?;
    Some(took.as_ps() as f64 / alone.as_ps() as f64)
}

/// A workload, or all, in a size class, or all sizes.
struct Group {
    workload: Option<usize>,
    sizes: Option<SizeClass>,
}

/// All that are reported.
fn groups(context: &MeasureContext) -> Vec<Group> {
    let each = if context.workloads.len() > 1 { context.workloads.len() } else { 0 };
    let workloads = std::iter::once(None).chain((0..each).map(Some));
    let of_workload = |workload| {
        let classes = size_classes(&context.size_classes).into_iter().map(Some);
        std::iter::once(None).chain(classes).map(move |sizes| Group { workload, sizes })
    };
    workloads.flat_map(of_workload).collect()
}

/// The classes below, between and above `limits`.
fn size_classes(limits: &[u64]) -> Vec<SizeClass> {
    let starts = std::iter::once(0).chain(limits.iter().copied());
    let ends = limits.iter().copied().map(Some).chain([None]);
    let class = |(from_bytes, below_bytes): (u64, Option<u64>)| {
        let name = match (from_bytes, below_bytes) {
            (0, Some(below)) => format!("< {}", bytes(below)),
            (from, Some(below)) => format!("{} to {}", bytes(from), bytes(below)),
            (from, None) => format!(">= {}", bytes(from)),
        };
        SizeClass { name, from_bytes, below_bytes }
    };
    if limits.is_empty() { Vec::new() } else { starts.zip(ends).map(class).collect() }
}

/// Bytes with the largest unit that leaves no fraction.
fn bytes(bytes: u64) -> String {
    let units = [(1_000_000_000, "GB"), (1_000_000, "MB"), (1_000, "KB")];
    match units.into_iter().find(|(size, _)| bytes > 0 && bytes.is_multiple_of(*size)) {
        Some((size, unit)) => format!("{} {unit}", bytes / size),
        None => format!("{bytes} B"),
    }
}

impl Group {
    fn contains(&self, flow: &FlowSpec) -> bool {
        let of_workload = self.workload.is_none_or(|workload| usize::from(flow.workload) == workload);
        let of_size = |sizes: &SizeClass| {
            flow.bytes >= sizes.from_bytes && sizes.below_bytes.is_none_or(|below| flow.bytes < below)
        };
        of_workload && self.sizes.as_ref().is_none_or(of_size)
    }

    fn measure<E>(&self, flows: &[&FlowRecord], outcome: &NetworkOutcome<E>, context: &MeasureContext) -> GroupResult {
        let flows: Vec<&FlowRecord> = flows.iter().copied().filter(|record| self.contains(&record.flow)).collect();
        let fairness = jain_index(flows.iter().filter_map(|record| goodput_bps(record, outcome.end, context)));
        let deadlines_missed = deadlines_missed(&flows, outcome.end, context);
        let (endless, ending): (Vec<&FlowRecord>, Vec<&FlowRecord>) =
            flows.into_iter().partition(|record| record.flow.bytes == FlowSpec::ENDLESS);
        let times: Vec<_> = ending.iter().filter_map(|record| completion_time(record, context)).collect();
        let is_complete = |record: &&&FlowRecord| completion_time(record, context).is_some();
        let slowdowns: Vec<f64> = times.iter().filter_map(|(took, alone)| slowdown(*took, *alone)).collect();
        let took: Vec<Duration> = times.iter().map(|(took, _)| *took).collect();
        let at_least_took: Vec<Duration> = ending
            .iter()
            .map(|record| {
                let so_far = outcome.end.max(record.flow.start).since(record.flow.start);
                completion_time(record, context).map_or(so_far, |(took, _)| took)
            })
            .collect();
        let has_curve = self.workload.is_none();
        let sum: f64 = slowdowns.iter().sum();
        let mean_slowdown = (!slowdowns.is_empty()).then(|| sum / slowdowns.len() as f64);
        GroupResult {
            workload: self.workload.map(|workload| context.workloads[workload].name.clone()),
            sizes: self.sizes.clone(),
            flows: (ending.len() + endless.len()) as u64,
            completed: times.len() as u64,
            unfinished: (ending.len() - times.len()) as u64,
            endless: endless.len() as u64,
            bytes: sum_bytes(ending.iter()),
            bytes_completed: sum_bytes(ending.iter().filter(is_complete)),
            fairness,
            deadlines_missed,
            fct_ns: spread(in_ns(&took), mean_ns(&took), has_curve),
            fct_at_least_ns: at_least(in_ns(&at_least_took), mean_ns(&at_least_took)),
            slowdown: spread(slowdowns, mean_slowdown, has_curve),
        }
    }
}

/// The greatest number if it is more: sizes that are drawn may add up to that.
fn sum_bytes<'a>(flows: impl Iterator<Item = &'a &'a FlowRecord>) -> u64 {
    flows.fold(0, |sum, record| sum.saturating_add(record.flow.bytes))
}

fn in_ns(times: &[Duration]) -> Vec<f64> {
    times.iter().map(|time| time.as_ns_f64()).collect()
}

fn mean_ns(times: &[Duration]) -> Option<f64> {
    let sum: u128 = times.iter().map(|time| u128::from(time.as_ps())).sum();
    (!times.is_empty()).then(|| sum as f64 / times.len() as f64 / 1e3)
}

/// The time in which counted flows start. Flows that start at its very end are outside, so that there are as many gaps as flows.
struct Starts {
    from: Time,
    until: Time,
}

impl Starts {
    fn of<E>(outcome: &NetworkOutcome<E>, context: &MeasureContext) -> Self {
        let ends = (0..).zip(&context.workloads).filter_map(|(number, workload): (u16, &WorkloadContext)| {
            let of_workload = || outcome.flows.iter().filter(|record| record.flow.workload == number);
            let last = of_workload().next_back().map(|record| record.flow.start);
            let has_ended = workload.most_flows.is_some_and(|most| of_workload().count() as u64 >= most);
            if has_ended || context.counted_until == Time::MAX { last } else { Some(context.counted_until) }
        });
        let until = ends.max().unwrap_or(context.counted_from).min(context.counted_until);
        let cut_short = matches!(outcome.reason, RunEnd::TimeIsUp | RunEnd::Stopped);
        Self { from: context.counted_from, until: if cut_short { until.min(outcome.end) } else { until } }
    }

    fn length(&self) -> Duration {
        if self.until > self.from { self.until.since(self.from) } else { Duration::ZERO }
    }

    fn per_second(&self, bits: u128) -> Option<f64> {
        let length = self.length();
        (length > Duration::ZERO).then(|| bits as f64 / (length.as_ps() as f64 / 1e12))
    }

    fn goodput_bps(&self, all: &GroupResult) -> Option<f64> {
        self.per_second(u128::from(all.bytes_completed) * 8).filter(|_| all.flows == 0 || all.flows > all.endless)
    }

    fn offered_load(&self, flows: &[&FlowRecord], context: &MeasureContext) -> Option<f64> {
        // What is always under way has no size, so it is no load, not even none.
        if !flows.is_empty() && flows.iter().all(|record| record.flow.bytes == FlowSpec::ENDLESS) {
            return None;
        }
        let flows = flows.iter().map(|record| &record.flow);
        let ending = flows.filter(|flow| flow.bytes != FlowSpec::ENDLESS && flow.start < self.until);
        let bits = ending.map(|flow| wire_bytes(flow, &context.workloads[usize::from(flow.workload)]) * 8).sum();
        Some(self.per_second(bits)? / context.access_bps.max(1) as f64)
    }
}

/// Returns the deviation of the sum of these flows' sizes, over the sum: flows start at random, so each adds the square of its size to the
/// variance.
fn load_deviation(flows: &[&FlowRecord], context: &MeasureContext) -> Option<f64> {
    let flows = flows.iter().map(|record| &record.flow).filter(|flow| flow.bytes != FlowSpec::ENDLESS);
    let sizes = flows.map(|flow| wire_bytes(flow, &context.workloads[usize::from(flow.workload)]) as f64);
    let (sum, squares) = sizes.fold((0.0, 0.0), |(sum, squares), size| (sum + size, squares + size * size));
    (sum > 0.0).then(|| squares.sqrt() / sum)
}

/// When flows had settled: of the logarithms of their slowdowns, in the order in which they start. With logarithms, few large numbers do not
/// decide alone.
fn settled<E>(outcome: &NetworkOutcome<E>, context: &MeasureContext) -> Option<Settled> {
    if !context.is_steady {
        return None;
    }
    let of = |record: &FlowRecord| {
        let (took, alone) = completion_time(record, context)?;
        Some((record.flow.start, slowdown(took, alone)?.ln()))
    };
    let starting = outcome.flows.iter().filter(|record| record.flow.start < context.counted_until);
    let (starts, slowdowns): (Vec<Time>, Vec<f64>) = starting.filter_map(of).unzip();
    let counted = starts.partition_point(|start| *start < context.counted_from);
    Settled::of(&slowdowns, counted, LEAST_BIAS, |place| match place {
        0 => 0.0,
        _ => starts.get(place).map_or(0.0, |start| start.since(Time::ZERO).as_ns_f64()),
    })
}

/// Returns the bytes that a flow needs on the wire without retransmissions.
fn wire_bytes(flow: &FlowSpec, workload: &WorkloadContext) -> u128 {
    let (full, header) = workload.segment_bytes;
    let segments = flow.bytes.div_ceil(u64::from(full.saturating_sub(header).max(1)));
    u128::from(flow.bytes) + u128::from(segments) * u128::from(header)
}

fn senders(flows: &[&FlowRecord]) -> SenderCounts {
    flows.iter().fold(SenderCounts::default(), |sum, record| SenderCounts {
        data_segments: sum.data_segments + record.sender.data_segments,
        retransmissions: sum.retransmissions + record.sender.retransmissions,
        timeouts: sum.timeouts + record.sender.timeouts,
        handshake_timeouts: sum.handshake_timeouts + record.sender.handshake_timeouts,
        fast_retransmits: sum.fast_retransmits + record.sender.fast_retransmits,
    })
}

fn counters<E: Element>(outcome: &NetworkOutcome<E>) -> BTreeMap<String, u64> {
    let mut sums = BTreeMap::new();
    let all = outcome.elements.iter().flat_map(|(element, _)| element.counters());
    for counter in all.filter(|counter| counter.value > 0) {
        *sums.entry(counter.name.to_owned()).or_default() += counter.value;
    }
    sums
}

fn series<E>(outcome: &NetworkOutcome<E>, context: &MeasureContext) -> Option<SeriesResult> {
    let (series, sampling) = (outcome.series.as_ref()?, context.sampling.as_ref()?);
    let queues = sampling.links.iter().zip(&series.queue_bytes);
    let windows = sampling.flows.iter().zip(&series.window_bytes);
    let received = sampling.flows.iter().zip(&series.received_bytes);
    Some(SeriesResult {
        times_ns: series.times.iter().map(|time| time.since(Time::ZERO).as_ns_f64()).collect(),
        queues: queues
            .map(|(&link, bytes)| QueueSeries { link: context.links[link].name.clone(), bytes: bytes.clone() })
            .collect(),
        windows: windows.map(|(&flow, bytes)| WindowSeries { flow, bytes: bytes.clone() }).collect(),
        received: received.map(|(&flow, bytes)| ReceivedSeries { flow, bytes: bytes.clone() }).collect(),
    })
}

#[cfg(test)]
#[path = "measure_tests.rs"]
mod tests;
