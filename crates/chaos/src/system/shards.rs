//! Two processes that each make a part of the runs in their own folders, and one that joins them.

use super::folder::{OUT, Scenario, fared, join, one, undisturbed, world};
use super::{Life, System};
use crate::disk::Ended;
use crate::fault::Coverage;
use forebay::run::Part;

/// The registry's entry.
pub const ENTRY: System = System {
    name: "shards",
    title: "Parts of a sweep that were made apart and joined are the sweep, whatever failed meanwhile",
    run: live,
    lives: 1_500,
};

const SHARDS: [&str; 2] = ["/shard-0", "/shard-1"];

fn live(life: &Life) -> Coverage {
    let (world, scenario) = (world(life), Scenario::of(life));
    let parts: [Part; 2] = ["0/2", "1/2"].map(|part| part.parse().expect("a part"));
    let make = |shard: usize| one(&world, |process| scenario.run(process, SHARDS[shard], &parts[shard]));
    let joined = || match one(&world, |process| join(process, OUT, SHARDS)) {
        // What the message says to do.
        Ended::Returned(Err(error)) if error.advice() == Some("run the scenario again with this folder") => {
            let _tried = fared(one(&world, |process| scenario.run(process, OUT, &parts[0])));
            one(&world, |process| join(process, OUT, SHARDS))
        }
        ended => ended,
    };
    for _ in 0..=world.below(5) {
        let _made = [0, 1].map(|shard| fared(make(shard)));
        if fared(joined()) == Some(0) {
            scenario.check_exact(&world, "after a merge that found all runs");
            world.lose_power();
            scenario.check_exact(&world, "without power after a merge that found all runs");
        }
        world.rest();
        world.fail();
    }
    world.heal();
    for shard in [0, 1] {
        undisturbed(make(shard));
        world.lose_power();
    }
    assert_eq!(undisturbed(joined()), 0, "runs are missing that were made");
    scenario.check_exact(&world, "in the end");
    world.lose_power();
    scenario.check_exact(&world, "without power in the end");
    world.coverage()
}
