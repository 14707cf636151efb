//! Timers of fetches over the network, with numbers that no link has.

/// The purpose of a timer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Timer {
    /// The manager of an application's cache has something to do.
    Manager {
        /// The application.
        place: usize,
    },
    /// A request is sent again, unless it has been answered.
    Retry {
        /// The application.
        place: usize,
        /// The requested key.
        key: u64,
        /// The index of the request.
        request: u64,
    },
    /// The store has served a request.
    Served {
        /// The application that asked.
        place: usize,
        /// The requested key.
        key: u64,
        /// The index of the request.
        request: u64,
    },
}

/// The running timers. Their numbers begin after the numbers of links.
#[derive(Debug, Default)]
pub(super) struct Timers {
    slots: Vec<Option<Timer>>,
    free: Vec<u32>,
}

/// Links have lower numbers.
const FIRST: u32 = 1 << 31;

impl Timers {
    /// The number of a timer that starts.
    pub(super) fn start(&mut self, timer: Timer) -> u32 {
        let slot = self.free.pop().unwrap_or_else(|| {
            self.slots.push(None);
            u32::try_from(self.slots.len() - 1).expect("fewer than 2^31 timers")
        });
        self.slots[slot as usize] = Some(timer);
        FIRST + slot
    }

    /// The timer of this number has fired, if it is one of these.
    pub(super) fn take(&mut self, number: u32) -> Option<Timer> {
        let slot = number.checked_sub(FIRST)?;
        let timer = self.slots[slot as usize].take();
        self.free.push(slot);
        timer
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_stands_for_one_timer_at_a_time() {
        let mut timers = Timers::default();
        let [a, b] = [1, 2].map(|place| Timer::Manager { place });
        let (one, two) = (timers.start(a), timers.start(b));
        assert!(one != two && timers.take(7).is_none());
        assert_eq!(timers.take(one), Some(a));
        assert_eq!((timers.start(b), timers.take(one), timers.take(two)), (one, Some(b), Some(b)));
    }
}
