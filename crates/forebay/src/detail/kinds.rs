//! Every kind of detail table.

use super::table::DetailTable;
use crate::{caching, network, port};

/// All kinds in the order in which they are joined.
pub(super) static ALL: &[&DetailTable] = &[
    &network::FLOWS,
    &network::PORTS,
    &network::RANKS,
    &network::SERIES,
    &network::STATES,
    &port::PACKETS,
    &port::BOUNDS,
    &caching::REQUESTS,
    &caching::OBJECTS,
    &caching::SCHEDULE,
];
