//! How a job ends: finished, dropped, given back, cancelled, or with a worker that panicked.

use forebay_surge::{Estimate, Estimator, ManualClock, Measure, MeasuredJob, Metrics, Reason, Surge, Task};
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::time::Duration;

const MS: Duration = Duration::from_millis(1);

fn surge(clock: &ManualClock) -> Surge<&'static str> {
    Surge::builder(2).measure(Measure::Wall).clock(clock.clone()).build().expect("the builder is right")
}

fn submit(surge: &Surge<&'static str>, job: &'static str, work: Duration) {
    assert_eq!(surge.submit(job, 0, 1_000, work).expect("there is room"), [""; 0]);
}

fn pull(surge: &Surge<&'static str>) -> Task<&'static str> {
    surge.try_pull().expect("a job waits")
}

fn ended(metrics: &Metrics) -> (u64, u64, u64) {
    (metrics.done.jobs, metrics.cancelled.jobs, metrics.panicked)
}

#[test]
fn what_is_measured_is_fed_back_and_counted() {
    let clock = ManualClock::default();
    let surge = surge(&clock);
    submit(&surge, "a", 5 * MS);
    clock.advance(3 * MS);
    let task = pull(&surge);
    assert_eq!((task.job, task.ticket.flow(), task.ticket.size_bytes()), ("a", 0, 1_000));
    clock.advance(7 * MS);
    assert_eq!(task.ticket.spent(), 7 * MS);
    task.ticket.finish();
    let metrics = surge.metrics();
    assert_eq!(ended(&metrics), (1, 0, 0));
    assert_eq!((metrics.work_estimated, metrics.work_spent, metrics.worst_underestimate), (5 * MS, 7 * MS, 2 * MS));
    assert_eq!((metrics.waits.mean, metrics.latencies.mean, metrics.latencies.longest), (3 * MS, 10 * MS, 10 * MS));
    assert_eq!(metrics.latencies.p99, 10 * MS);
    assert!((metrics.spent_over_estimated() - 1.4).abs() < 1e-9);
    assert!((metrics.bytes_per_second() - 1_000.0 / 0.007).abs() < 1e-6);
    assert_eq!((metrics.served(), metrics.dropped()), (1.0, 0.0));
}

#[test]
fn the_caller_may_say_what_it_cost() {
    let surge = surge(&ManualClock::default());
    submit(&surge, "a", MS);
    pull(&surge).ticket.finish_with(4 * MS);
    assert_eq!(surge.metrics().work_spent, 4 * MS);
}

#[test]
fn a_thread_is_charged_what_it_has_burnt_and_not_what_it_has_slept() {
    let surge = Surge::builder(1).build().unwrap();
    surge.submit((), 0, 1, MS).unwrap();
    let task = surge.pull().unwrap();
    std::thread::sleep(50 * MS);
    assert!(task.ticket.spent() < 40 * MS);
    let mut sum = 0_u64;
    while task.ticket.spent() < 45 * MS {
        sum = std::hint::black_box(sum + 1);
    }
    // On another thread only the clock's time is known.
    std::thread::spawn(move || task.ticket.finish()).join().unwrap();
    assert!(surge.metrics().work_spent >= 95 * MS);
}

#[test]
fn a_dropped_ticket_ends_the_job() {
    let clock = ManualClock::default();
    let surge = surge(&clock);
    submit(&surge, "a", MS);
    let task = pull(&surge);
    clock.advance(2 * MS);
    drop(task);
    let metrics = surge.metrics();
    assert_eq!((ended(&metrics), metrics.work_spent, metrics.in_service), ((1, 0, 0), 2 * MS, 0));
}

#[test]
fn a_panic_ends_the_job_with_what_it_has_cost() {
    let clock = ManualClock::default();
    let surge = surge(&clock);
    submit(&surge, "a", MS);
    let worker = catch_unwind(AssertUnwindSafe(|| {
        let _task = pull(&surge);
        clock.advance(3 * MS);
        // Not `panic!`, whose message would fill the test's output.
        resume_unwind(Box::new("as told"));
    }));
    assert!(worker.is_err());
    let metrics = surge.metrics();
    assert_eq!((ended(&metrics), metrics.work_spent, metrics.in_service), ((1, 0, 1), 3 * MS, 0));
    submit(&surge, "b", MS);
    assert_eq!(pull(&surge).job, "b", "it goes on");
}

#[test]
fn a_cancelled_job_is_not_done() {
    let surge = surge(&ManualClock::default());
    submit(&surge, "a", MS);
    pull(&surge).ticket.cancel();
    assert_eq!(ended(&surge.metrics()), (0, 1, 0));
}

#[test]
fn a_job_given_back_is_ranked_by_twice_what_it_has_cost() {
    let clock = ManualClock::default();
    let surge = surge(&clock);
    submit(&surge, "liar", MS);
    submit(&surge, "honest", 6 * MS);
    let Task { job, ticket } = pull(&surge);
    assert_eq!(job, "liar");
    clock.advance(2 * MS);
    assert_eq!(ticket.requeue(job).unwrap(), [""; 0]);
    // 4 ms are still less than 6.
    let Task { job, ticket } = pull(&surge);
    assert_eq!((job, ticket.estimate(), ticket.spent_before()), ("liar", 4 * MS, 2 * MS));
    assert_eq!(ticket.requeue_with(job, 2 * MS).unwrap(), [""; 0]);
    let honest = pull(&surge);
    assert_eq!(honest.job, "honest");
    honest.ticket.finish_with(6 * MS);
    let liar = pull(&surge);
    assert_eq!((liar.job, liar.ticket.estimate(), liar.ticket.spent_before()), ("liar", 8 * MS, 4 * MS));
    liar.ticket.finish_with(MS);
    let metrics = surge.metrics();
    assert_eq!((metrics.requeued, metrics.work_spent, metrics.done.jobs), (2, 11 * MS, 2));
    assert_eq!(metrics.work_estimated, 14 * MS, "the estimates at the last turn");
}

#[test]
fn a_job_given_back_may_be_the_one_that_has_no_room() {
    let surge = surge(&ManualClock::default());
    submit(&surge, "liar", MS);
    let Task { job, ticket } = pull(&surge);
    submit(&surge, "a", 3 * MS);
    submit(&surge, "b", 3 * MS);
    let refused = ticket.requeue_with(job, 2 * MS).unwrap_err();
    assert_eq!((refused.job, refused.reason), ("liar", Reason::Worst));
    let metrics = surge.metrics();
    assert_eq!((metrics.evicted.jobs, metrics.refused.jobs, metrics.in_service), (1, 0, 0));
}

/// An estimator that panics whenever it should learn.
struct Breaks;

impl Estimator<&'static str> for Breaks {
    fn estimate(&self, _: &&'static str, _: u64, told: Duration) -> Estimate {
        Estimate { work: told, ..Estimate::default() }
    }

    fn learn(&self, _: &MeasuredJob<'_>) {
        resume_unwind(Box::new("nothing learnt"));
    }
}

#[test]
fn an_estimator_that_panics_ends_the_job_too() {
    let clock = ManualClock::default();
    let surge = Surge::builder(2).measure(Measure::Wall).clock(clock.clone()).estimator(Breaks);
    let surge: Surge<&'static str> = surge.build().expect("the builder is right");
    let ways: [fn(Task<&'static str>); 3] = [
        |task| task.ticket.finish(),
        |task| drop(task.ticket.requeue(task.job)),
        // Two panics at once.
        |task| {
            let _held = task;
            resume_unwind(Box::new("broken on purpose"));
        },
    ];
    for (number, way) in (1..).zip(ways) {
        submit(&surge, "a", MS);
        let task = pull(&surge);
        clock.advance(MS);
        assert!(catch_unwind(AssertUnwindSafe(|| way(task))).is_err());
        let metrics = surge.metrics();
        assert_eq!((metrics.done.jobs, metrics.in_service, metrics.queued.jobs), (number, 0, 0));
        assert_eq!(metrics.work_spent, u32::try_from(number).unwrap_or(0) * MS);
    }
}
