//! A distribution: the share of numbers up to each value, or beyond it, as steps.

use crate::figure::marker;
use crate::figure::model::{Figure, Panel, Point, Series};
use crate::figure::plot::{Area, Kind, MARGIN, Plot, Side, Sides, Swatch};
use crate::figure::scale::Range;
use crate::figure::scene::{Role, Scene, Stroke};
use serde_json::{Value, json};

/// The entry of the registry.
pub(crate) const ENTRY: Kind =
    Kind::new("distribution", "Share of the numbers up to each value", "at most 400 steps of a line", &Distribution);

struct Distribution;

/// Steps of a line at most.
const MOST: usize = 400;

impl Plot for Distribution {
    /// The values are sorted, and of many equal shares are kept, with the least and the greatest.
    fn gather(&self, samples: &[(f64, f64)]) -> Vec<Point> {
        let mut values: Vec<f64> = samples.iter().map(|(_, value)| *value).filter(|value| value.is_finite()).collect();
        values.sort_by(f64::total_cmp);
        let count = values.len();
        let of_rank = |rank: usize| Point { samples: count, ..Point::of(values[rank - 1], rank as f64 / count as f64) };
        let mut ranks: Vec<usize> = if count <= MOST {
            (1..=count).collect()
        } else {
            (0..MOST).map(|step| 1 + step * (count - 1) / (MOST - 1)).collect()
        };
        // Of equal values the last has the share of all of them.
        ranks.dedup_by(|later, earlier| {
            let is_equal = values[*later - 1].total_cmp(&values[*earlier - 1]).is_eq();
            if is_equal {
                *earlier = *later;
            }
            is_equal
        });
        ranks.into_iter().map(of_rank).collect()
    }

    fn has_values_below(&self) -> bool {
        true
    }

    fn sides(&self, _figure: &Figure, panel: &Panel, _room: f64, _size: f64) -> Sides {
        let x = Side::over(&panel.x, Range::of(panel.points().map(|point| point.x)), MARGIN / 2.0);
        let full = if panel.y.is_logarithmic {
            Range::of(panel.points().map(|point| point.y).chain([1.0]))
        } else {
            Some(Range { low: 0.0, high: 1.0 })
        };
        let mut y = Side::over(&panel.y, full, MARGIN);
        if !panel.y.is_logarithmic {
            y.pad.0 = 0.0;
        }
        Sides { x, y, shades: None }
    }

    fn draw(&self, area: &Area<'_>, scene: &mut Scene) {
        for series in &area.panel.series {
            let style = area.style(series);
            let falls = falls(series);
            // The share before the first value.
            let first = if falls { area.y.clamped(1.0) } else { area.rect.bottom };
            let mut line: Vec<(f64, f64)> = Vec::new();
            for point in area.panel.shown(series) {
                let (x, y) = (area.x.at(point.x), area.y.clamped(point.y));
                // A share holds from its value to the next one.
                let before = line.last().map_or(first, |(_, before)| *before);
                line.extend([(x, before), (x, y)]);
            }
            match (line.last(), series.points.last()) {
                (Some(&(_, last)), Some(end)) if falls && area.panel.x.shows(end.x) => {
                    let x = area.x.clamped(end.x);
                    line.extend([(x, last), (x, area.rect.bottom)]);
                }
                (Some(&(_, last)), _) if !falls => line.push((area.rect.right, last)),
                _ => {}
            }
            let stroke = Stroke { colour: style.colour(), width: marker::WIDTH, dash: style.dash() };
            scene.line(Role::Data, &line, stroke);
        }
    }

    fn swatch(&self) -> Swatch {
        Swatch::Line
    }

    fn vega(&self) -> Vec<Value> {
        vec![json!({"mark": {"type": "line", "interpolate": "step-after"}})]
    }
}

/// Returns whether the shares are those beyond each value.
fn falls(series: &Series) -> bool {
    matches!((series.points.first(), series.points.last()), (Some(first), Some(last)) if first.y > last.y)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_are_of_all_numbers() {
        let samples = [3.0, 1.0, 2.0, 2.0].map(|value| (0.0, value));
        let points: Vec<(f64, f64)> = Distribution.gather(&samples).iter().map(|point| (point.x, point.y)).collect();
        assert_eq!(points, [(1.0, 0.25), (2.0, 0.75), (3.0, 1.0)]);
        let many: Vec<(f64, f64)> = (0..10_000).map(|value| (0.0, f64::from(value))).collect();
        let points = Distribution.gather(&many);
        assert_eq!((points.len(), points[0].x, points[MOST - 1].x, points[MOST - 1].y), (MOST, 0.0, 9999.0, 1.0));
    }
}
