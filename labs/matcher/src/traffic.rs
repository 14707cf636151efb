//! Arrivals of innocent and attack payloads at an element.

use forebay_core::{Duration, Rng, Seed};
use rand::RngExt as _;
use rand_distr::{Distribution as _, Exp};

/// Flows of innocent traffic.
const FLOWS: u32 = 64;

/// What arrives: payloads that are drawn from, and how many there are in a second.
#[derive(Debug, Clone)]
pub struct Traffic {
    /// Innocent payloads, each equally likely.
    pub innocent: Vec<Vec<u8>>,
    /// Attack payloads, in turn.
    pub attack: Vec<Vec<u8>>,
    /// Innocent payloads in a second.
    pub innocent_per_second: f64,
    /// Attack payloads in a second.
    pub attack_per_second: f64,
}

/// One payload that arrives.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Arrival {
    /// When.
    pub at: Duration,
    /// Which of its kind's payloads.
    pub payload: usize,
    /// Its flow; each attack payload is one of its own.
    pub flow: u32,
    /// Whether the attacker sends it.
    pub is_attack: bool,
}

impl Traffic {
    /// The bytes that arrive.
    #[must_use]
    pub fn payload(&self, arrival: Arrival) -> &[u8] {
        let kind = if arrival.is_attack { &self.attack } else { &self.innocent };
        kind.get(arrival.payload).map_or(&[], Vec::as_slice)
    }

    /// Poisson arrivals of both kinds, in order of time, without end. The innocent ones are the same
    /// whatever the attack is.
    pub fn arrivals(&self, seed: Seed) -> impl Iterator<Item = Arrival> + use<> {
        let mut innocent = Poisson::new(seed.stream("innocent-arrivals"), self.innocent_per_second);
        let mut attack = Poisson::new(seed.stream("attack-arrivals"), self.attack_per_second);
        let (kinds, attacks) = (self.innocent.len(), self.attack.len());
        let mut count = 0_u32;
        let mut draw = seed.stream("innocent-payloads");
        std::iter::from_fn(move || {
            if attacks == 0 || innocent.next <= attack.next {
                let arrival = Arrival {
                    at: innocent.take()?,
                    payload: draw.random_range(0..kinds.max(1)),
                    flow: draw.random_range(0..FLOWS),
                    is_attack: false,
                };
                Some(arrival)
            } else {
                count = count.wrapping_add(1);
                let flow = FLOWS + count;
                Some(Arrival { at: attack.take()?, payload: count as usize % attacks, flow, is_attack: true })
            }
        })
    }
}

struct Poisson {
    rng: Rng,
    gaps: Option<Exp<f64>>,
    next: Duration,
}

impl Poisson {
    fn new(rng: Rng, per_second: f64) -> Self {
        let gaps = if per_second > 0.0 { Exp::new(per_second).ok() } else { None };
        let mut poisson = Self { rng, gaps, next: Duration::ZERO };
        poisson.advance();
        poisson
    }

    fn advance(&mut self) {
        self.next = match self.gaps {
            Some(gaps) => self.next + Duration::from_secs_f64(gaps.sample(&mut self.rng)),
            None => Duration::from_ps(u64::MAX),
        };
    }

    fn take(&mut self) -> Option<Duration> {
        let at = self.next;
        self.gaps?;
        self.advance();
        Some(at)
    }
}
