//! A layer of `tower` services that admits requests in the order of the scheduler.
//!
//! Each request waits until it is the best and fewer than `most_in_service` requests are with the inner service. A request for which there
//! is no room gets an error, at once or when a better request arrives. The cost of a request is measured over the polls of the inner
//! service's future, or given by a function of the response.

mod error;
mod layer;
mod running_request;
mod waiting_request;

pub use error::SurgeError;
pub use layer::{Profile, SurgeLayer, SurgeService};
pub use waiting_request::Waiter;
