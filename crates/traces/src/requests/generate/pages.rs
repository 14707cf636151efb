//! Web pages: objects that are requested when the answer that names them has arrived.

use super::arrivals::Arrivals;
use super::common::{SKEW, params};
use super::{Generator, GeneratorEntry, Popularity, about};
use forebay_core::convert::index;
use forebay_core::params::ParamKind;
use forebay_core::{Clock, Follows, ParamSpec, Rng, Seed};
use rand::RngExt as _;
use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap};

const fn whole(name: &'static str, min: u64, max: u64, default: u64, meaning: &'static str) -> ParamSpec {
    ParamSpec { name, kind: ParamKind::Integer { min, max, default: Some(default) }, meaning }
}

/// The registry's entry.
pub const ENTRY: GeneratorEntry = GeneratorEntry {
    about: about(
        "pages",
        "Views of web pages: each object is requested when the answer that names it has arrived, so latencies of a page add up",
        "thesis, section 2.6.3 (chains of serialised requests); the shape of pages is our own",
        params![
            SKEW,
            whole(
                "pages",
                1,
                1 << 32,
                1_000,
                "how many pages there are, each with an object of its own that is requested first"
            ),
            whole(
                "levels",
                1,
                64,
                3,
                "requests of a page that wait for each other, its own object included; 1: no chains"
            ),
            whole(
                "width",
                1,
                1_024,
                4,
                "chains of a page, which begin at the same time, when its own object has arrived"
            ),
            whole(
                "think",
                0,
                1 << 40,
                0,
                "time from an answer to the request that follows it, in slots or nanoseconds"
            ),
        ],
    ),
    also_known_as: &["web-pages"],
    open: |common, params| {
        let whole = |name| params.integer(name).unwrap_or(1);
        let (pages, levels, width) = (whole("pages"), whole("levels"), whole("width"));
        let skew = params.number("skew");
        let mut rng = common.rng("pages");
        let mut arrivals = common.arrivals((1 + (levels - 1) * width) as f64);
        let generator = Pages {
            next_view: arrivals.next_time(),
            arrivals,
            clock: common.clock,
            free: 0,
            objects: common.objects,
            page: Popularity::new(pages, skew)?,
            object: Popularity::new(common.objects, skew)?,
            levels,
            width,
            think: whole("think"),
            of_pages: Seed(rng.random()),
            waiting: BinaryHeap::new(),
            views: BTreeMap::new(),
            begun: 0,
            given: 0,
            follows: None,
            rng,
        };
        Ok((Box::new(generator), common.objects.saturating_add(pages)))
    },
};

/// Views that are running, and when the next begins.
struct Pages {
    arrivals: Arrivals,
    next_view: u64,
    clock: Clock,
    /// The first slot without a request, if time is in slots.
    free: u64,
    objects: u64,
    page: Popularity,
    object: Popularity,
    levels: u64,
    width: u64,
    think: u64,
    /// Says which objects each page has.
    of_pages: Seed,
    /// The earliest time of each request, its view, and its place in the page, from 0.
    waiting: BinaryHeap<Reverse<(u64, u64, u64)>>,
    views: BTreeMap<u64, View>,
    begun: u64,
    given: u64,
    follows: Option<Follows>,
    rng: Rng,
}

/// A view that is running.
struct View {
    /// The object at each place.
    keys: Vec<u64>,
    /// The numbers of the requests that were given.
    numbers: Vec<u64>,
}

impl Pages {
    fn begin(&mut self) {
        let page = self.page.draw(&mut self.rng);
        // The same objects at every view.
        let mut own = Seed(self.of_pages.0 ^ page).stream("page");
        let named = (0..(self.levels - 1) * self.width).map(|_| self.object.draw(&mut own));
        let keys: Vec<u64> = std::iter::once(self.objects + page).chain(named).collect();
        for place in 0..keys.len() as u64 {
            let level = place.div_ceil(self.width);
            let time = self.next_view.saturating_add(level.saturating_mul(self.think));
            self.waiting.push(Reverse((time, self.begun, place)));
        }
        self.views.insert(self.begun, View { keys, numbers: Vec::new() });
        self.begun += 1;
        self.next_view = self.arrivals.next_time();
    }
}

impl Generator for Pages {
    fn next_request(&mut self) -> (u64, u64) {
        loop {
            let Some(&Reverse((time, number, place))) = self.waiting.peek() else {
                self.begin();
                continue;
            };
            if time > self.next_view {
                self.begin();
                continue;
            }
            self.waiting.pop();
            let Some(view) = self.views.get_mut(&number) else { continue };
            // Places of a view are given in their order: the page's own object, then level by level.
            let parent = place.checked_sub(1).map(|above| above.saturating_sub(self.width - 1));
            self.follows = parent.map(|parent| Follows { request: view.numbers[index(parent)], think: self.think });
            view.numbers.push(self.given);
            self.given += 1;
            let key = view.keys[index(place)];
            if view.numbers.len() == view.keys.len() {
                self.views.remove(&number);
            }
            // In slots, requests that come together have one slot after the other.
            let at = if self.clock == Clock::Slots { time.max(self.free) } else { time };
            self.free = at.saturating_add(1);
            return (at, key);
        }
    }

    fn follows(&self) -> Option<Follows> {
        self.follows
    }

    fn is_chained(&self) -> bool {
        self.levels > 1
    }
}
