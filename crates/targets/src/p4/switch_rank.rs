//! Which rank functions a switch can keep state for.

/// A rank function with state in the switch.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SwitchRank {
    /// Start-time fair queueing (Goyal, Vin, Cheng, SIGCOMM'96): the virtual time at which a packet would start. Units: bytes.
    Stfq,
    /// FIFO+ (Clark, Shenker, Zhang, SIGCOMM'92): the time of arrival if earlier hops had delayed as usual. Units: nanoseconds.
    FifoPlus,
}

impl SwitchRank {
    /// All, by their names in simulations.
    pub const ALL: [(&str, Self); 2] = [("stfq", Self::Stfq), ("fifo-plus", Self::FifoPlus)];

    /// Whether a packet alone says its rank, and the state is of what it takes along.
    pub(super) fn is_of_packet(self) -> bool {
        self == Self::FifoPlus
    }

    /// Its name.
    #[must_use]
    pub fn name(self) -> &'static str {
        Self::ALL.iter().find(|(_, known)| *known == self).map_or("", |(name, _)| name)
    }
}
