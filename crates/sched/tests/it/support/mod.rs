//! Sends packets through a port and notes when each is sent.

use forebay_core::{Discipline, Fields, Packet, Rate, Source, Time};
use forebay_sim::{Port, Probe, RunOptions};

/// Packets in order of arrival.
struct List(std::vec::IntoIter<Packet>);

impl Source for List {
    fn next_packet(&mut self) -> Option<Packet> {
        self.0.next()
    }

    fn fields(&self) -> Fields {
        Fields::ALL
    }
}

#[derive(Default)]
struct Sent(Vec<(Time, Packet)>);

impl Probe for Sent {
    fn sent(&mut self, now: Time, packet: &Packet) {
        self.0.push((now, *packet));
    }
}

/// The packets as they leave, and when their last bit does.
pub(crate) fn through_port(rate: Rate, discipline: impl Discipline, packets: Vec<Packet>) -> Vec<(Time, Packet)> {
    let mut port = Port::new(rate, discipline, Sent::default());
    port.run(&mut List(packets.into_iter()), &RunOptions::default());
    port.into_parts().1.0
}
