//! The time limit of a fetch. The caller provides the timer, so no runtime is assumed.

use std::pin::{Pin, pin};
use std::task::Poll;
use std::time::Duration;

/// A future that ends after a time.
type Sleep = Pin<Box<dyn Future<Output = ()> + Send>>;

/// The longest time of a fetch, and the timer that measures it.
pub(crate) struct Limit {
    time: Duration,
    sleep: Box<dyn Fn(Duration) -> Sleep + Send + Sync>,
}

/// The time of a fetch is over.
pub(crate) struct TimedOut;

impl Limit {
    pub(crate) fn new<S>(time: Duration, sleep: impl Fn(Duration) -> S + Send + Sync + 'static) -> Self
    where
        S: Future<Output = ()> + Send + 'static,
    {
        Self { time, sleep: Box::new(move |time| Box::pin(sleep(time))) }
    }

    /// The outcome of a future that ends in time. A future that ends at the same poll as the timer is in time.
    pub(crate) async fn apply<T>(&self, future: impl Future<Output = T>) -> Result<T, TimedOut> {
        let mut future = pin!(future);
        let mut sleep = (self.sleep)(self.time);
        std::future::poll_fn(|cx| match future.as_mut().poll(cx) {
            Poll::Ready(outcome) => Poll::Ready(Ok(outcome)),
            Poll::Pending => sleep.as_mut().poll(cx).map(|()| Err(TimedOut)),
        })
        .await
    }
}
