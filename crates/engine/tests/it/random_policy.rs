//! Random checked policies of everything that the language has, with orders and bounds on which ties and congestion
//! are frequent.

use crate::build::*;
use forebay_core::{BufferSize, QueueId, Rng};
use forebay_lang::Ratio;
use forebay_lang::ir::{
    Action, Arith, Buffer, BufferField, BufferId, BufferRef, Case, Comparator, Cond, Condition, Entry, Key, Num,
    PacketField, PacketRef, Policy, Port, PortField, PortId, PortRate, PortRef, Queue, QueueField, QueueRef, Read,
    Relation, State, exact_products,
};
use rand::RngExt;

/// The policy with comparators that do not say that they are lists of keys.
pub(crate) fn without_keys(policy: &Policy) -> Policy {
    let mut policy = policy.clone();
    let strip = |comparator: &mut Comparator| comparator.keys = None;
    for queue in &mut policy.queues {
        strip(&mut queue.processing);
        strip(&mut queue.admission);
    }
    policy.ports.iter_mut().for_each(|port| strip(&mut port.scheduling));
    policy.buffers.iter_mut().filter_map(|buffer| buffer.admission.as_mut()).for_each(strip);
    policy
}

/// A policy of 1 to 6 queues, 1 to 3 ports and 0 to 2 buffers.
pub(crate) fn random_policy(rng: &mut Rng) -> Policy {
    let queues: u16 = rng.random_range(1..=6);
    let port_lists = shared_out(rng, queues, 3);
    let buffer_lists = if rng.random_bool(0.6) { shared_out(rng, queues, 2) } else { Vec::new() };
    let kept = if rng.random_bool(0.3) { 1 } else { buffer_lists.len() };
    let buffer_lists = &buffer_lists[..kept.min(buffer_lists.len())];
    let scale = if rng.random_bool(0.2) { 40 } else { 1 };
    let mut maker = Maker { queues, ports: count(&port_lists), buffers: count(buffer_lists), scale, rng };

    let queues = (0..queues).map(|id| maker.queue(&format!("q{id}"))).collect();
    let ports = port_lists.iter().zip(0..).map(|(list, id)| maker.port(&format!("out{id}"), list)).collect();
    let buffers = buffer_lists.iter().zip(0..).map(|(list, id)| maker.buffer(&format!("b{id}"), list)).collect();
    let classify = maker.classify();
    Policy { classify, ..policy(queues, ports, buffers) }
}

/// Deals the queues out to at most so many owners, none of which goes without.
fn shared_out(rng: &mut Rng, queues: u16, owners: usize) -> Vec<Vec<u16>> {
    let mut lists = vec![Vec::new(); rng.random_range(1..=owners)];
    for queue in 0..queues {
        let owner = rng.random_range(0..lists.len());
        lists[owner].push(queue);
    }
    lists.retain(|list| !list.is_empty());
    lists
}

/// How many, as ids count.
pub(crate) fn count<T>(list: &[T]) -> u16 {
    u16::try_from(list.len()).expect("a few objects")
}

/// What a condition belongs to.
#[derive(Clone, Copy, PartialEq)]
enum Owner {
    Queue,
    Buffer,
    Port,
    Classifier,
}

/// What an order is of.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Objects {
    Packets,
    Queues,
}

struct Maker<'a> {
    rng: &'a mut Rng,
    queues: u16,
    ports: u16,
    buffers: u16,
    /// Sizes are so many times the smallest, on which much is dropped.
    scale: u64,
}

impl Maker<'_> {
    fn one_of<T: Clone>(&mut self, choices: &[T]) -> T {
        choices[self.rng.random_range(0..choices.len())].clone()
    }

    fn size(&mut self, greatest: u64) -> BufferSize {
        let number = self.rng.random_range(1..=greatest * self.scale);
        if self.rng.random_bool(0.5) { packets(number) } else { bytes(number * 90) }
    }

    fn initial(&mut self) -> Ratio {
        let numerator = self.rng.random_range(-6..=12);
        Ratio::new(numerator, self.one_of(&[1, 1, 2, 3]))
    }

    fn queue(&mut self, name: &str) -> Queue {
        Queue {
            name: name.to_owned(),
            size: self.size(6),
            processing: if self.rng.random_bool(0.3) { fifo() } else { random_order(self.rng, Objects::Packets) },
            admission: if self.rng.random_bool(0.3) {
                reverse_fifo()
            } else {
                random_order(self.rng, Objects::Packets)
            },
            congestion: if self.rng.random_bool(0.2) {
                condition(&[case(queue_is_full(), &[drop_surely()])])
            } else {
                self.condition(Owner::Queue)
            },
            adm_state: self.initial(),
            sched_state: self.initial(),
            port: PortId(0),
            buffer: None,
        }
    }

    fn port(&mut self, name: &str, queues: &[u16]) -> Port {
        let mut made = port(name, queues);
        if self.rng.random_bool(0.8) {
            made.scheduling = random_order(self.rng, Objects::Queues);
        }
        if self.rng.random_bool(0.2) {
            made.rate = PortRate::Percent(Ratio::new(self.rng.random_range(1..=300), 3));
        }
        made.after = self.condition(Owner::Port);
        made.sched_state = self.initial();
        made
    }

    fn buffer(&mut self, name: &str, queues: &[u16]) -> Buffer {
        let mut made = buffer(name, self.size(12), queues);
        made.admission = self.rng.random_bool(0.8).then(|| random_order(self.rng, Objects::Queues));
        if self.rng.random_bool(0.7) {
            made.congestion = self.condition(Owner::Buffer);
        }
        made.adm_state = self.initial();
        made
    }

    fn classify(&mut self) -> Vec<Entry> {
        let entries = self.one_of(&[0, 0, 1, 2, 3]);
        (0..entries)
            .map(|_| {
                let mut queues: Vec<QueueId> = (0..self.queues).map(QueueId).collect();
                let from = self.rng.random_range(0..queues.len());
                queues.drain(..from);
                queues.truncate(self.rng.random_range(1..=queues.len()));
                let first = self.one_of(&[0, 1, 1, 5]);
                let offset = number(first);
                let among = number(i64::try_from(queues.len()).unwrap_or(0));
                let index = match self.rng.random_range(0..3) {
                    0 => offset,
                    1 => arith(Arith::Add, arith(Arith::Mod, self.number(Owner::Classifier, 1), among), offset),
                    _ => self.number(Owner::Classifier, 2),
                };
                Entry { when: self.cond(Owner::Classifier, 1), queues, first, index }
            })
            .collect()
    }

    fn condition(&mut self, owner: Owner) -> Condition {
        let cases: Vec<Case> = (0..self.rng.random_range(0..=3))
            .map(|_| {
                let when = if self.rng.random_bool(0.5) { self.crowded(owner) } else { self.cond(owner, 2) };
                let actions: Vec<Action> = (0..self.rng.random_range(1..=3)).map(|_| self.action(owner)).collect();
                case(when, &actions)
            })
            .collect();
        condition(&cases)
    }

    /// That an occupancy is beyond a share of a size.
    fn crowded(&mut self, owner: Owner) -> Cond {
        let share = self.one_of(&[Ratio::new(1, 3), Ratio::new(1, 2), Ratio::new(9, 10), Ratio::from_integer(1)]);
        let (occupancy, size) = match owner {
            Owner::Buffer => {
                let buffer = self.buffer_ref(owner).unwrap_or(BufferRef::This);
                (Read::Buffer(buffer, BufferField::CurrSize), Read::Buffer(buffer, BufferField::Size))
            }
            _ => {
                let queue = self.queue_ref(owner);
                (Read::Queue(queue, QueueField::CurrSize), Read::Queue(queue, QueueField::Size))
            }
        };
        let relation = self.one_of(&[Relation::Greater, Relation::GreaterEqual]);
        compare(relation, Num::Read(occupancy), arith(Arith::Mul, Num::Const(share), Num::Read(size)))
    }

    fn action(&mut self, owner: Owner) -> Action {
        match self.rng.random_range(0..10) {
            0..=3 if owner != Owner::Port => Action::Drop(match self.rng.random_range(0..6) {
                0..=2 => number(1),
                3 => fraction(self.rng.random_range(-1..=5), 4),
                4 => fraction(1, 3),
                _ => self.number(owner, 1),
            }),
            4 => Action::Mark,
            5 => Action::Notify,
            _ => {
                let state = self.state(owner);
                let old = read_state(state);
                let value = match self.rng.random_range(0..3) {
                    0 => arith(Arith::Add, old, number(1)),
                    1 => arith(Arith::Mod, arith(Arith::Add, old, self.number(owner, 0)), number(7)),
                    _ => self.number(owner, 2),
                };
                modify(state, value)
            }
        }
    }

    fn state(&mut self, owner: Owner) -> State {
        let queue = self.queue_ref(owner);
        match self.rng.random_range(0..6) {
            0 => State::QueueAdm(queue),
            1 => State::HeadValue(queue),
            5 if owner != Owner::Port => State::ArrivingValue,
            2 => State::PortSched(self.port_ref(owner)),
            3 => self.buffer_ref(owner).map_or(State::QueueSched(queue), State::BufferAdm),
            _ => State::QueueSched(queue),
        }
    }

    fn queue_ref(&mut self, owner: Owner) -> QueueRef {
        let named = QueueRef::Named(QueueId(self.rng.random_range(0..self.queues)));
        let own = if owner == Owner::Queue { QueueRef::This } else { QueueRef::Current };
        if self.rng.random_bool(0.7) { own } else { named }
    }

    fn port_ref(&mut self, owner: Owner) -> PortRef {
        let named = PortRef::Named(PortId(self.rng.random_range(0..self.ports)));
        if owner == Owner::Port && self.rng.random_bool(0.7) { PortRef::This } else { named }
    }

    fn buffer_ref(&mut self, owner: Owner) -> Option<BufferRef> {
        let named = (self.buffers > 0).then(|| BufferRef::Named(BufferId(self.rng.random_range(0..self.buffers))));
        if owner == Owner::Buffer && self.rng.random_bool(0.7) { Some(BufferRef::This) } else { named }
    }

    fn cond(&mut self, owner: Owner, depth: u32) -> Cond {
        let simple = depth == 0 || self.rng.random_bool(0.6);
        match self.rng.random_range(0..4) {
            0 if !simple => Cond::Not(Box::new(self.cond(owner, depth - 1))),
            1 if !simple => Cond::And(Box::new(self.cond(owner, depth - 1)), Box::new(self.cond(owner, depth - 1))),
            2 if !simple => Cond::Or(Box::new(self.cond(owner, depth - 1)), Box::new(self.cond(owner, depth - 1))),
            3 if self.rng.random_bool(0.4) => Cond::Const(self.rng.random_bool(0.8)),
            _ => {
                let relation = self.one_of(Relation::ALL);
                compare(relation, self.number(owner, 1), self.number(owner, 1))
            }
        }
    }

    fn number(&mut self, owner: Owner, depth: u32) -> Num {
        match self.rng.random_range(0..4) {
            0 => self.constant(),
            1 if depth > 0 => {
                let operation = self.one_of(Arith::ALL);
                arith(operation, self.number(owner, depth - 1), self.number(owner, depth - 1))
            }
            2 if depth > 0 && self.rng.random_bool(0.2) => Num::Neg(Box::new(self.number(owner, depth - 1))),
            _ => Num::Read(self.read(owner)),
        }
    }

    fn constant(&mut self) -> Num {
        let greatest = Ratio::new((1 << 47) * 1_000_000 - 1, 1_000_000);
        match self.rng.random_range(0..20) {
            0 => Num::Const(greatest),
            1 => Num::Const(-greatest),
            2 => fraction(self.rng.random_range(-9..=9), 1_000_000),
            3..=6 => fraction(self.rng.random_range(-9..=9), self.rng.random_range(1..=4)),
            _ => number(self.rng.random_range(-1..=6)),
        }
    }

    fn read(&mut self, owner: Owner) -> Read {
        let field = self.one_of(PacketField::ALL);
        if owner == Owner::Classifier {
            return Read::Packet(PacketRef::This, field);
        }
        let queue = self.queue_ref(owner);
        match self.rng.random_range(0..10) {
            0..=2 if owner != Owner::Port => Read::Packet(PacketRef::Arriving, field),
            3 | 4 => Read::Packet(PacketRef::Head(queue), field),
            5 => Read::Port(self.port_ref(owner), self.one_of(PortField::ALL)),
            6 => match self.buffer_ref(owner) {
                Some(buffer) => Read::Buffer(buffer, self.one_of(BufferField::ALL)),
                None => Read::Now,
            },
            7 => Read::Now,
            _ => Read::Queue(queue, self.one_of(QueueField::ALL)),
        }
    }
}

fn read_state(state: State) -> Num {
    Num::Read(match state {
        State::QueueAdm(queue) => Read::Queue(queue, QueueField::AdmState),
        State::QueueSched(queue) => Read::Queue(queue, QueueField::SchedState),
        State::PortSched(port) => Read::Port(port, PortField::SchedState),
        State::BufferAdm(buffer) => Read::Buffer(buffer, BufferField::AdmState),
        State::HeadValue(queue) => Read::Packet(PacketRef::Head(queue), PacketField::Value),
        State::ArrivingValue => Read::Packet(PacketRef::Arriving, PacketField::Value),
    })
}

/// A strict weak order: of keys that are filled in, or written so that only `before` says it.
pub(crate) fn random_order(rng: &mut Rng, objects: Objects) -> Comparator {
    let keys: Vec<Key> = (0..rng.random_range(0..=3)).map(|_| random_key(rng, objects)).collect();
    let listed = order("keys", &keys);
    match rng.random_range(0..6) {
        0 => Comparator { keys: None, ..listed },
        // Cross products, which are exact: a ratio without the rounding of a division.
        1 => {
            let (over, under) = match objects {
                Objects::Packets if rng.random_bool(0.5) => (packet(PacketField::Value), packet(PacketField::Size)),
                Objects::Packets => {
                    let positive = arith(Arith::Max, packet(PacketField::Remaining), number(1));
                    (packet(PacketField::Processing), positive)
                }
                Objects::Queues if rng.random_bool(0.5) => {
                    (this_queue(QueueField::CurrProcessing), this_queue(QueueField::CurrSize))
                }
                Objects::Queues => (this_queue(QueueField::CurrSize), this_queue(QueueField::Size)),
            };
            let left = arith(Arith::Mul, first_argument(&over), second_argument(&under));
            let right = arith(Arith::Mul, second_argument(&over), first_argument(&under));
            let relation = if rng.random_bool(0.5) { Relation::Less } else { Relation::Greater };
            let before = exact_products(compare(relation, left, right));
            Comparator { name: "ratio".to_owned(), before, keys: None }
        }
        // What has much of something comes first; the keys decide among equals.
        2 => {
            let key = random_key(rng, objects).value;
            let much = |value| compare(Relation::Greater, value, number(1));
            let (first, second) = (much(first_argument(&key)), much(second_argument(&key)));
            let not = |cond: &Cond| Cond::Not(Box::new(cond.clone()));
            let and = |a: &Cond, b: &Cond| Cond::And(Box::new(a.clone()), Box::new(b.clone()));
            let alike = Cond::Or(Box::new(and(&first, &second)), Box::new(and(&not(&first), &not(&second))));
            let before = Cond::Or(Box::new(and(&first, &not(&second))), Box::new(and(&alike, &listed.before)));
            Comparator { name: "threshold".to_owned(), before, keys: None }
        }
        _ => listed,
    }
}

fn random_key(rng: &mut Rng, objects: Objects) -> Key {
    let mut read = || {
        let field = PacketField::ALL[rng.random_range(0..PacketField::ALL.len())];
        match objects {
            Objects::Packets => packet(field),
            Objects::Queues if rng.random_bool(0.4) => head(QueueRef::This, field),
            Objects::Queues => this_queue(QueueField::ALL[rng.random_range(0..QueueField::ALL.len())]),
        }
    };
    let (value, other) = (read(), read());
    let value = match rng.random_range(0..8) {
        0 => arith(Arith::ALL[rng.random_range(0..Arith::ALL.len())], value, other),
        1 => arith(Arith::Mod, value, number(rng.random_range(1..=3))),
        2 => Num::Neg(Box::new(value)),
        3 => arith(Arith::Div, value, number(rng.random_range(2..=3))),
        _ => value,
    };
    Key { value, descending: rng.random_bool(0.5) }
}
