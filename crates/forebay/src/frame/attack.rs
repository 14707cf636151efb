//! The frame of policies under attack.

use super::{Frame, Subject};
use crate::attack::AttackReport;

impl From<&AttackReport> for Frame {
    fn from(report: &AttackReport) -> Self {
        let axes = Self::axes_of(report.results.iter().map(|row| row.axes.as_slice()));
        let mut frame = Self::new(axes.clone());
        let all = Subject::all();
        for row in &report.results {
            let cell = frame.cell(&row.policy, Self::values_of(&axes, &row.axes));
            for (name, estimate) in row.quantities.iter() {
                cell.add(&all, name, &row.repetitions, &estimate.values);
            }
            for (name, value) in [("bound", row.bound), ("predicted", row.predicted)] {
                cell.add_one(&all, name, value);
            }
        }
        frame
    }
}
