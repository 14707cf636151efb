//! A processor of k servers and a bounded queue, tick by tick.

use crate::processor::{Event, Log};
use forebay_core::Packet;

/// What a packet waits by: the lowest first, then the first to arrive.
pub(crate) type Key = fn(&Packet) -> u64;

struct Server {
    packet: Packet,
    ends: u64,
    /// What ends at one tick ends in the order in which it began.
    begun: u64,
}

/// What happens until all is done. Of what falls on one tick, that comes first which was known first: an arrival is known
/// since the one before.
pub(crate) fn run(packets: &[Packet], servers: usize, buffer: usize, worst_first: bool, key: Key) -> Log {
    let mut log = Log::new();
    let mut waiting: Vec<Packet> = Vec::new();
    let mut busy: Vec<Option<Server>> = (0..servers).map(|_| None).collect();
    let mut to_come = packets.iter().copied();
    let mut known = 1;
    let mut next = to_come.next().map(|packet| (packet, 0));
    let mut tick = 0;
    while next.is_some() || busy.iter().any(Option::is_some) {
        // What happens now, the first known first, until nothing does.
        loop {
            let arrival = next.filter(|(packet, _)| packet.arrival.as_ps() == 1_000 * tick).map(|(_, known)| known);
            let ending = (0..servers)
                .filter_map(|at| {
                    busy[at].as_ref().filter(|server| server.ends == tick).map(|server| (server.begun, at))
                })
                .min();
            match (arrival, ending) {
                (None, None) => break,
                (arrival, Some((begun, at))) if arrival.is_none_or(|known| begun < known) => {
                    log.push((tick, Event::Completed, busy[at].take().unwrap().packet.id));
                    start(tick, &mut waiting, &mut busy, &mut known, key, &mut log);
                }
                _ => {
                    waiting.push(next.unwrap().0);
                    if waiting.len() > buffer {
                        // The worst, the latest among equals; or the one that arrived.
                        let leaves = if worst_first {
                            (0..waiting.len()).max_by_key(|&at| (key(&waiting[at]), at)).unwrap()
                        } else {
                            buffer
                        };
                        log.push((tick, Event::Dropped, waiting.remove(leaves).id));
                    }
                    start(tick, &mut waiting, &mut busy, &mut known, key, &mut log);
                    next = to_come.next().map(|packet| (packet, known));
                    known += 1;
                }
            }
        }
        tick += 1;
    }
    log
}

/// Free servers take packets that wait.
fn start(tick: u64, waiting: &mut Vec<Packet>, busy: &mut [Option<Server>], known: &mut u64, key: Key, log: &mut Log) {
    for server in busy.iter_mut().filter(|server| server.is_none()) {
        // `min_by_key` gives the first of equals.
        let Some(first) = (0..waiting.len()).min_by_key(|&at| key(&waiting[at])) else { return };
        let packet = waiting.remove(first);
        log.push((tick, Event::Started, packet.id));
        *server = Some(Server { packet, ends: tick + packet.processing.as_ns(), begun: *known });
        *known += 1;
    }
}
