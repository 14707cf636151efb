//! Names in place of numbers on an axis.

use super::model::{Axis, Figure};
use std::borrow::Cow;

/// Returns the name at a position of an axis of names.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a negative place is the first")]
pub(super) fn name_of(axis: &Axis, place: f64) -> Option<&str> {
    axis.names.get(place.round() as usize).map(String::as_str)
}

/// Returns the figure with names in place of the numbers on its horizontal axes: each number becomes a name.
pub(super) fn with_names(figure: &Figure) -> Cow<'_, Figure> {
    if figure.panels.iter().all(|panel| !panel.x.names.is_empty()) {
        return Cow::Borrowed(figure);
    }
    let mut named = figure.clone();
    let mut numbers: Vec<f64> = figure.panels.iter().flat_map(|panel| panel.points().map(|point| point.x)).collect();
    numbers.sort_by(f64::total_cmp);
    numbers.dedup();
    for panel in named.panels.iter_mut().filter(|panel| panel.x.names.is_empty()) {
        for series in &mut panel.series {
            // A number that the axis does not show has no name.
            series.points.retain(|point| numbers.binary_search_by(|number| number.total_cmp(&point.x)).is_ok());
            for point in &mut series.points {
                let place = numbers.binary_search_by(|number| number.total_cmp(&point.x));
                point.x = place.unwrap_or_default() as f64;
            }
        }
        panel.x.names = numbers.iter().map(|number| panel.x.unit.one(*number)).collect();
        panel.x.is_logarithmic = false;
    }
    Cow::Owned(named)
}
