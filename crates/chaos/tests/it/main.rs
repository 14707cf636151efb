//! Every system lives some lives.

use forebay_chaos::{Coverage, Life, Planted, SYSTEMS};

/// One of so many lives of a round is tried here; `cargo xtask chaos` tries the others.
const SHARE: u64 = 4;

#[test]
fn promises_hold_whatever_fails() {
    for system in SYSTEMS {
        let mut coverage = Coverage::default();
        (0..system.lives / SHARE).for_each(|seed| coverage.add(&system.live(&Life { seed, planted: None })));
        println!("{}: {} faults", system.name, coverage.faults());
        let (missed, reachable) = (coverage.missed().count(), coverage.reachable());
        assert!(
            missed * 4 < reachable,
            "{}: {missed} of {reachable} pairs of a call and a fault never were",
            system.name
        );
    }
}

#[test]
fn the_page_has_all_systems_and_planted_faults() {
    let page = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/chaos.md")).expect("the page");
    for system in SYSTEMS {
        assert!(page.contains(&format!("| `{}` | {} |", system.name, system.title)), "{}", system.name);
    }
    for planted in Planted::ALL {
        assert!(page.contains(&format!("`{planted:?}`")), "{planted:?}");
    }
}

#[test]
fn a_seed_repeats_a_life() {
    for system in SYSTEMS {
        let sites = |seed| system.live(&Life { seed, planted: None }).by_site();
        for seed in 0..20 {
            assert_eq!(sites(seed), sites(seed), "{} of seed {seed}", system.name);
        }
    }
}
