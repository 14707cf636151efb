//! A packet's rank: the keys of the order of service, packed into as many bits as bounds have.

use super::Note;
use super::numbers::{Number, Numbers};
use super::plan::named;
use super::steps::Operand;
use forebay_lang::ir::{Comparator, Key, Queue};

/// The rank of a packet: the lower, the earlier.
#[derive(Debug, Clone, Copy)]
pub(super) struct Rank {
    pub(super) value: Operand,
    /// It and the bounds are compared modulo two to the power of their bits, since time has no end.
    pub(super) wraps: bool,
}

/// The keys of an order of service, without a last one that says what is so anyway: who came first goes first.
pub(super) fn keys(order: &Comparator) -> Option<&[Key]> {
    let keys = order.keys.as_deref()?;
    let first = keys.iter().position(|key| key.is_arrival() && !key.descending).unwrap_or(keys.len());
    // Two packets that came at the same time are taken as they come.
    Some(&keys[..first])
}

/// The rank of packets of a queue, in so many bits.
pub(super) fn rank(
    queue: &Queue,
    numbers: &mut Numbers<'_>,
    bits: u8,
    notes: &mut Vec<Note>,
    refuse: &mut impl FnMut(&str, &str),
) -> Rank {
    let nothing = Rank { value: Operand::Constant(0), wraps: false };
    let construct = format!("{}, procPrio {}", named(queue), queue.processing.name);
    let Some(keys) = keys(&queue.processing) else {
        refuse(&construct, "is no list of keys, so that there is no rank to give a packet");
        return nothing;
    };
    let mut known: Vec<(&Key, Number)> = Vec::new();
    for key in keys {
        match numbers.key(&key.value) {
            Ok(number) if number.wraps && !known.is_empty() => {
                refuse(
                    &construct,
                    "has the time of arrival behind another key; it wraps, so that it can only be the first",
                );
                return nothing;
            }
            Ok(number) => known.push((key, number)),
            Err(reason) => {
                refuse(&construct, &format!("the key `{key}`: {reason}"));
                return nothing;
            }
        }
    }
    let mut note = |key: &Key, what: String| {
        notes.push(Note { construct: construct.clone(), reason: format!("the key `{key}` {what}") });
    };
    let bits = u32::from(bits);
    let wraps = known.first().is_some_and(|(_, number)| number.wraps);
    let mut rank = Operand::Constant(0);
    let mut left = bits;
    let others: u32 = known.iter().skip(1).map(|(_, number)| number.bits()).sum();
    for (key, number) in known {
        let above = match (key.descending, number.wraps) {
            (false, _) => number.above,
            (true, true) => numbers.steps.sub(Operand::Constant(0), number.above),
            (true, false) => {
                let most = u64::try_from(number.most - number.least).unwrap_or(u64::MAX);
                numbers.steps.sub(Operand::Constant(most), number.above)
            }
        };
        if number.wraps {
            if others + 2 > bits {
                refuse(
                    &construct,
                    "its other keys leave no bits for the time; make the fields narrower, such as class=dscp>>3",
                );
                return nothing;
            }
            left = others;
            rank = above;
            let window = 1_u64 << (bits - others - 1);
            note(key, format!("is compared modulo 2^{}: right while it differs by less than {window}", bits - others));
            continue;
        }
        let width = number.bits();
        if left == 0 && width > 0 {
            note(key, format!("does not count: the bounds have {bits} bits, which those before it take"));
            continue;
        }
        let kept = width.min(left);
        let lost = u8::try_from(width - kept).unwrap_or(u8::MAX);
        let quantised = numbers.steps.right(above, lost);
        let shifted = numbers.steps.left(rank, u8::try_from(kept).unwrap_or(u8::MAX));
        rank = numbers.steps.add(shifted, quantised);
        left -= kept;
        if lost > 0 {
            note(key, format!("is counted in steps of 2^{lost}: it has {width} bits, and the bounds leave {kept}"));
        }
    }
    Rank { value: rank, wraps }
}
