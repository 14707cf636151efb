//! A separate kernel in a virtual machine (QEMU), for policies that this machine's kernel cannot run. This program plays the stream inside
//! the machine.

use super::kernel::Programs;
use super::{Datapath, Played, Unplayed};
use crate::Answer;
use forebay_core::{About, Exactness};
use forebay_linux::machine::{Machine, Parts};
use std::time::Duration;

pub(super) const DATAPATH: Datapath = Datapath {
    about: About {
        name: "bpf-vm",
        title: "the kernel's queueing discipline, in a virtual machine with its own kernel",
        exactness: Exactness::NotApplicable,
        hardware: "QEMU, a kernel and clang 19 (`cargo xtask fetch-kernel`)",
        cost: "an emulated machine: minutes for a stream of 20,000 packets",
        source: "docs/conform.md",
        params: &[],
    },
    holds: super::in_slots,
    expected: super::exact,
    play,
};

/// The machine is emulated: it is slow, and slower beside other work.
const TIMEOUT: Duration = Duration::from_secs(600);

fn play(played: &Played<'_>) -> Result<Vec<Answer>, Unplayed> {
    played.has_frames()?;
    forebay_linux::kernel::can_load().map_err(|error| Unplayed::Skipped(error.to_string()))?;
    let parts = Parts::find().map_err(|error| Unplayed::Skipped(error.to_string()))?;
    let programs = Programs::of(played)?;
    let wrong = |error: forebay_linux::machine::Error| Unplayed::Failed(error.to_string());
    let mut machine = Machine::new(parts).map_err(|error| Unplayed::Skipped(error.to_string()))?;
    machine.program("forebay", played.command).map_err(wrong)?;
    machine.file("in/qdisc.bpf.o", &programs.built.qdisc).map_err(wrong)?;
    machine.file("in/policy.bpf.o", &programs.built.policy).map_err(wrong)?;
    machine.text("in/policy.oq", played.text);
    // Frames are those of the same seed.
    let stream = match played.frames {
        None => {
            machine.text("in/ops", &played.text_of_operations());
            "--ops /in/ops".to_owned()
        }
        Some(set) => format!("--frames --packets {}{}", set.count(), set.settings()),
    };
    let params: String = played
        .params
        .iter()
        .map(|(name, value)| format!(" --param {name}={}/{}", value.number.numer(), value.number.denom()))
        .chain(played.live.iter().map(|name| format!(" --live {name}")))
        .collect();
    let seed = played.seed.0;
    let script = format!(
        "forebay conform /in/policy.oq {stream} --target bpf --built /in --seed {seed} --answers /dev/ttyS1{params}\n"
    );
    let output = machine.run(&script, TIMEOUT).map_err(wrong)?;
    if let Some(complaint) = output.console.lines().find(|line| line.contains("error:") || line.contains("WARNING:")) {
        return Err(Unplayed::Failed(complaint.to_owned()));
    }
    let text = String::from_utf8_lossy(&output.written);
    let parse = |line: &str| {
        let answer: Result<Answer, _> = line.parse();
        // The kernel does not say which packets were pushed out.
        answer.map(|answer| Answer { pushed: None, ..answer }).map_err(|error| Unplayed::Failed(error.to_string()))
    };
    text.lines().map(parse).collect()
}
