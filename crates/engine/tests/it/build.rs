//! Checked policies for tests, built by hand: small functions that read like the language.

use forebay_core::{BufferSize, ClassId, Duration, FlowId, Packet, QueueId, Seed, Time};
use forebay_engine::{Engine, EngineOptions};
use forebay_lang::Ratio;
use forebay_lang::ir::{
    Action, Arith, Buffer, BufferField, BufferId, BufferRef, Case, Comparator, Cond, Condition, Entry, Key, Num,
    PacketField, PacketRef, Policy, Port, PortId, PortRate, Queue, QueueField, QueueRef, Read, Relation, State,
};

pub(crate) fn number(value: i64) -> Num {
    Num::Const(Ratio::from_integer(value.into()))
}

pub(crate) fn fraction(numerator: i128, denominator: i128) -> Num {
    Num::Const(Ratio::new(numerator, denominator))
}

/// A property of the packet that a key or a classifier speaks of.
pub(crate) fn packet(field: PacketField) -> Num {
    Num::Read(Read::Packet(PacketRef::This, field))
}

/// A property of the arriving packet.
pub(crate) fn arriving(field: PacketField) -> Num {
    Num::Read(Read::Packet(PacketRef::Arriving, field))
}

pub(crate) fn head(queue: QueueRef, field: PacketField) -> Num {
    Num::Read(Read::Packet(PacketRef::Head(queue), field))
}

/// A property of the queue that a key or condition belongs to.
pub(crate) fn this_queue(field: QueueField) -> Num {
    Num::Read(Read::Queue(QueueRef::This, field))
}

pub(crate) fn this_buffer(field: BufferField) -> Num {
    Num::Read(Read::Buffer(BufferRef::This, field))
}

pub(crate) fn arith(arith: Arith, left: Num, right: Num) -> Num {
    Num::Arith(arith, Box::new(left), Box::new(right))
}

pub(crate) fn compare(relation: Relation, left: Num, right: Num) -> Cond {
    Cond::Compare(relation, left, right)
}

pub(crate) fn lowest(value: Num) -> Key {
    Key { value, descending: false }
}

pub(crate) fn highest(value: Num) -> Key {
    Key { value, descending: true }
}

/// The key of the first or second argument of a comparator.
pub(crate) fn argument(value: &Num, packet: PacketRef, queue: QueueRef) -> Num {
    match value {
        Num::Const(_) => value.clone(),
        Num::Read(Read::Packet(PacketRef::This, field)) => Num::Read(Read::Packet(packet, *field)),
        Num::Read(Read::Packet(PacketRef::Head(QueueRef::This), field)) => head(queue, *field),
        Num::Read(Read::Queue(QueueRef::This, field)) => Num::Read(Read::Queue(queue, *field)),
        Num::Read(Read::Next(QueueRef::This, field)) => Num::Read(Read::Next(queue, *field)),
        Num::Read(read) => Num::Read(*read),
        Num::Neg(operand) => Num::Neg(Box::new(argument(operand, packet, queue))),
        Num::Arith(operation, left, right) => {
            arith(*operation, argument(left, packet, queue), argument(right, packet, queue))
        }
    }
}

pub(crate) fn first_argument(value: &Num) -> Num {
    argument(value, PacketRef::First, QueueRef::First)
}

pub(crate) fn second_argument(value: &Num) -> Num {
    argument(value, PacketRef::Second, QueueRef::Second)
}

/// The order in which the first key that differs decides; its `keys` are filled in.
pub(crate) fn order(name: &str, keys: &[Key]) -> Comparator {
    let mut before = Cond::Const(false);
    for key in keys.iter().rev() {
        let (first, second) = (first_argument(&key.value), second_argument(&key.value));
        let better = if key.descending { Relation::Greater } else { Relation::Less };
        let decides = compare(better, first.clone(), second.clone());
        let ties = compare(Relation::Equal, first, second);
        before = Cond::Or(Box::new(decides), Box::new(Cond::And(Box::new(ties), Box::new(before))));
    }
    Comparator { name: name.to_owned(), before, keys: Some(keys.to_vec()) }
}

pub(crate) fn fifo() -> Comparator {
    order("fifo", &[lowest(packet(PacketField::Arrival))])
}

pub(crate) fn reverse_fifo() -> Comparator {
    order("reverseFifo", &[highest(packet(PacketField::Arrival))])
}

/// Packets with the lowest field first.
pub(crate) fn by_lowest(field: PacketField) -> Comparator {
    order("lowest", &[lowest(packet(field))])
}

/// Packets with the highest field first.
pub(crate) fn by_highest(field: PacketField) -> Comparator {
    order("highest", &[highest(packet(field))])
}

pub(crate) fn case(when: Cond, actions: &[Action]) -> Case {
    Case { when, actions: actions.to_vec() }
}

pub(crate) fn condition(cases: &[Case]) -> Condition {
    Condition { name: "condition".to_owned(), cases: cases.to_vec() }
}

pub(crate) fn always() -> Cond {
    Cond::Const(true)
}

pub(crate) fn drop_surely() -> Action {
    Action::Drop(number(1))
}

/// `state := value`
pub(crate) fn modify(state: State, value: Num) -> Action {
    Action::Modify(state, value)
}

/// `currSize > size` of the queue.
pub(crate) fn queue_is_full() -> Cond {
    compare(Relation::Greater, this_queue(QueueField::CurrSize), this_queue(QueueField::Size))
}

/// `currSize > size` of the buffer.
pub(crate) fn buffer_is_full() -> Cond {
    compare(Relation::Greater, this_buffer(BufferField::CurrSize), this_buffer(BufferField::Size))
}

/// A queue with the defaults of 1.5.
pub(crate) fn queue(name: &str, size: BufferSize) -> Queue {
    Queue {
        name: name.to_owned(),
        size,
        processing: fifo(),
        admission: reverse_fifo(),
        congestion: condition(&[case(queue_is_full(), &[drop_surely()])]),
        adm_state: Ratio::from_integer(0),
        sched_state: Ratio::from_integer(0),
        port: PortId(0),
        buffer: None,
    }
}

/// A port with the defaults of 1.5.
pub(crate) fn port(name: &str, queues: &[u16]) -> Port {
    Port {
        name: name.to_owned(),
        rate: PortRate::Percent(Ratio::from_integer(100)),
        queues: queues.iter().copied().map(QueueId).collect(),
        scheduling: order("oldest", &[lowest(head(QueueRef::This, PacketField::Arrival))]),
        next: None,
        after: Condition::default(),
        sched_state: Ratio::from_integer(0),
    }
}

/// A buffer that drops from the first of its queues.
pub(crate) fn buffer(name: &str, size: BufferSize, queues: &[u16]) -> Buffer {
    Buffer {
        name: name.to_owned(),
        size,
        queues: queues.iter().copied().map(QueueId).collect(),
        admission: Some(order("declared", &[])),
        congestion: condition(&[case(buffer_is_full(), &[drop_surely()])]),
        adm_state: Ratio::from_integer(0),
    }
}

/// Puts the parts together; `port` and `buffer` of queues follow from the lists.
pub(crate) fn policy(mut queues: Vec<Queue>, ports: Vec<Port>, buffers: Vec<Buffer>) -> Policy {
    for (port, id) in ports.iter().zip(0..) {
        for queue in &port.queues {
            queues[usize::from(queue.0)].port = PortId(id);
        }
    }
    for (buffer, id) in buffers.iter().zip(0..) {
        for queue in &buffer.queues {
            queues[usize::from(queue.0)].buffer = Some(BufferId(id));
        }
    }
    Policy {
        params: Vec::new(),
        parameters: Vec::new(),
        queues,
        ports,
        buffers,
        classify: Vec::new(),
        policy_id: None,
        routines: Vec::new(),
    }
}

/// A policy with one port that has these queues.
pub(crate) fn one_port(queues: Vec<Queue>) -> Policy {
    let ids: Vec<u16> = (0..).take(queues.len()).collect();
    policy(queues, vec![port("out", &ids)], Vec::new())
}

/// A case of a classifier without a choice.
pub(crate) fn enter(when: Cond, queue: u16) -> Entry {
    Entry { when, queues: vec![QueueId(queue)], first: 0, index: number(0) }
}

pub(crate) fn packets(number: u64) -> BufferSize {
    BufferSize::Packets(number)
}

pub(crate) fn bytes(number: u64) -> BufferSize {
    BufferSize::Bytes(number)
}

pub(crate) fn options(policy_id: u32) -> EngineOptions {
    EngineOptions { policy_id, seed: Seed(1) }
}

/// Packet number `id`, which arrives at `id` nanoseconds.
pub(crate) fn arrives(id: u64) -> Packet {
    Packet { id, arrival: Time::from_ns(id), size_bytes: 100, ..Packet::default() }
}

/// The same for the given queue.
pub(crate) fn arrives_for(id: u64, queue: u16) -> Packet {
    Packet { queue: QueueId(queue), ..arrives(id) }
}

pub(crate) fn of_value(id: u64, value: u32) -> Packet {
    Packet { value, ..arrives(id) }
}

pub(crate) fn of_class(id: u64, class: u8) -> Packet {
    Packet { class: ClassId(class), ..arrives(id) }
}

pub(crate) fn of_flow(id: u64, flow: u32) -> Packet {
    Packet { flow: FlowId(flow), ..arrives(id) }
}

pub(crate) fn of_cycles(id: u64, cycles: u64) -> Packet {
    Packet { processing: Duration::from_ns(cycles), ..arrives(id) }
}

/// Offers packets at their times of arrival and writes the fate of each. Its number has `+` if it waits, or `-` if it
/// was dropped; the packets that it pushed out follow with `!`.
pub(crate) fn offer(engine: &mut impl Engine, packets: &[Packet]) -> String {
    let mut said = Vec::new();
    for packet in packets {
        let mut evicted = Vec::new();
        let verdict = engine.enqueue(packet.arrival, *packet, &mut evicted);
        let sign = if matches!(verdict, forebay_core::Verdict::Queued { .. }) { '+' } else { '-' };
        said.push(format!("{}{sign}", packet.id));
        said.extend(evicted.iter().map(|victim| format!("{}!", victim.id)));
    }
    said.join(" ")
}

/// Serves everything at a port, packet by packet: their numbers in order.
pub(crate) fn serve_all(engine: &mut impl Engine, port: u16) -> Vec<u64> {
    std::iter::from_fn(|| engine.dequeue(Time::from_ns(1_000), PortId(port)).map(|packet| packet.id)).collect()
}

/// The value of a counter.
pub(crate) fn count(engine: &impl Engine, name: &str) -> u64 {
    engine.counters().iter().find(|counter| counter.name == name).map_or(0, |counter| counter.value)
}
