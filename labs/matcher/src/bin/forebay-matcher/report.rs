//! The output: tables while they are measured, or one JSON document at the end.

use crate::Result;
use crate::args::Format;
use crate::measure::Compared;
use forebay_core::Duration;
use forebay_matcher::{Attack, Comparison, MatcherPolicy, Setup, TwoStage, variety};
use serde::Serialize;
use statrs::distribution::{ContinuousCDF, StudentsT};
use std::fmt;

/// Attacks in the table.
const SHOWN: usize = 12;

/// Near a load of 1 everything that is slower than it was displaces something.
const HIGH_LOAD: f64 = 0.95;

/// With fewer attack bytes than this, some ten payloads, displacement is noise.
const FEWEST_BYTES: f64 = 10_000.0;

/// A mean, and half the width of its 95 % confidence interval; none for a single value.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
struct Interval {
    mean: f64,
    ci: Option<f64>,
}

impl Interval {
    fn of(values: &[f64]) -> Self {
        let count = values.len() as f64;
        let mean = values.iter().sum::<f64>() / count;
        let squares: f64 = values.iter().map(|value| (value - mean).powi(2)).sum();
        let student = StudentsT::new(0.0, 1.0, count - 1.0).ok();
        let ci = student.map(|student| student.inverse_cdf(0.975) * (squares / (count - 1.0) / count).sqrt());
        Self { mean, ci }
    }
}

impl fmt::Display for Interval {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let decimals = f.precision().unwrap_or(2);
        let text = match self.ci {
            Some(ci) => format!("{:.decimals$} +- {ci:.decimals$}", self.mean),
            None => format!("{:.decimals$}", self.mean),
        };
        let width = f.width().unwrap_or(0);
        write!(f, "{text:>width$}")
    }
}

/// A scheduler under an attack.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct Row {
    policy: &'static str,
    attack: &'static str,
    /// Innocent load that was wanted.
    load: f64,
    attack_share: f64,
    baseline_mbps: Interval,
    goodput_mbps: Interval,
    /// Innocent bytes lost for each byte of the attacker.
    displacement: Interval,
    /// Share of its time that the worker worked without the attack.
    baseline_load: f64,
    /// Share of its time that the worker worked on the attack.
    attack_load: f64,
    /// Longest time that the worker spent on one job without looking at arrivals.
    longest_us: f64,
    /// What arrived of the attack, counted and on average.
    attack_bytes: f64,
    seeds: usize,
    /// Repetitions in which the machine changed its pace.
    disturbed: usize,
}

impl Row {
    pub(crate) fn new(policy: MatcherPolicy, attack: &'static str, setup: &Setup, compared: &[Compared]) -> Self {
        let all = |value: &dyn Fn(&Comparison) -> f64| -> Interval {
            Interval::of(&compared.iter().map(|one| value(&one.comparison)).collect::<Vec<_>>())
        };
        let megabits = |bytes: u64| bytes as f64 * 8e-6 / setup.counted.as_secs_f64();
        let attack_load =
            |one: &Comparison| one.attacked.attack_work.as_secs_f64() / one.attacked.end.as_secs_f64().max(1e-12);
        let longest = compared.iter().map(|one| one.comparison.attacked.longest).max().unwrap_or(Duration::ZERO);
        Self {
            policy: policy.name(),
            attack,
            load: setup.load,
            attack_share: setup.attack_share,
            baseline_mbps: all(&|one| megabits(one.baseline.innocent_served)),
            goodput_mbps: all(&|one| megabits(one.attacked.innocent_served)),
            displacement: all(&Comparison::displacement),
            baseline_load: all(&|one| one.baseline.load()).mean,
            attack_load: all(&attack_load).mean,
            longest_us: longest.as_ns_f64() / 1e3,
            attack_bytes: all(&|one| one.attacked.attack as f64).mean,
            seeds: compared.len(),
            disturbed: compared.iter().filter(|one| one.is_disturbed).count(),
        }
    }

    /// What makes the row doubtful.
    fn warnings(&self) -> Vec<String> {
        let mut warnings = Vec::new();
        if self.disturbed > 0 {
            warnings.push(format!(
                "in {} of {} repetitions the machine became slower or faster; measure on a quiet one",
                self.disturbed, self.seeds
            ));
        }
        if self.baseline_load > HIGH_LOAD && self.load <= HIGH_LOAD {
            warnings.push(format!(
                "the load without attack was {:.2}; near 1 small changes displace much: give a lower --load",
                self.baseline_load
            ));
        }
        if self.attack_bytes < FEWEST_BYTES {
            warnings.push(format!(
                "the attacker has sent {:.0} B on average, too little to say what each has displaced; give a larger \
                 --attack-share or more --seconds",
                self.attack_bytes
            ));
        }
        warnings
    }
}

/// Prints in the chosen format.
pub(crate) struct Reporter {
    format: Format,
}

impl Reporter {
    pub(crate) fn new(format: Format) -> Self {
        Self { format }
    }

    /// The data that was read and measured on the way.
    pub(crate) fn note(&self, text: &str) {
        match self.format {
            Format::Table => println!("{text}"),
            Format::Json => eprintln!("{text}"),
        }
    }

    /// The worst attacks.
    pub(crate) fn attacks(&self, stages: &mut TwoStage, attacks: &[Attack]) {
        self.note(&format!(
            "{:>8} {:>6} {:>10} {:>7} {:>6} {:>10}  begins",
            "rule", "bytes", "us", "ns/B", "class", "candidates"
        ));
        let ids: Vec<u64> = stages.rules().map(|rule| rule.id.unwrap_or(0)).collect();
        for attack in attacks.iter().take(SHOWN) {
            let begin: String = attack.payload.iter().take(24).map(|byte| byte.escape_ascii().to_string()).collect();
            self.note(&format!(
                "{:>8} {:>6} {:>10} {:>7.0} {:>6} {:>10}  {begin}",
                ids.get(attack.rule as usize).copied().unwrap_or(0),
                attack.payload.len(),
                attack.cost.as_ns() / 1_000,
                attack.ns_per_byte(),
                variety(&attack.payload),
                stages.candidates(&attack.payload).len()
            ));
        }
    }

    /// The head of the table of schedulers.
    pub(crate) fn head(&self) {
        self.note(&format!(
            "{:<15} {:<7} {:>15} {:>15} {:>18} {:>8} {:>8} {:>10}",
            "policy", "attack", "baseline Mb/s", "goodput Mb/s", "displacement", "load", "attack", "longest"
        ));
    }

    /// A row, as soon as it is measured.
    pub(crate) fn row(&self, row: &Row) {
        self.note(&format!(
            "{:<15} {:<7} {:>15.1} {:>15.1} {:>18.2} {:>8.2} {:>8.2} {:>10}",
            row.policy,
            row.attack,
            row.baseline_mbps,
            row.goodput_mbps,
            row.displacement,
            row.baseline_load,
            row.attack_load,
            Duration::from_secs_f64(row.longest_us * 1e-6).to_string()
        ));
        row.warnings().iter().for_each(|warning| eprintln!("warning: {}, {}: {warning}", row.policy, row.attack));
    }

    /// All rows, for programs.
    pub(crate) fn end(&self, rows: Vec<Row>) -> Result<()> {
        if self.format == Format::Json {
            println!("{}", serde_json::to_string_pretty(&Document { rows })?);
        }
        Ok(())
    }
}

#[derive(Serialize)]
struct Document {
    rows: Vec<Row>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_interval_is_that_of_students_distribution() {
        let interval = Interval::of(&[1.0, 2.0, 3.0]);
        // t(0.975; 2) = 4.3027, standard error 1 / sqrt(3).
        assert!((interval.mean - 2.0).abs() < 1e-12);
        assert!(interval.ci.is_some_and(|ci| (ci - 2.484).abs() < 1e-3), "{interval:?}");
        assert_eq!(format!("{interval:>15.1}|"), "     2.0 +- 2.5|");
    }

    #[test]
    fn one_value_has_no_interval() {
        assert_eq!(Interval::of(&[4.0]), Interval { mean: 4.0, ci: None });
        assert_eq!(format!("{:>6.2}|", Interval::of(&[4.0])), "  4.00|");
    }
}
