//! The plan by which the fast engine runs a policy, chosen once from its text. It shows people what a policy costs.

use super::chooser::{MOST_IN_WORD, MOST_SCANNED};
use super::longest::Longest;
use super::names::Names;
use super::order::{Order, change, constant, without_arrival};
use super::program::Program;
use forebay_core::{BufferSize, QueueId};
use forebay_lang::ir::{Action, Comparator, Condition, Key, PacketField, Policy, QueueField, State};

/// Up to this many ranks, bitmaps sort packets; a heap sorts them if there are more. With this many ranks and 512 packets,
/// a packet takes 350 instructions instead of 786 (60 % less time). The lists of more ranks would take more memory than
/// the packets (8 bytes each).
pub const MOST_RANKS: u64 = 1 << 16;

/// The most ranks that are sorted by bitmaps, over all queues of a policy: 8 MB of lists.
pub const MOST_RANKS_OF_POLICY: u64 = 1 << 20;

/// How a policy is run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Plan {
    /// How the queue of a packet is found.
    pub classifier: ClassifierPlan,
    /// The plans of the queues, in order of declaration.
    pub queues: Vec<QueuePlan>,
    /// The plans of the ports, in order of declaration.
    pub ports: Vec<PortPlan>,
    /// The plans of the buffers, in order of declaration.
    pub buffers: Vec<BufferPlan>,
}

/// How the queue of a packet is found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ClassifierPlan {
    /// There is only one queue.
    One,
    /// The packet names its queue.
    Directed,
    /// This number of cases is tried in turn.
    Cases(usize),
}

/// How a queue is run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct QueuePlan {
    /// The queue's name.
    pub name: String,
    /// The structure that stores the queue's packets.
    pub structure: QueueStructure,
    /// The reason for this structure, in a sentence.
    pub why: String,
    /// How `congestion` is evaluated.
    pub congestion: ConditionPlan,
    /// The cost to admit a packet if none is dropped.
    pub arrival: Operations,
    /// The cost to serve a packet.
    pub service: Operations,
}

/// How a port is run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PortPlan {
    /// The port's name.
    pub name: String,
    /// How the queue to be served is chosen.
    pub scheduling: Choice,
    /// How `postSchedAct` is evaluated.
    pub after: ConditionPlan,
}

/// How a buffer is run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BufferPlan {
    /// The buffer's name.
    pub name: String,
    /// How the queue that loses a packet is chosen.
    pub admission: Choice,
    /// How `congestion` is evaluated.
    pub congestion: ConditionPlan,
}

/// The structure that stores the packets of a queue.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum QueueStructure {
    /// One list in order of arrival: no keys, O(1).
    Arrivals {
        /// Whether the latest is served first.
        latest_first: bool,
        /// Whether the earliest is dropped first.
        drop_earliest: bool,
    },
    /// One structure with both ends open, since the packets served last are the victims.
    DoubleEnded(Sorted),
    /// A structure for each order.
    TwoEnded {
        /// The structure for the order of service.
        service: End,
        /// The structure for the order of victims.
        victims: End,
    },
}

/// How packets are sorted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Sorted {
    /// HFFS: a list for each rank, O(1).
    Buckets {
        /// The number of ranks.
        ranks: u64,
    },
    /// A heap, O(log n).
    Heap {
        /// The number of bits that its keys of 64 or 128 bits use.
        bits: u32,
    },
}

/// The structure that maintains one order of packets.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum End {
    /// A list in order of arrival, O(1).
    Arrival {
        /// Whether the first of the order is at the end where ties have their last.
        against_ties: bool,
    },
    /// Sorted by a key.
    Sorted(Sorted),
    /// Compared by a comparator that is no list of keys of at most 128 bits: every packet is compared, O(n).
    Scan,
}

/// How one of several queues is chosen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Choice {
    /// There is only one queue.
    Only,
    /// The queue that the arriving packet entered.
    Arriving,
    /// The order never changes: the first bit of a word, O(1).
    Constant,
    /// The longest of queues that are measured in packets: the set of these is maintained, O(1) for most changes.
    Longest,
    /// A key is cached for each queue, and all keys are compared.
    Keys {
        /// The number of bits that keys of 64 or 128 bits use.
        bits: u32,
    },
    /// A key is cached for each queue, and a tournament of the keys: O(log queues) when a key changes.
    Tournament {
        /// The number of bits that keys of 64 or 128 bits use.
        bits: u32,
    },
    /// A comparator that is no list of keys of at most 128 bits: every queue is compared.
    Scan,
}

/// How a condition is evaluated.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ConditionPlan {
    /// There is no condition.
    Nothing,
    /// A tail drop, compared as an integer: victims leave from this occupancy on, in the unit of the size.
    TailDrop {
        /// The least occupancy at which victims leave.
        from: u64,
    },
    /// Compiled expressions.
    Compiled {
        /// The number of cases.
        cases: usize,
    },
}

/// The cost of one packet.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Operations {
    /// Insertions into, or removals from, orders of packets.
    pub orders: usize,
    /// Choices of a queue, at most.
    pub choices: usize,
    /// Keys of queues that are recomputed.
    pub keys: usize,
    /// The most cases of conditions that are evaluated.
    pub cases: usize,
}

impl Plan {
    /// Makes the plan for a policy.
    #[must_use]
    pub fn new(policy: &Policy) -> Self {
        let changing = changing_states(policy);
        let choice = |order: &Comparator, queues: &[QueueId], of: Of| choice(policy, order, queues, &changing, of);
        let ports: Vec<PortPlan> = policy
            .ports
            .iter()
            .zip(0..)
            .map(|(port, id)| PortPlan {
                name: port.name.clone(),
                scheduling: match port.next {
                    // Queues that may not be served are passed over.
                    Some(_) if port.queues.len() > 1 => Choice::Scan,
                    _ => choice(&port.scheduling, &port.queues, Of::Port),
                },
                after: condition(&port.after, &Names::post_sched_act(policy, forebay_lang::ir::PortId(id))),
            })
            .collect();
        let buffers: Vec<BufferPlan> = policy
            .buffers
            .iter()
            .zip(0..)
            .map(|(buffer, id)| BufferPlan {
                name: buffer.name.clone(),
                admission: buffer
                    .admission
                    .as_ref()
                    .map_or(Choice::Arriving, |order| choice(order, &buffer.queues, Of::Buffer)),
                congestion: condition(
                    &buffer.congestion,
                    &Names::buffer_congestion(policy, forebay_lang::ir::BufferId(id)),
                ),
            })
            .collect();
        let queues = (0..policy.queues.len()).map(|queue| queue_plan(policy, queue, &ports, &buffers)).collect();
        let classifier = match (policy.classify.len(), policy.entrances().len()) {
            (0, 1) => ClassifierPlan::One,
            (0, _) => ClassifierPlan::Directed,
            (cases, _) => ClassifierPlan::Cases(cases),
        };
        Self { classifier, queues, ports, buffers }
    }
}

fn queue_plan(policy: &Policy, place: usize, ports: &[PortPlan], buffers: &[BufferPlan]) -> QueuePlan {
    let queue = &policy.queues[place];
    let (structure, why) = structure(policy, &queue.processing, &queue.admission);
    let congestion = condition(&queue.congestion, &Names::queue_congestion(policy, place));
    let port = ports.get(usize::from(queue.port.0));
    let buffer = queue.buffer.and_then(|id| buffers.get(usize::from(id.0)));
    let orders = if matches!(structure, QueueStructure::TwoEnded { .. }) { 2 } else { 1 };
    let key = |choice: Choice| usize::from(matches!(choice, Choice::Keys { .. } | Choice::Tournament { .. }));
    let keys = port.map_or(0, |port| key(port.scheduling)) + buffer.map_or(0, |buffer| key(buffer.admission));
    let cases = congestion.cases() + buffer.map_or(0, |buffer| buffer.congestion.cases());
    let choices = port.map_or(0, |port| usize::from(port.scheduling != Choice::Only));
    QueuePlan {
        name: queue.name.clone(),
        structure,
        why,
        congestion,
        arrival: Operations { orders, choices: 0, keys, cases },
        service: Operations { orders, choices, keys, cases: port.map_or(0, |port| port.after.cases()) },
    }
}

impl ConditionPlan {
    fn cases(self) -> usize {
        match self {
            Self::Nothing => 0,
            Self::TailDrop { .. } => 1,
            Self::Compiled { cases } => cases,
        }
    }
}

fn condition(condition: &Condition, names: &Names) -> ConditionPlan {
    match Program::compile(condition, names) {
        Program::Tail(u64::MAX) => ConditionPlan::Nothing,
        Program::Tail(from) => ConditionPlan::TailDrop { from },
        Program::Cases(cases) => ConditionPlan::Compiled { cases: cases.len() },
    }
}

/// Returns the order for one end without keys that repeat the order of ties, if its keys have at most 128 bits.
pub(super) fn packet_order(policy: &Policy, comparator: &Comparator, victims: bool) -> Option<Order> {
    let keys = without_arrival(comparator.keys.as_ref()?, victims);
    Some(Order::new(keys, &Names::packet_key(policy))).filter(|order| order.bits() <= u128::BITS)
}

/// Whether positions in an order change while packets are queued.
pub(super) fn changes(policy: &Policy, comparator: &Comparator) -> bool {
    comparator.keys.as_deref().is_some_and(|keys| change(keys, &|field| is_written(policy, field)))
}

/// Whether the policy writes a property of queued packets. A property of an arriving packet is written before the packet is added to an
/// order.
fn is_written(policy: &Policy, field: PacketField) -> bool {
    let after = || policy.ports.iter().flat_map(|port| &port.after.cases).flat_map(|case| &case.actions);
    match field {
        PacketField::Value => policy.acts(|action| matches!(action, Action::Modify(State::HeadValue(_), _))),
        PacketField::Marked => after().any(|action| *action == Action::Mark),
        PacketField::Notified => after().any(|action| *action == Action::Notify),
        _ => false,
    }
}

/// Returns the most ranks of a queue whose packets are sorted by bitmaps.
fn most_ranks(policy: &Policy) -> u64 {
    MOST_RANKS.min(MOST_RANKS_OF_POLICY / policy.queues.len().max(1) as u64)
}

fn sorted(policy: &Policy, order: &Order, changes: bool) -> Sorted {
    match order.ranks() {
        Some(ranks) if ranks <= most_ranks(policy) && !changes => Sorted::Buckets { ranks },
        _ => Sorted::Heap { bits: order.bits() },
    }
}

fn structure(policy: &Policy, processing: &Comparator, admission: &Comparator) -> (QueueStructure, String) {
    let service = packet_order(policy, processing, false);
    let victims = packet_order(policy, admission, true);
    let end = |order: &Option<Order>, comparator: &Comparator, victims: bool| match order {
        None => End::Scan,
        Some(order) if order.is_empty() => End::Arrival { against_ties: false },
        Some(order) if order.is_arrival(!victims) => End::Arrival { against_ties: true },
        Some(order) => End::Sorted(sorted(policy, order, changes(policy, comparator))),
    };
    let ends = (end(&service, processing, false), end(&victims, admission, true));
    if let (End::Arrival { against_ties: latest_first }, End::Arrival { against_ties: drop_earliest }) = ends {
        let why = "both orders are by arrival alone".to_owned();
        return (QueueStructure::Arrivals { latest_first, drop_earliest }, why);
    }
    match (&service, &victims) {
        (Some(service), Some(victims)) if victims.is_reverse_of(service) => {
            let sorted = sorted(policy, service, changes(policy, processing));
            let why = match (sorted, changes(policy, processing)) {
                (Sorted::Buckets { ranks }, _) => format!("{ranks} ranks are at most {}", most_ranks(policy)),
                (Sorted::Heap { .. }, true) => "its keys change while packets wait".to_owned(),
                (Sorted::Heap { .. }, false) => format!("its keys have more than {} values", most_ranks(policy)),
            };
            let why = format!("`admPrio` {} is the reverse of `procPrio` {}; {why}", admission.name, processing.name);
            (QueueStructure::DoubleEnded(sorted), why)
        }
        _ => {
            let without = [(&service, processing), (&victims, admission)];
            let mut why = format!("`admPrio` {} is not the reverse of `procPrio` {}", admission.name, processing.name);
            for (_, comparator) in without.iter().filter(|(order, _)| order.is_none()) {
                why += &format!("; {} is no list of keys of at most 128 bits", comparator.name);
            }
            (QueueStructure::TwoEnded { service: ends.0, victims: ends.1 }, why)
        }
    }
}

/// Returns the order of queues, if its keys have at most 128 bits.
pub(super) fn queue_order(policy: &Policy, comparator: &Comparator) -> Option<Order> {
    let keys: &[Key] = comparator.keys.as_ref()?;
    Some(Order::new(keys, &Names::queue_key(policy))).filter(|order| order.bits() <= u128::BITS)
}

/// The purpose of a choice of queues.
#[derive(Clone, Copy, PartialEq)]
enum Of {
    Port,
    Buffer,
}

fn choice(policy: &Policy, comparator: &Comparator, members: &[QueueId], changing: &[QueueField], of: Of) -> Choice {
    let queues = members.len();
    if queues == 1 {
        return Choice::Only;
    }
    let Some(order) = queue_order(policy, comparator) else { return Choice::Scan };
    let keys = comparator.keys.as_deref().unwrap_or_default();
    let bits = order.bits();
    let in_packets = |id: &QueueId| matches!(policy.queues[usize::from(id.0)].size, BufferSize::Packets(_));
    if of == Of::Buffer && queues <= Longest::MOST && order.is_longest_first() && members.iter().all(in_packets) {
        Choice::Longest
    } else if of == Of::Port && queues <= MOST_IN_WORD && constant(keys, &|field| changing.contains(&field)) {
        Choice::Constant
    } else if queues <= MOST_SCANNED {
        Choice::Keys { bits }
    } else {
        Choice::Tournament { bits }
    }
}

/// Returns the states of queues that some `modify` changes.
fn changing_states(policy: &Policy) -> Vec<QueueField> {
    let conditions = policy.queues.iter().map(|queue| &queue.congestion);
    let conditions = conditions.chain(policy.buffers.iter().map(|buffer| &buffer.congestion));
    let conditions = conditions.chain(policy.ports.iter().map(|port| &port.after));
    let actions = conditions.flat_map(|condition| &condition.cases).flat_map(|case| &case.actions);
    let state = |action: &Action| match action {
        Action::Modify(State::QueueAdm(_), _) => Some(QueueField::AdmState),
        Action::Modify(State::QueueSched(_), _) => Some(QueueField::SchedState),
        _ => None,
    };
    actions.filter_map(state).collect()
}
