//! Blocks of pcapng files in both byte orders: obsolete Packet Blocks, blocks that are not known, and packets without a time.

use crate::recordings::packets;

const SECTION: u32 = 0x0a0d_0d0a;
const INTERFACE: u32 = 1;
const OBSOLETE_PACKET: u32 = 2;
const SIMPLE_PACKET: u32 = 3;
const ENHANCED_PACKET: u32 = 6;
const CUSTOM: u32 = 0xbad;
const UNKNOWN: u32 = 0x0123_4567;

/// A pcapng that is being written.
struct Pcapng {
    is_big_endian: bool,
    bytes: Vec<u8>,
}

impl Pcapng {
    /// With a section and an interface of Ethernet whose times are in microseconds.
    fn new(is_big_endian: bool) -> Self {
        let mut file = Self { is_big_endian, bytes: Vec::new() };
        let section = [file.word(0x1a2b_3c4d), file.half(1), file.half(0), vec![0xff; 8]].concat();
        file.block(SECTION, &section);
        let interface = [file.half(1), file.half(0), file.word(0)].concat();
        file.block(INTERFACE, &interface);
        file
    }

    fn word(&self, number: u32) -> Vec<u8> {
        if self.is_big_endian { number.to_be_bytes() } else { number.to_le_bytes() }.to_vec()
    }

    fn half(&self, number: u16) -> Vec<u8> {
        if self.is_big_endian { number.to_be_bytes() } else { number.to_le_bytes() }.to_vec()
    }

    fn block(&mut self, kind: u32, body: &[u8]) {
        let length = self.word(u32::try_from(body.len() + 12).unwrap());
        let parts = [self.word(kind), length.clone(), body.to_vec(), length];
        self.bytes.extend(parts.concat());
    }

    /// A frame of 60 bytes at a time, in a block of this kind.
    fn packet(&mut self, kind: u32, second: u32) {
        let frame = [&[0; 12][..], &[8, 0, 0x45], &[0; 45]].concat();
        let length = self.word(60);
        let time = [self.word(0), self.word(second * 1_000_000)].concat();
        let body = match kind {
            SIMPLE_PACKET => [length, frame].concat(),
            OBSOLETE_PACKET => [self.half(0), self.half(0), time, length.clone(), length, frame].concat(),
            _ => [self.word(0), time, length.clone(), length, frame].concat(),
        };
        self.block(kind, &body);
    }
}

/// Seconds between the first and the last packet of a file in both byte orders, and how many there are.
fn read(blocks: &[(u32, u32)], others: &[u32]) -> (usize, f64) {
    let [little, big] = [false, true].map(|is_big_endian| {
        let mut file = Pcapng::new(is_big_endian);
        for &(kind, second) in blocks {
            file.packet(kind, second);
        }
        for &kind in others {
            file.block(kind, &[1, 2, 3, 4]);
        }
        let trace = packets(&file.bytes).unwrap();
        let account = trace.account.unwrap();
        assert_eq!(account.other_blocks.keys().copied().collect::<Vec<_>>(), others, "big-endian: {is_big_endian}");
        let times: Vec<f64> = trace.packets.iter().map(|packet| packet.arrival.as_secs_f64()).collect();
        (times.len(), times[times.len() - 1] - times[0])
    });
    assert_eq!(little, big);
    big
}

#[test]
fn obsolete_packet_blocks_are_read_in_both_byte_orders() {
    let kind = |second: u32| if second.is_multiple_of(2) { OBSOLETE_PACKET } else { ENHANCED_PACKET };
    let blocks: Vec<_> = (0..6).map(|second| (kind(second), second)).collect();
    assert_eq!(read(&blocks, &[CUSTOM, UNKNOWN]), (6, 5.0));
    assert_eq!(read(&[(OBSOLETE_PACKET, 1), (OBSOLETE_PACKET, 4)], &[]), (2, 3.0));
}

#[test]
fn what_stands_behind_the_end_of_options_is_none() {
    for is_big_endian in [false, true] {
        let mut file = Pcapng::new(is_big_endian);
        // A second interface: milliseconds, the end, and then nanoseconds.
        let option = |code: u16, power: u8| [file.half(code), file.half(1), vec![power, 0, 0, 0]].concat();
        let end = [file.half(0), file.half(0)].concat();
        let body = [file.half(1), file.half(0), file.word(0), option(9, 3), end, option(9, 9)].concat();
        file.block(INTERFACE, &body);
        for ticks in [0, 5] {
            let frame = [&[0; 12][..], &[8, 0, 0x45], &[0; 45]].concat();
            let (length, time) = (file.word(60), [file.word(0), file.word(ticks)].concat());
            file.block(ENHANCED_PACKET, &[file.word(1), time, length.clone(), length, frame].concat());
        }
        assert_eq!(packets(&file.bytes).unwrap().packets[1].arrival.as_ps(), 5_000_000_000);
    }
}

#[test]
fn packets_without_a_time_before_all_others_have_that_of_the_first() {
    let [simple, enhanced, obsolete] = [SIMPLE_PACKET, ENHANCED_PACKET, OBSOLETE_PACKET];
    assert_eq!(read(&[(simple, 0), (enhanced, 3_600), (simple, 0), (enhanced, 3_601)], &[]), (4, 1.0));
    assert_eq!(read(&[(simple, 0), (simple, 0), (obsolete, 3_600), (obsolete, 3_603)], &[]), (4, 3.0));
    assert_eq!(read(&[(simple, 0), (simple, 0)], &[]), (2, 0.0));
    assert_eq!(read(&[(enhanced, 10), (simple, 0)], &[]), (2, 0.0));
}
