//! What is varied: packets and load as in figure 6, and what the paper leaves open.

use forebay_cache::seer::prototype::PrototypeSpec;
use forebay_cache::seer::{AnnouncerSpec, Idle};
use forebay_core::{Duration, ParamError, Rate};

/// Where a miss ratio is measured.
#[derive(Debug, Clone, Copy)]
pub(super) struct Point {
    pub(super) bytes: u32,
    pub(super) gbps: u64,
}

/// One part of figure 6.
#[derive(Debug)]
pub(super) struct Sweep {
    /// How values begin.
    pub(super) name: &'static str,
    pub(super) axis: &'static str,
    pub(super) unit: &'static str,
    pub(super) is_logarithmic: bool,
    pub(super) points: &'static [Point],
    /// By how many percent Seer's misses are below LRU's, where that is published.
    pub(super) published: [(f64, f64); 2],
}

const SIZES: &str = "sizes";

const fn of_size(bytes: u32) -> Point {
    Point { bytes, gbps: 6 }
}

const fn of_load(gbps: u64) -> Point {
    Point { bytes: 256, gbps }
}

/// Figures 6a and 6b.
pub(super) const SWEEPS: &[Sweep] = &[
    Sweep {
        name: SIZES,
        axis: "size of a packet",
        unit: "bytes",
        is_logarithmic: true,
        points: &[of_size(64), of_size(128), of_size(256), of_size(512), of_size(1_024), of_size(1_500)],
        published: [(64.0, 80.0), (1_500.0, 20.0)],
    },
    Sweep {
        name: "loads",
        axis: "rate of generation",
        unit: "Gbit/s",
        is_logarithmic: false,
        points: &[of_load(2), of_load(3), of_load(4), of_load(5), of_load(6), of_load(7), of_load(8), of_load(9)],
        published: [(2.0, 8.0), (9.0, 94.0)],
    },
];

impl Point {
    pub(super) fn name(self, sweep: &str) -> String {
        if sweep == SIZES { format!("{} B", self.bytes) } else { format!("{} Gb/s", self.gbps) }
    }
}

impl Sweep {
    pub(super) fn x(&self, point: Point) -> f64 {
        if self.name == SIZES { f64::from(point.bytes) } else { point.gbps as f64 }
    }
}

/// What the paper leaves open, in one way.
#[derive(Debug)]
pub(super) struct Setting {
    pub(super) name: &'static str,
    change: fn(&mut PrototypeSpec),
}

pub(super) const STATED: &str = "as stated";

/// The first is the prototype as the paper states it, or forebay's default where it is silent.
pub(super) static SETTINGS: [Setting; 11] = [
    Setting { name: STATED, change: |_| () },
    Setting { name: "fetch 1 us", change: |spec| spec.fetch = Duration::from_us(1) },
    Setting { name: "one fetch at a time", change: |spec| spec.parallel = Some(1) },
    // 5 cycles with one port and two ways: 200 ns, as section 4 says of FPGAs.
    Setting { name: "iteration 200 ns", change: |spec| spec.cycle = Duration::from_ns(40) },
    Setting { name: "bursts of 4 KiB", change: |spec| spec.burst_bytes = 4_096 },
    Setting { name: "FPM behind", change: behind },
    Setting {
        name: "FPM behind, fetch 1 us",
        change: |spec| {
            behind(spec);
            spec.fetch = Duration::from_us(1);
        },
    },
    Setting {
        name: "FPM behind, queue 2 KiB",
        change: |spec| {
            behind(spec);
            spec.queue_bytes = Some(2_048);
        },
    },
    Setting {
        name: "FPM behind, bursts of 4 KiB",
        change: |spec| {
            behind(spec);
            spec.burst_bytes = 4_096;
        },
    },
    // Chosen so that figure 6a's number at 1500 B comes out.
    Setting { name: "FPM behind, written at 12 Gb/s", change: |spec| written_at(spec, 12_000) },
    // Chosen so that figure 6b's number at 2 Gb/s comes out.
    Setting { name: "FPM behind, written at 13.5 Gb/s", change: |spec| written_at(spec, 13_500) },
];

/// Makes the FPM arrive after its packet, with a generator that writes packets into the queues at `megabits` Mb/s.
fn written_at(spec: &mut PrototypeSpec, megabits: u64) {
    behind(spec);
    spec.writes_at = Rate::from_bits_per_second(megabits * 1_000_000);
}

/// The FPM of a packet that finds the link idle arrives after the packet, so it is useless.
fn behind(spec: &mut PrototypeSpec) {
    spec.announcer = AnnouncerSpec { idle: Idle::After, ..spec.announcer };
}

/// The prototype as the paper states it.
fn stated(Point { bytes, gbps }: Point) -> Result<PrototypeSpec, ParamError> {
    let load = Rate::from_bits_per_second(gbps * 1_000_000_000);
    let load = load.ok_or_else(|| ParamError::of("load", "it is above 0"))?;
    Ok(PrototypeSpec { packet_bytes: bytes, load, ..PrototypeSpec::default() })
}

impl Setting {
    pub(super) fn spec(&self, point: Point) -> Result<PrototypeSpec, ParamError> {
        let mut spec = stated(point)?;
        (self.change)(&mut spec);
        Ok(spec)
    }
}
