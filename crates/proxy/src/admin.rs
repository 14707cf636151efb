//! The page for operators: metrics, health, and emptying the cache.

use crate::access_log::AccessLog;
use crate::durations::{BUCKETS, Durations};
use crate::service::Current;
use crate::store::Store;
use crate::{Counts, Manager};
use arc_swap::ArcSwap;
use async_trait::async_trait;
use http::{Method, Response, StatusCode};
use pingora_cache::eviction::EvictionManager;
use pingora_core::apps::http_app::ServeHttp;
use pingora_core::protocols::http::ServerSession;
use std::fmt::Write;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

/// The page.
pub(crate) struct Admin {
    pub(crate) current: Arc<ArcSwap<Current>>,
    pub(crate) manager: &'static Manager,
    pub(crate) store: &'static Store,
    pub(crate) active: Arc<AtomicUsize>,
    pub(crate) log: Option<Arc<AccessLog>>,
}

#[async_trait]
impl ServeHttp for Admin {
    async fn response(&self, session: &mut ServerSession) -> Response<Vec<u8>> {
        let request = session.req_header();
        let (code, kind, body) = match (request.method.clone(), request.uri.path()) {
            (Method::GET, "/metrics") => {
                (200, "application/openmetrics-text; version=1.0.0; charset=utf-8", self.metrics())
            }
            (Method::GET, "/health") => self.health(),
            (Method::POST, "/purge-all") => {
                let gone = self.store.clear(self.manager).await;
                (200, "text/plain", format!("{gone} objects removed\n"))
            }
            (_, "/metrics" | "/health" | "/purge-all") => (405, "text/plain", "another method is needed\n".to_owned()),
            _ => (404, "text/plain", "here are /metrics, /health and POST /purge-all\n".to_owned()),
        };
        let mut answer = Response::new(body.into_bytes());
        *answer.status_mut() = StatusCode::from_u16(code).unwrap_or_default();
        let length = answer.body().len();
        answer.headers_mut().insert(http::header::CONTENT_TYPE, http::HeaderValue::from_static(kind));
        answer.headers_mut().insert(http::header::CONTENT_LENGTH, length.into());
        answer
    }
}

impl Admin {
    /// Each origin and whether it answers; 503 if a site has none that does.
    fn health(&self) -> (u16, &'static str, String) {
        let current = self.current.load();
        let mut text = String::new();
        let mut well = true;
        for site in &current.sites {
            let origins = site.health();
            well &= origins.iter().any(|(_, answers)| *answers);
            for (address, answers) in origins {
                let _ = writeln!(text, "{address} {}", if answers { "up" } else { "down" });
            }
        }
        (if well { 200 } else { 503 }, "text/plain", text)
    }

    /// The metrics in the text format of OpenMetrics 1.0.
    fn metrics(&self) -> String {
        let Counts {
            hits,
            delayed_hits,
            misses,
            revalidations,
            failed,
            admitted,
            refused,
            evictions,
            evicted_bytes,
            invalidated,
            fetches,
            waits,
        } = self.manager.counts();
        let mut text = String::new();
        let mut counter = |name: &str, help: &str, number: u64| {
            let _ = write!(
                text,
                "# TYPE forebay_proxy_{name} counter\n# HELP forebay_proxy_{name} {help}\nforebay_proxy_{name}_total {number}\n"
            );
        };
        counter("hits", "Requests that found their object in the cache.", hits);
        counter("delayed_hits", "Requests that waited for a fetch of another request.", delayed_hits);
        counter("misses", "Requests that began a fetch.", misses);
        counter("revalidations", "Fetches that asked whether a stored object is still valid.", revalidations);
        counter("failed_fetches", "Fetches without an answer that can be stored.", failed);
        counter("admitted", "Objects that entered the cache.", admitted);
        counter("refused", "Objects that the policy did not let in, or that are too large.", refused);
        counter("evictions", "Objects that left for others.", evictions);
        counter("evicted_bytes", "The sum of their sizes.", evicted_bytes);
        counter("invalidated", "Objects that were removed: purged, or invalidated by an unsafe request.", invalidated);
        counter(
            "lost_log_lines",
            "Lines of the access log that were lost.",
            self.log.as_ref().map_or(0, |log| log.lost()),
        );
        let mut gauge = |name: &str, help: &str, number: usize| {
            let _ = write!(
                text,
                "# TYPE forebay_proxy_{name} gauge\n# HELP forebay_proxy_{name} {help}\nforebay_proxy_{name} {number}\n"
            );
        };
        gauge("objects", "Objects in the cache.", self.manager.total_items());
        gauge("cached_bytes", "The sum of their sizes.", self.manager.total_size());
        gauge("fetches_in_flight", "Fetches without an answer so far.", self.manager.in_flight());
        gauge("active_requests", "Requests that are being answered.", self.active.load(Ordering::Relaxed));
        histogram(&mut text, "fetch_seconds", "How long fetches from origins took.", &fetches);
        histogram(&mut text, "wait_seconds", "How long requests waited for a fetch of another request.", &waits);
        text.push_str("# EOF\n");
        text
    }
}

#[expect(clippy::cast_precision_loss, reason = "seconds in a text for people and charts")]
fn histogram(text: &mut String, name: &str, help: &str, durations: &Durations) {
    let _ = write!(
        text,
        "# TYPE forebay_proxy_{name} histogram\n# UNIT forebay_proxy_{name} seconds\n# HELP forebay_proxy_{name} {help}\n"
    );
    let mut below = 0;
    for (end, number) in BUCKETS.iter().zip(&durations.buckets) {
        below += number;
        let _ = writeln!(text, "forebay_proxy_{name}_bucket{{le=\"{:?}\"}} {below}", *end as f64 / 1e9);
    }
    let _ = writeln!(text, "forebay_proxy_{name}_bucket{{le=\"+Inf\"}} {}", durations.number);
    let _ = writeln!(text, "forebay_proxy_{name}_count {}", durations.number);
    let _ = writeln!(text, "forebay_proxy_{name}_sum {}", durations.nanoseconds as f64 / 1e9);
}
