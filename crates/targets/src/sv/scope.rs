//! What a policy's expressions read, as signals of `policy_rules` and `policy_front`, with their bounds.

use super::model::Model;
use super::net::Net;
use super::numbers::{Scope, Value, signal};
use super::states::Kind;
use forebay_core::BufferSize;
use forebay_lang::ir::{
    BufferField, BufferRef, Interval, PacketField, PacketRef, PortField, PortRate, PortRef, QueueField, QueueRef, Read,
};
use forebay_lang::{Fixed, Ratio};

/// An object that is one of several.
#[derive(Debug, Clone)]
pub(super) struct Object {
    /// Its number, as SystemVerilog writes it.
    pub(super) text: String,
    /// Which ones it can be.
    pub(super) among: Vec<usize>,
}

impl Object {
    pub(super) fn new(text: &str, among: impl IntoIterator<Item = usize>) -> Self {
        Self { text: text.to_owned(), among: among.into_iter().collect() }
    }

    pub(super) fn one(id: usize) -> Self {
        Self { text: id.to_string(), among: vec![id] }
    }
}

/// The packet that expressions speak of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) enum Packet {
    /// None: they cannot read one.
    #[default]
    None,
    /// The one that arrives, in `congestion`.
    Arriving,
    /// The one that was served, in `postSchedAct`.
    Served,
    /// The one at the begin of the pipeline, in `procPrio` and `classify`.
    Front,
}

/// An occupancy of which more is known than usual, to prove something.
#[derive(Debug, Clone, Copy)]
pub(super) enum Held {
    Queue(usize, Interval),
    Buffer(usize, Interval),
}

/// The objects of an expression.
#[derive(Clone)]
pub(super) struct Reads<'a> {
    pub(super) model: &'a Model<'a>,
    pub(super) packet: Packet,
    /// The queue that it belongs to, or that a key speaks of.
    pub(super) this_queue: Option<Object>,
    /// `currQueue`.
    pub(super) current: Option<Object>,
    pub(super) port: Option<Object>,
    pub(super) buffer: Option<Object>,
    pub(super) held: Option<Held>,
}

impl<'a> Reads<'a> {
    pub(super) fn new(model: &'a Model<'a>) -> Self {
        let none = || None;
        Self {
            model,
            packet: Packet::None,
            this_queue: none(),
            current: none(),
            port: none(),
            buffer: none(),
            held: None,
        }
    }

    /// What keys of a queue read.
    pub(super) fn of_queue(model: &'a Model<'a>, id: usize) -> Self {
        Self { this_queue: Some(Object::one(id)), ..Self::new(model) }
    }

    /// What is read of packets before they are judged.
    pub(super) fn front(model: &'a Model<'a>) -> Self {
        Self { packet: Packet::Front, ..Self::new(model) }
    }

    /// The queue that a reference is.
    pub(super) fn queue(&self, queue: QueueRef) -> Option<Object> {
        match queue {
            QueueRef::This | QueueRef::First | QueueRef::Second => self.this_queue.clone(),
            QueueRef::Current => self.current.clone(),
            QueueRef::Named(id) => Some(Object::one(id.0.into())),
        }
    }

    /// The port that a reference is.
    pub(super) fn port(&self, port: PortRef) -> Option<Object> {
        match port {
            PortRef::This => self.port.clone(),
            PortRef::Named(id) => Some(Object::one(id.0.into())),
        }
    }

    /// The buffer that a reference is.
    pub(super) fn buffer(&self, buffer: BufferRef) -> Option<Object> {
        match buffer {
            BufferRef::This => self.buffer.clone(),
            BufferRef::Named(id) => Some(Object::one(id.0.into())),
        }
    }

    fn packet(&self, packet: PacketRef, field: PacketField, net: &mut Net) -> Result<Value, &'static str> {
        const HEAD: &str = "the next packet of a queue is in the queue block, which rules cannot read; keep what you \
                            need of the served packet in a state, with `postSchedAct`";
        if let PacketRef::Head(queue) = packet {
            let object = self.queue(queue).ok_or(HEAD)?;
            let served = self.current.as_ref().filter(|current| {
                self.packet == Packet::Served && (queue == QueueRef::Current || current.among == object.among)
            });
            served.filter(|current| queue == QueueRef::Current || current.among.len() == 1).ok_or(HEAD)?;
        }
        if field.is_flag() {
            return Err(
                "marks travel beside the fields of a packet, and the rules and the order of service do not see them; \
                 let the sender put it into `class` or `value`",
            );
        }
        if field == PacketField::PolicyId {
            return Ok(Value::Known(Ratio::from_integer(self.model.options.policy_id.into())));
        }
        let text = match (self.packet, field) {
            // All of its cycles are done.
            (Packet::Served, PacketField::Processing) => return Ok(Value::Known(Ratio::ZERO)),
            (Packet::None, _) => return Err("no packet is known here"),
            (Packet::Arriving, PacketField::Arrival) => "now_i".to_owned(),
            (Packet::Front, PacketField::Arrival) => "now_i".to_owned(),
            (Packet::Front, field) => format!("arrive_i.{}", member(field)),
            (_, field) => format!("fields_i.{}", member(field)),
        };
        Ok(signal(net, &text, false, self.model.of_field(field)))
    }

    fn state(&self, kind: Kind, of: &Object, net: &mut Net) -> Value {
        match self.model.states.of(kind) {
            Some(interval) => signal(net, &format!("state_i.{}[{}]", kind.member(), of.text), true, interval),
            None => table(net, of, kind.member(), &|id| kind.initial(self.model.policy, id)),
        }
    }
}

impl Scope for Reads<'_> {
    fn read(&self, read: Read, net: &mut Net) -> Result<Value, &'static str> {
        const NONE: &str = "there is no such object here";
        let policy = self.model.policy;
        Ok(match read {
            Read::Packet(packet, field) => self.packet(packet, field, net)?,
            Read::Queue(queue, field) => {
                let of = self.queue(queue).ok_or(NONE)?;
                match field {
                    QueueField::Size => table(net, &of, "queue_size", &|id| declared(policy.queues[id].size)),
                    QueueField::AdmState => self.state(Kind::QueueAdm, &of, net),
                    QueueField::SchedState => self.state(Kind::QueueSched, &of, net),
                    QueueField::CurrProcessing => {
                        let work = self.model.work(of.among.iter().copied());
                        signal(net, &format!("queue_work_i[{}]", of.text), false, work)
                    }
                    QueueField::CurrSize => {
                        let held = match self.held {
                            Some(Held::Queue(id, held)) if of.among == [id] => held,
                            _ => self.model.held(of.among.iter().map(|id| policy.queues[*id].size)),
                        };
                        signal(net, &format!("queue_count_i[{}]", of.text), false, held)
                    }
                }
            }
            Read::Next(..) => return Err("there is no next stage in hardware"),
            Read::Port(port, field) => {
                let of = self.port(port).ok_or(NONE)?;
                match field {
                    PortField::Rate => table(net, &of, "port_rate", &|id| rate(policy.ports[id].rate)),
                    PortField::SchedState => self.state(Kind::PortSched, &of, net),
                }
            }
            Read::Buffer(buffer, field) => {
                let of = self.buffer(buffer).ok_or(NONE)?;
                match field {
                    BufferField::Size => table(net, &of, "buffer_size", &|id| declared(policy.buffers[id].size)),
                    BufferField::AdmState => self.state(Kind::BufferAdm, &of, net),
                    BufferField::CurrSize => {
                        let held = match self.held {
                            Some(Held::Buffer(id, held)) if of.among == [id] => held,
                            _ => self.model.held(of.among.iter().map(|id| policy.buffers[*id].size)),
                        };
                        signal(net, &format!("buffer_count_i[{}]", of.text), false, held)
                    }
                }
            }
            Read::Now => signal(net, "now_i", false, self.model.of_field(PacketField::Arrival)),
            Read::Parameter(id) => signal(net, &format!("param_i[{}]", id.0), true, Interval::ALL),
        })
    }
}

/// What never changes: a constant, or a choice among constants.
fn table(net: &mut Net, of: &Object, name: &str, value: &dyn Fn(usize) -> Fixed) -> Value {
    let values: Vec<Fixed> = of.among.iter().map(|id| value(*id)).collect();
    let (least, greatest) = (values.iter().min(), values.iter().max());
    let (Some(least), Some(greatest)) = (least.copied(), greatest.copied()) else {
        return Value::Known(Ratio::ZERO);
    };
    let whole = values.iter().all(|value| value.exact().is_integer());
    let text = format!("{}[{}]", constants(name, whole), of.text);
    signal(net, &text, true, Interval { least, greatest, whole })
}

/// The table of a property of all objects, in units of 1 or of 1/65,536.
pub(super) fn constants(name: &str, whole: bool) -> String {
    let words = name.split('_').map(|word| {
        let (first, rest) = word.split_at(1);
        first.to_uppercase() + rest
    });
    words.collect::<String>() + if whole { "Wholes" } else { "Units" }
}

/// The member of a field in packed structs.
pub(super) fn member(field: PacketField) -> &'static str {
    match field {
        PacketField::PolicyId => "policy_id",
        PacketField::Class => "traffic_class",
        // A word of C++.
        PacketField::Queue => "queue_index",
        field => field.word(),
    }
}

/// A size as a number, in its own unit.
pub(super) fn declared(size: BufferSize) -> Fixed {
    match size {
        BufferSize::Packets(number) | BufferSize::Bytes(number) => Fixed::whole(number),
    }
}

/// The rate of a port as a number.
pub(super) fn rate(rate: PortRate) -> Fixed {
    match rate {
        PortRate::Percent(percent) => Fixed::floor(percent),
        PortRate::Rate(rate) => Fixed::whole(rate.bits_per_second()),
    }
}
