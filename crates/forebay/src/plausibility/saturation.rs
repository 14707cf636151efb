//! Sweeps over the load that begin with saturated links.

use crate::sweep::{AxisValue, value};

/// A link that sends for more than this share of the time is saturated: packets that arrive at random would make a queue of 49 on average.
const SATURATED: f64 = 0.98;

/// A cell: its policy, its axes, and the share of the time in which its busiest link sends.
pub(crate) type Busy<'a> = (&'a str, &'a [(String, AxisValue)], f64);

/// Returns a line if, at the least of several loads, a link is saturated under every policy.
pub(crate) fn warning<'a>(cells: impl Iterator<Item = Busy<'a>>) -> Option<String> {
    let cells: Vec<Busy<'a>> = cells.collect();
    let is_load = |name: &&str| name.rsplit('.').next() == Some("load");
    let axis = cells.iter().flat_map(|(_, axes, _)| axes.iter().map(|(name, _)| name.as_str())).find(is_load)?;
    let load = |axes: &[(String, AxisValue)]| value(axes, axis)?.number;
    let loads: Vec<f64> = cells.iter().filter_map(|(_, axes, _)| load(axes)).collect();
    let least = loads.iter().copied().reduce(f64::min)?;
    if loads.iter().all(|own| *own == least) {
        return None;
    }
    let first: Vec<&Busy<'a>> = cells.iter().filter(|(_, axes, _)| load(axes) == Some(least)).collect();
    let lowest = first.iter().map(|(.., busy)| *busy).reduce(f64::min).filter(|busy| *busy > SATURATED)?;
    let text = &first[0].1.iter().find(|(name, _)| name == axis)?.1.text;
    Some(format!(
        "at the lowest {axis} of the sweep, {text}, a link sends for {:.1} % of the time or more under every policy, so the sweep cannot \
         show where links saturate; begin lower",
        (lowest * 1_000.0).floor() / 10.0
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The share that is sent at each load, under two policies.
    fn said(loads: [f64; 2], busy: [[f64; 2]; 2]) -> Option<String> {
        let axes = loads
            .map(|load| vec![("traffic.load".to_owned(), AxisValue { text: load.to_string(), number: Some(load) })]);
        let cells =
            axes.iter().zip(busy).flat_map(|(axes, busy)| [("A", &axes[..], busy[0]), ("B", &axes[..], busy[1])]);
        warning(cells)
    }

    #[test]
    fn the_first_point_is_what_counts() {
        let line = said([1.5, 1.1], [[1.0, 1.0], [0.999_4, 1.0]]).unwrap();
        assert!(
            line.starts_with("at the lowest traffic.load of the sweep, 1.1, a link sends for 99.9 % of the time"),
            "{line}"
        );
        assert_eq!(said([0.5, 1.5], [[0.5, 0.5], [1.0, 1.0]]), None, "the first point is below");
        assert_eq!(said([1.1, 1.5], [[0.99, 0.6], [1.0, 1.0]]), None, "one policy does not use the link");
        assert_eq!(said([1.1, 1.1], [[1.0, 1.0], [1.0, 1.0]]), None, "there is one load");
    }
}
