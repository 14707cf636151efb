//! The shapes of the shards, and how their policies are made.

use crate::error::BuildError;
use crate::shard::BoxedPolicy;
use forebay_cache::{Choice, Shape};
use forebay_core::{Seed, convert};

const MOST_SHARDS: u64 = 1 << 16;
/// Maximum number of entries for which room is made at the start, however many are expected.
const MOST_ROOM: u64 = 1 << 24;

/// How a capacity is divided among shards, and which policy each has.
pub(crate) struct Plan {
    pub(crate) choice: Choice,
    pub(crate) shards: u64,
    pub(crate) heaviest: Option<u64>,
    /// Entries that the user expects.
    pub(crate) expected: Option<u64>,
    /// Entries that a shard expects at most if the user does not say.
    pub(crate) most_expected: u64,
    pub(crate) seed: Seed,
}

impl Plan {
    /// Checks that each shard has room.
    pub(crate) fn check(&self, capacity: u64) -> Result<(), BuildError> {
        let shards = self.shards;
        if let Some(heaviest) = self.heaviest {
            self.holds(capacity, heaviest)?;
        }
        if shards > MOST_SHARDS {
            return Err(BuildError(format!("{shards} shards are too many; take {MOST_SHARDS} at most")));
        }
        if shards == 0 || capacity < shards {
            return Err(BuildError(format!("a capacity of {capacity} in {shards} shards leaves a shard with nothing")));
        }
        Ok(())
    }

    /// Checks that each shard has room for the heaviest value.
    fn holds(&self, capacity: u64, heaviest: u64) -> Result<(), BuildError> {
        if heaviest > capacity {
            return Err(BuildError(format!("the heaviest weight {heaviest} is above the capacity {capacity}")));
        }
        let shards = self.shards;
        let (share, most) = (capacity / shards.max(1), capacity / heaviest);
        if share < heaviest {
            let shares = format!("{shards} shards have {share} each, less than the heaviest weight {heaviest}");
            return Err(BuildError(format!("{shares}; take {most} shards at most")));
        }
        Ok(())
    }

    /// The shape of a shard of a cache with this capacity, which was checked.
    pub(crate) fn shape(&self, capacity: u64, index: u64) -> Shape {
        let shards = self.shards;
        let most = self.most_expected.saturating_mul(shards);
        let expected = self.expected.map_or(capacity.min(most), |entries| entries.min(MOST_ROOM));
        let capacity = capacity / shards + u64::from(index < capacity % shards);
        let entries = convert::index(expected.div_ceil(shards).min(capacity));
        Shape { capacity, entries, seed: self.seed.part(&format!("shard/{index}")) }
    }

    /// The policy of a shard of this shape.
    pub(crate) fn policy(&self, shape: &Shape) -> Result<BoxedPolicy, BuildError> {
        let choice = &self.choice;
        choice.shared_policy(shape).map_err(|error| BuildError(format!("`{choice}`: {error}")))
    }
}
