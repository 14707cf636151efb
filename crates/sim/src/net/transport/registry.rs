//! The registry of transports, one line for each.
//!
//! TCP under a [congestion control](crate::net::congestion) has its line in `congestion/registry.rs`.

use crate::net::congestion::CONTROLS;
use crate::net::endpoint::TransportEntry;

forebay_core::registry! {
    /// Transports that are not TCP under a congestion control.
    pub static OTHERS: [TransportEntry] = {
        mod ideal;
        mod pfabric;
        mod udp;
    }
}

/// Every transport, in the order in which `forebay list` shows them: TCP under each control, then all others.
pub static TRANSPORTS: &[TransportEntry] = &all::<{ CONTROLS.len() + OTHERS.len() }>();

const fn all<const ALL: usize>() -> [TransportEntry; ALL] {
    let mut all = [OTHERS[0]; ALL];
    let mut at = 0;
    while at < ALL {
        all[at] = if at < CONTROLS.len() { CONTROLS[at].transport() } else { OTHERS[at - CONTROLS.len()] };
        at += 1;
    }
    all
}
