//! The messages while parts run, and the table at the end.

use super::command::log;
use super::part::{End, Ended, Part};
use super::schedule::Listener;
use std::collections::{BTreeMap, BTreeSet};
use std::time::Instant;

/// Reports on the terminal when parts begin and end.
pub(crate) struct Terminal {
    begin: Instant,
    all: usize,
    over: usize,
    running: BTreeMap<&'static str, (Part, Instant)>,
}

impl Terminal {
    /// Of so many parts.
    pub(crate) fn new(all: usize) -> Self {
        Self { begin: Instant::now(), all, over: 0, running: BTreeMap::new() }
    }

    fn say(&self, what: &str) {
        println!("[{:>2}/{} {:>5.0} s] {what}", self.over, self.all, self.begin.elapsed().as_secs_f64());
    }

    /// Since the first part began.
    pub(crate) fn seconds(&self) -> f64 {
        self.begin.elapsed().as_secs_f64()
    }
}

impl Listener for Terminal {
    fn begun(&mut self, part: &Part) {
        self.running.insert(part.name, (*part, Instant::now()));
        self.say(&format!("{}: begins", part.name));
    }

    fn ended(&mut self, result: &Ended) {
        self.running.remove(result.part.name);
        self.over += 1;
        let name = result.part.name;
        if result.end == End::Passed {
            self.say(&format!("{name}: passed after {:.0} s", result.seconds));
            return;
        }
        println!("{}", result.output.trim_end());
        self.say(&format!("{name}: FAILED after {:.0} s; its output stands above", result.seconds));
    }

    fn still_running(&mut self) {
        for (part, since) in self.running.values() {
            let output = std::fs::read_to_string(log(*part)).unwrap_or_default();
            let last = output.lines().rfind(|line| !line.trim().is_empty()).unwrap_or("nothing printed yet");
            let last: String = last.trim().chars().take(100).collect();
            self.say(&format!("{}: running for {:.0} s: {last}", part.name, since.elapsed().as_secs_f64()));
        }
    }
}

/// A line for each part, those that were skipped within them, and the sums.
pub(crate) fn table(results: &[Ended], seconds: f64) -> String {
    let width = results.iter().map(|result| result.part.name.len()).max().unwrap_or(0).max("all together".len());
    let mut lines = vec![format!("{:width$}  {:>7}  {:>7}  outcome", "part", "seconds", "CPU s")];
    for result in results {
        let name = result.part.name;
        let cpu = result.cpu_seconds.map_or_else(|| "-".to_owned(), |seconds| format!("{seconds:.0}"));
        lines.push(match result.end {
            End::NotRun => format!(
                "{name:width$}  {:>7}  {:>7}  not run: {} has not passed",
                "-",
                "-",
                result.part.after.join(" or ")
            ),
            end => format!(
                "{name:width$}  {:>7.0}  {cpu:>7}  {}",
                result.seconds,
                if end == End::Passed { "passed" } else { "FAILED" }
            ),
        });
    }
    let cpu: f64 = results.iter().filter_map(|result| result.cpu_seconds).sum();
    lines.push(format!("{:width$}  {seconds:>7.0}  {cpu:>7.0}", "all together"));
    for result in results {
        let skipped: BTreeSet<&str> = result.output.lines().filter(|line| line.starts_with("skipped: ")).collect();
        lines.extend(skipped.into_iter().map(|line| format!("{}: {line}", result.part.name)));
    }
    lines.join("\n")
}

/// How many tests cargo's and pytest's closing lines count.
pub(crate) fn tests_passed(results: &[Ended]) -> u64 {
    let count = |line: &str| -> Option<u64> {
        let (before, _) = line.split_once(" passed")?;
        before.rsplit([' ', '=']).next()?.parse().ok()
    };
    let is_total = |line: &&str| line.starts_with("test result: ") || line.trim_matches('=').contains(" passed in ");
    results.iter().flat_map(|result| result.output.lines().filter(is_total)).filter_map(count).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ended(name: &'static str, end: End, output: &str) -> Ended {
        let part = Part { name, about: "", command: &[], after: &["first"], cores: 1 };
        Ended { part, end, seconds: 61.4, cpu_seconds: Some(90.0), output: output.to_owned() }
    }

    #[test]
    fn the_table_names_what_failed_what_was_not_run_and_what_was_skipped() {
        let results = [
            ended("one", End::Passed, "a\nskipped: a kernel (no network)\n"),
            ended("two", End::Failed, ""),
            ended("three", End::NotRun, ""),
        ];
        let table = table(&results, 70.0);
        for line in [
            "one                61       90  passed",
            "two                61       90  FAILED",
            "three               -        -  not run: first has not passed",
            "all together       70      270",
            "one: skipped: a kernel (no network)",
        ] {
            assert!(table.lines().any(|there| there == line), "{line}\n{table}");
        }
    }

    #[test]
    fn closing_lines_of_cargo_and_pytest_are_counted() {
        let cargo = "test result: ok. 108 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out; finished in 3.64s";
        let pytest = "12 passed in 3.20s";
        let results = [ended("one", End::Passed, &format!("{cargo}\n{pytest}\nall passed\n"))];
        assert_eq!(tests_passed(&results), 120);
    }
}
