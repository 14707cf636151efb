//! A web application firewall under attack: what its rules cost on innocent and on attack payloads, and
//! the goodput that each scheduler keeps. docs/matcher.md says how to run it and how to read it.

#![expect(clippy::print_stdout, clippy::print_stderr, reason = "a command talks to its user")]

mod args;
mod attacks;
mod costs;
mod input;
mod measure;
mod report;

use args::Args;
use clap::Parser as _;
use forebay_clock::{nanoseconds, thread_cpu};
use forebay_core::Duration;
use forebay_matcher::native::{Debian, Pcre2, Vectorscan};
use forebay_matcher::{RuleSet, TwoStage, mean_bytes, quiet};
use report::Reporter;
use std::error::Error;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

type Result<T> = std::result::Result<T, Box<dyn Error>>;

/// Payloads that decide which rules are too noisy.
const JUDGES: usize = 500;

fn main() -> ExitCode {
    match run(&Args::parse()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::from(2)
        }
    }
}

fn run(args: &Args) -> Result<()> {
    let reporter = Reporter::new(args.format);
    let debian = Debian::new(&in_target("debian"));
    let folders = debian.library_folders();
    let rules = input::rules(&args.rules, &debian)?;
    let innocent = input::innocent(args.payloads.as_deref())?;
    let (vectorscan, pcre2) = (Vectorscan::load(&folders)?, Pcre2::load(&folders)?);
    reporter.note(&describe(&rules));
    let used = quiet(&pcre2, &rules.rules, &innocent[..innocent.len().min(JUDGES)]);
    reporter.note(&format!("{} of these match less than 5 % of innocent payloads and are used", used.len()));
    if used.is_empty() {
        return Err("no rule is left; give others with --rules, or other innocent payloads with --payloads".into());
    }
    let mut clock = cpu_clock;
    let begin = clock();
    let mut stages = TwoStage::compile(&vectorscan, &pcre2, &used)?;
    let support = &stages.support;
    reporter.note(&format!(
        "Vectorscan {}: {} as they are, {} as prefilters, {} not at all; PCRE2 {}: {} compiled, {} to machine code, {} \
         rejected; {:.1} s",
        vectorscan.version().trim(),
        support.filtered,
        support.prefiltered,
        support.unfiltered,
        pcre2.version(),
        stages.rules().len(),
        support.jit,
        support.refused.len(),
        (clock() - begin).as_secs_f64()
    ));
    support.refused.iter().for_each(|refused| eprintln!("left out: {refused}"));
    reporter.note(&costs::of_innocents(&mut stages, &innocent, &mut clock));
    let versions = format!("{} {}", vectorscan.version(), pcre2.version());
    let file = args.attacks.clone().unwrap_or_else(|| in_target("matcher/attacks.json"));
    let attacks = attacks::find(&mut stages, &mut clock, &file, &versions, args.search)?;
    reporter.attacks(&mut stages, &attacks);
    let setup = args.setup();
    let capacity = measure::Capacity::measure(&setup, &mut stages, &innocent, &mut clock)?;
    reporter.note(&format!(
        "capacity {:.0} payloads/s, {:.1} Mb/s; innocent load {} of it, attack {} of the innocent bits; {} learning, {} \
         counted, {} grace, {} payloads may wait",
        capacity.payloads_per_second,
        capacity.payloads_per_second * mean_bytes(&innocent) * 8e-6,
        setup.load,
        setup.attack_share,
        setup.learning,
        setup.counted,
        setup.grace,
        setup.queue
    ));
    reporter.head();
    let mut rows = Vec::new();
    for policy in args.policies() {
        let comparisons = measure::compare(policy, &setup, args.seeds, &capacity, &mut stages, &attacks, &mut clock)?;
        for (attack, comparisons) in comparisons {
            let row = report::Row::new(policy, attack, &setup, &comparisons);
            reporter.row(&row);
            rows.push(row);
        }
    }
    reporter.end(rows)
}

/// CPU time of this thread.
fn cpu_clock() -> Duration {
    Duration::from_ns(nanoseconds(thread_cpu()))
}

/// In the folder of the build, where `cargo xtask fetch-debian` puts packages.
fn in_target(name: &str) -> PathBuf {
    let workspace = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2);
    workspace.unwrap_or(Path::new("")).join("target").join(name)
}

fn describe(set: &RuleSet) -> String {
    format!(
        "{} rules, {} with @rx: {} different patterns; {} repeat one, {} negated and {} with macros are left out; \
         transformations of {} are ignored",
        set.directives,
        set.regular,
        set.rules.len(),
        set.repeated,
        set.negated,
        set.macros,
        set.transformed
    )
}
