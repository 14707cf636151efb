//! The arguments of `forebay attack`.

use super::{Format, seed, threads};
use clap::Args;
use std::path::PathBuf;

#[derive(Debug, Args)]
pub(crate) struct AttackArgs {
    /// An attack study (TOML; see docs/attack.md); without one an example runs, which takes seconds
    pub(crate) scenario: Option<PathBuf>,
    /// Replace a value of the study, e.g. attack_study.servers=2 or policy.FCFS.queue=pifo
    #[arg(long, value_name = "KEY=VALUE")]
    pub(crate) set: Vec<String>,
    /// Replace the seed of the study
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = seed())]
    pub(crate) seed: Option<u64>,
    /// Write result.json, manifest.json and plots (SVG) into this folder; of the example scenario.toml, too
    #[arg(long, value_name = "DIR")]
    pub(crate) out: Option<PathBuf>,
    /// How to print the result
    #[arg(long, value_enum, default_value_t = Format::Table)]
    pub(crate) format: Format,
    /// Threads to use; the result does not depend on it [default: all cores]
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = threads())]
    pub(crate) threads: Option<u16>,
}
