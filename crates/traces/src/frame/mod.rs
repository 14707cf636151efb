//! Frames of recordings: from their first byte to the class, the marks and the flow of a packet.

mod direction;
mod headers;
mod link;
mod tcp;

pub(crate) use direction::Direction;
pub use forebay_core::{IpHeader, WrongIpHeader};
pub(crate) use headers::{FlowKey, Headers, classify};
pub(crate) use link::Link;
pub(crate) use tcp::{TcpFrame, TcpHeader, tcp_header};
