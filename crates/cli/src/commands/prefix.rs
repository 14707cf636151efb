//! `forebay prefix TRACE`.

use crate::args::{Format, PrefixArgs};
use crate::manifest::manifest;
use crate::{Done, warn};
use forebay::error::Result;
use forebay::output::folder;
use forebay::prefix::{self, Fetch, Setting};
use forebay_core::Seed;
use std::time::Instant;

pub(crate) fn run(args: &PrefixArgs) -> Result<Done> {
    let setting = Setting {
        trace: args.trace.clone(),
        format: args.format_in.clone(),
        block_tokens: args.block_tokens,
        blocks: args.blocks.0.iter().map(|blocks| blocks.0).collect(),
        policies: args.policy.0.clone(),
        workers: usize::try_from(args.workers).unwrap_or(usize::MAX),
        prefill_rate: args.prefill_rate,
        attention: (args.attention != 0.0).then_some(args.attention),
        fetch: args.fetch.map(|rate| Fetch { bytes_per_second: rate * 1e9, token_bytes: args.token_bytes }),
        speed: args.speed,
        bound_steps: (!args.no_bound).then_some(args.iterations),
        seed: Seed(args.seed),
    };
    if let Some(folder) = &args.out {
        folder::create(folder)?;
    }
    let start = Instant::now();
    let report = prefix::run(&setting)?;
    if let Some(folder) = &args.out {
        let manifest = manifest(&args.trace, args.seed, start);
        folder::write_result(folder.as_path(), &report, &manifest, &[("result.csv".to_owned(), prefix::csv(&report))])?;
    }
    let text = match args.format {
        Format::Table => prefix::table(&report),
        Format::Json => folder::json(&report)?,
        Format::Csv => prefix::csv(&report),
    };
    if args.format != Format::Table {
        report.warnings.iter().for_each(|warning| warn(warning));
    }
    Ok(Done::ok(text))
}
