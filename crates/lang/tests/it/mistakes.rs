//! Mistakes of meaning: what is said, where, and that the proposed change mends them.

use crate::shown::rendered;
use crate::stages;
use forebay_lang::{Analysis, Lines, Overrides, analyse};
use std::collections::BTreeSet;

/// A mistake, its code, line and column (from 1), a part of what is said, and what the text is after the proposed
/// change.
pub(crate) type Example = (&'static str, &'static str, (u32, u32), &'static str, Option<&'static str>);

/// What stands before each example, so that it can be a policy. It is one line.
const BEFORE: &str = "q1 = Queue(10 pkts); q2 = Queue(9 KB); out = Port(100, q1, q2); b = Buffer(1 MB, q1, q2)\n";

/// Examples that follow [`BEFORE`].
const EXAMPLES: &[Example] = &[
    ("q1.admPrio = rffo", "unknown-name", (2, 14), "did you mean `rfifo`", Some("q1.admPrio = rfifo")),
    ("q1.admState = B", "unknown-name", (2, 15), "did you mean `b`", None),
    ("p[3..4] = Queue(1); c = Port(1, p)", "unknown-name", (2, 33), "`p` is a family", None),
    ("q1.admPrio = lowest(p1, p2)", "unknown-name", (2, 14), "there is no `lowest`", None),
    ("q3.admState = 1", "unknown-name", (2, 1), "no `q3`", None),
    ("out.postSchedAct = (currSize > 1, mark)", "unknown-name", (2, 21), "stands after its object", None),
    ("q1.admState = findHigh()", "unknown-name", (2, 15), "stands after a dot", None),
    (
        "q1.procPrio(a, b) = (a.arival < b.arrival)",
        "unknown-property",
        (2, 24),
        "did you mean `arrival`",
        Some("q1.procPrio(a, b) = (a.arrival < b.arrival)"),
    ),
    ("q1.procPrio(a, b) = (a.currSize > 1)", "unknown-property", (2, 24), "property of a queue", None),
    ("q1.procPrio(a, b) = (a.deadline < b.arrival)", "unknown-property", (2, 24), "`arrival + p.slack`", None),
    ("q1.procPrio(a, b) = (a.dscp < b.class)", "unknown-property", (2, 24), "called `class` here", None),
    ("q1.congestion(q) = (q.length > 1, mark)", "unknown-property", (2, 23), "called `currSize`", None),
    (
        "q1.congestion(q) = (p.size > 1, mark)",
        "unknown-name",
        (2, 21),
        "packet is `arriving`",
        Some("q1.congestion(q) = (arriving.size > 1, mark)"),
    ),
    (
        "q1.congestion(q) = (True && q.currSize > 1, mark)",
        "unknown-name",
        (2, 21),
        "write `true`",
        Some("q1.congestion(q) = (true && q.currSize > 1, mark)"),
    ),
    (
        "q1.congestion(q) = (NOT(q.currSize > 1), mark)",
        "unknown-name",
        (2, 21),
        "write `not`",
        Some("q1.congestion(q) = (not(q.currSize > 1), mark)"),
    ),
    ("q1.admState = sqrt(3)", "unknown-name", (2, 15), "`min(a, b)` and `max(a, b)`", None),
    ("q1.admState = null", "unknown-name", (2, 15), "nothing is empty here", None),
    ("q1.procprio = fifo", "unknown-property", (2, 4), "did you mean", Some("q1.procPrio = fifo")),
    ("out.admPrio = fifo", "unknown-property", (2, 5), "a port has no property", None),
    ("now = 3", "reserved-name", (2, 1), "has a meaning in the language", None),
    ("q1 = Queue(3)", "defined-twice", (2, 1), "first defined here", None),
    ("for i in 1..2 { x = i }", "defined-twice", (2, 17), "in each iteration of the loop", None),
    ("q1.admPrio(a, a) = (a.size < a.size)", "defined-twice", (2, 15), "both parameters", None),
    ("q1.admState = 1; q1.admState = 2", "assigned-twice", (2, 18), "first assigned here", None),
    ("q1.admState = 1; q[1..2].admState = 2", "assigned-twice", (2, 18), "before you assign to one member", None),
    ("for i in 1..2 { b.admState = i }", "assigned-twice", (2, 17), "in each iteration of the loop", None),
    ("q1.size = 5", "read-only", (2, 1), "where the object is made", None),
    ("q1.currSize = 5", "read-only", (2, 1), "the engine sets it", None),
    ("q1.currProcessing = 5", "read-only", (2, 1), "the engine sets it", None),
    (
        "q1.congestion(q) = (true, modify(q.currProcessing := 3))",
        "read-only",
        (2, 36),
        "cannot change `currProcessing`",
        None,
    ),
    ("b.congestion(b) = (b.currProcessing > 1, drop(1))", "unknown-property", (2, 22), "property of a queue", None),
    (
        "q1.procPrio(a, b) = (a.currProcessing < b.processing)",
        "unknown-property",
        (2, 24),
        "did you mean `processing`",
        Some("q1.procPrio(a, b) = (a.processing < b.processing)"),
    ),
    ("q1.congestion(q) = (q.work > 1, mark)", "unknown-property", (2, 23), "called `currProcessing`", None),
    ("q1.congestion(q) = (true, modify(q.size := 3))", "read-only", (2, 36), "`modify` cannot change `size`", None),
    ("q1.congestion(q) = (true, modify(arriving.slack++))", "read-only", (2, 43), "cannot change `slack`", None),
    ("q1.congestion(q) = (true, modify(arriving.marked := 1))", "read-only", (2, 43), "the action `mark`", None),
    ("q1.congestion(q) = (true, modify(arriving.notified := 1))", "read-only", (2, 43), "the action `notify`", None),
    (
        "out.postSchedAct = (true, modify(arriving.value := 1))",
        "wrong-place",
        (2, 34),
        "there is an arriving packet",
        None,
    ),
    (
        "q1.congestion(q) = (arriving.mark, drop(1))",
        "unknown-property",
        (2, 30),
        "did you mean `marked`",
        Some("q1.congestion(q) = (arriving.marked, drop(1))"),
    ),
    ("q1.congestion(q) = (arriving.value, drop(1))", "wrong-kind", (2, 21), "a truth value is needed", None),
    ("q1.congestion(q) = (true, paint(1))", "unknown-action", (2, 27), "`extern action paint(…);`", None),
    (
        "extern action paint(a); q1.congestion(q) = (true, paint(1)).(true, pant(1))",
        "unknown-action",
        (2, 68),
        "did you mean `paint`",
        None,
    ),
    (
        "extern action paint(a); q1.congestion(q) = (true, paint(1, 2))",
        "wrong-arguments",
        (2, 51),
        "takes one number",
        None,
    ),
    ("extern action paint(); q1.congestion(q) = (true, paint(1))", "wrong-arguments", (2, 50), "takes 0 numbers", None),
    ("extern action paint(a); q1.congestion(q) = (true, paint(q))", "wrong-kind", (2, 57), "a number is needed", None),
    ("extern action drop(a)", "reserved-name", (2, 15), "an action of the language", None),
    ("f(a, b) = (a.size < b.size); extern action f(a)", "defined-twice", (2, 44), "first defined here", None),
    ("extern action paint(a, b, c, d, e, f, g, h, i)", "wrong-arguments", (2, 45), "at most 8 numbers", None),
    ("extern action paint(a)", "unused", (2, 15), "the action `paint` is never used", None),
    ("extern action paint(a); q1.admState = paint", "wrong-kind", (2, 39), "an action, and not a value", None),
    (
        "extern action paint(a); classify(p) = (true, paint(1))",
        "wrong-place",
        (2, 46),
        "this action is not allowed here",
        None,
    ),
    ("policyId(p) = (p.class > 3, enter(q1))", "wrong-kind", (2, 10), "has no cases", None),
    ("policyId(a, b) = a.class", "wrong-arguments", (2, 10), "one parameter, the packet", None),
    ("policyId(p) = p.size", "wrong-unit", (2, 15), "a version is a number 1, 2", None),
    ("policyId(p) = q1.currSize / q1.size", "wrong-place", (2, 18), "reads only the packet", None),
    ("policyId = 3", "reserved-name", (2, 1), "has a meaning in the language", None),
    ("q1.admState = policyId", "wrong-kind", (2, 15), "is not a value", None),
    ("q1.congestion(q) = (q.currSize, drop(1))", "wrong-kind", (2, 21), "a truth value is needed", None),
    ("q1.congestion(q) = (q > 3, drop(1))", "wrong-kind", (2, 21), "name a property of this queue", None),
    ("q1.congestion(q) = (q.currSize > true, drop(1))", "wrong-kind", (2, 34), "compares numbers", None),
    ("q1.congestion(q) = (q.currSize + true > 1, drop(1))", "wrong-kind", (2, 34), "a number is needed", None),
    (
        "q1.congestion(q) = (q.findHigh.size > 1, drop(1))",
        "wrong-kind",
        (2, 23),
        "needs parentheses",
        Some("q1.congestion(q) = (q.findHigh().size > 1, drop(1))"),
    ),
    (
        "q1.congestion(q) = (q.admState() > 1, drop(1))",
        "wrong-kind",
        (2, 23),
        "without parentheses",
        Some("q1.congestion(q) = (q.admState > 1, drop(1))"),
    ),
    ("q1.congestion = fifo", "wrong-kind", (2, 17), "this is a comparator", None),
    ("q1.admPrio = tailDrop", "wrong-kind", (2, 14), "this is a boundary condition", None),
    ("out.schedPrio = fifo", "wrong-kind", (2, 17), "findHigh().arrival", None),
    (
        "q1.admPrio = (p1.size < p2.size)",
        "wrong-kind",
        (2, 15),
        "no name is given to either",
        Some("q1.admPrio(p1, p2) = (p1.size < p2.size)"),
    ),
    ("q1.admPrio = (true, drop(1))", "wrong-kind", (2, 14), "a comparator is needed", None),
    ("q1.congestion = q1.currSize > 3", "wrong-kind", (2, 17), "this has no action", None),
    ("q1.congestion(q) = (fifo > 3, drop(1))", "wrong-kind", (2, 21), "`fifo` is not a value", None),
    ("q1.congestion(q) = (q.currSize > 3 KB, drop(1))", "wrong-unit", (2, 34), "packets and bytes", None),
    ("q2.congestion(q) = (q.currSize > 3 pkts, drop(1))", "wrong-unit", (2, 34), "measured in packets", None),
    ("q2.congestion(q) = (arriving.size > now, drop(1))", "wrong-unit", (2, 37), "measured in time", None),
    (
        "q2.congestion(q) = (q.currSize * .8 ns > arriving.slack, drop(1))",
        "wrong-unit",
        (2, 42),
        "arriving.size / 1 B",
        None,
    ),
    ("q2.congestion(q) = (q.currSize > 1 / arriving.size, drop(1))", "wrong-unit", (2, 34), "quotient of units", None),
    ("q2.congestion(q) = (min(q.size / 1 s, now) > 1, drop(1))", "wrong-unit", (2, 39), "divide by `1 B`", None),
    ("q2.congestion(q) = (true, drop(q.currSize / now))", "wrong-unit", (2, 32), "quotient of units", None),
    ("out.schedPrio(x, y) = (x.currSize > y.currSize)", "wrong-unit", (2, 24), "not measured in the same unit", None),
    (
        "q2.congestion(q) = (q.currSize > 95% * q.size, drop(1))",
        "wrong-unit",
        (2, 34),
        "not a factor",
        Some("q2.congestion(q) = (q.currSize > .95 * q.size, drop(1))"),
    ),
    (
        "q2.congestion(q) = (true, drop(50%))",
        "wrong-unit",
        (2, 32),
        "a probability is a fraction",
        Some("q2.congestion(q) = (true, drop(.5))"),
    ),
    ("q2.congestion(q) = (true, drop(q.currSize))", "wrong-unit", (2, 32), "a probability has no unit", None),
    ("q2.congestion = tailDrop(q1)", "wrong-arguments", (2, 26), "the object that it is assigned to", None),
    (
        "q2.admPrio = rfifo(p1, p2)",
        "wrong-arguments",
        (2, 1),
        "no names here",
        Some("q2.admPrio(p1, p2) = rfifo(p1, p2)"),
    ),
    ("q2.admPrio(a, b, c) = (a.size < b.size)", "wrong-arguments", (2, 1), "two parameters", None),
    ("q2.admState = max(1)", "wrong-arguments", (2, 15), "takes two numbers", None),
    ("q2.congestion(q) = (q.findHigh(1).size > 1, mark)", "wrong-arguments", (2, 32), "has no arguments", None),
    ("q1.admPrio(a, b) = q1.procPrio(b, a)", "wrong-arguments", (2, 32), "a name first", None),
    ("classify = enter(q1)", "wrong-arguments", (2, 1), "one parameter, the packet", None),
    ("a(q) = (q.currSize > 3)", "wrong-arguments", (2, 3), "a boundary condition has actions", None),
    ("out.postSchedAct(p) = (true, drop(1))", "wrong-place", (2, 30), "`postSchedAct` cannot drop", None),
    ("q1.admPrio(a, b) = (a.slack - now < b.slack)", "wrong-place", (2, 31), "must not change with time", None),
    ("q1.admPrio(a, b) = (a.size < q1.admState)", "wrong-place", (2, 33), "only its two packets", None),
    ("b.admPrio(x, y) = (x.admState < q1.admState)", "wrong-place", (2, 36), "only its two queues", None),
    ("q1.congestion(q) = (true, enter(q))", "wrong-place", (2, 27), "only in `classify` and in `next`", None),
    ("classify(p) = (true, drop(1))", "wrong-place", (2, 22), "write `enter(queue)`", None),
    ("classify(p) = (q1.currSize > 3, enter(q1))", "wrong-place", (2, 19), "`classify` reads only", None),
    ("classify(p) = (true, enter(q1), enter(q2))", "wrong-place", (2, 33), "enters one queue", None),
    ("q1.congestion(q) = (out.getCurrQueue().size > 1, mark)", "wrong-place", (2, 25), "its own `postSchedAct`", None),
    ("out.postSchedAct(p) = (arriving.size > 1, mark)", "wrong-place", (2, 24), "only in `congestion`", None),
    ("x = Buffer(1, q1) + 1; q1.admState = x", "wrong-place", (2, 5), "right after the `=`", None),
    ("x = y + 1; y = x; q1.admState = x", "recursion", (2, 16), "x → y → x", None),
    ("f(a, b) = (g(a, b)); g(a, b) = (f(a, b)); q1.admPrio = f", "recursion", (2, 33), "f → g → f", None),
    ("c(q) = c(q); q1.congestion = c", "recursion", (2, 8), "c → c", None),
    (
        "q1.procPrio(a, b) = (a.size <= b.size)",
        "no-order",
        (2, 22),
        "each comes before the other",
        Some("q1.procPrio(a, b) = (a.size < b.size)"),
    ),
    (
        "f(a, b) = (a.value > b.value || a.value == b.value && a.size >= b.size); q[1..2].admPrio = f",
        "no-order",
        (2, 12),
        "write `>`",
        Some("f(a, b) = (a.value > b.value || a.value == b.value && a.size > b.size); q[1..2].admPrio = f"),
    ),
    ("b.admPrio(x, y) = (x.currSize != y.currSize)", "wrong-unit", (2, 20), "compares sizes", None),
    ("q1.procPrio(a, b) = (a.size != b.size)", "no-order", (2, 22), "this is not an order: with p1", None),
    (
        "q1.procPrio(a, b) = (a.value * b.remaining > b.value * a.remaining)",
        "no-order",
        (2, 22),
        "compare ratios whose denominator is never 0",
        None,
    ),
    (
        "q1.procPrio(a, b) = (max(a.value, b.value) > b.value)",
        "unproved-order",
        (2, 22),
        "all objects are compared with each other",
        None,
    ),
    ("q1.admState = q2.currSize", "not-constant", (2, 18), "changes while the policy runs", None),
    ("q1.congestion(q) = (true, drop(2))", "bad-value", (2, 32), "between 0 and 1", None),
    ("q1.congestion(q) = (q[1.5].size > 1, mark)", "bad-value", (2, 23), "a whole number", None),
    ("q1.admState = 1 / (2 - 2)", "division-by-zero", (2, 20), "this is always 0", None),
    ("q1.congestion(q) = (mod(q.admState, 0) == 0, mark)", "division-by-zero", (2, 37), "this divides by zero", None),
    ("q1.admState = 1_000_000_000 * 1_000_000_000", "too-large", (2, 15), "too large", None),
    ("q1.admState = .1234567", "too-large", (2, 15), "too fine", None),
    ("q1.admState = 1 / 3_000_000", "too-large", (2, 15), "too fine", None),
    ("for i in 1..1_000_000_000 { }", "too-large", (2, 10), "1000000000 numbers", None),
    ("for i in 2..1 { }", "empty-range", (2, 10), "is empty", None),
    ("q3 = Queue(5); x = Port(5, q[3..4])", "no-member", (2, 28), "no member 4", None),
    ("q[7].admState = 1", "no-member", (2, 1), "its members are 1 to 2", None),
    ("b[1].admState = 1", "no-member", (2, 1), "without an index", None),
    ("q1[2].admState = 1", "no-member", (2, 1), "does not end with a digit", None),
    ("q3 = Queue(5)", "membership", (2, 1), "belongs to no port", None),
    ("p = Port(5, q1)", "membership", (2, 13), "belongs to two ports", None),
    ("c = Buffer(5, q1)", "membership", (2, 15), "belongs to two buffers", None),
    ("p = Port(5)", "membership", (2, 5), "lists no queues", None),
    ("q1.congestion(q) = (q.currSize < 0, mark)", "never-holds", (2, 21), "this is never true", None),
    (
        "q1.congestion(q) = (q.currSize > 3, mark).(q.currSize > 5, drop(1))",
        "hidden-case",
        (2, 44),
        "an earlier case acts first",
        None,
    ),
    (
        "q1.congestion(q) = (q.currSize < 6, mark).(q.currSize > 3, drop(1))",
        "overlap",
        (2, 44),
        "`q.currSize` is from 4 to 5",
        None,
    ),
    ("param k = 3", "unused", (2, 7), "is never used", None),
    ("admPrio(a, b) = (a.value < b.value)", "unused", (2, 1), "assign it: `q1.admPrio = admPrio;`", None),
    ("lqf(a, b) = (a.admState > b.admState)", "unused", (2, 1), "assign it: `out.schedPrio = lqf;`", None),
];

/// Examples that stand alone.
const WHOLE: &[Example] = &[
    ("", "no-queue", (1, 1), "no queue and no port", None),
    ("out = Port(100)", "no-queue", (1, 16), "no queue", None),
    ("q = Queue(5)", "no-port", (1, 13), "no port", None),
    ("q = Queue(); out = Port(1)", "wrong-arguments", (1, 5), "`Queue` needs a size", None),
    ("q = Queue(1); out = Port()", "wrong-arguments", (1, 21), "`Port` needs a rate", None),
    ("q = Queue(1, 2); out = Port(1)", "wrong-arguments", (1, 14), "one too many", None),
    ("q = Queue(.5); out = Port(1)", "bad-value", (1, 11), "must hold something", None),
    ("q = Queue(1); out = Port(101)", "bad-value", (1, 26), "at most 100", None),
    ("q = Queue(1); out = Port(0 bps)", "bad-value", (1, 26), "at least 1", None),
    ("q = Queue(1 Gbps); out = Port(1)", "wrong-unit", (1, 11), "in bytes or packets", None),
    ("q = Queue(1); out = Port(1 KB)", "wrong-unit", (1, 26), "percentage or bits per second", None),
    ("q = Queue(1); out = Port(5, q, q)", "membership", (1, 32), "twice to one", None),
    ("q = Queue(q.size); out = Port(1)", "recursion", (1, 13), "q → q", None),
    ("q[1..70_000] = Queue(1); out = Port(1)", "too-large", (1, 3), "70000 numbers", None),
    (
        "q = Queu(1); out = Port(1, q)",
        "unknown-name",
        (1, 5),
        "did you mean `Queue`",
        Some("q = Queue(1); out = Port(1, q)"),
    ),
    ("q = Queue(1); out = Port(1, r[1..2])", "unknown-name", (1, 29), "no family `r`", None),
];

fn only(text: &str) -> (Analysis, String) {
    let analysis = analyse(text, &Overrides::new());
    let shown = rendered(text, &analysis);
    (analysis, shown)
}

#[test]
fn every_mistake_is_said_once_at_its_place_and_the_fix_mends_it() {
    let after = EXAMPLES.iter().map(|example| (BEFORE, example)).chain(WHOLE.iter().map(|example| ("", example)));
    let wrong: Vec<String> = after.filter_map(|(before, example)| check(before, example).err()).collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// What is not as expected.
pub(crate) fn check(before: &str, &(example, code, place, part, fixed): &Example) -> Result<(), String> {
    let text = format!("{before}{example}");
    let (analysis, shown) = only(&text);
    let [diagnostic] = &analysis.diagnostics[..] else { return Err(format!("not one mistake: {example}\n{shown}")) };
    let at = Lines::new(&text).position(diagnostic.span.start());
    let found = (diagnostic.code.as_str(), (at.line + 1, at.chars + 1));
    let mended = diagnostic.fix.as_ref().map(|fix| {
        let mut text = text.clone();
        text.replace_range(usize::from(fix.span.start())..usize::from(fix.span.end()), &fix.text);
        text
    });
    let has_policy = analysis.policy.is_some()
        == ["unused", "never-holds", "hidden-case", "overlap", "unproved-order"].contains(&code);
    let expected = fixed.map(|fixed| format!("{before}{fixed}"));
    if found != (code, place) || !shown.contains(part) || mended != expected || !has_policy {
        return Err(format!("{found:?}, expected {:?} and `{part}`; fixed: {mended:?}\n{shown}", (code, place)));
    }
    match mended.map(|mended| only(&mended)) {
        Some((left, shown)) if left.policy.is_none() || !left.diagnostics.is_empty() => Err(shown),
        _ => Ok(()),
    }
}

#[test]
fn every_code_of_meaning_has_an_example() {
    let shown: BTreeSet<&str> = EXAMPLES.iter().chain(stages::MISTAKES).chain(WHOLE).map(|example| example.1).collect();
    let first = forebay_lang::Code::ALL.iter().position(|code| code.as_str() == "unknown-name").unwrap();
    for code in &forebay_lang::Code::ALL[first..] {
        let elsewhere = ["unknown-param", "too-long", "too-many"];
        assert!(shown.contains(code.as_str()) || elsewhere.contains(&code.as_str()), "{code}");
    }
}

#[test]
fn five_mistakes_are_five_diagnostics() {
    let text = "\
param B = 128 pkts
q[1..4] = Queue(B)
out = Port(100%, q[1..5])
lqf(a, b) = (a.curSize > b.currSize)
out.schedPrio = lqf()
tail(q) = q.currSize > 3 KB, drop(1)
q[1..4].congestion = tail
act(port) =
    let q = port.getCurrQueue() in
    (q.findHigh().processing == 0, modify(schedState++), drop(1))
out.postSchedAct = act(out)
q[1..4].admPrio = rfio()
";
    let (analysis, shown) = only(text);
    let lines = Lines::new(text);
    let found: Vec<(u32, u32, &str)> = analysis
        .diagnostics
        .iter()
        .map(|said| {
            let at = lines.position(said.span.start());
            (at.line + 1, at.chars + 1, said.code.as_str())
        })
        .collect();
    let expected = [
        (3, 18, "no-member"),
        (4, 16, "unknown-property"),
        (6, 24, "wrong-unit"),
        (10, 58, "wrong-place"),
        (12, 19, "unknown-name"),
    ];
    assert_eq!(found, expected, "{shown}");
    for part in
        ["its members are 1 to 4", "did you mean `currSize`?", "packets are dropped in `congestion`", "`rfifo`?"]
    {
        assert!(shown.contains(part), "{shown}");
    }
}
