//! Disciplines that hold packets back, against a list that is searched.

#![allow(clippy::unwrap_used, reason = "a test may stop at what it did not expect")]

use forebay_core::{BufferSize, ClassId, Discipline, Duration, FlowId, Packet, ParamValue, Rate, Seed, Time, Verdict};
use forebay_sched::{DisciplineSpec, PACE_RULES, PaceRule, Part, RankDiscipline, RankUnit, discipline};
use rand::RngExt as _;

fn part(name: &str, params: &[(&str, &str)]) -> Part {
    let params = params.iter().map(|(name, value)| ((*name).to_owned(), ParamValue::Text((*value).to_owned())));
    Part { name: name.to_owned(), params: params.collect(), own: None }
}

fn spec(queue: &str, pace: Part, buffer: &str) -> DisciplineSpec {
    DisciplineSpec {
        rank: Part::named("packet-rank"),
        queue: Part::named(queue),
        drop: Part::named("tail"),
        mark: None,
        pace: Some(pace),
        buffer: BufferSize::parse(buffer).unwrap(),
        rank_unit: RankUnit::ONE,
        link_rate: Rate::parse("10 Gbps").unwrap(),
    }
}

fn rule(part: &Part) -> Box<dyn PaceRule + Send> {
    let entry = PACE_RULES.iter().find(|entry| entry.about.name == part.name).unwrap();
    (entry.build)(&forebay_core::Params::check(entry.about.params, part.params.clone()).unwrap()).unwrap()
}

/// The waiting packets, in order of arrival, each with its eligible time.
struct Naive {
    waiting: Vec<(Time, Packet)>,
    rule: Box<dyn PaceRule + Send>,
    buffer: BufferSize,
}

impl Naive {
    fn enqueue(&mut self, now: Time, packet: Packet) -> bool {
        let bytes: u64 = self.waiting.iter().map(|(_, packet)| u64::from(packet.size_bytes)).sum();
        let fits = match self.buffer {
            BufferSize::Packets(limit) => (self.waiting.len() as u64) < limit,
            BufferSize::Bytes(limit) => bytes + u64::from(packet.size_bytes) <= limit,
        };
        if fits {
            let eligible = self.rule.eligible(now, &packet);
            self.waiting.push((eligible, packet));
        }
        fits
    }

    fn dequeue(&mut self, now: Time) -> Option<u64> {
        let may_leave = (0..self.waiting.len()).filter(|&place| self.waiting[place].0 <= now);
        let first = may_leave.min_by_key(|&place| self.waiting[place].1.rank)?;
        Some(self.waiting.remove(first).1.id)
    }

    fn wakeup(&self, now: Time) -> Option<Time> {
        self.waiting.iter().map(|(eligible, _)| *eligible).min().filter(|time| *time > now)
    }
}

#[test]
fn packets_leave_by_rank_among_those_that_may() {
    let paces = [
        part("delay", &[("time", "3 us")]),
        part("token-bucket", &[("rate", "1 Gbps"), ("burst", "2 KB")]),
        part("token-bucket", &[("rate", "4 Gbps"), ("of", "all"), ("burst", "100 B")]),
        part("token-bucket", &[("rate", "1 Gbps"), ("of", "class")]),
    ];
    for pace in &paces {
        for buffer in ["12 packets", "9 KB"] {
            let spec = spec("pieo", pace.clone(), buffer);
            let mut fast = RankDiscipline::new(&spec).unwrap();
            let mut naive = Naive { waiting: Vec::new(), rule: rule(pace), buffer: spec.buffer };
            let mut rng = Seed(2).stream("pacing");
            let (mut now, mut held_back, mut refused) = (Time::ZERO, 0, 0);
            for id in 0..8_000 {
                now += Duration::from_ps(rng.random_range(0..900_000));
                if rng.random_range(0..100) < 55 {
                    let packet = Packet {
                        id,
                        rank: rng.random_range(0..20),
                        flow: FlowId(rng.random_range(0..5)),
                        class: ClassId(rng.random_range(0..3)),
                        size_bytes: rng.random_range(40..1_500),
                        ..Packet::default()
                    };
                    let verdict = fast.enqueue(now, packet, &mut Vec::new());
                    let is_in = matches!(verdict, Verdict::Queued { .. });
                    assert_eq!(is_in, naive.enqueue(now, packet));
                    refused += u32::from(!is_in);
                } else {
                    let left = fast.dequeue(now).map(|packet| packet.id);
                    assert_eq!(left, naive.dequeue(now), "{pace:?} {buffer}");
                    if left.is_none() && fast.len() > 0 {
                        held_back += 1;
                        assert_eq!(fast.next_wakeup(now), naive.wakeup(now));
                    }
                }
                let bytes = naive.waiting.iter().map(|(_, packet)| u64::from(packet.size_bytes)).sum::<u64>();
                assert_eq!((fast.len(), fast.bytes()), (naive.waiting.len(), bytes));
            }
            assert!(held_back > 100 && refused > 100, "{pace:?} {buffer}: {held_back} {refused}");
        }
    }
}

#[test]
fn what_does_not_hold_back_is_refused() {
    let pace = || part("delay", &[("time", "3 us")]);
    let error = |spec: &DisciplineSpec| discipline(spec, Seed(0)).err().unwrap().to_string();
    assert!(
        error(&spec("pifo", pace(), "9 packets"))
            .contains("`pifo` cannot hold packets back, which `pace` needs; use queue = \"pieo\"")
    );
    assert!(error(&spec("pieo", Part::named("delai"), "9 packets")).contains("did you mean `delay`"));
    assert!(error(&spec("pieo", Part::named("delay"), "9 packets")).contains("`delay` needs a `time`"));
    let flows = DisciplineSpec { rank: Part::named("job-ratio-inorder"), ..spec("pifo", pace(), "9 packets") };
    assert!(error(&flows).contains("ranks flows, which are not held back"));
    // The policy that is first come, first served in one piece elsewhere.
    let fifo = DisciplineSpec { rank: Part::named("arrival"), ..spec("fifo", pace(), "9 packets") };
    assert!(error(&fifo).contains("`fifo` cannot hold packets back"));
}
