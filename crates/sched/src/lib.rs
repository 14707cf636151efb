//! Scheduling: the queue that sorts packets, the rank that a packet gets, and the packet that leaves when the buffer is full.
//!
//! A [`RankDiscipline`] is a rank function, a drop rule and a rank queue. Rank functions are in `rank/` and drop rules in `drop/`; each is
//! one file and one line in the folder's `registry.rs`. [`Marking`] wraps any discipline in a mark rule of `mark/`. A pace rule of `pace/`
//! sets the earliest time at which a packet may leave. A [`TreeDiscipline`] schedules across tenants and within each, with a rank function
//! in every node. A [`FlowDiscipline`] ranks flows instead of packets, so that the packets of each flow stay in order.
//! `docs/add-a-scheduler.md` says how to add a part.

mod by_name;
mod class_weights;
mod count_min;
mod discipline;
#[path = "drop/registry.rs"]
pub mod drop;
mod first_come;
mod flow_state;
pub mod flows;
mod gps_clock;
mod make_part;
#[path = "mark/registry.rs"]
pub mod mark;
mod marking;
#[path = "pace/registry.rs"]
pub mod pace;
mod pace_by_name;
mod pacing;
mod part;
pub mod queues;
mod quotient;
#[path = "rank/registry.rs"]
pub mod rank;
mod rank_unit;
mod ranking;
mod spec;
pub mod traits;
pub mod tree;
mod virtual_pace;
mod work_per_byte;

pub use by_name::{discipline, element};
pub use class_weights::{ClassWeights, MAX_WEIGHT};
pub use discipline::RankDiscipline;
pub use drop::DROP_RULES;
pub use first_come::FirstCome;
pub use flows::{FLOW_RANKS, FlowDiscipline, FlowServers};
pub use mark::MARK_RULES;
pub use marking::{Advice, Around, Backlog, BuildMark, BuiltMarkRule, MakeMark, MarkEntry, MarkRule, Marking};
pub use pace::PACE_RULES;
pub use pacing::{BuiltPaceRule, PaceEntry, PaceRule};
pub use part::{BuiltDropRule, Given, MakeDropRule, MakeQueue, MakeRankFn, OwnPart, Part};
pub use rank::RANK_FNS;
pub use rank_unit::{MAX_MANTISSA_BITS, RankUnit};
pub use ranking::{NoRankOfPackets, Ranking};
pub use spec::{DisciplineError, DisciplineSpec};
pub use traits::{BuiltRankFn, DropEntry, DropRule, RankEntry, RankFn, RankRange, Serves, Victim, VirtualPace};
pub use tree::{Below, NodeSpec, TreeDiscipline, TreeError, TreeSpec, Wrap, Wrapped};
pub use work_per_byte::femtoseconds_per_byte;
