//! What editors ask: where a name is defined and used, and what it is.

use forebay_lang::{Overrides, Symbol, SymbolKind, TextSize, analyse};

const TEXT: &str = "\
param B = 128 pkts; param k = 2
q[1..k] = Queue(B); out = Port(100, q[1..k])
half = B / 2
srpt(p1, p2) = (p1.processing < p2.processing)
red(q) = (q.currSize > half, drop(.5)).(mod(q.admState, 3) == 0, modify(q.admState++))
act(port) = let s = port.getCurrQueue() in (true, modify(schedState := s.schedState + q2.size))
for i in 1..k { q[i].congestion = red(q[i]); q[i].schedState = i }
q1.procPrio = srpt; q[2].procPrio(a, b) = srpt(b, a); out.postSchedAct = act
";

fn symbols() -> Vec<Symbol> {
    let analysis = analyse(TEXT, &Overrides::new());
    assert!(analysis.policy.is_some() && analysis.diagnostics.is_empty(), "{:?}", analysis.diagnostics);
    analysis.symbols
}

/// Line and column (from 1) of each place.
fn places(symbol: &Symbol) -> Vec<(usize, usize)> {
    let place = |offset: usize| {
        let before = &TEXT[..offset];
        let line = before.rfind('\n').map_or(0, |end| end + 1);
        (before.matches('\n').count() + 1, offset - line + 1)
    };
    symbol.definition.iter().chain(&symbol.references).map(|span| place(span.start().into())).collect()
}

#[track_caller]
fn named(name: &str, kind: SymbolKind) -> Symbol {
    let mut found = symbols().into_iter().filter(|symbol| symbol.name == name && symbol.kind == kind);
    let symbol = found.next().unwrap_or_else(|| panic!("no {name}"));
    assert!(found.next().is_none(), "two of {name}");
    symbol
}

#[test]
fn definitions_and_references_are_found() {
    assert_eq!(places(&named("B", SymbolKind::Constant)), [(1, 7), (2, 17), (3, 8)]);
    assert_eq!(places(&named("half", SymbolKind::Value)), [(3, 1), (5, 24)]);
    assert_eq!(places(&named("srpt", SymbolKind::Comparator)), [(4, 1), (8, 15), (8, 43)]);
    assert_eq!(places(&named("red", SymbolKind::Condition)), [(5, 1), (7, 35)]);
    assert_eq!(places(&named("i", SymbolKind::Constant)), [(7, 5), (7, 19), (7, 41), (7, 48), (7, 64)]);
    assert_eq!(places(&named("out", SymbolKind::Port)), [(2, 21), (8, 55)]);
    assert_eq!(places(&named("p1", SymbolKind::Local)), [(4, 6), (4, 17)]);
    assert_eq!(places(&named("s", SymbolKind::Local)), [(6, 17), (6, 72)]);
}

#[test]
fn a_family_is_one_name_wherever_its_members_stand() {
    let family = named("q", SymbolKind::Queue);
    let members = [(2, 1), (2, 37), (6, 87), (7, 17), (7, 39), (7, 46), (8, 1), (8, 21)];
    assert_eq!(places(&family), members);
    for span in family.definition.iter().chain(&family.references) {
        assert_eq!(&TEXT[usize::from(span.start())..usize::from(span.end())], "q");
    }
}

#[test]
fn names_of_the_language_have_no_definition() {
    let found: Vec<Symbol> = symbols().into_iter().filter(|symbol| symbol.name == "schedState").collect();
    let queue = found.iter().find(|symbol| symbol.hover.contains("of a queue")).unwrap();
    assert_eq!((queue.definition, places(queue)), (None, vec![(6, 58), (6, 74), (7, 51)]));
    assert_eq!(places(&named("mod", SymbolKind::Function)), [(5, 41)]);
    assert_eq!(places(&named("Queue", SymbolKind::Function)), [(2, 11)]);
    // All of them are there, used or not, so that an editor can propose them.
    for name in ["slack", "remaining", "admPrio", "findHigh", "rate", "now", "arriving", "fifo", "tailDrop", "classify"]
    {
        assert!(symbols().iter().any(|symbol| symbol.name == name && symbol.definition.is_none()), "{name}");
    }
}

#[test]
fn a_hover_says_what_a_name_is() {
    assert!(named("B", SymbolKind::Constant).hover.ends_with("Its value is 128 pkts."));
    assert!(named("srpt", SymbolKind::Comparator).hover.contains("p1.processing < p2.processing"));
    assert_eq!(named("p1", SymbolKind::Local).hover, "**p1**: a packet");
    assert_eq!(named("s", SymbolKind::Local).hover, "**s**: a queue");
    let analysis = analyse(TEXT, &Overrides::new());
    let (symbol, place) =
        analysis.symbol_at(TextSize::new(u32::try_from(TEXT.find("srpt;").unwrap()).unwrap() + 2)).unwrap();
    assert_eq!((symbol.name.as_str(), &TEXT[usize::from(place.start())..usize::from(place.end())]), ("srpt", "srpt"));
}

#[test]
fn a_file_with_mistakes_has_symbols_too() {
    let text = "q1 = Queue(B\nout = Port(100, q1)\nf(a, b) = (a.sise < )\nq1.admPrio = f";
    let symbols = analyse(text, &Overrides::new()).symbols;
    let references = |name: &str| symbols.iter().find(|symbol| symbol.name == name).unwrap().references.len();
    assert_eq!((references("q1"), references("f"), references("a")), (2, 1, 1));
}
