//! Measured latencies of fetches, per object and in general, for caches that are embedded in programs.

/// The weight of a new measurement, as in TCP's smoothed round-trip time (RFC 6298).
const WEIGHT: f32 = 1.0 / 8.0;

/// The assumed latency before the first measurement.
const FIRST_GUESS: f32 = 1e6;

/// Smoothed latencies in nanoseconds, for cached objects and, until others overwrite them, for evicted ones. The hash
/// of an object chooses its slot, and the object that was measured last owns the slot. The table never grows.
#[derive(Debug)]
pub struct MeasuredLatencies {
    /// The upper half of the hash, and the latency; 0 if there is none.
    places: Box<[(u32, f32)]>,
    mean: Option<f32>,
}

impl MeasuredLatencies {
    /// A table for the latencies of about this many cached objects and as many others.
    #[must_use]
    pub fn new(entries: usize) -> Self {
        let places = entries.saturating_mul(2).clamp(16, 1 << 24).next_power_of_two();
        Self { places: vec![(0, 0.0); places].into_boxed_slice(), mean: None }
    }

    #[expect(clippy::cast_possible_truncation, reason = "halves of the hash")]
    fn place(&self, hash: u64) -> (usize, u32) {
        (hash as usize & (self.places.len() - 1), (hash >> 32) as u32)
    }

    /// The expected latency of a fetch of the object: its own mean, or else the mean of all objects.
    #[must_use]
    pub fn of(&self, hash: u64) -> u64 {
        let (place, tag) = self.place(hash);
        let (known, latency) = self.places[place];
        let expected = if known == tag && latency > 0.0 { latency } else { self.mean.unwrap_or(FIRST_GUESS) };
        ticks(expected)
    }

    /// The object's own mean, in nanoseconds, if it is known.
    #[must_use]
    pub fn known(&self, hash: u64) -> Option<u64> {
        let (place, tag) = self.place(hash);
        let (known, latency) = self.places[place];
        (known == tag && latency > 0.0).then(|| ticks(latency))
    }

    /// Learns the latency of a fetch of the object.
    pub fn measured(&mut self, hash: u64, latency: u64) {
        let new = latency.max(1) as f32;
        let smooth = |before: f32| before + (new - before) * WEIGHT;
        let (place, tag) = self.place(hash);
        let (known, before) = self.places[place];
        let own = if known == tag && before > 0.0 { smooth(before) } else { new };
        self.places[place] = (tag, own);
        self.mean = Some(self.mean.map_or(new, smooth));
    }
}

#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "float casts saturate")]
fn ticks(latency: f32) -> u64 {
    (latency.round() as u64).max(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_object_has_its_own_and_others_the_mean() {
        let mut latencies = MeasuredLatencies::new(8);
        assert_eq!(latencies.of(1), 1_000_000);
        latencies.measured(1, 800);
        assert_eq!((latencies.of(1), latencies.of(2)), (800, 800));
        latencies.measured(2, 1_600);
        assert_eq!((latencies.of(1), latencies.of(2), latencies.of(3)), (800, 1_600, 900));
        latencies.measured(1, 1_600);
        assert_eq!(latencies.of(1), 900);
    }

    #[test]
    fn an_object_in_the_same_place_takes_it() {
        let mut latencies = MeasuredLatencies::new(8);
        latencies.measured(1, 800);
        latencies.measured(1 | 1 << 40, 80_000);
        assert_eq!(latencies.of(1 | 1 << 40), 80_000);
        assert_ne!(latencies.of(1), 800, "the mean of all");
    }
}
