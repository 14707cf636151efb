//! The command line.

use clap::{Parser, ValueEnum};
use forebay_core::Duration;
use forebay_matcher::{MatcherPolicy, Setup};
use std::fmt;
use std::path::PathBuf;

/// Measure how much goodput a real two-stage matcher keeps under attack, with each scheduler in front of it.
///
/// The rules of a web application firewall run through Vectorscan and PCRE2. The program searches for payloads that are
/// slow to match, and then sends them among innocent ones. Results hold for the machine that runs it.
#[derive(Debug, Parser)]
#[command(name = "forebay-matcher", version, max_term_width = 100)]
pub(crate) struct Args {
    /// ModSecurity rule files, or folders of files that end in .conf [default: Debian's modsecurity-crs]
    #[arg(long, value_name = "FILE|DIR", num_args = 1..)]
    pub(crate) rules: Vec<PathBuf>,
    /// File of innocent payloads: one per line, or separated by NUL bytes if there are any [default: 4,000 generated HTTP requests]
    #[arg(long, value_name = "FILE")]
    pub(crate) payloads: Option<PathBuf>,
    /// A scheduler to measure: fcfs, fq, wsjf-published, wsjf-budget or wsjf-learned (docs/matcher.md); may be given
    /// several times [default: all]
    #[arg(long, value_name = "NAME", value_parser = policy)]
    pub(crate) policy: Vec<MatcherPolicy>,
    /// Innocent load, as a share of the matcher's capacity
    #[arg(long, value_name = "SHARE", default_value_t = 0.8, allow_negative_numbers = true, value_parser = |text: &str| number(text, 0.01, 2.0))]
    pub(crate) load: f64,
    /// Attack load, in bits of the attacker per innocent bit
    #[arg(long, value_name = "SHARE", default_value_t = 0.01, allow_negative_numbers = true, value_parser = |text: &str| number(text, 1e-6, 1.0))]
    pub(crate) attack_share: f64,
    /// Repetitions, each with traffic of its own
    #[arg(long, value_name = "N", default_value_t = 3, allow_negative_numbers = true, value_parser = seeds)]
    pub(crate) seeds: u64,
    /// Seconds of CPU time whose arrivals are counted. As many seconds for learning precede them, and four times as many
    /// follow in which to serve the arrivals
    #[arg(long, value_name = "SECONDS", default_value_t = 1.0, allow_negative_numbers = true, value_parser = |text: &str| number(text, 0.001, 1e3))]
    pub(crate) seconds: f64,
    /// CPU time of the search for attacks, in seconds
    #[arg(long, value_name = "SECONDS", default_value_t = 20.0, allow_negative_numbers = true, value_parser = |text: &str| number(text, 0.001, 1e5))]
    pub(crate) search: f64,
    /// File in which attacks are kept, so that the next run need not search [default: target/matcher/attacks.json]
    #[arg(long, value_name = "FILE")]
    pub(crate) attacks: Option<PathBuf>,
    /// Format of the result
    #[arg(long, value_enum, default_value_t = Format::Table)]
    pub(crate) format: Format,
}

/// How results are printed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    /// For people
    Table,
    /// For programs; notes go to the standard error
    Json,
}

impl Args {
    /// Loads and times.
    pub(crate) fn setup(&self) -> Setup {
        Setup {
            load: self.load,
            attack_share: self.attack_share,
            // An attack that runs for half a second lets 25,000 payloads arrive until all of them are filtered.
            queue: 65_536,
            learning: Duration::from_secs_f64(self.seconds),
            counted: Duration::from_secs_f64(self.seconds),
            grace: Duration::from_secs_f64(4.0 * self.seconds),
        }
    }

    /// The schedulers, in the order of tables.
    pub(crate) fn policies(&self) -> impl Iterator<Item = MatcherPolicy> {
        MatcherPolicy::ALL.into_iter().filter(|policy| self.policy.is_empty() || self.policy.contains(policy))
    }
}

/// Why a text is no value of an argument.
#[derive(Debug)]
struct WrongArgument(String);

impl std::error::Error for WrongArgument {}

impl fmt::Display for WrongArgument {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

fn policy(text: &str) -> Result<MatcherPolicy, WrongArgument> {
    MatcherPolicy::ALL.into_iter().find(|policy| policy.name() == text).ok_or_else(|| {
        let names: Vec<&str> = MatcherPolicy::ALL.iter().map(|policy| policy.name()).collect();
        WrongArgument(format!("there is no such policy; take {}", names.join(", ")))
    })
}

fn number(text: &str, least: f64, most: f64) -> Result<f64, WrongArgument> {
    let number = text.trim().parse().ok().filter(|number| (least..=most).contains(number));
    number.ok_or_else(|| WrongArgument(format!("it must be a number from {least} to {most}")))
}

fn seeds(text: &str) -> Result<u64, WrongArgument> {
    let number = text.trim().parse().ok().filter(|number| (1..=1_000).contains(number));
    number.ok_or_else(|| WrongArgument("it must be a whole number from 1 to 1000".to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory as _;

    #[test]
    fn the_command_line_is_consistent() {
        Args::command().debug_assert();
    }

    #[test]
    fn the_help_names_every_policy() {
        let help = Args::command().render_long_help().to_string();
        assert!(MatcherPolicy::ALL.iter().all(|policy| help.contains(policy.name())), "{help}");
    }

    #[test]
    fn policies_are_found_by_name_and_keep_their_order() {
        let args = Args::parse_from(["x", "--policy", "wsjf-learned", "--policy", "fcfs"]);
        assert_eq!(args.policies().collect::<Vec<_>>(), [MatcherPolicy::Fcfs, MatcherPolicy::WsjfLearned]);
        assert_eq!(Args::parse_from(["x"]).policies().count(), MatcherPolicy::ALL.len());
    }

    #[test]
    fn a_wrong_value_hears_what_is_allowed() {
        for (option, values, allowed) in [
            ("--load", &["-1", "0", "x", "NaN", "3"][..], "a number from 0.01 to 2"),
            ("--attack-share", &["-1", "2"], "a number from 0.000001 to 1"),
            ("--seeds", &["-1", "0", "1.5", ""], "a whole number from 1 to 1000"),
            ("--policy", &["lifo"], "take fcfs, fq, wsjf-published"),
        ] {
            for value in values {
                let error = Args::try_parse_from(["x", option, value]).unwrap_err().to_string();
                assert!(error.contains(allowed) && error.contains(option), "{error}");
            }
        }
    }
}
