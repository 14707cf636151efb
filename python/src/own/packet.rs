//! A packet as algorithms in Python see it.

use forebay_core::{ClassId, Duration, FlowId, Packet, QueueId, Time};
use pyo3::prelude::*;
use pyo3::types::PyDict;

/// A packet: its arrival, length, flow and further fields. Times are in picoseconds.
///
/// Parameters
/// ----------
/// arrival : int
///     When it arrives, in picoseconds from the start of the run.
/// size : int
///     Its length on the wire, in bytes.
/// flow, class_, queue : int, default 0
///     Its flow (a number below 2^32), class (below 256) and queue (below 65,536).
/// rank, value : int, default 0
///     Its place in the order of service, lowest first, and its value.
/// processing, slack : int, default 0
///     Its processing time, and how late it may leave, in picoseconds.
/// remaining : int, default 0
///     Bytes of its flow still to be sent, this packet included.
#[pyclass(name = "Packet", frozen, module = "forebay")]
pub(crate) struct PyPacket(pub(crate) Packet);

#[pymethods]
impl PyPacket {
    #[new]
    #[pyo3(signature = (arrival, size, *, flow=0, class_=0, queue=0, rank=0, value=0, processing=0, slack=0, remaining=0))]
    #[expect(clippy::too_many_arguments, reason = "arguments by name")]
    fn new(
        arrival: u64,
        size: u32,
        flow: u32,
        class_: u8,
        queue: u16,
        rank: u64,
        value: u32,
        processing: u64,
        slack: u64,
        remaining: u64,
    ) -> Self {
        Self(Packet {
            arrival: Time::from_ps(arrival),
            rank,
            remaining_bytes: remaining,
            processing: Duration::from_ps(processing),
            slack: Duration::from_ps(slack),
            size_bytes: size,
            value,
            flow: FlowId(flow),
            queue: QueueId(queue),
            class: ClassId(class_),
            ..Packet::default()
        })
    }

    /// When it arrives, in picoseconds.
    #[getter]
    fn arrival(&self) -> u64 {
        self.0.arrival.as_ps()
    }

    /// Its length on the wire, in bytes.
    #[getter]
    fn size(&self) -> u32 {
        self.0.size_bytes
    }

    /// The number of its flow.
    #[getter]
    fn flow(&self) -> u32 {
        self.0.flow.0
    }

    /// Its traffic class.
    #[getter]
    fn class_(&self) -> u8 {
        self.0.class.0
    }

    /// The queue that it was directed to.
    #[getter]
    fn queue(&self) -> u16 {
        self.0.queue.0
    }

    /// Its place in the order of service: lowest first.
    #[getter]
    fn rank(&self) -> u64 {
        self.0.rank
    }

    /// Its value.
    #[getter]
    fn value(&self) -> u32 {
        self.0.value
    }

    /// Its processing time, in picoseconds.
    #[getter]
    fn processing(&self) -> u64 {
        self.0.processing.as_ps()
    }

    /// How late it may leave, in picoseconds.
    #[getter]
    fn slack(&self) -> u64 {
        self.0.slack.as_ps()
    }

    /// Bytes of its flow still to be sent.
    #[getter]
    fn remaining(&self) -> u64 {
        self.0.remaining_bytes
    }

    /// Its number, from 0.
    #[getter]
    fn id(&self) -> u64 {
        self.0.id
    }

    /// For pickle.
    fn __getnewargs_ex__<'py>(&self, py: Python<'py>) -> PyResult<((u64, u32), Bound<'py, PyDict>)> {
        let named = PyDict::new(py);
        named.set_item("flow", self.flow())?;
        named.set_item("class_", self.class_())?;
        named.set_item("queue", self.queue())?;
        named.set_item("rank", self.rank())?;
        named.set_item("value", self.value())?;
        named.set_item("processing", self.processing())?;
        named.set_item("slack", self.slack())?;
        named.set_item("remaining", self.remaining())?;
        Ok(((self.arrival(), self.size()), named))
    }

    fn __repr__(&self) -> String {
        let packet = &self.0;
        format!(
            "Packet(arrival={}, size={}, flow={}, class_={}, rank={})",
            packet.arrival.as_ps(),
            packet.size_bytes,
            packet.flow.0,
            packet.class.0,
            packet.rank
        )
    }
}
