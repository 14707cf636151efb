//! Sources of packets written in Python.

use super::Maker;
use super::calls::Calls;
use super::packet::PyPacket;
use forebay::scenario::OwnSource;
use forebay_core::{Field, Fields, Packet, Source, Time};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyIterator};
use std::sync::Arc;

/// The names of fields of packets in Python.
const FIELDS: [(&str, Field); 6] = [
    ("rank", Field::Rank),
    ("remaining", Field::RemainingBytes),
    ("processing", Field::Processing),
    ("slack", Field::Slack),
    ("value", Field::Value),
    ("queue", Field::Queue),
];

/// The source that scenarios find under its name.
pub(super) fn source(py: Python<'_>, maker: Maker) -> PyResult<OwnSource> {
    let class = maker.make.bind(py);
    let mut fields = Fields::NONE;
    let of_class = |name| class.getattr_opt(name).map(|found| found.filter(|found| !found.is_none()));
    let calls = Calls::new(&maker);
    let names_of = |names: Bound<'_, PyAny>| {
        let wrong = |_: PyErr| calls.wrong("fields", "a tuple of names like (\"rank\", \"value\")", &names);
        names.extract::<Vec<String>>().map_err(wrong)
    };
    let named = of_class("fields")?.map(names_of).transpose()?;
    for name in named.unwrap_or_default() {
        let Some((_, field)) = FIELDS.iter().find(|(known, _)| *known == name) else {
            let known: Vec<&str> = FIELDS.iter().map(|(known, _)| *known).collect();
            let message = format!("`fields` of {} has {name:?}; packets have {}", maker.name, known.join(", "));
            return Err(PyValueError::new_err(message));
        };
        fields = fields.with(*field);
    }
    let packets = of_class("packets")?.map(|packets| calls.whole("packets", &packets)).transpose()?;
    let said = packets;
    let open = move |seed: forebay_core::Seed| -> Box<dyn Source + Send> {
        let calls = Calls::new(&maker);
        let packets = calls.call(|py| {
            let given = PyDict::new(py);
            given.set_item("seed", seed.0)?;
            Ok(maker.call(py, &given)?.try_iter()?.unbind())
        });
        Box::new(PySource { packets, said, fields, next: 0, last: Time::ZERO, calls })
    };
    Ok(OwnSource { open: Arc::new(open), fields, packets })
}

/// The packets of one run.
struct PySource {
    packets: Option<Py<PyIterator>>,
    /// The number of packets that its class gives.
    said: Option<u64>,
    fields: Fields,
    next: u64,
    last: Time,
    calls: Calls,
}

impl Source for PySource {
    fn next_packet(&mut self) -> Option<Packet> {
        let packets = self.packets.as_ref()?;
        let (next, last) = (self.next, self.last);
        let packet = self.calls.call(|py| {
            let Some(item) = packets.bind(py).clone().next().transpose()? else {
                if let Some(said) = self.said.filter(|said| *said != next) {
                    let message = format!("`packets` says {said}, but {next} came; correct it, or leave it out");
                    return Err(PyValueError::new_err(message));
                }
                return Ok(None);
            };
            let Ok(packet) = item.cast::<PyPacket>() else {
                let kind = item.get_type().name()?;
                return Err(PyTypeError::new_err(format!(
                    "a source gives `forebay.Packet`s, not {kind} (packet {next})"
                )));
            };
            let packet = packet.get().0;
            if packet.arrival < last {
                let (at, before) = (packet.arrival.as_ps(), last.as_ps());
                let message =
                    format!("packet {next} arrives at {at} ps, before the one before it ({before} ps); sort them");
                return Err(PyValueError::new_err(message));
            }
            if !(1..=Packet::MAX_BYTES).contains(&packet.size_bytes) {
                let message =
                    format!("packet {next} has {} bytes; 1 to {} are possible", packet.size_bytes, Packet::MAX_BYTES);
                return Err(PyValueError::new_err(message));
            }
            Ok(Some(packet))
        })??;
        self.next += 1;
        self.last = packet.arrival;
        Some(Packet { id: next, ..packet })
    }

    fn fields(&self) -> Fields {
        self.fields
    }
}
