//! Which IP header of a packet in a tunnel is read.

use std::fmt;
use std::str::FromStr;

/// The IP header that gives a packet's class and flow.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum IpHeader {
    /// The first one: of a packet in a tunnel, that of the tunnel.
    #[default]
    Outer,
    /// The innermost one; see [`forebay_core::tunnel`]. Without a tunnel it is the outer one.
    Inner,
}

impl IpHeader {
    /// As they are written.
    pub const NAMES: &'static [&'static str] = &["outer", "inner"];
}

/// Neither of the names.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is no IP header of a packet; write outer or inner")]
pub struct WrongIpHeader(String);

impl FromStr for IpHeader {
    type Err = WrongIpHeader;

    fn from_str(text: &str) -> Result<Self, WrongIpHeader> {
        match text {
            "outer" => Ok(Self::Outer),
            "inner" => Ok(Self::Inner),
            _ => Err(WrongIpHeader(text.to_owned())),
        }
    }
}

impl fmt::Display for IpHeader {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Outer => "outer",
            Self::Inner => "inner",
        })
    }
}
