//! Reassembly of many flows: the cost of each segment, and the estimate of this cost.

use super::memory::{Memory, Victim};
use super::out_of_order::OutOfOrder;
use super::structure::Structure;
use crate::attack::applications::Application;
use crate::attack::traffic::Input;
use forebay_core::{Duration, FlowId, Time};
use forebay_traces::TcpSegment;
use rustc_hash::FxHashMap;

/// The distance from the expected byte up to which Pigasus keeps segments (section 3.6.1).
pub const WINDOW_BYTES: u32 = 16 << 10;

/// The memory of a waiting node besides its data, in bytes: its links, sequence numbers and packet descriptor.
pub const NODE_BYTES: u64 = 64;

/// The costs of a segment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Costs {
    /// The cost of each segment, whatever its contents.
    pub fixed: Duration,
    /// The cost of each visited node of the list.
    pub traversal: Duration,
}

impl Costs {
    /// Calibrated to the measurements of Pigasus in section 3.6.
    ///
    /// A traversal is one cycle at 250 MHz. The window holds at most 8,192 nodes, so the largest job is then 33.4 us. With that, equation
    /// 3.3 gives a displacement of 329 at 10 Gb/s under FCFS; the paper measured 313. If half the goodput is lost at 30 Mb/s, a job takes
    /// about 32 us, too. The fixed part makes the capacity 12 Gb/s for [`InnocentFlows`](super::InnocentFlows), where traversals are 0.02 %
    /// of the work.
    pub const PIGASUS: Self = Self { fixed: Duration::from_ns(677), traversal: Duration::from_ns(4) };

    /// Returns the cost of a segment with `traversals` visited nodes.
    #[must_use]
    pub fn of(&self, traversals: usize) -> Duration {
        Duration::from_ps(self.fixed.as_ps() + self.traversal.as_ps() * traversals as u64)
    }
}

/// The flows that a reassembler tracks.
///
/// A flow begins with its SYN or, if that was not seen, with its first data. The flow ends with a RST, or when all bytes before its FIN
/// have been released. A segment beyond the window also ends the flow, and so does a new SYN; both start the flow anew.
#[derive(Debug, Clone)]
pub struct Reassembler {
    costs: Costs,
    window_bytes: u32,
    structure: Structure,
    max_nodes: usize,
    flows: FxHashMap<FlowId, Flow>,
    memory: Option<Memory>,
    /// Held by all flows.
    held_bytes: u64,
    dropped: u64,
    /// Flows that have not been reported yet.
    newly_dropped: Vec<FlowId>,
}

#[derive(Debug, Clone)]
struct Flow {
    list: OutOfOrder,
    /// The sequence number of its FIN, once that was seen.
    fin: Option<u32>,
}

impl Reassembler {
    /// Creates a reassembler without flows that keeps segments up to `window_bytes` ahead, at most 2^31.
    #[must_use]
    pub fn new(costs: Costs, window_bytes: u32) -> Self {
        Self {
            costs,
            window_bytes: window_bytes.min(1 << 31),
            structure: Structure::List,
            max_nodes: usize::MAX,
            flows: FxHashMap::default(),
            memory: None,
            held_bytes: 0,
            dropped: 0,
            newly_dropped: Vec::new(),
        }
    }

    /// Replaces the list by `structure`. Call this before the first segment.
    #[must_use]
    pub fn with_structure(self, structure: Structure) -> Self {
        Self { structure, ..self }
    }

    /// Limits each flow to `max_nodes` nodes (section 3.2.2). A flow with more nodes is reset.
    #[must_use]
    pub fn with_max_nodes(self, max_nodes: usize) -> Self {
        Self { max_nodes, ..self }
    }

    /// Limits the memory to `limit_bytes`. While more bytes are held, flows are reset.
    #[must_use]
    pub fn with_memory(self, limit_bytes: u64, victim: Victim) -> Self {
        Self { memory: Some(Memory::new(limit_bytes, victim)), ..self }
    }

    /// The structure that holds the waiting segments of a flow.
    #[must_use]
    pub fn structure(&self) -> Structure {
        self.structure
    }

    /// The most nodes that a flow can have: a segment for every second byte of its window, or the limit.
    #[must_use]
    pub fn most_nodes(&self) -> usize {
        self.max_nodes.min(self.window_bytes as usize / 2)
    }

    /// Creates a reassembler with the costs and the window of Pigasus.
    #[must_use]
    pub fn pigasus() -> Self {
        Self::new(Costs::PIGASUS, WINDOW_BYTES)
    }

    /// The largest job of a waiting frame of the smallest size, which has up to ten bytes of data. In a list, this is a frame behind all
    /// others. In a tree, the frame may also overlap with five nodes. A frame that ends a gap also releases nodes; in a tree their cost is
    /// added, but each node has made work when it arrived.
    #[must_use]
    pub fn max_work(&self) -> Duration {
        let overlapped = if self.structure == Structure::Tree { 5 } else { 0 };
        self.costs.of(self.structure.behind(self.most_nodes()) + overlapped)
    }

    /// The costs of a segment.
    #[must_use]
    pub fn costs(&self) -> Costs {
        self.costs
    }

    /// The number of nodes in the list of a flow.
    #[must_use]
    pub fn list_len(&self, flow: FlowId) -> usize {
        self.flows.get(&flow).map_or(0, |flow| flow.list.len())
    }

    /// The memory that a flow uses: its waiting data and nodes, or its buffer.
    fn held_by(&self, flow: FlowId) -> u64 {
        self.flows.get(&flow).map_or(0, |flow| match self.structure {
            Structure::Buffer => u64::from(self.window_bytes),
            Structure::List | Structure::Tree => flow.list.bytes() + NODE_BYTES * flow.list.len() as u64,
        })
    }

    /// The number of flows that were reset: a segment was beyond the window, the flow had too many nodes, or the memory was full.
    #[must_use]
    pub fn flows_dropped(&self) -> u64 {
        self.dropped
    }

    /// Processes a segment, and resets flows while the memory limit is exceeded. Returns the number of visited nodes.
    fn take(&mut self, segment: &TcpSegment) -> usize {
        let before = self.held_by(segment.flow);
        let looked = self.put(segment);
        let after = self.held_by(segment.flow);
        self.held_bytes = self.held_bytes + after - before;
        if let Some(memory) = &mut self.memory {
            memory.served(segment.flow, after);
        }
        while let Some(victim) = self.memory.as_mut().and_then(|memory| memory.victim(self.held_bytes)) {
            self.held_bytes -= self.held_by(victim);
            self.flows.remove(&victim);
            self.reset(victim);
        }
        looked
    }

    fn reset(&mut self, flow: FlowId) {
        self.dropped += 1;
        self.newly_dropped.push(flow);
    }

    fn put(&mut self, segment: &TcpSegment) -> usize {
        let flags = segment.flags;
        if flags.rst {
            self.flows.remove(&segment.flow);
            return 0;
        }
        let first = segment.sequence.wrapping_add(flags.syn.into());
        if flags.syn {
            self.flows.insert(segment.flow, Flow { list: OutOfOrder::new(first), fin: None });
        }
        if segment.payload_bytes == 0 && !flags.fin {
            return 0;
        }
        let opened = || Flow { list: OutOfOrder::new(first), fin: None };
        let flow = self.flows.entry(segment.flow).or_insert_with(opened);
        let end = first.wrapping_add(segment.payload_bytes);
        let placed = flow.list.place(first, segment.payload_bytes, self.window_bytes);
        let is_reset = placed.is_none() || flow.list.len() > self.max_nodes;
        if is_reset {
            *flow = Flow { list: OutOfOrder::new(end), fin: None };
        }
        if flags.fin {
            flow.fin = Some(end);
        }
        if flow.fin.is_some_and(|fin| flow.list.has_released(fin)) {
            self.flows.remove(&segment.flow);
        }
        if is_reset {
            self.reset(segment.flow);
        }
        placed.map_or(0, |placed| self.structure.looked(placed))
    }
}

/// The scheduler's estimate follows from the length of the flow's list (section 3.5.2). In a list the estimate is never too low if the
/// segment is the next of its flow to be served: the list has no more nodes to look at. In a tree the nodes that the segment overlaps with
/// or releases come on top.
///
/// A dropped segment leaves a gap that nothing fills, since the senders of a simulation do not notice. So a flow with dropped segments
/// keeps a list until its window is full. A scheduler that does not keep flows in order makes lists longer, too.
impl Application for Reassembler {
    type Input = TcpSegment;

    fn estimate(&self, segment: &TcpSegment) -> Duration {
        self.costs.of(self.structure.behind(self.list_len(segment.flow)))
    }

    fn serve(&mut self, segment: &TcpSegment) -> Duration {
        let looked = self.take(segment);
        self.costs.of(looked)
    }

    fn drain_resets(&mut self, each: &mut dyn FnMut(u32)) {
        self.newly_dropped.drain(..).for_each(|flow| each(flow.0));
    }

    fn held_bytes(&self) -> u64 {
        self.held_bytes
    }
}

impl Input for TcpSegment {
    fn arrival(&self) -> Time {
        self.arrival
    }

    fn flow(&self) -> u32 {
        self.flow.0
    }

    fn size_bytes(&self) -> u32 {
        self.size_bytes
    }

    fn set_flow(&mut self, flow: u32) {
        self.flow = FlowId(flow);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use forebay_traces::TcpFlags;

    const NONE: TcpFlags = TcpFlags { syn: false, fin: false, rst: false };

    fn segment(sequence: u32, payload_bytes: u32, flags: TcpFlags) -> TcpSegment {
        TcpSegment { arrival: Time::ZERO, flow: FlowId(0), sequence, payload_bytes, size_bytes: 64, flags }
    }

    /// Traversals of segments of one flow, in order.
    fn traversals(segments: &[TcpSegment]) -> (Vec<u64>, Reassembler) {
        let costs = Costs { fixed: Duration::ZERO, traversal: Duration::from_ps(1) };
        let mut reassembler = Reassembler::new(costs, WINDOW_BYTES);
        (segments.iter().map(|segment| reassembler.serve(segment).as_ps()).collect(), reassembler)
    }

    #[test]
    fn a_flow_begins_behind_its_syn_or_with_its_first_data() {
        let syn = segment(9, 0, TcpFlags { syn: true, ..NONE });
        let data = [segment(20, 5, NONE), segment(30, 5, NONE), segment(40, 5, NONE)];
        assert_eq!(traversals(&[&[syn], data.as_slice()].concat()).0, [0, 0, 1, 2]);
        assert_eq!(traversals(&data).0, [0, 0, 1]);
        assert_eq!(traversals(&[data.as_slice(), &[syn], &data].concat()).0, [0, 0, 1, 0, 0, 1, 2]);
    }

    #[test]
    fn a_flow_ends_when_all_before_its_fin_has_come_or_with_a_reset() {
        let opened = [segment(0, 5, NONE), segment(10, 5, TcpFlags { fin: true, ..NONE }), segment(7, 3, NONE)];
        let (counts, reassembler) = traversals(&opened);
        assert_eq!((counts, reassembler.flows.len()), (vec![0, 0, 1], 1));
        let filled = [opened.as_slice(), &[segment(5, 2, NONE)]].concat();
        assert_eq!(traversals(&filled).1.flows.len(), 0);
        let reset = [opened.as_slice(), &[segment(0, 0, TcpFlags { rst: true, ..NONE })]].concat();
        assert_eq!(traversals(&reset).1.flows.len(), 0);
    }

    #[test]
    fn a_segment_beyond_the_window_drops_the_flow_and_opens_it_again() {
        let segments = [segment(0, 5, NONE), segment(10, 5, NONE), segment(20_000, 5, NONE), segment(20_007, 1, NONE)];
        let (counts, reassembler) = traversals(&segments);
        assert_eq!(counts, [0, 0, 0, 0]);
        assert_eq!((reassembler.flows_dropped(), reassembler.list_len(FlowId(0))), (1, 1));
    }

    #[test]
    fn acknowledgements_alone_make_no_flow() {
        let (counts, reassembler) = traversals(&[segment(7, 0, NONE)]);
        assert_eq!((counts, reassembler.flows.len()), (vec![0], 0));
    }
}
