//! A time series: one line through many points, thinned so that no peak is lost.

use crate::figure::marker;
use crate::figure::model::{Figure, Panel, Point};
use crate::figure::plot::{Area, Kind, Plot, Sides, Swatch, means, sides_of_points};
use crate::figure::scene::{Role, Scene, Stroke};
use serde_json::{Value, json};

/// The entry of the registry.
pub(crate) const ENTRY: Kind =
    Kind::new("time-series", "Values over time, one line without markers", "at most 800 points of a line", &TimeSeries);

struct TimeSeries;

/// Pieces of a line at most: each is its least and its greatest value.
const MOST: usize = 400;

impl Plot for TimeSeries {
    fn gather(&self, samples: &[(f64, f64)]) -> Vec<Point> {
        let points = means(samples);
        let few = points.len().div_ceil(MOST).max(1);
        if few < 3 {
            return points.into_iter().map(|point| Point { ci95: None, ..point }).collect();
        }
        let ends = |piece: &[Point]| {
            let least = piece.iter().min_by(|a, b| a.y.total_cmp(&b.y))?;
            let greatest = piece.iter().max_by(|a, b| a.y.total_cmp(&b.y))?;
            let mut both = [*least, *greatest].map(|point| Point { ci95: None, ..point });
            both.sort_by(|a, b| a.x.total_cmp(&b.x));
            Some(both)
        };
        points.chunks(few).filter_map(ends).flatten().collect()
    }

    fn sides(&self, _figure: &Figure, panel: &Panel, _room: f64, _size: f64) -> Sides {
        let mut sides = sides_of_points(panel, 0.0);
        sides.x.wanted.clear();
        sides
    }

    fn draw(&self, area: &Area<'_>, scene: &mut Scene) {
        for series in &area.panel.series {
            let style = area.style(series);
            let line: Vec<(f64, f64)> =
                area.panel.shown(series).map(|point| (area.x.at(point.x), area.y.at(point.y))).collect();
            let stroke = Stroke { colour: style.colour(), width: 0.8, dash: style.dash() };
            scene.line(Role::Data, &line, Stroke { width: stroke.width.min(marker::WIDTH), ..stroke });
        }
    }

    fn swatch(&self) -> Swatch {
        Swatch::Line
    }

    fn vega(&self) -> Vec<Value> {
        vec![json!({"mark": "line"})]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_thinned_line_keeps_its_peaks() {
        let peak = |time: i32| if time == 7777 { 50.0 } else { f64::from(time % 3) };
        let samples: Vec<(f64, f64)> = (0..20_000).map(|time| (f64::from(time), peak(time))).collect();
        let points = TimeSeries.gather(&samples);
        assert!(points.len() <= 2 * MOST && points.iter().any(|point| (point.x, point.y) == (7777.0, 50.0)));
        assert!(points.windows(2).all(|pair| pair[0].x <= pair[1].x));
    }
}
