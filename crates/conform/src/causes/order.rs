//! A comparator that is no order for the packets that were compared.
//!
//! A datapath that compares all pairs chooses a packet that no other precedes. A datapath that keeps packets sorted compares few
//! pairs. If the comparator breaks a law of orders for packets that wait together, the two choose different packets, and both
//! follow the policy.

use super::VERSION;
use forebay_core::Packet;
use forebay_engine::fields::field;
use forebay_lang::Policy;
use forebay_lang::ir::{Comparator, Counterexample, PacketRef, Read, broken_among};

/// Returns a comparator of the policy that is no order for these packets, which are queued together.
pub(super) fn broken_order(policy: &Policy, waiting: &[Packet]) -> Option<String> {
    let queues = policy.queues.iter();
    let orders = queues.flat_map(|queue| [&queue.processing, &queue.admission].map(|order| (&queue.name, order)));
    let mut looked_at: Vec<&Comparator> = Vec::new();
    for (queue, order) in orders {
        if order.keys.is_some() || looked_at.contains(&order) {
            continue;
        }
        looked_at.push(order);
        if let Some(said) = broken(order, waiting) {
            return Some(format!(
                "Comparator {} of queue {queue} is no order of the packets that wait here: {said}.",
                order.name
            ));
        }
    }
    None
}

/// Returns the law that the comparator breaks for some of the packets, with their numbers and properties.
fn broken(order: &Comparator, packets: &[Packet]) -> Option<String> {
    let mut fields = Vec::new();
    let mut is_of_packets = true;
    order.before.reads(&mut |read| match read {
        Read::Packet(PacketRef::First | PacketRef::Second, field) if !fields.contains(&field) => fields.push(field),
        Read::Packet(PacketRef::First | PacketRef::Second, _) => {}
        _ => is_of_packets = false,
    });
    if !is_of_packets {
        return None;
    }
    let object = |packet: &Packet| -> Vec<_> {
        let read = |of| (Read::Packet(PacketRef::This, of), field(packet, VERSION, of));
        fields.iter().copied().map(read).collect()
    };
    let objects: Vec<_> = packets.iter().map(object).collect();
    let (law, places) = broken_among(&order.before, &objects)?;
    let names = (1..).zip(&places).map(|(name, place)| format!("p{name} is packet {}", packets[*place].id));
    let names = names.collect::<Vec<_>>().join(", ");
    let objects = places.iter().map(|place| objects[*place].clone()).collect();
    Some(format!("{}; {names}", Counterexample { law, objects }))
}

#[cfg(test)]
mod tests {
    use super::super::waiting;
    use super::*;
    use crate::answer::{Answer, Marked, Verdict};
    use crate::operation::Operation;
    use forebay_core::{Duration, Time};

    /// Ties with everything at most 2 away: no order. The language rejects that, so the order is put into a policy that has another one.
    fn policy(text: &str) -> Policy {
        let analyse = |text: &str| forebay_lang::analyse(text, &Vec::new()).policy;
        analyse(text).expect("a policy of this test")
    }

    fn arrives(id: u64, value: u32) -> Operation {
        let packet = Packet { id, value, processing: Duration::from_ns(1), size_bytes: 64, ..Packet::default() };
        Operation::Enqueue(Time::from_ns(id), packet)
    }

    fn tolerant() -> Policy {
        use forebay_lang::ir::{Arith, Cond, Num, PacketField, Relation};
        let mut made = policy("q = Queue(9 pkts);\nout = Port(100, q);\n");
        let value = |packet| Num::Read(Read::Packet(packet, PacketField::Value));
        let two = Num::Const(forebay_lang::Ratio::from_integer(2));
        let further = Num::Arith(Arith::Add, Box::new(value(PacketRef::Second)), Box::new(two));
        let before = Cond::Compare(Relation::Greater, value(PacketRef::First), further);
        made.queues[0].processing = Comparator { name: "tolerant".to_owned(), before, keys: None };
        made
    }

    #[test]
    fn packets_for_which_an_order_is_none_are_named_with_their_values() {
        let operations = [arrives(7, 10), arrives(8, 12), arrives(9, 13)];
        let queued = vec![Answer::of(Verdict::Queued); 3];
        let said = broken_order(&tolerant(), &waiting(&operations, &queued, 3)).expect("10 and 13 tie with 12");
        assert_eq!(
            said,
            "Comparator tolerant of queue q is no order of the packets that wait here: with p1.value = 13, p2.value = \
             12 and p3.value = 10, p2 ties \
             with p1 and with p3, but p1 comes before p3; p1 is packet 9, p2 is packet 8, p3 is packet 7."
        );
    }

    #[test]
    fn nothing_is_said_of_packets_that_do_not_wait_together_or_are_in_order() {
        let (queued, sent) =
            (Answer::of(Verdict::Queued), |id| Answer::of(Verdict::Sent(Marked { id, value: 0, marks: 0 })));
        let leaves = Operation::Dequeue(Time::from_ns(9), forebay_lang::ir::PortId(0));
        let operations = [arrives(7, 10), arrives(8, 12), leaves, arrives(9, 13)];
        let answers = vec![queued.clone(), queued.clone(), sent(8), queued.clone()];
        assert_eq!(broken_order(&tolerant(), &waiting(&operations, &answers, 4)), None);
        let in_order = [arrives(1, 1), arrives(2, 4), arrives(3, 7)];
        assert_eq!(broken_order(&tolerant(), &waiting(&in_order, &vec![queued; 3], 3)), None);
    }
}
