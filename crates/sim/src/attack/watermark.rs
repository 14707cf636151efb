//! A switch of policy at a watermark of goodput (SurgeProtector, thesis, section 3.7).
//!
//! While a processor can serve its traffic, a fair policy orders the packets. If goodput falls below the watermark, another policy takes
//! over, which bounds the harm of an attack. A processor does not know which packets are innocent, so it counts the bits of all packets
//! that enter service, in windows of a fixed length.

use forebay_core::{Counter, Duration, Element, Packet, Time, Verdict};

/// Two policies, one of which is active and orders the waiting packets.
///
/// At the end of each window, the served bits per second decide which policy is active. After a switch, all waiting packets move to the
/// newly active policy when the next packet arrives, in the order in which they would have been served. Packets that a pacing policy holds
/// back stay there, and are served as soon as this policy releases them. A window without waiting packets is no sign of an attack, so the
/// active policy does not change. Only the first link of each policy is used.
pub struct Watermark<E> {
    above: E,
    below: E,
    mark_bps: f64,
    window: Duration,
    /// The end of the window.
    ends: Time,
    /// Served in this window.
    bits: u64,
    /// Whether some packet waited at each moment of this window that something was served or arrived.
    is_busy: bool,
    /// Whether the policy below the watermark is to be active.
    is_below: bool,
    /// Whether the policy below the watermark holds the waiting packets: they move when the next packet arrives.
    holds_below: bool,
    switches: u64,
}

impl<E: Element> Watermark<E> {
    /// Creates the pair with `above` active. `window` is above zero.
    pub fn new(above: E, below: E, mark_bps: f64, window: Duration) -> Self {
        Self {
            above,
            below,
            mark_bps,
            window,
            ends: Time::ZERO + window,
            bits: 0,
            is_busy: true,
            is_below: false,
            holds_below: false,
            switches: 0,
        }
    }

    /// The number of switches between the policies.
    #[must_use]
    pub fn switches(&self) -> u64 {
        self.switches
    }

    /// Judges the windows that have ended.
    fn look(&mut self, now: Time) {
        if now < self.ends {
            return;
        }
        self.judge();
        (self.bits, self.is_busy) = (0, self.len() > 0);
        if !self.is_busy {
            self.ends = now + self.window;
            return;
        }
        // Nothing was served in the windows since then, so one of them stands for all.
        let since = now.since(self.ends).as_ps() / self.window.as_ps();
        if since > 0 {
            self.judge();
        }
        self.ends += Duration::from_ps(self.window.as_ps().saturating_mul(since + 1));
    }

    /// Judges a window.
    fn judge(&mut self) {
        let is_below = (self.bits as f64 / self.window.as_secs_f64()) < self.mark_bps;
        if self.is_busy && is_below != self.is_below {
            self.is_below = is_below;
            self.switches += 1;
        }
    }

    /// The policy that new packets enter, and the other one.
    fn holder_and_other(&mut self) -> (&mut E, &mut E) {
        let Self { above, below, .. } = self;
        if self.holds_below { (below, above) } else { (above, below) }
    }

    fn move_all(&mut self, now: Time, evicted: &mut Vec<Packet>) {
        let Self { above, below, .. } = self;
        let (from, to) = if self.is_below { (above, below) } else { (below, above) };
        while let Some(packet) = from.dequeue(now, 0) {
            if let Verdict::Refused { .. } = to.enqueue(now, packet, evicted) {
                evicted.push(packet);
            }
        }
        self.holds_below = self.is_below;
    }
}

impl<E: Element> Element for Watermark<E> {
    fn links(&self) -> usize {
        1
    }

    fn enqueue(&mut self, now: Time, packet: Packet, evicted: &mut Vec<Packet>) -> Verdict {
        self.look(now);
        if self.holds_below != self.is_below {
            self.move_all(now, evicted);
        }
        self.is_busy &= self.len() > 0;
        self.holder_and_other().0.enqueue(now, packet, evicted)
    }

    fn dequeue(&mut self, now: Time, _: usize) -> Option<Packet> {
        self.look(now);
        let (holder, other) = self.holder_and_other();
        let packet = if other.len() > 0 { other.dequeue(now, 0) } else { None };
        let packet = packet.or_else(|| holder.dequeue(now, 0));
        match &packet {
            Some(packet) => self.bits += u64::from(packet.size_bytes) * 8,
            None => self.is_busy = false,
        }
        packet
    }

    fn next_wakeup(&self, now: Time, _: usize) -> Option<Time> {
        [&self.above, &self.below].into_iter().filter_map(|policy| policy.next_wakeup(now, 0)).min()
    }

    fn len(&self) -> usize {
        self.above.len() + self.below.len()
    }

    fn bytes(&self) -> u64 {
        self.above.bytes() + self.below.bytes()
    }

    fn counters(&self) -> Vec<Counter> {
        Vec::new()
    }
}
