//! Offered load that is far from the load that was asked for.

use super::{at, others};
use crate::output::table::ns;
use crate::sweep::AxisValue;

/// The difference from the load that was asked for, as a share of it, above which a warning is given. Points of curves over the load would
/// otherwise be at wrong positions of the axis.
const LARGEST_DIFFERENCE: f64 = 0.1;
/// The number of standard deviations that count as chance: one of some hundred runs exceeds it.
const CHANCE: f64 = 3.0;

/// The load of the runs of a cell.
pub(crate) struct Load<'a> {
    pub(crate) axes: &'a [(String, AxisValue)],
    pub(crate) asked: f64,
    /// The offered load, mean over repetitions.
    pub(crate) offered: f64,
    /// The reason why the offered load may differ.
    pub(crate) short: Short,
}

/// The reasons why the offered load may differ from the load that was asked for.
pub(crate) enum Short {
    /// So few flows, whose sizes make the load vary by this share of itself (one standard deviation).
    Flows { flows: f64, deviation: f64 },
    /// The link still sends for `drain_ns` after the last packet has arrived, out of `of_ns`, the whole time.
    Drain { drain_ns: f64, of_ns: f64 },
}

/// Returns a line if loads differ, with the load that differs most. Policies get the same traffic, so each load counts once.
pub(crate) fn warning<'a>(loads: impl Iterator<Item = Load<'a>>) -> Option<String> {
    let mut lines: Vec<(f64, String)> = Vec::new();
    for load in loads {
        if let Some(line) = load.warning().filter(|line| lines.iter().all(|(_, known)| known != line)) {
            lines.push(((load.offered / load.asked - 1.0).abs(), line));
        }
    }
    lines.sort_by(|a, b| b.0.total_cmp(&a.0));
    let (_, line) = lines.first()?;
    let more = if lines.len() > 1 {
        format!(" (so it is at{})", others(lines.len() - 1).replacen(" and", "", 1))
    } else {
        String::new()
    };
    Some(format!("{line}{more}"))
}

impl Load<'_> {
    fn warning(&self) -> Option<String> {
        let Self { axes, asked, offered, short } = self;
        let difference = offered / asked - 1.0;
        if *asked <= 0.0 || difference.abs() <= LARGEST_DIFFERENCE {
            return None;
        }
        let why = match short {
            Short::Flows { flows, deviation } if difference.abs() <= CHANCE * deviation => format!(
                ": the run is too short; with {flows:.0} flows of such sizes, chance alone moves the load by {:.0} %",
                deviation * 100.0
            ),
            Short::Drain { drain_ns, of_ns }
                if offered / (1.0 - drain_ns / of_ns) > asked * (1.0 - LARGEST_DIFFERENCE) =>
            {
                format!(
                    ": the link sends for {} of {} after the last packet has arrived",
                    ns(Some(*drain_ns)),
                    ns(Some(*of_ns))
                )
            }
            _ => String::new(),
        };
        let place = if axes.is_empty() { String::new() } else { format!("{}: ", at(axes)) };
        Some(format!("{place}the offered load is {offered:.3}, but the scenario says {asked:.3}{why}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn warning(asked: f64, offered: f64, short: Short) -> Option<String> {
        Load { axes: &[], asked, offered, short }.warning()
    }

    #[test]
    fn a_load_that_differs_says_why() {
        let flows = |deviation| Short::Flows { flows: 40.0, deviation };
        assert_eq!(warning(0.6, 0.65, flows(0.3)), None);
        assert_eq!(
            warning(0.6, 0.8, flows(0.3)).unwrap(),
            "the offered load is 0.800, but the scenario says 0.600: the run is too short; with 40 flows of such sizes, chance alone moves \
             the \
             load by 30 %"
        );
        assert_eq!(warning(0.6, 0.8, flows(0.01)).unwrap(), "the offered load is 0.800, but the scenario says 0.600");
        let drain = |drain_ns| Short::Drain { drain_ns, of_ns: 2e6 };
        assert_eq!(
            warning(2.0, 1.0, drain(1e6)).unwrap(),
            "the offered load is 1.000, but the scenario says 2.000: the link sends for 1.00 ms of 2.00 ms after the last packet has \
             arrived"
        );
        assert_eq!(warning(2.0, 1.0, drain(1e3)).unwrap(), "the offered load is 1.000, but the scenario says 2.000");
    }
}
