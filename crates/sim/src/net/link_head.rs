//! The node at the end of a link.

use crate::net::graph::NodeId;

/// The node at the end of a link.
///
/// It is stored apart from [`Port`](crate::net::port::Port), since an arriving packet needs it, but nothing else of the port that it left.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Head {
    pub(crate) node: NodeId,
    pub(crate) is_host: bool,
    /// Whether it may hold packets back.
    pub(crate) holds: bool,
}
