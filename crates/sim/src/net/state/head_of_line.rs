//! Keeps packets in order: a packet that waits for its state holds up the packets that arrive behind it over the same link.

use crate::net::graph::{Graph, NodeId};
use forebay_core::Time;
use std::collections::VecDeque;

/// The packets that a packet holds up while it waits for its state.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Waits {
    /// No packets: packets that need another state are forwarded.
    #[default]
    Packet,
    /// All packets that arrive behind it over the same link: a pipeline for each link, which stalls.
    Link,
}

/// The packets of one link.
#[derive(Debug, Default)]
struct Line {
    /// Its first packet has asked for its state, and waits.
    stalled: bool,
    behind: VecDeque<Behind>,
}

/// A packet that is held up behind another one.
#[derive(Debug, Clone)]
pub(super) struct Behind {
    pub(super) packet: u32,
    pub(super) since: Time,
    /// The states that it needs.
    pub(super) asks: Vec<Held>,
}

/// A state that a packet needs which is held up.
#[derive(Debug, Clone, Copy)]
pub(super) struct Held {
    /// The application whose state it is.
    pub(super) place: usize,
    pub(super) key: u64,
    /// Whether a notified cache expects it.
    pub(super) is_expected: bool,
}

/// The lines of a node, one for each link that leads there.
#[derive(Debug)]
pub(super) struct Lines {
    links: Vec<usize>,
    lines: Vec<Line>,
}

impl Lines {
    pub(super) fn at(graph: &Graph, node: NodeId) -> Self {
        let links = graph.links().iter().enumerate().filter(|(_, link)| link.to == node);
        let links: Vec<usize> = links.map(|(number, _)| number).collect();
        let lines = links.iter().map(|_| Line::default()).collect();
        Self { links, lines }
    }

    fn of(&mut self, link: usize) -> Option<&mut Line> {
        self.lines.get_mut(self.links.binary_search(&link).ok()?)
    }

    pub(super) fn is_stalled(&mut self, link: usize) -> bool {
        self.of(link).is_some_and(|line| line.stalled)
    }

    /// The first packet of a link waits for its state.
    pub(super) fn stall(&mut self, link: usize) {
        if let Some(line) = self.of(link) {
            line.stalled = true;
        }
    }

    /// A packet has arrived behind others.
    pub(super) fn join(&mut self, link: usize, packet: Behind) {
        if let Some(line) = self.of(link) {
            line.behind.push_back(packet);
        }
    }

    /// The next packet may go or ask; if there is none, nobody waits any more.
    pub(super) fn next(&mut self, link: usize) -> Option<Behind> {
        let line = self.of(link)?;
        let next = line.behind.pop_front();
        line.stalled = next.is_some();
        next
    }
}
