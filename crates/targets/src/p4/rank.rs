//! A packet's rank: the keys of the order of service, packed into as many bits as bounds have.

use super::Note;
use super::known_values::named;
use super::numbers::{Number, Numbers};
use super::steps::Operand;
use forebay_lang::ir::{Comparator, Key, Queue};

/// The rank of a packet: the lower, the earlier.
#[derive(Debug, Clone, Copy)]
pub(super) struct Rank {
    pub(super) value: Operand,
    /// How it moves with time, if it does: then it and the bounds wrap.
    pub(super) drift: Option<Drift>,
}

/// How ranks move with time.
///
/// A bound was the rank of an earlier packet, or has sunk towards one. So, while ranks rise, a bound exceeds the rank of an
/// arriving packet by at most the spread: the most by which ranks can differ apart from the time. If ranks fall, the bound
/// is below by at most the spread. A bound that is further away on the circle has not been used for long.
#[derive(Debug, Clone, Copy)]
pub(super) struct Drift {
    pub(super) rises: bool,
    /// How far ranks of the same time can be apart.
    pub(super) spread: u64,
}

/// The keys of an order of service, without a last key for the order of arrival, which holds anyway.
pub(super) fn keys(order: &Comparator) -> Option<&[Key]> {
    let keys = order.keys.as_deref()?;
    let first = keys.iter().position(|key| key.is_arrival() && !key.descending).unwrap_or(keys.len());
    // Two packets that arrive at the same time are served in order of arrival.
    Some(&keys[..first])
}

/// Returns the rank of packets of a queue, in `bits` bits.
pub(super) fn rank(
    queue: &Queue,
    numbers: &mut Numbers<'_>,
    bits: u8,
    notes: &mut Vec<Note>,
    refuse: &mut impl FnMut(&str, &str),
) -> Rank {
    let nothing = Rank { value: Operand::Constant(0), drift: None };
    let construct = format!("{}, procPrio {}", named(queue), queue.processing.name);
    let Some(keys) = keys(&queue.processing) else {
        refuse(&construct, "is no list of keys, so a packet has no rank");
        return nothing;
    };
    let mut known: Vec<(&Key, Number)> = Vec::new();
    for key in keys {
        match numbers.key(&key.value) {
            Ok(number) if number.wraps() && !known.is_empty() => {
                refuse(
                    &construct,
                    "has the time of arrival behind another key; this time wraps, so it can only be the first key",
                );
                return nothing;
            }
            Ok(number) => known.push((key, if key.descending { numbers.negative(number) } else { number })),
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
    let mut drift = None;
    let mut rank = Operand::Constant(0);
    let mut left = bits;
    let others: u32 = known.iter().skip(1).map(|(_, number)| number.bits()).sum();
    for (key, number) in known {
        if number.wraps() {
            let spread = (number.most - number.least + 1).checked_shl(others).map_or(i128::MAX, |spread| spread - 1);
            let Some(spread) = u64::try_from(spread).ok().filter(|spread| *spread < 1 << (bits - 1)) else {
                refuse(
                    &construct,
                    "the terms added to the time, and the other keys, take all bits of the bounds; make the fields \
                     narrower, \
                     such as slack=udp[8:4]&0xffffff, or give more with --rank-bits",
                );
                return nothing;
            };
            drift = Some(Drift { rises: number.time > 0, spread });
            rank = number.above;
            left = others;
            note(
                key,
                format!("wraps modulo 2^{}, so a bound that is not used for that long may be misread", bits - others),
            );
            continue;
        }
        let width = number.bits();
        if left == 0 && width > 0 {
            note(key, format!("is ignored: the bounds have {bits} bits, and the keys before it take all of them"));
            continue;
        }
        let kept = width.min(left);
        let lost = u8::try_from(width - kept).expect("numbers have at most 128 bits");
        let quantised = numbers.steps.right(number.above, lost);
        let shifted = numbers.steps.left(rank, u8::try_from(kept).expect("numbers have at most 128 bits"));
        rank = numbers.steps.add(shifted, quantised);
        left -= kept;
        if lost > 0 {
            note(key, format!("is quantised in steps of 2^{lost}: it has {width} bits, and the bounds leave {kept}"));
        }
    }
    Rank { value: rank, drift }
}
