//! What the name of a rank stands for: a rank function, which ranks packets, or a flow rank.

use crate::flows::{FLOW_RANKS, FlowRankEntry};
use crate::make_part::RANK_FN;
use crate::part::Part;
use crate::rank::RANK_FNS;
use crate::traits::RankEntry;
use forebay_core::registry::{UnknownName, find};
use forebay_core::{About, Field, Named};

/// What `rank = "..."` of a policy may name.
#[derive(Clone, Copy)]
pub enum Ranking {
    /// A rank per packet, for a [`RankDiscipline`](crate::RankDiscipline).
    Packets(&'static RankEntry),
    /// A rank per flow, for a [`FlowDiscipline`](crate::FlowDiscipline).
    Flows(&'static FlowRankEntry),
}

/// Why a name does not rank packets.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum NoRankOfPackets {
    /// Nothing has the name.
    #[error(transparent)]
    Unknown(#[from] UnknownName),
    /// The name ranks flows.
    #[error("`{name}` ranks flows, but {place} takes ranks of packets, like rank = \"job-ratio\"")]
    OfFlows {
        /// The flow rank.
        name: &'static str,
        /// Where it was named.
        place: &'static str,
    },
}

/// Its text.
impl From<NoRankOfPackets> for String {
    fn from(error: NoRankOfPackets) -> Self {
        error.to_string()
    }
}

impl Ranking {
    /// The rank function or flow rank called `name`, or also known by it.
    ///
    /// # Errors
    /// Says that the name is unknown and which known one is near.
    pub fn find(name: &str) -> Result<Self, UnknownName> {
        if let Ok(entry) = find("rank function", RANK_FNS, name) {
            return Ok(Self::Packets(entry));
        }
        find("flow rank", FLOW_RANKS, name).map(Self::Flows).map_err(|_| {
            let of_packets = RANK_FNS.iter().map(|entry| entry.about.name);
            let known = of_packets.chain(FLOW_RANKS.iter().map(|entry| entry.about.name));
            UnknownName::new("rank function", name, known)
        })
    }

    /// What a part stands for: one that a program brings along, or one with a name.
    ///
    /// # Errors
    /// As [`find`](Self::find).
    pub fn of(part: &Part) -> Result<Self, UnknownName> {
        if part.own.is_some() { Ok(Self::Packets(&RANK_FN)) } else { Self::find(&part.name) }
    }

    /// As [`of`](Self::of), where only packets can be ranked: in `place`.
    ///
    /// # Errors
    /// As [`of`](Self::of), and if it ranks flows.
    pub fn of_packets(part: &Part, place: &'static str) -> Result<&'static RankEntry, NoRankOfPackets> {
        match Self::of(part)? {
            Self::Packets(entry) => Ok(entry),
            Self::Flows(entry) => Err(NoRankOfPackets::OfFlows { name: entry.about.name, place }),
        }
    }

    /// What it is.
    #[must_use]
    pub fn about(&self) -> &'static About {
        match self {
            Self::Packets(entry) => entry.about(),
            Self::Flows(entry) => entry.about(),
        }
    }

    /// What the traffic must say about its packets.
    #[must_use]
    pub fn needs(&self) -> Option<Field> {
        match self {
            Self::Packets(entry) => entry.needs,
            Self::Flows(entry) => entry.needs,
        }
    }
}
