//! Pictures and data of sweeps.

use crate::Measured;
use forebay::error::Result;
use forebay::output::csv;
use forebay::output::curves::{Axis, Curve, Panel, grid};

/// Adds `NAME.svg` and `NAME.csv`: a line for each label, over what `x` says.
pub(crate) fn draw(
    measured: &mut Measured,
    name: &str,
    [title, x, y]: [&str; 3],
    lines: &[(String, Vec<(f64, f64)>)],
) -> Result<()> {
    let curves = lines.iter().map(|(label, points)| Curve { label: label.clone(), points: points.clone() });
    let panel = Panel { title: String::new(), curves: curves.collect() };
    let picture = grid(title, &[([Axis::logarithmic(x), Axis::linear(y)], vec![panel])])?;
    measured.files.push((format!("{name}.svg"), picture));
    let rows = lines
        .iter()
        .flat_map(|(label, points)| points.iter().map(move |(x, y)| vec![label.clone(), x.to_string(), y.to_string()]));
    measured.files.push((format!("{name}.csv"), csv::lines(&["line", x, y], rows)));
    Ok(())
}
