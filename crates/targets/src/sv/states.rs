//! What states can be: between which numbers `modify` can take them from their initial values.

use super::model::Model;
use super::net::Net;
use super::numbers::{Numbers, Wrong, interval};
use super::owners::conditions;
use forebay_lang::ir::{Action, Interval, State};
use forebay_lang::{Fixed, Policy, Ratio};

/// A kind of state.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    QueueAdm,
    QueueSched,
    PortSched,
    BufferAdm,
}

impl Kind {
    pub(super) const ALL: [Self; 4] = [Self::QueueAdm, Self::QueueSched, Self::PortSched, Self::BufferAdm];

    /// The kind of what is modified; `None`: the value of a packet.
    pub(super) fn of(state: State) -> Option<Self> {
        match state {
            State::QueueAdm(_) => Some(Self::QueueAdm),
            State::QueueSched(_) => Some(Self::QueueSched),
            State::PortSched(_) => Some(Self::PortSched),
            State::BufferAdm(_) => Some(Self::BufferAdm),
            State::HeadValue(_) => None,
        }
    }

    /// Its member of `state_t`.
    pub(super) fn member(self) -> &'static str {
        match self {
            Self::QueueAdm => "queue_adm",
            Self::QueueSched => "queue_sched",
            Self::PortSched => "port_sched",
            Self::BufferAdm => "buffer_adm",
        }
    }

    /// How many there are.
    pub(super) fn count(self, policy: &Policy) -> usize {
        match self {
            Self::QueueAdm | Self::QueueSched => policy.queues.len(),
            Self::PortSched => policy.ports.len(),
            Self::BufferAdm => policy.buffers.len(),
        }
    }

    /// The names of those that have one.
    pub(super) fn names(self, policy: &Policy) -> Vec<&str> {
        match self {
            Self::QueueAdm | Self::QueueSched => policy.queues.iter().map(|queue| &*queue.name).collect(),
            Self::PortSched => policy.ports.iter().map(|port| &*port.name).collect(),
            Self::BufferAdm => policy.buffers.iter().map(|buffer| &*buffer.name).collect(),
        }
    }

    /// The initial state of an object, as it is written.
    pub(super) fn exactly(self, policy: &Policy, id: usize) -> Ratio {
        match self {
            Self::QueueAdm => policy.queues[id].adm_state,
            Self::QueueSched => policy.queues[id].sched_state,
            Self::PortSched => policy.ports[id].sched_state,
            Self::BufferAdm => policy.buffers[id].adm_state,
        }
    }

    /// The initial state of an object.
    pub(super) fn initial(self, policy: &Policy, id: usize) -> Fixed {
        Fixed::floor(self.exactly(policy, id))
    }
}

/// Between which numbers the states of each kind are; `None`: none is modified.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct States([Option<Interval>; Kind::ALL.len()]);

impl States {
    pub(super) fn of(self, kind: Kind) -> Option<Interval> {
        self.0[kind as usize]
    }

    /// The states of a policy, of which `model` may not know any yet.
    ///
    /// Bounds grow to powers of two until no `modify` leads out of them.
    pub(super) fn find(mut model: Model<'_>) -> Result<Self, (String, Wrong)> {
        let policy = model.policy;
        let mut states = Self::default();
        for kind in Kind::ALL {
            if policy.acts(|action| matches!(action, Action::Modify(state, _) if Kind::of(*state) == Some(kind))) {
                let initial = (0..kind.count(policy)).map(|id| kind.initial(policy, id));
                states.0[kind as usize] = initial.map(exactly).reduce(hull);
            }
            // One that goes on from another policy.
            if let Some(beside) = model.beside.states.of(kind).filter(|_| kind.count(policy) > 0) {
                let initial = (0..kind.count(policy)).map(|id| exactly(kind.initial(policy, id)));
                states.0[kind as usize] = initial.chain([beside]).reduce(hull);
            }
        }
        loop {
            model.states = states;
            let mut grown = states;
            for (owner, id, condition) in conditions(policy) {
                let scope = owner.reads(&model, &[id]);
                for action in condition.cases.iter().flat_map(|case| &case.actions) {
                    let Action::Modify(state, value) = action else { continue };
                    let Some(bounds) = Kind::of(*state).and_then(|kind| grown.0[kind as usize].as_mut()) else {
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

    /// The bits of a state of this kind, in units of 1 or 1/65,536.
    pub(super) fn bits(self, kind: Kind) -> Option<u32> {
        let all = self.of(kind)?;
        let down = if all.whole { Fixed::FRACTION_BITS } else { 0 };
        let range = super::net::Range::new((all.least.0 >> down).into(), (all.greatest.0 >> down).into());
        Some(range.bits())
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
