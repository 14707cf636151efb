//! The texts of the OpenQueue policies that `forebay advise` has built in.
//!
//! `README.md` describes every policy in this folder. The others are read from disk.

/// First in, first out, with tail drop.
pub const FIFO: &str = include_str!("fifo.oq");

/// Fair queueing by flow, which drops from the longest queue.
pub const SFQ: &str = include_str!("sfq.oq");

/// First in, first out; a full buffer drops its oldest packet.
pub const DROP_FRONT: &str = include_str!("drop-front.oq");

/// Random early detection by the average backlog.
pub const RED_AVERAGE: &str = include_str!("red-average.oq");

/// CoDel, which marks packets.
pub const CODEL_MARKING: &str = include_str!("codel-marking.oq");

/// The flow with the fewest bytes left goes first.
pub const PFABRIC: &str = include_str!("pfabric.oq");
