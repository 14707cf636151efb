//! The layer and its service.

use crate::builder::Builder;
use crate::error::BuildError;
use crate::estimate::Features;
use crate::metrics::Metrics;
use crate::tower::error::SurgeError;
use crate::tower::running_request::Running;
use crate::tower::waiting_request::{Gate, Waiter};
use std::future::poll_fn;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;
use tower_layer::Layer;
use tower_service::Service;

/// The facts about a request that the scheduler uses.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Profile {
    /// The request's flow; only used if requests of a flow are kept in order.
    pub flow: u64,
    /// The bytes that the client has sent. An attacker has to pay for them: use the size of the body, not the size that a header claims,
    /// unless the server checks it.
    pub size_bytes: u64,
    /// The estimated cost of the request.
    pub estimate: Duration,
    /// The request's features, for estimators that learn by features.
    pub features: Features,
}

/// Returns the profile of a request.
type Describe<Req> = Arc<dyn Fn(&Req) -> Profile + Send + Sync>;
/// Returns the cost of a request, if the response states it.
type Cost<Res> = Arc<dyn Fn(&Res) -> Option<Duration> + Send + Sync>;

/// Wraps services in a scheduler. All services that the layer makes, and their clones, share the scheduler.
pub struct SurgeLayer<Req, Res> {
    gate: Gate,
    describe: Describe<Req>,
    cost: Cost<Res>,
}

impl<Req, Res> SurgeLayer<Req, Res> {
    /// Creates the layer with a scheduler from the builder. At most `most_in_service` requests are with the inner services at a time.
    /// `describe` is called once for each request, with no lock held.
    ///
    /// # Errors As [`Builder::build`], and if no request could be in service.
    pub fn new(
        builder: Builder<Waiter>,
        most_in_service: usize,
        describe: impl Fn(&Req) -> Profile + Send + Sync + 'static,
    ) -> Result<Self, BuildError> {
        if most_in_service == 0 {
            return Err(BuildError("no request may be in service; give at least 1".into()));
        }
        let gate = Gate { surge: builder.build()?, most: most_in_service };
        Ok(Self { gate, describe: Arc::new(describe), cost: Arc::new(|_| None) })
    }

    /// Sets the function that returns a request's cost from its response, or `None` for the measured cost. It is for work that another
    /// thread or process does, outside of the polls of the inner future.
    #[must_use]
    pub fn cost(mut self, cost: impl Fn(&Res) -> Option<Duration> + Send + Sync + 'static) -> Self {
        self.cost = Arc::new(cost);
        self
    }

    /// Returns the counts, all at one moment.
    #[must_use]
    pub fn metrics(&self) -> Metrics {
        self.gate.surge.metrics()
    }

    /// Admits no more requests; waiting requests are still served.
    pub fn close(&self) {
        self.gate.surge.close();
    }
}

impl<Req, Res> Clone for SurgeLayer<Req, Res> {
    fn clone(&self) -> Self {
        Self { gate: self.gate.clone(), describe: Arc::clone(&self.describe), cost: Arc::clone(&self.cost) }
    }
}

impl<S, Req, Res> Layer<S> for SurgeLayer<Req, Res> {
    type Service = SurgeService<S, Req, Res>;

    fn layer(&self, inner: S) -> Self::Service {
        SurgeService { layer: self.clone(), inner }
    }
}

/// A service behind a scheduler. Always ready: a request for which there is no room gets an error.
pub struct SurgeService<S, Req, Res> {
    layer: SurgeLayer<Req, Res>,
    inner: S,
}

impl<S: Clone, Req, Res> Clone for SurgeService<S, Req, Res> {
    fn clone(&self) -> Self {
        Self { layer: self.layer.clone(), inner: self.inner.clone() }
    }
}

impl<S, Req, Res> Service<Req> for SurgeService<S, Req, Res>
where
    S: Service<Req, Response = Res> + Clone + Send + 'static,
    S::Future: Send,
    S::Error: Send,
    Req: Send + 'static,
    Res: 'static,
{
    type Response = Res;
    type Error = SurgeError<S::Error>;
    type Future = Pin<Box<dyn Future<Output = Result<Res, Self::Error>> + Send>>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), Self::Error>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, request: Req) -> Self::Future {
        let SurgeLayer { gate, cost, .. } = self.layer.clone();
        let turn = gate.submit((self.layer.describe)(&request));
        let mut inner = self.inner.clone();
        Box::pin(async move {
            let Some(ticket) = turn?.await else { return Err(SurgeError::Evicted) };
            let mut running = Running::new(gate, ticket);
            poll_fn(|cx| inner.poll_ready(cx)).await.map_err(SurgeError::Service)?;
            let answered = running.measure(inner.call(request)).await;
            running.finish(answered.as_ref().ok().and_then(|response| cost(response)));
            answered.map_err(SurgeError::Service)
        })
    }
}
