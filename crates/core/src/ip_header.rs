//! Selects the IP header of a packet in a tunnel.

use std::fmt;
use std::str::FromStr;

/// The choice of the IP header from which a packet's class and flow are read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum IpHeader {
    /// The first header: for a packet in a tunnel, the header of the tunnel.
    #[default]
    Outer,
    /// The header directly inside the outermost tunnel; see [`tunnel`](crate::tunnel). Without a tunnel, the outer header.
    Second,
    /// The innermost header. Without a tunnel, the outer header.
    Inner,
}

impl IpHeader {
    /// The names that users write.
    pub const NAMES: &'static [&'static str] = &["outer", "second", "inner"];
    /// All headers, in the order of their names.
    pub const ALL: [Self; 3] = [Self::Outer, Self::Second, Self::Inner];

    /// Returns the name that users write.
    #[must_use]
    pub const fn name(self) -> &'static str {
        Self::NAMES[self as usize]
    }
}

/// A text that is none of the names.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is no IP header of a packet; write outer, second or inner")]
pub struct WrongIpHeader(String);

impl FromStr for IpHeader {
    type Err = WrongIpHeader;

    fn from_str(text: &str) -> Result<Self, WrongIpHeader> {
        Self::ALL.into_iter().find(|header| header.name() == text).ok_or_else(|| WrongIpHeader(text.to_owned()))
    }
}

impl fmt::Display for IpHeader {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
