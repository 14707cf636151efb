//! The ranks that packets of a workload carry: `rank` and `rank_all` of `[[workload]]`.

use crate::document::{Node, Table, Value};
use crate::error::Result;
use crate::scenario::{Files, named_rank};
use forebay_core::registry::suggest;
use forebay_core::{Rng, Seed};
use forebay_sim::net::{FlowSpec, Ranks};
use forebay_traces::RankPattern;

/// The ranks that packets carry.
#[derive(Debug, Clone)]
pub(super) struct CarriedRanks {
    kind: Kind,
    /// Whether packets without data also carry ranks.
    pub(super) all: bool,
}

#[derive(Debug, Clone)]
enum Kind {
    /// Whatever their flow.
    Pattern(RankPattern),
    /// The size of their flow.
    FlowSize,
}

impl CarriedRanks {
    /// Reads the fields of a workload; returns `None` if none is given.
    pub(super) fn read(table: &Table<'_>, files: &dyn Files) -> Result<Option<Self>> {
        let kind = table.get("rank").map(|node| Kind::read(node, files)).transpose()?;
        let all = table.get("rank_all").map(|node| Ok((node.boolean("rank_all")?, node))).transpose()?;
        match (kind, all) {
            (None, Some((true, node))) => {
                Err(node.error("`rank_all` needs `rank`; add `rank`, or leave `rank_all` out"))
            }
            (None, _) => Ok(None),
            (Some(kind), all) => Ok(Some(Self { kind, all: all.is_some_and(|(all, _)| all) })),
        }
    }

    /// Returns the ranks of consecutive packets.
    pub(super) fn of_packets(&self, seed: Seed) -> Box<dyn Ranks + Send> {
        match &self.kind {
            Kind::Pattern(pattern) => {
                Box::new(RanksInOrder { pattern: pattern.clone(), rng: seed.stream("ranks"), next: 0 })
            }
            Kind::FlowSize => Box::new(FlowSizes),
        }
    }
}

impl Kind {
    fn read(node: &Node, files: &dyn Files) -> Result<Self> {
        let Value::Text(name) = &node.value else { return Ok(Self::Pattern(named_rank(node, files)?)) };
        if name == "flow-size" {
            return Ok(Self::FlowSize);
        }
        let known = suggest(name, ["flow-size"]);
        Err(node.error(format!("`rank` must be a number, a distribution or \"flow-size\", not `{name}`{known}")))
    }
}

/// Ranks of a pattern, one after the other.
struct RanksInOrder {
    pattern: RankPattern,
    rng: Rng,
    next: u64,
}

impl Ranks for RanksInOrder {
    fn next_rank(&mut self, _flow: &FlowSpec) -> u64 {
        let rank = self.pattern.rank_of(self.next, &mut self.rng);
        self.next += 1;
        rank
    }
}

/// The size of its flow is the rank of every packet.
struct FlowSizes;

impl Ranks for FlowSizes {
    fn next_rank(&mut self, flow: &FlowSpec) -> u64 {
        flow.bytes
    }
}
