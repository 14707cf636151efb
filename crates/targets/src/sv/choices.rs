//! Which queue a port serves, and from which a buffer drops: tournaments of queues that have packets.

use super::model::Model;
use super::net::{Id, Net, Op, Range, TooWide};
use super::numbers::{Numbers, Value};
use super::scope::Reads;
use forebay_core::QueueId;
use forebay_lang::Ratio;
use forebay_lang::ir::{Comparator, Key};

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
    keys: Vec<Id>,
}

/// The first of these queues by an order; of ties, the one declared first.
///
/// The keys are known to be numbers that hardware has.
pub(super) fn choice(
    net: &mut Net,
    queues: &[QueueId],
    order: &Comparator,
    model: &Model<'_>,
) -> Result<Choice, TooWide> {
    let keys = order.keys.as_deref().unwrap_or_default();
    let mut entrants = Vec::new();
    for id in queues {
        let id = usize::from(id.0);
        let valid = net.input(&format!("queue_packets_i[{id}]"), false, Range::new(0, 1));
        let queue = net.number(id as i128);
        entrants.push(Entrant { valid, queue, keys: Vec::new() });
    }
    for key in keys {
        let values = numbers(net, key, queues, model)?;
        entrants.iter_mut().zip(values).for_each(|(entrant, value)| entrant.keys.push(value));
    }
    let descending: Vec<bool> = keys.iter().map(|key| key.descending).collect();
    // What never changes decides here.
    let known = |entrant: &Entrant| entrant.keys.iter().map(|key| net.constant(*key)).collect::<Option<Vec<_>>>();
    if let Some(mut places) =
        entrants.iter().map(|entrant| Some((known(entrant)?, entrant.clone()))).collect::<Option<Vec<_>>>()
    {
        let signed = |keys: &[i128]| -> Vec<i128> {
            keys.iter().zip(&descending).map(|(key, descending)| if *descending { -key } else { *key }).collect()
        };
        places.sort_by_key(|(keys, _)| signed(keys));
        entrants = places.into_iter().map(|(_, entrant)| Entrant { keys: Vec::new(), ..entrant }).collect();
    }
    while entrants.len() > 1 {
        let mut next = Vec::new();
        for pair in entrants.chunks(2) {
            next.push(match pair {
                [first, second] => winner(net, first, second, &descending)?,
                _ => pair[0].clone(),
            });
        }
        entrants = next;
    }
    let Entrant { valid, queue, .. } = entrants.swap_remove(0);
    Ok(Choice { valid, queue })
}

/// A key of all queues, in the same units.
fn numbers(net: &mut Net, key: &Key, queues: &[QueueId], model: &Model<'_>) -> Result<Vec<Id>, TooWide> {
    let mut values = Vec::new();
    for id in queues {
        let scope = Reads::of_queue(model, id.0.into());
        let value = Numbers { net, scope: &scope }.number(&key.value);
        values.push(value.unwrap_or(Value::Known(Ratio::ZERO)));
    }
    let scope = Reads::front(model);
    let mut numbers = Numbers { net, scope: &scope };
    let whole: Option<Vec<Id>> = values.iter().map(|value| numbers.whole(*value)).collect();
    match whole {
        Some(whole) => Ok(whole),
        None => values.into_iter().map(|value| numbers.units(value)).collect(),
    }
}

/// The better of two, the first if they tie.
fn winner(net: &mut Net, first: &Entrant, second: &Entrant, descending: &[bool]) -> Result<Entrant, TooWide> {
    let mut before = net.number(0);
    for place in (0..first.keys.len()).rev() {
        let (a, b) = (first.keys[place], second.keys[place]);
        let less = net.add(if descending[place] { Op::Less(a, b) } else { Op::Less(b, a) })?;
        let ties = net.add(Op::Equal(a, b))?;
        let later = net.add(Op::And(ties, before))?;
        before = net.add(Op::Or(less, later))?;
    }
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
