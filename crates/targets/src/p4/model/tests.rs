//! Numbers of a switch's program on every pair of fields at edges, against integers of 128 bits.

use super::Ranks;
use crate::headers::Mapping;
use crate::p4::numbers::Numbers;
use crate::p4::steps::Steps;
use forebay_core::{ClassId, Packet};
use forebay_lang::Ratio;
use forebay_lang::ir::{Arith, Num, PacketField, PacketRef, Read};

/// The bits of `remaining` and `rank`; a sum of the two has 47.
const BITS: u32 = 46;

fn mapping() -> Mapping {
    let mut mapping = Mapping::default();
    for text in
        ["remaining=udp[8:8]&0x3fffffffffff", "rank=udp[16:8]&0x3fffffffffff", "value=udp[24:4]", "class=dscp&1"]
    {
        let (field, source) = Mapping::read_setting(text).expect("a mapping");
        mapping.set(field, source);
    }
    mapping
}

fn read(field: PacketField) -> Num {
    Num::Read(Read::Packet(PacketRef::This, field))
}

fn constant(number: i128) -> Num {
    Num::Const(Ratio::from_integer(number))
}

fn arith(arith: Arith, left: Num, right: Num) -> Num {
    Num::Arith(arith, Box::new(left), Box::new(right))
}

/// 0, 1, 2, and powers of two with their neighbours, up to a field's end.
fn edges(bits: u32) -> Vec<u64> {
    let powers = (1..=bits).flat_map(|bit| [(1_u64 << bit) - 1, 1 << bit, (1 << bit) + 1]);
    let mut all: Vec<u64> = [0, 1].into_iter().chain(powers).filter(|number| *number < 1 << bits).collect();
    all.sort_unstable();
    all.dedup();
    all
}

/// What a number of whole numbers comes to.
fn model(number: &Num, packet: &Packet) -> i128 {
    match number {
        Num::Const(constant) => constant.to_integer(),
        Num::Read(Read::Packet(_, PacketField::Remaining)) => packet.remaining_bytes.into(),
        Num::Read(Read::Packet(_, PacketField::Rank)) => packet.rank.into(),
        Num::Read(Read::Packet(_, PacketField::Value)) => packet.value.into(),
        Num::Read(_) => packet.class.0.into(),
        Num::Neg(of) => -model(of, packet),
        Num::Arith(arith, left, right) => {
            let (left, right) = (model(left, packet), model(right, packet));
            match arith {
                Arith::Add => left + right,
                Arith::Sub => left - right,
                Arith::Mul => left * right,
                Arith::Div => left / right,
                Arith::Mod => left.rem_euclid(right),
                Arith::Min => left.min(right),
                Arith::Max => left.max(right),
            }
        }
    }
}

/// Compares a number of all packets with the model, if a program has it; whether it has.
fn compared(number: &Num, packets: &[Packet]) -> bool {
    let mapping = mapping();
    let mut numbers = Numbers { mapping: &mapping, policy_id: 1, steps: Steps::default() };
    let Ok(known) = numbers.number(number) else { return false };
    let ranks = Ranks { steps: numbers.steps, value: known.above };
    for packet in packets {
        let (found, right) = (i128::from(ranks.of(packet)) + known.least, model(number, packet));
        assert_eq!(found, right, "{number} of {packet:?}");
        assert!(right.abs() < 1 << 47 && (known.least..=known.most).contains(&right), "{number} of {packet:?}");
    }
    true
}

#[test]
fn every_operation_on_fields_at_edges_is_exact_and_below_2_to_the_47() {
    let all = edges(BITS);
    let mut packets = Vec::new();
    for (at, (&remaining_bytes, &rank)) in
        all.iter().flat_map(|one| all.iter().map(move |other| (one, other))).enumerate()
    {
        let value = u32::try_from(rank & 0xffff_ffff).expect("32 bits");
        packets.push(Packet {
            remaining_bytes,
            rank,
            value,
            class: ClassId(u8::from(at % 2 == 0)),
            ..Packet::default()
        });
    }
    let fields = [PacketField::Remaining, PacketField::Rank, PacketField::Value, PacketField::Class].map(read);
    let mut made = 0;
    for one in &fields {
        made += usize::from(compared(&Num::Neg(Box::new(one.clone())), &packets));
        for other in &fields {
            for operation in [Arith::Add, Arith::Sub, Arith::Min, Arith::Max, Arith::Mul] {
                let is_made = compared(&arith(operation, one.clone(), other.clone()), &packets);
                let is_test = *one == fields[3] || *other == fields[3];
                assert_eq!(is_made, operation != Arith::Mul || is_test, "{one} {operation} {other}");
                made += usize::from(is_made);
            }
        }
    }
    assert_eq!(made, 4 + 16 * 4 + 7);
}

#[test]
fn every_operation_with_a_constant_at_an_edge_is_exact_or_refused() {
    let packets: Vec<Packet> = edges(BITS)
        .into_iter()
        .map(|rank| Packet { rank, value: u32::try_from(rank & 0xffff_ffff).expect("32 bits"), ..Packet::default() })
        .collect();
    let (mut made, mut refused) = (0, 0);
    let limits = [(1_u64 << 47) - 1, 1 << 47, (1 << 47) + 1, (1 << 48) - 1, 1 << 48, (1 << 48) + 1];
    for (field, most) in [(PacketField::Rank, (1_i128 << BITS) - 1), (PacketField::Value, (1 << 32) - 1)] {
        for number in edges(BITS).into_iter().chain(limits).map(i128::from).flat_map(|number| [number, -number]) {
            for operation in [Arith::Add, Arith::Sub, Arith::Mul, Arith::Min, Arith::Max, Arith::Mod] {
                let is_made = compared(&arith(operation, read(field), constant(number)), &packets);
                let ends = match operation {
                    Arith::Add => [number, most + number],
                    Arith::Sub => [-number, most - number],
                    Arith::Mul => [0, most * number],
                    _ => [0, 0],
                };
                let fits = ends.iter().all(|end| end.abs() < 1 << 47) && number.abs() < 1 << 47;
                let is_power = operation != Arith::Mod || number > 0 && number.count_ones() == 1;
                assert_eq!(is_made, fits && is_power, "{field} {operation} {number}");
                made += usize::from(is_made);
                refused += usize::from(!is_made);
            }
        }
    }
    assert!(made > 2_000 && refused > 500, "{made} made, {refused} refused");
}
