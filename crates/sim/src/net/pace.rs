//! The transmission time of packets on links.

mod predecessor;

use forebay_core::Duration;
use predecessor::Predecessor;

/// The rule for the transmission time of a packet.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Pace {
    /// The transmission time of the packet's own bytes.
    #[default]
    Own,
    /// As long as the bytes of the packet before it take, if it waited behind that one. No link does; a published simulator
    /// does, and results of it can be compared.
    Predecessor,
}

/// Links that do not send each packet for as long as its bytes take.
pub(crate) trait PaceHook: Send {
    /// Returns how long this link sends a packet whose bytes take `own`. `waited` says whether the packet waited behind another one.
    fn lasts(&mut self, link: usize, own: Duration, waited: bool) -> Duration;
}

impl Pace {
    /// Returns the pace of `links` links; [`None`] if each packet takes its own time.
    pub(crate) fn hook(self, links: usize) -> Option<Box<dyn PaceHook>> {
        match self {
            Self::Own => None,
            Self::Predecessor => Some(Box::new(Predecessor::new(links))),
        }
    }
}
