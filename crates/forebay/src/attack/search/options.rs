//! The limits of an attacker: `[search]`.

use super::arena::Arena;
use crate::attack::scenario::Limits;
use crate::document::Node;
use crate::error::Result;
use crate::scenario::{positive, quantity};
use forebay_core::{Duration, Packet};
use forebay_sim::attack::search::Space;

const DEFAULT_PACKETS: u64 = 5_000;
const DEFAULT_FLOWS: u64 = 64;
const DEFAULT_KINDS: u64 = 2;
/// The longest period is this share of the time in which the innocent packets of a trial arrive, and this
/// many times the shortest, unless the scenario says otherwise.
const LONGEST_PERIOD: f64 = 0.25;
const PERIODS: f64 = 50.0;
/// The least job is this share of the largest.
const LEAST_JOB: f64 = 1e-4;

/// Limits of a search, in addition to those of the attacker.
#[derive(Debug, Clone)]
pub(in crate::attack) struct SearchOptions {
    /// The number of innocent packets that arrive while a candidate is measured.
    pub(super) packets: u64,
    max_bytes: Option<u32>,
    min_work: Option<Duration>,
    flows: u32,
    kinds: usize,
    period: Option<(Duration, Duration)>,
}

impl SearchOptions {
    /// Reads `[search]`, if there is one.
    pub(in crate::attack) fn read(node: Option<&Node>, limits: Limits) -> Result<Self> {
        let Limits { min_bytes, max_work } = limits;
        let mut options = Self {
            packets: DEFAULT_PACKETS,
            max_bytes: None,
            min_work: None,
            flows: narrow(DEFAULT_FLOWS),
            kinds: usize::try_from(DEFAULT_KINDS).unwrap_or(1),
            period: None,
        };
        let Some(node) = node else { return Ok(options) };
        let table = node.table("[search]")?;
        let number = |key: &'static str, default, least, most| {
            table.get(key).map_or(Ok(default), |node| node.integer(key, least, most))
        };
        options.packets = number("packets", DEFAULT_PACKETS, 100, 1 << 40)?;
        options.flows = narrow(number("flows", DEFAULT_FLOWS, 1, 1 << 20)?);
        options.kinds = usize::try_from(number("kinds", DEFAULT_KINDS, 1, Space::MAX_KINDS as u64)?).unwrap_or(1);
        if let Some(node) = table.get("max_packet") {
            options.max_bytes = Some(narrow(node.integer("max_packet", min_bytes.into(), Packet::MAX_BYTES.into())?));
        }
        if let Some(node) = table.get("min_job") {
            let min_work = positive(node, "min_job")?;
            if min_work > max_work {
                return Err(node.error(format!("`min_job` is more than `max_job`, which is {max_work}")));
            }
            options.min_work = Some(min_work);
        }
        options.period = table.get("period").map(period).transpose()?;
        table.finish()?;
        Ok(options)
    }

    /// Returns the attacks that the search covers.
    pub(super) fn space(&self, arena: Arena<'_>) -> Space {
        let (setting, (least, most)) = (arena.setting(), arena.rates());
        let Limits { min_bytes, max_work } = setting.attacker.searched;
        let largest = setting.innocent.sample.iter().map(|job| job.size_bytes).max().unwrap_or(Packet::MAX_BYTES);
        let window_s = setting.time_of(self.packets).as_secs_f64();
        let least_job = (max_work.as_secs_f64() * LEAST_JOB).max(1e-12);
        Space {
            rate_bps: (least as f64, most as f64),
            size_bytes: (min_bytes, self.max_bytes.unwrap_or(largest).max(min_bytes)),
            work: (self.min_work.unwrap_or(Duration::from_secs_f64(least_job)), max_work),
            flows: self.flows,
            period: self.period.unwrap_or_else(|| {
                let longest = window_s * LONGEST_PERIOD;
                (Duration::from_secs_f64(longest / PERIODS), Duration::from_secs_f64(longest))
            }),
            kinds: self.kinds,
        }
    }
}

fn period(node: &Node) -> Result<(Duration, Duration)> {
    let table = node.table("`period`")?;
    let from = positive(table.require("from", "from = \"20 us\"")?, "from")?;
    let to_node = table.require("to", "to = \"1 ms\"")?;
    let to = quantity(to_node, "to", Duration::parse)?;
    table.finish()?;
    if to < from {
        return Err(to_node.error("`to` must not be shorter than `from`"));
    }
    Ok((from, to))
}

fn narrow(number: u64) -> u32 {
    u32::try_from(number).expect("read with at most 32 bits")
}
