//! Numbers that reach their limit in an expression.

use super::VERSION;
use forebay_core::Packet;
use forebay_engine::fields::field;
use forebay_lang::ir::{Comparator, Condition, Num, PacketRef, Read};
use forebay_lang::{Fixed, Policy};

/// Returns a number of the policy that exceeds the limit for one of these packets. Numbers that depend on more than one or two packets are
/// not examined.
pub(super) fn at_limit(policy: &Policy, packets: &[Packet]) -> Option<String> {
    let mut found = None;
    let mut look = |place: &str, number: &Num| {
        if found.is_none() {
            found = beyond(number, packets).map(|(what, of)| said(&what, place, &of));
        }
    };
    for (place, entry) in policy.classify.iter().enumerate() {
        let place = format!("case {} of classify", place + 1);
        entry.when.numbers(&mut |number| look(&place, number));
        entry.index.numbers(&mut |number| look(&place, number));
    }
    let mut looked_at: Vec<&Comparator> = Vec::new();
    for queue in &policy.queues {
        for order in [&queue.processing, &queue.admission] {
            if !looked_at.contains(&order) {
                looked_at.push(order);
                let place = format!("order {} of queue {}", order.name, queue.name);
                order.before.numbers(&mut |number| look(&place, number));
            }
        }
    }
    let queues = policy.queues.iter().map(|queue| ("queue", &queue.name, &queue.congestion));
    let buffers = policy.buffers.iter().map(|buffer| ("buffer", &buffer.name, &buffer.congestion));
    let mut conditions: Vec<&Condition> = Vec::new();
    for (kind, name, condition) in queues.chain(buffers) {
        if !conditions.contains(&condition) {
            conditions.push(condition);
            condition.numbers(&mut |number| look(&format!("congestion of {kind} {name}"), number));
        }
    }
    found
}

fn said((number, cut): &(String, Fixed), place: &str, of: &[u64]) -> String {
    let packets = match of {
        [one] => format!("packet {one}"),
        several => format!("packets {}", several.iter().map(ToString::to_string).collect::<Vec<_>>().join(" and ")),
    };
    format!(
        "`{number}` in {place} is beyond the limit of numbers for {packets}, so it is clamped to {cut}. A datapath \
         that keeps another number there decides differently."
    )
}

/// A number with its clamped value, and the packets for which it is clamped.
type Beyond = ((String, Fixed), Vec<u64>);

/// Returns the first of the packets for which a number is clamped.
fn beyond(number: &Num, packets: &[Packet]) -> Option<Beyond> {
    if matches!(number, Num::Const(_)) {
        return None;
    }
    let (mut of_packets, mut first, mut second) = (true, false, false);
    number.reads(&mut |read| match read {
        Read::Packet(PacketRef::Head(_), _) => of_packets = false,
        Read::Packet(which, _) => {
            first |= which == PacketRef::First;
            second |= which == PacketRef::Second;
        }
        _ => of_packets = false,
    });
    if !of_packets {
        return None;
    }
    let others = if first && second { packets } else { &packets[..packets.len().min(1)] };
    for one in packets {
        for other in others {
            let other = if first && second { other } else { one };
            let mut read = |read: Read| match read {
                Read::Packet(PacketRef::Second, of) => field(other, VERSION, of),
                Read::Packet(_, of) => field(one, VERSION, of),
                _ => Fixed(0),
            };
            if let Some(cut) = cut(number, &mut read) {
                let mut ids = vec![one.id];
                ids.extend((first && second).then_some(other.id));
                return Some(((number.to_string(), cut), ids));
            }
        }
    }
    None
}

/// Returns the limit to which a number is clamped, if it is.
fn cut(number: &Num, read: &mut dyn FnMut(Read) -> Fixed) -> Option<Fixed> {
    let (least, most) = (Fixed(i64::MIN), Fixed(i64::MAX));
    let exact = match number {
        Num::Const(_) => return None,
        // No field is just there: they are whole numbers, or times.
        Num::Read(what) => return Some(read(*what)).filter(|value| *value == most),
        Num::Neg(operand) => -operand.value(read),
        Num::Arith(arith, left, right) => {
            let (left, right) = (left.value(read), right.value(read));
            arith.exact(left, right)
        }
    };
    if exact > most.exact() {
        Some(most)
    } else if exact < least.exact() {
        Some(least)
    } else {
        None
    }
}
