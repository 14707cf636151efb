//! `forebay attack --search`.

use super::attack::{what_next, write_example};
use crate::args::{AttackArgs, Format};
use crate::manifest::manifest;
use crate::terminal::TERMINAL;
use crate::{Done, interrupt};
use cpu_time::ProcessTime;
use forebay::attack::AttackStudy;
use forebay::attack::search::{self, Budget, SearchReport};
use forebay::document::Node;
use forebay::error::Result;
use forebay::output::folder;
use std::path::Path;
use std::time::{Duration, Instant};

const DEFAULT_BUDGET: Duration = Duration::from_secs(60);

/// Searches the study that was read from `document`, whose text was `text`.
pub(super) fn run(args: &AttackArgs, text: &str, document: &Node, study: &AttackStudy) -> Result<Done> {
    let budget = match args.generations {
        Some(generations) => Budget::Generations(generations),
        None => Budget::CpuTime(args.cpu_time.unwrap_or(DEFAULT_BUDGET)),
    };
    let start = Instant::now();
    let report = search::run(study, budget, &|| ProcessTime::now().as_duration(), &TERMINAL)?;
    let mut further = String::new();
    if let Some(folder) = &args.out {
        let manifest = manifest(text, study.seed.0, start);
        let beside = args.scenario.as_deref().and_then(Path::parent).unwrap_or(Path::new(""));
        let attacks = search::replays(&report, document, beside)?;
        folder::write_result(folder, &report, &manifest, &attacks)?;
        write_example(args, folder)?;
        further = attacks.first().map_or_else(String::new, |(name, _)| {
            format!("attacks can be played again: forebay attack {}\n", folder.join(name).display())
        });
    }
    let text = match args.format {
        Format::Table => search::table(&report) + &further + &what_next(args),
        Format::Json => folder::json(&report)?,
        Format::Csv => search::csv(&report),
    };
    Ok(Done { text, status: status(&report) })
}

/// 130 if the search was interrupted, 1 if what it found beats a bound, otherwise 0.
fn status(report: &SearchReport) -> u8 {
    if !report.is_complete() && interrupt::requested() {
        interrupt::EXIT_STATUS
    } else {
        u8::from(report.beats_a_bound())
    }
}
