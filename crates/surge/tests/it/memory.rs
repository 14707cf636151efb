//! Memory is taken when the scheduler is built, and never later.

use allocation_counter::measure;
use forebay_surge::{Measure, Surge};
use std::time::Duration;

const JOBS: usize = 1_000;

/// Submits many times what fits, pulls some, gives some back.
fn traffic(surge: &Surge<u64>) {
    for number in 0..50_000_u64 {
        let flow = number % 97;
        let work = Duration::from_nanos(1 + number * 7_919 % 100_000);
        // Jobs that are given back are dropped here.
        drop(surge.submit(number, flow, 1 + number % 1_500, work));
        if number % 3 == 0
            && let Ok(task) = surge.try_pull()
        {
            if number % 5 == 0 {
                drop(task.ticket.requeue_with(task.job, work));
            } else {
                task.ticket.finish_with(work);
            }
        }
    }
}

#[test]
fn nothing_is_allocated_while_it_runs_but_the_vectors_of_those_dropped() {
    let builder = || Surge::builder(JOBS).measure(Measure::Wall);
    for surge in [builder().build().unwrap(), builder().in_order(4).build().unwrap()] {
        traffic(&surge);
        let used = measure(|| traffic(&surge));
        assert_eq!(used.bytes_current, 0);
        let dropped = surge.metrics().evicted.jobs;
        assert!(used.count_total <= 2 * dropped, "{} allocations, {dropped} jobs dropped", used.count_total);
        assert!(used.bytes_max < 2_048, "{} bytes", used.bytes_max);
    }
}

#[test]
fn a_job_takes_so_much() {
    for (what, most_flows, most) in [("jobs", None, 136), ("flows", Some(4), 450)] {
        let of = |jobs: usize| {
            let builder = Surge::<u64>::builder(jobs);
            let builder = if let Some(most) = most_flows { builder.in_order(most) } else { builder };
            measure(|| std::mem::forget(builder.build().unwrap())).bytes_current
        };
        // The table of flows has a power of two.
        let each = (of(4 << 16) - of(2 << 16)) / (2 << 16);
        println!("{what}: {} bytes, and {each} per job that may wait, 8 bytes of job included", of(1));
        assert!(each <= most, "{what}: {each} bytes per job");
        assert!(of(1) < 200_000, "{what}: {} bytes", of(1));
    }
}
