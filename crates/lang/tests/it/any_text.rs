//! Every text gives a tree that has all of it and diagnostics within it. The formatter
//! changes white space and semicolons only.

use crate::documents::{LISTINGS, programs};
use forebay_lang::kind::Kind;
use forebay_lang::lexer::lex;
use forebay_lang::render::{Style, render};
use forebay_lang::{Lines, Overrides, Severity, analyse, format, parse};
use proptest::prelude::*;

/// The tokens but white space and semicolons. Comments end where their line does.
fn tokens(text: &str) -> Vec<(Kind, &str)> {
    let all = lex(text).0.into_iter().map(|token| (token.kind, token.text.trim_end()));
    all.filter(|(kind, _)| !matches!(kind, Kind::Whitespace | Kind::Semicolon)).collect()
}

/// What every analysis is: a policy or an error, and places within the text.
fn analysed(text: &str, lines: &Lines) -> Result<(), TestCaseError> {
    let analysis = analyse(text, &Overrides::new());
    let wrong = analysis.diagnostics.iter().any(|said| said.severity == Severity::Error);
    prop_assert_eq!(analysis.policy.is_none(), wrong);
    let shown = render("x.oq", text, &analysis.diagnostics, Style::Plain);
    prop_assert_eq!(shown.is_empty(), analysis.diagnostics.is_empty());
    let spans = analysis.diagnostics.iter().flat_map(|said| {
        let others = said.labels.iter().map(|label| label.span).chain(said.fix.iter().map(|fix| fix.span));
        others.chain([said.span]).collect::<Vec<_>>()
    });
    let places = analysis.symbols.iter().flat_map(|symbol| symbol.definition.iter().chain(&symbol.references));
    for span in spans.chain(places.copied()) {
        prop_assert!(text.get(usize::from(span.start())..usize::from(span.end())).is_some(), "{:?}", span);
        let at = lines.position(span.start());
        prop_assert_eq!(lines.offset_of_utf16(at.line, at.utf16), Some(span.start()));
    }
    for symbol in &analysis.symbols {
        for place in symbol.definition.iter().chain(&symbol.references) {
            let there = &text[usize::from(place.start())..usize::from(place.end())];
            prop_assert_eq!(there, symbol.name.as_str());
        }
    }
    Ok(())
}

fn holds(text: &str) -> Result<(), TestCaseError> {
    let parsed = parse(text);
    prop_assert_eq!(parsed.syntax().to_string(), text);
    let lines = Lines::new(text);
    for diagnostic in parsed.diagnostics() {
        let spans = diagnostic.labels.iter().map(|label| label.span).chain(diagnostic.fix.iter().map(|fix| fix.span));
        for span in spans.chain([diagnostic.span]) {
            prop_assert!(text.get(usize::from(span.start())..usize::from(span.end())).is_some(), "{:?}", diagnostic);
            let at = lines.position(span.start());
            prop_assert_eq!(lines.offset_of_utf16(at.line, at.utf16), Some(span.start()));
        }
    }
    let shown = render("x.oq", text, parsed.diagnostics(), Style::Plain);
    prop_assert_eq!(shown.is_empty(), parsed.diagnostics().is_empty());
    analysed(text, &lines)?;
    let formatted = format(text);
    let again = format(&formatted);
    prop_assert_eq!(again.as_str(), formatted.as_str());
    prop_assert_eq!(tokens(&formatted), tokens(text));
    if parsed.diagnostics().is_empty() {
        prop_assert!(parse(&formatted).diagnostics().is_empty(), "{}", formatted);
    }
    Ok(())
}

const SOUP: [&str; 52] = [
    "q", "q1", "p2", "k", "drop", "mark", "notify", "modify", "param", "for", "in", "let", "and", "or", "not", "true",
    "1", ".95", "128 pkts", "100%", ";", ",", ".", "..", "...", "(", ")", "[", "]", "{", "}", "=", ":=", "++", "+",
    "-", "*", "/", "<", "<=", "==", "!=", "&&", "||", "!", "// c\n", "\n", " ", "@", "≤", "\"a\"", "\r\n",
];

/// A whole policy with something of everything.
const POLICY: &str = "\
param B = 128 pkts; param k = 2
q[1..k] = Queue(B); voice = Queue(4 KiB); out = Port(50%, q[1..k], voice); b = Buffer(1 MB, q[1..k])
half = b.size / 2
srpt(p1, p2) = (p1.processing < p2.processing || p1.processing == p2.processing && p1.size < p2.size)
red(q) = (q.currSize > .5 * q.size, drop(.5)).(mod(q.admState, 3) == 0, modify(q.admState++))
act(port) = let s = port.getCurrQueue() in (true, modify(schedState := s.schedState + q2.size))
for i in 1..k { q[i].congestion = red(q[i]); q[i].schedState = i }
q1.procPrio = srpt; q[2].procPrio(a, b) = srpt(b, a); out.postSchedAct = act; b.admPrio(x, y) = (x.size > y.size)
b.congestion = (b.currSize > half and arriving.slack < now - arriving.arrival, drop(max(.1, b.admState)), mark)
classify(p) = (p.class >= 40, enter(voice)).(true, enter(q[mod(p.flow, k) + 1]))
";

fn soup() -> impl Strategy<Value = String> {
    let word = (prop::sample::select(&SOUP[..]), prop::sample::select(&["", " ", "\n"][..]));
    prop::collection::vec(word, 0..60)
        .prop_map(|words| words.into_iter().map(|(word, gap)| format!("{word}{gap}")).collect())
}

/// A good file of which parts are left out, doubled or replaced.
fn mutated() -> impl Strategy<Value = String> {
    let all: Vec<String> = programs(LISTINGS).into_iter().map(str::to_owned).chain([POLICY.to_owned()]).collect();
    let change = (any::<prop::sample::Index>(), 0..4_usize, 0..4_u8, prop::sample::select(&SOUP[..]));
    (prop::sample::select(all), prop::collection::vec(change, 0..5)).prop_map(|(program, changes)| {
        let mut parts: Vec<String> = lex(&program).0.iter().map(|token| token.text.to_owned()).collect();
        for (at, length, kind, word) in changes {
            let at = at.index(parts.len());
            let end = (at + length).min(parts.len());
            let with: Vec<String> = match kind {
                0 => Vec::new(),
                1 => vec![word.to_owned()],
                2 => parts[at..end].iter().chain(&parts[at..end]).cloned().collect(),
                _ => [&[word.to_owned()], &parts[at..end]].concat(),
            };
            parts.splice(at..end, with);
            if parts.is_empty() {
                break;
            }
        }
        parts.concat()
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 3_000, ..ProptestConfig::default() })]

    #[test]
    fn token_soup(text in soup()) {
        holds(&text)?;
    }

    #[test]
    fn mutations_of_good_files(text in mutated()) {
        holds(&text)?;
    }

    #[test]
    fn any_characters(text in any::<String>()) {
        holds(&text)?;
    }
}

#[test]
fn deep_and_long_texts_are_no_danger() {
    for part in
        ["(", "[", "{", "x = (", "a.", "a[", "f(", "-", "!", "not ", "a + ", "x = a.b(", "for i in 1..k {", "let x = "]
    {
        let text = format!("x = {}", part.repeat(50_000));
        let parsed = parse(&text);
        assert_eq!(parsed.syntax().to_string(), text);
        assert!(!parsed.diagnostics().is_empty() && parsed.diagnostics().len() <= 201, "{part}");
        assert_eq!(format(&format(&text)), format(&text));
        assert!(analyse(&text, &Overrides::new()).policy.is_none());
    }
    let lets = format!("x = {}1", "let a = 1 in ".repeat(50_000));
    assert_eq!(parse(&lets).diagnostics().len(), 1);
    let cases = format!("x = (true, mark){}", ".(true, mark)".repeat(50_000));
    assert!(parse(&cases).diagnostics().is_empty());
    let flat = "q1 = Queue(B)\n".repeat(50_000);
    assert!(parse(&flat).diagnostics().is_empty());
}

#[test]
fn what_is_nested_reasonably_is_fine() {
    let parens = format!("x = {}1{}", "(".repeat(60), ")".repeat(60));
    let sum = format!("x = 1{}", " + 1".repeat(250));
    for text in [parens, sum] {
        assert!(parse(&text).diagnostics().is_empty(), "{:?}", parse(&text).diagnostics());
        let policy = analyse(&format!("{text}; q = Queue(x); out = Port(1)"), &Overrides::new()).policy;
        assert!(policy.is_some());
    }
}

/// Inputs that the fuzzer found.
#[test]
fn strange_characters_within_a_target_are_no_danger() {
    for text in
        ["q = Queue(1); q[1].\u{1}\u{fffd}\u{7d9}\u{fffd} = 1", "q[1.\0\u{fffd}\u{7d9}\u{fffd}rst.\nq = Queue(1)"]
    {
        holds(text).unwrap();
    }
}

#[test]
fn a_semicolon_below_a_comment_is_no_danger() {
    for text in ["a = 1\n// one\n;// two\nb = 2\n", "a = 1 // one\n\n// two\n; b = 2\n", "a = 1\n\n// one\n\n;\n"] {
        holds(text).unwrap();
    }
}

#[test]
fn numbers_of_many_digits_are_no_danger() {
    for number in ["999999999999999999.999999999999999999 GiB", "0.000000000000000001 GiB", "999999999999999999 s"] {
        holds(&format!("q = Queue({number}); out = Port({number})")).unwrap();
    }
}

#[test]
fn bytes_that_are_no_text_are_mistakes_but_no_danger() {
    let noise: Vec<u8> = (0..100_000_u32).map(|n| n.wrapping_mul(2_654_435_761).to_le_bytes()[2]).collect();
    let text = String::from_utf8_lossy(&noise);
    assert_eq!(parse(&text).syntax().to_string(), text);
    assert_eq!(parse(&text).diagnostics().len(), 201);
}

#[test]
fn a_text_that_is_too_long_is_refused_as_a_whole() {
    let text = " ".repeat(forebay_lang::parser::MAX_BYTES + 1);
    let parsed = parse(&text);
    assert_eq!(parsed.diagnostics()[0].code, forebay_lang::Code::TooLong);
    assert_eq!(format(&text).len(), text.len());
}
