//! One line of JSON for each number of a benchmark, so that commits can be compared.
//!
//! A benchmark gives its instruction counts and ratios to [`Bench`], which returns the text for its table. If the
//! environment variable [`LINES`] names a file, [`Bench`] also appends a [`Line`] to this file. Times depend on the load
//! of the machine, so they have no unit here.

mod line;
mod measured;

pub use line::{Line, Unit};
pub use measured::Measured;

use std::fs::OpenOptions;
use std::io::Write;
use std::path::Path;

/// The environment variable with the absolute path of the file that lines are appended to.
pub const LINES: &str = "FOREBAY_BENCH_LINES";

/// A benchmark, which prints and appends each number.
#[derive(Debug, Clone, Copy)]
pub struct Bench {
    /// The crate of the benchmark.
    pub package: &'static str,
    /// The benchmark's name in the manifest of the crate.
    pub name: &'static str,
}

impl Bench {
    /// Returns the text of an instruction count, "no valgrind" without a count. Appends a line for a count.
    #[must_use]
    pub fn instructions(&self, case: &str, count: Option<f64>) -> String {
        let Some(count) = count else { return "no valgrind".to_owned() };
        self.keep(case, Unit::Instructions, count);
        // Below this, a rounding of one half is not much less than the growth that is looked for.
        if count < 100.0 { format!("{count:.1}") } else { format!("{count:.0}") }
    }

    /// Returns the text of a ratio to another case or program. Appends a line for a finite ratio.
    #[must_use]
    pub fn ratio(&self, case: &str, ratio: f64) -> String {
        if ratio.is_finite() {
            self.keep(case, Unit::Ratio, ratio);
        }
        if ratio < 1.0 { format!("{ratio:.3}") } else { format!("{ratio:.2}") }
    }

    /// Appends a line. Ends the program if that fails, since a missing line would look like a case that is no longer measured.
    fn keep(&self, case: &str, unit: Unit, value: f64) {
        let Some(file) = std::env::var_os(LINES) else { return };
        if let Err(problem) = self.append(Path::new(&file), case, unit, value) {
            #[expect(clippy::print_stderr, reason = "a benchmark has no caller to return the error to")]
            {
                eprintln!("error: {problem}");
            }
            std::process::exit(1);
        }
    }

    fn append(&self, file: &Path, case: &str, unit: Unit, value: f64) -> Result<(), String> {
        let Measured { commit, date } = Measured::now()?;
        let [package, bench, case] = [self.package, self.name, case].map(str::to_owned);
        let line = Line { package, bench, case, unit, value: unit.rounded(value), commit, date };
        let open = OpenOptions::new().create(true).append(true).open(file);
        open.and_then(|mut open| writeln!(open, "{}", line.to_json())).map_err(|error| {
            format!("{}: {error}; set {LINES} to the absolute path of a file that can be written", file.display())
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const BENCH: Bench = Bench { package: "forebay-sched", name: "rank_queues" };

    #[test]
    fn a_count_has_one_decimal_only_where_it_is_small() {
        assert_eq!(BENCH.instructions("fifo", Some(79.24)), "79.2");
        assert_eq!(BENCH.instructions("fifo", Some(1196.4)), "1196");
        assert_eq!(BENCH.instructions("fifo", None), "no valgrind");
        assert_eq!(BENCH.ratio("fifo", 1.204), "1.20");
        assert_eq!(BENCH.ratio("fifo", 0.0454), "0.045");
    }

    #[test]
    fn a_file_that_cannot_be_written_is_named() {
        let problem = BENCH.append(Path::new("/nowhere/lines.jsonl"), "fifo", Unit::Ratio, 1.0);
        let problem = problem.expect_err("there is no such folder");
        assert!(problem.contains("/nowhere/lines.jsonl") || problem.contains("git"), "{problem}");
    }
}
