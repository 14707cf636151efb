//! What a port tells the node at the other end of its link: which packets wait, how long they are and when they come.
//!
//! Section 3.1 of the paper. Every packet that goes into a queue of the port makes an [`Fpm`], which waits in the FPM queue of
//! its class. Three ways lead over the link, and whoever runs the port says when each is open:
//!
//! - Between two packets ([`Announcer::gap`]) as many FPMs as fit into the gap take no time of the link.
//! - If more of them wait than a threshold, and the last time was long enough ago, a control packet goes first
//!   ([`Announcer::control`]); it takes its time of the link. Then the gap behind it is open, then comes the data packet. One
//!   control packet at most goes before a data packet.
//! - While the link is idle ([`Announcer::idle`]) all go at once. A packet that finds the link idle has its FPM sent right
//!   before it ([`Idle::Before`]), or leaves first: then its FPM is stale, and never sent.
//!
//! The paper's delay is what waits in higher classes, what is ahead in its class, the packet itself and the carrier of the
//! FPM, "since the FPM transmission", and the receiver adds it to its clock when it has the FPM. FPM and packet take the same
//! way; so the carrier would be counted twice. Here the delay has the first three and counts from the instant at which the
//! carrier has been sent, and with it the receiver knows the arrival to the picosecond, until something of a higher class or
//! a control packet comes between.
//!
//! A call costs O(classes), and O(1) for each FPM that leaves.

mod counts;
mod forecasts;
mod spec;

pub use counts::AnnouncerCounts;
pub use forecasts::Carrier;
pub use spec::{AnnouncerSpec, Idle};

use crate::Fpm;
use forebay_core::{Duration, ParamError, Time};
use forecasts::Forecast;
use std::collections::VecDeque;

/// The FPM queues of one port, and what they need to know of its packet queues.
#[derive(Debug, Clone)]
pub struct Announcer {
    spec: AnnouncerSpec,
    classes: Vec<Class>,
    /// FPMs in all queues.
    waiting: usize,
    /// Of packets that will come.
    forecasts: VecDeque<Forecast>,
    last_control: Option<Time>,
    counts: AnnouncerCounts,
}

/// One priority class. Sums of time never go back, so that what waits ahead of a packet is a difference.
#[derive(Debug, Clone, Default)]
struct Class {
    /// The time that all packets take which have come so far.
    came: Duration,
    /// The time that those take which have left.
    left: Duration,
    /// For each packet that waits, what `came` was behind it.
    packets: VecDeque<Duration>,
    fpms: VecDeque<Notice>,
}

impl Class {
    /// The time that the packets take which wait.
    fn backlog(&self) -> Duration {
        self.came - self.left
    }
}

/// An FPM before it is known how long the packet still waits.
#[derive(Debug, Clone, Copy)]
struct Notice {
    id: u64,
    size_bytes: u32,
    /// What [`Class::came`] was behind the packet.
    tail: Duration,
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
            spec,
            classes,
            waiting: 0,
            forecasts: VecDeque::new(),
            last_control: None,
            counts: AnnouncerCounts::default(),
        })
    }

    /// What was asked for.
    #[must_use]
    pub fn spec(&self) -> &AnnouncerSpec {
        &self.spec
    }

    /// A packet of `size_bytes`, which is above 0, went to the tail of the queue of `class`; 0 is served first. Without an
    /// id it asks the other node for no state: others wait for it, and nothing is told of itself.
    ///
    /// # Panics
    /// If there is no such class.
    #[inline]
    pub fn queued(&mut self, class: usize, id: Option<u64>, size_bytes: u32) {
        let of = &mut self.classes[class];
        of.came = of.came + self.spec.rate.transmission_time(size_bytes);
        of.packets.push_back(of.came);
        let Some(id) = id else { return };
        self.counts.made += 1;
        if self.waiting >= self.spec.queue_capacity {
            self.counts.dropped_full += 1;
            return;
        }
        of.fpms.push_back(Notice { id, size_bytes, tail: of.came });
        self.waiting += 1;
        self.counts.longest_queue = self.counts.longest_queue.max(self.waiting);
    }

    /// The transmission of the first packet of a class begins. If its FPM still waits, it is of no use any more.
    ///
    /// # Panics
    /// If there is no such class.
    #[inline]
    pub fn left(&mut self, class: usize) {
        let of = &mut self.classes[class];
        let Some(tail) = of.packets.pop_front() else { return };
        of.left = tail;
        if of.fpms.pop_front_if(|notice| notice.tail <= tail).is_some() {
            self.waiting -= 1;
            self.counts.stale += 1;
        }
    }

    /// The link is between two packets: adds to `out` what fits into the gap, in strict priority.
    #[inline]
    pub fn gap(&mut self, out: &mut Vec<Fpm>) {
        self.counts.sent_in_gaps += self.take(self.spec.per_gap, out);
    }

    /// The link is idle, and what waits has found it so: adds to `out` what leaves before the first packet.
    #[inline]
    pub fn idle(&mut self, out: &mut Vec<Fpm>) {
        if self.spec.idle == Idle::Before {
            self.counts.sent_idle += self.take(usize::MAX, out);
        }
    }

    /// The link is between two packets: whether a control packet comes next. If so, adds to `out` what it carries, with
    /// delays that count from when its last bit has been sent; it has [`AnnouncerSpec::control_bytes`].
    #[inline]
    pub fn control(&mut self, now: Time, out: &mut Vec<Fpm>) -> bool {
        let many = self.spec.threshold.is_some_and(|threshold| self.waiting() > threshold);
        if !many || self.last_control.is_some_and(|last| now.since(last) < self.spec.interval) {
            return false;
        }
        self.last_control = Some(now);
        self.counts.control_packets += 1;
        self.counts.control_bytes += u64::from(self.spec.control_bytes);
        self.counts.sent_in_control += self.take(self.spec.per_control, out);
        true
    }

    /// Takes FPMs, those of higher classes first. Says how many.
    fn take(&mut self, at_most: usize, out: &mut Vec<Fpm>) -> u64 {
        let count = self.waiting.min(at_most);
        let mut wanted = count;
        let mut higher = Duration::ZERO;
        for class in &mut self.classes {
            if wanted == 0 {
                break;
            }
            let taken = class.fpms.len().min(wanted);
            let left = class.left;
            out.extend(class.fpms.drain(..taken).map(|Notice { id, size_bytes, tail }| Fpm {
                id,
                size_bytes,
                delay: higher + (tail - left),
            }));
            wanted -= taken;
            higher = higher + class.backlog();
        }
        self.waiting -= count;
        count as u64
    }

    /// FPMs that wait, in all classes, and forecasts.
    #[must_use]
    pub fn waiting(&self) -> usize {
        self.waiting + self.forecasts.len()
    }

    /// What has been counted so far.
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
