//! Comparators that are lists of keys.

use crate::objects::*;
use forebay_lang::ir::{Arith, Cond, Key, Num, PacketField, PacketRef, QueueField, QueueRef, Read, Relation, keys_of};
use rand::RngExt as _;
use std::cmp::Ordering;

fn this(of: PacketField) -> Num {
    field(PacketRef::This, of)
}

fn lowest(of: &Num) -> Cond {
    compare(first(of), Relation::Less, second(of))
}

fn highest(of: &Num) -> Cond {
    compare(first(of), Relation::Greater, second(of))
}

fn same(of: &Num) -> Cond {
    compare(first(of), Relation::Equal, second(of))
}

fn shown(before: &Cond) -> String {
    match keys_of(before) {
        None => "none".into(),
        Some(keys) => keys.iter().map(Key::to_string).collect::<Vec<_>>().join(", "),
    }
}

#[test]
fn comparators_are_lists_of_keys_however_they_are_spelled() {
    let (value, size) = (this(PacketField::Value), this(PacketField::Size));
    let (arrival, slack) = (this(PacketField::Arrival), this(PacketField::Slack));
    let (p1, p2) = (PacketRef::First, PacketRef::Second);
    let of = |packet, name| field(packet, name);
    for (before, expected) in [
        (Cond::Const(false), ""),
        (Cond::Const(true), "none"),
        (lowest(&arrival), "lowest p.arrival"),
        (not(compare(first(&value), Relation::GreaterEqual, second(&value))), "lowest p.value"),
        (compare(second(&value), Relation::Less, first(&value)), "highest p.value"),
        (compare(first(&value), Relation::LessEqual, second(&value)), "none"),
        (or(lowest(&value), and(same(&value), highest(&size))), "lowest p.value, highest p.size"),
        (or(highest(&value), and(not(lowest(&value)), lowest(&size))), "highest p.value, lowest p.size"),
        (and(not(highest(&value)), or(lowest(&value), lowest(&size))), "lowest p.value, lowest p.size"),
        (or(lowest(&value), lowest(&size)), "none"),
        (
            compare(
                arith(Arith::Sub, of(p1, PacketField::Arrival), of(p2, PacketField::Arrival)),
                Relation::Less,
                arith(Arith::Sub, of(p2, PacketField::Slack), of(p1, PacketField::Slack)),
            ),
            "lowest (p.arrival - 140737488355328) + p.slack",
        ),
        (lowest(&arith(Arith::Add, arrival.clone(), slack.clone())), "lowest p.arrival + p.slack"),
        (
            compare(
                arith(Arith::Add, first(&arrival), first(&slack)),
                Relation::Less,
                arith(Arith::Add, second(&slack), second(&arrival)),
            ),
            "lowest p.arrival + p.slack",
        ),
        (
            compare(
                arith(
                    Arith::Sub,
                    arith(Arith::Mul, whole(2), first(&value)),
                    arith(Arith::Mul, second(&value), whole(2)),
                ),
                Relation::Greater,
                arith(
                    Arith::Sub,
                    arith(Arith::Mul, whole(4), first(&size)),
                    arith(Arith::Mul, whole(4), second(&size)),
                ),
            ),
            "highest p.value - (2 * p.size)",
        ),
        (or(lowest(&value), and(same(&value), lowest(&arith(Arith::Min, value.clone(), whole(9))))), "lowest p.value"),
        (
            or(lowest(&arrival), and(same(&arrival), lowest(&arith(Arith::Add, arrival.clone(), slack.clone())))),
            "lowest p.arrival, lowest p.arrival + p.slack",
        ),
        (lowest(&Num::Neg(Box::new(value.clone()))), "highest p.value"),
        (lowest(&arith(Arith::Sub, whole(7), value.clone())), "highest p.value"),
        (lowest(&arith(Arith::Mul, value.clone(), whole(0))), ""),
        (lowest(&arith(Arith::Div, value.clone(), size.clone())), "lowest p.value / p.size"),
        (and(lowest(&value), compare(first(&size), Relation::GreaterEqual, whole(0))), "lowest p.value"),
    ] {
        assert_eq!(shown(&before), expected, "{before}");
    }
}

#[test]
fn a_test_is_a_key() {
    let class = this(PacketField::Class);
    let voice = |class: &Num| compare(class.clone(), Relation::GreaterEqual, whole(40));
    let data = |class: &Num| compare(class.clone(), Relation::LessEqual, whole(39));
    let (c1, c2) = (first(&class), second(&class));
    let voice_first = and(voice(&c1), not(voice(&c2)));
    assert_eq!(shown(&voice_first), "highest min(max(p.class - 39, 0), 1)");
    let arrival = this(PacketField::Arrival);
    let same_class = or(and(voice(&c1), voice(&c2)), and(data(&c1), data(&c2)));
    let then = or(voice_first, and(same_class, lowest(&arrival)));
    assert_eq!(shown(&then), "highest min(max(p.class - 39, 0), 1), lowest p.arrival");
    let value = this(PacketField::Value);
    let none = and(data(&c1), data(&c2));
    let of_data = and(none, or(highest(&value), and(same(&value), lowest(&arrival))));
    let all = and(voice(&c1), voice(&c2));
    let per_class = or(and(voice(&c1), data(&c2)), or(and(all, lowest(&arrival)), of_data));
    let test = "min(max(p.class - 39, 0), 1)";
    let expected = format!("highest {test}, highest (1 - {test}) * p.value, lowest p.arrival");
    assert_eq!(shown(&per_class), expected);
    let not_five = compare(c1, Relation::NotEqual, whole(5));
    let five_last = and(not_five, compare(whole(5), Relation::Equal, c2));
    assert_eq!(shown(&five_last), "highest min(max(p.class - 5, 5 - p.class), 1)");
}

#[test]
fn what_might_be_cut_or_rounded_is_no_key() {
    let state = Num::Read(Read::Queue(QueueRef::This, QueueField::SchedState));
    let (s1, s2) = (first(&state), second(&state));
    // The difference of two states can be cut.
    let apart = arith(Arith::Sub, s1.clone(), s2.clone());
    assert_eq!(shown(&compare(apart.clone(), Relation::Less, Num::Neg(Box::new(apart.clone())))), "none");
    // But then its sign is right.
    assert_eq!(shown(&compare(apart.clone(), Relation::Less, whole(0))), "lowest q.schedState");
    assert_eq!(shown(&compare(whole(0), Relation::Less, apart)), "highest q.schedState");
    // Negation has one value for the two least states.
    assert_eq!(shown(&lowest(&Num::Neg(Box::new(state.clone())))), "lowest -q.schedState");
    let half = |state: &Num| arith(Arith::Mul, number(1, 2), state.clone());
    assert_eq!(shown(&compare(half(&s1), Relation::Less, half(&s2))), "lowest (1/2) * q.schedState");
}

#[test]
fn other_objects_make_no_keys() {
    let other = Num::Read(Read::Queue(QueueRef::Named(forebay_core::QueueId(1)), QueueField::CurrSize));
    let size = Num::Read(Read::Queue(QueueRef::First, QueueField::CurrSize));
    assert_eq!(shown(&compare(size, Relation::Less, other)), "none");
}

/// What a list of keys says of two objects.
fn order(keys: &[Key], world: &mut World, rng: &mut Rng) -> Ordering {
    let orders = keys.iter().map(|key| {
        let left = first(&key.value).value(&mut |read| world.read(read, rng));
        let right = second(&key.value).value(&mut |read| world.read(read, rng));
        if key.descending { right.cmp(&left) } else { left.cmp(&right) }
    });
    orders.fold(Ordering::Equal, Ordering::then)
}

#[track_caller]
fn agrees(keys: &[Key], before: &Cond, rounds: u32, rng: &mut Rng) {
    for _ in 0..rounds {
        let mut world = World::new(pick(&[Draw::Small, Draw::Small, Draw::Ends, Draw::Any], rng));
        let holds = before.holds(&mut |read| world.read(read, rng));
        let order = order(keys, &mut world, rng);
        assert_eq!(holds, order == Ordering::Less, "{before} as {keys:?}");
    }
}

/// One of the spellings of a list of keys.
fn spelled(keys: &[Key], rng: &mut Rng) -> Cond {
    let Some((key, rest)) = keys.split_first() else { return Cond::Const(false) };
    let (first, second) = (first(&key.value), second(&key.value));
    let less = if key.descending { Relation::Greater } else { Relation::Less };
    let more = if key.descending { Relation::Less } else { Relation::Greater };
    let turn = |relation: Relation, rng: &mut Rng| {
        let exchanged = match relation {
            Relation::Less => Relation::Greater,
            Relation::Greater => Relation::Less,
            Relation::LessEqual => Relation::GreaterEqual,
            Relation::GreaterEqual => Relation::LessEqual,
            other => other,
        };
        let negated = |relation| match relation {
            Relation::Less => Relation::GreaterEqual,
            Relation::Greater => Relation::LessEqual,
            Relation::LessEqual => Relation::Greater,
            Relation::GreaterEqual => Relation::Less,
            Relation::Equal => Relation::NotEqual,
            Relation::NotEqual => Relation::Equal,
        };
        match rng.random_range(0..4) {
            0 => compare(first.clone(), relation, second.clone()),
            1 => compare(second.clone(), exchanged, first.clone()),
            2 => not(compare(first.clone(), negated(relation), second.clone())),
            _ => not(compare(second.clone(), negated(exchanged), first.clone())),
        }
    };
    let before = turn(less, rng);
    if rest.is_empty() && rng.random_range(0..2) == 0 {
        return before;
    }
    let tail = spelled(rest, rng);
    let tie = match rng.random_range(0..3) {
        0 => turn(Relation::Equal, rng),
        1 => not(turn(more, rng)),
        _ => and(not(turn(less, rng)), not(turn(more, rng))),
    };
    let both = if rng.random_range(0..2) == 0 { and(tie.clone(), tail.clone()) } else { and(tail.clone(), tie) };
    match rng.random_range(0..3) {
        0 => or(before, both),
        1 => or(both, before),
        _ => and(not(turn(more, rng)), or(tail, before)),
    }
}

fn random_keys(most: usize, rng: &mut Rng) -> Vec<Key> {
    let key = |rng: &mut Rng| {
        let fields = PacketField::ALL;
        let value = match rng.random_range(0..3) {
            0 => arith(Arith::Add, this(pick(fields, rng)), this(pick(fields, rng))),
            1 => arith(Arith::Min, this(pick(fields, rng)), whole(rng.random_range(1..9))),
            _ => this(pick(fields, rng)),
        };
        Key { value, descending: rng.random_range(0..2) == 0 }
    };
    (0..rng.random_range(0..=most)).map(|_| key(rng)).collect()
}

#[test]
fn keys_are_found_in_any_spelling() {
    let mut rng = Seed(1).stream("spelled keys");
    for _ in 0..400 {
        let before = spelled(&random_keys(4, &mut rng), &mut rng);
        let found = keys_of(&before);
        assert!(found.is_some(), "{before}");
        agrees(&found.unwrap(), &before, 30, &mut rng);
    }
}

#[test]
fn those_that_pass_a_test_can_have_other_keys() {
    let mut rng = Seed(1).stream("keys of classes");
    for _ in 0..300 {
        let passes = |side: fn(&Num) -> Num| compare(side(&this(PacketField::Class)), Relation::Greater, whole(1));
        let (one, other) = (passes(first), passes(second));
        let of_those = and(and(one.clone(), other.clone()), spelled(&random_keys(2, &mut rng), &mut rng));
        let of_others = and(not(or(one.clone(), other.clone())), spelled(&random_keys(2, &mut rng), &mut rng));
        let across = if rng.random_range(0..2) == 0 { and(one, not(other)) } else { not(or(one, not(other))) };
        let before = or(or(of_those, across), of_others);
        let found = keys_of(&before);
        assert!(found.is_some(), "{before}");
        agrees(&found.unwrap(), &before, 60, &mut rng);
    }
}

#[test]
fn keys_say_what_any_comparator_says() {
    let mut rng = Seed(1).stream("any comparator");
    let mut found = 0;
    for round in 0..60_000 {
        let both = |packet, queue| reads_of(packet, queue).into_iter().step_by(1 + round % 4);
        let mut reads: Vec<Read> = both(PacketRef::First, QueueRef::First).collect();
        reads.extend(both(PacketRef::Second, QueueRef::Second));
        let before = if round % 2 == 0 {
            random_cond(&reads, 2, &mut rng)
        } else {
            // Sums that can be separated, more often than chance has them.
            let number = random_number(&reads_of(PacketRef::This, QueueRef::This), 1, &mut rng);
            let other = random_number(&reads_of(PacketRef::This, QueueRef::This), 1, &mut rng);
            let left = arith(Arith::Sub, first(&number), pick(&[second(&number), first(&other)], &mut rng));
            let right = arith(pick(&[Arith::Sub, Arith::Add], &mut rng), second(&other), first(&other));
            compare(left, pick(Relation::ALL, &mut rng), pick(&[right, whole(0), second(&other)], &mut rng))
        };
        if let Some(keys) = keys_of(&before) {
            found += 1;
            agrees(&keys, &before, 40, &mut rng);
        }
    }
    assert!(found > 2_000, "{found}");
}

#[test]
fn arrival_is_known() {
    let arrival = Key { value: this(PacketField::Arrival), descending: true };
    assert!(arrival.is_arrival());
    assert!(!Key { value: this(PacketField::Slack), descending: false }.is_arrival());
}
