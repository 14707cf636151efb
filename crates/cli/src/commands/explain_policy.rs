//! `forebay explain FILE.oq`: describes a policy, and how the fast engine would run it.

use crate::Done;
use crate::args::ParamArgs;
use crate::error::{Result, UserError};
use crate::policy_file::{PolicyFile, show};
use forebay::openqueue;
use forebay_core::{BufferSize, QueueId};
use forebay_engine::fast::plan::{
    Choice, ClassifierPlan, ConditionPlan, End, Operations, Plan, QueueStructure, Sorted,
};
use forebay_lang::ir::{
    Buffer, Comparator, Cond, Condition, Entry, PacketField, Port, PortRate, Queue, holds_at_most, is_proved,
};
use forebay_lang::{Policy, Severity};
use std::path::Path;

pub(crate) fn run(path: &Path, params: &ParamArgs) -> Result<Done> {
    let file = PolicyFile::read(path)?;
    let analysis = file.analysis(params);
    show(&file, &analysis.diagnostics);
    let Some(policy) = analysis.policy else {
        let errors = analysis.diagnostics.iter().filter(|said| said.severity == Severity::Error).count();
        return Err(UserError::at(&file.name, format!("cannot be used; the errors are shown above ({errors} in all)")));
    };
    Ok(Done::ok(explain(&file.name, &policy)))
}

/// The description of a policy.
fn explain(name: &str, policy: &Policy) -> String {
    let plan = Plan::new(policy);
    let mut page = Page { policy, text: format!("{name}\n") };
    let params: Vec<_> = openqueue::params(policy).map(|param| format!("{} = {}", param.name, param.value)).collect();
    if !params.is_empty() {
        page.line("params", &params.join(", "));
    }
    let live: Vec<_> = policy.parameters.iter().map(|parameter| parameter.name.as_str()).collect();
    if !live.is_empty() {
        page.line("live", &live.join(", "));
    }
    let routines: Vec<_> =
        policy.routines.iter().map(|routine| format!("{}({})", routine.name, routine.arguments.join(", "))).collect();
    if !routines.is_empty() {
        page.line("actions", &format!("{}, which a program provides", routines.join(", ")));
    }
    let needs = needs(policy);
    page.line("reads", if needs.is_empty() { "only fields that every packet has" } else { &needs });
    page.line("enters", &classifier(policy, plan.classifier));
    page.entries("", &policy.classify);
    if let Some(number) = &policy.policy_id {
        page.line("version", &format!("{number}, while packets wait under that version; otherwise the newest"));
    }
    page.all(
        "queue",
        &policy.queues,
        |queue| &queue.name,
        |queue, place, page| {
            page.queue(queue, &plan.queues[place]);
        },
    );
    page.all(
        "port",
        &policy.ports,
        |port| &port.name,
        |port, place, page| {
            page.port(port, &plan.ports[place]);
        },
    );
    page.all(
        "buffer",
        &policy.buffers,
        |buffer| &buffer.name,
        |buffer, place, page| {
            page.buffer(buffer, &plan.buffers[place]);
        },
    );
    page.text
}

/// The text so far.
struct Page<'a> {
    policy: &'a Policy,
    text: String,
}

impl Page<'_> {
    fn line(&mut self, what: &str, text: &str) {
        self.text += &format!("  {what:12}{}\n", self.named(text));
    }

    /// The cases that say which queue a packet enters.
    fn entries(&mut self, what: &str, entries: &[Entry]) {
        for (index, entry) in entries.iter().enumerate() {
            let name = |id: &QueueId| self.policy.queues[usize::from(id.0)].name.as_str();
            let queue = match &entry.queues[..] {
                [only] => name(only).to_owned(),
                [first, .., last] => format!("{} to {}, at {}", name(first), name(last), entry.index),
                [] => String::new(),
            };
            let what = if index == 0 { what } else { "" };
            self.line(what, &format!("{}. {}: {queue}", index + 1, entry.when));
        }
    }

    /// Replaces numbers of objects by their names.
    fn named(&self, text: &str) -> String {
        let mut parts = text.split('#');
        let mut out = parts.next().unwrap_or_default().to_owned();
        for part in parts {
            let end = part.find(|c: char| !c.is_ascii_digit()).unwrap_or(part.len());
            let place: usize = part[..end].parse().unwrap_or(usize::MAX);
            let kinds: [(&str, Option<&str>); 5] = [
                ("action", self.policy.routines.get(place).map(|routine| routine.name.as_str())),
                ("queue", self.policy.queues.get(place).map(|queue| queue.name.as_str())),
                ("port", self.policy.ports.get(place).map(|port| port.name.as_str())),
                ("buffer", self.policy.buffers.get(place).map(|buffer| buffer.name.as_str())),
                ("param", self.policy.parameters.get(place).map(|parameter| parameter.name.as_str())),
            ];
            let found = kinds.into_iter().find_map(|(kind, name)| Some((out.strip_suffix(kind)?.len(), name?)));
            if let Some((length, name)) = found {
                out.truncate(length);
                out += name;
            }
            out += &part[end..];
        }
        out
    }

    /// Describes all objects of a kind. Neighbours with the same description share it.
    fn all<T>(
        &mut self,
        kind: &str,
        objects: &[T],
        name: impl Fn(&T) -> &String,
        describe: impl Fn(&T, usize, &mut Page<'_>),
    ) {
        let mut groups: Vec<(&str, &str, String)> = Vec::new();
        for (place, object) in objects.iter().enumerate() {
            let mut own = Page { policy: self.policy, text: String::new() };
            describe(object, place, &mut own);
            match groups.last_mut() {
                Some((_, last, said)) if *said == own.text => *last = name(object),
                _ => groups.push((name(object), name(object), own.text)),
            }
        }
        for (first, last, said) in groups {
            let names =
                if first == last { format!("{kind} {first}") } else { format!("{kind}s {first} to {last}, all alike") };
            self.text += &format!("\n{names}\n{said}");
        }
    }

    fn queue(&mut self, queue: &Queue, plan: &forebay_engine::fast::plan::QueuePlan) {
        self.line("size", &size(queue.size, &queue.congestion));
        self.line("serves", &order(&queue.processing, Kind::Service));
        self.line("drops", &order(&queue.admission, Kind::Victims));
        self.condition("congestion", &queue.congestion, plan.congestion);
        self.line("structure", &structure(plan.structure));
        self.line("", &plan.why);
        self.line("arrival", &operations(plan.arrival));
        self.line("service", &operations(plan.service));
    }

    fn port(&mut self, port: &Port, plan: &forebay_engine::fast::plan::PortPlan) {
        self.line(
            "rate",
            &match port.rate {
                PortRate::Percent(percent) => format!("{percent} % of its link"),
                PortRate::Rate(rate) => rate.to_string(),
            },
        );
        if port.queues.len() > 1 {
            self.line("serves", &order(&port.scheduling, Kind::Queues));
        }
        self.line("choice", &choice(plan.scheduling, port.queues.len()));
        if !port.after.cases.is_empty() {
            self.condition("afterwards", &port.after, plan.after);
        }
        let Some(next) = &port.next else { return };
        self.entries("leads to", &next.entries);
        if let Some(eligible) = &next.eligible {
            self.line("eligible", &format!("queues with packets and {eligible}"));
        }
    }

    fn buffer(&mut self, buffer: &Buffer, plan: &forebay_engine::fast::plan::BufferPlan) {
        self.line("size", &size(buffer.size, &buffer.congestion));
        match &buffer.admission {
            Some(admission) => self.line("drops from", &order(admission, Kind::Queues)),
            None => self.line("drops from", "the queue that the arriving packet entered"),
        }
        self.line("choice", &choice(plan.admission, buffer.queues.len()));
        self.condition("congestion", &buffer.congestion, plan.congestion);
    }

    fn condition(&mut self, what: &str, condition: &Condition, plan: ConditionPlan) {
        let run = match plan {
            ConditionPlan::Nothing => "does nothing".to_owned(),
            ConditionPlan::TailDrop { from } => format!("one comparison: drops while there are {from} or more"),
            ConditionPlan::Compiled { cases: 1 } => "one case, compiled".to_owned(),
            ConditionPlan::Compiled { cases } => format!("{cases} cases, compiled; the first that holds acts"),
        };
        let name = if condition.name.is_empty() { String::new() } else { format!("{}: ", condition.name) };
        self.line(what, &format!("{name}{run}"));
        for (index, case) in condition.cases.iter().enumerate() {
            let actions: Vec<_> = case.actions.iter().map(ToString::to_string).collect();
            self.line("", &format!("{}. {}: {}", index + 1, case.when, actions.join(", ")));
        }
    }
}

/// A size, and the part of it that can be used (6.9 of the semantics).
fn size(size: BufferSize, condition: &Condition) -> String {
    let most = holds_at_most(condition, size);
    match size {
        BufferSize::Packets(all) | BufferSize::Bytes(all) if most >= all => size.to_string(),
        BufferSize::Packets(_) => format!("{size}, of which its condition allows {most}"),
        BufferSize::Bytes(_) => format!("{size}, of which its condition allows {most} B"),
    }
}

/// The fields of packets that the policy reads, except those that every packet has by itself.
fn needs(policy: &Policy) -> String {
    let mut fields = Vec::new();
    policy.reads(&mut |read| {
        if let Some(field) = read.of_packets()
            && !matches!(field, PacketField::Arrival | PacketField::Size | PacketField::PolicyId)
            && !fields.contains(&field)
        {
            fields.push(field);
        }
    });
    let names: Vec<_> =
        PacketField::ALL.iter().filter(|field| fields.contains(field)).map(|field| field.word()).collect();
    if names.is_empty() { String::new() } else { format!("of packets: {}", names.join(", ")) }
}

fn classifier(policy: &Policy, plan: ClassifierPlan) -> String {
    match plan {
        ClassifierPlan::One if policy.has_stages() => "there is one queue into which no port leads".to_owned(),
        ClassifierPlan::One => "there is one queue".to_owned(),
        ClassifierPlan::Directed => {
            let among = if policy.has_stages() { ", of those into which no port leads" } else { "" };
            let last = policy.entrances().len().saturating_sub(1);
            format!("the queue that the packet is directed to, 0 to {last}{among}")
        }
        ClassifierPlan::Cases(cases) => {
            let sure = policy.classify.last().is_some_and(|entry| entry.when == Cond::Const(true));
            let rest = if sure { "" } else { "; packets for which none holds are dropped" };
            let chosen = policy.classify.iter().any(|entry| entry.queues.len() > 1);
            let range = if chosen { "; a packet whose index names no queue is dropped" } else { "" };
            match cases {
                1 => format!("by one case{rest}{range}"),
                cases => format!("by the first of {cases} cases that holds{rest}{range}"),
            }
        }
    }
}

/// The objects that an order sorts.
#[derive(Clone, Copy, PartialEq)]
enum Kind {
    Service,
    Victims,
    Queues,
}

/// An order in words.
fn order(comparator: &Comparator, kind: Kind) -> String {
    let ties = match kind {
        Kind::Service => "earliest arrival",
        Kind::Victims => "latest arrival",
        Kind::Queues => "the queue declared first",
    };
    let name = &comparator.name;
    match &comparator.keys {
        Some(keys) => {
            let mut words: Vec<String> = keys.iter().map(ToString::to_string).collect();
            let settled = match (keys.last(), kind) {
                (Some(last), Kind::Service) if last.is_arrival() => !last.descending,
                (Some(last), Kind::Victims) if last.is_arrival() => last.descending,
                _ => false,
            };
            if settled {
                words.pop();
            }
            words.push(ties.to_owned());
            format!("{name}: {}", words.join(", then "))
        }
        None if is_proved(&comparator.before) => format!("{name}: {}, then {ties}", comparator.before),
        None => format!("{name}: {} (not proved to be an order), then {ties}", comparator.before),
    }
}

fn structure(structure: QueueStructure) -> String {
    match structure {
        QueueStructure::Arrivals { latest_first: false, drop_earliest: false } => {
            "a ring in order of arrival, O(1)".to_owned()
        }
        QueueStructure::Arrivals { .. } => "a list in order of arrival, O(1)".to_owned(),
        QueueStructure::DoubleEnded(sorted) => format!("one {} with both ends open", sorting(sorted)),
        QueueStructure::TwoEnded { service, victims } => {
            format!("two: {} for service, {} for victims", end(service), end(victims))
        }
    }
}

fn sorting(sorted: Sorted) -> String {
    match sorted {
        Sorted::Buckets { ranks } => format!("HFFS of {ranks} ranks, O(1),"),
        Sorted::Heap { bits } => format!("heap of {bits}-bit keys, O(log n),"),
    }
}

fn end(end: End) -> String {
    match end {
        End::Arrival { .. } => "a list in order of arrival, O(1)".to_owned(),
        End::Sorted(sorted) => format!("an {}", sorting(sorted).trim_end_matches(',')).replace("an heap", "a heap"),
        End::Scan => "a comparison of all packets, O(n)".to_owned(),
    }
}

fn choice(choice: Choice, queues: usize) -> String {
    match choice {
        Choice::Only => "the only queue".to_owned(),
        Choice::Arriving => "known from the packet".to_owned(),
        Choice::Constant => "the order never changes: the first bit that is set".to_owned(),
        Choice::Longest => format!("the longest of {queues}: their counts stand side by side"),
        Choice::Keys { bits } => format!("a key of {bits} bits for each of {queues} queues; all are compared"),
        Choice::Tournament { bits } => format!("a tournament of {queues} keys of {bits} bits, O(log queues)"),
        Choice::Scan => format!("a comparison of all {queues} queues by their comparator"),
    }
}

fn operations(operations: Operations) -> String {
    let Operations { orders, choices, keys, cases } = operations;
    let parts = [
        (orders, "change of an order", "changes of orders"),
        (choices, "choice of a queue", "choices of a queue"),
        (keys, "key of a queue", "keys of queues"),
        (cases, "case at most", "cases at most"),
    ];
    let said = parts.iter().filter(|(count, ..)| *count > 0).map(|(count, one, many)| match count {
        1 => format!("1 {one}"),
        count => format!("{count} {many}"),
    });
    said.collect::<Vec<_>>().join(", ")
}
