//! The fast engine, which simulations use.

use super::{Datapath, Played, Unplayed};
use crate::{Answer, expected};
use forebay_engine::Fast;

pub(super) const DATAPATH: Datapath =
    Datapath { name: "fast", title: "the engine of simulations", expected: super::exact, play };

fn play(played: &Played<'_>) -> Result<Vec<Answer>, Unplayed> {
    let mut engine = Fast::new(played.policy, played.engine()).map_err(|error| Unplayed::Skipped(error.to_string()))?;
    Ok(expected(&mut engine, played.operations))
}
