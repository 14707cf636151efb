//! Rank queues written in Python.

use super::calls::{Calls, overridden};
use super::{Maker, add_params};
use forebay_core::Packet;
use forebay_sched::OwnPart;
use forebay_sched::queues::{BuiltQueue, PopMax, PushError, PushErrorKind, RankQueue};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::cell::Cell;
use std::sync::Arc;

/// The part that scenarios find under its name.
pub(super) fn part(maker: Maker) -> OwnPart {
    OwnPart::Queue(Arc::new(move |size, params| {
        maker.made(|py| {
            let given = PyDict::new(py);
            given.set_item("capacity", size.packets)?;
            add_params(&given, params)?;
            let object = maker.call(py, &given)?;
            let method = |name| overridden(&object, "RankQueue", name);
            let queue = PyQueue {
                push: object.getattr("push")?.unbind(),
                pop: object.getattr("pop")?.unbind(),
                peek_max: method("peek_max")?,
                pop_max: method("pop_max")?,
                packets: Vec::new(),
                free: Vec::new(),
                length: 0,
                seen: Cell::new(None),
                capacity: size.packets,
                calls: Calls::new(&maker),
            };
            Ok(match (&queue.peek_max, &queue.pop_max) {
                (Some(_), Some(_)) => BuiltQueue::DoubleEnded(Box::new(queue)),
                _ => BuiltQueue::SingleEnded(Box::new(queue)),
            })
        })
    }))
}

/// A queue whose items are places in a list of packets.
struct PyQueue {
    push: Py<PyAny>,
    pop: Py<PyAny>,
    peek_max: Option<Py<PyAny>>,
    pop_max: Option<Py<PyAny>>,
    packets: Vec<Option<(u64, Packet)>>,
    free: Vec<usize>,
    length: usize,
    capacity: usize,
    /// The packet that `peek_max` gave, until a packet leaves or arrives.
    seen: Cell<Option<u64>>,
    calls: Calls,
}

impl PyQueue {
    /// The packet in a slot that Python named, which is free then.
    fn take(&mut self, method: &str, item: Option<u64>) -> Option<(u64, Packet)> {
        self.seen.set(None);
        let Some(place) = item.map(|item| usize::try_from(item).unwrap_or(usize::MAX)) else {
            self.calls.broken(&format!("`{method}` gave None, but {} packets wait", self.length));
            return None;
        };
        let taken = self.packets.get_mut(place).and_then(Option::take);
        if taken.is_none() {
            self.calls.broken(&format!("`{method}` gave {place}, which is not in the queue"));
            return None;
        }
        self.free.push(place);
        self.length -= 1;
        taken
    }
}

impl RankQueue<Packet> for PyQueue {
    fn push(&mut self, rank: u64, packet: Packet) -> Result<(), PushError<Packet>> {
        if self.length == self.capacity {
            return Err(PushError { kind: PushErrorKind::Full, item: packet });
        }
        self.seen.set(None);
        let place = self.free.last().copied().unwrap_or(self.packets.len());
        let pushed = self.calls.call(|py| {
            let answer = self.push.bind(py).call1((rank, place))?;
            // A method that returns nothing admits all.
            if answer.is_none() { Ok(true) } else { self.calls.truth("push", &answer) }
        });
        if pushed != Some(true) {
            return Err(PushError { kind: PushErrorKind::Full, item: packet });
        }
        if self.free.pop().is_none() {
            self.packets.push(None);
        }
        self.packets[place] = Some((rank, packet));
        self.length += 1;
        Ok(())
    }

    fn pop_min(&mut self) -> Option<(u64, Packet)> {
        if self.length == 0 {
            return None;
        }
        let item = self.calls.call(|py| self.calls.whole_or_none("pop", &self.pop.bind(py).call0()?))?;
        self.take("pop", item)
    }

    /// No caller looks at the front of a queue whose order is not known before a dequeue.
    fn peek_min(&self) -> Option<(u64, &Packet)> {
        None
    }

    fn len(&self) -> usize {
        self.length
    }

    fn capacity(&self) -> usize {
        self.capacity
    }

    /// It may drop any packet.
    fn sure_capacity(&self) -> usize {
        0
    }
}

impl PopMax<Packet> for PyQueue {
    fn pop_max(&mut self) -> Option<(u64, Packet)> {
        if self.length == 0 {
            return None;
        }
        let pop_max = self.pop_max.as_ref()?;
        let item = self.calls.call(|py| self.calls.whole_or_none("pop_max", &pop_max.bind(py).call0()?))?;
        if self.seen.get().is_some_and(|seen| item != Some(seen)) {
            self.calls.broken("`pop_max` gave another item than `peek_max` before it");
        }
        self.take("pop_max", item)
    }

    fn peek_max(&self) -> Option<(u64, &Packet)> {
        let peek_max = self.peek_max.as_ref().filter(|_| self.length > 0)?;
        let item = self.calls.call(|py| self.calls.whole_or_none("peek_max", &peek_max.bind(py).call0()?))?;
        self.seen.set(item);
        let place = usize::try_from(item?).unwrap_or(usize::MAX);
        let Some(Some((rank, packet))) = self.packets.get(place) else {
            self.calls.broken(&format!("`peek_max` gave {place}, which is not in the queue"));
            return None;
        };
        Some((*rank, packet))
    }
}
