//! A link that changes its rate.

use super::Arrivals;
use forebay_core::{Rate, TransmissionTimes};

impl Arrivals {
    /// Packets whose notifications arrive from now on are sent over a port at this rate.
    pub(crate) fn set_rate(&mut self, port: usize, rate: Rate) {
        self.ports[port].transmission = TransmissionTimes::new(rate);
    }
}
