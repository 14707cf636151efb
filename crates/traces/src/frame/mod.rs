//! Frames of recordings: from their first byte to the class, the marks and the flow of a packet.

mod direction;
mod headers;
mod link;

pub(crate) use direction::Direction;
pub(crate) use headers::{FlowKey, Headers, classify, ip_header};
pub(crate) use link::Link;
