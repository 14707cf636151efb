//! The legend: above the panels, in columns, so that it covers no data.

use super::font;
use super::marker::{self, RADIUS};
use super::palette::Style;
use super::plot::Swatch;
use super::scene::{INK, Rect, Role, Scene, Stroke};
use std::collections::BTreeMap;

/// Between an entry and the next, over the font size.
const BETWEEN: f64 = 1.4;

/// Names in columns.
pub(super) struct Legend<'a> {
    names: &'a [&'a str],
    /// Where each column begins.
    columns: Vec<f64>,
    size: f64,
    swatch: Swatch,
    room: f64,
}

impl<'a> Legend<'a> {
    /// Creates a legend with as many columns as fit.
    pub(super) fn new(names: &'a [&'a str], swatch: Swatch, size: f64, room: f64) -> Self {
        let width = |name: &&str| sample(swatch, size) + font::width(name, size) + BETWEEN * size;
        let starts = |count: usize| {
            let mut at = 0.0;
            let mut starts = Vec::new();
            for column in 0..count {
                starts.push(at);
                at += names.iter().skip(column).step_by(count).map(width).fold(0.0, f64::max);
            }
            (at - BETWEEN * size <= room).then_some(starts)
        };
        let columns = (1..=names.len()).rev().find_map(|count| {
            // Rows that are about equally full look better than a last one with one name.
            let rows = names.len().div_ceil(count);
            starts(count).and_then(|_| starts(names.len().div_ceil(rows)))
        });
        Self { names, columns: columns.unwrap_or_else(|| vec![0.0]), size, swatch, room }
    }

    /// Returns the height in points.
    pub(super) fn height(&self) -> f64 {
        let rows = self.names.len().div_ceil(self.columns.len());
        rows as f64 * self.size * 1.35
    }

    pub(super) fn draw(&self, scene: &mut Scene, styles: &BTreeMap<String, Style>, left: f64, top: f64) {
        for (index, name) in self.names.iter().enumerate() {
            let x = left + self.columns[index % self.columns.len()];
            let middle = top + (0.6 + 1.35 * (index / self.columns.len()) as f64) * self.size;
            let style = styles.get(*name).copied().unwrap_or_default();
            self.sample(scene, style, x, middle);
            let beside = x + sample(self.swatch, self.size);
            let words = font::shortened(name, self.size, self.room - (beside - left));
            scene.text(&words, beside, middle + font::CAP / 2.0 * self.size, self.size, 0.0);
        }
    }

    fn sample(&self, scene: &mut Scene, style: Style, x: f64, y: f64) {
        let end = x + sample(self.swatch, self.size) - 0.4 * self.size;
        match self.swatch {
            Swatch::Marked | Swatch::Line => {
                let stroke = Stroke { colour: style.colour(), width: marker::WIDTH, dash: style.dash() };
                scene.line(Role::Legend, &[(x, y), (end, y)], stroke);
                if self.swatch == Swatch::Marked {
                    marker::marker(scene, Role::Legend, style, (x + (end - x) / 2.0, y));
                }
            }
            Swatch::Box => {
                let rect = Rect { left: x, right: end, top: y - 1.4 * RADIUS, bottom: y + 1.4 * RADIUS };
                let rim = Stroke { colour: INK, width: 0.4, dash: &[] };
                scene.rect(Role::Legend, rect, Some(style.colour()), None);
                scene.hatch(Role::Legend, rect, style.hatch());
                scene.rect(Role::Legend, rect, None, Some(rim));
            }
            Swatch::None => {}
        }
    }
}

/// The width of a sample with what follows it.
fn sample(swatch: Swatch, size: f64) -> f64 {
    match swatch {
        Swatch::Marked | Swatch::Line => 3.0 * size,
        Swatch::Box => 1.2 * size,
        Swatch::None => 0.0,
    }
}
