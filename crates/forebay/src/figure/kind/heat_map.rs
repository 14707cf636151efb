//! A heat map: a field in columns, the series in rows, and a shade for each mean, which is written into its cell if it fits.

use crate::figure::font;
use crate::figure::model::{Axis, Figure, Panel};
use crate::figure::palette::shade;
use crate::figure::plot::{Area, Kind, Plot, Side, Sides, Swatch, range_of_values};
use crate::figure::scene::{Colour, INK, Rect, Role, Scene, WHITE};
use crate::figure::unit::number;
use serde_json::{Value, json};

/// The entry of the registry.
pub(crate) const ENTRY: Kind =
    Kind::new("heat-map", "Means as shades over two fields", "one cell for each mean", &HeatMap);

struct HeatMap;

impl Plot for HeatMap {
    fn wants_names(&self) -> bool {
        true
    }

    fn sides(&self, figure: &Figure, panel: &Panel, _room: f64, _size: f64) -> Sides {
        let names = panel.series.iter().map(|series| series.name.clone()).collect();
        let down = Axis::named(figure.by.clone(), names);
        let shades = Side::over(&panel.y, range_of_means(panel), 0.0);
        Sides { x: Side::slots(&panel.x), y: Side::slots(&down), shades: Some(shades) }
    }

    fn draw(&self, area: &Area<'_>, scene: &mut Scene) {
        let Some(shades) = area.shades else { return };
        let range = range_of_values(area.panel);
        let scaled = area.panel.y.unit.scaled(range.map_or(1.0, |range| range.high.abs().max(range.low.abs())));
        let (wide, high) = (area.x.slot(), area.y.slot());
        let text = |value: f64| short(value / scaled.divisor) + if value == 0.0 { "" } else { scaled.suffix };
        let fits = |words: &String| font::width(words, area.size) + area.size * 0.4 <= wide;
        let is_written = high >= area.size * 1.2 && area.panel.points().all(|point| fits(&text(point.y)));
        for (row, series) in area.panel.series.iter().enumerate() {
            for point in area.panel.shown(series) {
                let (x, y) = (area.x.at(point.x), area.y.at(row as f64));
                let rect =
                    Rect { left: x - wide / 2.0, right: x + wide / 2.0, top: y - high / 2.0, bottom: y + high / 2.0 };
                let fill = shade(shades.at(point.y));
                scene.rect(Role::Data, rect, Some(fill), None);
                if is_written {
                    let middle = (x, y + font::CAP / 2.0 * area.size);
                    scene.coloured(&text(point.y), middle, area.size, 0.5, readable_on(fill));
                }
            }
        }
    }

    fn swatch(&self) -> Swatch {
        Swatch::None
    }

    fn height(&self, _figure: &Figure, panel: &Panel, _room: f64, size: f64) -> Option<f64> {
        Some((size * 1.8 * panel.series.len() as f64).clamp(size * 12.0, size * 40.0))
    }

    fn vega(&self) -> Vec<Value> {
        let encoding = json!({
            "y": {"field": "series", "type": "nominal", "sort": null}, "shape": null, "strokeDash": null,
            "color": {"field": "y", "type": "quantitative", "scale": {"scheme": "yellowgreenblue"}},
        });
        vec![json!({"mark": "rect", "encoding": encoding})]
    }
}

fn range_of_means(panel: &Panel) -> Option<crate::figure::scale::Range> {
    crate::figure::scale::Range::of(panel.points().map(|point| point.y))
}

/// Three digits are enough beside a shade.
fn short(value: f64) -> String {
    number(format!("{value:.2e}").parse().unwrap_or(value))
}

/// A text colour.
fn readable_on(Colour(red, green, blue): Colour) -> Colour {
    let light = 0.3 * f64::from(red) + 0.59 * f64::from(green) + 0.11 * f64::from(blue);
    if light > 140.0 { INK } else { WHITE }
}
