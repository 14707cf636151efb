//! The notifications that a port sends to the node at the other end of its link: which packets wait, how long they are and
//! when they arrive.
//!
//! Section 3.1 of the paper. Every packet that enters a queue of the port makes an [`Fpm`], which waits in the FPM queue of
//! its class. Three ways lead over the link, and the caller that runs the port says when each is open:
//!
//! - Between two packets ([`Announcer::gap`]) as many FPMs as fit into the gap take no time of the link.
//! - A control packet is sent first if more FPMs wait than a threshold, and the last one was long enough ago
//!   ([`Announcer::control`]); it takes its time of the link. Then the gap behind it is open, and the data packet follows.
//!   At most one control packet goes before a data packet.
//! - While the link is idle ([`Announcer::idle`]) all go at once. A packet that finds the link idle has its FPM sent right
//!   before it ([`Idle::Before`]), or leaves first: then its FPM is stale, and never sent.
//!
//! The paper's delay is a sum: the backlog of higher classes, the backlog ahead in its class, the packet itself and the
//! carrier of the FPM, "since the FPM transmission". The receiver adds it to its clock when it has the FPM. FPM and packet
//! take the same way, so the carrier would be counted twice. Here, the delay has the first three and counts from the
//! instant at which the carrier has been sent. With it, the receiver knows the arrival to the picosecond, unless a packet
//! of a higher class or a control packet is sent in between.
//!
//! A port that sorts packets by rank is one with a class for each rank ([`Announcer::sorted`]). It also sends corrections.
//!
//! A call costs O(classes), and O(1) for each FPM that leaves; [`Announcer::withdraw`] O(forecasts that wait).

mod counts;
mod forecasts;
mod rate;
mod sorting_port;
mod spec;

pub use counts::AnnouncerCounts;
pub use forecasts::Carrier;
pub use spec::{AnnouncerSpec, Idle};

use crate::seer::{Fpm, Says};
use forebay_core::{Duration, ParamError, Time, TransmissionTimes};
use forecasts::Forecast;
use rustc_hash::FxHashMap;
use sorting_port::Sorted;
use std::collections::VecDeque;

/// The FPM queues of one port, and the data that they need about its packet queues. The fields that every packet changes
/// are first: there are many ports, and consecutive packets arrive at different ones.
#[derive(Debug, Clone)]
#[repr(C)]
pub struct Announcer {
    transmission: TransmissionTimes,
    classes: Vec<Class>,
    /// FPMs in all queues.
    waiting: usize,
    /// Of packets that will arrive.
    forecasts: VecDeque<Forecast>,
    spec: AnnouncerSpec,
    counts: AnnouncerCounts,
    last_control: Option<Time>,
    /// Number of packets that are yet to arrive and whose forecasts have been sent, by id.
    sent_ahead: FxHashMap<u64, u32>,
    /// In place of classes, if packets are sorted by rank.
    sorted: Option<Box<Sorted>>,
}

/// One priority class. Sums of time never go back, so that the backlog ahead of a packet is a difference.
#[derive(Debug, Clone, Default)]
struct Class {
    /// The transmission times of all packets that have arrived so far, in sum.
    came: Duration,
    /// The sum of the transmission times of the packets that have left.
    left: Duration,
    /// Those that wait.
    packets: VecDeque<Waiting>,
    /// How many of these have no FPM that waits, before the first that may have one.
    told: usize,
}

impl Class {
    /// The time that the packets take which wait.
    fn backlog(&self) -> Duration {
        self.came - self.left
    }

    /// The packet whose FPM is the first that waits.
    fn first_untold(&self) -> Option<Waiting> {
        self.packets.range(self.told..).find(|packet| packet.has_fpm).copied()
    }

    /// Takes the first FPM that waits, as if nothing of higher classes did.
    #[inline]
    fn take(&mut self) -> Option<Fpm> {
        loop {
            let Waiting { id, size_bytes, has_fpm, is_named, tail } = *self.packets.get(self.told)?;
            self.told += 1;
            if has_fpm {
                let says = if is_named { Says::Comes } else { Says::Overtakes };
                return Some(Fpm { says, ..Fpm::of(id, size_bytes, tail - self.left) });
            }
        }
    }
}

/// A packet that waits, and its FPM before it is known how long that still is.
#[derive(Debug, Clone, Copy)]
struct Waiting {
    /// The value of [`Class::came`] behind it.
    tail: Duration,
    id: u64,
    size_bytes: u32,
    /// Whether it had an FPM when it arrived.
    has_fpm: bool,
    /// Whether it looks up a state: otherwise the id means nothing.
    is_named: bool,
}

impl Announcer {
    /// A port with empty queues.
    ///
    /// # Errors
    /// If the port has no class, or its control packets no bytes or no room.
    pub fn new(spec: AnnouncerSpec) -> Result<Self, ParamError> {
        spec.check()?;
        let classes = vec![Class::default(); spec.classes];
        Ok(Self {
            transmission: TransmissionTimes::new(spec.rate),
            classes,
            waiting: 0,
            forecasts: VecDeque::new(),
            counts: AnnouncerCounts::default(),
            spec,
            last_control: None,
            sent_ahead: FxHashMap::default(),
            sorted: None,
        })
    }

    /// What was asked for.
    #[must_use]
    pub fn spec(&self) -> &AnnouncerSpec {
        &self.spec
    }

    /// A packet of `size_bytes`, which is above 0, entered the queue of `class` at its tail; 0 is served first. Without an
    /// id it looks up no state at the other node: other packets wait for it, but it makes no FPM of its own.
    ///
    /// # Panics
    /// If there is no such class.
    #[inline]
    pub fn queued(&mut self, class: usize, id: Option<u64>, size_bytes: u32) {
        let has_room = self.has_room();
        let of = &mut self.classes[class];
        of.came = of.came + self.transmission.of(size_bytes);
        let has_fpm = id.is_some() && has_room;
        of.packets.push_back(Waiting {
            tail: of.came,
            id: id.unwrap_or(0),
            size_bytes,
            has_fpm,
            is_named: id.is_some(),
        });
        self.counts.made += u64::from(id.is_some());
        self.counts.dropped_full += u64::from(id.is_some() && !has_room);
        self.waiting += usize::from(has_fpm);
        self.counts.max_waiting = self.counts.max_waiting.max(self.waiting());
    }

    /// The transmission of the first packet of a class begins. If its FPM still waits, it is stale and is removed.
    ///
    /// # Panics
    /// If there is no such class.
    #[inline]
    pub fn left(&mut self, class: usize) {
        let of = &mut self.classes[class];
        let Some(Waiting { tail, has_fpm, .. }) = of.packets.pop_front() else { return };
        if of.packets.is_empty() {
            // So that a short queue stays in the same few cache lines of a long ring.
            of.packets.clear();
        }
        of.left = tail;
        if of.told > 0 {
            of.told -= 1;
        } else if has_fpm {
            self.waiting -= 1;
            self.counts.stale += 1;
        }
    }

    /// The same, of the first class that has a packet: the one that strict priority serves. Of a port that sorts, the first packet.
    #[inline]
    pub fn left_first(&mut self) {
        if self.sorted.is_some() {
            return self.first_left();
        }
        if let Some(first) = self.classes.iter().position(|class| !class.packets.is_empty()) {
            self.left(first);
        }
    }

    /// The link is between two packets: adds to `out` what fits into the gap, in strict priority.
    #[inline]
    pub fn gap(&mut self, out: &mut impl Extend<Fpm>) {
        self.counts.sent_in_gaps += self.take(self.spec.per_gap, |fpm| out.extend(Some(fpm)));
    }

    /// The link is idle, and the packets that wait arrived at an idle link: adds to `out` the FPMs sent before the first
    /// packet.
    #[inline]
    pub fn idle(&mut self, out: &mut impl Extend<Fpm>) {
        if self.spec.idle == Idle::Before {
            self.counts.sent_idle += self.take(usize::MAX, |fpm| out.extend(Some(fpm)));
        }
    }

    /// The link is between two packets: whether a control packet is sent next. If so, adds its FPMs to `out`, with delays
    /// that count from when its last bit has been sent; it has [`AnnouncerSpec::control_bytes`].
    #[inline]
    pub fn control(&mut self, now: Time, out: &mut impl Extend<Fpm>) -> bool {
        let many = self.spec.threshold.is_some_and(|threshold| self.waiting() > threshold);
        if !many || self.last_control.is_some_and(|last| now.since(last) < self.spec.interval) {
            return false;
        }
        self.last_control = Some(now);
        self.counts.control_packets += 1;
        self.counts.control_bytes += u64::from(self.spec.control_bytes);
        self.counts.sent_in_control += self.take(self.spec.per_control, |fpm| out.extend(Some(fpm)));
        true
    }

    /// Takes FPMs, those of higher classes first. Returns how many.
    #[inline]
    fn take(&mut self, at_most: usize, mut out: impl FnMut(Fpm)) -> u64 {
        if let Some(sorted) = &mut self.sorted {
            return sorted.take(&mut self.waiting, at_most, &mut out);
        }
        let count = self.waiting.min(at_most);
        let mut wanted = count;
        let mut higher = Duration::ZERO;
        for class in &mut self.classes {
            if wanted == 0 {
                break;
            }
            while wanted > 0
                && let Some(fpm) = class.take()
            {
                out(Fpm { delay: higher + fpm.delay, ..fpm });
                wanted -= 1;
            }
            higher = higher + class.backlog();
        }
        self.waiting -= count;
        count as u64
    }

    /// FPMs that wait, in all classes, with forecasts and corrections.
    #[inline]
    #[must_use]
    pub fn waiting(&self) -> usize {
        self.waiting + self.forecasts.len() + self.sorted.as_ref().map_or(0, |sorted| sorted.corrections())
    }

    #[inline]
    fn has_room(&self) -> bool {
        self.waiting() < self.spec.queue_capacity
    }

    /// The counts so far.
    #[must_use]
    pub fn counts(&self) -> AnnouncerCounts {
        self.counts
    }

    /// Whether every FPM that was made has been dropped, was stale, has been sent, or waits.
    #[must_use]
    pub fn is_conserved(&self) -> bool {
        let AnnouncerCounts { made, dropped_full, stale, .. } = self.counts;
        made == dropped_full + stale + self.counts.sent() + self.waiting() as u64
    }
}
