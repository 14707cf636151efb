//! How the gradient algorithm of SP-PIFO (appendix A.4) converges: the unpifoness
//! of each window, of the bounds used in it, on uniform ranks.

use super::{Experiment, MeasureEntry, Measured};
use crate::drawing::{Line, one_panel};
use forebay::Observer;
use forebay::error::Result;
use forebay::figure::{Axis, Unit};
use forebay_core::{About, Exactness, Rng, Seed};
use forebay_sched::queues::optimal_bounds;
use forebay_sched::queues::unpifoness::{Histogram, converge, step};
use rand::RngExt;

pub(crate) const ENTRY: MeasureEntry = MeasureEntry {
    about: About {
        name: "convergence",
        title: "Unpifoness of SP-PIFO's gradient algorithm, window by window",
        exactness: Exactness::NotApplicable,
        hardware: "none",
        cost: "1,500 windows of uniform ranks",
        source: "SP-PIFO, NSDI'20, appendix A.2 and A.4",
        params: &[],
    },
    run,
    missing: || None,
};

/// Windows that are looked at.
const WINDOWS: usize = 1_500;
/// The mean of the last ones is where the algorithm has converged to.
const LAST: usize = 300;
/// Converged: within this share of what the last windows have.
const NEAR: f64 = 1.1;

/// One line of a figure.
#[derive(Debug, Clone, Copy)]
struct Setting {
    queues: usize,
    /// Ranks are uniform from 0 to this.
    max_rank: u64,
    /// Packets in a window.
    window: usize,
    rule: Rule,
    /// Bounds at the start: all 0, or drawn anew so many times, with the mean of all.
    random_starts: usize,
}

/// How the bounds change after a window.
#[derive(Debug, Clone, Copy)]
enum Rule {
    /// One step, if it lowers the unpifoness (the text of section 3 and appendix A).
    OneStep,
    /// Steps until none lowers it.
    ToTheEnd,
    /// One step as Algorithm 2 is printed: up also if that changes nothing.
    AsPrinted,
}

const USUAL: Setting = Setting { queues: 8, max_rank: 100, window: 1_000, rule: Rule::OneStep, random_starts: 0 };

/// What each figure varies: the figure's name, its settings, each with its label.
fn figures() -> Vec<(&'static str, Vec<(String, Setting)>)> {
    let windows = [50, 100, 200, 500, 1_000, 7_000];
    vec![
        (
            "step",
            [("one step", Rule::OneStep), ("to the end", Rule::ToTheEnd)]
                .map(|(name, rule)| (name.to_owned(), Setting { rule, ..USUAL }))
                .into(),
        ),
        ("window", windows.map(|window| (format!("window {window}"), Setting { window, ..USUAL })).into()),
        (
            "printed",
            windows
                .map(|window| (format!("window {window}"), Setting { window, rule: Rule::AsPrinted, ..USUAL }))
                .into(),
        ),
        (
            "queues",
            [8, 16, 32]
                .map(|queues| (format!("{queues} queues"), Setting { queues, random_starts: 25, ..USUAL }))
                .into(),
        ),
        (
            "ranks",
            [100, 200, 500, 1_000]
                .map(|max_rank| (format!("ranks to {max_rank}"), Setting { max_rank, ..USUAL }))
                .into(),
        ),
    ]
}

fn run(experiment: &Experiment, seed: Seed, observer: &dyn Observer) -> Result<Measured> {
    let mut measured = Measured::default();
    for (figure, settings) in figures() {
        if !experiment.rows.iter().any(|row| row.formula.begins_with(figure)) {
            continue;
        }
        let mut lines: Vec<Line> = Vec::new();
        for (label, setting) in settings {
            if !observer.goes_on() {
                return Ok(measured);
            }
            let rng = &mut seed.stream(&format!("{figure}/{label}"));
            let courses: Vec<_> = (0..setting.random_starts.max(1)).map(|_| course(setting, rng)).collect();
            let last = mean(courses.iter().map(|course| mean(end(course))));
            let converged = mean(courses.iter().map(|course| windows_to_converge(course) as f64));
            let name = |what: &str| format!("{figure}: {label}: {what}");
            measured.value(name("last"), last);
            measured.value(name("optimum"), optimum(setting));
            measured.value(name("windows to converge"), converged);
            measured.value(name("packets to converge"), converged * setting.window as f64);
            lines.push((label, (0..).map(f64::from).zip(courses[0].iter().copied()).collect()));
        }
        let axes = [&Axis::linear("window", Unit::Plain), &Axis::logarithmic("unpifoness", Unit::Plain)];
        measured.draw(figure, "time-series", one_panel("Unpifoness of each window", axes, lines))?;
    }
    Ok(measured)
}

/// The unpifoness of each window under the bounds used in it. As in the paper's
/// Algorithm 2 the bounds change after the window.
fn course(setting: Setting, rng: &mut Rng) -> Vec<f64> {
    // At 0, as in SP-PIFO, every packet is in the last queue.
    let mut bounds = vec![0; setting.queues];
    if setting.random_starts > 0 {
        bounds[1..].fill_with(|| rng.random_range(0..=setting.max_rank));
        bounds.sort_unstable();
    }
    let mut ranks = vec![0; setting.window];
    let windows = (0..WINDOWS).map(|_| {
        ranks.fill_with(|| rng.random_range(0..=setting.max_rank));
        let window = Histogram::of_ranks(&mut ranks);
        let unpifoness = window.expected_unpifoness(&bounds);
        match setting.rule {
            Rule::OneStep => {
                step(&mut bounds, &window);
            }
            Rule::ToTheEnd => {
                converge(&mut bounds, &window);
            }
            Rule::AsPrinted => step_as_printed(&mut bounds, &window),
        }
        unpifoness
    });
    windows.collect()
}

/// The function UPDATEMAPPING of Algorithm 2, word by word.
fn step_as_printed(bounds: &mut [u64], window: &Histogram) {
    for queue in 0..bounds.len() {
        // A step that would unsort the bounds is no choice.
        let change = window.risk_change(bounds, queue);
        let (up, down) = (change.up.unwrap_or(i128::MAX), change.down.unwrap_or(i128::MAX));
        if up <= 0 && up <= down {
            bounds[queue] += 1;
        } else if down <= 0 && down < up {
            bounds[queue] -= 1;
        }
    }
}

/// The least unpifoness that any bounds have on the distribution itself.
fn optimum(setting: Setting) -> f64 {
    let distribution = Histogram::of_counts((0..=setting.max_rank).map(|rank| (rank, 1)));
    distribution.expected_unpifoness(&optimal_bounds(&distribution, setting.queues))
}

/// The windows at the end of a course.
fn end(course: &[f64]) -> impl Iterator<Item = f64> {
    course[WINDOWS - LAST..].iter().copied()
}

/// The first window near where the course ends.
fn windows_to_converge(course: &[f64]) -> usize {
    let last = mean(end(course));
    course.iter().position(|&unpifoness| unpifoness <= NEAR * last).unwrap_or(WINDOWS)
}

fn mean(values: impl Iterator<Item = f64>) -> f64 {
    let (sum, count) = values.fold((0.0, 0_u32), |(sum, count), value| (sum + value, count + 1));
    sum / f64::from(count)
}
