//! Live parameters: what reads them, and where they are rejected.

use crate::shown::rendered;
use forebay_lang::ir::{Action, Cond, Num, ParameterId, Read};
use forebay_lang::{Analysis, Fixed, Lines, Overrides, Unit, analyse, analyse_live};

fn with_live(text: &str, live: &[&str]) -> Analysis {
    let live: Vec<String> = live.iter().map(|name| (*name).to_owned()).collect();
    analyse_live(text, &Overrides::new(), &live)
}

const RED: &str = "param B = 64 pkts;\nparam K = 20 pkts;\nparam P = 1/3;\nhalf = K / 2;\nq = Queue(B);\nout = Port(100);\n\
                   q.congestion(q) = (q.currSize > K, drop(P)).(q.currSize > half, notify);\n";

#[test]
fn a_live_parameter_is_read_and_others_are_folded() {
    let policy = with_live(RED, &["P", "K"]).policy.unwrap();
    let shown: Vec<_> =
        policy.parameters.iter().map(|known| (known.name.as_str(), known.unit, known.initial)).collect();
    // In order of their definition, rounded down.
    assert_eq!(shown, [("K", Unit::Packets, Fixed::whole(20)), ("P", Unit::None, Fixed(21_845))]);
    assert_eq!(policy.parameter_named("P").unwrap().0, ParameterId(1));
    assert!(policy.parameter_named("B").is_none());
    let cases = &policy.queues[0].congestion.cases;
    let Cond::Compare(_, _, right) = &cases[0].when else { panic!("{cases:?}") };
    assert_eq!(*right, Num::Read(Read::Parameter(ParameterId(0))));
    assert_eq!(cases[0].actions, [Action::Drop(Num::Read(Read::Parameter(ParameterId(1))))]);
    assert_eq!(cases[1].when.to_string(), "q.currSize > param#0 / 2");
    let folded = analyse(RED, &Overrides::new()).policy.unwrap();
    assert_eq!(with_live(RED, &[]).policy.unwrap(), folded);
    assert!(folded.parameters.is_empty());
}

/// What is live, what is said of it where, and parts of what is said.
#[test]
fn what_cannot_change_while_a_policy_runs_is_refused_at_its_place() {
    let rest = "q = Queue(64 pkts)\nout = Port(100)\n";
    for (text, place, code, parts) in [
        (
            "param K = 8 pkts\nq = Queue(K)\nout = Port(100)\n",
            (2, 11),
            "not-constant",
            ["a size is decided", "q.currSize > K"],
        ),
        ("param K = 50\nq = Queue(9)\nout = Port(K)\n", (3, 12), "not-constant", ["a rate is decided", "`--live K`"]),
        (
            "param K = 2\nq[1..K] = Queue(9)\nout = Port(1)\n",
            (2, 6),
            "not-constant",
            ["an index is decided", "`--live K`"],
        ),
        (
            &format!("param K = 2\nparam L = 2 * K\n{rest}q.congestion(q) = (q.currSize > L, drop(1))"),
            (2, 15),
            "not-constant",
            ["a named constant is decided", "leave out `param` here"],
        ),
        (
            &format!("param K = 2\n{rest}q.schedState = K\n"),
            (4, 16),
            "not-constant",
            ["the initial value of a state is decided", "read `K` where the state is read"],
        ),
        (
            &format!("param K = 2\n{rest}q.procPrio(a, b) = (a.value * K < b.value * K)"),
            (4, 31),
            "wrong-place",
            ["queued packets are already in order", "leave out `--live K`"],
        ),
    ] {
        let analysis = with_live(text, &["K"]);
        let shown = rendered(text, &analysis);
        let said = &analysis.diagnostics[0];
        let at = Lines::new(text).position(said.span.start());
        assert_eq!((said.code.as_str(), (at.line + 1, at.chars + 1)), (code, place), "{shown}");
        assert!(analysis.policy.is_none() && parts.iter().all(|part| shown.contains(part)), "{shown}");
        assert!(shown.contains("this param is live"), "{shown}");
    }
    let unknown = with_live(RED, &["k"]);
    assert_eq!(unknown.diagnostics[0].message, "there is no param `k` that could be live");
    assert_eq!(unknown.diagnostics[0].help.as_deref(), Some("did you mean `K`?"));
}

#[test]
fn an_order_of_queues_is_one_whatever_its_parameters_are() {
    let text = |before: &str| {
        format!("param K = 1\nq[1..2] = Queue(9 pkts)\nout = Port(100)\nout.schedPrio(a, b) = ({before})\n")
    };
    let good = text("a.schedState + K * a.currSize / 1 pkts < b.schedState + K * b.currSize / 1 pkts");
    let policy = with_live(&good, &["K"]).policy.unwrap();
    assert_eq!(policy.ports[0].scheduling.keys, None);
    let bad = text("a.schedState < b.schedState * K");
    assert!(analyse(&bad, &Overrides::new()).policy.is_some());
    let analysis = with_live(&bad, &["K"]);
    assert_eq!(analysis.diagnostics[0].code.as_str(), "no-order");
    assert!(
        analysis.diagnostics[0].message.starts_with("this is not an order with K = "),
        "{:?}",
        analysis.diagnostics[0]
    );
}

#[test]
fn warnings_call_parameters_by_their_names() {
    let text = "param K = 5 pkts\nq = Queue(9 pkts)\nout = Port(100)\n\
                q.congestion(q) = (q.currSize > K && q.currSize < K + 4 pkts, mark).(q.currSize > K, drop(1))\
                .(q.currSize > K, notify)\n";
    let analysis = with_live(text, &["K"]);
    let shown = rendered(text, &analysis);
    assert!(analysis.policy.is_some() && shown.contains("hidden-case") && !shown.contains('#'), "{shown}");
}
