//! Changes of links during a run.

use forebay_core::Rate;

/// A change of one direction of a link.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Change {
    /// It fails. Packets on it and its backlog are lost, except for packets that a shaper holds back.
    Down(usize),
    /// It works again.
    Up(usize),
    /// It sends at another rate; the packet that is being sent goes on as before.
    Rate(usize, Rate),
    /// It loses each packet with this probability, from 0 to 1.
    Loss(usize, f64),
}
