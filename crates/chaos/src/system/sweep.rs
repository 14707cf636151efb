//! A sweep whose runs are stored: it is begun, interrupted and begun again.

use super::folder::{RUNS, Scenario, fared, one, undisturbed, world};
use super::{Life, System};
use crate::fault::Coverage;

/// The registry's entry.
pub const ENTRY: System = System {
    name: "sweep",
    title: "A sweep that was broken off anywhere goes on; its result is right, whole, safe and alone in its folder",
    run: live,
    lives: 2_000,
};

fn live(life: &Life) -> Coverage {
    let (world, scenario) = (world(life), Scenario::of(life));
    let everything = |process: &_| scenario.run_all(process);
    let mut are_safe = false;
    for _ in 0..=world.below(7) {
        if fared(one(&world, everything)).is_some() {
            scenario.check(&world, "after a run that ended well");
            world.lose_power();
            scenario.check(&world, "without power after a run that ended well");
            are_safe = true;
        }
        are_safe &= !world.rest();
        world.fail();
    }
    world.heal();
    let found = undisturbed(one(&world, everything));
    assert!(!are_safe || found == RUNS, "{found} of {RUNS} finished runs were found again");
    scenario.check_exact(&world, "in the end");
    world.lose_power();
    scenario.check_exact(&world, "without power in the end");
    world.coverage()
}
