//! Stages of buffers: `next` and `eligible` of ports, and `next` of queues.

use crate::mistakes::{Example, check};
use forebay_core::QueueId;
use forebay_lang::ir::{PortId, PortRate, exact_products};
use forebay_lang::{Policy, Ratio, analyse};

/// What stands before each example of stages. It is one line.
const STAGED: &str =
    "a[1..2] = Queue(9 pkts); b[1..2] = Queue(3 pkts); in1 = Port(100, a[1..2]); out = Port(100, b[1..2])\n";

/// Examples that follow [`STAGED`].
pub(crate) const MISTAKES: &[Example] = &[
    ("in1.next(p) = enter(a1)", "stages", (2, 21), "form a cycle: from `in1` to `in1`", None),
    (
        "in1.next(p) = enter(b1); out.next(p) = enter(a2)",
        "stages",
        (2, 46),
        "form a cycle: from `in1` to `out` to `in1`",
        None,
    ),
    (
        "in1.next(p) = enter(b[p.queue + 1]); classify(p) = (p.class > 3, enter(b2)).(true, enter(a[p.queue + 1]))",
        "stages",
        (2, 72),
        "`b2` belongs to a later stage",
        None,
    ),
    (
        "in1.next(p) = enter(b1); classify(p) = enter(a[p.queue + 1])",
        "stages",
        (1, 26),
        "no packet ever enters `b2`",
        None,
    ),
    ("in1.next(p) = enter(c1)", "unknown-name", (2, 21), "there is no `c1`", None),
    ("in1.next(p) = enter(out)", "wrong-kind", (2, 21), "a packet enters a queue, not a port", None),
    ("in1.next(p) = (p.class > 3, drop(1))", "wrong-place", (2, 29), "`next` only says which queue", None),
    ("in1.next(p) = p.class", "wrong-kind", (2, 15), "`next` needs the action `enter`", None),
    ("in1.next(p) = (now > 3, enter(b1))", "wrong-place", (2, 16), "`next` reads only the packet", None),
    ("in1.next(p) = (a1.currSize > 3, enter(b1))", "wrong-place", (2, 19), "`eligible` can read queues", None),
    ("in1.next(p) = (arriving.size > 3, enter(b1))", "wrong-place", (2, 16), "the packet that was served is `p`", None),
    ("in1.next = enter(b1)", "wrong-arguments", (2, 1), "`in1.next(p) = enter(q)`", None),
    ("in1.next(p, q) = enter(b1)", "wrong-arguments", (2, 1), "has one parameter", None),
    ("in1.next(p) = enter(b1); in1.next(p) = enter(b2)", "assigned-twice", (2, 26), "first assigned here", None),
    ("a1.next(p) = enter(b1)", "read-only", (2, 1), "`next` of a queue cannot be assigned", None),
    ("in1.eligible(q) = q.currSize > 3", "wrong-place", (2, 1), "`in1` has no `next`", None),
    ("in1.next(p) = enter(b1); out.eligible(q) = q.currSize > 1", "wrong-place", (2, 26), "`out` has no `next`", None),
    ("in1.next(p) = enter(b1); in1.eligible = true", "wrong-arguments", (2, 26), "defined where it is assigned", None),
    ("in1.next(p) = enter(b1); in1.eligible(q) = q.next", "wrong-kind", (2, 44), "a truth value is needed", None),
    (
        "in1.next(p) = enter(b1); in1.eligible(q) = (q.currSize > 1, drop(1))",
        "wrong-kind",
        (2, 45),
        "has no actions",
        None,
    ),
    ("in1.next(p) = enter(b1); in1.eligible(q) = now > 3", "wrong-place", (2, 44), "cannot use `now`", None),
    (
        "in1.next(p) = enter(b1); in1.eligible(q) = q.next.currProcessing > 3",
        "wrong-place",
        (2, 51),
        "`next` has `size`, `currSize`, `admState` and `schedState`",
        None,
    ),
    ("in1.next(p) = enter(b1); in1.eligible(q) = q.next.next.size > 3", "wrong-place", (2, 51), "cannot be read", None),
    ("in1.next(p) = enter(b1); in1.eligible(q) = a1.next.size > 3", "wrong-place", (2, 47), "is known only in", None),
    ("in1.next(p) = enter(b1); in1.eligible(q) = q.next.size > 3 KB", "wrong-unit", (2, 58), "packets and bytes", None),
    (
        "in1.next(p) = enter(b1); a1.congestion(q) = (q.next.size > 3, mark)",
        "wrong-place",
        (2, 48),
        "is known only",
        None,
    ),
    (
        "in1.next(p) = enter(b1); out.schedPrio(x, y) = (x.next.size > y.schedState)",
        "wrong-place",
        (2, 51),
        "a port that has a `next`",
        None,
    ),
    (
        "in1.next(p) = enter(b1); in1.postSchedAct = (true, modify(a1.next.schedState++))",
        "wrong-place",
        (2, 62),
        "is known only",
        None,
    ),
    ("shortest(x, y) = (x.next.currSize < y.next.currSize)", "unused", (2, 1), "assign it: `in1.schedPrio", None),
];

#[test]
fn every_mistake_of_stages_is_said_once_at_its_place() {
    let wrong: Vec<String> = MISTAKES.iter().filter_map(|example| check(STAGED, example).err()).collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

fn policy(text: &str) -> Policy {
    let analysis = analyse(text, &Vec::new());
    assert!(analysis.diagnostics.is_empty(), "{text}\n{:#?}", analysis.diagnostics);
    analysis.policy.unwrap()
}

const CROSSBAR: &str = include_str!("../../../../policies/buffered-crossbar.oq");

#[test]
fn ports_lead_into_queues_of_a_later_stage() {
    let policy = policy(CROSSBAR);
    assert!(policy.has_stages());
    let exits: Vec<&str> = policy.exits().map(|id| policy.ports[usize::from(id.0)].name.as_str()).collect();
    assert_eq!(exits, ["output1", "output2", "output3"]);
    assert_eq!(policy.entrances(), (0..9).map(QueueId).collect::<Vec<_>>(), "the virtual output queues");
    assert_eq!(policy.circle(), None);
    let next = policy.ports[1].next.as_ref().unwrap();
    assert_eq!(next.eligible.as_ref().unwrap().to_string(), "q.next.currSize < q.next.size");
    assert_eq!(next.queues(), (9..18).map(QueueId).collect::<Vec<_>>());
    assert_eq!(next.entries[0].index.to_string(), "(mod(p.queue, 3) * 3) + 2");
    assert_eq!(exact_products(policy.ports[0].scheduling.before.clone()).to_string(), "q1.currSize > q2.currSize");
}

#[test]
fn a_port_that_leads_on_may_be_faster_than_a_link() {
    let text =
        |rate: &str| format!("a = Queue(1); b = Queue(1); x = Port({rate}, a); y = Port(100, b); x.next(p) = enter(b)");
    let rates: Vec<PortRate> = ["250%", "2.5 Gbps"].iter().map(|rate| policy(&text(rate)).ports[0].rate).collect();
    assert_eq!(rates[0], PortRate::Percent(Ratio::from_integer(250)));
    assert!(matches!(rates[1], PortRate::Rate(_)));
}

/// Orders that read the next stage are lists of keys like others; numbers of queues in different units go together where no sizes are
/// compared.
#[test]
fn orders_of_queues_read_what_they_lead_to() {
    let staged = STAGED.trim_end();
    let policy = policy(&format!(
        "{staged}; in1.next(p) = enter(b[p.queue + 1])
         in1.schedPrio(x, y) = (x.next.currSize < y.next.currSize || x.next.currSize == y.next.currSize && x.currSize > y.currSize)"
    ));
    let keys = policy.ports[0].scheduling.keys.as_ref().unwrap();
    assert_eq!(
        keys.iter().map(ToString::to_string).collect::<Vec<_>>(),
        ["lowest q.next.currSize", "highest q.currSize"]
    );
    let mixed =
        "a[1..2] = Queue(9 pkts); b1 = Queue(3 pkts); b2 = Queue(3 KB); x = Port(100, a[1..2]); y = Port(100, b[1..2])
         x.next(p) = enter(b[p.queue + 1]); x.eligible(q) = q.next.";
    let said = |rest: &str| analyse(&format!("{mixed}{rest}"), &Vec::new()).diagnostics;
    assert!(said("admState == 0").is_empty());
    assert_eq!(said("currSize < q.next.size")[0].code.as_str(), "wrong-unit");
}

/// Every cycle of ports in a policy is found, whatever port it starts from.
#[test]
fn a_circle_is_found_by_its_first_port() {
    let text =
        "q[1..4] = Queue(1); for i in 1..4 { p[i] = Port(100, q[i]) }; p1.next(p) = enter(q2); p2.next(p) = enter(q4)";
    assert_eq!(policy(text).circle(), None);
    let mut circular = policy(text);
    circular.ports[3].next = circular.ports[0].next.clone();
    assert_eq!(circular.circle(), Some(vec![PortId(1), PortId(3)]));
    let mut alone = policy(text);
    alone.ports[2].next = alone.ports[1].next.clone();
    assert_eq!(alone.circle(), None, "two ports may lead into one queue");
    alone.ports[3].next = alone.ports[3].next.clone().or_else(|| alone.ports[1].next.clone());
    assert_eq!(alone.circle(), Some(vec![PortId(3)]));
}
