//! The formatter: one style, nothing lost.

use forebay_lang::format;
use std::fs;
use std::path::{Path, PathBuf};

#[track_caller]
fn check(text: &str, expected: &str) {
    let formatted = format(text);
    assert_eq!(formatted, expected);
    assert_eq!(format(&formatted), formatted);
}

#[test]
fn statements_get_lines_semicolons_and_spaces() {
    check("q1=Queue( B );q2 = Queue(B)", "q1 = Queue(B);\nq2 = Queue(B);\n");
    check("x=-a*!b||not c[ 1 ..k ].d ( e,f )", "x = -a * !b || not c[1..k].d(e, f);\n");
    check("param B=128pkts;p=Port(100 %)", "param B = 128 pkts;\np = Port(100%);\n");
    check("", "");
    check("\n\n;;\n", "");
}

#[test]
fn cases_and_lets_stand_in_lines_of_their_own() {
    check("t(q)=(a>1,drop(1))", "t(q) = (a > 1, drop(1));\n");
    check(
        "t(q)=(a>1,drop(1))\n.(b ,mark,modify( x:=1 ),modify(x ++))",
        "t(q) =\n    (a > 1, drop(1)).\n    (b, mark, modify(x := 1), modify(x++));\n",
    );
    check("t(q)=let a=q.x() in a>1,mark", "t(q) =\n    let a = q.x() in\n    a > 1, mark;\n");
}

#[test]
fn comments_and_single_blank_lines_stay() {
    check("\n\n//a  \n\n\n\nx=1//b\n//c\n", "//a\n\nx = 1; //b\n//c\n");
    check("x = // why\n1", "x = // why\n    1;\n");
    check("x = 1 // one\n; // two\ny = 2", "x = 1; // one\n// two\ny = 2;\n");
    check(
        "x = (a, // first\n mark) // second\n.(b, mark)",
        "x =\n    (a, // first\n        mark) // second\n    .(b, mark);\n",
    );
    check(
        "for i in 1..k {//a\n\n//b\nx=1\n\n//c\n}//d",
        "for i in 1..k { //a\n\n    //b\n    x = 1;\n\n    //c\n} //d\n",
    );
}

#[test]
fn loops_are_indented() {
    check(
        "for i in 1..k{for j in 1..i{a[i]=j}}",
        "for i in 1..k {\n    for j in 1..i {\n        a[i] = j;\n    }\n}\n",
    );
    check("for i in 1..k {\n}", "for i in 1..k {}\n");
}

#[test]
fn what_is_broken_stays_as_it_is() {
    check("a=1\nb  =  (1\nc=2\n", "a = 1;\nb  =  (1\nc = 2;\n");
    check("a=1; b  =  )\nc=2", "a=1; b  =  )\nc = 2;\n");
    check("for i in 1..k { a=1\nb = = 2\nc=3 }", "for i in 1..k {\n    a = 1;\n    b = = 2\n    c = 3;\n}\n");
    check("for i in 1..k {k { a=1 }\n", "for i in 1..k {k { a=1 }\n");
}

#[test]
fn line_ends_of_windows_stay() {
    check("x = @ 1\r\ny=2\r\n", "x = @ 1\r\ny = 2;\r\n");
    check("x=1 // one\r\n\r\n\r\ny=2", "x = 1; // one\r\n\r\ny = 2;\r\n");
    check("x=1\r\ny=2\n", "x = 1;\ny = 2;\n");
    check("t(q)=(a,mark)\r\n.(b,\r\nmark)", "t(q) =\r\n    (a, mark).\r\n    (b,\r\n        mark);\r\n");
}

/// The policies below a folder.
fn policies(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            policies(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "oq") {
            found.push(path);
        }
    }
}

#[test]
fn every_policy_of_the_repository_is_in_this_style() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut found = Vec::new();
    for folder in ["policies", "experiments", "testdata", "editors", "crates/cli"] {
        policies(&root.join(folder), &mut found);
    }
    assert!(found.len() > 50, "{} policies", found.len());
    for path in found {
        let text = fs::read_to_string(&path).unwrap();
        assert_eq!(format(&text), text, "{}: run `forebay fmt`", path.display());
    }
}
