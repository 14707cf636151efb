//! Short texts that expand to huge policies are rejected before they are expanded. If a limit does not hold, these
//! tests hang.

use crate::shown::rendered;
use forebay_lang::{Overrides, analyse};

/// The codes of what is said.
fn codes(text: &str) -> Vec<&'static str> {
    let analysis = analyse(text, &Overrides::new());
    analysis.diagnostics.iter().map(|said| said.code.as_str()).collect()
}

/// `n` definitions, each from its number.
fn chain(n: usize, link: impl Fn(usize) -> String) -> String {
    (1..n).map(link).collect()
}

const OBJECTS: &str = "q = Queue(1); out = Port(1);";

#[test]
fn names_that_double_are_not_written_out() {
    let values = chain(40, |i| format!("x{i} = x{} + x{};", i - 1, i - 1));
    assert_eq!(codes(&format!("x0 = q.currSize; {values} {OBJECTS} q.congestion = (x39 > 1, drop(1))")), ["too-large"]);
    assert_eq!(codes(&format!("x0 = 1; {values} {OBJECTS} q.admState = x39")), ["too-large"]);
    let orders = chain(40, |i| format!("f{i}(a, b) = (f{0}(a, b) || f{0}(b, a));", i - 1));
    assert_eq!(codes(&format!("f0(a, b) = (a.value < b.value); {orders} {OBJECTS} q.admPrio = f39")), ["too-large"]);
    let lets = chain(60, |i| format!("let a{i} = a{} + a{} in ", i - 1, i - 1));
    let condition = format!("q.congestion(q) = let a0 = q.currSize in {lets} (a59 > 1, drop(1))");
    assert_eq!(codes(&format!("{OBJECTS} {condition}")), ["too-large"]);
}

#[test]
fn loops_within_loops_are_counted_before_they_are_written_out() {
    for depth in [3, 20] {
        let loops: String = (0..depth).map(|i| format!("for i{i} in 1..1000 {{ ")).collect();
        let text = format!("{OBJECTS} {loops} q.admState = 1; {}", "}".repeat(depth));
        assert_eq!(codes(&text), ["too-large"]);
    }
}

#[test]
fn long_chains_of_names_do_not_overflow_the_stack() {
    let values = chain(5_000, |i| format!("x{i} = x{} + 1;", i - 1));
    assert_eq!(codes(&format!("x0 = 1; {values} {OBJECTS} q.admState = x4999")), ["too-large"]);
    let few = chain(100, |i| format!("x{i} = x{} + 1;", i - 1));
    assert!(codes(&format!("x0 = 1; {few} {OBJECTS} q.admState = x99")).is_empty());
    let cycle = chain(100, |i| format!("x{i} = x{};", i - 1));
    assert_eq!(codes(&format!("x0 = x99; {cycle} {OBJECTS} q.admState = x99"))[0], "recursion");
}

#[test]
fn loops_and_families_end() {
    assert_eq!(codes("for i in 1..60000 { for j in 1..60000 { for k in 1..60000 { } } }"), ["too-large"]);
    assert!(codes("for i in 1..60000 { q[1..60000].x = i }").contains(&"too-large"));
    // Loops without a body, many and deep ones, and such whose ends have long names.
    let empty = |loops: usize, range: &str| {
        let open: String = (0..loops).map(|i| format!("for i{i} in {range} {{ ")).collect();
        open + &"}".repeat(loops)
    };
    assert_eq!(codes(&empty(3, "1..1000")), ["too-large"]);
    assert_eq!(codes(&empty(58, "1..2")), ["too-large"]);
    let long = "n".repeat(50_000);
    assert!(codes(&format!("param {long} = 2; {}", empty(40, &format!("1..{long}")))).contains(&"too-large"));
    let ports = chain(100, |i| format!("p{i} = Port(1, q[1..60000]);"));
    assert!(codes(&format!("q[1..60000] = Queue(1); {ports}")).contains(&"too-large"));
    let entries = chain(500, |_| ".(true, enter(q[p.flow]))".to_owned());
    let classify = format!("classify(p) = (true, enter(q[p.flow])){entries}");
    assert_eq!(codes(&format!("q[1..60000] = Queue(1); out = Port(1); {classify}")), ["too-large"]);
}

#[test]
fn what_is_wrong_for_every_member_is_said_once() {
    let text = "q[1..60000] = Queue(1); out = Port(1); for i in 1..60000 { z[i].x = 1; q[i].admState = y }";
    assert_eq!(codes(text), ["unknown-name", "unknown-name"]);
    let text = chain(20_000, |i| format!("q{i} = Queu(1);"));
    assert_eq!(codes(&text).len(), 201);
}

#[test]
fn the_largest_policy_is_one() {
    let text = "q[1..65535] = Queue(10 KB); out = Port(1)\nq[1..65535].congestion(q) = (q.currSize >= .5 * q.size, drop(1))\n\
                for i in 1..65535 { q[i].schedState = i }\nq[1..65535].admPrio(a, b) = (a.value > b.value)";
    let analysis = analyse(text, &Overrides::new());
    let policy = analysis.policy.as_ref().unwrap_or_else(|| panic!("{}", rendered(text, &analysis)));
    assert_eq!((policy.queues.len(), policy.ports[0].queues.len()), (65_535, 65_535));
    assert_eq!(codes("q[1..65535] = Queue(1); r = Queue(2); out = Port(1)"), ["too-large"]);
}
