//! Which queue a port serves, and from which a buffer drops: tournaments of queues that have packets.

use super::model::Model;
use super::net::{Id, Net, Op, Range, TooWide};
use super::numbers::{Numbers, Scope, Value, Wrong};
use super::scope::Reads;
use forebay_core::QueueId;
use forebay_lang::Ratio;
use forebay_lang::ir::{Comparator, Cond, Num, QueueField, QueueRef, Read};

/// The first of some queues.
pub(super) struct Choice {
    /// Whether any has packets.
    pub(super) valid: Id,
    pub(super) queue: Id,
}

/// A queue, or the first of several.
#[derive(Clone)]
struct Entrant {
    valid: Id,
    queue: Id,
    /// Its keys, or what a comparator reads of it.
    keys: Vec<Id>,
}

/// How two queues are compared.
enum By<'a> {
    /// By keys; whether the highest is first.
    Keys(Vec<bool>),
    /// By a comparator, which reads these fields of both, each whole or in units of 1/65,536.
    Before(&'a Cond, Vec<(QueueField, bool)>),
}

/// The first of these queues by an order; of ties, the one declared first.
///
/// The keys are known to be numbers that hardware has; a comparator without keys is known to be an order.
pub(super) fn choice(
    net: &mut Net,
    queues: &[QueueId],
    order: &Comparator,
    model: &Model<'_>,
) -> Result<Choice, TooWide> {
    let mut entrants = Vec::new();
    for id in queues {
        let id = usize::from(id.0);
        let valid = net.input(&format!("queue_packets_i[{id}]"), false, Range::new(0, 1));
        let queue = net.number(id as i128);
        entrants.push(Entrant { valid, queue, keys: Vec::new() });
    }
    let by = match &order.keys {
        Some(keys) => {
            for key in keys {
                add(&mut entrants, numbers(net, &key.value, queues, model)?.0);
            }
            let descending: Vec<bool> = keys.iter().map(|key| key.descending).collect();
            entrants = sorted_if_known(net, entrants, &descending);
            By::Keys(descending)
        }
        None => {
            let mut fields = Vec::new();
            for field in compared(&order.before) {
                let read = Num::Read(Read::Queue(QueueRef::This, field));
                let (values, whole) = numbers(net, &read, queues, model)?;
                add(&mut entrants, values);
                fields.push((field, whole));
            }
            By::Before(&order.before, fields)
        }
    };
    while entrants.len() > 1 {
        let mut next = Vec::new();
        for pair in entrants.chunks(2) {
            next.push(match pair {
                [first, second] => winner(net, first, second, &by, model)?,
                _ => pair[0].clone(),
            });
        }
        entrants = next;
    }
    let Entrant { valid, queue, .. } = entrants.swap_remove(0);
    Ok(Choice { valid, queue })
}

/// Gives each entrant one more number.
fn add(entrants: &mut [Entrant], values: Vec<Id>) {
    entrants.iter_mut().zip(values).for_each(|(entrant, value)| entrant.keys.push(value));
}

/// The fields that a comparator reads of its two queues, each once.
fn compared(before: &Cond) -> Vec<QueueField> {
    let mut fields = Vec::new();
    before.reads(&mut |read| {
        if let Read::Queue(QueueRef::First | QueueRef::Second, field) = read
            && !fields.contains(&field)
        {
            fields.push(field);
        }
    });
    fields
}

/// The entrants in the order of their keys, if all of these never change: then they decide nothing any more.
fn sorted_if_known(net: &Net, entrants: Vec<Entrant>, descending: &[bool]) -> Vec<Entrant> {
    let known = |entrant: &Entrant| entrant.keys.iter().map(|key| net.constant(*key)).collect::<Option<Vec<_>>>();
    let placed = |entrant: &Entrant| Some((known(entrant)?, entrant.clone()));
    let Some(mut places) = entrants.iter().map(placed).collect::<Option<Vec<_>>>() else { return entrants };
    let signed = |keys: &[i128]| -> Vec<i128> {
        keys.iter().zip(descending).map(|(key, descending)| if *descending { -key } else { *key }).collect()
    };
    places.sort_by_key(|(keys, _)| signed(keys));
    places.into_iter().map(|(_, entrant)| Entrant { keys: Vec::new(), ..entrant }).collect()
}

/// A number of all queues, in the same units; whether it is whole.
fn numbers(net: &mut Net, number: &Num, queues: &[QueueId], model: &Model<'_>) -> Result<(Vec<Id>, bool), TooWide> {
    let mut values = Vec::new();
    for id in queues {
        let scope = Reads::of_queue(model, id.0.into());
        let value = Numbers { net, scope: &scope }.number(number);
        values.push(value.unwrap_or(Value::Known(Ratio::ZERO)));
    }
    let scope = Reads::front(model);
    let mut numbers = Numbers { net, scope: &scope };
    let whole: Option<Vec<Id>> = values.iter().map(|value| numbers.whole(*value)).collect();
    match whole {
        Some(whole) => Ok((whole, true)),
        None => Ok((values.into_iter().map(|value| numbers.units(value)).collect::<Result<_, _>>()?, false)),
    }
}

/// What a comparator reads of two entrants.
struct Pair<'a> {
    fields: &'a [(QueueField, bool)],
    first: &'a Entrant,
    second: &'a Entrant,
    others: Reads<'a>,
}

impl Scope for Pair<'_> {
    fn read(&self, read: Read, net: &mut Net) -> Result<Value, &'static str> {
        let of = |entrant: &Entrant, field: QueueField| {
            let place = self.fields.iter().position(|(known, _)| *known == field)?;
            Some(Value::Node { id: *entrant.keys.get(place)?, whole: self.fields[place].1 })
        };
        let found = match read {
            Read::Queue(QueueRef::First, field) => of(self.first, field),
            Read::Queue(QueueRef::Second, field) => of(self.second, field),
            _ => None,
        };
        match found {
            Some(value) => Ok(value),
            None => self.others.read(read, net),
        }
    }
}

/// Whether the second comes before the first.
fn is_before(net: &mut Net, first: &Entrant, second: &Entrant, by: &By<'_>, model: &Model<'_>) -> Result<Id, TooWide> {
    let descending = match by {
        By::Keys(descending) => descending,
        By::Before(before, fields) => {
            let scope = Pair { fields, first: second, second: first, others: Reads::new(model) };
            // All that a comparator of queues reads is known here, so that it can only be too wide.
            return Numbers { net, scope: &scope }.truth(before).map_err(|_: Wrong| TooWide);
        }
    };
    let mut before = net.number(0);
    for place in (0..first.keys.len()).rev() {
        let (a, b) = (first.keys[place], second.keys[place]);
        let less = net.add(if descending[place] { Op::Less(a, b) } else { Op::Less(b, a) })?;
        let ties = net.add(Op::Equal(a, b))?;
        let later = net.add(Op::And(ties, before))?;
        before = net.add(Op::Or(less, later))?;
    }
    Ok(before)
}

/// The better of two, the first if they tie.
fn winner(
    net: &mut Net,
    first: &Entrant,
    second: &Entrant,
    by: &By<'_>,
    model: &Model<'_>,
) -> Result<Entrant, TooWide> {
    let before = is_before(net, first, second, by, model)?;
    let alone = net.add(Op::Not(first.valid))?;
    let wins = net.add(Op::And(second.valid, before))?;
    let wins = net.add(Op::Or(alone, wins))?;
    let mut keys = Vec::new();
    for (a, b) in first.keys.iter().zip(&second.keys) {
        keys.push(net.add(Op::Choose(wins, *b, *a))?);
    }
    Ok(Entrant {
        valid: net.add(Op::Or(first.valid, second.valid))?,
        queue: net.add(Op::Choose(wins, second.queue, first.queue))?,
        keys,
    })
}
