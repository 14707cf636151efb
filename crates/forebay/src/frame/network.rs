//! The frame of policies in networks.

use super::{Frame, Subject};
use crate::network::NetworkReport;

impl From<&NetworkReport> for Frame {
    fn from(report: &NetworkReport) -> Self {
        let axes = Self::axes_of(report.results.iter().map(|cell| cell.axes.as_slice()));
        let mut frame = Self::new(axes.clone());
        for result in &report.results {
            let cell = frame.cell(&result.policy, Self::values_of(&axes, &result.axes));
            let all = Subject::all();
            // Flows of all workloads and sizes have these numbers as well.
            let of_all = result.groups.first();
            let is_double = |name: &str| of_all.is_some_and(|group| group.quantities.get(name).is_some());
            for (name, estimate) in result.quantities.iter().filter(|(name, _)| !is_double(name)) {
                cell.add(&all, name, &result.repetitions, &estimate.values);
            }
            for group in &result.groups {
                let subject = match (&group.workload, &group.sizes) {
                    (None, None) => all.clone(),
                    (None, Some(_)) => Subject::of("size_class", group.size_name()),
                    (Some(workload), None) => Subject::of("workload", workload),
                    (Some(workload), Some(_)) => {
                        Subject::of("workload_size_class", format!("{workload}: {}", group.size_name()))
                    }
                };
                cell.add_all(&subject, &result.repetitions, &group.quantities);
            }
            for state in &result.states {
                let subject = Subject::of("state", &state.name);
                cell.add_all(&subject, &result.repetitions, &state.quantities);
            }
        }
        frame
    }
}
