//! The two best policies at each place of the sweep, if the scenario names no baseline.

use super::{Compared, How};
use crate::frame::{Difference, Frame, SummaryRow};
use crate::headline::Headline;

/// Compares, at each place, the second best policy with the best in the most important metric. In all kinds of results that metric is a
/// cost: less is better.
pub(super) fn pairs(frame: &Frame, rows: &[&SummaryRow<'_>], how: &How<'_>, headlines: &[Headline]) -> Vec<Compared> {
    let is_main = |headline: &&Headline| rows.iter().any(|row| row.metric == headline.0);
    let Some(main) = headlines.iter().find(is_main) else { return Vec::new() };
    let is_choice = |row: &&&SummaryRow<'_>| row.metric == main.0 && how.choices.contains(&row.policy);
    let rows: Vec<&SummaryRow<'_>> = rows.iter().filter(is_choice).copied().collect();
    let shared: Vec<bool> =
        (0..frame.axes().len()).map(|axis| rows.iter().all(|row| row.axes[axis].is_some())).collect();
    let is_together = |a: &SummaryRow<'_>, b: &SummaryRow<'_>| {
        let axes = a.axes.iter().zip(b.axes).zip(&shared);
        a.subject == b.subject && axes.filter(|(_, shared)| **shared).all(|((a, b), _)| a == b)
    };
    let mut places: Vec<Vec<&SummaryRow<'_>>> = Vec::new();
    for row in rows {
        match places.iter_mut().find(|place| is_together(place[0], row)) {
            Some(place) => place.push(row),
            None => places.push(vec![row]),
        }
    }
    places.iter_mut().filter_map(|place| second(frame, place)).collect()
}

/// Returns the difference between the second best and the best, if both were run more than once.
fn second(frame: &Frame, place: &mut [&SummaryRow<'_>]) -> Option<Compared> {
    place.sort_by(|a, b| a.mean.total_cmp(&b.mean));
    let [best, next, ..] = place else { return None };
    let difference = Difference::between(next.values, best.values)?;
    (difference.pairs > 1).then(|| Compared::new(frame, next, best.policy, difference))
}
