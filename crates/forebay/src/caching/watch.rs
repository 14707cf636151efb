//! The observers of a cache while it is played.

use super::per_user::PerUser;
use super::request_rows::RequestRows;
use crate::detail::PartWriter;
use forebay_cache::attribution::PerObject;
use forebay_cache::request_latencies::Waits;
use forebay_cache::{Observer, RequestOutcome};
use forebay_core::{Clock, Request};
use std::any::Any;

/// Creates the observer of every counted request. It records latencies of objects if they are asked for, writes each request if there is a
/// writer, and adds up the latencies of each user if users are known.
pub(super) fn observer(
    is_by_object: bool,
    users: Option<PerUser>,
    writer: Option<PartWriter>,
    clock: Clock,
) -> Box<dyn Observer> {
    let watch = Watch { objects: is_by_object.then(PerObject::default), users, ..Watch::default() };
    match writer {
        None => Box::new(watch),
        Some(writer) => Box::new(Recording { watch, requests: RequestRows::new(writer, clock) }),
    }
}

/// Records the distribution of latencies over every counted request and, if it is asked for, the latency of each object.
#[derive(Default)]
pub(super) struct Watch {
    pub(super) waits: Waits,
    pub(super) objects: Option<PerObject>,
    pub(super) users: Option<PerUser>,
}

impl Observer for Watch {
    fn outcome(&mut self, request: &Request, outcome: RequestOutcome) {
        self.waits.outcome(request, outcome);
        if let Some(objects) = &mut self.objects {
            objects.outcome(request, outcome);
        }
        if let Some(users) = &mut self.users {
            users.outcome(request, outcome);
        }
    }
}

/// An observer as [`Watch`] that also writes a row for each request.
struct Recording {
    watch: Watch,
    requests: RequestRows,
}

impl Observer for Recording {
    fn outcome(&mut self, request: &Request, outcome: RequestOutcome) {
        self.watch.outcome(request, outcome);
        self.requests.outcome(request, outcome);
    }
}

/// Returns the findings of an observer, if there was one, and its rows of requests.
pub(super) fn watched(observer: Option<Box<dyn Observer>>) -> (Option<Watch>, Option<RequestRows>) {
    let Some(observer) = observer else { return (None, None) };
    let observer: Box<dyn Any> = observer;
    match observer.downcast::<Recording>() {
        Ok(recording) => (Some(recording.watch), Some(recording.requests)),
        Err(other) => (other.downcast::<Watch>().ok().map(|watch| *watch), None),
    }
}
