//! The frame of an attack study.

use super::{Frame, Subject};
use crate::attack::AttackReport;
use forebay_core::Rate;

/// A rate as a scenario writes it.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "rates of a scenario are whole numbers of bits"
)]
fn written(gbps: f64) -> String {
    Rate::from_bits_per_second((gbps * 1e9).round() as u64).map_or_else(String::new, |rate| rate.to_string())
}

impl From<&AttackReport> for Frame {
    fn from(report: &AttackReport) -> Self {
        let mut frame = Self::new(vec!["innocent_rate".to_owned(), "attack_rate".to_owned()]);
        let all = Subject::all();
        for row in &report.rows {
            let cell = frame.cell(&row.policy, vec![Some(written(row.innocent_gbps)), Some(written(row.attack_gbps))]);
            let repetitions: Vec<u64> = (0..row.displacement_values.len() as u64).collect();
            for (name, values) in [
                ("displacement", &row.displacement_values),
                ("goodput_gbps", &row.goodput_values),
                ("baseline_gbps", &row.baseline_values),
                ("attack_served", &row.attack_served_values),
            ] {
                cell.add(&all, name, &repetitions, values);
            }
            for (name, value) in [("bound", row.bound), ("predicted", row.predicted)] {
                cell.add_one(&all, name, value);
            }
        }
        frame
    }
}
