//! Selects the IP header of a packet in a tunnel.

use std::fmt;
use std::str::FromStr;

/// The IP header that gives a packet's class and flow.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum IpHeader {
    /// The first header: for a packet in a tunnel, that of the tunnel.
    #[default]
    Outer,
    /// The header directly inside the outermost tunnel; see [`tunnel`](crate::tunnel). Without a tunnel, it is the
    /// outer one.
    Second,
    /// The innermost one. Without a tunnel it is the outer one.
    Inner,
}

impl IpHeader {
    /// The names as they are written.
    pub const NAMES: &'static [&'static str] = &["outer", "second", "inner"];
    /// All of them, in the order of their names.
    pub const ALL: [Self; 3] = [Self::Outer, Self::Second, Self::Inner];

    /// The name as it is written.
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
