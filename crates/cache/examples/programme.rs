//! The linear programme beside the Lagrangian bounds, for experiments:
//! `programme TRACE.xz CAPACITY LATENCY FIRST COUNT [SECONDS]` looks at COUNT requests from FIRST on. With
//! SECONDS, the integral programme is also tried for so long, to see which bound is loose.
#![expect(clippy::print_stdout, reason = "it is what an example is for")]

mod read;

use forebay_cache::belatedly::{BoundOptions, Problem, Schedules, bound, exact, formulation_sizes};
use std::error::Error;
use std::ops::ControlFlow;

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().collect();
    let [_, path, capacity, latency, first, count, rest @ ..] = arguments.as_slice() else {
        return Err("usage: programme TRACE.xz CAPACITY LATENCY FIRST COUNT [SECONDS]".into());
    };
    let requests = read::requests(path)?;
    let (capacity, latency): (u64, u64) = (capacity.parse()?, latency.parse()?);
    let (first, count): (usize, usize) = (first.parse()?, count.parse()?);
    let part: Vec<_> = requests.into_iter().skip(first).take(count).collect();
    println!("{:?}", formulation_sizes(&part, capacity, |_| latency)?);
    let bounds = bound(&part, capacity, |_| latency, &BoundOptions::default(), |_| ControlFlow::Continue(()))?;
    println!("lower      {}", bounds.lower);
    let problem = Problem::new(&part, capacity, latency)?;
    println!("fractional {:.2}", exact(&problem, Schedules::Fractional)?.latency);
    if let [seconds, ..] = rest {
        let integral = exact(&problem, Schedules::Integral { gap: 0.0, seconds: seconds.parse()? })?;
        println!("integral   {:.2} to {:.2}", integral.proven, integral.latency);
    }
    println!("upper      {}", bounds.upper);
    Ok(())
}
