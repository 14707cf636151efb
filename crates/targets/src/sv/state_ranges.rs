//! The ranges of states: the numbers that `modify` can reach from the initial values.

use super::model::Model;
use super::net::Net;
use super::numbers::{Numbers, Wrong, interval};
use super::owners::conditions;
use super::states::{Kind, States};
use forebay_lang::Fixed;
use forebay_lang::ir::{Action, Interval};

/// The states of a policy, of which `model` may not know any yet.
///
/// Bounds grow to powers of two until no `modify` leads out of them.
pub(super) fn reached_states(mut model: Model<'_>) -> Result<States, (String, Wrong)> {
    let policy = model.policy;
    let mut states = States::default();
    for kind in Kind::ALL {
        if policy.acts(|action| matches!(action, Action::Modify(state, _) if Kind::of(*state) == Some(kind))) {
            let initial = (0..kind.count(policy)).map(|id| kind.initial(policy, id));
            *states.of_mut(kind) = initial.map(exactly).reduce(hull);
        }
        // One that goes on from another policy.
        if let Some(beside) = model.beside.states.of(kind).filter(|_| kind.count(policy) > 0) {
            let initial = (0..kind.count(policy)).map(|id| exactly(kind.initial(policy, id)));
            *states.of_mut(kind) = initial.chain([beside]).reduce(hull);
        }
    }
    loop {
        model.states = states;
        let mut grown = states;
        for (owner, id, condition) in conditions(policy) {
            let scope = owner.reads(&model, &[id]);
            for action in condition.cases.iter().flat_map(|case| &case.actions) {
                let Action::Modify(state, value) = action else { continue };
                let Some(bounds) = Kind::of(*state).and_then(|kind| grown.of_mut(kind).as_mut()) else {
                    continue;
                };
                let mut net = Net::default();
                let made = Numbers { net: &mut net, scope: &scope }.number(value);
                let made = made.map_err(|wrong| (owner.called(policy, id), wrong))?;
                *bounds = widened(*bounds, interval(&net, made));
            }
        }
        if grown == states {
            return Ok(states);
        }
        states = grown;
    }
}

fn exactly(value: Fixed) -> Interval {
    Interval { least: value, greatest: value, whole: value.exact().is_integer() }
}

fn hull(one: Interval, other: Interval) -> Interval {
    Interval {
        least: one.least.min(other.least),
        greatest: one.greatest.max(other.greatest),
        whole: one.whole && other.whole,
    }
}

/// The bounds of both, where those that grow go on to a power of two.
fn widened(known: Interval, made: Interval) -> Interval {
    let all = hull(known, made);
    let up = |value: i64| {
        let above = (i128::from(value) + 1).unsigned_abs().next_power_of_two();
        i64::try_from(above - 1).expect("no number of 64 bits is 2^63 or more")
    };
    let down = |value: i64| {
        i64::try_from(i128::from(value).unsigned_abs().next_power_of_two()).map_or(i64::MIN, |value| -value)
    };
    Interval {
        least: if all.least < known.least && all.least.0 < 0 { Fixed(down(all.least.0)) } else { all.least },
        greatest: if all.greatest > known.greatest && all.greatest.0 > 0 {
            Fixed(up(all.greatest.0))
        } else {
            all.greatest
        },
        whole: all.whole,
    }
}
