//! Bars from zero: side by side for each name, with intervals; horizontal if the names do not fit below vertical bars.

use crate::figure::font;
use crate::figure::marker::CAP;
use crate::figure::model::{Figure, Panel, Point, Series};
use crate::figure::plot::{Area, Kind, MARGIN, Plot, Side, Sides, Swatch, range_of_values};
use crate::figure::scale::How;
use crate::figure::scene::{INK, Rect, Role, Scene, Stroke, WHITE};
use serde_json::{Value, json};

/// The entry of the registry.
pub(crate) const ENTRY: Kind =
    Kind::new("bars", "Means as bars from zero, with their intervals", "one bar for each mean", &Bars);

struct Bars;

impl Plot for Bars {
    fn wants_names(&self) -> bool {
        true
    }

    fn sides(&self, figure: &Figure, panel: &Panel, room: f64, size: f64) -> Sides {
        let mut values = Side::over(&panel.y, range_of_values(panel), MARGIN);
        if panel.y.is_logarithmic {
            // There is no zero: bars begin a little below the least.
            values.pad.0 = 3.0 * MARGIN;
        } else {
            values.range = values.range.with_zero();
            values.pad.0 = if values.range.low < 0.0 { MARGIN } else { 0.0 };
            values.pad.1 = if values.range.high > 0.0 { MARGIN } else { 0.0 };
        }
        let names = Side::slots(&panel.x);
        if lies(figure, room, size) {
            // Its first name is at the top.
            Sides { x: values, y: names, shades: None }
        } else {
            Sides { x: names, y: values, shades: None }
        }
    }

    fn draw(&self, area: &Area<'_>, scene: &mut Scene) {
        let is_lying = area.y.how == How::Slots;
        let (names, values) = if is_lying { (&area.y, &area.x) } else { (&area.x, &area.y) };
        let zero = if values.how == How::Logarithmic {
            if is_lying { area.rect.left } else { area.rect.bottom }
        } else {
            values.at(0.0)
        };
        for name in 0..area.panel.x.names.len() {
            let here: Vec<(&Series, &Point)> = at(area.panel, name).collect();
            // A third of each slot is free.
            let thick = names.slot() * 0.72 / here.len().max(1) as f64;
            let first = names.at(name as f64) - thick * here.len() as f64 / 2.0;
            for (index, (series, point)) in here.into_iter().enumerate() {
                let (begin, end) = (first + thick * index as f64, values.at(point.y));
                let gap = (thick * 0.04).min(0.5);
                let bar = Bar { is_lying, from: begin + gap, to: begin + thick - gap };
                let style = area.style(series);
                let rim = Stroke { colour: INK, width: 0.4, dash: &[] };
                let rect = bar.rect(zero, end);
                scene.rect(Role::Data, rect, Some(style.colour()), None);
                scene.hatch(Role::Data, rect, style.hatch());
                scene.rect(Role::Data, rect, None, Some(rim));
                if let Some(ci95) = point.ci95.filter(|ci95| *ci95 > 0.0) {
                    bar.interval(scene, values.clamped(point.y - ci95), values.clamped(point.y + ci95));
                }
            }
        }
        let edge = Stroke { colour: INK, width: 0.6, dash: &[] };
        let Rect { left, top, right, bottom } = area.rect;
        let line = if is_lying { [(zero, top), (zero, bottom)] } else { [(left, zero), (right, zero)] };
        scene.line(Role::Guide, &line, edge);
    }

    fn swatch(&self) -> Swatch {
        Swatch::Box
    }

    fn height(&self, figure: &Figure, panel: &Panel, room: f64, size: f64) -> Option<f64> {
        let bars = (0..panel.x.names.len()).map(|name| at(panel, name).count()).max().unwrap_or(1).max(1);
        let slot = (size * 1.5).max(size * 0.75 * bars as f64 + size * 0.6);
        lies(figure, room, size).then(|| slot * panel.x.names.len().max(1) as f64)
    }

    fn vega(&self) -> Vec<Value> {
        let offset = json!({"xOffset": {"field": "series", "type": "nominal"}});
        let interval = json!({
            "mark": {"type": "rule", "color": "black"},
            "encoding": {
                "y": {"field": "low"}, "y2": {"field": "high"}, "xOffset": {"field": "series", "type": "nominal"},
                "color": null, "shape": null, "strokeDash": null,
            }
        });
        vec![json!({"mark": "bar", "encoding": offset}), interval]
    }
}

/// Returns the series and points at a name.
fn at(panel: &Panel, name: usize) -> impl Iterator<Item = (&Series, &Point)> {
    let is_here = move |point: &&Point| (point.x - name as f64).abs() < 0.5;
    panel.series.iter().filter_map(move |series| Some((series, panel.shown(series).find(is_here)?)))
}

/// Whether bars go from left to right, since some name has no room below its bars.
fn lies(figure: &Figure, room: f64, size: f64) -> bool {
    let narrow = |panel: &Panel| {
        let slot = room / panel.x.names.len().max(1) as f64;
        panel.x.names.iter().any(|name| font::width(name, size) + size * 0.5 > slot)
    };
    figure.panels.iter().any(narrow)
}

/// One bar across its axis.
struct Bar {
    is_lying: bool,
    from: f64,
    to: f64,
}

impl Bar {
    fn rect(&self, zero: f64, end: f64) -> Rect {
        let (least, most) = (zero.min(end), zero.max(end));
        if self.is_lying {
            Rect { left: least, right: most, top: self.from, bottom: self.to }
        } else {
            Rect { left: self.from, right: self.to, top: least, bottom: most }
        }
    }

    fn interval(&self, scene: &mut Scene, low: f64, high: f64) {
        let middle = (self.from + self.to) / 2.0;
        let cap = CAP.min((self.to - self.from) / 2.0);
        let place = |along: f64, across: f64| if self.is_lying { (along, across) } else { (across, along) };
        // Seen on a dark bar by what is white, and on paper by what is black.
        for (colour, width) in [(WHITE, 2.4), (INK, 0.8)] {
            let stroke = Stroke { colour, width, dash: &[] };
            scene.line(Role::Data, &[place(low, middle), place(high, middle)], stroke);
            for end in [low, high] {
                scene.line(Role::Data, &[place(end, middle - cap), place(end, middle + cap)], stroke);
            }
        }
    }
}
