//! Latencies of single objects, from a file: lines `key,latency`, and `*,latency` for all
//! other objects.

use super::latency::{Amount, amount};
use crate::error::WrongValue;
use crate::scenario::Files;
use forebay_traces::requests::key_of;
use std::io::Read as _;

/// The latency of each listed object, and the common latency of all others.
#[derive(Debug, Clone)]
pub(super) struct ObjectLatencies {
    pub(super) each: Vec<(u64, Amount)>,
    pub(super) others: Amount,
}

/// Reads a file of latencies.
pub(super) fn read(path: &str, files: &dyn Files) -> Result<ObjectLatencies, WrongValue> {
    let mut text = String::new();
    let (_, mut input) = files.open(path).map_err(|error| error.to_string())?;
    input.read_to_string(&mut text).map_err(|error| format!("{path}: cannot be read: {error}"))?;
    let (mut each, mut others) = (Vec::new(), None);
    for (number, line) in (1..).zip(text.lines()) {
        let at = |message: String| format!("{path}: line {number}: {message}");
        let line = line.trim();
        if line.is_empty() || number == 1 && line == "key,latency" {
            continue;
        }
        // A key may have commas, a latency has none.
        let (key, latency) =
            line.rsplit_once(',').ok_or_else(|| at(format!("`{line}` must be key,latency, like 17,5ms")))?;
        let latency = amount(latency).map_err(|fault| at(fault.to_string()))?;
        match key.trim() {
            "*" => others = Some(latency),
            key => each.push((key_of(key.as_bytes()).map_err(|fault| at(fault.to_string()))?, latency)),
        }
    }
    let others =
        others.ok_or_else(|| format!("{path}: add a line `*,LATENCY` with the latency of all other objects"))?;
    Ok(ObjectLatencies { each, others })
}
