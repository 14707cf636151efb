//! Small integer ids of flows, queues and classes.

use std::fmt;

/// A flow: the packets of one connection or one 5-tuple.
///
/// Sources number flows densely from 0, so that per-flow state can live in a
/// vector indexed by the id.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct FlowId(pub u32);

impl FlowId {
    /// Returns the id as an index into a vector of per-flow state.
    #[must_use]
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// A queue inside a discipline that has several.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct QueueId(pub u16);

/// A traffic class: the 6-bit DSCP of an IP packet, or any small number that a
/// generator gives.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct ClassId(pub u8);

impl fmt::Display for ClassId {
    /// Writes the standard name of the DSCP (RFC 2474, 2597, 3246, 5865, 8622), or the number if the DSCP has no name.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = match self.0 {
            0 => "BE",
            1 => "LE",
            46 => "EF",
            44 => "VA",
            class @ (8 | 16 | 24 | 32 | 40 | 48 | 56) => return write!(f, "CS{}", class / 8),
            class @ (10 | 12 | 14 | 18 | 20 | 22 | 26 | 28 | 30 | 34 | 36 | 38) => {
                return write!(f, "AF{}{}", class / 8, (class % 8) / 2);
            }
            other => return write!(f, "{other}"),
        };
        f.write_str(name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn classes_have_their_standard_names() {
        for (dscp, name) in
            [(0, "BE"), (8, "CS1"), (10, "AF11"), (18, "AF21"), (34, "AF41"), (38, "AF43"), (46, "EF"), (3, "3")]
        {
            assert_eq!(ClassId(dscp).to_string(), name);
        }
    }
}
