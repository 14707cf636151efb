//! What the words of the streams of a policy's hardware are made of, for those who simulate it.

use super::fields::Fields;
use super::intervals::Intervals;
use super::package::index_bits;
use super::scope::member;
use super::shape::Shape;

/// What the words of the streams are made of.
pub(super) struct Layout {
    /// The parts of the word of a packet that arrives, the lowest bits first.
    arriving: Vec<(&'static str, u32)>,
    id: u32,
    queue: u32,
    port: u32,
    time: u32,
    /// The cycles that the front takes.
    front: u32,
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
            intervals,
        }
    }

    /// `policy_layout.py`
    pub(super) fn python(&self) -> String {
        let parts: String = self.arriving.iter().map(|(name, bits)| format!("    (\"{name}\", {bits}),\n")).collect();
        let Self { id, queue, port, time, .. } = self;
        format!(
            "\"\"\"What the words of the streams of this policy are made of, the lowest bits first.\"\"\"\n\n\
             ARRIVE = [\n{parts}]\nID = {id}\nQUEUE = {queue}\nPORT = {port}\nTIME = {time}\n"
        )
    }

    /// `policy_layout.h`
    pub(super) fn header(&self) -> String {
        let parts: String = self.arriving.iter().map(|(name, bits)| format!("    {{\"{name}\", {bits}}},\n")).collect();
        let all: u32 = self.arriving.iter().map(|part| part.1).sum();
        let Self { id, queue, port, time, front, intervals, .. } = self;
        let Intervals { acting, further, acting_pull, .. } = intervals;
        format!(
            "// What the words of the streams of this policy are made of, the lowest bits first.\n\
             #pragma once\n\n\
             struct Part {{\n    const char* name;\n    unsigned bits;\n}};\n\n\
             constexpr Part kArrive[] = {{\n{parts}}};\n\
             constexpr unsigned kArriveBits = {all}, kId = {id}, kQueue = {queue}, kPort = {port}, kTime = {time};\n\
             // The cycles that the front takes.\nconstexpr unsigned kFront = {front};\n\
             // The most cycles until the next operation is taken: of an arrival that drops one packet or none, more for each\n\
             // further one that it drops, and of a pull.\n\
             constexpr unsigned kArrival = {acting}, kFurther = {further}, kPull = {acting_pull};\n"
        )
    }
}
