//! How the gradient algorithm of SP-PIFO (appendix A.4) converges: the unpifoness
//! of each window, of the bounds used in it, on uniform ranks.

use super::{Experiment, MeasureEntry, Measured};
use crate::drawing::{Line, one_panel};
use forebay::Observer;
use forebay::error::Result;
use forebay::figure::{Axis, Unit};
use forebay_core::{About, Exactness, Rng, Seed};
use forebay_sched::queues::optimal_bounds;
use forebay_sched::queues::unpifoness::{Histogram, converge, step, step_to_next};
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
/// Windows of 1,000 packets in a second of the authors' single link, by their counts.
const SECOND: usize = 1_021;
/// The mean of the last ones is where the algorithm has converged to.
const LAST: usize = 300;
/// Converged: within this share of what the last windows have.
const NEAR: f64 = 1.1;

/// One line of a figure.
#[derive(Debug, Clone, Copy)]
struct Setting {
    queues: usize,
    /// Ranks are from 0 to this.
    max_rank: u64,
    ranks: Ranks,
    /// Packets in a window.
    window: usize,
    rule: Rule,
    start: Start,
}

/// How ranks are distributed.
#[derive(Debug, Clone, Copy)]
enum Ranks {
    Uniform,
    /// Those that the authors' link accepts of uniform ones.
    Accepted,
}

/// The authors' link accepts about 1,050 packets of each rank in a second, and about 770 of each rank from this on.
const FEWER_FROM: u64 = 84;
const ACCEPTED: (u64, u64) = (1_050, 770);

impl Ranks {
    /// In proportion to the frequency of this rank.
    fn weight(self, rank: u64) -> u64 {
        match self {
            Self::Uniform => 1,
            Self::Accepted if rank < FEWER_FROM => ACCEPTED.0,
            Self::Accepted => ACCEPTED.1,
        }
    }

    fn draw(self, max_rank: u64, rng: &mut Rng) -> u64 {
        loop {
            let rank = rng.random_range(0..=max_rank);
            let is_taken = match self {
                Self::Uniform => true,
                Self::Accepted => rng.random_range(0..ACCEPTED.0) < self.weight(rank),
            };
            if is_taken {
                return rank;
            }
        }
    }
}

/// Where the bounds are at first.
#[derive(Debug, Clone, Copy)]
enum Start {
    /// All at 0.
    Zero,
    /// At 1, 2, 3 and so on. The mean of 25 courses, each with other ranks.
    Successive,
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
    /// To the next rank of the window, all bounds at a time (what the authors' counts of ranks by queue fit).
    Next,
}

const USUAL: Setting =
    Setting { queues: 8, max_rank: 100, ranks: Ranks::Uniform, window: 1_000, rule: Rule::OneStep, start: Start::Zero };

/// What is known of the authors' set-up: ranks 0 to 99, bounds from 1 on, to the next rank.
const AUTHORS: Setting = Setting { max_rank: 99, rule: Rule::Next, start: Start::Successive, ..USUAL };

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
                .map(|queues| (format!("{queues} queues"), Setting { queues, ..AUTHORS }))
                .into_iter()
                .chain([("accepted ranks".to_owned(), Setting { ranks: Ranks::Accepted, ..AUTHORS })])
                .collect(),
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
        if !experiment.asks_for(figure) {
            continue;
        }
        let mut lines: Vec<Line> = Vec::new();
        for (label, setting) in settings {
            if !observer.goes_on() {
                return Ok(measured);
            }
            let rng = &mut seed.stream(&format!("{figure}/{label}"));
            let count = match setting.start {
                Start::Zero => 1,
                Start::Successive => 25,
            };
            let mut shares = [0.0; 2];
            let courses: Vec<_> = (0..count).map(|_| course(setting, rng, &mut shares)).collect();
            let last = mean(courses.iter().map(|course| mean(end(course))));
            let converged = mean(courses.iter().map(|course| windows_to_converge(course) as f64));
            let name = |what: &str| format!("{figure}: {label}: {what}");
            measured.value(name("last"), last);
            measured.value(name("optimum"), optimum(setting));
            measured.value(name("windows to converge"), converged);
            measured.value(name("packets to converge"), converged * setting.window as f64);
            measured.value(name("share of the first queue"), shares[0] / f64::from(count));
            measured.value(name("share of the last queue"), shares[1] / f64::from(count));
            lines.push((label, (0..).map(f64::from).zip(courses[0].iter().copied()).collect()));
        }
        let axes = [&Axis::linear("window", Unit::Plain), &Axis::logarithmic("unpifoness", Unit::Plain)];
        measured.draw(figure, "time-series", one_panel("Unpifoness of each window", axes, lines))?;
    }
    Ok(measured)
}

/// The unpifoness of each window under the bounds used in it. As in the paper's
/// Algorithm 2 the bounds change after the window. Adds to `shares` which shares of the packets of a second go to the
/// first queue and to the last.
fn course(setting: Setting, rng: &mut Rng, shares: &mut [f64; 2]) -> Vec<f64> {
    // At 0, as in SP-PIFO, every packet is in the last queue.
    let mut bounds = vec![0; setting.queues];
    if matches!(setting.start, Start::Successive) {
        // The first queue takes what is below the second.
        bounds[1..].iter_mut().zip(2..).for_each(|(bound, at)| *bound = at);
    }
    let mut ranks = vec![0; setting.window];
    let windows = (0..WINDOWS).map(|number| {
        ranks.fill_with(|| setting.ranks.draw(setting.max_rank, rng));
        let window = Histogram::of_ranks(&mut ranks);
        if number < SECOND {
            // The ranks are sorted now.
            let below = |bound: u64| ranks.partition_point(|&rank| rank < bound) as f64 / (ranks.len() * SECOND) as f64;
            shares[0] += below(bounds[1]);
            shares[1] += 1.0 / SECOND as f64 - below(bounds[setting.queues - 1]);
        }
        let unpifoness = window.expected_unpifoness(&bounds);
        match setting.rule {
            Rule::OneStep => {
                step(&mut bounds, &window);
            }
            Rule::ToTheEnd => {
                converge(&mut bounds, &window);
            }
            Rule::AsPrinted => step_as_printed(&mut bounds, &window),
            Rule::Next => {
                step_to_next(&mut bounds, &window);
            }
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
    let distribution = Histogram::of_counts((0..=setting.max_rank).map(|rank| (rank, setting.ranks.weight(rank))));
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
