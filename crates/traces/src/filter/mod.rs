//! Selects packets of a recording by an expression like tcpdump's.
//!
//! The words are those of pcap-filter(7) for addresses, ports, protocols, tags and sizes, with `inbound`, `outbound` and `ifname`; `dscp`
//! and `time` are forebay's own. They apply to the headers that forebay finds in a frame, including those behind tags, labels and sessions.
//! As in tcpdump, `and` and `or` have the same precedence and are evaluated from left to right.
//!
//! ```
//! use forebay_traces::Filter;
//!
//! let filter = Filter::parse("tcp and (src net 10.0.0.0/8 or port 443)")?;
//! assert_eq!(filter.to_string(), "tcp and (src net 10.0.0.0/8 or port 443)");
//! let error = Filter::parse("tcp and poort 443").unwrap_err();
//! assert!(error.to_string().ends_with("did you mean `port`?"));
//! # Ok::<(), forebay_traces::FilterError>(())
//! ```

mod packet_view;
mod parse;
mod primitive;
#[cfg(test)]
mod tests;

pub(crate) use packet_view::Seen;
use primitive::Primitive;
pub(crate) use primitive::is_within;
use std::fmt;
use std::str::FromStr;

/// An expression that a packet matches or not.
#[derive(Debug, Clone, PartialEq)]
pub struct Filter {
    text: String,
    node: Node,
}

/// The reason why an expression is invalid: the place of the fault, and what to write instead.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("the filter `{text}`: {message}")]
pub struct FilterError {
    text: String,
    message: String,
}

#[derive(Debug, Clone, PartialEq)]
enum Node {
    Primitive(Primitive),
    Not(Box<Node>),
    And(Box<Node>, Box<Node>),
    Or(Box<Node>, Box<Node>),
}

impl Filter {
    /// Reads an expression.
    ///
    /// # Errors
    /// Says which word is wrong and what is known in its place.
    pub fn parse(text: &str) -> Result<Self, FilterError> {
        let text = text.trim();
        let node = parse::expression(text).map_err(|message| FilterError { text: text.to_owned(), message })?;
        Ok(Self { text: text.to_owned(), node })
    }

    /// Returns whether a packet matches the filter.
    pub(crate) fn fits(&self, packet: &Seen<'_>) -> bool {
        self.node.fits(packet)
    }
}

impl Node {
    fn fits(&self, packet: &Seen<'_>) -> bool {
        match self {
            Self::Primitive(primitive) => primitive.fits(packet),
            Self::Not(node) => !node.fits(packet),
            Self::And(a, b) => a.fits(packet) && b.fits(packet),
            Self::Or(a, b) => a.fits(packet) || b.fits(packet),
        }
    }
}

impl fmt::Display for Filter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl FromStr for Filter {
    type Err = FilterError;

    fn from_str(text: &str) -> Result<Self, FilterError> {
        Self::parse(text)
    }
}
