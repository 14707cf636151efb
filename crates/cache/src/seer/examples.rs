//! The worked examples of the paper's figures 1, 3 and 4, played by the real thing. The figures are pictures. Their
//! captions leave some things open; the comments here say what is chosen.

use crate::seer::{Announcer, AnnouncerSpec, Fpm, Pace, SeerCache, SeerSpec};
use crate::{Choice, ChoiceError, Lookup, StateCacheSpec};
use forebay_core::{Duration, ParamError, Rate, Seed, Time};

/// A prefetch in [`figure_1`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Step {
    /// How long after the four packets have become known.
    pub at: Duration,
    /// Whose state is fetched.
    pub key: u64,
    /// Whose state leaves.
    pub evicted: Option<u64>,
}

/// What happens in figure 1.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Figure1 {
    /// The prefetches, in order.
    pub steps: Vec<Step>,
    /// Packets that did not find their state, with Seer.
    pub seer_misses: usize,
    /// And with LRU.
    pub lru_misses: usize,
}

/// Figure 1. From its caption: four packets of 120 ns wait at the neighbour, all are known at t = 0, and a fetch takes 100
/// ns. States are prefetched at t = 120 and t = 240, and at t = 240 the entry that is wanted last leaves.
///
/// Chosen: a cache of two entries that holds the state of p1 and has a free slot. An iteration every 120 ns, so that the
/// one at t = 0 only sees that the state of p1 is there. p4 wants the state of p1. Of the entries at t = 240, that of p2 is
/// wanted last: never.
///
/// # Errors
/// Never: the parameters fit together.
pub fn figure_1() -> Result<Figure1, ParamError> {
    const KEYS: [u64; 4] = [1, 2, 3, 1];
    let packet = Duration::from_ns(120);
    // When the packets become known, and when each will have arrived.
    let begin = Time::from_ns(1_200);
    let arrivals = || KEYS.iter().zip(1..).map(|(&key, nth)| (begin + Duration::from_ns(120 * nth), key));
    let spec = SeerSpec::of(cache(2, 100_000), vec![rate(100)?], Pace::Iteration(packet));

    let mut seer = SeerCache::new(&spec, &lru()?)?;
    seer.access(Time::ZERO, None, KEYS[0]);
    let fpm = |(arrival, id): (Time, u64)| Fpm::of(id, 1_500, arrival.since(begin));
    seer.notify(begin, 0, &arrivals().map(fpm).collect::<Vec<_>>());
    let mut figure = Figure1 { steps: Vec::new(), seer_misses: 0, lru_misses: 0 };
    for (now, key) in arrivals() {
        while let Some(due) = seer.next_iteration().filter(|due| *due < now) {
            let step = |prefetch: crate::seer::Prefetch| Step {
                at: due.since(begin),
                key: prefetch.key,
                evicted: prefetch.evicted,
            };
            figure.steps.extend(seer.iterate(due).map(step));
        }
        figure.seer_misses += usize::from(seer.access(now, Some(0), key) != Lookup::Hit);
    }

    let mut plain = SeerCache::new(&spec, &lru()?)?;
    plain.access(Time::ZERO, None, KEYS[0]);
    figure.lru_misses = arrivals().filter(|&(now, key)| plain.access(now, None, key) != Lookup::Hit).count();
    Ok(figure)
}

/// How FPMs are sent in [`figure_3`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Way {
    /// Gaps, and a control packet when there are many.
    Seer,
    /// Never a control packet.
    GapsOnly,
    /// A control packet whenever it is full, and nothing else.
    BatchesOnly,
}

/// The carriers that leave a port before a packet.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Moment {
    /// The FPMs in a control packet.
    pub control: Vec<u64>,
    /// The FPMs in the gap.
    pub gap: Vec<u64>,
}

/// What happens in figure 3.
#[derive(Debug, Clone)]
pub struct Figure3 {
    /// What leaves at T1, at T2 and before each later packet, until no FPM waits or nothing moves any more.
    pub moments: Vec<Moment>,
    /// The port, as it is then.
    pub port: Announcer,
}

/// Figure 3: p0 to p2 arrive before T1, the burst p3 to p9 before T2. A control packet carries 6 FPMs, a gap 2; Seer sends
/// one when more than 6 wait.
///
/// Chosen: ten packets go before them, whose FPMs have all been sent, so that none of these leaves; packets of 1000 B.
///
/// # Errors
/// Never: the parameters fit together.
pub fn figure_3(way: Way) -> Result<Figure3, ParamError> {
    const SIZE: u32 = 1_000;
    let seer = AnnouncerSpec { rate: rate(8)?, threshold: Some(6), per_control: 6, ..AnnouncerSpec::default() };
    let spec = match way {
        Way::Seer => seer,
        Way::GapsOnly => AnnouncerSpec { threshold: None, ..seer },
        // A batch of 6 leaves as soon as it is complete: when more than 5 wait.
        Way::BatchesOnly => AnnouncerSpec { per_gap: 0, threshold: Some(5), interval: Duration::ZERO, ..seer },
    };
    let mut port = Announcer::new(spec)?;
    (0..10).for_each(|_| port.queued(0, None, SIZE));
    let ids = |fpms: &[Fpm]| fpms.iter().map(|fpm| fpm.id).collect();
    let (mut moments, mut now) = (Vec::new(), Time::ZERO);
    for packets in [0..3, 3..10, 10..10, 10..10, 10..10, 10..10] {
        packets.for_each(|id| port.queued(0, Some(id), SIZE));
        if port.waiting() == 0 {
            break;
        }
        let (mut control, mut gap) = (Vec::new(), Vec::new());
        if port.control(now, &mut control) {
            now += spec.rate.transmission_time(spec.control_bytes);
        }
        port.gap(&mut gap);
        moments.push(Moment { control: ids(&control), gap: ids(&gap) });
        port.left(0);
        now += spec.rate.transmission_time(SIZE);
    }
    Ok(Figure3 { moments, port })
}

impl Figure3 {
    /// Packets that the target knows of.
    #[must_use]
    pub fn known(&self) -> usize {
        self.moments.iter().map(|moment| moment.control.len() + moment.gap.len()).sum()
    }

    /// How many packets more have to come before the next control packet leaves, and there is none before; up to 10 are
    /// tried.
    #[must_use]
    pub fn packets_until_control(&self) -> Option<usize> {
        let mut port = self.port.clone();
        (1..=10).find(|_| {
            port.queued(0, Some(u64::MAX), 1_000);
            port.control(Time::from_ns(1_000_000), &mut Vec::new())
        })
    }
}

/// Expected arrivals in [`figure_4`], of p1 to p5, in units of time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Figure4 {
    /// Before the notification of p5.
    pub before: [Option<u64>; 5],
    /// After.
    pub after: [Option<u64>; 5],
    /// Packets that arrived at another time.
    pub mistimed: u64,
}

/// Figure 4: packets of 10 units. The notifications of p1 to p4 arrive at time 0, that of p5 of the higher class at time
/// 10. p5 will arrive at 30, after p2, and delays p3 and p4 by its 10. A unit is a picosecond, in which the link carries a
/// byte.
///
/// # Errors
/// Never: the parameters fit together.
pub fn figure_4() -> Result<Figure4, ParamError> {
    let spec = SeerSpec::of(cache(8, 1), vec![rate(8_000)?], Pace::Iteration(Duration::ZERO));
    let mut seer = SeerCache::new(&spec, &lru()?)?;
    let at = Time::from_ps;
    let fpm = |id, delay| Fpm::of(id, 10, Duration::from_ps(delay));
    let expected = |seer: &SeerCache| [1, 2, 3, 4, 5].map(|key| seer.arrivals().next(key).map(Time::as_ps));
    seer.notify(at(0), 0, &[fpm(1, 10), fpm(2, 20), fpm(3, 30), fpm(4, 40)]);
    let before = expected(&seer);
    seer.access(at(10), Some(0), 1);
    seer.notify(at(10), 0, &[fpm(5, 20)]);
    let after = expected(&seer);
    for (time, key) in [(20, 2), (30, 5), (40, 3), (50, 4)] {
        seer.access(at(time), Some(0), key);
    }
    Ok(Figure4 { before, after, mistimed: seer.counts().fpms.mistimed })
}

fn cache(entries: u64, latency: u64) -> StateCacheSpec {
    StateCacheSpec { entries, ways: None, latency, parallel: Some(1), seed: Seed(1) }
}

fn lru() -> Result<Choice, ParamError> {
    "lru".parse().map_err(|message: ChoiceError| ParamError::of("policy", message))
}

fn rate(gigabits: u64) -> Result<Rate, ParamError> {
    Rate::from_bits_per_second(gigabits * 1_000_000_000).ok_or_else(|| ParamError::of("rate", "it is above 0"))
}
