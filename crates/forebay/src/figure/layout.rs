//! The layout of a page: title, legend, then panels in rows, each with space for the axes around its plot.

use super::axes::{LINE, Labels, Level, Strip, Upright, edges};
use super::font;
use super::legend::Legend;
use super::model::{Axis, Figure, Panel};
use super::names::with_names;
use super::page::Page;
use super::palette::{Style, styles};
use super::plot::{Area, Plot, Side, Sides, Swatch};
use super::scene::{Rect, Role, Scene, WHITE};
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::ops::Range;

/// Free at each edge of the page.
const EDGE: f64 = 2.0;
/// The least width of a panel, over the font size, and most panels side by side.
const LEAST_PANEL: f64 = 13.5;
const MOST_ACROSS: usize = 3;
/// Between a panel and the next, over the font size.
const BETWEEN: f64 = 1.8;
/// In more rows, each has its own numbers below, since the last row is far away.
const MOST_SHARED_ROWS: usize = 4;

/// Draws a figure on a page.
pub(super) fn scene(figure: &Figure, plot: &dyn Plot, page: &Page) -> Scene {
    let named = if plot.wants_names() { with_names(figure) } else { Cow::Borrowed(figure) };
    let figure: &Figure = &named;
    let names = figure.names();
    let styles = styles(names.iter().copied().chain(figure.others.iter().map(String::as_str)));
    let (size, width) = (page.font_size(), page.width());
    let mut scene = Scene { width, height: 0.0, title: figure.title.clone(), items: Vec::new() };
    let mut top = EDGE;
    for line in font::wrapped(&figure.title, size, width - 2.0 * EDGE, 3) {
        scene.text(&line, EDGE, top + font::CAP * size, size, 0.0);
        top += LINE * size;
    }
    if !figure.title.is_empty() {
        top += 0.4 * size;
    }
    if has_legend(figure, plot, &names) {
        let legend = Legend::new(&names, plot.swatch(), size, width - 2.0 * EDGE);
        legend.draw(&mut scene, &styles, EDGE, top);
        top += legend.height() + 0.3 * size;
    }
    let mut grid = Grid::measure(figure, plot, width, size, 0.0);
    if let Some(height) = page.height() {
        let mut higher = 0.0;
        // A higher plot may have more numbers, and wider ones, so that names below it need other room.
        for _ in 0..3 {
            higher += (height - EDGE - top - grid.height(figure)) / grid.heights.len().max(1) as f64;
            grid = Grid::measure(figure, plot, width, size, higher);
        }
    }
    scene.height = grid.draw(&mut scene, figure, plot, &styles, top) + EDGE;
    if let Some(height) = page.height().filter(|height| *height > scene.height) {
        scene.height = height;
    }
    let all = Rect { left: 0.0, top: 0.0, right: scene.width, bottom: scene.height };
    scene.rect(Role::Guide, all, Some(WHITE), None);
    // What covers the page lies below all else.
    scene.items.rotate_right(1);
    scene
}

/// Returns whether a legend is needed: names at an axis need none.
fn has_legend(figure: &Figure, plot: &dyn Plot, names: &[&str]) -> bool {
    let are_at_axis =
        figure.panels.iter().all(|panel| names.iter().all(|name| panel.x.names.iter().any(|x| x == name)));
    plot.swatch() != Swatch::None && names.iter().any(|name| !name.is_empty()) && !are_at_axis
}

/// Panels in rows.
struct Grid {
    across: usize,
    size: f64,
    sides: Vec<Sides>,
    /// Heights of the plots of each row.
    heights: Vec<f64>,
    uprights: Vec<Upright>,
    strips: Vec<Option<Strip>>,
    levels: Vec<Level>,
    /// The space before the plots of each column.
    before: Vec<f64>,
    after: Vec<f64>,
    /// The width of each plot.
    wide: f64,
}

impl Grid {
    /// Measures the layout with plots that are `higher` points higher than on their own.
    fn measure(figure: &Figure, plot: &dyn Plot, width: f64, size: f64, higher: f64) -> Self {
        let count = figure.panels.len().max(1);
        let across = across(figure, width, size).clamp(1, count);
        let cell = (width - 2.0 * EDGE - BETWEEN * size * (across as f64 - 1.0)) / across as f64;
        let room = cell - 4.5 * size;
        let mut sides: Vec<Sides> = figure.panels.iter().map(|panel| plot.sides(figure, panel, room, size)).collect();
        share(&mut sides, |sides| Some(&mut sides.x));
        share(&mut sides, |sides| Some(&mut sides.y));
        share(&mut sides, |sides| sides.shades.as_mut());
        let height = |panel: &Panel| {
            plot.height(figure, panel, room, size).unwrap_or((cell * 0.6).clamp(size * 9.0, size * 18.0))
        };
        let heights: Vec<f64> = figure
            .panels
            .chunks(across)
            .map(|row| (row.iter().map(height).fold(0.0, f64::max) + higher).max(size * 5.0))
            .collect();
        let lines = |sides: &Sides| if sides.y.axis.names.is_empty() { 2 } else { 1 };
        let upright = |(place, sides): (usize, &Sides)| {
            Upright::measure(&sides.y, heights[place / across], cell, size, lines(sides))
        };
        let uprights: Vec<Upright> = sides.iter().enumerate().map(upright).collect();
        let strip = |(place, sides): (usize, &Sides)| {
            Some(Strip::measure(sides.shades.as_ref()?, heights[place / across], cell, size))
        };
        let strips: Vec<Option<Strip>> = sides.iter().enumerate().map(strip).collect();
        let mut grid = Self {
            across,
            size,
            sides,
            heights,
            uprights,
            strips,
            levels: Vec::new(),
            before: Vec::new(),
            after: Vec::new(),
            wide: 0.0,
        };
        let of_column = |column: usize| (column..grid.sides.len()).step_by(across);
        let before = |place: usize| if grid.shares_y(place) { 0.0 } else { grid.uprights[place].width };
        let after = |place: usize| grid.strips[place].as_ref().map_or(0.0, |strip| strip.width);
        let widest = |of: &dyn Fn(usize) -> f64, column: usize| of_column(column).map(of).fold(0.0, f64::max);
        grid.before = (0..across).map(|column| widest(&before, column)).collect();
        grid.after = (0..across).map(|column| widest(&after, column)).collect();
        let beside: f64 = grid.before.iter().chain(&grid.after).sum();
        let right = size * 0.6;
        grid.wide =
            ((width - 2.0 * EDGE - BETWEEN * size * (across as f64 - 1.0) - beside - right) / across as f64).max(size);
        grid.levels = (0..grid.sides.len())
            .map(|place| Level::measure(&grid.sides[place].x, grid.wide, grid.beyond(place), size))
            .collect();
        grid
    }

    /// Returns the distances by which labels below a plot may extend beyond its sides.
    fn beyond(&self, place: usize) -> (f64, f64) {
        let column = place % self.across;
        let is_last = column + 1 == self.across;
        (self.before[column].max(self.size * 0.45), if is_last { self.size * 0.6 } else { self.size * 0.45 })
    }

    /// Whether the panel on the left has the same axis.
    fn shares_y(&self, place: usize) -> bool {
        !place.is_multiple_of(self.across) && self.sides[place].y == self.sides[place - 1].y
    }

    /// Whether the panel below has the same axis.
    fn shares_x(&self, place: usize) -> bool {
        let has_few_rows = self.heights.len() <= MOST_SHARED_ROWS;
        has_few_rows && self.sides.get(place + self.across).is_some_and(|below| below.x == self.sides[place].x)
    }

    /// Returns the height of the parts above the plots of a row.
    fn above(&self, figure: &Figure, places: Range<usize>) -> f64 {
        let has_titles = figure.panels[places].iter().any(|panel| !panel.title.is_empty());
        self.size * if has_titles { LINE + 0.55 } else { 0.5 }
    }

    /// Returns the height of the parts below the plots of a row.
    fn below(&self, places: Range<usize>) -> f64 {
        let below = places.map(|place| if self.shares_x(place) { 0.0 } else { self.levels[place].height });
        below.fold(0.0, f64::max).max(self.size * 0.5)
    }

    /// The panels of a row.
    fn row(&self, row: usize) -> Range<usize> {
        row * self.across..((row + 1) * self.across).min(self.sides.len())
    }

    /// Returns the height of all rows.
    fn height(&self, figure: &Figure) -> f64 {
        let of_row =
            |(row, height): (usize, &f64)| self.above(figure, self.row(row)) + height + self.below(self.row(row));
        self.heights.iter().enumerate().map(of_row).sum()
    }

    /// Draws all rows and says where the last one ends.
    fn draw(
        &self,
        scene: &mut Scene,
        figure: &Figure,
        plot: &dyn Plot,
        styles: &BTreeMap<String, Style>,
        mut top: f64,
    ) -> f64 {
        let size = self.size;
        for (row, height) in self.heights.iter().enumerate() {
            let places = self.row(row);
            top += self.above(figure, places.clone());
            let mut left = EDGE;
            for place in places.clone() {
                let column = place % self.across;
                left += self.before[column];
                let rect = Rect { left, right: left + self.wide, top, bottom: top + height };
                let panel = &figure.panels[place];
                let begin = left - self.before[column].min(size * 1.5);
                let room = rect.right + self.after[column] - begin;
                let words = font::shortened(&panel.title, size, room);
                scene.text(&words, begin, top - 0.75 * size, size, 0.0);
                self.draw_panel(scene, panel, place, rect, plot, styles);
                left = rect.right + self.after[column] + BETWEEN * size;
            }
            top += height + self.below(places);
        }
        top
    }

    fn draw_panel(
        &self,
        scene: &mut Scene,
        panel: &Panel,
        place: usize,
        rect: Rect,
        plot: &dyn Plot,
        styles: &BTreeMap<String, Style>,
    ) {
        let Sides { x, y, shades } = &self.sides[place];
        let (upright, level) = (&self.uprights[place], &self.levels[place]);
        // Names are read from above.
        let y_scale =
            if y.axis.names.is_empty() { y.scale(rect.bottom, rect.top) } else { y.scale(rect.top, rect.bottom) };
        let x_scale = x.scale(rect.left, rect.right);
        let shade = shades.as_ref().map(|side| side.scale(0.0, 1.0));
        if y.axis.names.is_empty() {
            upright.guides(scene, &y_scale, &rect);
        } else if shades.is_none() {
            level.guides(scene, &x_scale, &rect);
        }
        let area = Area { panel, rect, x: x_scale, y: y_scale, shades: shade, styles, size: self.size };
        plot.draw(&area, scene);
        edges(scene, &rect);
        upright.draw(scene, &y_scale, &rect, self.size, !self.shares_y(place));
        let (before, after) = self.beyond(place);
        let between = (rect.left - before, rect.right + after);
        let labels = Labels { size: self.size, are_shown: !self.shares_x(place), between };
        level.draw(scene, &x_scale, &rect, &labels);
        if let (Some(strip), Some(side)) = (&self.strips[place], shades) {
            strip.draw(scene, side, &rect, self.size);
        }
    }
}

/// Panels side by side.
fn across(figure: &Figure, width: f64, size: f64) -> usize {
    let fits = |count: &usize| *count as f64 * size * (LEAST_PANEL + 1.0) <= width - 2.0 * EDGE + size;
    let most = (1..=MOST_ACROSS).rev().find(fits).unwrap_or(1);
    let count = figure.panels.len().max(1);
    // Rows that are equally full.
    figure
        .across
        .map_or_else(|| count.div_ceil(count.div_ceil(most)), |wanted| (1..=wanted).rev().find(fits).unwrap_or(1))
}

/// Gives panels with the same axis the same range.
fn share(sides: &mut [Sides], side: impl Fn(&mut Sides) -> Option<&mut Side>) {
    let mut known: Vec<(Axis, Side)> = Vec::new();
    for sides in sides.iter_mut() {
        let Some(side) = side(sides) else { continue };
        match known.iter_mut().find(|(axis, _)| *axis == side.axis) {
            Some((_, all)) => {
                all.range = all.range.with(side.range);
                all.pad = (all.pad.0.min(side.pad.0), all.pad.1.max(side.pad.1));
                all.wanted.extend(&side.wanted);
                all.wanted.sort_by(f64::total_cmp);
                all.wanted.dedup();
            }
            None => known.push((side.axis.clone(), side.clone())),
        }
    }
    for sides in sides {
        let Some(side) = side(sides) else { continue };
        if let Some((_, all)) = known.iter().find(|(axis, _)| *axis == side.axis) {
            *side = all.clone();
        }
    }
}
