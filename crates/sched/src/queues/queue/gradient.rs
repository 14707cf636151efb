//! Gradient: strict-priority FIFO queues whose bounds descend the gradient of unpifoness, window by window.
//!
//! SP-PIFO approximates this per packet; here the bounds depend on many packets. Every `window` packets, each bound moves by one rank if
//! that would have lowered the unpifoness of these packets. Four counters per bound are enough: for a step up and a step down, the cost in
//! one of its two queues and the gain in the other. Source: SP-PIFO (NSDI'20), section 3.2 and appendix A.2. See
//! [`unpifoness`](crate::queues::unpifoness) for the theory and the limit of the bounds.
//!
//! With `steps = "converge"` the bounds iterate over the window's whole histogram until no bound moves (Algorithm 2). The histogram stores
//! the ranks of the window only, whatever their values.
//!
//! With `steps = "next"` each bound moves in the same direction as with one step, but to the next rank in the window. So it crosses ranks
//! without packets in one step. All bounds move at once, based on their positions during the window.
//!
//! The paper's authors have published how many packets of each rank went to each queue in three runs. These counts fit
//! `start = "successive"`, `steps = "next"` and `counting = "accepted"` (experiments/sp-pifo/figure-5).
//!
//! What the paper leaves open:
//! - The bounds start spread evenly from 0 to `max_rank`, as fixed-bounds has them,
//!   or all at zero, as SP-PIFO has them, if `max_rank` is 0. From zero, a bound
//!   needs a window for each rank that it has to climb. Ranks above `max_rank` are
//!   ranks like others. With `start = "successive"` the bounds start at 1, 2, 3 and so on.
//! - The first bound stays at zero: the first queue holds the ranks below the second bound.
//! - Equation 16 scales a step's change of risk by the packets at the bound. The two directions never both lower the risk, so the sign
//!   decides, and the factor needs no counter. Without the factor a bound also crosses ranks without packets.
//! - A packet that then finds its queue full is counted like others, since a switch chooses the queue before it knows whether the queue is
//!   full. With `counting = "accepted"` it is not counted.
//!
//! The four counters of a bound hold the same information as the number and the sum of the ranks in each of its two queues. A bound moves
//! towards the mean of these ranks. With `cost = "constant"` all inversions cost the same (section 3.1), and a bound moves towards the
//! median.
//!
//! One step per window is slow where ranks are large: a bound that is a million
//! ranks away needs a million windows. Choose `rank_unit` so that the ranks span
//! hundreds, or `steps = "converge"`.

use super::fixed_bounds::even_bounds;
use crate::queues::entry::{BuiltQueue, QueueEntry};
use crate::queues::serve_from::serve_from;
use crate::queues::strict_priority::{Shape, StrictPriority};
use crate::queues::traits::{PushError, RankQueue};
use crate::queues::unpifoness::{Cost, Histogram, converge, step_to_next};
use forebay_core::params::ParamKind;
use forebay_core::{About, Counter, Exactness, ParamSpec, convert};

/// The registry's entry for [`Gradient`].
pub const ENTRY: QueueEntry = QueueEntry {
    about: About {
        name: "gradient",
        title: "Strict-priority FIFO queues whose bounds go down the gradient of unpifoness",
        exactness: Exactness::Approximate,
        hardware: "strict-priority queues and five registers per queue, all read at the end of a window; \
                   beyond today's programmable switches",
        cost: "O(queues) per push and pop; one slot per packet, a bound and four counters per queue. \
               With other steps than \"one\", 64 bytes per rank of the window, a sort and some iterations per window",
        source: "SP-PIFO, NSDI'20, section 3.2 and appendix A.2",
        params: &[
            Shape::QUEUES,
            Shape::QUEUE_PACKETS,
            ParamSpec {
                name: "window",
                kind: ParamKind::Integer { min: 1, max: 1 << 20, default: Some(1_000) },
                meaning: "packets after which the bounds move (k)",
            },
            ParamSpec::choice(
                "steps",
                &["one", "next", "converge"],
                "one",
                "move of each bound after a window: one: by one rank; next: to the next rank in the window; converge: until \
                 no bound moves",
            ),
            Cost::param("cost of an inversion (section 3.1): the distance of the two ranks; or constant: 1"),
            ParamSpec::choice(
                "counting",
                &["arriving", "accepted"],
                "arriving",
                "packets that a window counts: all; or those that find room",
            ),
            ParamSpec::choice(
                "start",
                &["even", "successive"],
                "even",
                "initial bounds: spread evenly up to max_rank; or successive: 1, 2, 3 and so on",
            ),
            ParamSpec {
                name: "max_rank",
                kind: ParamKind::Integer { min: 0, max: 1 << 62, default: Some(100) },
                meaning: "upper end of the initial bounds, which are spread evenly from 0 to this; ranks may be higher",
            },
        ],
    },
    build: |size, params| {
        let steps = match params.text("steps") {
            "converge" => Steps::Converge,
            "next" => Steps::Next,
            _ => Steps::One,
        };
        let counting = match params.text("counting") {
            "accepted" => Counting::Accepted,
            _ => Counting::Arriving,
        };
        let shape = Shape::from_params(size.packets, params)?;
        let number = |name: &str| params.integer(name).unwrap_or(0);
        let bounds = match params.text("start") {
            "successive" => successive_bounds(shape.queues),
            _ => even_bounds(shape.queues, number("max_rank")),
        };
        let window = convert::index(number("window"));
        let gradient = Gradient::new(bounds, shape.queue_capacity, window, steps)
            .counting(counting)
            .with_cost(Cost::from_params(params));
        Ok(BuiltQueue::SingleEnded(Box::new(gradient)))
    },
};

/// Returns the bounds 1, 2, 3 and so on. The first is 0, which has the same effect: the first queue holds the ranks below the second bound.
fn successive_bounds(queues: usize) -> Vec<u64> {
    (0..queues as u64).map(|queue| if queue == 0 { 0 } else { queue + 1 }).collect()
}

/// The distance that the bounds move at the end of a window.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Steps {
    /// Each bound moves by at most one rank, from four counters per bound.
    One,
    /// Each bound moves at most to the next rank of the window.
    Next,
    /// The bounds move until none changes, from the ranks of the window.
    Converge,
}

/// The packets that a window counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Counting {
    /// All packets that arrive.
    Arriving,
    /// Only packets that find room.
    Accepted,
}

/// Strict-priority queues whose bounds move at the end of every window.
#[derive(Debug)]
pub struct Gradient<T> {
    queues: StrictPriority<T>,
    /// The lowest rank of each queue, highest priority first.
    bounds: Box<[u64]>,
    window: usize,
    counting: Counting,
    cost: Cost,
    packets_of_window: usize,
    learner: Learner,
    windows: u64,
    moves: u64,
}

#[derive(Debug)]
enum Learner {
    Counters(Box<[StepCounters]>),
    Ranks { window: Vec<u64>, histogram: Histogram, to_the_end: bool },
}

/// The sums of equation 16 for one bound.
#[derive(Debug, Clone, Copy, Default)]
struct StepCounters {
    /// A step up: the loss of the queue before (`up_cost`), and the gain of this queue (`up_gain`).
    up_cost: u128,
    up_gain: u128,
    /// A step down: the loss of this queue (`down_cost`), and the gain of the queue before (`down_gain`).
    down_cost: u128,
    down_gain: u128,
}

impl<T> Gradient<T> {
    /// Creates one empty queue of `queue_capacity` items per bound.
    ///
    /// # Panics
    /// If there are no bounds, the first is not 0, they are not sorted, or the
    /// window is empty or larger than [`Histogram::MAX_PACKETS`].
    #[must_use]
    pub fn new(bounds: Vec<u64>, queue_capacity: usize, window: usize, steps: Steps) -> Self {
        assert!(bounds.first() == Some(&0) && bounds.is_sorted(), "bounds rise from 0");
        assert!((1..=Histogram::MAX_PACKETS).contains(&(window as u64)), "a window of {window} packets");
        Self {
            queues: StrictPriority::new(Shape { queues: bounds.len(), queue_capacity }),
            learner: match steps {
                Steps::One => Learner::Counters(vec![StepCounters::default(); bounds.len()].into()),
                Steps::Next | Steps::Converge => Learner::Ranks {
                    window: Vec::with_capacity(window),
                    histogram: Histogram::with_room_for(window),
                    to_the_end: steps == Steps::Converge,
                },
            },
            bounds: bounds.into(),
            window,
            counting: Counting::Arriving,
            cost: Cost::Distance,
            packets_of_window: 0,
            windows: 0,
            moves: 0,
        }
    }

    /// Sets the packets that the windows count.
    #[must_use]
    pub fn counting(self, counting: Counting) -> Self {
        Self { counting, ..self }
    }

    /// Sets the cost of an inversion.
    #[must_use]
    pub fn with_cost(self, cost: Cost) -> Self {
        let learner = match self.learner {
            Learner::Ranks { window, histogram, to_the_end } => {
                Learner::Ranks { window, histogram: histogram.with_cost(cost), to_the_end }
            }
            counters @ Learner::Counters(_) => counters,
        };
        Self { learner, cost, ..self }
    }

    /// The bounds, highest priority first.
    #[must_use]
    pub fn bounds(&self) -> &[u64] {
        &self.bounds
    }

    /// Records the rank of a packet that enters `queue`.
    fn learn(&mut self, queue: usize, rank: u64) {
        match &mut self.learner {
            Learner::Counters(counters) => {
                counters[queue].below_it(rank - self.bounds[queue], self.cost);
                if let Some(next) = self.bounds.get(queue + 1) {
                    counters[queue + 1].above_it(next - rank, self.cost);
                }
            }
            Learner::Ranks { window, .. } => window.push(rank),
        }
        self.packets_of_window += 1;
        if self.packets_of_window == self.window {
            self.packets_of_window = 0;
            self.windows += 1;
            self.end_window();
        }
    }

    fn end_window(&mut self) {
        match &mut self.learner {
            Learner::Counters(counters) => {
                for (bound, counters) in self.bounds.iter_mut().zip(counters).skip(1) {
                    let moved = counters.step(*bound);
                    self.moves += u64::from(moved != *bound);
                    *bound = moved;
                    *counters = StepCounters::default();
                }
            }
            Learner::Ranks { window, histogram, to_the_end } => {
                histogram.refill(window);
                window.clear();
                self.moves += if *to_the_end {
                    converge(&mut self.bounds, histogram)
                } else {
                    step_to_next(&mut self.bounds, histogram) as u64
                };
            }
        }
    }
}

impl StepCounters {
    /// Records a packet of the bound's own queue, `distance` ranks above the bound.
    fn below_it(&mut self, distance: u64, cost: Cost) {
        self.up_gain += cost.at(distance.into());
        self.down_cost += cost.at(u128::from(distance) + 1);
    }

    /// Records a packet of the queue before, `distance` ranks below the bound.
    fn above_it(&mut self, distance: u64, cost: Cost) {
        self.up_cost += cost.at(distance.into());
        self.down_gain += cost.at(u128::from(distance) - 1);
    }

    /// Returns the bound after the step that lowers the risk, if there is one.
    fn step(&self, bound: u64) -> u64 {
        debug_assert!(self.up_cost >= self.up_gain || self.down_cost >= self.down_gain, "one direction at most");
        if self.up_cost < self.up_gain {
            bound + 1
        } else if self.down_cost < self.down_gain {
            bound - 1
        } else {
            bound
        }
    }
}

impl<T> RankQueue<T> for Gradient<T> {
    fn push(&mut self, rank: u64, item: T) -> Result<(), PushError<T>> {
        let queue = self.bounds.partition_point(|&bound| bound <= rank) - 1;
        if self.counting == Counting::Arriving || self.queues.free(queue) > 0 {
            self.learn(queue, rank);
        }
        self.queues.push(queue, rank, item)
    }

    serve_from!(queues);

    fn sure_capacity(&self) -> usize {
        self.queues.sure_capacity()
    }

    fn add_bounds(&self, bounds: &mut Vec<u64>) {
        bounds.extend(self.bounds());
    }

    fn counters(&self) -> Vec<Counter> {
        vec![Counter { name: "windows", value: self.windows }, Counter { name: "bound_moves", value: self.moves }]
    }
}
