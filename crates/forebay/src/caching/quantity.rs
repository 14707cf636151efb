//! What is reported of a policy at one capacity, with the names that results have for it.

use super::outcome::{Numbers, Point};
use crate::statistics::{Quantity, quantities};

fn of(point: &Point, number: fn(&Numbers) -> f64) -> Option<f64> {
    point.numbers().map(number)
}

fn classical(point: &Point, number: fn(&Numbers) -> f64) -> Option<f64> {
    point.beside().map(number)
}

/// Of a policy at one capacity.
pub(super) const OF_POINTS: &[Quantity<Point>] = quantities![
    "requests": |point| of(point, |own| own.requests as f64),
    "hits": |point| of(point, |own| own.hits as f64),
    "delayed_hits": |point| of(point, |own| own.delayed_hits as f64),
    "misses": |point| of(point, |own| own.misses as f64),
    "hit_ratio": |point| of(point, |own| own.hit_ratio),
    "delayed_hit_ratio": |point| of(point, |own| own.delayed_hit_ratio),
    "miss_ratio": |point| of(point, |own| own.miss_ratio),
    "total_latency": |point| of(point, |own| own.total_latency as f64),
    "mean_latency": |point| of(point, |own| own.mean_latency),
    "bytes": |point| of(point, |own| own.bytes as f64),
    "miss_bytes": |point| of(point, |own| own.miss_bytes as f64),
    "evictions": |point| of(point, |own| own.evictions as f64),
    "refused": |point| of(point, |own| own.refused as f64),
    "classical_hits": |point| classical(point, |own| own.hits as f64),
    "classical_misses": |point| classical(point, |own| own.misses as f64),
    "classical_miss_ratio": |point| classical(point, |own| own.miss_ratio),
    "classical_mean_latency": |point| classical(point, |own| own.mean_latency),
    "classical_error": Point::classical_error,
];

/// By how much the mean latency is above the lower bound, as a share of the bound.
pub(super) const ABOVE_LOWER_BOUND: &str = "above_lower_bound";

/// The names of all numbers.
#[cfg(test)]
pub(crate) fn names() -> Vec<&'static str> {
    OF_POINTS.iter().map(|quantity| quantity.name).chain([ABOVE_LOWER_BOUND]).collect()
}
