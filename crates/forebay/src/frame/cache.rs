//! The frames of caches.

use super::metric::latency_of;
use super::{Cell, Frame, Numbers, Subject};
use crate::caching::{BEST_SCHEDULE, BoundReport, Bounded, CacheReport, CurveReport, LOWER_BOUND, Limits};
use crate::statistics::Quantities;

/// Nanoseconds of a second.
const NS: f64 = 1e9;

impl Cell {
    /// Adds a number of a cache; latencies are in ticks of this unit.
    fn add_of_cache(&mut self, subject: &Subject, name: &str, unit: &str, repetitions: &[u64], values: &[Option<f64>]) {
        let Some((prefix, statistic)) = latency_of(name) else { return self.add(subject, name, repetitions, values) };
        let (unit, divisor) = if unit == "ns" { ("s", NS) } else { ("slots", 1.0) };
        let pairs = repetitions.iter().zip(values);
        let values: Vec<(u64, f64)> =
            pairs.filter_map(|(repetition, value)| Some((*repetition, (*value)? / divisor))).collect();
        if !values.is_empty() {
            let metric = format!("{prefix}latency:{statistic}");
            self.numbers.push(Numbers { subject: subject.clone(), metric, unit, values });
        }
    }

    fn add_all(&mut self, subject: &Subject, unit: &str, repetitions: &[u64], quantities: &Quantities) {
        for (name, estimate) in quantities.iter() {
            self.add_of_cache(subject, name, unit, repetitions, &estimate.values);
        }
    }

    /// Adds a number of each repetition of a bound.
    fn add_bound(&mut self, name: &str, unit: &str, bounded: &Bounded, of: fn(&Limits) -> f64) {
        let values: Vec<Option<f64>> = bounded.all.iter().map(|limits| Some(of(limits))).collect();
        self.add_of_cache(&Subject::all(), name, unit, &bounded.repetitions, &values);
    }
}

/// Both bounds, as two policies.
fn add_bounds(frame: &mut Frame, axes: &[String], unit: &str, bounded: &Bounded) {
    let values = || Frame::values_of(axes, &bounded.place.axes);
    let lower = frame.cell(LOWER_BOUND, values());
    lower.add_bound("total_latency", unit, bounded, |limits| limits.lower as f64);
    lower.add_bound("mean_latency", unit, bounded, |limits| limits.lower_mean_latency);
    let upper = frame.cell(BEST_SCHEDULE, values());
    upper.add_bound("requests", unit, bounded, |limits| limits.requests as f64);
    upper.add_bound("hits", unit, bounded, |limits| limits.hits as f64);
    upper.add_bound("delayed_hits", unit, bounded, |limits| limits.delayed_hits as f64);
    upper.add_bound("misses", unit, bounded, |limits| limits.misses as f64);
    upper.add_bound("total_latency", unit, bounded, |limits| limits.upper as f64);
    upper.add_bound("mean_latency", unit, bounded, |limits| limits.upper_mean_latency);
    upper.add_bound("gap", unit, bounded, |limits| limits.gap);
}

impl From<&CacheReport> for Frame {
    fn from(report: &CacheReport) -> Self {
        let axes = Self::axes_of(report.results.iter().map(|row| row.place.axes.as_slice()));
        let mut frame = Self::new(axes.clone());
        let unit = |trace: &str| {
            let own = report.traces.iter().find(|own| own.trace == trace);
            own.map_or("slots", |own| own.latency_unit.as_str())
        };
        for rows in report.results.chunk_by(|a, b| a.place == b.place) {
            let place = &rows[0].place;
            for row in rows {
                let cell = frame.cell(&row.policy, Self::values_of(&axes, &place.axes));
                cell.add_all(&Subject::all(), unit(&place.trace), &row.repetitions, &row.quantities);
            }
            if let Some(bounded) = report.bounds.iter().find(|bounded| bounded.place == *place) {
                add_bounds(&mut frame, &axes, unit(&place.trace), bounded);
            }
        }
        frame
    }
}

impl From<&CurveReport> for Frame {
    fn from(report: &CurveReport) -> Self {
        let axes = Self::axes_of(report.curves.iter().map(|curve| curve.axes.as_slice()));
        let mut frame = Self::new(axes.clone());
        for curve in &report.curves {
            let unit = report.traces.iter().find(|own| own.trace == curve.trace);
            let unit = unit.map_or("slots", |own| own.latency_unit.as_str());
            let cell = frame.cell(&curve.policy, Self::values_of(&axes, &curve.axes));
            for point in &curve.points {
                let subject = Subject::of("capacity", point.capacity.to_string());
                cell.add_all(&subject, unit, &curve.repetitions, &point.quantities);
            }
        }
        frame
    }
}

impl From<&BoundReport> for Frame {
    fn from(report: &BoundReport) -> Self {
        let axes = Self::axes_of(report.results.iter().map(|row| row.place.axes.as_slice()));
        let mut frame = Self::new(axes.clone());
        let unit = report.results.first().map_or("slots", |row| row.latency_unit.as_str());
        for bounded in report.bounded() {
            add_bounds(&mut frame, &axes, unit, &bounded);
        }
        frame
    }
}
