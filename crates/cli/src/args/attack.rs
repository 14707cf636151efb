//! The arguments of `forebay attack`.

use super::{Format, ResourceArgs, seed, whole};
use clap::Args;
use forebay::error::WrongValue;
use std::path::PathBuf;
use std::time::Duration;

#[derive(Debug, Args)]
pub(crate) struct AttackArgs {
    /// Scenario with [processor], [innocent] and [attack] (docs/attack.md) [default: an example, which takes seconds]
    pub(crate) scenario: Option<PathBuf>,
    /// Replace a value of the scenario, e.g. processor.servers=2 or policy.FCFS.queue=pifo
    #[arg(long, value_name = "KEY=VALUE")]
    pub(crate) set: Vec<String>,
    /// Replace the seed of the scenario
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = seed())]
    pub(crate) seed: Option<u64>,
    /// Search for the attack that does the most harm to each policy, with packets of any kind
    #[arg(long)]
    pub(crate) search: bool,
    /// Search for this long on one core, for all policies and rates together, e.g. 90s, 30m or 2h [default: 1m]
    #[arg(long, value_name = "TIME", requires = "search", conflicts_with = "generations", allow_negative_numbers = true, value_parser = cpu_time)]
    pub(crate) cpu_time: Option<Duration>,
    /// Search for this many generations for each policy and rate, which gives the same result on every machine
    #[arg(long, value_name = "N", requires = "search", allow_negative_numbers = true, value_parser = whole::<u64>(1..=1_000_000))]
    pub(crate) generations: Option<u64>,
    /// Print this command as a scenario in TOML, for `forebay run`, and run nothing
    #[arg(long, conflicts_with = "search")]
    pub(crate) print_scenario: bool,
    /// Write result.json, result.csv, summary.csv, manifest.json, plots (SVG) and every finished run into this folder. A search
    /// writes the attacks that it found, and the example writes its scenario.toml as well
    #[arg(long, value_name = "DIR")]
    pub(crate) out: Option<PathBuf>,
    /// Write a report as one self-contained HTML page: scenario, table, interactive plots, warnings (docs/report.md)
    #[arg(long, value_name = "FILE.html", conflicts_with = "search")]
    pub(crate) report: Option<PathBuf>,
    /// Compare the other policies with this one, repetition by repetition: in the table, in summary.csv and in the report
    #[arg(long, value_name = "POLICY", conflicts_with = "search")]
    pub(crate) baseline: Option<String>,
    /// How to print the result
    #[arg(long, value_enum, default_value_t = Format::Table)]
    pub(crate) format: Format,
    #[command(flatten)]
    pub(crate) resources: ResourceArgs,
}

/// A time with a unit.
fn cpu_time(text: &str) -> Result<Duration, WrongValue> {
    let wrong = || WrongValue::from(format!("`{text}` is not a time from 1s to 1000h; write it like 90s, 30m or 2h"));
    let units = [('s', 1.0), ('m', 60.0), ('h', 3_600.0)];
    let (number, seconds) =
        units.iter().find_map(|&(unit, seconds)| Some((text.strip_suffix(unit)?, seconds))).ok_or_else(wrong)?;
    let number: f64 = number.trim().parse().map_err(|_| wrong())?;
    let seconds = number * seconds;
    if (1.0..=3.6e6).contains(&seconds) { Ok(Duration::from_secs_f64(seconds)) } else { Err(wrong()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_have_a_unit() {
        for (text, seconds) in [("90s", 90), ("30m", 1_800), ("1.5h", 5_400), ("1 s", 1)] {
            assert_eq!(cpu_time(text), Ok(Duration::from_secs(seconds)));
        }
        for text in ["", "s", "90", "0s", "-1m", "1e9h", "NaNs", "30min"] {
            assert!(cpu_time(text).is_err_and(|error| error.to_string().contains("30m")), "{text}");
        }
    }
}
