//! Packets that tie in an order, which the order of arrival decides.

use super::VERSION;
use crate::answer::{Answer, Verdict};
use forebay_core::{Packet, QueueId};
use forebay_engine::fields::field;
use forebay_lang::ir::{Comparator, PacketRef, Read};
use forebay_lang::{Fixed, Policy};

/// Returns a tie between the packet that the reference engine chooses and the one that the datapath chooses.
pub(super) fn undecided(
    policy: &Policy,
    waiting: &[Packet],
    arriving: Option<u64>,
    expected: Option<&Answer>,
    found: Option<&Answer>,
) -> Option<String> {
    let (expected, found) = (expected?, found?);
    let packet = |id: u64| waiting.iter().find(|packet| packet.id == id);
    let (right, wrong, leaves) = match (sent(expected), sent(found)) {
        (Some(right), Some(wrong)) => (right, wrong, true),
        _ => {
            let (right, wrong) = (dropped(expected, arriving), dropped(found, arriving));
            let differing = right.into_iter().zip(wrong).find(|(right, wrong)| right != wrong)?;
            (differing.0, differing.1, false)
        }
    };
    let (one, other) = (packet(right)?, packet(wrong)?);
    let queue = queue_of(policy, one).filter(|queue| right != wrong && queue_of(policy, other) == Some(*queue))?;
    let queue = &policy.queues[usize::from(queue.0)];
    let order = if leaves { &queue.processing } else { &queue.admission };
    let (name, does) = (&order.name, if leaves { "leaves first" } else { "is dropped" });
    tie(order, one, other).then(|| {
        format!(
            "Packets {right} and {wrong} tie in order {name} of queue {}, so the order of arrival decides that {right} {does}. The datapath \
             decides for {wrong}.",
            queue.name
        )
    })
}

fn sent(answer: &Answer) -> Option<u64> {
    if let Verdict::Sent(packet) = &answer.verdict { Some(packet.id) } else { None }
}

/// Returns the dropped packets, including the arriving one.
fn dropped(answer: &Answer, arriving: Option<u64>) -> Vec<u64> {
    let refused = arriving.filter(|_| matches!(answer.verdict, Verdict::Refused(_)));
    answer.pushed.iter().flatten().map(|packet| packet.id).chain(refused).collect()
}

/// Returns the queue that a packet enters, if that depends on the packet alone.
fn queue_of(policy: &Policy, packet: &Packet) -> Option<QueueId> {
    if policy.classify.is_empty() {
        let only = policy.queues.len() == 1;
        let queue = if only { QueueId(0) } else { packet.queue };
        return (usize::from(queue.0) < policy.queues.len()).then_some(queue);
    }
    for entry in &policy.classify {
        let mut is_of_packet = true;
        let mut see = |read| is_of_packet &= matches!(read, Read::Packet(PacketRef::This, _));
        entry.when.reads(&mut see);
        entry.index.reads(&mut see);
        if !is_of_packet {
            return None;
        }
        let mut read = |read| read_of(read, packet, packet);
        if entry.when.holds(&mut read) {
            let index = entry.index.value(&mut read).floor().to_integer() - i128::from(entry.first);
            return entry.queues.get(usize::try_from(index).ok()?).copied();
        }
    }
    None
}

/// Whether neither of two packets precedes the other.
fn tie(order: &Comparator, one: &Packet, other: &Packet) -> bool {
    let mut is_of_packets = true;
    order.before.reads(&mut |read| {
        is_of_packets &= matches!(read, Read::Packet(PacketRef::First | PacketRef::Second, _));
    });
    let before = |one, other| order.before.holds(&mut |read| read_of(read, one, other));
    is_of_packets && !before(one, other) && !before(other, one)
}

fn read_of(read: Read, first: &Packet, second: &Packet) -> Fixed {
    match read {
        Read::Packet(PacketRef::Second, of) => field(second, VERSION, of),
        Read::Packet(_, of) => field(first, VERSION, of),
        _ => Fixed(0),
    }
}
