//! Every transport: one line each.

use crate::net::endpoint::TransportEntry;

forebay_core::registry! {
    /// Every transport, in the order in which `forebay list` shows them.
    pub static TRANSPORTS: [TransportEntry] = {
        mod ideal;
        mod newreno;
        mod dctcp;
        mod pfabric;
        mod udp;
    }
}
