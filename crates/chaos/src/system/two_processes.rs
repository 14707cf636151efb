//! Two processes that make the same runs in one folder at the same time.

use super::folder::{Scenario, fared, one, two, undisturbed, world};
use super::{Life, System};
use crate::fault::Coverage;

/// The registry's entry.
pub const ENTRY: System = System {
    name: "two_processes",
    title: "Two processes in one folder do not disturb each other, even if one of them fails or is killed",
    run: live,
    lives: 1_000,
};

fn live(life: &Life) -> Coverage {
    let (world, scenario) = (world(life), Scenario::of(life));
    let everything = |process: &_| scenario.run_all(process);
    for _ in 0..=world.below(6) {
        let ended = two(&world, everything).map(fared);
        if ended.iter().any(Option::is_some) {
            scenario.check(&world, "after one of two ended well");
        }
        world.rest();
        world.fail();
    }
    world.heal();
    let [_, _] = two(&world, everything).map(undisturbed);
    scenario.check(&world, "after two that ended well");
    // Whoever was first may have left the other's unfinished files, but not the next one.
    undisturbed(one(&world, everything));
    scenario.check_exact(&world, "in the end");
    world.lose_power();
    scenario.check_exact(&world, "without power in the end");
    world.coverage()
}
