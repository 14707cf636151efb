//! Queues, windows and received bytes of a run over time as CSV: a line for each time.

use super::run_result::SeriesResult;
use crate::output::csv::lines;

/// The whole table with its header: `queue_bytes leaf0>h3`, `window_bytes flow 7`, `received_bytes flow 7`; a window is empty while there is none.
pub(super) fn series_csv(series: &SeriesResult) -> String {
    let queues = series.queues.iter().map(|queue| format!("queue_bytes {}", queue.link));
    let windows = series.windows.iter().map(|window| format!("window_bytes flow {}", window.flow));
    let received = series.received.iter().map(|received| format!("received_bytes flow {}", received.flow));
    let header: Vec<String> =
        std::iter::once("time_ns".to_owned()).chain(queues).chain(windows).chain(received).collect();
    let header: Vec<&str> = header.iter().map(String::as_str).collect();
    let rows = series.times_ns.iter().enumerate().map(|(place, time)| {
        let queues = series.queues.iter().map(|queue| queue.bytes[place].to_string());
        let window = |bytes: &[Option<u64>]| bytes[place].map_or_else(String::new, |bytes| bytes.to_string());
        let windows = series.windows.iter().map(|series| window(&series.bytes));
        let received = series.received.iter().map(|series| series.bytes[place].to_string());
        std::iter::once(time.to_string()).chain(queues).chain(windows).chain(received).collect()
    });
    lines(&header, rows)
}
