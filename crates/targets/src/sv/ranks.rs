//! Ranks: the keys of an order as one number, the lowest first, and the bits that are cut off if there are too many.
//!
//! A key counts up from its least possible value, or, if the highest is first, down from its greatest. Keys stand side by side,
//! the first at the top. If there are too few bits, the last key is divided by a power of two, and left out if that is not
//! enough.

use super::model::Model;
use super::net::{Id, Net, Op, Range, TooWide};
use super::numbers::{Numbers, Value, Wrong};
use super::scope::{Packet, Reads};
use forebay_lang::ir::{Arith, Comparator, Cond, Key, Num, PacketField, PacketRef, Read, Relation};
use forebay_lang::{Fixed, Ratio};

/// A key of an order.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Part {
    pub(super) key: Key,
    /// Its numbers, in units of 1 or 1/65,536.
    range: Range,
    whole: bool,
    /// It is divided by this power of two.
    pub(super) cut: u32,
}

impl Part {
    /// Its bits in the rank.
    pub(super) fn bits(&self) -> u32 {
        let span = (self.range.greatest >> self.cut) - (self.range.least >> self.cut);
        128 - span.leading_zeros()
    }

    /// Numbers that are no further apart than this can have the same rank.
    pub(super) fn step(&self) -> Ratio {
        let unit = if self.whole { 1 } else { Fixed::UNITS };
        Ratio::new(1 << self.cut, unit)
    }

    /// The key as it is kept.
    fn kept(&self) -> Key {
        let value = self.key.value.clone();
        if self.cut == 0 {
            return self.key.clone();
        }
        let rest = Num::Arith(Arith::Mod, Box::new(value.clone()), Box::new(Num::Const(self.step())));
        Key { value: Num::Arith(Arith::Sub, Box::new(value), Box::new(rest)), ..self.key }
    }

    /// Its share of the rank.
    fn node(&self, model: &Model<'_>, net: &mut Net) -> Result<Id, Wrong> {
        let scope = front(model);
        let wide = |_: TooWide| Wrong::TooWide(self.key.to_string());
        let value = Numbers { net, scope: &scope }.number(&self.key.value)?;
        let Value::Node { id, .. } = value else { return Ok(net.number(0)) };
        let id = net.add(Op::Down(id, self.cut)).map_err(wide)?;
        if self.key.descending {
            let greatest = net.number(self.range.greatest >> self.cut);
            net.add(Op::Sub(greatest, id)).map_err(wide)
        } else {
            let least = net.number(self.range.least >> self.cut);
            net.add(Op::Sub(id, least)).map_err(wide)
        }
    }
}

/// The order of a queue's packets.
#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct Ranking {
    /// The keys that are kept, in their order.
    pub(super) parts: Vec<Part>,
    /// How many keys were left out.
    pub(super) left_out: Vec<Key>,
}

impl Ranking {
    /// All keys of an order of packets.
    pub(super) fn of(keys: &[Key], model: &Model<'_>) -> Result<Self, Wrong> {
        let scope = front(model);
        let mut parts = Vec::new();
        for key in keys {
            let mut net = Net::default();
            if let Value::Node { id, whole } = (Numbers { net: &mut net, scope: &scope }).number(&key.value)? {
                parts.push(Part { key: key.clone(), range: net.range(id), whole, cut: 0 });
            }
        }
        Ok(Self { parts, left_out: Vec::new() })
    }

    pub(super) fn bits(&self) -> u32 {
        self.parts.iter().map(Part::bits).sum()
    }

    /// Returns the ranking with ranks of `bits` bits.
    pub(super) fn cut_to(mut self, bits: u32) -> Self {
        while self.bits() > bits {
            let Some(last) = self.parts.last_mut() else { break };
            last.cut += 1;
            if last.bits() == 0 {
                self.left_out.extend(self.parts.pop().map(|part| part.key));
            }
        }
        self
    }

    pub(super) fn is_exact(&self) -> bool {
        self.left_out.is_empty() && self.parts.iter().all(|part| part.cut == 0)
    }

    /// The rank.
    pub(super) fn node(&self, model: &Model<'_>, net: &mut Net) -> Result<Id, Wrong> {
        let mut rank = net.number(0);
        for part in &self.parts {
            let node = part.node(model, net)?;
            let wide = |_: TooWide| Wrong::TooWide(part.key.to_string());
            let above = net.add(Op::Up(rank, part.bits())).map_err(wide)?;
            rank = net.add(Op::Add(above, node)).map_err(wide)?;
        }
        Ok(rank)
    }

    /// The order as it is kept, or its reverse.
    pub(super) fn comparator(&self, name: &str, reversed: bool) -> Comparator {
        let kept = self.parts.iter().map(Part::kept);
        let keys: Vec<Key> = kept.map(|key| Key { descending: key.descending != reversed, ..key }).collect();
        Comparator { name: name.to_owned(), before: before(&keys), keys: Some(keys) }
    }
}

fn front<'a>(model: &'a Model<'a>) -> Reads<'a> {
    Reads { packet: Packet::Front, ..Reads::new(model) }
}

/// Whether the first packet comes before the second: the first key that differs says so.
fn before(keys: &[Key]) -> Cond {
    let Some((key, rest)) = keys.split_first() else { return Cond::Const(false) };
    let [first, second] = [PacketRef::First, PacketRef::Second].map(|packet| of(&key.value, packet));
    let relation = if key.descending { Relation::Greater } else { Relation::Less };
    let decides = Cond::Compare(relation, first.clone(), second.clone());
    if rest.is_empty() {
        return decides;
    }
    let ties = Cond::And(Box::new(Cond::Compare(Relation::Equal, first, second)), Box::new(before(rest)));
    Cond::Or(Box::new(decides), Box::new(ties))
}

/// A key of this packet.
fn of(number: &Num, packet: PacketRef) -> Num {
    match number {
        Num::Read(Read::Packet(PacketRef::This, field)) => Num::Read(Read::Packet(packet, *field)),
        Num::Const(_) | Num::Read(_) => number.clone(),
        Num::Neg(operand) => Num::Neg(Box::new(of(operand, packet))),
        Num::Arith(arith, left, right) => Num::Arith(*arith, Box::new(of(left, packet)), Box::new(of(right, packet))),
    }
}

/// The keys that make a difference where ties are in the order of arrival, or, of victims, in its reverse.
pub(super) fn telling(keys: &[Key], victims: bool) -> Vec<Key> {
    let mut keys: Vec<Key> = keys.iter().map(upright).collect();
    while keys.last().is_some_and(|key| key.is_arrival() && key.descending == victims) {
        keys.pop();
    }
    keys
}

/// `-x` from the lowest is `x` from the highest.
fn upright(key: &Key) -> Key {
    match &key.value {
        Num::Neg(operand) => upright(&Key { value: (**operand).clone(), descending: !key.descending }),
        _ => key.clone(),
    }
}

/// Whether an order of packets reads the time.
pub(super) fn reads_time(ranking: &Ranking) -> bool {
    let mut found = false;
    for part in &ranking.parts {
        part.key.value.reads(&mut |read| found |= matches!(read, Read::Packet(_, PacketField::Arrival)));
    }
    found
}
