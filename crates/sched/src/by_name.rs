//! What the name of a rank stands for: a rank function, which ranks packets, or a flow rank.

use crate::discipline::{DisciplineError, DisciplineSpec, RankDiscipline, unknown};
use crate::first_come::FirstCome;
use crate::flows::{FLOW_RANKS, FlowDiscipline, FlowRankEntry};
use crate::marking::{MakeMark, Marking};
use crate::rank::RANK_FNS;
use crate::traits::RankEntry;
use forebay_core::registry::{UnknownName, find};
use forebay_core::{About, Discipline, Field, Named, Seed};

/// What `rank = "..."` of a policy may name.
#[derive(Clone, Copy)]
pub enum Ranking {
    /// A rank per packet, for a [`RankDiscipline`].
    Packets(&'static RankEntry),
    /// A rank per flow, for a [`FlowDiscipline`].
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

    /// As [`find`](Self::find), where only packets can be ranked: in `place`.
    ///
    /// # Errors
    /// As [`find`](Self::find), and if `name` ranks flows.
    pub fn of_packets(name: &str, place: &'static str) -> Result<&'static RankEntry, NoRankOfPackets> {
        match Self::find(name)? {
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

/// The discipline that is made of these parts: a [`RankDiscipline`] or a [`FlowDiscipline`], as the rank's name says, with
/// its mark rule around it if it has one. What is random in it comes from streams of the seed.
///
/// # Errors
/// If a name or a parameter is unknown, or the parts do not fit each other.
pub fn discipline(spec: &DisciplineSpec, seed: Seed) -> Result<Box<dyn Discipline + Send>, DisciplineError> {
    fn marked<D: Discipline + Send + 'static>(
        discipline: D,
        spec: &DisciplineSpec,
        seed: Seed,
    ) -> Result<Box<dyn Discipline + Send>, DisciplineError> {
        Ok(match &spec.mark {
            None => Box::new(discipline),
            Some(mark) => {
                Box::new(Marking::new(discipline, mark, spec.link_rate, seed).map_err(DisciplineError::Mark)?)
            }
        })
    }
    if let Some(first_come) = FirstCome::from_spec(spec) {
        return match &spec.mark {
            None => Ok(Box::new(first_come)),
            Some(mark) => {
                let built = MakeMark::named(mark)
                    .and_then(|(make, params)| (make.around_first_come)(first_come, spec.link_rate, seed, &params));
                built.map_err(DisciplineError::Mark)
            }
        };
    }
    match Ranking::find(&spec.rank.name).map_err(|text| DisciplineError::Rank(unknown(text)))? {
        Ranking::Packets(_) => marked(RankDiscipline::new(spec)?, spec, seed),
        Ranking::Flows(_) => marked(FlowDiscipline::new(spec)?, spec, seed),
    }
}
