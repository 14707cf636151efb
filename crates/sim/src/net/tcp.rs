//! TCP, as far as simulations need it: each flow is one connection in one direction, with bytes numbered from 0.
//!
//! It keeps these parts of the standards: slow start, congestion avoidance, fast retransmit and fast recovery (RFC 5681) with partial
//! acknowledgements (NewReno, RFC 6582), and limited transmit (RFC 3042). The retransmission timer (RFC 6298) works on samples from echoed
//! timestamps (RFC 7323). Acknowledgements can be delayed (RFC 1122), and there is ECN (RFC 3168).
//!
//! It leaves out the rest. Connections do not close: a flow is over when all bytes are acknowledged. The receiver always accepts the full
//! maximum window. There are no restarts after idle times, since a flow with data has none.
//!
//! With `sack`, acknowledgements are selective (RFC 2018, RFC 2883), and a different sender repairs losses. It detects losses by time
//! (RACK-TLP, RFC 8985) or by counting (RFC 6675), and sends at the pace of PRR (RFC 6937).
//!
//! [`Sender`] and [`Receiver`] are the two ends; [`Tcp`] opens them. The sender asks its [congestion control](crate::net::congestion) for
//! the window, and the receiver echoes marks in the way that the control needs. So NewReno, DCTCP and CUBIC are the same machine with
//! different controls.

mod connection;
mod echo;
mod inflation;
mod options;
mod prr;
mod rack;
mod receiver;
mod rtt;
mod sack_blocks;
mod sack_sender;
mod scoreboard;
mod sender;
mod tail_probe;
mod window;

pub(crate) use connection::Tcp;
pub(crate) use echo::{Echo, EchoExact, Latched, Unmarked};
pub(crate) use options::{PARAMS, TcpOptions, with_common};
pub(crate) use receiver::Receiver;
pub(crate) use sender::Sender;
pub(crate) use window::Window;
