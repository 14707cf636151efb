//! Typical mistakes: what is said, where, and that the proposed change mends them.

use forebay_lang::render::{Style, render};
use forebay_lang::{Lines, parse};

/// A mistake, its code, line and column (from 1), a part of what is said, and what the
/// text is after the proposed change.
type Example = (&'static str, &'static str, (u32, u32), &'static str, Option<&'static str>);

const EXAMPLES: &[Example] = &[
    ("f(a, b) = (a.x < b.x\ng = f", "unclosed", (1, 21), "`)` is missing", Some("f(a, b) = (a.x < b.x)\ng = f")),
    ("x = Queue(B\n", "unclosed", (1, 12), "opened here", Some("x = Queue(B)\n")),
    ("for i in 1..k { x = 1;", "unclosed", (1, 23), "this brace", Some("for i in 1..k { x = 1;}")),
    ("q[1 = Queue(B)", "unclosed", (1, 4), "`]` is missing", Some("q[1] = Queue(B)")),
    ("x = (1))", "unopened", (1, 8), "closes nothing", Some("x = (1)")),
    ("x = 1 }", "unopened", (1, 7), "no `{` is open", Some("x = 1 ")),
    ("f a, b) = (a.x < b.x)", "unopened", (1, 2), "`(` is missing", Some("f( a, b) = (a.x < b.x)")),
    ("f(a, b) = (a.x = b.x)", "wrong-equals", (1, 16), "compared with `==`", Some("f(a, b) = (a.x == b.x)")),
    ("q := Queue(B)", "wrong-equals", (1, 3), "only in the action", Some("q = Queue(B)")),
    ("q == Queue(B)", "wrong-equals", (1, 3), "`==` compares", Some("q = Queue(B)")),
    ("c(q) = (true, modify(x = 1))", "wrong-equals", (1, 24), "with `:=`", Some("c(q) = (true, modify(x := 1))")),
    ("c(q) = true, dorp(1)", "unknown-action", (1, 14), "did you mean `drop`", Some("c(q) = true, drop(1)")),
    ("c(q) = (true, Mark)", "unknown-action", (1, 15), "did you mean `mark`", Some("c(q) = (true, mark)")),
    ("c(q) = (true, discard)", "unknown-action", (1, 15), "actions are `drop(P)`", None),
    ("c(q) = (q.a > 1 drop(1))", "missing-comma", (1, 16), "condition and action", Some("c(q) = (q.a > 1, drop(1))")),
    ("c(q) = (true, mark notify)", "missing-comma", (1, 19), "two actions", Some("c(q) = (true, mark, notify)")),
    ("x = Port(100, a b)", "missing-comma", (1, 16), "between arguments", Some("x = Port(100, a, b)")),
    ("f(a b) = (a.x < b.x)", "missing-comma", (1, 4), "between parameters", Some("f(a, b) = (a.x < b.x)")),
    ("x = q..size", "dots", (1, 6), "one dot", Some("x = q.size")),
    ("x = q. .size", "dots", (1, 8), "one dot", Some("x = q. size")),
    ("c(q) = (a, mark)..(b, mark)", "dots", (1, 17), "one dot joins", Some("c(q) = (a, mark).(b, mark)")),
    ("c(q) = (a, mark).\nx = 1", "dots", (1, 17), "remove the dot", Some("c(q) = (a, mark)\nx = 1")),
    ("c(q) = (a, mark)\n(b, mark)", "dots", (1, 17), "`.` is missing", Some("c(q) = (a, mark).\n(b, mark)")),
    ("c(q) = a, mark.(b, mark)", "dots", (1, 15), "each stands in parentheses", None),
    ("x = q.;", "missing-name", (1, 7), "property is missing", None),
    ("x = for", "missing-name", (1, 5), "word of the language", None),
    ("param = 1", "missing-name", (1, 6), "name of the constant", None),
    ("f(1) = (a.x)", "missing-name", (1, 3), "a parameter is a name", None),
    ("c(p) = let q = p.f()\n(true, mark)", "let", (1, 21), "no `in`", Some("c(p) = let q = p.f() in\n(true, mark)")),
    ("extern paint(a)", "no-statement", (1, 8), "declares an action", Some("extern action paint(a)")),
    ("extern action paint", "bad-action", (1, 20), "with parentheses", Some("extern action paint()")),
    ("extern action", "missing-name", (1, 14), "name of the action", None),
    ("for i in 1..2 { extern action f() }", "no-statement", (1, 17), "outside of loops", None),
    ("c(q) = (true, dropp(1))", "unknown-action", (1, 15), "did you mean `drop`", Some("c(q) = (true, drop(1))")),
    ("include orders", "include", (1, 8), "write `include \"other.oq\";`", None),
    ("include", "include", (1, 8), "needs the name of a file", None),
    ("for i in 1..2 { include \"a.oq\" }", "include", (1, 17), "outside of loops", None),
    ("include = 1; x = include(2); include", "include", (1, 37), "needs the name of a file", None),
    ("let q = 1", "let", (1, 1), "after the `=`", None),
    ("x = 1 @", "stray-character", (1, 7), "means nothing", Some("x = 1 ")),
    ("x = a ≤ b", "stray-character", (1, 7), "write `<=`", Some("x = a <= b")),
    ("x = a & b", "stray-character", (1, 7), "write `&&`", Some("x = a && b")),
    ("x = \"a\"", "no-texts", (1, 5), "no texts", None),
    ("# a\nx = 1", "wrong-comment", (1, 1), "write `// …`", Some("// a\nx = 1")),
    ("q[1..] = Queue(B)", "range", (1, 6), "not finished", None),
    ("for i in 1.. {}", "range", (1, 13), "both ends", None),
    ("for i in k {}", "range", (1, 11), "runs over a range", None),
    ("for i = 1..k {}", "range", (1, 7), "`in` a range", Some("for i in 1..k {}")),
    ("for i 1..k {}", "range", (1, 6), "`in` is missing", Some("for i in 1..k {}")),
    ("q[1...k] = Queue(B)", "range", (1, 4), "two dots", Some("q[1..k] = Queue(B)")),
    ("for i in 1..k x = 1", "unopened", (1, 14), "stand in braces", None),
    ("q1 = Queue(B); ...; qk = Queue(B)", "ellipsis", (1, 16), "write a range", None),
    ("x = Port(100, q1, ..., qk)", "ellipsis", (1, 19), "write a range", None),
    ("x = a +\ny = 1", "missing-operand", (1, 8), "missing after `+`", None),
    ("x =\ny = 1", "missing-operand", (1, 4), "missing after `=`", None),
    ("c(p) = (true, enter)", "bad-action", (1, 15), "needs the queue", None),
    ("c(p) = (true, enter())", "bad-action", (1, 21), "a queue is missing", None),
    ("x = f(a, )", "missing-operand", (1, 9), "an argument", None),
    ("x = 5 pkst", "unknown-unit", (1, 7), "did you mean `pkts`", Some("x = 5 pkts")),
    ("x = 5kb", "unknown-unit", (1, 6), "did you mean `KB`", Some("x = 5KB")),
    ("x = 5furlongs", "unknown-unit", (1, 6), "units are B, KB", None),
    ("x = Queue(1 packet)", "unknown-unit", (1, 13), "mean `pkts`", Some("x = Queue(1 pkts)")),
    ("x = Queue(64 bytes)", "unknown-unit", (1, 14), "mean `B`", Some("x = Queue(64 B)")),
    ("x = Queue(1 TB)", "unknown-unit", (1, 13), "write `1000 GB`", Some("x = Queue(1000 GB)")),
    ("x = Queue(1 Gb)", "unknown-unit", (1, 13), "`GB` for a size", None),
    ("x = Queue(1 Mbit)", "unknown-unit", (1, 13), "mean `Mbps`", None),
    ("x = Queue(1 furlong)", "unknown-unit", (1, 13), "units are B", None),
    ("x = Port(1 Gb)", "unknown-unit", (1, 12), "mean `Gbps`", Some("x = Port(1 Gbps)")),
    ("x = Port(1 furlong, a)", "unknown-unit", (1, 12), "rates are bps", None),
    ("x = 10 Gbit/s", "unknown-unit", (1, 8), "mean `Gbps`", Some("x = 10 Gbps")),
    ("x = Port(50 percent)", "unknown-unit", (1, 13), "mean `%`", Some("x = Port(50 %)")),
    ("x = (a ? 1 : 2)", "stray-character", (1, 8), "`max(a, b)` or `min(a, b)`", None),
    ("q.a += 1", "wrong-equals", (1, 5), "modify(x := x + …)", None),
    ("x = 10 msec", "unknown-unit", (1, 8), "mean `ms`", Some("x = 10 ms")),
    ("x = 1e9", "unknown-unit", (1, 5), "no exponent", Some("x = 1_000_000_000")),
    ("x = 1e-3", "unknown-unit", (1, 5), "write `.001`", Some("x = .001")),
    ("x = 2.5E3 * y", "unknown-unit", (1, 5), "write `2_500`", Some("x = 2_500 * y")),
    ("x = Queue(size=64 pkts)", "wrong-equals", (1, 11), "have no names", Some("x = Queue(64 pkts)")),
    ("x = a AND b", "wrong-operator", (1, 7), "small letters", Some("x = a and b")),
    ("x = NOT a > 3", "wrong-operator", (1, 5), "write `not`", Some("x = not a > 3")),
    ("x = a ** 2", "wrong-operator", (1, 8), "write `x * x`", None),
    ("x = if a > b then a", "no-statement", (1, 5), "write cases", None),
    ("c(q) = if (q.a > 1) drop(1)", "no-statement", (1, 8), "write cases", None),
    ("x = return a", "no-statement", (1, 5), "a definition is", None),
    (
        "c(q) = (true, modify(q.a += 1))",
        "wrong-equals",
        (1, 26),
        "no `+=`",
        Some("c(q) = (true, modify(q.a := q.a + 1))"),
    ),
    ("c(q) = (true, modify(q.a -= b + 1))", "wrong-equals", (1, 26), "no `-=`", None),
    ("x = 5 % 3", "wrong-operator", (1, 7), "`mod(a, b)`", None),
    ("x = a < b < c", "wrong-operator", (1, 11), "chained", None),
    ("x++", "wrong-operator", (1, 2), "only in the action", None),
    ("c(q) = (true, drop)", "bad-action", (1, 15), "probability", Some("c(q) = (true, drop(1))")),
    ("c(q) = (true, drop())", "bad-action", (1, 20), "probability", Some("c(q) = (true, drop(1))")),
    ("c(q) = (true, mark())", "bad-action", (1, 19), "without parentheses", None),
    ("c(q) = (true, modify(x))", "bad-action", (1, 23), "`:= …` is missing", None),
    ("c(q) = (true, )", "bad-action", (1, 14), "after this comma", None),
    ("c(q) = (a, mark).(b)", "bad-action", (1, 20), "has no action", None),
    ("c(q) = (true, drop 1)", "bad-action", (1, 15), "probability", None),
    ("drop(1);", "bad-action", (1, 1), "in a condition case", None),
    ("modify(q.x := 3);", "bad-action", (1, 1), "in a condition case", None),
    ("if (a) { drop(1); }\nx = 1", "no-statement", (1, 1), "has no `if`", None),
    ("x = a => b", "stray-character", (1, 7), "write `>=`", Some("x = a >= b")),
    ("x = a <> b", "stray-character", (1, 7), "write `!=`", Some("x = a != b")),
    ("c(q) = (a, mark),(b, mark)", "dots", (1, 17), "joined by a dot", Some("c(q) = (a, mark).(b, mark)")),
    ("x = 1 y = 2", "no-separator", (1, 6), "separated by `;`", None),
    ("x", "no-value", (1, 2), "`= …` is missing", None),
    ("fifo();", "no-value", (1, 7), "gives no value", None),
    ("param B;", "no-value", (1, 8), "named constant", None),
    ("* 3", "no-statement", (1, 1), "does not begin with `*`", None),
];

#[test]
fn every_mistake_is_said_once_at_its_place_and_the_fix_mends_it() {
    for &(text, code, place, part, fixed) in EXAMPLES {
        let parsed = parse(text);
        let shown = render("x.oq", text, parsed.diagnostics(), Style::Plain);
        let [diagnostic] = parsed.diagnostics() else { panic!("{text}\n{shown}") };
        let at = Lines::new(text).position(diagnostic.span.start());
        assert_eq!((diagnostic.code.as_str(), (at.line + 1, at.chars + 1)), (code, place), "{shown}");
        assert!(shown.contains(part), "{shown}");
        let mended = diagnostic.fix.as_ref().map(|fix| {
            let mut text = text.to_owned();
            text.replace_range(usize::from(fix.span.start())..usize::from(fix.span.end()), &fix.text);
            text
        });
        assert_eq!(mended.as_deref(), fixed, "{shown}");
        if let Some(mended) = mended {
            let left = parse(&mended);
            assert!(left.diagnostics().is_empty(), "{mended}: {:?}", left.diagnostics());
        }
    }
}

#[test]
fn five_mistakes_are_five_diagnostics() {
    let text = "\
fifo(p1, p2) = (p1.arrival < p2.arrival
lqf(q1, q2) = (q1.currSize = q2.currSize);
tailDrop(q) = q.currSize >= q.size, dorp(1)
q[1..] = Queue(B);
red(q) =
(q.currSize >= .95*q.size drop(1), notify).
(q.currSize >= .75*q.size, drop(.5))
";
    let lines = Lines::new(text);
    let found: Vec<(u32, &str)> = parse(text)
        .diagnostics()
        .iter()
        .map(|diagnostic| (lines.position(diagnostic.span.start()).line + 1, diagnostic.code.as_str()))
        .collect();
    let expected = [(1, "unclosed"), (2, "wrong-equals"), (3, "unknown-action"), (4, "range"), (6, "missing-comma")];
    assert_eq!(found, expected);
}

#[test]
fn a_picture_shows_both_ends_of_what_is_not_closed() {
    let text = "q1 = Queue(B);\nf(a, b) = (a.x <\n  b.x\n";
    let shown = render("x.oq", text, parse(text).diagnostics(), Style::Plain);
    let expected = "\
error[unclosed]: this parenthesis is not closed
 --> x.oq:3:6
  |
2 | f(a, b) = (a.x <
  |           - opened here
3 |   b.x
  |      ^ `)` is missing here

";
    assert_eq!(shown, expected);
    assert!(render("x.oq", text, parse(text).diagnostics(), Style::Coloured).contains('\u{1b}'));
}

#[test]
fn what_is_too_deep_is_said_once() {
    let nested = format!("x = {}1{}\ny = 2\n", "(".repeat(70), ")".repeat(70));
    let long = format!("x = ({}1); y = 2", "1 + ".repeat(300));
    for text in [nested, long] {
        let codes: Vec<&str> = parse(&text).diagnostics().iter().map(|said| said.code.as_str()).collect();
        assert_eq!(codes, ["too-deep"], "{text}");
    }
}
