//! What the name of a rank stands for: a rank function, which ranks packets, or a flow rank.

use crate::flows::{FLOW_RANKS, FlowRankEntry};
use crate::rank::RANK_FNS;
use crate::traits::RankEntry;
use forebay_core::registry::{find, suggest};
use forebay_core::{About, Field, Named};

/// What `rank = "..."` of a policy may name.
#[derive(Clone, Copy)]
pub enum Ranking {
    /// A rank per packet, for a [`RankDiscipline`](crate::RankDiscipline).
    Packets(&'static RankEntry),
    /// A rank per flow, for a [`FlowDiscipline`](crate::FlowDiscipline).
    Flows(&'static FlowRankEntry),
}

impl Ranking {
    /// The rank function or flow rank called `name`, or also known by it.
    ///
    /// # Errors
    /// Says that the name is unknown and which known one is near.
    pub fn find(name: &str) -> Result<Self, String> {
        if let Ok(entry) = find("rank function", RANK_FNS, name) {
            return Ok(Self::Packets(entry));
        }
        find("flow rank", FLOW_RANKS, name).map(Self::Flows).map_err(|_| {
            let of_packets = RANK_FNS.iter().map(|entry| entry.about.name);
            let known = of_packets.chain(FLOW_RANKS.iter().map(|entry| entry.about.name));
            format!("unknown rank function `{name}`{}", suggest(name, known))
        })
    }

    /// As [`find`](Self::find), where only packets can be ranked: in `place`.
    ///
    /// # Errors
    /// As [`find`](Self::find), and if `name` ranks flows.
    pub fn of_packets(name: &str, place: &str) -> Result<&'static RankEntry, String> {
        match Self::find(name)? {
            Self::Packets(entry) => Ok(entry),
            Self::Flows(entry) => Err(format!(
                "`{}` ranks flows, but {place} takes ranks of packets, like rank = \"job-ratio\"",
                entry.about.name
            )),
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
