//! Datapaths that are held equal to the reference engine: one file each.

pub(crate) mod dpdk;
mod emitted;
mod fast;
mod kernel;
mod machine;
mod p4;
mod program;
mod sv;
mod switch;

pub(crate) use sv::fitting;

use crate::args::{HardwareArgs, ParamArgs};
use forebay_conform::{Answer, Frames, Operation, Replaced, expected, expected_replaced};
use forebay_core::Seed;
use forebay_engine::Reference;
use forebay_lang::Policy;
use forebay_linux::kernel::Built;
use std::sync::Mutex;

/// What is played.
pub(crate) struct Played<'a> {
    /// What the user calls the policy.
    pub(crate) name: &'a str,
    /// Its text.
    pub(crate) text: &'a str,
    /// What the user has given its constants, and which of them are live.
    pub(crate) params: &'a ParamArgs,
    pub(crate) policy: &'a Policy,
    /// The policy by which it is replaced now and then, if there is one.
    pub(crate) replacement: Option<&'a Policy>,
    pub(crate) operations: &'a [Operation],
    pub(crate) seed: Seed,
    /// What hardware is to be like.
    pub(crate) hardware: &'a HardwareArgs,
    /// The programs for the kernel, if they are built.
    pub(crate) built: Option<&'a Built>,
    /// What the last datapath has said of how it went.
    pub(crate) said: Mutex<String>,
}

impl Played<'_> {
    /// What engines are told.
    fn engine(&self) -> forebay_engine::Options {
        forebay_engine::Options { policy_id: 1, seed: self.seed }
    }

    /// What targets are told: that there is room for the smallest packets of the stream.
    fn options(&self) -> forebay_targets::Options {
        let options = forebay_targets::Options::default();
        let smallest = self.packets().map(|(_, packet)| packet.size_bytes).min();
        forebay_targets::Options { smallest_packet: smallest.unwrap_or(options.smallest_packet), ..options }
    }

    /// The packets that arrive, with the numbers of their operations, from 1.
    fn packets(&self) -> impl Iterator<Item = (usize, &forebay_core::Packet)> {
        (1..).zip(self.operations).filter_map(|(number, operation)| match operation {
            Operation::Enqueue(_, packet) => Some((number, packet)),
            Operation::Dequeue(..) | Operation::Cycle(..) | Operation::Set(..) | Operation::Replace(..) => None,
        })
    }

    /// The operations, one a line.
    fn text_of_operations(&self) -> String {
        self.operations.iter().map(|operation| format!("{operation}\n")).collect()
    }

    /// Whether it can be played with frames, each of which is served at once.
    fn has_frames(&self) -> Result<(), Unplayed> {
        if self.operations.iter().any(|operation| matches!(operation, Operation::Cycle(..))) {
            return Err(Unplayed::Skipped("it serves whole packets, and the stream has `cycle`".to_owned()));
        }
        match self.packets().find(|(_, packet)| !Frames::hold(packet)) {
            None => Ok(()),
            Some((number, packet)) => Err(Unplayed::Skipped(format!(
                "no frame is the packet of operation {number}, of {} bytes; frames have {} to {}",
                packet.size_bytes,
                Frames::SMALLEST,
                Frames::LARGEST
            ))),
        }
    }
}

/// Why there are no answers.
pub(crate) enum Unplayed {
    /// It cannot run here, or not with this policy or these operations.
    Skipped(String),
    /// It should have run.
    Failed(String),
}

/// A datapath.
pub(crate) struct Datapath {
    /// Its name.
    pub(crate) name: &'static str,
    /// What it is.
    pub(crate) title: &'static str,
    /// What its answers should be.
    pub(crate) expected: fn(&Played<'_>) -> Result<Vec<Answer>, Unplayed>,
    /// Plays operations.
    pub(crate) play: fn(&Played<'_>) -> Result<Vec<Answer>, Unplayed>,
}

impl Datapath {
    /// Its answers.
    pub(crate) fn answers(&self, played: &Played<'_>) -> Result<Vec<Answer>, Unplayed> {
        if played.replacement.is_some() && self.name != sv::DATAPATH.name {
            return Err(Unplayed::Skipped(
                "two policies are together in hardware only; leave --replace-by out".to_owned(),
            ));
        }
        (self.play)(played)
    }
}

/// The answers of the reference engine.
pub(crate) fn reference(played: &Played<'_>) -> Vec<Answer> {
    if let Some(replacement) = played.replacement {
        return expected_replaced(&mut Replaced::new([played.policy, replacement], played.seed), played.operations);
    }
    expected(&mut Reference::new(played.policy, played.engine()), played.operations)
}

/// What datapaths should answer that are exact.
fn exact(played: &Played<'_>) -> Result<Vec<Answer>, Unplayed> {
    Ok(reference(played))
}

/// Every datapath, in the order in which they are shown.
pub(crate) const DATAPATHS: [Datapath; 8] = [
    fast::DATAPATH,
    program::DATAPATH,
    kernel::DATAPATH,
    machine::DATAPATH,
    switch::DATAPATH,
    dpdk::DATAPATH,
    p4::DATAPATH,
    sv::DATAPATH,
];
