//! The fast engine, which simulations use.

use super::{Datapath, Played, Unplayed};
use crate::{Answer, expected};
use forebay_core::{About, Exactness};
use forebay_engine::Fast;

pub(super) const DATAPATH: Datapath = Datapath {
    about: About {
        name: "fast",
        title: "the engine of simulations",
        exactness: Exactness::NotApplicable,
        hardware: "none",
        cost: "one heap or bitmap operation for each packet",
        source: "docs/openqueue-semantics.md",
        params: &[],
    },
    holds: super::unlimited,
    expected: super::exact,
    play,
};

fn play(played: &Played<'_>) -> Result<Vec<Answer>, Unplayed> {
    let mut engine = Fast::new(played.policy, played.engine()).map_err(|error| Unplayed::Skipped(error.to_string()))?;
    Ok(expected(&mut engine, played.operations))
}
