//! Bounds of a trace from the command line, for experiments:
//! `bound TRACE.xz CAPACITY LATENCY [ITERATIONS [REQUESTS]]`. TRACE is slot CSV (one step per
//! line, `timestamp;key` or empty) if its name has `.csv` in it, else big-endian u32 keys.
#![expect(clippy::print_stdout, reason = "it is what an example is for")]

mod read;

use forebay_cache::belatedly::{BoundOptions, bound};
use std::error::Error;
use std::ops::ControlFlow;

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().collect();
    let [_, path, capacity, latency, rest @ ..] = arguments.as_slice() else {
        return Err("usage: bound TRACE.xz CAPACITY LATENCY [ITERATIONS [REQUESTS]]".into());
    };
    let mut requests = read::requests(path)?;
    let (capacity, latency): (u64, u64) = (capacity.parse()?, latency.parse()?);
    let mut options = BoundOptions::default();
    if let [iterations, ..] = rest {
        options.iterations = iterations.parse()?;
    }
    if let [_, count, ..] = rest {
        requests.truncate(count.parse()?);
    }
    let bounds = bound(
        &requests,
        capacity,
        |_| latency,
        &options,
        |progress| {
            let (iteration, percent) = (progress.iteration, 100.0 * progress.gap());
            println!("{iteration:6} lower {:.0} upper {} gap {percent:.4} %", progress.lower, progress.upper);
            ControlFlow::Continue(())
        },
    )?;
    println!(
        "lower {} upper {} gap {:.4} % of {} requests; {:?}",
        bounds.lower,
        bounds.upper,
        100.0 * bounds.gap(),
        bounds.requests,
        bounds.outcome
    );
    Ok(())
}
