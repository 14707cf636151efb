//! The history of speed: comparing, keeping and drawing the lines of `make bench` (docs/perf/history.md).

mod compare;
mod draw;
mod history;
mod page;

use crate::files::{ChoreResult, root};
use forebay_bench::Line;
use std::fs;

/// The measurements of the last `make bench`.
const MEASURED: &str = "target/bench/lines.jsonl";
/// The numbers kept of each commit.
const KEPT: &str = "docs/perf/history.jsonl";

/// Names the cases whose instruction counts grew.
pub(crate) fn compare() -> ChoreResult<String> {
    compare::compare(&kept()?, &measured()?)
}

/// Adds the measured lines to the kept ones.
pub(crate) fn keep() -> ChoreResult<String> {
    let measured = measured()?;
    history::check_commits(MEASURED, &measured)?;
    let all = history::merged(kept()?, &measured);
    let text: String = all.iter().map(|line| line.to_json() + "\n").collect();
    fs::write(root().join(KEPT), text).map_err(|error| vec![format!("{KEPT}: {error}")])?;
    Ok(format!("{KEPT}: {} lines of this run, {} in all", measured.len(), all.len()))
}

/// Draws the kept lines, and writes the table of the page.
pub(crate) fn draw() -> ChoreResult<String> {
    let kept = kept()?;
    if kept.is_empty() {
        return Err(vec![format!("{KEPT}: there are no lines; run `make bench`, then `make bench-keep`")]);
    }
    let figures = draw::draw(&kept)?;
    page::write(&kept)?;
    Ok(format!("{figures} figures, and the table of {}", page::PAGE))
}

/// The kept lines, none if there is no file.
fn kept() -> ChoreResult<Vec<Line>> {
    match fs::read_to_string(root().join(KEPT)) {
        Ok(text) => history::parse(KEPT, &text),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(Vec::new()),
        Err(error) => Err(vec![format!("{KEPT}: {error}")]),
    }
}

fn measured() -> ChoreResult<Vec<Line>> {
    let text = fs::read_to_string(root().join(MEASURED));
    let text = text.map_err(|error| vec![format!("{MEASURED}: {error}; run `make bench` first")])?;
    let lines = history::parse(MEASURED, &text)?;
    if lines.is_empty() {
        return Err(vec![format!("{MEASURED}: there are no lines; install valgrind, and run `make bench`")]);
    }
    Ok(lines)
}
