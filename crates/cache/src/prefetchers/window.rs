//! Window: requests are known some time ahead, perhaps with errors, as packets are through Seer's notifications.

use crate::prefetcher::{Known, PrefetchEntry, Prefetcher};
use forebay_core::params::ParamKind;
use forebay_core::{About, Exactness, ParamError, ParamSpec, Params, Request};
use rand::RngExt as _;
use rustc_hash::FxHashMap;

/// The registry's entry for [`Window`].
pub(crate) const ENTRY: PrefetchEntry = PrefetchEntry {
    about: About {
        name: "window",
        title: "Window: announces each request some time ahead, perhaps with errors; its fetch ends when the request is due, and the object \
                with the latest announced time is evicted",
        exactness: Exactness::NotApplicable,
        hardware: "knowledge of the future",
        cost: "O(log n) per request, O(entries) for a victim where all entries are announced; 40 bytes per request",
        source: "Seer, section 4: a manager that is notified of packets in flight",
        params: &[
            ParamSpec {
                name: "ahead",
                kind: ParamKind::Integer { min: 1, max: i64::MAX as u64, default: None },
                meaning: "time from a request's announcement to its arrival, in slots or nanoseconds as the trace has them",
            },
            ParamSpec {
                name: "missed",
                kind: ParamKind::Number { min: 0.0, max: 1.0, default: 0.0 },
                meaning: "share of the requests that are never announced",
            },
            ParamSpec {
                name: "error",
                kind: ParamKind::Integer { min: 0, max: i64::MAX as u64, default: Some(0) },
                meaning: "greatest error of the announced time, earlier or later and uniform, in slots or nanoseconds",
            },
        ],
    },
    also_known_as: &["announced"],
    example: "window(ahead=1000)",
    offline: true,
    make: |params, known| Ok(Box::new(Window::new(params, known)?)),
};

/// A fetch for an announced request begins so that it ends at the announced time, or at once if that is too late. The
/// next request that is known for an object is the first one that is announced and has not arrived. A time that is over
/// counts as now.
struct Window {
    /// When fetches are due, and for which object; in this order.
    due: Vec<(u64, u64)>,
    next_due: usize,
    /// The announcements of each object.
    objects: FxHashMap<u64, Coming>,
}

/// Announcements of one object, in the order of its requests.
#[derive(Default)]
struct Coming {
    announced: Vec<Announced>,
    /// The first of them whose request has not arrived.
    first: usize,
    /// The number of requests that have arrived.
    past: usize,
}

/// An announcement.
struct Announced {
    /// The number of its request among those of the object.
    request: usize,
    /// When it is made.
    at: u64,
    /// The time that it names.
    expected: u64,
}

impl Window {
    fn new(params: &Params, known: &Known<'_>) -> Result<Self, ParamError> {
        let must = || ParamError::of("ahead", "`ahead` must be given: the time from announcement to request");
        let ahead = params.integer("ahead").ok_or_else(must)?;
        let (missed, error) = (params.number("missed"), params.integer("error").unwrap_or(0));
        let mut rng = known.seed.stream("cache/prefetch/window");
        let mut window = Self { due: Vec::new(), next_due: 0, objects: FxHashMap::default() };
        let mut counts: FxHashMap<u64, usize> = FxHashMap::default();
        for request in known.requests.iter() {
            let (is_missed, off) = (rng.random::<f64>() < missed, rng.random_range(0..=2 * u128::from(error)));
            let announced = request.time.saturating_sub(ahead);
            let expected = u128::from(request.time) + off;
            let expected = u64::try_from(expected.saturating_sub(u128::from(error))).unwrap_or(u64::MAX);
            let count = counts.entry(request.key).or_default();
            *count += 1;
            if is_missed {
                continue;
            }
            let coming = window.objects.entry(request.key).or_default();
            coming.announced.push(Announced { request: *count - 1, at: announced, expected });
            let latency = known.latencies.expected(request.key, request.size);
            window.due.push((announced.max(expected.saturating_sub(latency)), request.key));
        }
        // Those of one tick in the order of the trace.
        window.due.sort_by_key(|(time, _)| *time);
        Ok(window)
    }
}

impl Prefetcher for Window {
    fn request(&mut self, request: &Request, _: &mut Vec<u64>) {
        if let Some(coming) = self.objects.get_mut(&request.key) {
            coming.past += 1;
            while coming.announced.get(coming.first).is_some_and(|own| own.request < coming.past) {
                coming.first += 1;
            }
        }
    }

    fn due(&self) -> Option<u64> {
        self.due.get(self.next_due).map(|(time, _)| *time)
    }

    fn wake(&mut self, wanted: &mut Vec<u64>) {
        let Some(now) = self.due() else { return };
        while let Some(&(_, key)) = self.due.get(self.next_due).filter(|(time, _)| *time == now) {
            // A request that arrived before its announced time needs no fetch any more.
            if self.next(key, now).is_some() {
                wanted.push(key);
            }
            self.next_due += 1;
        }
    }

    fn knows(&self) -> bool {
        true
    }

    fn next(&self, key: u64, now: u64) -> Option<u64> {
        let coming = self.objects.get(&key)?;
        // Announcements are made in the order of the requests.
        coming.announced.get(coming.first).filter(|own| own.at <= now).map(|own| own.expected.max(now))
    }
}
