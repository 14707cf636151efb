//! The frame of policies at one port.

use super::{Cell, Frame, Subject};
use crate::report::{Counts, Report};

impl From<&Report> for Frame {
    fn from(report: &Report) -> Self {
        let mut frame = Self::new(Vec::new());
        for result in &report.results {
            let cell = frame.cell(&result.policy, Vec::new());
            let all = Subject::all();
            add(cell, &all, &result.counts);
            for (name, value) in
                [("offered_load", result.offered_load), ("utilisation", result.utilisation), ("end_ns", result.end_ns)]
            {
                cell.add_one(&all, name, Some(value));
            }
            for class in &result.classes {
                add(cell, &Subject::of("class", class.class.to_string()), &class.counts);
            }
        }
        frame
    }
}

fn add(cell: &mut Cell, subject: &Subject, counts: &Counts) {
    let delay = counts.delay_ns;
    let whole = [
        ("packets_in", counts.packets_in),
        ("packets_out", counts.packets_out),
        ("packets_dropped", counts.packets_dropped),
        ("packets_queued", counts.packets_queued),
        ("packets_marked", counts.packets_marked),
        ("bytes_in", counts.bytes_in),
        ("bytes_out", counts.bytes_out),
        ("bytes_dropped", counts.bytes_dropped),
        ("inversions", counts.inversions),
        ("overtaken", counts.overtaken),
    ];
    let share = (counts.packets_in > 0).then(|| counts.drop_share());
    let others = [
        ("drop_share", share),
        ("throughput_bps", Some(counts.throughput_bps)),
        ("delay_ns_mean", delay.mean),
        ("delay_ns_p50", delay.p50),
        ("delay_ns_p99", delay.p99),
        ("delay_ns_max", delay.max),
    ];
    whole.iter().for_each(|(name, count)| cell.add_one(subject, name, Some(*count as f64)));
    others.iter().for_each(|(name, value)| cell.add_one(subject, name, *value));
}
