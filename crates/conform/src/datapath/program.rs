//! The program of the target `c`, built with the system's compiler.

use super::emitted::{answers, build, folder};
use super::{Datapath, Played, Unplayed};
use crate::Answer;
use forebay_core::{About, Exactness};
use std::process::Command;

pub(super) const DATAPATH: Datapath = Datapath {
    about: About {
        name: "c",
        title: "a program in C",
        exactness: Exactness::NotApplicable,
        hardware: "a C compiler (`cc`)",
        cost: "the build, and one run of the program",
        source: "docs/targets.md",
        params: &[],
    },
    holds: super::in_slots,
    expected: super::exact,
    play,
};

fn play(played: &Played<'_>) -> Result<Vec<Answer>, Unplayed> {
    let folder = folder("c", played, &played.options())?;
    let program = folder.path().join("play");
    let mut compiler = Command::new("cc");
    compiler.args(["-O2", "-o"]).arg(&program).arg(folder.path().join("main.c"));
    build(&mut compiler, "there is no C compiler; install gcc")?;
    answers(Command::new(&program).arg(played.seed.0.to_string()), played)
}
