//! Whether one setting comes near all four published numbers of figure 6.
//!
//! Values: `search: misses: greatest distance` and `search: waits: greatest distance`, in percentage points, of the setting
//! where it is least, and there `search: misses: 64 B`, how many percent below LRU, and so on; `search: settings`, how many
//! were tried.

use super::settings::{Point, SWEEPS, behind, stated};
use super::{Measured, assert_sound, choice};
use crate::interrupt;
use crate::output::csv;
use forebay_cache::StateCache;
use forebay_cache::seer::SeerCache;
use forebay_cache::seer::prototype::{Prototype, PrototypeSpec};
use forebay_core::{Duration, ParamError, Seed};
use rayon::prelude::*;

/// How values begin.
pub(super) const SEARCH: &str = "search";
/// Enough for a percentage point.
const WARMUP: u64 = 60_000;
const PACKETS: u64 = 40_000;

/// What the paper leaves open.
#[derive(Debug, Clone, Copy)]
struct Candidate {
    fpm_behind: bool,
    fetch_ns: u64,
    burst_bytes: u32,
    queue_bytes: Option<u64>,
}

/// What is published of a point: by how many percent misses are below LRU's.
struct Goal {
    name: String,
    point: Point,
    percent: f64,
}

/// How much less Seer has than LRU at every goal, in percent: misses, and waits.
type Below = Vec<[f64; 2]>;

pub(super) fn add(measured: &mut Measured, seed: Seed) -> Result<(), ParamError> {
    let goals = goals();
    let candidates = candidates();
    let play = |candidate: &Candidate| -> Result<Below, ParamError> {
        goals.iter().map(|goal| candidate.below(goal.point, seed)).collect()
    };
    let found: Vec<Below> = candidates.par_iter().map(play).collect::<Result<_, _>>()?;
    measured.value(format!("{SEARCH}: settings"), candidates.len() as f64);
    for (which, name) in ["misses", "waits"].into_iter().enumerate() {
        let distance = |below: &Below| {
            below.iter().zip(&goals).map(|(below, goal)| (below[which] - goal.percent).abs()).fold(0.0, f64::max)
        };
        let Some(best) = found.iter().min_by(|a, b| distance(a).total_cmp(&distance(b))) else { continue };
        measured.value(format!("{SEARCH}: {name}: greatest distance"), distance(best));
        for (goal, below) in goals.iter().zip(best) {
            measured.value(format!("{SEARCH}: {name}: {}", goal.name), below[which]);
        }
    }
    let mut header =
        vec!["fpm_behind", "fetch_ns", "burst_bytes", "queue_bytes"].into_iter().map(str::to_owned).collect::<Vec<_>>();
    header.extend(
        goals.iter().flat_map(|goal| ["misses", "waits"].map(|what| format!("{}: {what} below LRU", goal.name))),
    );
    let header: Vec<&str> = header.iter().map(String::as_str).collect();
    let rows = candidates.iter().zip(&found).map(|(candidate, below)| {
        let Candidate { fpm_behind, fetch_ns, burst_bytes, queue_bytes } = candidate;
        let queue = queue_bytes.map_or_else(String::new, |bytes| bytes.to_string());
        let setting = [fpm_behind.to_string(), fetch_ns.to_string(), burst_bytes.to_string(), queue];
        setting.into_iter().chain(below.iter().flatten().map(|percent| format!("{percent:.1}"))).collect()
    });
    measured.files.push(("search.csv".to_owned(), csv::lines(&header, rows)));
    Ok(())
}

fn goals() -> Vec<Goal> {
    let of = SWEEPS.iter().flat_map(|sweep| {
        sweep.published.iter().filter_map(move |&(x, percent)| {
            let point = *sweep.points.iter().find(|point| (sweep.x(**point) - x).abs() < 0.5)?;
            Some(Goal { name: point.name(sweep.name), point, percent })
        })
    });
    of.collect()
}

fn candidates() -> Vec<Candidate> {
    let mut all = Vec::new();
    for fpm_behind in [false, true] {
        for fetch_ns in [100, 200, 400, 1_000, 4_000] {
            for burst_bytes in [0, 1_024, 4_096] {
                for queue_bytes in [None, Some(1_536), Some(4_096), Some(16_384)] {
                    all.push(Candidate { fpm_behind, fetch_ns, burst_bytes, queue_bytes });
                }
            }
        }
    }
    all
}

impl Candidate {
    fn below(self, point: Point, seed: Seed) -> Result<[f64; 2], ParamError> {
        if interrupt::requested() {
            return Ok([0.0; 2]);
        }
        let Self { fpm_behind, fetch_ns, burst_bytes, queue_bytes } = self;
        let fetch = Duration::from_ns(fetch_ns);
        let mut spec = PrototypeSpec { fetch, burst_bytes, queue_bytes, ..stated(point)? };
        if fpm_behind {
            behind(&mut spec);
        }
        let lru = choice("lru")?;
        let mut plain = StateCache::new(&spec.cache(seed), &lru)?;
        let mut told = SeerCache::new(&spec.seer(seed), &lru)?;
        let mut prototype = Prototype::new(&spec, seed)?;
        let counts = prototype.measure(WARMUP, PACKETS, &mut [&mut plain, &mut told]);
        assert_sound(&prototype, &told);
        let below = |seer: f64, lru: f64| 100.0 * (1.0 - seer / lru);
        let [lru, seer] = [counts[0], counts[1]];
        Ok([below(seer.miss_ratio(), lru.miss_ratio()), below(seer.absent_ratio(), lru.absent_ratio())])
    }
}
