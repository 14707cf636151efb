//! Rank functions written in Python.

use super::calls::{Calls, overridden};
use super::native;
use super::packet::PyPacket;
use super::{Maker, add_params};
use forebay_core::{Packet, Time};
use forebay_sched::{OwnPart, RankFn};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::sync::Arc;

/// The part that scenarios find under its name.
pub(super) fn part(py: Python<'_>, maker: Maker) -> PyResult<OwnPart> {
    if let Some(native) = native::RankFunction::of(py, &maker.make)? {
        return Ok(native.part(maker));
    }
    Ok(OwnPart::RankFn(Arc::new(move |rate, params| {
        let rank = maker.made(|py| {
            let given = PyDict::new(py);
            given.set_item("link_rate", rate.map(|rate| rate.bits_per_second()))?;
            add_params(&given, params)?;
            PyRank::new(&maker.call(py, &given)?, Calls::new(&maker))
        })?;
        Ok(Box::new(rank))
    })))
}

/// The methods of one run's function; only those that do something are called.
struct PyRank {
    rank: Py<PyAny>,
    queued: Option<Py<PyAny>>,
    evicted: Option<Py<PyAny>>,
    dequeued: Option<Py<PyAny>>,
    calls: Calls,
}

impl PyRank {
    fn new(object: &Bound<'_, PyAny>, calls: Calls) -> PyResult<Self> {
        let method = |name| overridden(object, "RankFunction", name);
        Ok(Self {
            rank: object.getattr("rank")?.unbind(),
            queued: method("queued")?,
            evicted: method("evicted")?,
            dequeued: method("dequeued")?,
            calls,
        })
    }
}

impl RankFn for PyRank {
    fn rank(&mut self, now: Time, packet: &Packet) -> u64 {
        let calls = &self.calls;
        let rank = calls.call(|py| calls.whole("rank", &self.rank.bind(py).call1((now.as_ps(), PyPacket(*packet)))?));
        rank.unwrap_or_default()
    }

    fn queued(&mut self, packet: &Packet) {
        if let Some(queued) = &self.queued {
            self.calls.call(|py| queued.call1(py, (PyPacket(*packet),)));
        }
    }

    fn evicted(&mut self, packet: &Packet) {
        if let Some(evicted) = &self.evicted {
            self.calls.call(|py| evicted.call1(py, (PyPacket(*packet),)));
        }
    }

    fn dequeued(&mut self, now: Time, packet: &mut Packet) {
        if let Some(dequeued) = &self.dequeued {
            self.calls.call(|py| dequeued.call1(py, (now.as_ps(), PyPacket(*packet))));
        }
    }
}
