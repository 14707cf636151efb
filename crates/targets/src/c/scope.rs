//! Resolves the references of an expression in C.

use super::Model;
use super::constants::literal;
use super::value::Value;
use forebay_core::BufferSize;
use forebay_lang::Fixed;
use forebay_lang::ir::{
    BufferField, BufferRef, PacketField, PacketRef, PortField, PortRate, PortRef, QueueField, QueueRef, Read, State,
};

/// An object that is one of several.
#[derive(Clone)]
pub(super) struct Object {
    /// The object's number in C.
    pub(super) text: String,
    /// The possible objects.
    pub(super) among: Vec<usize>,
}

impl Object {
    pub(super) fn new(text: &str, among: impl IntoIterator<Item = usize>) -> Self {
        Self { text: text.to_owned(), among: among.into_iter().collect() }
    }

    fn one(id: u16) -> Self {
        Self { text: id.to_string(), among: vec![id.into()] }
    }
}

/// The objects of an expression; those that do not exist in its place are `None`, and read as 0.
#[derive(Clone)]
pub(super) struct Scope<'a> {
    pub(super) model: &'a Model<'a>,
    /// The slot of the argument.
    pub(super) this_packet: Option<&'static str>,
    pub(super) first_packet: Option<&'static str>,
    pub(super) second_packet: Option<&'static str>,
    pub(super) arriving: Option<&'static str>,
    /// In `postSchedAct`: the slot of the packet that was served.
    pub(super) served: Option<&'static str>,
    pub(super) this_queue: Option<Object>,
    pub(super) first_queue: Option<Object>,
    pub(super) second_queue: Option<Object>,
    /// `currQueue`.
    pub(super) current: Option<Object>,
    pub(super) this_port: Option<Object>,
    pub(super) this_buffer: Option<Object>,
}

impl<'a> Scope<'a> {
    pub(super) fn new(model: &'a Model<'a>) -> Self {
        Self {
            model,
            this_packet: None,
            first_packet: None,
            second_packet: None,
            arriving: None,
            served: None,
            this_queue: None,
            first_queue: None,
            second_queue: None,
            current: None,
            this_port: None,
            this_buffer: None,
        }
    }

    fn queue(&self, queue: QueueRef) -> Option<Object> {
        match queue {
            QueueRef::First => self.first_queue.clone(),
            QueueRef::Second => self.second_queue.clone(),
            QueueRef::This => self.this_queue.clone(),
            QueueRef::Current => self.current.clone(),
            QueueRef::Named(id) => Some(Object::one(id.0)),
        }
    }

    fn port(&self, port: PortRef) -> Option<Object> {
        match port {
            PortRef::This => self.this_port.clone(),
            PortRef::Named(id) => Some(Object::one(id.0)),
        }
    }

    fn buffer(&self, buffer: BufferRef) -> Option<Object> {
        match buffer {
            BufferRef::This => self.this_buffer.clone(),
            BufferRef::Named(id) => Some(Object::one(id.0)),
        }
    }

    /// Returns the slot of `findHigh()`, and whether there always is one.
    fn head(&self, queue: QueueRef) -> Option<(String, bool)> {
        let object = self.queue(queue)?;
        Some(match (self.served, &self.current) {
            (Some(slot), _) if queue == QueueRef::Current => (slot.to_owned(), true),
            // 7.3: that of the queue that was served is the packet that was.
            (Some(slot), Some(current)) => {
                let (queue, current) = (&object.text, &current.text);
                (format!("({current} == {queue} ? {slot} : oq_head({queue}))"), false)
            }
            _ => (format!("oq_head({})", object.text), false),
        })
    }

    /// Returns a value that an expression reads.
    pub(super) fn read(&self, read: Read) -> Value {
        self.known(read).unwrap_or_else(|| Value::number(Fixed(0)))
    }

    fn known(&self, read: Read) -> Option<Value> {
        let policy = self.model.policy;
        Some(match read {
            Read::Packet(PacketRef::Head(queue), field) => {
                let (slot, is_there) = self.head(queue)?;
                let kind = if is_there { "packet" } else { "head" };
                Value::Text(format!("oq_{kind}_{}({slot})", accessor(field)))
            }
            Read::Packet(packet, field) => {
                let slot = match packet {
                    PacketRef::First => self.first_packet,
                    PacketRef::Second => self.second_packet,
                    PacketRef::This => self.this_packet,
                    _ => self.arriving,
                }?;
                Value::Text(format!("oq_packet_{}({slot})", accessor(field)))
            }
            Read::Queue(queue, field) => {
                let object = self.queue(queue)?;
                let of = &object.text;
                match field {
                    QueueField::Size => same(&object, |id| declared(policy.queues[id].size))
                        .unwrap_or_else(|| Value::Text(format!("OQ_AT(oq_queue_sizes, {of}, OQ_QUEUE_MASK)"))),
                    QueueField::CurrSize => Value::Text(format!("oq_queue_curr({of})")),
                    QueueField::CurrProcessing => Value::Text(format!("oq_queue_processing({of})")),
                    QueueField::AdmState => Value::Text(format!("OQ_QUEUE({of}).adm_state")),
                    QueueField::SchedState => Value::Text(format!("OQ_QUEUE({of}).sched_state")),
                }
            }
            // A policy with stages is refused before.
            Read::Next(..) => return None,
            Read::Port(port, field) => {
                let object = self.port(port)?;
                let of = &object.text;
                match field {
                    PortField::Rate => same(&object, |id| rate(policy.ports[id].rate))
                        .unwrap_or_else(|| Value::Text(format!("OQ_AT(oq_port_rates, {of}, OQ_PORT_MASK)"))),
                    PortField::SchedState => Value::Text(format!("OQ_PORT({of}).sched_state")),
                }
            }
            Read::Buffer(buffer, field) => {
                let object = self.buffer(buffer)?;
                let of = &object.text;
                match field {
                    BufferField::Size => same(&object, |id| declared(policy.buffers[id].size))
                        .unwrap_or_else(|| Value::Text(format!("OQ_AT(oq_buffer_sizes, {of}, OQ_BUFFER_MASK)"))),
                    BufferField::CurrSize => Value::Text(format!("oq_buffer_curr({of})")),
                    BufferField::AdmState => Value::Text(format!("OQ_BUFFER({of}).adm_state")),
                }
            }
            Read::Now => Value::Text("oq_whole(now)".to_owned()),
            Read::Parameter(id) => Value::Text(format!("oq_parameters[{}]", id.0)),
        })
    }

    /// Returns the statement that sets a state; `None` if there is no such object.
    pub(super) fn assignment(&self, state: State, value: &str) -> Option<String> {
        Some(match state {
            State::QueueAdm(queue) => format!("OQ_QUEUE({}).adm_state = {value};", self.queue(queue)?.text),
            State::QueueSched(queue) => format!("OQ_QUEUE({}).sched_state = {value};", self.queue(queue)?.text),
            State::PortSched(port) => format!("OQ_PORT({}).sched_state = {value};", self.port(port)?.text),
            State::BufferAdm(buffer) => format!("OQ_BUFFER({}).adm_state = {value};", self.buffer(buffer)?.text),
            State::HeadValue(queue) => format!("oq_change_value({}, {value});", self.head(queue)?.0),
            State::ArrivingValue => format!("oq_change_value({}, {value});", self.arriving?),
        })
    }
}

/// Returns the value, if it is the same for all possible objects.
fn same(object: &Object, of: impl Fn(usize) -> Fixed) -> Option<Value> {
    let (first, others) = object.among.split_first()?;
    others.iter().all(|other| of(*other) == of(*first)).then(|| Value::number(of(*first)))
}

/// Returns a size as a number, in its own unit.
pub(super) fn declared(size: BufferSize) -> Fixed {
    match size {
        BufferSize::Packets(number) | BufferSize::Bytes(number) => Fixed::whole(number),
    }
}

/// Returns the rate of a port as a number.
pub(super) fn rate(rate: PortRate) -> Fixed {
    match rate {
        PortRate::Percent(percent) => Fixed::floor(percent),
        PortRate::Rate(rate) => Fixed::whole(rate.bits_per_second()),
    }
}

/// Returns the numbers as the elements of a table.
pub(super) fn elements(numbers: impl Iterator<Item = Fixed>) -> Vec<String> {
    numbers.map(literal).collect()
}

fn accessor(field: PacketField) -> &'static str {
    match field {
        PacketField::PolicyId => "policy_id",
        field => field.word(),
    }
}
