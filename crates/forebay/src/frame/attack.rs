//! The frame of policies under attack.

use super::{Frame, Subject};
use crate::attack::AttackReport;

impl From<&AttackReport> for Frame {
    fn from(report: &AttackReport) -> Self {
        let axes = Self::axes_of(report.results.iter().map(|row| row.axes.as_slice()));
        let mut frame = Self::new(axes.clone());
        for row in &report.results {
            let cell = frame.cell(&row.policy, Self::values_of(&axes, &row.axes));
            cell.add_all(&Subject::all(), &row.repetitions, &row.quantities);
        }
        frame
    }
}
