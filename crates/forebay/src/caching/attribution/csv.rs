//! What one policy changes, as CSV.

use super::Attribution;
use crate::output::csv;

/// One line for each object.
pub fn objects_csv(attributions: &[Attribution]) -> String {
    let header = ["trace", "capacity", "latency", "key", "requests", "burstiness", "latency_before", "latency_after"];
    let rows = attributions.iter().flat_map(|attribution| {
        attribution.objects.iter().map(move |object| {
            vec![
                attribution.place.trace.clone(),
                attribution.place.capacity.to_string(),
                attribution.place.latency.to_string(),
                object.key.to_string(),
                object.requests.to_string(),
                object.burstiness.map_or_else(String::new, |score| score.to_string()),
                object.latency_before.to_string(),
                object.latency_after.to_string(),
            ]
        })
    });
    csv::lines(&header, rows)
}
