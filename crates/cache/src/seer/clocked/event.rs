//! What happens to a cache in a cycle, as a line of text.

use super::list::Told;
use crate::Whereabouts;
use forebay_core::Time;
use std::fmt;

/// Something that happened.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Event {
    /// In which cycle.
    pub cycle: u64,
    /// What.
    pub what: What,
}

/// What can happen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum What {
    /// The list takes a notification.
    Told {
        /// Which state its packet will ask for.
        id: u64,
        /// When it is expected.
        arrival: Time,
    },
    /// The list takes a control packet.
    Pushed,
    /// A fetch ahead begins.
    Fetched {
        /// The fetched state.
        id: u64,
        /// The state that is evicted for it.
        evicted: Option<u64>,
    },
    /// It has ended.
    Filled {
        /// The fetched state.
        id: u64,
    },
    /// A state that a packet had to fetch has arrived, and enters or is not admitted.
    Placed {
        /// The fetched state.
        id: u64,
        /// Whether it enters.
        entered: bool,
        /// The state that is evicted for it.
        evicted: Option<u64>,
    },
    /// A packet arrived.
    Came {
        /// The state that it looked up.
        id: u64,
        /// The place of that state.
        found: Whereabouts,
    },
}

impl What {
    pub(super) fn of(told: &Told) -> Self {
        match *told {
            Told::Fpm(since, fpm) => Self::Told { id: fpm.id, arrival: since + fpm.delay },
            Told::Control(_) => Self::Pushed,
        }
    }
}

/// Arrivals are in octets of a link of 10 Gb/s.
impl fmt::Display for Event {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const OCTET_PS: u64 = 800;
        let or_none = |evicted: Option<u64>| evicted.map_or("-".to_owned(), |id| id.to_string());
        write!(f, "{} ", self.cycle)?;
        match self.what {
            What::Told { id, arrival } => write!(f, "fpm {id} {}", arrival.as_ps() / OCTET_PS),
            What::Pushed => write!(f, "push"),
            What::Fetched { id, evicted } => write!(f, "fetch {id} {}", or_none(evicted)),
            What::Filled { id } => write!(f, "fill {id}"),
            What::Placed { id, entered, evicted } => {
                let enters = if entered { "enters" } else { "refused" };
                write!(f, "place {id} {enters} {}", or_none(evicted))
            }
            What::Came { id, found } => {
                let place = match found {
                    Whereabouts::Here => "here",
                    Whereabouts::OnItsWay => "coming",
                    Whereabouts::Away => "away",
                };
                write!(f, "come {id} {place}")
            }
        }
    }
}
