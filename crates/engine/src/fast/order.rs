//! Orders by keys that are packed into one unsigned integer: the lowest is first.

use super::expr::{Expr, Reader};
use super::names::Names;
use super::source::Source;
use super::time57::Time57;
use super::value::{WHOLE_CUT, is_time, ordinal_of_units};
use forebay_lang::Fixed;
use forebay_lang::ir::{Interval, Key, PacketField, QueueField, QueueRef, Read, interval};

/// The type of a packed key: 64 or 128 bits.
pub(super) trait Word: Copy + Ord + Default + Send + std::fmt::Debug {
    /// The number of bits.
    const BITS: u32;
    /// A word after every key.
    const LAST: Self;

    /// Appends a component of `bits` bits, at most 64.
    fn append(self, bits: u32, component: u64) -> Self;
}

impl Word for u64 {
    const BITS: u32 = 64;
    const LAST: Self = Self::MAX;

    #[inline(always)]
    fn append(self, bits: u32, component: u64) -> Self {
        self.unbounded_shl(bits) | component
    }
}

impl Word for u128 {
    const BITS: u32 = 128;
    const LAST: Self = Self::MAX;

    #[inline(always)]
    fn append(self, bits: u32, component: u64) -> Self {
        (self << bits) | Self::from(component)
    }
}

/// A list of keys, ready to be packed.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Order {
    components: Box<[Component]>,
}

/// One key, as bits of the packed one.
#[derive(Debug, Clone, PartialEq)]
struct Component {
    value: Value,
    /// The least ordinal, which becomes 0.
    least: u64,
    /// The greatest ordinal.
    greatest: u64,
    /// The number of low bits of an ordinal that are always 0.
    shift: u32,
    descending: bool,
}

/// The source of a key's ordinal.
#[derive(Debug, Clone, PartialEq)]
enum Value {
    /// A property: see [`Reader::ordinal`].
    Source(Source),
    /// An expression: its units, counted from the least number.
    Expr(Expr),
}

impl Component {
    /// Compiles a key; `None` if the key is constant.
    fn new(key: &Key, names: &Names) -> Option<Self> {
        let within = interval(&key.value);
        let raw = |interval: Interval| {
            let shift = if interval.whole { Fixed::FRACTION_BITS } else { 0 };
            (ordinal_of_units(interval.least.0), ordinal_of_units(interval.greatest.0), shift)
        };
        let whole = |greatest: i64| greatest.cast_unsigned() >> Fixed::FRACTION_BITS;
        let expr = Expr::compile(&key.value, names);
        let (value, (least, greatest, shift)) = match expr {
            Expr::Const(_) => return None,
            Expr::Read(source) => {
                let range = match source {
                    Source::First(what) | Source::Head(_, what) if is_time(what) => (0, Time57::CUT, 0),
                    Source::First(PacketField::Rank | PacketField::Remaining)
                    | Source::Head(_, PacketField::Rank | PacketField::Remaining)
                    | Source::QueueCount(_) => (0, WHOLE_CUT, 0),
                    Source::First(_) | Source::Head(..) => (0, whole(within.greatest.0), 0),
                    _ => raw(within),
                };
                (Value::Source(source), range)
            }
            expr => (Value::Expr(expr), raw(within)),
        };
        Some(Self { value, least, greatest, shift, descending: key.descending })
    }

    /// Returns the component's greatest value.
    fn most(&self) -> u64 {
        (self.greatest - self.least) >> self.shift
    }

    fn bits(&self) -> u32 {
        u64::BITS - self.most().leading_zeros()
    }

    #[inline(always)]
    fn get(&self, reader: &impl Reader) -> u64 {
        let ordinal = match &self.value {
            Value::Source(source) => reader.ordinal(*source),
            Value::Expr(expr) => ordinal_of_units(expr.value(reader)),
        };
        let place = (ordinal.max(self.least).min(self.greatest) - self.least) >> self.shift;
        if self.descending { self.most() - place } else { place }
    }
}

impl Order {
    pub(super) fn new(keys: &[Key], names: &Names) -> Self {
        let mut components: Vec<Component> = Vec::new();
        for component in keys.iter().filter_map(|key| Component::new(key, names)) {
            // A key that was seen before decides nothing.
            if components.iter().all(|earlier| earlier.value != component.value) {
                components.push(component);
            }
        }
        Self { components: components.into() }
    }

    /// Returns the number of bits of a packed key.
    pub(super) fn bits(&self) -> u32 {
        self.components.iter().map(Component::bits).sum()
    }

    /// Returns the greatest number of packed keys; `None` if it needs more than 64 bits.
    pub(super) fn ranks(&self) -> Option<u64> {
        self.components.iter().enumerate().try_fold(1_u64, |all, (place, component)| {
            // The first component bounds the packed key; those behind it fill their bits.
            let values =
                if place == 0 { component.most().checked_add(1)? } else { 1_u64.checked_shl(component.bits())? };
            all.checked_mul(values)
        })
    }

    /// Whether the order has no keys, so that ties decide.
    pub(super) fn is_empty(&self) -> bool {
        self.components.is_empty()
    }

    /// Whether this is the order of arrival alone, the latest first if `descending`.
    pub(super) fn is_arrival(&self, descending: bool) -> bool {
        matches!(&*self.components, [Component { value: Value::Source(Source::First(PacketField::Arrival)), descending: found, .. }]
            if *found == descending)
    }

    /// Whether this is the order of queues by `currSize` alone, the longest first.
    pub(super) fn is_longest_first(&self) -> bool {
        matches!(&*self.components, [Component { value: Value::Source(Source::QueueCount(_)), descending: true, .. }])
    }

    /// Whether `other` has the same keys, each in the reverse direction.
    pub(super) fn is_reverse_of(&self, other: &Self) -> bool {
        self.components.len() == other.components.len()
            && self
                .components
                .iter()
                .zip(&other.components)
                .all(|(a, b)| Component { descending: !a.descending, ..a.clone() } == *b)
    }

    /// Returns the packed key.
    #[inline(always)]
    pub(super) fn pack<W: Word>(&self, reader: &impl Reader) -> W {
        match &*self.components {
            [only] => W::default().append(W::BITS.min(64), only.get(reader)),
            all => all.iter().fold(W::default(), |word, part| word.append(part.bits(), part.get(reader))),
        }
    }
}

/// Returns the keys without those at the end that repeat the order of ties: the earliest `arrival` is first in service, and the latest
/// among victims (`descending`).
pub(super) fn without_arrival(keys: &[Key], descending: bool) -> &[Key] {
    let mut keys = keys;
    while let Some((last, rest)) = keys.split_last() {
        if !(last.is_arrival() && last.descending == descending) {
            break;
        }
        keys = rest;
    }
    keys
}

/// Whether keys of packets read values that change while a packet is queued: its cycles, and fields that are `written`.
pub(super) fn change(keys: &[Key], written: &impl Fn(PacketField) -> bool) -> bool {
    let mut found = false;
    for key in keys {
        key.value.reads(&mut |read| {
            found |= match read {
                Read::Packet(_, field) => field == PacketField::Processing || written(field),
                _ => false,
            };
        });
    }
    found
}

/// Whether keys of queues read only constants, where `changing` says which properties change.
pub(super) fn constant(keys: &[Key], changing: &impl Fn(QueueField) -> bool) -> bool {
    let mut constant = true;
    for key in keys {
        key.value.reads(&mut |read| {
            constant &= match read {
                Read::Queue(QueueRef::This, QueueField::Size) => true,
                Read::Queue(QueueRef::This, field @ (QueueField::AdmState | QueueField::SchedState)) => {
                    !changing(field)
                }
                _ => false,
            };
        });
    }
    constant
}
