//! Tables as they are printed.

use crate::network::sample;
use crate::network::table;

#[test]
fn one_repetition() {
    let cells = vec![
        sample::cell("TCP", "0.5", 0, sample::run(20.0, 0)),
        sample::cell("DCTCP", "0.5", 0, sample::run(12.0, 40)),
    ];
    let text = table::report(&sample::report(1, 2, cells));
    print!("{text}");
}

#[test]
fn repeated() {
    let text = table::report(&sample::sweep());
    print!("{text}");
}

#[test]
fn none() {
    let text = table::report(&sample::report(2, 12, Vec::new()));
    assert_eq!(
        text,
        "web search: leaf-spine, each 2 times, flows complete when received, seed 1\n\nno run is complete\ninterrupted: 0 of 12 runs are complete\n"
    );
}

#[test]
fn special() {
    let mut few = sample::run(20.0, 0);
    few.counters.extend([("ranks_clamped".to_owned(), 7), ("packets_marked".to_owned(), 400)]);
    few.groups[0].endless = 2;
    few.endless = 2;
    few.switches.packets_dropped_shared = 5;
    few.groups[2].completed = 3;
    let text = table::report(&sample::report(3, 3, vec![sample::cell("TCP", "0.5", 0, few)]));
    print!("{text}");
}
