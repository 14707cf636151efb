//! Policies that send packets by another port than the one that `queue` names, and policies that do not.

use forebay_lang::ir::{Astray, PortId};
use forebay_lang::{Policy, analyse};

fn policy(text: &str) -> Policy {
    let analysis = analyse(text, &Vec::new());
    analysis.policy.unwrap_or_else(|| panic!("{text}\n{:#?}", analysis.diagnostics))
}

/// Three ports with two queues each: `a` is of class 40 and above, `b` of the rest.
fn two_each(classify: &str) -> Policy {
    policy(&format!(
        "a[1..3] = Queue(9 pkts); b[1..3] = Queue(9 pkts); for i in 1..3 {{ out[i] = Port(100, a[i], b[i]); }}\n{classify}"
    ))
}

/// The port and the name of the queue.
fn astray(policy: &Policy) -> Option<(u16, &str)> {
    policy
        .astray()
        .map(|Astray { egress: PortId(egress), queue }| (egress, policy.queues[usize::from(queue.0)].name.as_str()))
}

#[test]
fn a_queue_for_each_port_in_the_same_order_is_proved() {
    let text = "q[1..3] = Queue(9 pkts); for i in 1..3 { out[i] = Port(100, q[i]); }";
    assert_eq!(astray(&policy(text)), None);
    assert_eq!(astray(&policy("q = Queue(9 pkts); out = Port(100);")), None);
}

#[test]
fn classifiers_that_keep_to_the_port_are_proved() {
    for classify in [
        "classify(p) = (p.class >= 40, enter(a[p.queue + 1])).(true, enter(b[p.queue + 1]));",
        "classify(p) = (p.queue == 0, enter(a1)).(p.queue == 1 && p.size < 200, enter(a2)).(p.queue == 1, enter(b2))\
         .(p.queue == 2, enter(b3));",
        "classify(p) = (p.queue >= 2, enter(a3)).(!(p.queue == 0), enter(a[2])).(true, enter(b1));",
        "classify(p) = (p.queue == 0 || p.queue == 1, enter(a[p.queue + 1])).(true, enter(a3));",
    ] {
        assert_eq!(astray(&two_each(classify)), None, "{classify}");
    }
    let hashed = policy(
        "q[1..6] = Queue(9 pkts); for i in 1..3 { out[i] = Port(100, q[2 * i - 1], q[2 * i]); }\n\
         classify(p) = enter(q[2 * p.queue + mod(p.flow, 2) + 1]);",
    );
    assert_eq!(astray(&hashed), None);
}

#[test]
fn packets_that_may_leave_elsewhere_are_found() {
    // Without a classifier the number is that of the queue.
    assert_eq!(astray(&two_each("")), None, "queues 0 to 2 are a1 to a3");
    let crossed = policy("q[1..2] = Queue(9 pkts); left = Port(100, q2); right = Port(100, q1);");
    assert_eq!(astray(&crossed), Some((0, "q1")));
    for (classify, found) in [
        ("classify(p) = enter(a[mod(p.flow, 3) + 1]);", (0, "a2")),
        ("classify(p) = (p.class >= 40, enter(a1)).(true, enter(b[p.queue + 1]));", (1, "a1")),
        ("classify(p) = enter(a[mod(p.queue + 1, 3) + 1]);", (0, "a2")),
        ("classify(p) = (p.queue <= 1, enter(a1)).(true, enter(a3));", (1, "a1")),
    ] {
        assert_eq!(astray(&two_each(classify)), Some(found), "{classify}");
    }
}
