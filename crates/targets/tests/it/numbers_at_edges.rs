//! Operations on numbers in C, with every pair of small operands and of operands at edges, against 128 bits.

use crate::build::*;
use crate::program::{can_compile, compile, files, run};
use std::fs;

const PROGRAM: &str = include_str!("numbers_at_edges.c");

#[test]
fn every_pair_of_numbers_at_edges_is_rounded_and_cut_as_written() {
    if can_compile() {
        let folder = files(&one_port(vec![queue("q", packets(2))]));
        fs::write(folder.path().join("edges.c"), PROGRAM).unwrap();
        assert_eq!(run(&compile(&folder, "edges.c"), &[], ""), ["93961593"]);
    }
}
