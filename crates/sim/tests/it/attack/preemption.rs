//! Work in turns beside a processor that is played step by step.

use crate::attack::support::policy;
use forebay_core::{Duration, Fields, Packet, Seed, Source, Time};
use forebay_sim::attack::{InTurns, Turn, Turns};
use forebay_sim::{Port, Probe, Processor, RunOptions, Service};
use rand::RngExt as _;
use std::collections::VecDeque;

/// Packets with the scheduler's estimates of their work, in order of time.
struct Sent(VecDeque<Packet>);

impl Source for Sent {
    fn next_packet(&mut self) -> Option<Packet> {
        self.0.pop_front()
    }

    fn fields(&self) -> Fields {
        Fields::NONE
    }
}

/// Works as long as a list says, whatever the estimate.
struct Works(Vec<Duration>);

impl Service for Works {
    fn started(&mut self, _: Time, packet: &mut Packet) -> Duration {
        packet.processing = self.0[usize::try_from(packet.id).unwrap()];
        packet.processing
    }
}

/// When each packet was done, and with how much work.
#[derive(Default)]
struct Done(Vec<(u64, Time, Duration)>);

impl Probe for Done {
    fn sent(&mut self, now: Time, packet: &Packet) {
        self.0.push((packet.id, now, packet.processing));
    }
}

fn packet(id: u64, ps: u64, told: u64) -> Packet {
    Packet { id, arrival: Time::from_ps(ps), processing: Duration::from_ps(told), size_bytes: 100, ..Packet::default() }
}

/// Jobs that take turns, one after another, in order of arrival or of their estimates: which is done, and when.
fn played(packets: &[Packet], works: &[Duration], turns: Turns, is_shortest_first: bool) -> Vec<(u64, Time, Duration)> {
    let mut waiting: Vec<(u64, Packet)> = Vec::new();
    let (mut done, mut spent) = (Vec::new(), vec![0; packets.len()]);
    let (mut now, mut arrived, mut stamp) = (0, 0, 0);
    let mut interrupted = vec![0; packets.len()];
    while done.len() < packets.len() {
        while arrived < packets.len() && packets[arrived].arrival.as_ps() <= now {
            waiting.push((stamp, packets[arrived]));
            (stamp, arrived) = (stamp + 1, arrived + 1);
        }
        let key =
            |(stamp, packet): &(u64, Packet)| (if is_shortest_first { packet.processing.as_ps() } else { 0 }, *stamp);
        let Some(first) = (0..waiting.len()).min_by_key(|&place| key(&waiting[place])) else {
            now = packets[arrived].arrival.as_ps();
            continue;
        };
        let (_, next) = waiting.remove(first);
        let number = usize::try_from(next.id).unwrap();
        let work = works[number].as_ps();
        let turn = match turns.turn {
            Turn::Fixed(turn) => turn.as_ps(),
            Turn::Estimate => next.processing.as_ps().max(1_000),
        };
        let is_done = work - spent[number] <= turn;
        let lasts = if is_done { work - spent[number] } else { turn + turns.cost.as_ps() };
        spent[number] += turn;
        now += lasts;
        // Packets that arrive meanwhile are queued before the job comes back.
        while arrived < packets.len() && packets[arrived].arrival.as_ps() <= now {
            waiting.push((stamp, packets[arrived]));
            (stamp, arrived) = (stamp + 1, arrived + 1);
        }
        if is_done {
            let all = work + interrupted[number] * turns.cost.as_ps();
            done.push((next.id, Time::from_ps(now), Duration::from_ps(all)));
        } else {
            interrupted[number] += 1;
            let told = packets[number].processing.as_ps().max(2 * spent[number]);
            waiting.push((stamp, Packet { processing: Duration::from_ps(told), ..next }));
            stamp += 1;
        }
    }
    done
}

#[test]
fn jobs_are_done_when_a_step_by_step_processor_does_them() {
    let mut rng = Seed(7).stream("turns");
    let mut interrupted = 0;
    for round in 0..400 {
        let count = rng.random_range(1..40_u64);
        let mut ns = 0;
        let mut works = Vec::new();
        let packets: Vec<Packet> = (0..count)
            .map(|id| {
                // All work is whole nanoseconds, and each arrival is off by picoseconds of its own: no two things happen at
                // once.
                ns += rng.random_range(0..20);
                works.push(Duration::from_ns(rng.random_range(1..50)));
                packet(id, ns * 1_000 + id, 1_000 * rng.random_range(1..20))
            })
            .collect();
        let turn =
            if round % 2 == 0 { Turn::Estimate } else { Turn::Fixed(Duration::from_ns(rng.random_range(1..20))) };
        let turns = Turns { turn, cost: Duration::from_ns(rng.random_range(0..3)) };
        for (rank, is_shortest_first) in [("arrival", false), ("job-size", true)] {
            let service = InTurns::new(Works(works.clone()), turns);
            let mut port = Port::new(service, forebay_sim::Servers::new(1, policy(rank, 1_000)), Done::default());
            port.run(&mut Sent(packets.clone().into()), &RunOptions::default());
            let (_, Done(done)) = port.into_parts();
            let expected = played(&packets, &works, turns, is_shortest_first);
            assert_eq!(done, expected, "{rank} {turns:?}");
            interrupted += expected.iter().filter(|(id, _, all)| *all > works[usize::try_from(*id).unwrap()]).count();
        }
    }
    assert!(interrupted > 1_000, "{interrupted}");
}

#[test]
fn a_job_within_its_turn_is_as_without() {
    let turns = Turns { turn: Turn::Fixed(Duration::from_us(1)), cost: Duration::from_us(7) };
    let packets: Vec<Packet> = (0..100).map(|id| packet(id, id * 300_000, 200_000 + id * 8_000)).collect();
    let done = |service: &mut dyn Service| {
        let mut port = Port::new(service, forebay_sim::Servers::new(1, policy("job-size", 1_000)), Done::default());
        port.run(&mut Sent(packets.clone().into()), &RunOptions::default());
        port.into_parts().1.0
    };
    assert_eq!(done(&mut InTurns::new(Processor, turns)), done(&mut Processor));
}
