//! The prototype of section 5.2 as `rtl/seer_nodes` is.

use forebay_cache::seer::prototype::PrototypeSpec;
use forebay_cache::seer::{AfterFailure, AnnouncerSpec, Idle, SeerSpec, ToX};
use forebay_core::{Duration, Rate, Seed, convert};

/// A block of 66 bits at 10 Gb/s: the cycle of both nodes.
const CYCLE: Duration = Duration::from_ps(6_400);
/// From the cycle in which a packet arrives at an idle link to that in which its first block leaves the receiver.
const THROUGH: u64 = 16;
pub(crate) const SEED: Seed = Seed(1);
/// How many ids there are.
pub(crate) const IDS: u64 = 1 << 17;

/// What can be chosen, as `name=value`. The default is section 5.2, with the power of two of sets that is nearest.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Setup {
    pub(crate) packets: u64,
    pub(crate) sets: u64,
    pub(crate) flows: u64,
    /// FPMs that wait at the neighbour, and packets that the target expects, at most.
    list: u64,
    load: Rate,
    /// m.
    threshold: u64,
    /// t, in nanoseconds.
    interval: u64,
    /// Cycles of a fetch.
    fetch: u64,
    idle: Idle,
}

impl Setup {
    pub(crate) fn parse(arguments: impl Iterator<Item = String>) -> Result<Self, String> {
        let mut setup = Self {
            packets: 1_000_000,
            sets: 16_384,
            flows: 100_000,
            list: 256,
            load: gigabits(6).ok_or("a load is above 0")?,
            threshold: 8,
            interval: 5_000,
            fetch: 16,
            idle: Idle::Before,
        };
        for argument in arguments {
            let (name, value) = argument.split_once('=').ok_or_else(|| format!("`{argument}` is no `name=value`"))?;
            if name == "idle" {
                setup.idle = match value {
                    "before" => Idle::Before,
                    "after" => Idle::After,
                    _ => return Err(format!("idle is before or after, and not `{value}`")),
                };
                continue;
            }
            let number: u64 = value.parse().map_err(|_| format!("{name} is a number, and not `{value}`"))?;
            match name {
                "packets" => setup.packets = number,
                "sets" => setup.sets = number,
                "flows" => setup.flows = number,
                "list" => setup.list = number,
                "gigabits" => setup.load = gigabits(number).ok_or("gigabits is above 0")?,
                "threshold" => setup.threshold = number,
                "interval" => setup.interval = number,
                "fetch" => setup.fetch = number,
                _ => return Err(format!("there is no `{name}`")),
            }
        }
        if !setup.sets.is_power_of_two() || setup.sets >= IDS {
            return Err(format!("sets is a power of two below {IDS}, and not {}", setup.sets));
        }
        Ok(setup)
    }

    /// The prototype.
    pub(crate) fn spec(&self) -> PrototypeSpec {
        let default = PrototypeSpec::default();
        let announcer = AnnouncerSpec {
            queue_capacity: size(self.list),
            threshold: Some(size(self.threshold)),
            interval: Duration::from_ns(self.interval),
            idle: self.idle,
            ..default.announcer
        };
        PrototypeSpec {
            announcer,
            load: self.load,
            propagation: cycles(THROUGH),
            clock: CYCLE,
            cycle: CYCLE,
            fetch: cycles(self.fetch),
            flows: self.flows,
            entries: 2 * self.sets,
            ways: Some(2),
            list_capacity: size(self.list),
            ..default
        }
    }

    /// The cache with the options of hardware.
    pub(crate) fn seer(&self) -> SeerSpec {
        SeerSpec { after_failure: AfterFailure::Stop, to_x: ToX::NextIteration, ..self.spec().seer(SEED) }
    }
}

fn gigabits(count: u64) -> Option<Rate> {
    Rate::from_bits_per_second(count.saturating_mul(1_000_000_000))
}

fn size(count: u64) -> usize {
    convert::index(count)
}

fn cycles(count: u64) -> Duration {
    Duration::from_ps(CYCLE.as_ps().saturating_mul(count))
}
