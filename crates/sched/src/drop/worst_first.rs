//! Worst first: the packet of highest rank is dropped, whether it is queued or arriving.
//!
//! Among equal ranks the latest arrival is dropped, so the arriving packet is dropped before a queued packet of its rank. Without this
//! rule, an attacker who fills the buffer with bad packets keeps good ones out (SurgeProtector, thesis section 3.5.4).

use crate::traits::{DropEntry, DropRule, Victim};
use forebay_core::{About, Exactness, Packet};

/// The registry's entry for [`WorstFirst`].
pub const ENTRY: DropEntry = DropEntry {
    about: About {
        name: "worst-first",
        title: "Pushes out the packet of highest rank to make room",
        exactness: Exactness::NotApplicable,
        hardware: "a queue with both ends (pop-max)",
        cost: "one pop-max per packet pushed out",
        source: "pFabric, SIGCOMM'13; SurgeProtector (thesis), section 3.5.4; OpenQueue, ToN 2020, section III",
        params: &[],
    },
    needs_pop_max: true,
    build: |_| Ok(Box::new(WorstFirst)),
};

/// Drops the packet of highest rank.
#[derive(Debug, Clone, Copy)]
pub struct WorstFirst;

impl DropRule for WorstFirst {
    fn victim(&mut self, arriving: &Packet, worst: Option<&Packet>) -> Victim {
        match worst {
            Some(worst) if worst.rank > arriving.rank => Victim::WorstQueued,
            _ => Victim::Arriving,
        }
    }
}
