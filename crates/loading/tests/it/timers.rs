//! A timer on the clock of a test.

use crate::by_hand::{Bench, Key, Value, lock};
use forebay_clock::nanoseconds;
use forebay_loading::{Builder, Clock as _, ManualClock};
use std::sync::{Arc, Mutex};
use std::task::{Poll, Waker};
use std::time::Duration;

/// The wakers of the futures that sleep.
#[derive(Clone, Default)]
pub(crate) struct Timers(Arc<Mutex<Vec<Waker>>>);

impl Timers {
    /// A bench whose fetches have a time limit in seconds of its clock.
    pub(crate) fn bench(
        &self,
        capacity: u64,
        limit: u64,
        more: impl FnOnce(Builder<Key, Value, String>) -> Builder<Key, Value, String>,
    ) -> Bench {
        let (timers, clock) = (self.clone(), ManualClock::default());
        let limited = {
            let clock = clock.clone();
            move |builder: Builder<Key, Value, String>| {
                builder
                    .clock(clock.clone())
                    .fetch_time_limit(Duration::from_secs(limit), move |time| timers.sleep(clock.clone(), time))
            }
        };
        Bench { clock, ..Bench::with(capacity, |builder| more(limited(builder))) }
    }

    fn sleep(&self, clock: ManualClock, time: Duration) -> impl Future<Output = ()> + Send + use<> {
        let (wakers, end) = (Arc::clone(&self.0), clock.nanoseconds() + nanoseconds(time));
        std::future::poll_fn(move |cx| {
            if clock.nanoseconds() >= end {
                return Poll::Ready(());
            }
            lock(&wakers).push(cx.waker().clone());
            Poll::Pending
        })
    }

    /// Wakes all that sleep, after the clock was advanced.
    pub(crate) fn ring(&self) {
        let wakers = std::mem::take(&mut *lock(&self.0));
        wakers.into_iter().for_each(Waker::wake);
    }
}
