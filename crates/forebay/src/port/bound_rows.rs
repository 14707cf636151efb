//! The bounds of queues as rows, window by window.

use crate::detail::{Column, DetailTable, PartWriter, Value};
use crate::scenario::{Plan, key_probabilities};
use forebay_core::ParamValue;
use forebay_sched::queues::bound_dynamics::{RankProbabilities, equilibrium};
use forebay_sched::queues::bound_windows::{BoundSink, BoundWindow, with_bounds_told};
use forebay_sched::queues::{BuiltQueue, RankQueue};
use forebay_sched::{DisciplineSpec, Part, RankDiscipline, RankUnit, TreeDiscipline, Wrapped};
use forebay_traces::RankPattern;
use std::sync::{Arc, Mutex, PoisonError};

/// The table with a row for each queue of each window of each node, in order.
pub(crate) static BOUNDS: DetailTable = DetailTable {
    name: "bounds",
    columns: &[
        Column::text("node"),
        Column::count("window"),
        Column::count("packets"),
        Column::number("unpifoness"),
        Column::count("queue"),
        Column::code("bound"),
        Column::number("mean_bound"),
        Column::number("equilibrium"),
    ],
};

/// Packets of a window, where the queue has none of its own.
const WINDOW: usize = 1_000;

/// Returns whether a queue of this policy has bounds.
pub(super) fn has_bounds(plan: &Plan) -> bool {
    let mut bounds = Vec::new();
    let mut seen = |queue: BuiltQueue| {
        queue.add_bounds(&mut bounds);
        queue
    };
    let is_built = match plan {
        Plan::Parts(spec) => RankDiscipline::around_queue(spec, seen).is_ok(),
        Plan::Tree(spec, ..) => TreeDiscipline::around_queues(spec, &mut |_, queue| seen(queue)).is_ok(),
        Plan::Flows(_) | Plan::OpenQueue(_) => false,
    };
    is_built && !bounds.is_empty()
}

/// The bounds of the queues of a run: of a single queue, or of the queues at the nodes of a tree.
#[derive(Default)]
pub(super) struct BoundRows(Vec<Told>);

/// A queue that reports its bounds.
struct Told {
    node: String,
    queue: Part,
    rank: String,
    unit: RankUnit,
    windows: Arc<Windows>,
}

/// The windows of a queue.
#[derive(Default)]
struct Windows(Mutex<Vec<BoundWindow>>);

impl BoundSink for Windows {
    fn window(&self, window: &BoundWindow) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).push(window.clone());
    }
}

impl BoundRows {
    /// Returns the discipline's queue, which now reports its bounds.
    pub(super) fn of(&mut self, spec: &DisciplineSpec, queue: BuiltQueue) -> BuiltQueue {
        self.tell(node_name(&[]), &spec.queue, &spec.rank.name, spec.rank_unit, queue)
    }

    /// Returns the queue of a node of a tree, which now reports its bounds.
    pub(super) fn of_node(&mut self, node: &Wrapped<'_>, queue: BuiltQueue) -> BuiltQueue {
        self.tell(node_name(node.path), node.queue, node.rank, RankUnit::linear(node.rank_unit), queue)
    }

    fn tell(&mut self, node: String, part: &Part, rank: &str, unit: RankUnit, queue: BuiltQueue) -> BuiltQueue {
        let own = match part.params.get("window") {
            Some(ParamValue::Integer(window)) => usize::try_from(*window).ok().filter(|window| *window > 0),
            _ => None,
        };
        let windows = Arc::new(Windows::default());
        self.0.push(Told { node, queue: part.clone(), rank: rank.to_owned(), unit, windows: Arc::clone(&windows) });
        with_bounds_told(queue, own.unwrap_or(WINDOW), windows)
    }

    /// Writes the rows, with the bounds at which these ranks would leave the queue at rest.
    pub(super) fn write(&self, ranks: Option<&RankPattern>, part: &mut PartWriter) {
        for told in &self.0 {
            told.write(ranks, part);
        }
    }
}

/// A node as files of operations name it: `root`, and `root.0` for its first child.
fn node_name(path: &[usize]) -> String {
    path.iter().fold("root".to_owned(), |name, child| format!("{name}.{child}"))
}

impl Told {
    fn write(&self, ranks: Option<&RankPattern>, part: &mut PartWriter) {
        let windows = self.windows.0.lock().unwrap_or_else(PoisonError::into_inner);
        let queues = windows.first().map_or(0, |window| window.bounds.len());
        let at_rest = self.at_rest(ranks, queues);
        for (number, window) in windows.iter().enumerate() {
            for (queue, (bound, mean)) in window.bounds.iter().zip(&window.mean_bounds).enumerate() {
                part.row(&[
                    Value::Text(&self.node),
                    Value::Whole(number as u64),
                    Value::Whole(window.packets as u64),
                    Value::Number(window.unpifoness),
                    Value::Whole(queue as u64),
                    Value::Whole(*bound),
                    Value::Number(*mean),
                    Value::number(at_rest.get(queue).copied()),
                ]);
            }
        }
    }

    /// The equilibrium of SP-PIFO (appendix B.1); nothing where the ranks are not drawn one by one, or bounds move otherwise.
    fn at_rest(&self, ranks: Option<&RankPattern>, queues: usize) -> Vec<f64> {
        let moves_as_published = self.queue.params.iter().all(|(name, value)| match name.as_str() {
            "queues" | "queue_packets" | "sources" => true,
            "push_down" => *value == ParamValue::Text("cost".to_owned()),
            _ => false,
        });
        if self.queue.name != "sp-pifo" || !moves_as_published || self.rank != "packet-rank" {
            return Vec::new();
        }
        let Some(RankPattern::Drawn(drawn)) = ranks else { return Vec::new() };
        let keys = RankProbabilities::of_weights(key_probabilities(drawn, self.unit));
        keys.map_or_else(Vec::new, |keys| equilibrium(&keys, queues))
    }
}
