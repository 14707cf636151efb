//! `bounds = "optimal"`: a scenario that draws ranks knows the probability of each rank, so it can compute the bounds of least unpifoness
//! (SP-PIFO, NSDI'20, section 3).

use crate::document::Node;
use crate::error::Result;
use forebay_core::registry::find;
use forebay_core::{ParamValue, Params};
use forebay_sched::queues::unpifoness::{Cost, Histogram};
use forebay_sched::queues::{QUEUES, optimal_bounds};
use forebay_sched::{DisciplineSpec, RankUnit};
use forebay_traces::{Distribution, RankPattern};

const QUEUE: &str = "fixed-bounds";
const WORD: &str = "optimal";

/// The maximum product of queues and ranks: the computation has a table of this size.
const MAX_TABLE: usize = 1 << 24;

/// Replaces the word by numbers in the parameters of the queue at `node`.
pub(super) fn resolve(node: &Node, discipline: &mut DisciplineSpec, ranks: &RankPattern) -> Result<()> {
    let part = &discipline.queue;
    if part.name != QUEUE || part.params.get("bounds") != Some(&ParamValue::Text(WORD.to_owned())) {
        return Ok(());
    }
    let entry = find("queue", QUEUES, QUEUE).map_err(|text| node.error(text))?;
    let Ok(params) = Params::check(entry.about.params, part.params.clone()) else {
        // Whoever builds the queue says what is wrong.
        return Ok(());
    };
    let queues = params.integer("queues").and_then(|queues| usize::try_from(queues).ok()).unwrap_or(1);
    let histogram = histogram(ranks, discipline.rank_unit).with_cost(Cost::from_params(&params));
    let numbers = histogram.ranks().len();
    if queues.saturating_mul(numbers) > MAX_TABLE {
        return Err(node.error(format!(
            "bounds = \"{WORD}\" takes at most {MAX_TABLE} queues x ranks, not {queues} x {numbers}; use fewer queues, \
             or a rank_unit"
        )));
    }
    let bounds = optimal_bounds(&histogram, queues);
    let bound = |bound: &u64| ParamValue::Integer(i64::try_from(*bound).expect("ranks of queues are below 2^63"));
    // It has decided the bounds, and means nothing beside numbers.
    discipline.queue.params.remove("cost");
    discipline.queue.params.insert("bounds".to_owned(), ParamValue::List(bounds.iter().map(bound).collect()));
    Ok(())
}

/// The frequency of each rank as the queue sees it: in its unit.
fn histogram(ranks: &RankPattern, unit: RankUnit) -> Histogram {
    match ranks {
        RankPattern::Drawn(distribution) => {
            let weights: Vec<f64> =
                key_probabilities(distribution, unit).into_iter().map(|(_, weight)| weight).collect();
            Histogram::of_weights(unit.key(distribution.min()), &weights)
        }
        RankPattern::Order(order) => {
            let mut keys: Vec<u64> = order.ranks().iter().map(|&rank| unit.key(rank)).collect();
            Histogram::of_ranks(&mut keys)
        }
    }
}

/// Returns the probability of each rank as the queue sees it, in its unit: rising.
pub(crate) fn key_probabilities(ranks: &Distribution, unit: RankUnit) -> Vec<(u64, f64)> {
    let mut sums: Vec<(u64, f64)> = Vec::new();
    for (rank, probability) in (ranks.min()..).zip(ranks.probabilities()) {
        let key = unit.key(rank);
        match sums.last_mut() {
            Some((last, sum)) if *last == key => *sum += probability,
            _ => sums.push((key, probability)),
        }
    }
    sums
}
