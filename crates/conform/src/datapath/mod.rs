//! The datapaths that are compared with the reference engine: one file each.

pub mod dpdk;
mod emitted;
mod fast;
#[cfg(target_os = "linux")]
mod kernel;
#[cfg(target_os = "linux")]
mod machine;
#[cfg(not(target_os = "linux"))]
mod needs_linux;
mod p4;
mod program;
mod sv;
#[cfg(target_os = "linux")]
mod switch;

#[cfg(target_os = "linux")]
pub use forebay_linux::kernel::Built;
#[cfg(not(target_os = "linux"))]
pub use needs_linux::Built;
pub use sv::fitting;

use crate::{Answer, FrameSet, Frames, Holds, Operation, Replaced, expected, expected_replaced};
use forebay_core::{About, Named, Packet, Seed, convert};
use forebay_engine::Reference;
use forebay_lang::{Overrides, Policy};
use forebay_targets::headers::Mapping;
use forebay_targets::sv::Asked;
use std::path::Path;
use std::sync::Mutex;

/// The policy and the operations to play.
pub struct Played<'a> {
    /// The name that the user gave the policy.
    pub name: &'a str,
    /// The policy's text.
    pub text: &'a str,
    /// The values that the user has given the policy's constants.
    pub params: &'a Overrides,
    /// The constants that are live.
    pub live: &'a [String],
    /// The policy.
    pub policy: &'a Policy,
    /// The policy that replaces the first one now and then, if there is one.
    pub replacement: Option<&'a Policy>,
    /// The operations on the policy.
    pub operations: &'a [Operation],
    /// The frames of the packets, if they are not those of [`Frames`].
    pub frames: Option<&'a FrameSet>,
    /// Root of all random numbers.
    pub seed: Seed,
    /// The hardware that the user requests.
    pub hardware: &'a Asked,
    /// The programs for the kernel, if they are built.
    pub built: Option<&'a Built>,
    /// The command `forebay`, which plays inside the virtual machine.
    pub command: &'a Path,
    /// The remarks of the last datapath on its run.
    pub said: Mutex<String>,
}

impl Played<'_> {
    /// The options of engines.
    fn engine(&self) -> forebay_engine::EngineOptions {
        forebay_engine::EngineOptions { policy_id: 1, seed: self.seed }
    }

    /// Returns the options of targets: there is room for the smallest packets of the stream.
    fn options(&self) -> forebay_targets::TargetOptions {
        let options = forebay_targets::TargetOptions::default();
        let smallest = self.packets().map(|(_, packet)| packet.size_bytes).min();
        forebay_targets::TargetOptions { smallest_packet: smallest.unwrap_or(options.smallest_packet), ..options }
    }

    /// Returns the arriving packets, with the numbers of their operations, from 1.
    fn packets(&self) -> impl Iterator<Item = (usize, &Packet)> {
        (1..).zip(self.operations).filter_map(|(number, operation)| match operation {
            Operation::Enqueue(_, packet) => Some((number, packet)),
            Operation::Dequeue(..) | Operation::Cycle(..) | Operation::Set(..) | Operation::Replace(..) => None,
        })
    }

    /// Returns the operations as text, one a line.
    fn text_of_operations(&self) -> String {
        self.operations.iter().map(|operation| format!("{operation}\n")).collect()
    }

    /// Returns the sources of packet fields in frames.
    fn mapping(&self) -> Mapping {
        self.frames.map_or_else(Frames::mapping, FrameSet::mapping)
    }

    /// Returns the frame of a packet.
    fn frame(&self, packet: &Packet) -> Vec<u8> {
        self.frames.map_or_else(|| Frames::of(packet), |set| set.of(packet).to_vec())
    }

    /// Returns the number of a frame's packet; for another frame, a number that no packet has.
    #[cfg(target_os = "linux")]
    fn id(&self, frame: &[u8]) -> u64 {
        let id = self.frames.map_or_else(|| Frames::id(frame), |set| set.id(frame));
        id.unwrap_or(u64::MAX)
    }

    /// Returns the operations for a program that reads frames: an arrival is `frame NOW ID BYTES`. If the stream has no frames of its own,
    /// returns [`text_of_operations`](Self::text_of_operations).
    fn text_of_frames(&self) -> String {
        let Some(set) = self.frames else { return self.text_of_operations() };
        let one = |operation: &Operation| match operation {
            Operation::Enqueue(now, packet) => {
                let bytes: String = set.of(packet).iter().map(|byte| format!("{byte:02x}")).collect();
                format!("frame {} {} {bytes}\n", now.as_ps() / 1_000, packet.id)
            }
            other => format!("{other}\n"),
        };
        self.operations.iter().map(one).collect()
    }

    /// Checks that the operations can be played with frames, each of which is served at once.
    fn has_frames(&self) -> Result<(), Unplayed> {
        if self.operations.iter().any(|operation| matches!(operation, Operation::Cycle(..))) {
            return Err(Unplayed::Skipped("it serves whole packets, and the stream contains `cycle`".to_owned()));
        }
        match self.packets().find(|(_, packet)| self.frames.is_none() && !Frames::hold(packet)) {
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
pub enum Unplayed {
    /// The datapath cannot run here, or not with this policy or these operations.
    Skipped(String),
    /// The datapath failed although it should have run.
    Failed(String),
}

/// A datapath.
pub struct Datapath {
    /// The datapath's name and description.
    pub about: About,
    /// Returns the datapath's capacity limits.
    pub holds: fn(&Played<'_>) -> Holds,
    /// Returns the expected answers.
    pub expected: fn(&Played<'_>) -> Result<Vec<Answer>, Unplayed>,
    /// Plays operations.
    pub play: fn(&Played<'_>) -> Result<Vec<Answer>, Unplayed>,
}

impl Named for Datapath {
    fn about(&self) -> &About {
        &self.about
    }
}

impl Datapath {
    /// Returns the datapath's answers.
    pub fn answers(&self, played: &Played<'_>) -> Result<Vec<Answer>, Unplayed> {
        if played.replacement.is_some() && self.about.name != sv::DATAPATH.about.name {
            return Err(Unplayed::Skipped("only hardware holds two policies; leave --replace-by out".to_owned()));
        }
        (self.play)(played)
    }
}

/// Returns the answers of the reference engine.
pub fn reference(played: &Played<'_>) -> Vec<Answer> {
    if let Some(replacement) = played.replacement {
        return expected_replaced(&mut Replaced::new([played.policy, replacement], played.seed), played.operations);
    }
    expected(&mut Reference::new(played.policy, played.engine()), played.operations)
}

/// Returns the limits of a program that has a slot for each packet.
fn in_slots(played: &Played<'_>) -> Holds {
    Holds { packets: Some(convert::saturate(played.options().most_slots)), ..Holds::default() }
}

/// Returns the limits of a datapath without its own limits.
fn unlimited(_: &Played<'_>) -> Holds {
    Holds::default()
}

/// Returns the expected answers of exact datapaths.
fn exact(played: &Played<'_>) -> Result<Vec<Answer>, Unplayed> {
    Ok(reference(played))
}

/// All datapaths, in the order in which they are shown.
pub static DATAPATHS: &[Datapath] = &[
    fast::DATAPATH,
    program::DATAPATH,
    #[cfg(target_os = "linux")]
    kernel::DATAPATH,
    #[cfg(target_os = "linux")]
    machine::DATAPATH,
    #[cfg(target_os = "linux")]
    switch::DATAPATH,
    dpdk::DATAPATH,
    p4::DATAPATH,
    sv::DATAPATH,
];
