//! `forebay attack --search`.

use super::attack::{NoFiles, document, finish_example, folder_of};
use crate::args::{AttackArgs, Format};
use crate::manifest::manifest;
use crate::terminal::TERMINAL;
use crate::{Done, interrupt, resources};
use cpu_time::ProcessTime;
use forebay::attack::search::{self, Budget, SearchReport};
use forebay::attack::{AttackScenario, EXAMPLE};
use forebay::error::Result;
use forebay::output::folder;
use forebay::question::read_text;
use forebay::scenario::Beside;
use std::time::{Duration, Instant};

const DEFAULT_BUDGET: Duration = Duration::from_secs(60);

/// Searches a scenario.
pub(super) fn run(args: &AttackArgs) -> Result<Done> {
    let (document, name) = document(args)?;
    let scenario = match &args.scenario {
        Some(path) => AttackScenario::read(&document, &name, args.seed, &Beside(path)),
        None => AttackScenario::read(&document, &name, args.seed, &NoFiles),
    }?;
    let budget = match args.generations {
        Some(generations) => Budget::Generations(generations),
        None => Budget::CpuTime(args.cpu_time.unwrap_or(DEFAULT_BUDGET)),
    };
    resources::start(args.resources)?;
    // Before anything is written, so that no interrupt finds a half-made folder.
    interrupt::watch();
    if let Some(folder) = &args.out {
        folder::create(folder)?;
    }
    let start = Instant::now();
    let report = search::run(&scenario, budget, &|| ProcessTime::now().as_duration(), &TERMINAL)?;
    let mut further = String::new();
    if let Some(folder) = &args.out {
        let text = args.scenario.as_deref().map_or(Ok(EXAMPLE.to_owned()), read_text)?;
        let manifest = manifest(&text, scenario.seed().0, start);
        let attacks = search::replays(&report, folder_of(args))?;
        folder::write_result(folder, &report, &manifest, &attacks)?;
        further = attacks.first().map_or_else(String::new, |(name, _)| {
            format!("attacks can be played again: forebay run {}\n", folder.join(name).display())
        });
    }
    finish_example(args)?;
    let text = match args.format {
        Format::Table => search::table(&report) + &further,
        Format::Json => folder::json(&report)?,
        Format::Csv => search::csv(&report),
    };
    Ok(Done { text, status: status(&report) })
}

/// 130 if the search was interrupted, 1 if an attack that it found beats a bound, otherwise 0.
fn status(report: &SearchReport) -> u8 {
    if !report.is_complete() && interrupt::requested() {
        interrupt::EXIT_STATUS
    } else {
        u8::from(report.beats_a_bound())
    }
}
