//! The state of one request, from its first line to the log.

use crate::origins::Site;
use crate::store::Reservation;
use http::HeaderMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

/// A request that is being answered.
pub(crate) struct Exchange {
    pub(crate) site: Option<Arc<Site>>,
    pub(crate) began: Instant,
    /// When the last attempt to ask an origin began.
    pub(crate) asked: Option<Instant>,
    /// How long the origin took to answer, to the last byte.
    pub(crate) answered: Option<Duration>,
    /// How often an origin was tried.
    pub(crate) tries: usize,
    /// The length of the answer's body so far, as the origin sends it.
    pub(crate) length: u64,
    /// Room for the answer, if it is to be stored.
    pub(crate) reservation: Option<Reservation>,
    /// The headers of a 304 of the origin.
    pub(crate) renewing: Option<HeaderMap>,
    _active: Active,
}

/// Counts requests that are being answered.
struct Active(Arc<AtomicUsize>);

impl Exchange {
    pub(crate) fn begin(active: &Arc<AtomicUsize>) -> Self {
        active.fetch_add(1, Ordering::AcqRel);
        Self {
            site: None,
            began: Instant::now(),
            asked: None,
            answered: None,
            tries: 0,
            length: 0,
            reservation: None,
            renewing: None,
            _active: Active(Arc::clone(active)),
        }
    }
}

impl Drop for Active {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::AcqRel);
    }
}
