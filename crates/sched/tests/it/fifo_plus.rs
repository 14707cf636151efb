//! FIFO+ over several hops, against a plain list that carries signed offsets, and
//! against FIFO.

#![allow(clippy::unwrap_used, reason = "a test may stop at what it did not expect")]

use crate::support::through_port;
use forebay_core::{BufferSize, ClassId, Duration, Packet, ParamValue, Rate, Rng, Seed, Time};
use forebay_sched::{DisciplineSpec, Part, RankDiscipline, RankUnit};
use rand::RngExt;
use std::collections::BTreeMap;

const HOPS: u64 = 6;
const AVERAGE_OVER: i64 = 100;
/// More than a path takes away.
const START: Duration = Duration::from_ms(100);
/// Packets with an id from here on cross one hop only.
const CROSSING: u64 = 1 << 32;

fn rate() -> Rate {
    Rate::parse("1 Gbps").unwrap()
}

fn hop(rank: Part) -> RankDiscipline {
    RankDiscipline::new(&DisciplineSpec {
        rank,
        queue: Part::named("pifo"),
        drop: Part::named("tail"),
        mark: None,
        pace: None,
        buffer: BufferSize::Packets(100_000),
        rank_unit: RankUnit::ONE,
        link_rate: rate(),
    })
    .unwrap()
}

fn fifo_plus() -> Part {
    let average_over = ParamValue::Integer(AVERAGE_OVER);
    Part {
        name: "fifo-plus".to_owned(),
        params: BTreeMap::from([("average_over".to_owned(), average_over)]),
        own: None,
    }
}

/// Packets at `load` of the link, in bursts of so many on average.
fn random_packets(rng: &mut Rng, first_id: u64, count: u64, load: f64, burst: f64) -> Vec<Packet> {
    let mut now = 0;
    (0..count)
        .map(|index| {
            let size_bytes = rng.random_range(100..1_500_u32);
            // The first of a burst arrives after a pause that makes up for all.
            if rng.random_bool(1.0 / burst) {
                let mean_pause = burst * 800.0 * 8e-9 / load;
                now += rng.random_range(0..Duration::from_secs_f64(2.0 * mean_pause).as_ps());
            }
            Packet {
                id: first_id + index,
                arrival: Time::from_ps(now),
                slack: START,
                size_bytes,
                class: ClassId(u8::from(first_id == CROSSING)),
                ..Packet::default()
            }
        })
        .collect()
}

fn through_packets(rng: &mut Rng) -> Vec<Packet> {
    random_packets(rng, 0, 10_000, 0.1, 1.0)
}

/// A packet as it leaves a hop: its wait is taken from its slack, as a network does.
fn without_wait((sent, packet): (Time, Packet)) -> (Time, Packet) {
    let waited = sent.since(packet.arrival) - rate().transmission_time(packet.size_bytes);
    (sent, Packet { slack: packet.slack - waited, ..packet })
}

/// Lets packets cross all hops, at each of which others cross them, and returns when
/// each arrived at the last end. `serve` is one hop.
fn along_the_path(mut serve: impl FnMut(Vec<Packet>) -> Vec<(Time, Packet)>) -> BTreeMap<u64, Time> {
    let mut rng = Seed(5).stream("fifo-plus");
    let mut through = through_packets(&mut rng);
    for _ in 0..HOPS {
        let mut arriving = random_packets(&mut rng, CROSSING, 60_000, 0.6, 10.0);
        arriving.append(&mut through);
        arriving.sort_by_key(|packet| (packet.arrival, packet.id));
        let leaving = serve(arriving).into_iter().filter(|(_, packet)| packet.id < CROSSING).map(without_wait);
        // Packets arrive a little later, so that none does in the instant in which another
        // is chosen; who is first then is the port's business.
        let delayed = leaving.map(|(sent, packet)| (sent + Duration::from_ps(rng.random_range(1..8_000)), packet));
        through = delayed.map(|(arrival, packet)| Packet { arrival, ..packet }).collect();
    }
    through.into_iter().map(|packet| (packet.id, packet.arrival)).collect()
}

/// One hop as the paper states it: packets wait with the time at which they would have
/// arrived after average delays, which is their arrival less their offset.
struct PlainHop {
    offsets: BTreeMap<u64, i64>,
}

impl PlainHop {
    fn serve(&mut self, packets: Vec<Packet>) -> Vec<(Time, Packet)> {
        // Average times AVERAGE_OVER, by class.
        let mut sum: [Option<i64>; 2] = [None; 2];
        let mut waiting: Vec<(i64, Packet)> = Vec::new();
        let mut arrivals = packets.into_iter().peekable();
        let mut sent = Vec::new();
        let mut now = Time::ZERO;
        loop {
            if waiting.is_empty() {
                match arrivals.peek() {
                    Some(packet) => now = now.max(packet.arrival),
                    None => return sent,
                }
            }
            while let Some(packet) = arrivals.next_if(|packet| packet.arrival <= now) {
                let offset = self.offsets.get(&packet.id).copied().unwrap_or(0);
                waiting.push((i64::try_from(packet.arrival.as_ps()).unwrap() - offset, packet));
            }
            // The first of the least.
            let least = (0..waiting.len()).min_by_key(|&index| waiting[index].0).unwrap();
            let (_, packet) = waiting.remove(least);
            let waited = i64::try_from(now.since(packet.arrival).as_ps()).unwrap();
            let sum = sum[usize::from(packet.class.0)].get_or_insert(waited * AVERAGE_OVER);
            let average = *sum / AVERAGE_OVER;
            if packet.id < CROSSING {
                *self.offsets.entry(packet.id).or_insert(0) += waited - average;
            }
            *sum += waited - average;
            now += rate().transmission_time(packet.size_bytes);
            sent.push((now, packet));
        }
    }
}

#[test]
fn a_path_of_fifo_plus_is_that_of_the_plain_list() {
    let mut plain = PlainHop { offsets: BTreeMap::new() };
    let expected = along_the_path(|packets| plain.serve(packets));
    let got = along_the_path(|packets| through_port(rate(), hop(fifo_plus()), packets));
    assert!(plain.offsets.values().any(|&offset| offset < 0) && plain.offsets.values().any(|&offset| offset > 0));
    assert!(got == expected, "packets arrive at other times");
}

#[test]
fn delays_along_a_path_spread_less_than_with_fifo() {
    let spread = |rank: &dyn Fn() -> Part| {
        let first = through_packets(&mut Seed(5).stream("fifo-plus"));
        let arrived = along_the_path(|packets| through_port(rate(), hop(rank()), packets));
        let mut delays: Vec<f64> =
            first.iter().map(|packet| arrived[&packet.id].since(packet.arrival).as_secs_f64()).collect();
        delays.sort_by(f64::total_cmp);
        let mean = delays.iter().sum::<f64>() / delays.len() as f64;
        (mean, delays[delays.len() * 99 / 100])
    };
    let (fifo_mean, fifo_tail) = spread(&|| Part::named("arrival"));
    let (mean, tail) = spread(&fifo_plus);
    assert!((mean / fifo_mean - 1.0).abs() < 0.1, "{mean} {fifo_mean}");
    assert!(tail < 0.9 * fifo_tail, "{tail} {fifo_tail}");
}
