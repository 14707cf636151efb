//! The program of the target `dpdk`, with packets of DPDK that arrive and leave by its rings.

use super::emitted::{answers_and_more, build, folder};
use super::{Datapath, Played, Unplayed};
use crate::Answer;
use forebay_core::{About, Exactness};
use forebay_targets::TargetOptions;
use std::process::Command;

pub(super) const DATAPATH: Datapath = Datapath {
    about: About {
        name: "dpdk",
        title: "a DPDK program, with packets of DPDK",
        exactness: Exactness::NotApplicable,
        hardware: "libdpdk-dev (Debian: dpdk-dev), pkg-config, gcc and make",
        cost: "the build, and one run of the program",
        source: "docs/targets/dpdk.md",
        params: &[],
    },
    holds: super::in_slots,
    expected: super::exact,
    play,
};

/// The remedy if DPDK is missing.
pub const MISSING: &str = "DPDK is missing; install libdpdk-dev (Debian: dpdk-dev), pkg-config, gcc and make";

/// Arguments for DPDK: memory and devices that need no permissions, and no files.
pub const EAL: [&str; 9] =
    ["--no-huge", "--no-pci", "--no-shconf", "--no-telemetry", "--log-level=error", "-m", "128", "-l", "0"];

/// Whether programs of DPDK can be built here.
pub fn is_there() -> bool {
    let found = |program: &str, arguments: &[&str]| {
        Command::new(program).args(arguments).output().is_ok_and(|output| output.status.success())
    };
    found("pkg-config", &["--exists", "libdpdk"]) && found("cc", &["--version"])
}

fn play(played: &Played<'_>) -> Result<Vec<Answer>, Unplayed> {
    if !is_there() {
        return Err(Unplayed::Skipped(MISSING.to_owned()));
    }
    // Operations say what is in the fields, or frames do if the packets have frames of their own.
    let folder = folder("dpdk", played, &TargetOptions { mapping: played.mapping(), ..played.options() })?;
    build(Command::new("make").arg("--silent").current_dir(folder.path()), MISSING)?;
    let seed = played.seed.0.to_string();
    let mut command = Command::new(folder.path().join("policy"));
    command.args(EAL).args(["--", "--play", "--seed", &seed]);
    Ok(answers_and_more(&mut command, played.text_of_frames())?.0)
}
