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
    println!("{text}");
    assert!(text.lines().all(|line| line.chars().count() <= 120));
}

#[test]
fn repeated() {
    let text = table::report(&sample::sweep());
    println!("{text}");
}
