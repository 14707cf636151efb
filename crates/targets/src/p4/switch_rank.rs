//! The rank functions whose state can be in a switch.

/// A rank function with state in the switch.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SwitchRank {
    /// Start-time fair queueing (Goyal, Vin, Cheng, SIGCOMM'96): the virtual time at which a packet would start. Units: bytes.
    Stfq,
    /// FIFO+ (Clark, Shenker, Zhang, SIGCOMM'92): the time of arrival if earlier hops had delayed as usual. Units: nanoseconds.
    FifoPlus,
}

impl SwitchRank {
    /// All rank functions, by their names in simulations.
    pub const ALL: [(&str, Self); 2] = [("stfq", Self::Stfq), ("fifo-plus", Self::FifoPlus)];

    /// Whether the packet alone determines its rank, and the state is of values that the packet carries.
    pub(super) fn is_of_packet(self) -> bool {
        self == Self::FifoPlus
    }

    /// Returns the function's name.
    #[must_use]
    pub fn name(self) -> &'static str {
        Self::ALL.iter().find(|(_, known)| *known == self).map_or("", |(name, _)| name)
    }
}
