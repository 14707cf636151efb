//! The frames of caches.

use super::{Cell, Frame, Subject};
use crate::caching::{
    BEST_SCHEDULE, BestSchedule, BoundReport, Bounded, CacheReport, CurveReport, LOWER_BOUND, LowerBound,
};
use crate::metric::{Measured, measure};
use forebay_core::Clock;

/// The clock of a trace whose latencies are in this unit.
fn clock(latency_unit: &str) -> Clock {
    if latency_unit == "ns" { Clock::Nanoseconds } else { Clock::Slots }
}

/// Both bounds, as two policies.
fn add_bounds(frame: &mut Frame, axes: &[String], clock: Clock, bounded: &Bounded) {
    let mut cell = |policy: &str, add: &dyn Fn(&mut Cell)| {
        let cell = frame.cell(policy, Frame::values_of(axes, &bounded.place.axes));
        cell.clock = clock;
        add(cell);
    };
    cell(LOWER_BOUND, &|cell| add_each(cell, bounded, bounded.all.iter().copied().map(LowerBound)));
    cell(BEST_SCHEDULE, &|cell| add_each(cell, bounded, bounded.all.iter().copied().map(BestSchedule)));
}

/// Adds what is measured of a bound in each repetition.
fn add_each<R: Measured>(cell: &mut Cell, bounded: &Bounded, limits: impl Iterator<Item = R>) {
    let limits: Vec<R> = limits.collect();
    let quantities = measure(&limits.iter().collect::<Vec<_>>());
    cell.add_all(&Subject::all(), &bounded.repetitions, &quantities);
}

impl From<&CacheReport> for Frame {
    fn from(report: &CacheReport) -> Self {
        let axes = Self::axes_of(report.results.iter().map(|row| row.place.axes.as_slice()));
        let mut frame = Self::new(axes.clone());
        let clock_of = |trace: &str| {
            let own = report.traces.iter().find(|own| own.trace == trace);
            own.map_or(Clock::Slots, |own| clock(&own.latency_unit))
        };
        for rows in report.results.chunk_by(|a, b| a.place == b.place) {
            let place = &rows[0].place;
            for row in rows {
                let cell = frame.cell(&row.policy, Self::values_of(&axes, &place.axes));
                cell.clock = clock_of(&place.trace);
                cell.add_all(&Subject::all(), &row.repetitions, &row.quantities);
            }
            if let Some(bounded) = report.bounds.iter().find(|bounded| bounded.place == *place) {
                add_bounds(&mut frame, &axes, clock_of(&place.trace), bounded);
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
            let own = report.traces.iter().find(|own| own.trace == curve.trace);
            let cell = frame.cell(&curve.policy, Self::values_of(&axes, &curve.axes));
            cell.clock = own.map_or(Clock::Slots, |own| clock(&own.latency_unit));
            for point in &curve.points {
                let subject = Subject::of("capacity", point.capacity.to_string());
                cell.add_all(&subject, &curve.repetitions, &point.quantities);
            }
        }
        frame
    }
}

impl From<&BoundReport> for Frame {
    fn from(report: &BoundReport) -> Self {
        let axes = Self::axes_of(report.results.iter().map(|row| row.place.axes.as_slice()));
        let mut frame = Self::new(axes.clone());
        let clock = report.results.first().map_or(Clock::Slots, |row| clock(&row.latency_unit));
        for bounded in report.bounded() {
            add_bounds(&mut frame, &axes, clock, &bounded);
        }
        frame
    }
}
