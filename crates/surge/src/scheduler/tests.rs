//! Tests of the lock, the threads that sleep, and the threads that wake them, under every order of the threads, with loom.

use super::*;
use crate::line::Limits;
use crate::policy::Policy;
use loom::sync::Arc;
use loom::thread;

type Jobs = Arc<Scheduler<u32>>;

/// Tries the thread orders with up to `preemptions` preemptions; most bugs need only a few (Musuvathi and Qadeer, PLDI 2007).
fn model(preemptions: usize, run: impl Fn() + Send + Sync + 'static) {
    let mut builder = loom::model::Builder::new();
    builder.preemption_bound = Some(preemptions);
    builder.check(run);
}

fn scheduler(most: usize) -> Jobs {
    Arc::new(Scheduler::new(Line::new(Policy::Wsjf, None, Limits { jobs: most, bytes: u64::MAX })))
}

/// Creates a scheduler that keeps flows in order.
fn scheduler_of_flows(most: usize) -> Jobs {
    Arc::new(Scheduler::new(Line::new(Policy::Wsjf, Some(2), Limits { jobs: most, bytes: u64::MAX })))
}

/// Creates a job of one flow whose work equals its number.
fn job(number: u32) -> Waiting<u32> {
    let work = Duration::from_micros(number.into());
    Waiting { job: number, facts: Facts { size_bytes: 1, work, ..Facts::default() } }
}

fn finish(jobs: &Jobs, waiting: &Waiting<u32>) {
    let turn = Turn { end: End::Done, spent: Duration::ZERO, waited: Duration::ZERO, latency: Duration::ZERO };
    jobs.finish(&waiting.facts, &turn);
}

/// Pulls until the scheduler is closed and empty; returns the finished jobs.
fn work(jobs: &Jobs) -> Vec<u32> {
    let mut done = Vec::new();
    while let Some(waiting) = jobs.take() {
        finish(jobs, &waiting);
        done.push(waiting.job);
    }
    done
}

fn spawn_worker(jobs: &Jobs) -> thread::JoinHandle<Vec<u32>> {
    let jobs = Arc::clone(jobs);
    thread::spawn(move || work(&jobs))
}

fn check_end(jobs: &Jobs) {
    let metrics = jobs.metrics();
    assert_eq!((metrics.queued.jobs, metrics.in_service), (0, 0));
    let ended = [metrics.refused, metrics.evicted, metrics.done, metrics.drained];
    assert_eq!(metrics.submitted.jobs, ended.iter().map(|count| count.jobs).sum::<u64>());
}

#[test]
fn two_workers_do_each_job_once_and_see_the_end() {
    model(3, || {
        let jobs = scheduler(2);
        let workers = [spawn_worker(&jobs), spawn_worker(&jobs)];
        assert!(jobs.submit(job(1)).is_ok());
        assert!(jobs.submit(job(2)).is_ok());
        jobs.close();
        let mut done: Vec<_> = workers.into_iter().flat_map(|worker| worker.join().unwrap()).collect();
        done.sort_unstable();
        assert_eq!(done, [1, 2]);
        check_end(&jobs);
    });
}

#[test]
fn a_worker_for_whom_there_is_no_job_need_not_wait_for_the_end_of_the_last() {
    model(3, || {
        let jobs = scheduler(1);
        let workers = [spawn_worker(&jobs), spawn_worker(&jobs)];
        assert!(jobs.submit(job(1)).is_ok());
        jobs.close();
        let taken = jobs.try_take(2);
        let mut done: Vec<_> = workers.into_iter().flat_map(|worker| worker.join().unwrap()).collect();
        if let Ok(waiting) = taken {
            finish(&jobs, &waiting);
            done.push(waiting.job);
        }
        assert_eq!(done, [1]);
        check_end(&jobs);
    });
}

#[test]
fn who_does_not_fit_is_given_back_and_the_better_job_is_done() {
    model(3, || {
        let jobs = scheduler(1);
        let worker = spawn_worker(&jobs);
        let other = Arc::clone(&jobs);
        let submit = |jobs: &Jobs, number| match jobs.submit(job(number)) {
            Ok(victims) => victims.into_iter().map(|victim| victim.job).collect(),
            Err((refused, reason)) => {
                assert_eq!(reason, Reason::Worst);
                vec![refused.job]
            }
        };
        let submitter = thread::spawn(move || submit(&other, 4));
        let mut seen: Vec<u32> = submit(&jobs, 1);
        seen.extend(submitter.join().unwrap());
        jobs.close();
        let done = worker.join().unwrap();
        assert!(done.contains(&1), "the better job leaves for none");
        seen.extend(done);
        seen.sort_unstable();
        assert_eq!(seen, [1, 4]);
        check_end(&jobs);
    });
}

#[test]
fn a_job_given_back_after_the_end_is_done_all_the_same() {
    model(3, || {
        let jobs = scheduler(1);
        assert!(jobs.submit(job(1)).is_ok());
        let worker = spawn_worker(&jobs);
        let other = Arc::clone(&jobs);
        let giver = thread::spawn(move || {
            if let Ok(waiting) = other.try_take(1) {
                assert!(other.requeue(waiting, Duration::ZERO).is_ok());
            }
            work(&other)
        });
        jobs.close();
        let mut done = worker.join().unwrap();
        done.extend(giver.join().unwrap());
        assert_eq!(done, [1]);
        check_end(&jobs);
    });
}

#[test]
fn whoever_waits_for_the_end_of_all_work_is_woken() {
    model(3, || {
        let jobs = scheduler(2);
        assert!(jobs.submit(job(1)).is_ok());
        let worker = spawn_worker(&jobs);
        jobs.wait_idle();
        let metrics = jobs.metrics();
        assert_eq!((metrics.done.jobs, metrics.in_service), (1, 0));
        jobs.close();
        assert_eq!(worker.join().unwrap(), [1]);
    });
}

#[test]
fn draining_ends_the_workers() {
    model(3, || {
        let jobs = scheduler(2);
        let worker = spawn_worker(&jobs);
        assert!(jobs.submit(job(1)).is_ok());
        jobs.close();
        let mut seen: Vec<_> = jobs.drain().into_iter().map(|waiting| waiting.job).collect();
        seen.extend(worker.join().unwrap());
        assert_eq!(seen, [1]);
        check_end(&jobs);
    });
}

#[test]
fn a_flow_is_worked_on_by_one_at_a_time_and_nobody_sleeps_on() {
    model(3, || {
        let jobs = scheduler_of_flows(2);
        let busy = Arc::new(loom::sync::atomic::AtomicUsize::new(0));
        let worker = |jobs: Jobs| {
            let busy = Arc::clone(&busy);
            move || {
                let mut done = Vec::new();
                while let Some(waiting) = jobs.take() {
                    assert_eq!(busy.fetch_add(1, loom::sync::atomic::Ordering::Relaxed), 0);
                    done.push(waiting.job);
                    busy.fetch_sub(1, loom::sync::atomic::Ordering::Relaxed);
                    finish(&jobs, &waiting);
                }
                done
            }
        };
        let other = thread::spawn(worker(Arc::clone(&jobs)));
        assert!(jobs.submit(job(2)).is_ok());
        assert!(jobs.submit(job(1)).is_ok());
        jobs.close();
        let here = worker(Arc::clone(&jobs))();
        let there = other.join().unwrap();
        assert_eq!(here.len() + there.len(), 2);
        assert!(!here.starts_with(&[1, 2]) && !there.starts_with(&[1, 2]), "in order of arrival");
        check_end(&jobs);
    });
}

#[test]
fn the_end_of_a_job_wakes_a_worker_for_the_next_of_its_flow() {
    model(3, || {
        let jobs = scheduler_of_flows(2);
        assert!(jobs.submit(job(1)).is_ok());
        assert!(jobs.submit(job(2)).is_ok());
        let first = jobs.try_take(2).unwrap();
        let other = Arc::clone(&jobs);
        let worker = thread::spawn(move || other.take().map(|waiting| waiting.job));
        // Who ends it does not pull again.
        finish(&jobs, &first);
        assert_eq!(worker.join().unwrap(), Some(2));
    });
}

#[test]
fn a_job_given_back_goes_before_the_rest_of_its_flow() {
    model(3, || {
        let jobs = scheduler_of_flows(2);
        assert!(jobs.submit(job(1)).is_ok());
        assert!(jobs.submit(job(2)).is_ok());
        let first = jobs.try_take(2).unwrap();
        assert_eq!(first.job, 1);
        assert_eq!(jobs.try_take(2).err(), Some(PullError::Empty), "the flow is held");
        let worker = spawn_worker(&jobs);
        assert!(jobs.requeue(first, Duration::ZERO).is_ok());
        jobs.close();
        assert_eq!(worker.join().unwrap(), [1, 2]);
        check_end(&jobs);
    });
}
