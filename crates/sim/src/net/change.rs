//! Changes of links during a run.

use forebay_core::Rate;

/// A change of one direction of a link.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Change {
    /// The link fails. Packets on it and its backlog are lost, except for packets that a shaper holds back.
    Down(usize),
    /// The link works again.
    Up(usize),
    /// The link sends at another rate; the packet in transmission is not affected.
    Rate(usize, Rate),
    /// The link loses each packet with this probability, from 0 to 1.
    Loss(usize, f64),
}
