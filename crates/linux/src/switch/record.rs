//! Records the operations of an instance of a policy, in the format that programs of `forebay compile` play (the header of
//! `crates/targets/src/c/main.c`).
//!
//! Each operation is followed by its result, which players do not read: `queued` or `refused`, or `sent ID:VALUE:MARKS` for a departure. A
//! change of the policy is a line `change VERSION TRANSITION`, at which those programs stop.

use forebay_core::{Marks, Packet, Time};
use forebay_engine::Transition;
use forebay_lang::Fixed;
use forebay_lang::ir::{ParameterId, PortId};
use std::fmt::Arguments;
use std::io::Write;

/// A recording in progress.
pub(crate) struct Record {
    out: Option<Box<dyn Write>>,
    error: Option<String>,
}

impl Record {
    pub(crate) fn new(out: Box<dyn Write>) -> Self {
        Self { out: Some(out), error: None }
    }

    /// Returns why the recording has ended; `None` if it has not.
    pub(crate) fn error(&self) -> Option<String> {
        self.error.clone()
    }

    pub(crate) fn arrival(&mut self, now: Time, packet: &Packet, is_queued: bool) {
        self.line(format_args!(
            "enqueue {} {} {} {} {} {} {} {} {} {} {} {} {}",
            nanoseconds(now),
            packet.queue.0,
            packet.size_bytes,
            packet.value,
            packet.flow.0,
            packet.class.0,
            packet.processing.as_ns(),
            packet.slack.as_ns(),
            packet.remaining_bytes,
            packet.rank,
            bits(packet.marks),
            packet.id,
            if is_queued { "queued" } else { "refused" }
        ));
    }

    pub(crate) fn departure(&mut self, now: Time, port: PortId, packet: &Packet) {
        let marks = bits(packet.marks);
        self.line(format_args!("dequeue {} {} sent {}:{}:{marks}", nanoseconds(now), port.0, packet.id, packet.value));
    }

    pub(crate) fn set(&mut self, now: Time, id: ParameterId, value: Fixed) {
        self.line(format_args!("set {} {} {}", nanoseconds(now), id.0, value.0));
    }

    pub(crate) fn change(&mut self, version: u32, transition: Transition) {
        self.line(format_args!("change {version} {transition}"));
    }

    pub(crate) fn flush(&mut self) {
        let done = self.out.as_mut().map(|out| out.flush());
        self.stop_if_failed(done);
    }

    fn line(&mut self, line: Arguments<'_>) {
        let done = self.out.as_mut().map(|out| writeln!(out, "{line}"));
        self.stop_if_failed(done);
    }

    fn stop_if_failed(&mut self, done: Option<std::io::Result<()>>) {
        if let Some(Err(error)) = done {
            self.out = None;
            self.error = Some(error.to_string());
        }
    }
}

fn nanoseconds(time: Time) -> u64 {
    time.as_ps() / 1_000
}

fn bits(marks: Marks) -> u8 {
    u8::from(marks.eligible_to_drop()) | u8::from(marks.congested()) << 1
}
