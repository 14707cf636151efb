//! Comparators that are orders, and such that are not.

use crate::objects::*;
use forebay_lang::Fixed;
use forebay_lang::ir::{
    Arith, Cond, Counterexample, Interval, Known, Law, Num, PacketField, PacketRef, QueueField, QueueRef, Read,
    Relation, exact_products, is_proved, order, refute,
};
use rand::RngExt as _;

fn p1(name: PacketField) -> Num {
    field(PacketRef::First, name)
}

fn p2(name: PacketField) -> Num {
    field(PacketRef::Second, name)
}

fn minus(left: Num, right: Num) -> Num {
    arith(Arith::Sub, left, right)
}

fn times(left: Num, right: Num) -> Num {
    arith(Arith::Mul, left, right)
}

fn value_difference() -> Num {
    minus(p1(PacketField::Value), p2(PacketField::Value))
}

#[test]
fn what_is_no_order_is_shown_with_small_numbers() {
    use PacketField::{Size, Value};
    use Relation::{Equal, Greater, Less, LessEqual, NotEqual};
    let apart = arith(Arith::Max, value_difference(), minus(p2(Value), p1(Value)));
    let state = |queue| Num::Read(Read::Queue(queue, QueueField::SchedState));
    let head = |queue| field(PacketRef::Head(queue), Value);
    for (before, expected) in [
        (Cond::Const(true), "each comes before the other"),
        (compare(p1(Value), LessEqual, p2(Value)), "with p1.value = 0 and p2.value = 0, each comes before the other"),
        (compare(p1(Value), NotEqual, p2(Value)), "with p1.value = 0 and p2.value = 1, each comes before the other"),
        (
            compare(p1(Value), Greater, p2(Size)),
            "with p1.value = 2, p1.size = 1, p2.value = 2 and p2.size = 1, each comes before the other",
        ),
        (
            compare(arith(Arith::Mod, value_difference(), whole(3)), Equal, whole(1)),
            "with p1.value = 0, p2.value = 2 and p3.value = 1, \
             p1 comes before p2 and p2 before p3, but p1 not before p3",
        ),
        (
            and(compare(apart, Greater, whole(3)), compare(p1(Value), Less, p2(Value))),
            "with p1.value = 0, p2.value = 1 and p3.value = 4, \
             p2 ties with p1 and with p3, but p1 comes before p3",
        ),
        (
            compare(value_difference(), Greater, whole(1000)),
            "with p1.value = 1001, p2.value = 1 and p3.value = 0, \
             p2 ties with p1 and with p3, but p1 comes before p3",
        ),
        (
            compare(p1(Value), Greater, times(whole(10), p2(Value))),
            "with p1.value = 11, p2.value = 2 and p3.value = 1, \
             p2 ties with p1 and with p3, but p1 comes before p3",
        ),
        (compare(p1(Value), Greater, whole(5)), "with p1.value = 6 and p2.value = 6, each comes before the other"),
        (
            or(compare(p1(Value), Less, p2(Value)), compare(p1(Size), Less, p2(Size))),
            "with p1.value = 0, p1.size = 2, p2.value = 1 and p2.size = 1, each comes before the other",
        ),
        (
            compare(state(QueueRef::First), LessEqual, head(QueueRef::Second)),
            "with q1.schedState = 0, q1.findHigh().value = 0, q2.schedState = 0 and q2.findHigh().value = 0, \
             each comes before the other",
        ),
    ] {
        let found = refute(&before).map(|found| found.to_string());
        assert_eq!(found.as_deref(), Some(expected), "{before}");
    }
}

#[test]
fn orders_are_not_refuted() {
    use PacketField::{Arrival, Class, Flow, Processing, Size, Slack, Value};
    use Relation::{Greater, Less};
    let ratio = exact_products(compare(times(p1(Processing), p2(Size)), Less, times(p2(Processing), p1(Size))));
    let positive = |processing| arith(Arith::Max, processing, whole(1));
    let density =
        compare(times(p1(Value), positive(p2(Processing))), Greater, times(p2(Value), positive(p1(Processing))));
    let density = exact_products(density);
    let density_then_size = or(
        density.clone(),
        and(
            not(exact_products(compare(
                times(positive(p1(Processing)), p2(Value)),
                Relation::GreaterEqual,
                times(p1(Value), positive(p2(Processing))),
            ))),
            compare(p1(Size), Less, p2(Size)),
        ),
    );
    // The class that is in the middle has an order of its own.
    let value_of_voice = |class, value| times(arith(Arith::Min, class, whole(1)), value);
    let by_class = or(
        compare(p1(Class), Greater, p2(Class)),
        and(
            compare(p1(Class), Relation::Equal, p2(Class)),
            compare(value_of_voice(p1(Class), p1(Value)), Greater, value_of_voice(p2(Class), p2(Value))),
        ),
    );
    // Either by value, or for a class by slack.
    let test = |class| compare(class, Relation::GreaterEqual, whole(40));
    let per_class = or(
        and(test(p1(Class)), or(not(test(p2(Class))), compare(p1(Slack), Less, p2(Slack)))),
        and(and(not(test(p1(Class))), not(test(p2(Class)))), compare(p1(Value), Greater, p2(Value))),
    );
    for (before, by_keys) in [
        (compare(p1(Arrival), Less, p2(Arrival)), true),
        (Cond::Const(false), true),
        (by_class, true),
        (ratio, false),
        (density, false),
        (density_then_size, false),
        (per_class, true),
        (compare(times(p1(Flow), p1(Size)), Less, times(p2(Flow), p2(Size))), true),
    ] {
        match order(&before) {
            Ok(Known::ByKeys(_)) => assert!(by_keys, "{before}"),
            Ok(Known::Proved) => assert!(!by_keys, "{before}"),
            Ok(Known::NotRefuted) => panic!("{before} is not proved"),
            Err(found) => panic!("{before}: {found}"),
        }
    }
}

#[test]
fn what_is_an_order_for_small_numbers_alone_is_refuted() {
    use PacketField::{Processing, Remaining, Size, Value};
    use Relation::Greater;
    let over = |field: PacketField| compare(times(p1(Value), p2(field)), Greater, times(p2(Value), p1(field)));
    // 0/0 ties with all.
    let zero = refute(&exact_products(over(Remaining))).unwrap();
    assert_eq!(zero.law, Law::Ties, "{zero}");
    // Products that are cut, as they are where one side is no such product.
    let cut = over(Size);
    let sum = compare(
        arith(Arith::Add, times(p1(Processing), p2(Size)), whole(0)),
        Greater,
        arith(Arith::Add, times(p2(Processing), p1(Size)), whole(0)),
    );
    assert_eq!(exact_products(sum.clone()), sum);
    for before in [sum, compare(times(p1(Processing), p2(Size)), Greater, times(p2(Processing), p1(Size)))] {
        let found = refute(&before).unwrap();
        assert!(breaks(&before, &found), "{before}: {found}");
    }
    // 32 and 20 bits are cut, too.
    assert!(refute(&cut).is_some());
    assert_eq!(order(&exact_products(cut)), Ok(Known::Proved));
}

/// Each relation between two objects that are drawn.
#[test]
fn what_is_proved_is_an_order_of_any_objects() {
    let mut rng = Seed(2).stream("proved");
    let (mut proved, mut ratios) = (0, 0);
    for _ in 0..3_000 {
        let fields: Vec<PacketField> = (0..2).map(|_| pick(PacketField::ALL, &mut rng)).collect();
        let number = |rng: &mut Rng| arith(Arith::Add, p1(pick(&fields, rng)), whole(rng.random_range(0..3)));
        let mirrored = |number: &Num| second(number);
        let (n, d) = (number(&mut rng), number(&mut rng));
        let relation = pick(&[Relation::Less, Relation::Greater], &mut rng);
        let ratio = compare(times(n.clone(), mirrored(&d)), relation, times(d, mirrored(&n)));
        let other = random_cond(&reads(&fields), 1, &mut rng);
        let before = exact_products(match rng.random_range(0..3) {
            0 => ratio,
            1 => and(ratio, other),
            _ => other,
        });
        if !is_proved(&before) {
            continue;
        }
        proved += 1;
        ratios += usize::from(before.to_string().contains(" * "));
        let objects: Vec<Vec<(Read, Fixed)>> = (0..40)
            .map(|_| {
                fields
                    .iter()
                    .map(|field| (Read::Packet(PacketRef::This, *field), any_value(*field, &mut rng)))
                    .collect()
            })
            .collect();
        for _ in 0..400 {
            let three = [0; 3].map(|_| objects[rng.random_range(0..objects.len())].clone());
            for law in [Law::Asymmetry, Law::Transitivity, Law::Ties] {
                let found = Counterexample { law, objects: three.to_vec() };
                assert!(!breaks(&before, &found), "{before}: {found}");
            }
        }
    }
    assert!(proved > 100 && ratios > 100, "{proved} {ratios}");
}

fn reads(fields: &[PacketField]) -> Vec<Read> {
    let of = |packet| fields.iter().map(move |name| Read::Packet(packet, *name));
    of(PacketRef::First).chain(of(PacketRef::Second)).collect()
}

/// The same of the second object.
fn second(number: &Num) -> Num {
    match number {
        Num::Read(Read::Packet(_, name)) => p2(*name),
        Num::Arith(operation, left, right) => arith(*operation, second(left), second(right)),
        other => other.clone(),
    }
}

/// A value of any length that a property can have.
fn any_value(name: PacketField, rng: &mut Rng) -> Fixed {
    let all = Interval::of_read(Read::Packet(PacketRef::This, name));
    let number = Fixed(rng.random_range(0..=i64::MAX) >> rng.random_range(0..63) >> 16 << 16);
    let least = if name == PacketField::Size { Fixed::whole(1) } else { all.least };
    number.clamp(least, all.greatest)
}

/// Whether the objects break the law, from the definition.
fn breaks(before: &Cond, found: &Counterexample) -> bool {
    let is = |one: usize, other: usize| {
        before.holds(&mut |read| {
            let (object, this) = match read {
                Read::Packet(PacketRef::First, name) => (one, Read::Packet(PacketRef::This, name)),
                Read::Packet(_, name) => (other, Read::Packet(PacketRef::This, name)),
                _ => unreachable!(),
            };
            found.objects[object].iter().find(|(known, _)| *known == this).unwrap().1
        })
    };
    let tie = |one, other| !is(one, other) && !is(other, one);
    match found.law {
        Law::Asymmetry => is(0, 1) && is(1, 0),
        Law::Transitivity => is(0, 1) && is(1, 2) && !is(0, 2),
        Law::Ties => tie(0, 1) && tie(1, 2) && !tie(0, 2),
    }
}

#[test]
fn what_is_refuted_is_no_order() {
    let mut rng = Seed(1).stream("refuted");
    let mut refuted = 0;
    for _ in 0..300 {
        let fields: Vec<PacketField> = (0..rng.random_range(1..4)).map(|_| pick(PacketField::ALL, &mut rng)).collect();
        let before = random_cond(&reads(&fields), 2, &mut rng);
        if let Some(found) = refute(&before) {
            refuted += 1;
            assert!(breaks(&before, &found), "{before}: {found}");
            assert_eq!(Some(found), refute(&before));
        }
    }
    assert!(refuted > 100, "{refuted}");
}

#[test]
fn constants_of_many_digits_do_no_harm() {
    let long = || number((1 << 47) * 1_000_000 - 1, 1_000_000);
    let state = |queue| Num::Read(Read::Queue(queue, QueueField::SchedState));
    let left = times(long(), times(long(), state(QueueRef::First)));
    let before = compare(left, Relation::Less, times(long(), state(QueueRef::Second)));
    assert_eq!(order(&before), Ok(Known::NotRefuted));
}

/// An empty queue would tie with all others.
#[test]
fn queues_that_are_compared_have_packets() {
    let text = "q[1..2] = Queue(9 KB); out = Port(100, q[1..2]);
        out.schedPrio(a, b) = (a.currProcessing * b.currSize < b.currProcessing * a.currSize);";
    let analysis = forebay_lang::analyse(text, &forebay_lang::Overrides::new());
    assert_eq!(analysis.diagnostics, []);
    let policy = analysis.policy.unwrap();
    assert!(policy.sums_processing());
    assert_eq!(order(&policy.ports[0].scheduling.before), Ok(Known::Proved));
}
