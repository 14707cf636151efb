//! Whole policies: what they become.

use crate::documents::{LISTINGS, programs};
use crate::shown::{policy, rendered, show};
use forebay_lang::{Overrides, Severity, analyse};

/// The listing that contains `part`.
fn listing(part: &str) -> &'static str {
    let mut found = programs(LISTINGS).into_iter().filter(|program| program.contains(part));
    let program = found.next().unwrap();
    assert!(found.next().is_none(), "`{part}` stands in several listings");
    program
}

#[track_caller]
fn becomes(text: &str, expected: &str) {
    assert_eq!(policy(text), expected, "{text}");
}

/// The comparators and the condition of listing 2.
fn listing_2() -> &'static str {
    listing("rsrpt(p1, p2) = (p1")
}

#[test]
fn listing_3_has_optimal_throughput() {
    becomes(
        &format!("param B = 64 pkts\n{}{}", listing_2(), listing("q1.procPrio(p1, p2) = srpt")),
        "\
param B = 64 pkts
q1: 64 pkts at out
  procPrio srpt: p1.processing < p2.processing
  admPrio rsrpt: p1.processing > p2.processing
  congestion tailDrop: (q.currSize >= 64, drop(1))
out: 100% of q1
",
    );
}

#[test]
fn the_greedy_policy_has_the_defaults() {
    let architecture = "param B = 1.5 KB\nq1 = Queue(B)\nout = Port(2.5 Gbps)\n";
    let greedy = listing("q1.admPrio = rfifo();");
    let expected = "\
param B = 1500
q1: 1500 B at out
  congestion tailDrop: (q.currSize > 1500, drop(1))
out: 2500000000 bps of q1
";
    becomes(&format!("{architecture}{greedy}"), expected);
    becomes(architecture, expected);
    // The names are no different if the file defines them as the paper does, but for the bound.
    let defined = policy(&format!("{architecture}{}{greedy}", listing_2()));
    assert_eq!(defined, expected);
}

#[test]
fn listings_4_and_5_and_6_have_families() {
    let loops = listing("for i in 1..k { q[i].schedState");
    let text = format!(
        "param B = 8 pkts; param k = 3\n{}{}{}{loops}out.schedPrio = crr",
        listing_2(),
        listing("q[1..k].procPrio = fifo();"),
        listing("lqf(q1,q2)"),
    );
    let queue = |number: usize| {
        format!("q{number}: 8 pkts at out\n  congestion tailDrop: (q.currSize >= 8, drop(1))\n  schedState {number}\n")
    };
    let port = "\
out: 100% of q1 q2 q3
  schedPrio crr: q1.schedState < q2.schedState
  postSchedAct crrPostSchedAct: (true, modify(currQueue.schedState := currQueue.schedState + 3))
";
    let params = "param B = 8 pkts\nparam k = 3\n";
    becomes(&text, &format!("{params}{}{}{}{port}", queue(1), queue(2), queue(3)));
    let last = text.replace("out.postSchedAct = crrPostSchedAct(out)", "out.postSchedAct = prrrPostSchedAct");
    let shown = policy(&last);
    let act = "(currQueue.findHigh().processing == 0, modify(currQueue.schedState := currQueue.schedState + 9))";
    assert!(shown.contains(&format!("postSchedAct prrrPostSchedAct: {act}")), "{shown}");
}

#[test]
fn listing_7_is_pfabric() {
    becomes(
        &format!("param B = 64 pkts\n{}{}", listing_2(), listing("by remaining flow size")),
        "\
param B = 64 pkts
q1: 64 pkts at out
  admPrio q1.admPrio: p1.value > p2.value
  congestion tailDrop: (q.currSize >= 64, drop(1))
out: 100% of q1
",
    );
}

#[test]
fn section_3_f_is_a_shared_memory_switch() {
    becomes(
        &format!("param B = 1 MB\n{}{}", listing("b = Buffer(B, q[1..3])"), listing("b.admPrio = longest();")),
        "\
param B = 1000000
q1: 1000000 B at p1 in b
  congestion tailDrop: (q.currSize > 1000000, drop(1))
q2: 1000000 B at p2 in b
  congestion tailDrop: (q.currSize > 1000000, drop(1))
q3: 1000000 B at p3 in b
  congestion tailDrop: (q.currSize > 1000000, drop(1))
p1: 100% of q1
p2: 100% of q2
p3: 100% of q3
b: 1000000 B of q1 q2 q3
  admPrio longest: q1.currSize > q2.currSize
  congestion bufDrop: (b.currSize > 1000000, drop(1))
",
    );
}

#[test]
fn the_conditions_of_section_3_have_cases() {
    let text = format!(
        "q1 = Queue(100); q2 = Queue(10 pkts); out = Port(100)\n{}{}{}\n{}q1.congestion = red; q2.congestion = third_drop()\n\
         q1.admPrio = admPrio; out.schedPrio = schedPrio",
        listing("red(q) ="),
        listing("third_drop"),
        listing("admPrio(p1, p2) = (p1.value < p2.value)"),
        listing("schedPrio(q1, q2) ="),
    );
    becomes(
        &text,
        "\
q1: 100 B at out
  admPrio admPrio: p1.value < p2.value
  congestion red: (q.currSize >= 95, drop(1), notify).(q.currSize >= 90, drop(9/10)).(q.currSize >= 75, drop(1/2))
q2: 10 pkts at out
  congestion third_drop: (mod(q.admState, 3) == 0, modify(q.admState := q.admState + 1), drop(1)).\
(true, modify(q.admState := q.admState + 1))
out: 100% of q1 q2
  schedPrio schedPrio: q1.findHigh().value > q2.findHigh().value
",
    );
}

#[test]
fn every_listing_is_part_of_a_policy() {
    // Listings define the same names; so each gets what it lacks by itself.
    let needs = "tailDrop(q) = q.currSize >= q.size, drop(1)\nsrpt(p1, p2) = (p1.processing < p2.processing)\n\
                 rsrpt(p1, p2) = (p1.processing > p2.processing)\n";
    for program in programs(LISTINGS) {
        let has = |part: &str| program.contains(part);
        let mut text = String::from("param B = 64 pkts; param k = 3\n");
        if has("rsrpt(p1, p2);") || has("out.postSchedAct") {
            text.push_str(if has("rsrpt") { needs } else { listing("lqf(q1,q2)") });
        }
        text.push_str(program);
        if has("q3 = Queue(B);") && !has("[") {
            text.push_str("\np1.schedState = 0");
            text = text
                .replace("p1 = Port(100)", "p1 = Port(100, q1, q2)")
                .replace("p3 = Port(100)", "p3 = Port(100, q3)");
        }
        if has("q1.admPrio = rfifo") {
            text.push_str("q1 = Queue(B);");
        }
        if has("b.admPrio") {
            text.push_str("q1 = Queue(B); q2 = Queue(B); b = Buffer(B);");
        }
        if has("q[i].schedState") {
            text.push_str("q[1..k] = Queue(B);");
        }
        if !has("Queue(B)") && !text.contains("Queue(B)") {
            text.push_str("\nq1 = Queue(B);");
        }
        if !text.contains("Port(") {
            text.push_str("\nout = Port(100)");
        }
        let analysis = analyse(&text, &Overrides::new());
        let shown = rendered(&text, &analysis);
        assert!(analysis.policy.is_some(), "{text}\n{shown}");
        assert!(analysis.diagnostics.iter().all(|said| said.severity == Severity::Warning), "{shown}");
    }
}

#[test]
fn what_a_policy_says_itself_is_resolved() {
    becomes(
        "
out = Port(rate, q[1..n], voice); param rate = 50%; param n = 2
half = limit / 2; limit = voice.size
voice = Queue(4 KiB)
for i in 1..n { q[i] = Queue(i * 10 pkts) }
q[1..n].procPrio = mine
mine = srpt; srpt(a, b) = (a.processing < b.processing || a.processing == b.processing && rfifo(b, a))
q2.procPrio(x, y) = srpt(y, x)
voice.congestion(v) = let first = v.findHigh() in let room = v.size - v.currSize in
    (room < half && not (n == 3) && arriving.slack < now - arriving.arrival + 1 ms, modify(first.value := max(room, 1)), mark).
    (v.currSize > q[n - 1].size / 1 pkts * 100 B, drop(v.currSize / v.size))
out.schedState = -n; out.postSchedAct = (out.currQueue.currSize > out.rate / 10%, modify(out.schedState++))
",
        "\
param rate = 50
param n = 2
voice: 4096 B at out
  congestion voice.congestion: \
((4096 - q.currSize < 2048 && arriving.slack < (now - arriving.arrival) + 1000000), \
modify(q.findHigh().value := max(4096 - q.currSize, 1)), mark).(q.currSize > 1000, drop(q.currSize / 4096))
q1: 10 pkts at out
  procPrio srpt: \
(p1.processing < p2.processing || (p1.processing == p2.processing && p2.arrival > p1.arrival))
  congestion tailDrop: (q.currSize > 10, drop(1))
q2: 20 pkts at out
  procPrio reverse srpt: \
(p2.processing < p1.processing || (p2.processing == p1.processing && p1.arrival > p2.arrival))
  congestion tailDrop: (q.currSize > 20, drop(1))
out: 50% of voice q1 q2
  postSchedAct out.postSchedAct: (currQueue.currSize > 5, modify(port.schedState := port.schedState + 1))
  schedState -2
",
    );
}

#[test]
fn packets_are_directed_by_classify() {
    let queues = "param k = 2; voice = Queue(1 KB); q[1..k] = Queue(1 KB); out = Port(100)\n";
    let classified = |text: &str| {
        let shown = policy(&format!("{queues}classify(p) = {text}"));
        shown.lines().filter(|line| line.starts_with("classify")).collect::<Vec<_>>().join("\n")
    };
    assert_eq!(
        classified("(p.class >= 40, enter(voice)).(true, enter(q[mod(p.flow, k) + 1]))"),
        "classify (p.class >= 40, voice[0] from 0)\nclassify (true, q1 q2[mod(p.flow, 2) + 1] from 1)"
    );
    assert_eq!(classified("enter(q[p.queue])"), "classify (true, q1 q2[p.queue] from 1)");
    assert_eq!(classified("enter(q[k])"), "classify (true, q2[0] from 0)");
    assert_eq!(classified("p.size < 100 B, enter(q1)"), "classify (p.size < 100, q1[0] from 0)");
    assert_eq!(
        classified("let n = mod(p.flow, k) in (n > 0, enter(q[n]))"),
        "classify (mod(p.flow, 2) > 0, q1 q2[mod(p.flow, 2)] from 1)"
    );
}

#[test]
fn an_assignment_to_fewer_objects_replaces_an_earlier_one_to_more() {
    let text =
        "q[1..3] = Queue(1); out = Port(1)\nfor i in 1..3 { q[i].admState = 7 }\nq[1..2].admState = 8; q2.admState = 9";
    let analysis = analyse(text, &Overrides::new());
    let states: Vec<String> = analysis.policy.unwrap().queues.iter().map(|queue| queue.adm_state.to_string()).collect();
    assert_eq!(states, ["8", "9", "7"]);
}

#[test]
fn a_policy_with_warnings_is_a_policy() {
    let text = "unusedOne = 3; q = Queue(1); out = Port(1)";
    let analysis = analyse(text, &Overrides::new());
    assert_eq!((analysis.diagnostics.len(), analysis.diagnostics[0].severity), (1, Severity::Warning));
    assert!(show(&analysis.policy.unwrap()).starts_with("q: 1 B at out"));
}
