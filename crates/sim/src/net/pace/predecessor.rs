//! Links on which each packet takes the transmission time of the previous packet: a quirk of a published simulator, for calibration only.

use super::PaceHook;
use forebay_core::Duration;

/// For each link, the transmission time of the packet that was sent last.
pub(super) struct Predecessor(Vec<Duration>);

impl Predecessor {
    /// Creates the state of `links` links, which have sent no packets.
    pub(super) fn new(links: usize) -> Self {
        Self(vec![Duration::ZERO; links])
    }
}

impl PaceHook for Predecessor {
    fn lasts(&mut self, link: usize, own: Duration, waited: bool) -> Duration {
        let before = std::mem::replace(&mut self.0[link], own);
        if waited { before } else { own }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_packet_that_waited_takes_the_time_of_the_one_before_it() {
        let mut links = Predecessor::new(2);
        let mut lasts = |link, own, waited| links.lasts(link, Duration::from_ps(own), waited).as_ps();
        assert_eq!([lasts(0, 10, false), lasts(0, 3, true), lasts(0, 7, true), lasts(0, 5, false)], [10, 10, 3, 5]);
        assert_eq!([lasts(1, 4, false), lasts(0, 1, true)], [4, 5], "each link by itself");
    }
}
