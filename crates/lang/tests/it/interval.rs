//! Bounds of numbers.

use crate::objects::*;
use forebay_lang::Fixed;
use forebay_lang::ir::{
    Arith, Interval, Num, PacketField, PacketRef, QueueField, QueueRef, Read, interval, interval_where,
};

fn shown(number: &Num) -> String {
    let all = interval(number);
    format!("{}..{}{}", all.least, all.greatest, if all.whole { "" } else { " with fractions" })
}

#[test]
fn numbers_have_tight_bounds_where_keys_need_them() {
    let p = |name| field(PacketRef::This, name);
    let (value, flow) = (p(PacketField::Value), p(PacketField::Flow));
    for (number, expected) in [
        (value.clone(), "0..4294967295"),
        (p(PacketField::Size), "0..1000000"),
        (arith(Arith::Min, value.clone(), whole(63)), "0..63"),
        (arith(Arith::Mod, flow.clone(), whole(8)), "0..7"),
        (arith(Arith::Mod, flow.clone(), whole(-8)), "-7..0"),
        (arith(Arith::Mod, p(PacketField::Class), whole(1000)), "0..255"),
        (arith(Arith::Sub, p(PacketField::Class), p(PacketField::Queue)), "-65535..255"),
        (arith(Arith::Mul, whole(-2), p(PacketField::Class)), "-510..0"),
        (arith(Arith::Div, p(PacketField::Class), whole(2)), "0..127.5 with fractions"),
        (arith(Arith::Div, whole(6), p(PacketField::Class)), "0..6 with fractions"),
        (Num::Neg(Box::new(p(PacketField::Queue))), "-65535..0"),
        (number(1, 2), "0.5..0.5 with fractions"),
        (arith(Arith::Max, whole(3), whole(7)), "7..7"),
    ] {
        assert_eq!(shown(&number), expected, "{number}");
    }
    assert_eq!(interval(&p(PacketField::Rank)).greatest, Fixed(i64::MAX));
    assert!(!interval(&p(PacketField::Rank)).whole, "the cut is not whole");
}

#[test]
fn what_is_known_of_a_queue_makes_bounds_tighter() {
    let read = Read::Queue(QueueRef::This, QueueField::CurrSize);
    let known = |asked| (asked == read).then(|| Interval::up_to(100));
    let double = arith(Arith::Mul, whole(2), Num::Read(read));
    assert_eq!(interval_where(&double, &known), Interval::up_to(200));
}

#[test]
fn every_value_lies_in_its_interval() {
    let mut rng = Seed(1).stream("intervals");
    let mut reads = reads_of(PacketRef::This, QueueRef::This);
    reads.extend([Read::Now, BUFFERED]);
    for _ in 0..40_000 {
        let number = random_number(&reads, 3, &mut rng);
        let all = interval(&number);
        for draw in [Draw::Small, Draw::Ends, Draw::Ends, Draw::Any] {
            let mut world = World::new(draw);
            let value = number.value(&mut |read| world.read(read, &mut rng));
            let near = Fixed::floor(value);
            assert!(all.least <= near && near <= all.greatest, "{number} is {value}, not in {all:?}");
            assert!(!all.whole || value.is_integer(), "{number} is {value}");
        }
    }
}
