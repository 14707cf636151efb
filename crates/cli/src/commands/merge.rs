//! `forebay merge FOLDER [FOLDER...]`.

use crate::Done;
use crate::args::{Format, MergeArgs};
use crate::manifest::manifest;
use crate::terminal::TERMINAL;
use crate::warn;
use forebay::error::Result;
use forebay::output::folder::{self, Manifest};
use forebay::run::{Merged, merge};
use std::path::Path;
use std::time::Instant;

/// Maximum number of missing runs that are named.
const MOST_NAMED: usize = 10;

pub(crate) fn run(args: &MergeArgs) -> Result<Done> {
    let start = Instant::now();
    let from: Vec<&Path> = match &args.from[..] {
        [] => vec![&args.out],
        from => from.iter().map(AsRef::as_ref).collect(),
    };
    let merged = merge(args.out.as_path(), &from, args.baseline.as_deref(), &TERMINAL)?;
    let Merged { answer, missing, runs, seed, scenario_sha256 } = &merged;
    let manifest = Manifest { scenario_sha256: scenario_sha256.clone(), ..manifest("", *seed, start) };
    folder::write_result(&args.out, answer, &manifest, &answer.files()?)?;
    super::run::say_warnings(answer);
    for title in missing.iter().take(MOST_NAMED) {
        warn(&format!("this run is missing: {title}"));
    }
    if missing.len() > MOST_NAMED {
        warn(&format!("{} more runs are missing", missing.len() - MOST_NAMED));
    }
    let text = match args.format {
        Format::Table => {
            let there = runs - missing.len();
            format!("{}\n{there} of {runs} runs are available\n", answer.table())
        }
        Format::Json => answer.json()?,
        Format::Csv => answer.csv(),
    };
    Ok(Done { text, status: u8::from(!missing.is_empty()) })
}
