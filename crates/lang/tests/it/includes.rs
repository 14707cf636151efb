//! Policies in several files: what they mean, and in which file a mistake is.

use forebay_lang::render::{Style, render_sources};
use forebay_lang::{Overrides, Policy, Sources, analyse};
use proptest::prelude::*;

/// Files by their paths.
type Files = &'static [(&'static str, &'static str)];

fn read(files: &[(&str, &str)]) -> Sources {
    let open = |path: &str| {
        let found = files.iter().find(|(name, _)| *name == path);
        found.map(|(_, text)| (*text).to_owned()).ok_or_else(|| format!("there is no file `{path}`"))
    };
    Sources::read(files[0].0, files[0].1, &open)
}

fn policy(files: Files) -> Policy {
    let sources = read(files);
    let analysis = sources.analyse(&Overrides::new(), &[]);
    let shown = render_sources(&sources, &analysis.diagnostics, Style::Plain);
    assert_eq!(shown, "");
    analysis.policy.unwrap()
}

/// What is said of a policy.
fn said(files: &[(&str, &str)]) -> String {
    let sources = read(files);
    let analysis = sources.analyse(&Overrides::new(), &[]);
    assert!(analysis.policy.is_none());
    render_sources(&sources, &analysis.diagnostics, Style::Plain)
}

const WHOLE: &str = "param B = 3 pkts; shortest(a, b) = (a.size < b.size); unused(a, b) = (a.size > b.size);
q = Queue(B); q.procPrio = shortest; out = Port(100);";

#[test]
fn files_are_one_policy_in_any_order_and_depth() {
    let whole = analyse(WHOLE, &Overrides::new()).policy.unwrap();
    let orders = "shortest(a, b) = (a.size < b.size) // no line end";
    let pieces: &[Files] = &[
        &[
            ("a.oq", "include \"o.oq\"; param B = 3 pkts; q = Queue(B); q.procPrio = shortest; out = Port(100);"),
            ("o.oq", "shortest(a, b) = (a.size < b.size)\nunused(a, b) = (a.size > b.size)"),
        ],
        &[
            ("p/a.oq", "param B = 3 pkts\nq = Queue(B)\nq.procPrio = shortest\nout = Port(100)\ninclude \"lib/o.oq\""),
            ("p/lib/o.oq", "include \"../s.oq\""),
            ("p/s.oq", "shortest(a, b) = (a.size < b.size) // no line end"),
        ],
        &[
            ("a.oq", "include\t\"./q.oq\" // with a remark\n; include \"o.oq\" param = 1; out = Port(100)"),
            ("q.oq", "param B = 3 pkts; q = Queue(B); q.procPrio = shortest"),
            ("o.oq", "shortest(a, b) = (a.size < b.size)"),
        ],
    ];
    assert_eq!(policy(pieces[0]), whole);
    assert_eq!(policy(pieces[1]), whole);
    let text = "a.oq";
    let two = [
        (text, "param B = 3 pkts; q = Queue(B); q.procPrio = shortest; include \"o.oq\" out = Port(100)"),
        ("o.oq", orders),
    ];
    assert!(said(&two).contains("two statements in one line are separated by `;`"), "{}", said(&two));
    assert!(said(pieces[2]).contains("two statements in one line"), "{}", said(pieces[2]));
}

#[test]
fn the_text_of_all_files_can_be_read_on_its_own() {
    let files: Files = &[
        ("a.oq", "include \"o.oq\"; q = Queue(3); q.procPrio = f; out = Port(100)"),
        ("o.oq", "f(a, b) = (a.size < b.size)"),
    ];
    let text = read(files).text().to_owned();
    assert_eq!(
        text,
        "// include \"o.oq\";\nf(a, b) = (a.size < b.size)\n q = Queue(3); q.procPrio = f; out = Port(100)"
    );
    assert_eq!(analyse(&text, &Overrides::new()).policy.unwrap(), policy(files));
}

#[test]
fn a_mistake_is_shown_in_its_file() {
    let main = "include \"o.oq\";\nq = Queue(3);\nq.procPrio = f;\nout = Port(100);\n";
    for (other, expected) in [
        ("\nf(a, b) = (a.sise < b.size)", "error[unknown-property]: a packet has no property `sise`\n --> o.oq:2:14"),
        ("f(a, b) = (a.size < b.size\n", "error[unclosed]: this parenthesis is not closed\n --> o.oq:1:27"),
        ("f(a, b) = (a.size < b.size); q = Queue(4)", "error[defined-twice]: `q` is defined twice\n --> a.oq:2:1"),
    ] {
        let shown = said(&[("a.oq", main), ("o.oq", other)]);
        assert!(shown.starts_with(expected), "{shown}");
    }
    // Both files are shown.
    let shown = said(&[("a.oq", main), ("o.oq", "f(a, b) = (a.size < b.size); q = Queue(4)")]);
    assert!(shown.contains("o.oq:1:30") && shown.contains("first defined here"), "{shown}");
    // Of files that cannot be read, the meaning is not asked.
    let shown = said(&[("a.oq", "include \"o.oq\"; q = Queue(unknown)"), ("o.oq", "x = (1")]);
    assert!(shown.contains("o.oq:1:7") && !shown.contains("unknown-name"), "{shown}");
}

#[test]
fn files_that_cannot_be_included_are_refused() {
    let rest = "q = Queue(3); out = Port(100);";
    for (files, expected) in [
        (
            vec![("a.oq", format!("include \"b.oq\"; {rest}"))],
            "a.oq:1:1\n  |\n1 | include \"b.oq\"; q = Queue(3); out = Port(100);\n  | ^^^^^^^^^^^^^^^ included here\n  |\n  = help: a path begins where the file lies",
        ),
        (vec![("p/a.oq", format!("include \"b.oq\"; {rest}"))], "`b.oq` cannot be included: there is no file `p/b.oq`"),
        (
            vec![
                ("a.oq", format!("include \"b.oq\"; {rest}")),
                ("b.oq", "\ninclude \"c.oq\"".to_owned()),
                ("c.oq", "include \"./b.oq\"".to_owned()),
            ],
            "`./b.oq` includes itself\n --> c.oq:1:1",
        ),
        (vec![("a.oq", format!("include \"a.oq\"; {rest}"))], "the chain is a.oq → a.oq"),
        (
            vec![
                ("a.oq", format!("include \"b.oq\"; include \"c.oq\"; {rest}")),
                ("b.oq", "include \"c.oq\"".to_owned()),
                ("c.oq", String::new()),
            ],
            "`c.oq` is included already\n --> a.oq:1:17",
        ),
    ] {
        let files: Vec<(&str, &str)> = files.iter().map(|(name, text)| (*name, text.as_str())).collect();
        let shown = said(&files);
        assert!(shown.contains("error[include]: ") && shown.contains(expected), "{shown}\n{expected}");
        assert_eq!(shown.matches("error").count(), 1, "{shown}");
    }
    let alone = analyse("include \"a.oq\"; q = Queue(3); out = Port(100)", &Overrides::new());
    assert_eq!(alone.diagnostics.len(), 1);
    assert!(alone.diagnostics[0].message.contains("this text is in no file"), "{alone:?}");
}

#[test]
fn only_the_first_file_is_told_what_it_does_not_use() {
    let sources = read(&[
        ("a.oq", "include \"b.oq\"; half(a, b) = (a.size < b.size); q = Queue(3); out = Port(100)"),
        ("b.oq", "rest(a, b) = (a.size < b.size)"),
    ]);
    let unused = sources.analyse(&Overrides::new(), &[]).diagnostics;
    assert_eq!(unused.len(), 1);
    assert!(unused[0].message.contains("half"), "{unused:?}");
}

proptest! {
    /// Statements that are dealt out to files mean what they mean together, and each place is that of its file.
    #[test]
    fn pieces_mean_what_the_whole_means(cuts in prop::collection::vec(0..8_usize, 8)) {
        let statements = [
            "param B = 9 pkts;", "f(a, b) = (a.value > b.value);", "q[1..2] = Queue(B);", "out = Port(100, q[1..2]);",
            "q1.procPrio = f;", "q2.admPrio(a, b) = f(b, a);", "half(q) = (q.currSize > .5 * q.size, drop(1));", "q2.congestion = half;",
        ];
        // Each statement is in the file of its cut; each file includes the next.
        let names: Vec<String> = (0..8).map(|file| format!("{file}.oq")).collect();
        let texts: Vec<String> = (0..8).map(|file| {
            let own = statements.iter().zip(&cuts).filter(|(_, cut)| **cut == file);
            let own: String = own.map(|(statement, _)| format!("{statement}\n")).collect();
            if file < 7 { format!("{own}include \"{}.oq\";\n", file + 1) } else { own }
        }).collect();
        let files: Vec<(&str, &str)> = names.iter().zip(&texts).map(|(name, text)| (name.as_str(), text.as_str())).collect();
        let sources = read(&files);
        let analysis = sources.analyse(&Overrides::new(), &[]);
        let whole = analyse(&statements.concat(), &Overrides::new()).policy;
        prop_assert_eq!(&analysis.policy, &whole);
        for symbol in analysis.symbols.iter().filter(|symbol| symbol.definition.is_some()) {
            for span in symbol.definition.iter().chain(&symbol.references) {
                let (file, own) = sources.span(*span);
                prop_assert_eq!(&sources.files()[file].text[own], &sources.text()[*span]);
            }
        }
    }
}
