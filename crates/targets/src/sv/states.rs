//! The kinds of states, and the range of each kind.

use super::net::Range;
use forebay_lang::ir::{Interval, State};
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
            State::HeadValue(_) | State::ArrivingValue => None,
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

/// The range of the states of each kind; `None`: none is modified.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct States([Option<Interval>; Kind::ALL.len()]);

impl States {
    pub(super) fn of(self, kind: Kind) -> Option<Interval> {
        self.0[kind as usize]
    }

    pub(super) fn of_mut(&mut self, kind: Kind) -> &mut Option<Interval> {
        &mut self.0[kind as usize]
    }

    /// The bits of a state of this kind, in units of 1 or 1/65,536.
    pub(super) fn bits(self, kind: Kind) -> Option<u32> {
        let all = self.of(kind)?;
        let down = if all.whole { Fixed::FRACTION_BITS } else { 0 };
        let range = Range::new((all.least.0 >> down).into(), (all.greatest.0 >> down).into());
        Some(range.bits())
    }
}
