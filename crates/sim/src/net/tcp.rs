//! TCP, as far as simulations need it: one flow is one connection, in one direction, and bytes are numbered from 0.
//!
//! What it keeps of the standards: slow start, congestion avoidance, fast retransmit and fast recovery (RFC 5681) with
//! partial acknowledgements (NewReno, RFC 6582), limited transmit (RFC 3042), the retransmission timer (RFC 6298) on
//! samples from echoed timestamps (RFC 7323), delayed acknowledgements (RFC 1122), ECN (RFC 3168). What it leaves out:
//! connections do not close (a flow is over when all is acknowledged), the receiver always takes all that the maximum
//! window allows, selective acknowledgements, and restarts after idle times, which a flow with data has none of.
//!
//! [`Sender`] and [`Receiver`] are the two ends. What they make of marks is a parameter of theirs, so that DCTCP is the
//! same machine with another [`Reaction`] and [`Echo`].

mod echo;
mod options;
mod reaction;
mod receiver;
mod rtt;
mod sender;
mod window;

pub(crate) use echo::{Echo, Latched, Unmarked};
pub(crate) use options::{Options, PARAMS, with_common};
pub(crate) use reaction::{Halving, NoReaction, Reaction};
pub(crate) use receiver::Receiver;
pub(crate) use sender::Sender;
pub(crate) use window::Window;
