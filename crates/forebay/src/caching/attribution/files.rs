//! The change from one policy to another as comma-separated values: for every object, and along the trace.

use super::Attribution;
use crate::caching::report::CacheReport;
use crate::output::csv::lines;

/// The first columns of both tables.
const PLACE: [&str; 6] = ["trace", "capacity", "latency", "axes", "before", "after"];
/// The last columns of both tables: latencies in seconds, or in slots if the trace has no times. `difference` is `latency_after` -
/// `latency_before`.
const LATENCIES: [&str; 3] = ["latency_before", "latency_after", "difference"];

/// Returns both files with their names; none if no change was measured.
pub(crate) fn files(report: &CacheReport) -> Vec<(String, Vec<u8>)> {
    if report.attributions.is_empty() {
        return Vec::new();
    }
    let table = |own: [&str; 3], rows: &dyn Fn(&Attribution) -> Vec<Row>| {
        let header: Vec<&str> = PLACE.into_iter().chain(own).chain(LATENCIES).collect();
        let all = report.attributions.iter().flat_map(|attribution| {
            let trace = report.traces.iter().find(|trace| trace.trace == attribution.place.trace);
            let scale = if trace.is_some_and(|trace| trace.latency_unit == "ns") { 1e9 } else { 1.0 };
            let place = place(attribution);
            let row = move |row: Row| row.fields(&place, scale);
            rows(attribution).into_iter().map(row)
        });
        lines(&header, all).into_bytes()
    };
    let objects = |own: &Attribution| {
        let row = |object: &super::Object| Row {
            own: [
                object.key.to_string(),
                object.requests.to_string(),
                object.burstiness.map(|score| score.to_string()).unwrap_or_default(),
            ],
            time: None,
            latencies: [object.latency_before, object.latency_after],
        };
        own.objects.iter().map(row).collect()
    };
    let windows = |own: &Attribution| {
        let row = |(number, window): (usize, &super::Window)| Row {
            own: [number.to_string(), String::new(), window.requests.to_string()],
            time: Some(window.start),
            latencies: [window.latency_before, window.latency_after],
        };
        own.by_time.iter().enumerate().map(row).collect()
    };
    vec![
        ("attribution.csv".to_owned(), table(["object", "requests", "burstiness"], &objects)),
        ("attribution-windows.csv".to_owned(), table(["window", "start", "requests"], &windows)),
    ]
}

/// A row before its place is known.
struct Row {
    own: [String; 3],
    /// In ticks: the second of its own fields.
    time: Option<u64>,
    latencies: [u64; 2],
}

impl Row {
    fn fields(self, place: &[String; 6], scale: f64) -> Vec<String> {
        let Self { mut own, time, latencies: [before, after] } = self;
        let ticks = |ticks: f64| (ticks / scale).to_string();
        if let Some(time) = time {
            own[1] = ticks(time as f64);
        }
        let difference = after as f64 - before as f64;
        let latencies = [before as f64, after as f64, difference].map(ticks);
        place.iter().cloned().chain(own).chain(latencies).collect()
    }
}

fn place(attribution: &Attribution) -> [String; 6] {
    let place = &attribution.place;
    let axes: Vec<String> = place.axes.iter().map(|(name, value)| format!("{name}={}", value.text)).collect();
    let (before, after) = (attribution.before.clone(), attribution.after.clone());
    [place.trace.clone(), place.capacity.to_string(), place.latency.to_string(), axes.join(" "), before, after]
}
