//! Pictures of sweeps over attack rates.

use crate::Measured;
use crate::drawing::{Line, one_panel, unit};
use forebay::error::Result;
use forebay::figure::Axis;

/// Adds a figure: a line for each label. An axis is its words and its unit.
pub(crate) fn draw(
    measured: &mut Measured,
    name: &str,
    title: &str,
    [x, y]: [(&str, &str); 2],
    lines: Vec<Line>,
) -> Result<()> {
    let axes = [&Axis::logarithmic(x.0, unit(x.1)), &Axis::linear(y.0, unit(y.1))];
    measured.draw(name, "lines", one_panel(title, axes, lines))
}
