//! Why a datapath may differ from the reference engine.
//!
//! Each cause has its own file. A cause does not prove that the difference comes from it. It names a property of the packets concerned that
//! datapaths are known to treat differently.

mod arithmetic;
mod capacity_limits;
mod order;
mod ties;

pub use capacity_limits::Holds;

use crate::answer::{Answer, Verdict};
use crate::operation::Operation;
use forebay_core::Packet;
use forebay_lang::Policy;

/// The most packets that are compared, which are the latest: 40,000 pairs.
const MOST: usize = 200;

/// The version under which packets arrive.
const VERSION: u32 = 1;

/// The text if none of the causes is found.
const NONE: &str = "No known cause was found.";

/// A datapath that differs.
#[derive(Debug, Clone, Copy)]
pub struct Differing<'a> {
    /// The policy.
    pub policy: &'a Policy,
    /// The operations that were played.
    pub operations: &'a [Operation],
    /// The answers of the reference engine.
    pub expected: &'a [Answer],
    /// The answers of the datapath.
    pub found: &'a [Answer],
    /// The number of the first operation that differs, from 1.
    pub operation: usize,
    /// The capacity limits of the target.
    pub holds: &'a Holds,
}

impl Differing<'_> {
    /// Returns the first cause that is found, in one or two sentences; or a text that none was found.
    #[must_use]
    pub fn cause(&self) -> String {
        let waiting = waiting(self.operations, self.expected, self.operation);
        let latest = &waiting[waiting.len().saturating_sub(MOST)..];
        let concerned = self.concerned(&waiting, latest);
        order::broken_order(self.policy, latest)
            .or_else(|| arithmetic::at_limit(self.policy, &concerned))
            .or_else(|| self.holds.too_wide(&concerned))
            .or_else(|| self.holds.too_many(self.policy, waiting.len(), self.found()))
            .or_else(|| ties::undecided(self.policy, &waiting, self.arriving(), self.expected(), self.found()))
            .unwrap_or_else(|| NONE.to_owned())
    }

    /// Returns the reference engine's answer at the difference.
    fn expected(&self) -> Option<&Answer> {
        self.expected.get(self.operation.checked_sub(1)?)
    }

    /// Returns the datapath's answer at the difference.
    fn found(&self) -> Option<&Answer> {
        self.found.get(self.operation.checked_sub(1)?)
    }

    /// Returns the packet that arrives at the difference.
    fn arriving(&self) -> Option<u64> {
        match self.operations.get(self.operation.checked_sub(1)?)? {
            Operation::Enqueue(_, packet) => Some(packet.id),
            _ => None,
        }
    }

    /// Returns the packets that the two answers name, and the arriving one; the latest, if neither answer names one.
    fn concerned(&self, waiting: &[Packet], latest: &[Packet]) -> Vec<Packet> {
        let answers = [self.expected(), self.found()];
        let mut named: Vec<u64> = answers.into_iter().flatten().flat_map(named).collect();
        if named.is_empty() {
            return latest.to_vec();
        }
        named.extend(self.arriving());
        waiting.iter().filter(|packet| named.contains(&packet.id)).copied().collect()
    }
}

/// Returns the packets that an answer names.
fn named(answer: &Answer) -> Vec<u64> {
    let sent = if let Verdict::Sent(packet) = &answer.verdict { Some(packet.id) } else { None };
    sent.into_iter().chain(answer.pushed.iter().flatten().map(|packet| packet.id)).collect()
}

/// Returns the packets that are queued before an operation, and the one that arrives with it.
fn waiting(operations: &[Operation], expected: &[Answer], difference: usize) -> Vec<Packet> {
    let mut waiting: Vec<Packet> = Vec::new();
    let before = difference.saturating_sub(1);
    for (operation, answer) in operations.iter().zip(expected).take(before) {
        match (operation, &answer.verdict) {
            (Operation::Enqueue(_, packet), Verdict::Queued) => waiting.push(*packet),
            (_, Verdict::Sent(sent)) => waiting.retain(|packet| packet.id != sent.id),
            _ => {}
        }
        for pushed in answer.pushed.iter().flatten() {
            waiting.retain(|packet| packet.id != pushed.id);
        }
    }
    if let Some(Operation::Enqueue(_, packet)) = operations.get(before) {
        waiting.push(*packet);
    }
    waiting
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Played;

    /// Returns the text about a difference in the last of some operations.
    fn said(policy: &str, operations: &str, expected: &[&str], found: &[&str], holds: &Holds) -> String {
        let policy = forebay_lang::analyse(policy, &Vec::new()).policy.expect("a policy of this test");
        let operations = crate::read(operations, Played { ports: 1, parameters: 0, policies: 1 }).expect("operations");
        let read = |texts: &[&str]| texts.iter().map(|text| text.parse().expect("an answer")).collect::<Vec<Answer>>();
        let (expected, found) = (read(expected), read(found));
        let operation = operations.len();
        Differing { policy: &policy, operations: &operations, expected: &expected, found: &found, operation, holds }
            .cause()
    }

    /// Returns the arrival of a packet with a size, a value and a rank.
    fn arrives(at: u64, value: u64, rank: u64, id: u64) -> String {
        format!("enqueue {at} 0 64 {value} 0 0 0 0 0 {rank} 0 {id}\n")
    }

    const ORDERED: &str = "q = Queue(9 pkts);\nout = Port(100, q);\n\
                           q.procPrio(a, b) = (a.value * a.rank > b.value * b.rank);\n";

    #[test]
    fn a_product_that_reaches_the_limit_is_named_with_its_packet() {
        let large = 1 << 30;
        let operations =
            [arrives(1, large, large, 7), arrives(2, large, large + 1, 8), "dequeue 3 0\n".to_owned()].concat();
        let said = said(
            ORDERED,
            &operations,
            &["queued", "queued", "sent 7:1073741824:0"],
            &["queued", "queued", "sent 8:1073741824:0"],
            &Holds::default(),
        );
        assert_eq!(
            said,
            "`p1.value * p1.rank` in order q.procPrio of queue q is beyond the limit of numbers for packet 7, so it \
             is clamped to 140737488355328. A datapath that keeps another number there decides differently."
        );
    }

    #[test]
    fn a_field_beyond_the_limit_of_numbers_is_named() {
        let operations = [arrives(1, 1, u64::MAX, 7), arrives(2, 1, 5, 8), "dequeue 3 0\n".to_owned()].concat();
        let policy = "q = Queue(9 pkts);\nout = Port(100, q);\nq.procPrio(a, b) = (a.rank > b.rank);\n";
        let [right, wrong] = ["sent 7:1:0", "sent 8:1:0"];
        let said =
            said(policy, &operations, &["queued", "queued", right], &["queued", "queued", wrong], &Holds::default());
        assert!(
            said.starts_with("`p1.rank` in order q.procPrio of queue q is beyond the limit of numbers for packet 7"),
            "{said}"
        );
    }

    #[test]
    fn a_condition_that_reaches_the_limit_is_named_for_the_packet_that_arrives() {
        let policy =
            "q = Queue(9 pkts);\nout = Port(100, q);\nq.congestion = (arriving.value * arriving.rank > 5, drop(1));\n";
        let (large, none) = (1 << 30, Holds::default());
        let said = said(policy, &arrives(1, large, large, 7), &["refused queue"], &["queued"], &none);
        assert!(
            said.starts_with("`arriving.value * arriving.rank` in congestion of queue q is beyond the limit"),
            "{said}"
        );
    }

    #[test]
    fn a_field_that_the_target_does_not_hold_is_named_with_its_width() {
        let policy = "q = Queue(9 pkts);\nout = Port(100, q);\nq.procPrio(a, b) = (a.value > b.value);\n";
        let mut bits = forebay_targets::sv::FieldBits::default();
        bits.set("value=8".parse().expect("a width"));
        let holds = Holds { bits: Some(bits), ..Holds::default() };
        let operations = [arrives(1, 300, 1, 7), arrives(2, 255, 1, 8), "dequeue 3 0\n".to_owned()].concat();
        let [right, wrong] = ["sent 7:300:0", "sent 8:255:0"];
        let said = said(policy, &operations, &["queued", "queued", right], &["queued", "queued", wrong], &holds);
        assert_eq!(
            said,
            "The target cannot hold `value` of packet 7: it is 300, and the field holds at most 255. The target may \
             use another number for it."
        );
    }

    #[test]
    fn more_packets_or_queues_than_the_target_has_room_for_are_named() {
        let fifo = "q = Queue(9 pkts);\nout = Port(100, q);\n";
        let operations = [arrives(1, 1, 1, 7), arrives(2, 1, 1, 8), arrives(3, 1, 1, 9)].concat();
        let (right, wrong) = (["queued", "queued", "queued"], ["queued", "queued", "refused queue"]);
        let two = Holds { packets: Some(2), ..Holds::default() };
        assert_eq!(
            said(fifo, &operations, &right, &wrong, &two),
            "3 packets wait, including the one that arrives, and the target has room for 2."
        );
        assert_eq!(
            said(fifo, &operations, &right, &["queued", "queued", "refused slots"], &Holds::default()),
            "The datapath has no slot left for a packet (`slots`): 3 packets wait, including the one that arrives."
        );
        let several = "q[1..3] = Queue(9 pkts);\nout = Port(100, q[1..3]);\nclassify(p) = (true, enter(q1));\n";
        let queues = Holds { queues: Some(2), ..Holds::default() };
        assert_eq!(
            said(several, &operations, &right, &wrong, &queues),
            "The policy has 3 queues, and the target has room for 2."
        );
    }

    #[test]
    fn a_tie_that_the_datapath_decides_otherwise_is_named() {
        let policy = "q = Queue(2 pkts);\nout = Port(100, q);\nq.procPrio(a, b) = (a.value > b.value);\n\
                      q.admPrio(a, b) = (a.rank > b.rank);\nq.congestion = (q.currSize > 2, drop(1));\n";
        let none = Holds::default();
        let two = [arrives(1, 5, 1, 7), arrives(2, 5, 1, 8)].concat();
        let leaves = format!("{two}dequeue 3 0\n");
        assert_eq!(
            said(policy, &leaves, &["queued", "queued", "sent 7:5:0"], &["queued", "queued", "sent 8:5:0"], &none),
            "Packets 7 and 8 tie in order q.procPrio of queue q, so the order of arrival decides that 7 leaves first. The datapath decides for 8."
        );
        let third = format!("{two}{}", arrives(3, 5, 1, 9));
        assert_eq!(
            said(
                policy,
                &third,
                &["queued", "queued", "queued pushed 7:5:0"],
                &["queued", "queued", "refused queue"],
                &none
            ),
            "Packets 7 and 9 tie in order q.admPrio of queue q, so the order of arrival decides that 7 is dropped. The datapath decides for 9."
        );
        // Those of different values do not tie.
        let apart = [arrives(1, 6, 1, 7), arrives(2, 5, 1, 8), "dequeue 3 0\n".to_owned()].concat();
        assert_eq!(
            said(policy, &apart, &["queued", "queued", "sent 7:6:0"], &["queued", "queued", "sent 8:5:0"], &none),
            NONE
        );
    }

    #[test]
    fn packets_in_different_queues_do_not_tie() {
        let policy = "a = Queue(9 pkts);\nb = Queue(9 pkts);\nout = Port(100, a, b);\n\
                      classify(p) = (p.value > 5, enter(a)).(true, enter(b));\n";
        let operations = [arrives(1, 6, 1, 7), arrives(1, 5, 1, 8), "dequeue 3 0\n".to_owned()].concat();
        let [right, wrong] = ["sent 7:6:0", "sent 8:5:0"];
        assert_eq!(
            said(policy, &operations, &["queued", "queued", right], &["queued", "queued", wrong], &Holds::default()),
            NONE
        );
    }

    #[test]
    fn where_an_answer_is_missing_nothing_is_made_up() {
        let fifo = "q = Queue(9 pkts);\nout = Port(100, q);\n";
        assert_eq!(said(fifo, &arrives(1, 1, 1, 7), &["queued"], &[], &Holds::default()), NONE);
    }
}
