//! The frame of policies at one port.

use super::{Frame, Subject};
use crate::port::Report;

impl From<&Report> for Frame {
    fn from(report: &Report) -> Self {
        let axes = Self::axes_of(report.results.iter().map(|cell| cell.axes.as_slice()));
        let mut frame = Self::new(axes.clone());
        for result in &report.results {
            let cell = frame.cell(&result.policy, Self::values_of(&axes, &result.axes));
            cell.add_all(&Subject::all(), &result.repetitions, &result.quantities);
            for class in result.classes() {
                let subject = Subject::of("class", class.class.to_string());
                cell.add_all(&subject, &result.repetitions, &class.quantities);
            }
            let Some(ranks) = &result.per_rank else { continue };
            for (bin, lowest) in ranks.lowest_rank.iter().enumerate() {
                let subject = Subject::of("rank", lowest.to_string());
                for (name, column) in ranks.columns() {
                    cell.add(&subject, name, &result.repetitions, &column.values[bin]);
                }
            }
        }
        frame
    }
}
