//! Lines: a marker for each mean, and intervals with caps side by side.

use crate::figure::marker::{self, CAP, RADIUS};
use crate::figure::model::{Figure, Panel, Point, Series};
use crate::figure::plot::{Area, Kind, MARGIN, Plot, Sides, Swatch, sides_of_points, vega_points};
use crate::figure::scene::{Role, Scene, Stroke};
use serde_json::{Value, json};

/// The entry of the registry.
pub(crate) const ENTRY: Kind =
    Kind::new("lines", "Means over a number, joined by lines, with their intervals", "one point for each mean", &Lines);

struct Lines;

/// The distance between intervals of two series at one x, in points.
const APART: f64 = 2.0 * CAP + 0.6;

impl Plot for Lines {
    fn sides(&self, _figure: &Figure, panel: &Panel, _room: f64, _size: f64) -> Sides {
        let spread = if has_intervals(panel) { APART * panel.series.len().saturating_sub(1) as f64 / 2.0 } else { 0.0 };
        sides_of_points(panel, MARGIN + spread.min(MARGIN * 2.0))
    }

    fn draw(&self, area: &Area<'_>, scene: &mut Scene) {
        let apart = apart(area);
        for (index, series) in area.panel.series.iter().enumerate() {
            let aside = apart * (index as f64 - (area.panel.series.len() as f64 - 1.0) / 2.0);
            draw(area, scene, series, aside);
        }
    }

    fn swatch(&self) -> Swatch {
        Swatch::Marked
    }

    fn vega(&self) -> Vec<Value> {
        vega_points(&json!({"type": "line", "point": true}))
    }
}

fn draw(area: &Area<'_>, scene: &mut Scene, series: &Series, aside: f64) {
    let style = area.style(series);
    let place = |point: &Point| (area.x.at(point.x) + aside, area.y.at(point.y));
    let points: Vec<&Point> = area.panel.shown(series).collect();
    for point in &points {
        if let Some(ci95) = point.ci95 {
            let (from, to) = (area.y.clamped(point.y - ci95), area.y.clamped(point.y + ci95));
            // A cap within the marker says nothing.
            if (from - to).abs() > RADIUS * 2.0 {
                marker::upright(scene, style, place(point).0, from, to);
            }
        }
    }
    let line: Vec<(f64, f64)> = points.iter().map(|point| place(point)).collect();
    scene.line(Role::Data, &line, Stroke { colour: style.colour(), width: marker::WIDTH, dash: style.dash() });
    for place in line {
        marker::marker(scene, Role::Data, style, place);
    }
}

fn has_intervals(panel: &Panel) -> bool {
    panel.points().any(|point| point.ci95.is_some_and(|ci95| ci95 > 0.0))
}

/// Returns the distance by which series are moved aside, so that their intervals do not cover each other. Without intervals they are not
/// moved, and never so far that a point seems to belong to the next x.
fn apart(area: &Area<'_>) -> f64 {
    if !has_intervals(area.panel) {
        return 0.0;
    }
    let mut places: Vec<f64> = area.panel.points().map(|point| area.x.at(point.x)).collect();
    places.sort_by(f64::total_cmp);
    places.dedup();
    let nearest = places.windows(2).map(|pair| pair[1] - pair[0]).fold(f64::INFINITY, f64::min);
    let between = area.panel.series.len().max(2) as f64 - 1.0;
    let room = (area.x.to - area.x.from).abs().max(1.0);
    APART.min(nearest.min(room) * 0.6 / between).min(MARGIN * 4.0 / between)
}
