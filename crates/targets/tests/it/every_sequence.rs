//! Heaps in C, shown to be right for small sizes by all that can be done to them.

use crate::program::{can_compile, compile, files, run};
use forebay_lang::{Overrides, analyse};
use std::fs;

const PROGRAM: &str = include_str!("every_sequence.c");

/// Packets that the queue holds, arrivals, operations, and how many sequences there are of these.
fn every_sequence(capacity: u32, arrivals: u32, operations: u32) -> String {
    let text = format!(
        "q = Queue({capacity} pkts);\nout = Port(100, q);\nq.procPrio(p1, p2) = (p1.processing < p2.processing);\n\
         q.admPrio(p1, p2) = (p1.processing > p2.processing);\nq.congestion(q) = q.currSize > q.size, drop(1);\n\
         classify(p) = (true, enter(q));\n"
    );
    let folder = files(&analyse(&text, &Overrides::new()).policy.unwrap());
    fs::write(folder.path().join("every.c"), PROGRAM).unwrap();
    let program = compile(&folder, "every.c");
    run(&program, &[capacity, arrivals, operations].map(|number| number.to_string()).each_ref().map(String::as_str), "")
        .concat()
}

#[test]
fn every_short_sequence_of_operations_does_as_a_searched_list() {
    if can_compile() {
        assert_eq!(every_sequence(4, 5, 8), "2374176");
        assert_eq!(every_sequence(6, 6, 7), "1817216");
    }
}
