//! The bounds of a queue as rows, window by window.

use crate::detail::{Column, DetailTable, PartWriter, Value};
use crate::scenario::key_probabilities;
use forebay_core::ParamValue;
use forebay_sched::queues::bound_dynamics::{RankProbabilities, equilibrium};
use forebay_sched::queues::bound_windows::{BoundSink, BoundWindow, with_bounds_told};
use forebay_sched::queues::{BuiltQueue, RankQueue};
use forebay_sched::{DisciplineSpec, RankDiscipline};
use forebay_traces::RankPattern;
use std::sync::{Arc, Mutex, PoisonError};

/// A row for each queue of each window, in order.
pub(crate) static BOUNDS: DetailTable = DetailTable {
    name: "bounds",
    columns: &[
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

/// Whether the queue of this discipline has bounds.
pub(super) fn has_bounds(spec: &DisciplineSpec) -> bool {
    let mut bounds = Vec::new();
    let built = RankDiscipline::around_queue(spec, |queue| {
        queue.add_bounds(&mut bounds);
        queue
    });
    built.is_ok() && !bounds.is_empty()
}

/// The windows of a run.
#[derive(Default)]
pub(super) struct BoundRows(Mutex<Vec<BoundWindow>>);

impl BoundSink for BoundRows {
    fn window(&self, window: &BoundWindow) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).push(window.clone());
    }
}

impl BoundRows {
    /// The queue of this discipline, telling its bounds.
    pub(super) fn of(self: &Arc<Self>, spec: &DisciplineSpec, queue: BuiltQueue) -> BuiltQueue {
        let own = match spec.queue.params.get("window") {
            Some(ParamValue::Integer(window)) => usize::try_from(*window).ok().filter(|window| *window > 0),
            _ => None,
        };
        with_bounds_told(queue, own.unwrap_or(WINDOW), Arc::clone(self) as Arc<dyn BoundSink>)
    }

    /// Writes the rows, beside the bounds that these ranks leave at rest.
    pub(super) fn write(&self, spec: &DisciplineSpec, ranks: Option<&RankPattern>, part: &mut PartWriter) {
        let windows = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let queues = windows.first().map_or(0, |window| window.bounds.len());
        let at_rest = bounds_at_rest(spec, ranks, queues);
        for (number, window) in windows.iter().enumerate() {
            for (queue, (bound, mean)) in window.bounds.iter().zip(&window.mean_bounds).enumerate() {
                part.row(&[
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
}

/// The equilibrium of SP-PIFO (appendix B.1); nothing where the ranks are not drawn one by one, or bounds move otherwise.
fn bounds_at_rest(spec: &DisciplineSpec, ranks: Option<&RankPattern>, queues: usize) -> Vec<f64> {
    let moves_as_published = spec.queue.params.iter().all(|(name, value)| match name.as_str() {
        "queues" | "queue_packets" | "sources" => true,
        "push_down" => *value == ParamValue::Text("cost".to_owned()),
        _ => false,
    });
    if spec.queue.name != "sp-pifo" || !moves_as_published || spec.rank.name != "packet-rank" {
        return Vec::new();
    }
    let Some(RankPattern::Drawn(drawn)) = ranks else { return Vec::new() };
    let keys = RankProbabilities::of_weights(key_probabilities(drawn, spec.rank_unit));
    keys.map_or_else(Vec::new, |keys| equilibrium(&keys, queues))
}
