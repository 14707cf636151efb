//! The meaning of a rank's name: a rank function, which ranks packets, or a flow rank.

use crate::flows::{FLOW_RANKS, FlowRankEntry};
use crate::make_part::RANK_FN;
use crate::part::Part;
use crate::rank::RANK_FNS;
use crate::traits::RankEntry;
use forebay_core::registry::{UnknownName, find};
use forebay_core::{About, Field, Named};

/// The algorithm that `rank = "..."` of a policy names.
#[derive(Clone, Copy)]
pub enum Ranking {
    /// A rank per packet, for a [`RankDiscipline`](crate::RankDiscipline).
    Packets(&'static RankEntry),
    /// A rank per flow, for a [`FlowDiscipline`](crate::FlowDiscipline).
    Flows(&'static FlowRankEntry),
}

/// The reason why a name does not rank packets.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum NoRankOfPackets {
    /// No ranking has the name.
    #[error(transparent)]
    Unknown(#[from] UnknownName),
    /// The name ranks flows.
    #[error("`{name}` ranks flows, but {place} takes ranks of packets, like rank = \"job-ratio\"")]
    OfFlows {
        /// The flow rank.
        name: &'static str,
        /// The place that names the rank.
        place: &'static str,
    },
}

/// Returns the message.
impl From<NoRankOfPackets> for String {
    fn from(error: NoRankOfPackets) -> Self {
        error.to_string()
    }
}

impl Ranking {
    /// Finds the rank function or flow rank with the name or other name `name`.
    ///
    /// # Errors
    /// If the name is unknown; the error suggests a similar known name.
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

    /// Finds the ranking of `part`: one that the program supplies, or one of the registry.
    ///
    /// # Errors
    /// As [`find`](Self::find).
    pub fn of(part: &Part) -> Result<Self, UnknownName> {
        if part.own.is_some() { Ok(Self::Packets(&RANK_FN)) } else { Self::find(&part.name) }
    }

    /// Finds the rank function of `part`, where flow ranks are not supported; errors name `place`.
    ///
    /// # Errors
    /// As [`of`](Self::of), and if `part` ranks flows.
    pub fn of_packets(part: &Part, place: &'static str) -> Result<&'static RankEntry, NoRankOfPackets> {
        match Self::of(part)? {
            Self::Packets(entry) => Ok(entry),
            Self::Flows(entry) => Err(NoRankOfPackets::OfFlows { name: entry.about.name, place }),
        }
    }

    /// The name, title, cost and source of the ranking.
    #[must_use]
    pub fn about(&self) -> &'static About {
        match self {
            Self::Packets(entry) => entry.about(),
            Self::Flows(entry) => entry.about(),
        }
    }

    /// The field of packets that the traffic must set.
    #[must_use]
    pub fn needs(&self) -> Option<Field> {
        match self {
            Self::Packets(entry) => entry.needs,
            Self::Flows(entry) => entry.needs,
        }
    }
}
