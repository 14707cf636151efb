//! What the typed views say about a file.

use forebay_lang::ast::{Action, AstNode, Body, Expr, File, Statement};
use forebay_lang::parse;

fn statements(text: &str) -> Vec<Statement> {
    let parsed = parse(text);
    assert!(parsed.diagnostics().is_empty(), "{:?}", parsed.diagnostics());
    File::cast(parsed.syntax()).unwrap().statements().collect()
}

/// The expression with a pair of brackets around every operator.
fn grouped(expr: &Expr) -> String {
    match expr {
        Expr::Binary(binary) => format!(
            "[{} {} {}]",
            grouped(&binary.left().unwrap()),
            binary.operator().unwrap(),
            grouped(&binary.right().unwrap())
        ),
        Expr::Unary(unary) => format!("[{} {}]", unary.operator().unwrap(), grouped(&unary.operand().unwrap())),
        Expr::Paren(paren) => grouped(&paren.inner().unwrap()),
        other => other.syntax().text().to_string(),
    }
}

#[track_caller]
fn groups(text: &str, expected: &str) {
    let [Statement::Definition(definition)] = &statements(&format!("x = {text}"))[..] else { panic!("{text}") };
    let Some(Body::Expr(expr)) = definition.body() else { panic!("{text}") };
    assert_eq!(grouped(&expr), expected);
}

#[test]
fn operators_bind_as_the_grammar_says() {
    groups("a + b * c - d", "[[a + [b * c]] - d]");
    groups("a < b + 1 && c == d || e", "[[[a < [b + 1]] && [c == d]] || e]");
    groups("not a < b and c", "[[not [a < b]] and c]");
    groups("!(a < b) || c", "[[! [a < b]] || c]");
    groups("-a * b", "[[- a] * b]");
    groups("(a + b) * c / -d", "[[[a + b] * c] / [- d]]");
    groups("a == a", "[a == a]");
}

#[test]
fn a_condition_has_cases_with_actions() {
    let text =
        "c(p) = let q = p.getCurrQueue() in (true, drop(.5), mark).(q.a > 1, notify, modify(q.a := 2), modify(b++))";
    let [Statement::Definition(definition)] = &statements(text)[..] else { panic!() };
    assert_eq!(definition.target().unwrap().syntax().text(), "c");
    assert_eq!(definition.parameters().unwrap().names().map(|name| name.to_string()).collect::<Vec<_>>(), ["p"]);
    let Some(Body::Let(bound)) = definition.body() else { panic!() };
    assert_eq!(bound.name().unwrap().text(), "q");
    assert_eq!(bound.value().unwrap().syntax().text(), "p.getCurrQueue()");
    let Some(Body::Cases(cases)) = bound.body() else { panic!() };
    let cases: Vec<_> = cases.cases().collect();
    assert_eq!(cases[0].condition().unwrap().syntax().text(), "true");
    let actions: Vec<Action> = cases.iter().flat_map(|case| case.actions().collect::<Vec<_>>()).collect();
    let [Action::Drop(drop), Action::Mark(_), Action::Notify(_), Action::Modify(gives), Action::Modify(counts)] =
        &actions[..]
    else {
        panic!("{actions:?}")
    };
    assert_eq!(drop.probability().unwrap().syntax().text(), ".5");
    assert_eq!(gives.target().unwrap().syntax().text(), "q.a");
    assert_eq!(gives.value().unwrap().syntax().text(), "2");
    assert!(!gives.is_increment() && counts.is_increment() && counts.value().is_none());
}

#[test]
fn families_ranges_calls_and_units_are_seen() {
    let text = "param B = 128 pkts\nfor i in 1..k { q[i] = Queue(B, 5%) }\nq[1..2].x = mod(a, 3)";
    let [Statement::Param(param), Statement::For(repeated), Statement::Definition(family)] = &statements(text)[..]
    else {
        panic!()
    };
    assert_eq!(param.name().unwrap().text(), "B");
    let Some(Expr::Literal(value)) = param.value() else { panic!() };
    assert_eq!((value.token().unwrap().text(), value.unit().unwrap().text()), ("128", "pkts"));
    assert_eq!(repeated.counter().unwrap().text(), "i");
    let range = repeated.range().unwrap();
    assert_eq!(range.first().unwrap().syntax().text(), "1");
    assert_eq!(range.last().unwrap().syntax().text(), "k");
    assert_eq!(repeated.statements().count(), 1);
    let Some(Expr::Field(field)) = family.target() else { panic!() };
    let Some(Expr::Index(index)) = field.of() else { panic!() };
    assert_eq!(field.name().unwrap().text(), "x");
    assert_eq!(index.of().unwrap().syntax().text(), "q");
    assert!(matches!(index.index(), Some(Expr::Range(_))));
    let Some(Body::Expr(Expr::Call(call))) = family.body() else { panic!() };
    assert_eq!(call.callee().unwrap().syntax().text(), "mod");
    assert_eq!(call.arguments().count(), 2);
}

#[test]
fn a_line_end_ends_a_statement_only_where_the_next_token_cannot_go_on() {
    assert_eq!(statements("a = 1\nb = 2\n").len(), 2);
    assert_eq!(statements("param\nB = 1\nc(p) =\nlet\nq = p.f()\nin\n(true, mark)").len(), 2);
    assert_eq!(statements("a =\n1\n+\n2\n&& c\nb = (\n1\n)").len(), 2);
    assert_eq!(statements("a = 1; b = 2;; c = 3").len(), 3);
    assert_eq!(statements("a = (b, mark)\n.(c, mark).\n(d, mark)\ne = 1").len(), 2);
    assert_eq!(statements("for i in 1..2 {} for j in 1..2 {a = 1};").len(), 2);
}
