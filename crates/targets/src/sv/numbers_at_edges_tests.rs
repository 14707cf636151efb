//! Netlists on every pair of numbers at edges, against the language.

use super::net::Net;
use super::numbers::{Numbers, Scope, Value, signal};
use super::scope::member;
use forebay_lang::Fixed;
use forebay_lang::ir::{Arith, Interval, Num, PacketField, PacketRef, Read};

const ONE: PacketField = PacketField::Value;
const OTHER: PacketField = PacketField::Rank;

/// Two signals with any number at run time.
struct Signals;

impl Scope for Signals {
    fn read(&self, read: Read, net: &mut Net) -> Result<Value, &'static str> {
        let Read::Packet(_, field) = read else { return Err("no packet") };
        Ok(signal(net, member(field), true, Interval::ALL))
    }
}

/// Units near 0, near powers of two, all of those about a whole, 2^32 and the ends, and near both ends.
fn edges() -> Vec<i64> {
    let mut all: Vec<i64> = (-2..=2).flat_map(|near| [near, i64::MAX - 2 - near, i64::MIN + 2 + near]).collect();
    let bits = (2..63).filter(|bit| bit % 5 == 0 || (14..=18).contains(bit) || (31..=33).contains(bit) || *bit > 59);
    all.extend(bits.flat_map(|bit| (-1..=1).flat_map(move |near| [(1_i64 << bit) + near, -(1_i64 << bit) + near])));
    all.sort_unstable();
    all.dedup();
    all
}

/// The result of two numbers in the language. Another test compares the language with integers of 128 bits.
fn model(arith: Arith, one: i64, other: i64) -> i128 {
    Fixed::floor(arith.exact(Fixed(one).exact(), Fixed(other).exact())).0.into()
}

#[test]
fn every_operation_on_numbers_at_edges_is_exact_then_rounded_and_cut() {
    let read = |field| Box::new(Num::Read(Read::Packet(PacketRef::Arriving, field)));
    let edges = edges();
    assert!(edges.len() > 120, "{}", edges.len());
    for arith in Arith::ALL {
        let number = Num::Arith(*arith, read(ONE), read(OTHER));
        let mut net = Net::default();
        let value = (Numbers { net: &mut net, scope: &Signals }).number(&number).expect("no more than 128 bits");
        let Value::Node { id, whole } = value else { panic!("{value:?}") };
        for (&one, &other) in edges.iter().flat_map(|one| edges.iter().map(move |other| (one, other))) {
            let given = |text: &str| i128::from(if text == member(ONE) { one } else { other });
            let found = net.values(&given)[id.0] << if whole { 16 } else { 0 };
            assert_eq!(found, model(*arith, one, other), "{one} {arith} {other}");
        }
    }
}
