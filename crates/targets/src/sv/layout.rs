//! The parts of the words in the streams of a policy's hardware, for simulations and for connected hardware.

use super::fields::Fields;
use super::intervals::Intervals;
use super::package::index_bits;
use super::scope::member;
use super::shape::Shape;

/// The parts of the words in the streams.
pub(super) struct Layout {
    /// The parts of the word of a packet that arrives, the lowest bits first.
    pub(super) arriving: Vec<(&'static str, u32)>,
    pub(super) id: u32,
    pub(super) queue: u32,
    pub(super) port: u32,
    pub(super) time: u32,
    /// The cycles that the front takes; the longer one of two.
    front: u32,
    /// The queues of each policy.
    pub(super) queues: Vec<usize>,
    intervals: Intervals,
}

impl Layout {
    pub(super) fn new(shape: &Shape<'_>, fields: &Fields, front: u32, intervals: Intervals) -> Self {
        let (model, policy) = (&shape.model, shape.model.policy);
        let hardware = &model.options.hardware;
        // The first member of a struct is at the top.
        let mut arriving = vec![("id", hardware.id_bits.into()), ("marks", 2)];
        arriving.extend(fields.arriving.iter().rev().map(|field| (member(*field), model.bits(*field))));
        Self {
            arriving,
            id: hardware.id_bits.into(),
            queue: index_bits(policy.queues.len()),
            port: index_bits(policy.ports.len()),
            time: hardware.bits.time(),
            front,
            queues: vec![policy.queues.len()],
            intervals,
        }
    }

    /// Of two policies, with what arrives for both.
    pub(super) fn pair(shapes: &[Shape<'_>; 2], fields: &Fields, front: [u32; 2], intervals: Intervals) -> Self {
        let queues: Vec<usize> = shapes.iter().map(|shape| shape.model.policy.queues.len()).collect();
        let most = queues.iter().copied().max().unwrap_or(1);
        Self { queue: index_bits(most), queues, ..Self::new(&shapes[0], fields, front[0].max(front[1]), intervals) }
    }

    /// The most cycles from an accepted pull to the offered packet, if nothing is being decided.
    pub(super) fn departs(&self) -> u32 {
        self.intervals.departs(self.front)
    }

    /// `policy_layout.py`
    pub(super) fn python(&self) -> String {
        let parts: String = self.arriving.iter().map(|(name, bits)| format!("    (\"{name}\", {bits}),\n")).collect();
        let Self { id, queue, port, time, .. } = self;
        let policies = self.queues.len();
        format!(
            "\"\"\"What the words of the streams of this policy are made of, the lowest bits first.\"\"\"\n\n\
             ARRIVE = [\n{parts}]\nID = {id}\nQUEUE = {queue}\nPORT = {port}\nTIME = {time}\n\
             # How many policies there are.\nPOLICIES = {policies}\n"
        )
    }

    /// `policy_layout.h`
    pub(super) fn header(&self) -> String {
        let parts: String = self.arriving.iter().map(|(name, bits)| format!("    {{\"{name}\", {bits}}},\n")).collect();
        let all: u32 = self.arriving.iter().map(|part| part.1).sum();
        let Self { id, queue, port, time, front, intervals, .. } = self;
        let Intervals { acting, further, acting_pull, turn, .. } = intervals;
        let departs = self.departs();
        let policies = self.queues.len();
        let queues = self.queues.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ");
        let sides = if policies == 1 {
            vec!["i_core".to_owned()]
        } else {
            (0..policies).map(|side| format!("i_policy{side}__DOT__i_core")).collect()
        };
        let idle: Vec<String> =
            sides.iter().map(|side| format!("root.policy__DOT__{side}__DOT__i_control__DOT__at_q == 0")).collect();
        let idle = idle.join(" &&\n           ");
        format!(
            "// What the words of the streams of this policy are made of, the lowest bits first.\n\
             #pragma once\n\n\
             struct Part {{\n    const char* name;\n    unsigned bits;\n}};\n\n\
             constexpr Part kArrive[] = {{\n{parts}}};\n\
             constexpr unsigned kArriveBits = {all}, kId = {id}, kQueue = {queue}, kPort = {port}, kTime = {time};\n\
             // The cycles that the front takes.\nconstexpr unsigned kFront = {front};\n\
             // The policies, and the queues of each.\nconstexpr unsigned kPolicies = {policies}, kQueues[] = {{{queues}}};\n\
             // The most cycles until the next operation is taken: of an arrival that drops one packet or none, more for each\n\
             // further one that it drops, of a pull; and for how many more the queue block may not be ready.\n\
             constexpr unsigned kArrival = {acting}, kFurther = {further}, kPull = {acting_pull}, kTurn = {turn};\n\
             // The most cycles from an accepted pull to the offered packet, if nothing is being decided.\n\
             constexpr unsigned kDeparts = {departs};\n\n\
             // Whether nothing is being decided.\n\
             template <class Root>\nbool idle(const Root& root) {{\n    return {idle};\n}}\n"
        )
    }
}
