//! What is reported of a policy at one capacity, with the names that results have for it.

use super::outcome::{Numbers, Point};
use super::spread::Spread;
use crate::statistics::{Quantity, quantities};

fn of(point: &Point, number: fn(&Numbers) -> f64) -> Option<f64> {
    point.numbers().map(number)
}

fn classical(point: &Point, number: fn(&Numbers) -> f64) -> Option<f64> {
    point.beside().map(number)
}

fn spread(point: &Point, number: fn(&Spread) -> Option<f64>) -> Option<f64> {
    point.spread.as_ref().and_then(number)
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
    "latency_p50": |point| spread(point, |own| Some(own.latency_p50 as f64)),
    "latency_p90": |point| spread(point, |own| Some(own.latency_p90 as f64)),
    "latency_p99": |point| spread(point, |own| Some(own.latency_p99 as f64)),
    "latency_p999": |point| spread(point, |own| Some(own.latency_p999 as f64)),
    "latency_max": |point| spread(point, |own| Some(own.latency_max as f64)),
    "byte_hit_ratio": |point| spread(point, |own| Some(own.byte_hit_ratio)),
    "byte_miss_ratio": |point| of(point, |own| own.byte_miss_ratio),
    "origin_fetches_per_s": |point| spread(point, |own| own.origin_fetches_per_s),
    "origin_bytes_per_s": |point| spread(point, |own| own.origin_bytes_per_s),
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
