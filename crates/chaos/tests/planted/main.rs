//! What is planted is found. A program of its own, since it silences panics.

use forebay_chaos::{Life, Planted, SYSTEMS, System};
use std::panic::{catch_unwind, set_hook, take_hook};

/// Lives of each system until a planted fault must be found.
const MOST_LIVES: u64 = 1_000;

#[test]
fn planted_faults_are_found() {
    let mut missed = Vec::new();
    set_hook(Box::new(|_| {}));
    for planted in Planted::ALL {
        let found = (0..MOST_LIVES).find_map(|seed| {
            let life = Life { seed, planted: Some(planted) };
            let is_found = |system: &&System| catch_unwind(|| system.live(&life)).is_err();
            SYSTEMS.iter().find(is_found).map(|system| (system.name, seed))
        });
        match found {
            Some((system, seed)) => println!("{planted:?} was found by {system} with seed {seed}"),
            None => missed.push(planted),
        }
    }
    let _default = take_hook();
    assert!(missed.is_empty(), "{missed:?} were planted, and nobody has found them");
}
