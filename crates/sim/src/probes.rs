//! The probes of forebay, one file each.

pub mod departures;
pub mod inversions;
pub mod inversions_by_rank;
pub mod packet_log;
pub mod per_rank;
pub mod port_counter;
pub mod queue_length;
pub mod traffic;

pub use departures::Departures;
pub use inversions::{InversionCount, Inversions};
pub use inversions_by_rank::{InversionsByRank, RankCount};
pub use packet_log::{Fate, LoggedPacket, PacketLog};
pub use per_rank::{PerRank, RankBin, RankBins};
pub use port_counter::PortCounter;
pub use queue_length::{QueueLength, QueueLengthSeries};
pub use traffic::{ClassTraffic, Delay, Traffic};
