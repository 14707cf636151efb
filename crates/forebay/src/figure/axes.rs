//! Ticks, numbers and titles of axes: measured first, so that the layout knows the space that they need, and then drawn.

use super::font;
use super::model::Axis;
use super::plot::Side;
use super::scale::{How, Scale};
use super::scene::{GRID, INK, Rect, Role, Scene, Stroke};
use super::ticks::{Tick, Ticks, choose};

const TICK: f64 = 2.5;
/// The height of a line of text, over the font size.
pub(super) const LINE: f64 = 1.25;
/// Names beside an axis take this share of the panel at most.
const MOST_OF_PANEL: f64 = 0.33;

const EDGE: Stroke = Stroke { colour: INK, width: 0.6, dash: &[] };
const GUIDE: Stroke = Stroke { colour: GRID, width: 0.5, dash: &[] };

/// The measured vertical axis.
pub(super) struct Upright {
    ticks: Ticks,
    title: Vec<String>,
    pub(super) width: f64,
}

impl Upright {
    /// Measures the axis for a plot of this height, with names of at most a share of the panel, and a title of at most `lines` lines.
    pub(super) fn measure(side: &Side, height: f64, panel: f64, size: f64, lines: usize) -> Self {
        let scale = side.scale(height, 0.0);
        let mut ticks = if scale.how == How::Slots {
            slots(side, &scale.slot(), size * 1.1, 0)
        } else {
            let fits = |ticks: &[Tick]| apart(ticks, |value| scale.at(value)) >= size * 2.2;
            choose(&scale, &side.axis.unit, &[], fits)
        };
        for tick in &mut ticks.ticks {
            tick.label = font::shortened(&tick.label, size, panel * MOST_OF_PANEL);
        }
        let widest = ticks.ticks.iter().map(|tick| font::width(&tick.label, size)).fold(0.0, f64::max);
        let title = font::wrapped(&titled(&side.axis, &ticks.unit), size, height, lines);
        let width = widest + gap(size) + title.len() as f64 * LINE * size;
        Self { ticks, title, width }
    }

    /// Draws the numbers at the ticks, and the title outside of them.
    pub(super) fn draw(&self, scene: &mut Scene, scale: &Scale, rect: &Rect, size: f64, is_labelled: bool) {
        for tick in &self.ticks.ticks {
            let y = scale.at(tick.value);
            if scale.how != How::Slots {
                scene.line(Role::Guide, &[(rect.left - TICK, y), (rect.left, y)], EDGE);
            }
            if is_labelled {
                scene.text(&tick.label, rect.left - gap(size), y + font::CAP / 2.0 * size, size, 1.0);
            }
        }
        for (index, line) in self.title.iter().enumerate().filter(|_| is_labelled) {
            let x = rect.left - self.width + (font::CAP + LINE * index as f64) * size;
            scene.turned(line, x, (rect.top + rect.bottom) / 2.0, size, 0.5);
        }
    }

    /// Draws guide lines across the plot.
    pub(super) fn guides(&self, scene: &mut Scene, scale: &Scale, rect: &Rect) {
        for tick in self.ticks.ticks.iter().filter(|_| scale.how != How::Slots) {
            let y = scale.at(tick.value);
            scene.line(Role::Guide, &[(rect.left, y), (rect.right, y)], GUIDE);
        }
    }
}

/// The measured horizontal axis.
pub(super) struct Level {
    ticks: Ticks,
    title: Vec<String>,
    are_turned: bool,
    numbers: f64,
    pub(super) height: f64,
}

impl Level {
    /// Measures the axis for a plot of this width, whose numbers may extend `beyond` it on the left and right.
    pub(super) fn measure(side: &Side, width: f64, beyond: (f64, f64), size: f64) -> Self {
        let scale = side.scale(0.0, width);
        let fits = |ticks: &[Tick]| fit(ticks, |value| scale.at(value), (-beyond.0, width + beyond.1), size);
        let (mut ticks, are_turned) = if scale.how != How::Slots {
            (choose(&scale, &side.axis.unit, &side.wanted, fits), false)
        } else if fits(&slots(side, &f64::INFINITY, 0.0, 0).ticks) {
            (slots(side, &f64::INFINITY, 0.0, 0), false)
        } else if side.axis.names.iter().all(|name| name.starts_with(|letter: char| letter.is_ascii_digit())) {
            let every = (1..=side.axis.names.len()).find(|every| fits(&thinned(side, *every).ticks));
            (thinned(side, every.unwrap_or(usize::MAX)), false)
        } else {
            (slots(side, &scale.slot(), size * 1.1, 16), true)
        };
        for tick in ticks.ticks.iter_mut().filter(|_| !are_turned) {
            tick.label = font::shortened(&tick.label, size, width + beyond.0 + beyond.1);
        }
        let longest = ticks.ticks.iter().map(|tick| font::width(&tick.label, size)).fold(0.0, f64::max);
        let numbers = gap(size) + if are_turned { longest } else { size * (font::CAP + font::DESCENT) };
        let title = font::wrapped(&titled(&side.axis, &ticks.unit), size, width + beyond.0 + beyond.1, 2);
        let height = numbers + title.len() as f64 * LINE * size + size * 0.2;
        Self { ticks, title, are_turned, numbers, height }
    }

    pub(super) fn draw(&self, scene: &mut Scene, scale: &Scale, rect: &Rect, at: &Labels) {
        let size = at.size;
        for tick in &self.ticks.ticks {
            let x = scale.at(tick.value);
            if scale.how != How::Slots {
                scene.line(Role::Guide, &[(x, rect.bottom), (x, rect.bottom + TICK)], EDGE);
            }
            if at.are_shown && self.are_turned {
                scene.turned(&tick.label, x + font::CAP / 2.0 * size, rect.bottom + gap(size), size, 1.0);
            } else if at.are_shown {
                let middle = within(x, font::width(&tick.label, size), at.between);
                scene.text(&tick.label, middle, rect.bottom + gap(size) + font::CAP * size, size, 0.5);
            }
        }
        for (index, line) in self.title.iter().enumerate().filter(|_| at.are_shown) {
            let y = rect.bottom + self.numbers + (LINE * index as f64 + font::CAP + 0.2) * size;
            let middle = within((rect.left + rect.right) / 2.0, font::width(line, size), at.between);
            scene.text(line, middle, y, size, 0.5);
        }
    }

    /// Draws guide lines across the plot.
    pub(super) fn guides(&self, scene: &mut Scene, scale: &Scale, rect: &Rect) {
        for tick in self.ticks.ticks.iter().filter(|_| scale.how != How::Slots) {
            let x = scale.at(tick.value);
            scene.line(Role::Guide, &[(x, rect.top), (x, rect.bottom)], GUIDE);
        }
    }
}

/// How labels of an axis are drawn.
pub(super) struct Labels {
    pub(super) size: f64,
    pub(super) are_shown: bool,
    /// The limits within which labels may be drawn.
    pub(super) between: (f64, f64),
}

/// The scale of the shades: a strip beside the plot, measured.
pub(super) struct Strip {
    axis: Upright,
    pub(super) width: f64,
}

const STRIP: f64 = 7.0;

impl Strip {
    pub(super) fn measure(side: &Side, height: f64, panel: f64, size: f64) -> Self {
        let axis = Upright::measure(side, height, panel, size, 2);
        let width = size * 0.8 + STRIP + axis.width;
        Self { axis, width }
    }

    pub(super) fn draw(&self, scene: &mut Scene, side: &Side, rect: &Rect, size: f64) {
        const SHADES: u32 = 64;
        let left = rect.right + size * 0.8;
        let right = left + STRIP;
        for shade in 0..SHADES {
            let share = |shade: u32| rect.bottom - rect.height() * f64::from(shade) / f64::from(SHADES);
            let piece = Rect { left, right, top: share(shade + 1), bottom: (share(shade) + 0.5).min(rect.bottom) };
            let fill = super::palette::shade((f64::from(shade) + 0.5) / f64::from(SHADES));
            scene.rect(Role::Legend, piece, Some(fill), None);
        }
        scene.rect(Role::Legend, Rect { left, right, ..*rect }, None, Some(EDGE));
        let scale = side.scale(rect.bottom, rect.top);
        for tick in &self.axis.ticks.ticks {
            let y = scale.at(tick.value);
            scene.line(Role::Guide, &[(right, y), (right + TICK, y)], EDGE);
            scene.text(&tick.label, right + gap(size), y + font::CAP / 2.0 * size, size, 0.0);
        }
        for (index, line) in self.axis.title.iter().enumerate() {
            let first = right + self.axis.width - (self.axis.title.len() as f64 * LINE - font::CAP - 0.2) * size;
            scene.turned(line, first + LINE * index as f64 * size, (rect.top + rect.bottom) / 2.0, size, 0.5);
        }
    }
}

/// Returns the distance from an axis to its numbers, so that the lowest number beside a plot does not touch the first one below it.
fn gap(size: f64) -> f64 {
    size * 0.64
}

/// Draws the two lines on the left and below a plot.
pub(super) fn edges(scene: &mut Scene, rect: &Rect) {
    scene.line(Role::Guide, &[(rect.left, rect.top), (rect.left, rect.bottom), (rect.right, rect.bottom)], EDGE);
}

/// The title with its unit, unless it names it.
fn titled(axis: &Axis, unit: &str) -> String {
    let Axis { title, .. } = axis;
    match (title.is_empty(), unit.is_empty()) {
        (_, true) => title.clone(),
        (true, false) => unit.to_owned(),
        _ if title.split(|letter: char| !letter.is_alphanumeric()).any(|word| word == unit) => title.clone(),
        _ => format!("{title} ({unit})"),
    }
}

/// Returns a tick for each name, or for some names if slots are too narrow for all.
fn slots(side: &Side, slot: &f64, least: f64, most_letters: usize) -> Ticks {
    let every = (1..=side.axis.names.len().max(1)).find(|every| slot * *every as f64 >= least).unwrap_or(1);
    let mut ticks = thinned(side, every);
    if most_letters > 0 {
        for tick in &mut ticks.ticks {
            tick.label = font::shortened(&tick.label, 1.0, most_letters as f64 * 0.55);
        }
    }
    ticks
}

/// A tick for the first name and for each so-manieth after it.
fn thinned(side: &Side, every: usize) -> Ticks {
    let names = side.axis.names.iter().enumerate().step_by(every);
    let ticks = names.map(|(index, name)| Tick { value: index as f64, label: name.clone() });
    Ticks { ticks: ticks.collect(), unit: String::new() }
}

/// The least distance between two ticks.
fn apart(ticks: &[Tick], at: impl Fn(f64) -> f64) -> f64 {
    ticks.windows(2).map(|pair| (at(pair[1].value) - at(pair[0].value)).abs()).fold(f64::INFINITY, f64::min)
}

/// Whether labels side by side leave room between each other, within these ends.
fn fit(ticks: &[Tick], at: impl Fn(f64) -> f64, between: (f64, f64), size: f64) -> bool {
    let ends: Vec<(f64, f64)> = ticks
        .iter()
        .map(|tick| {
            let width = font::width(&tick.label, size);
            let middle = within(at(tick.value), width, between);
            (middle - width / 2.0, middle + width / 2.0)
        })
        .collect();
    let fits_alone = ends.iter().all(|(from, to)| to - from <= between.1 - between.0);
    fits_alone && ends.windows(2).all(|pair| pair[1].0 - pair[0].1 >= size * 0.6)
}

/// The middle of a label of this width that is to be at `x`, and within these ends.
fn within(x: f64, width: f64, (from, to): (f64, f64)) -> f64 {
    x.min(to - width / 2.0).max(from + width / 2.0)
}
