//! Markers of points, and intervals with caps.

use super::palette::{Shape, Style};
use super::scene::{Path, Role, Scene, Step, Stroke, WHITE};

/// Half the size of a marker in points.
pub(super) const RADIUS: f64 = 2.1;
/// Half the width of a cap of an interval.
pub(super) const CAP: f64 = 1.7;
/// The width of lines that represent data.
pub(super) const WIDTH: f64 = 1.1;

/// Draws a marker.
pub(super) fn marker(scene: &mut Scene, role: Role, style: Style, (x, y): (f64, f64)) {
    let steps = match style.shape() {
        Shape::Circle => circle(x, y),
        Shape::Square => polygon(x, y, 4, 45.0, 1.15),
        Shape::Diamond => polygon(x, y, 4, 0.0, 1.3),
        Shape::Triangle => polygon(x, y, 3, -90.0, 1.3),
        Shape::TriangleDown => polygon(x, y, 3, 90.0, 1.3),
        Shape::Pentagon => polygon(x, y, 5, -90.0, 1.2),
        Shape::Cross => cross(x, y),
    };
    let stroke = Stroke { colour: style.colour(), width: 0.8, dash: &[] };
    let fill = match style.shape() {
        Shape::Cross => None,
        _ if style.is_hollow() => Some(WHITE),
        _ => Some(style.colour()),
    };
    let stroke = if fill.is_none() { Stroke { width: 1.3, ..stroke } } else { stroke };
    scene.path(Path { role, steps, fill, stroke: Some(stroke) });
}

/// Draws a vertical interval from one height to another.
pub(super) fn upright(scene: &mut Scene, style: Style, x: f64, from: f64, to: f64) {
    let stroke = Stroke { colour: style.colour(), width: 0.8, dash: &[] };
    scene.line(Role::Data, &[(x, from), (x, to)], stroke);
    for y in [from, to] {
        scene.line(Role::Data, &[(x - CAP, y), (x + CAP, y)], stroke);
    }
}

fn circle(x: f64, y: f64) -> Vec<Step> {
    let (r, k) = (RADIUS, RADIUS * 0.552_285);
    vec![
        Step::Move(x + r, y),
        Step::Curve(x + r, y + k, x + k, y + r, x, y + r),
        Step::Curve(x - k, y + r, x - r, y + k, x - r, y),
        Step::Curve(x - r, y - k, x - k, y - r, x, y - r),
        Step::Curve(x + k, y - r, x + r, y - k, x + r, y),
        Step::Close,
    ]
}

fn polygon(x: f64, y: f64, corners: u32, first_degrees: f64, larger: f64) -> Vec<Step> {
    let corner = |index: u32| {
        let angle = (first_degrees + 360.0 * f64::from(index) / f64::from(corners)).to_radians();
        (x + RADIUS * larger * angle.cos(), y + RADIUS * larger * angle.sin())
    };
    let step = |index: u32| match (index, corner(index)) {
        (0, (x, y)) => Step::Move(x, y),
        (_, (x, y)) => Step::Line(x, y),
    };
    (0..corners).map(step).chain([Step::Close]).collect()
}

fn cross(x: f64, y: f64) -> Vec<Step> {
    let r = RADIUS * 0.9;
    vec![Step::Move(x - r, y - r), Step::Line(x + r, y + r), Step::Move(x - r, y + r), Step::Line(x + r, y - r)]
}
