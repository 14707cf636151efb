//! Waiting for jobs, closing, draining.

use forebay_surge::{BuildError, Policy, PullError, Reason, Surge};
use std::thread;
use std::time::Duration;

const MS: Duration = Duration::from_millis(1);

fn surge(jobs: usize) -> Surge<u32> {
    Surge::builder(jobs).build().expect("the builder is right")
}

#[test]
fn a_worker_sleeps_until_there_is_a_job() {
    let surge = surge(1);
    let worker = thread::spawn({
        let surge = surge.clone();
        move || surge.pull().map(|task| task.job)
    });
    thread::sleep(20 * MS);
    surge.submit(7, 0, 1, MS).unwrap();
    assert_eq!(worker.join().unwrap(), Some(7));
}

#[test]
fn a_worker_does_not_wait_longer_than_told() {
    let surge = surge(1);
    assert_eq!(surge.try_pull().unwrap_err(), PullError::Empty);
    assert_eq!(surge.pull_timeout(10 * MS).unwrap_err(), PullError::Empty);
    surge.submit(7, 0, 1, MS).unwrap();
    assert_eq!(surge.pull_timeout(Duration::ZERO).unwrap().job, 7);
    let worker = thread::spawn({
        let surge = surge.clone();
        move || surge.pull_timeout(Duration::MAX).map(|task| task.job)
    });
    thread::sleep(10 * MS);
    surge.submit(8, 0, 1, MS).unwrap();
    assert_eq!(worker.join().unwrap(), Ok(8));
}

#[test]
fn a_limit_of_concurrency_holds() {
    let surge = surge(3);
    (0..3).for_each(|number| assert!(surge.submit(number, 0, 1, MS).is_ok()));
    let first = surge.try_pull_below(2).unwrap();
    let _second = surge.try_pull_below(2).unwrap();
    assert_eq!(surge.try_pull_below(2).unwrap_err(), PullError::Empty);
    first.ticket.finish();
    assert_eq!(surge.try_pull_below(2).unwrap().job, 2);
}

#[test]
fn what_waits_when_it_is_closed_is_still_done() {
    let surge = surge(2);
    surge.submit(1, 0, 1, MS).unwrap();
    surge.close();
    assert!(surge.is_closed());
    let refused = surge.submit(2, 0, 1, MS).unwrap_err();
    assert_eq!((refused.job, refused.reason), (2, Reason::Closed));
    assert_eq!(refused.to_string(), "the job was rejected: the scheduler is closed");
    assert_eq!(surge.pull().unwrap().job, 1);
    assert!(surge.pull().is_none());
    assert_eq!(surge.try_pull().unwrap_err(), PullError::Closed);
    assert_eq!(surge.pull_timeout(MS).unwrap_err(), PullError::Closed);
}

#[test]
fn draining_gives_all_that_waits() {
    let surge = surge(3);
    (0..3).for_each(|number| assert!(surge.submit(number, 0, 10, MS).is_ok()));
    let task = surge.pull().unwrap();
    assert_eq!(surge.drain(), [1, 2]);
    assert!(surge.is_empty());
    drop(task);
    surge.wait_idle();
    let metrics = surge.metrics();
    assert_eq!((metrics.drained.jobs, metrics.drained.bytes, metrics.done.jobs), (2, 20, 1));
}

#[test]
fn all_asleep_wake_up_when_it_is_closed() {
    let surge = surge(1);
    let worker = |surge: Surge<u32>| move || surge.pull().is_none();
    let workers: Vec<_> = (0..3).map(|_| thread::spawn(worker(surge.clone()))).collect();
    thread::sleep(10 * MS);
    surge.close();
    assert!(workers.into_iter().all(|worker| worker.join().unwrap()));
}

#[test]
fn a_job_larger_than_all_that_may_wait_is_refused_and_nobody_leaves_for_it() {
    let surge = Surge::builder(10).bytes(100).build().unwrap();
    surge.submit("a", 0, 100, 9 * MS).unwrap();
    let refused = surge.submit("b", 0, 101, MS).unwrap_err();
    assert_eq!((refused.job, refused.reason), ("b", Reason::TooLarge));
    let refused = surge.submit("c", 0, 1, MS).unwrap_err();
    assert_eq!((refused.job, refused.reason), ("c", Reason::Worst), "1 ms per byte is worse than 0.09");
    assert_eq!(surge.submit("d", 0, 50, MS).unwrap(), ["a"]);
}

#[test]
fn fcfs_refuses_who_comes_last() {
    let surge = Surge::builder(2).policy(Policy::Fcfs).build().unwrap();
    surge.submit(1, 0, 1, 9 * MS).unwrap();
    surge.submit(2, 0, 1, 8 * MS).unwrap();
    assert_eq!(surge.submit(3, 0, 1, MS).unwrap_err().job, 3);
    assert_eq!([surge.pull().unwrap().job, surge.pull().unwrap().job], [1, 2]);
}

#[test]
fn a_scheduler_for_nothing_is_refused() {
    let message = |error: BuildError| error.to_string();
    let nothing = "nothing may wait; give at least 1 job and 1 byte";
    assert_eq!(Surge::<u32>::builder(0).build().map_err(message).unwrap_err(), nothing);
    assert_eq!(Surge::<u32>::builder(1).bytes(0).build().map_err(message).unwrap_err(), nothing);
    let none = Surge::<u32>::builder(1).in_order(0).build().map_err(message).unwrap_err();
    assert_eq!(none, "no job may be in service; give in_order at least 1");
    let many = Surge::<u32>::builder(usize::MAX).build().map_err(message).unwrap_err();
    assert!(many.ends_with("jobs are too many; take 67108864 at most"), "{many}");
}
