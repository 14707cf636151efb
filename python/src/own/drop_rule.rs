//! Drop rules written in Python.

use super::calls::Calls;
use super::packet::PyPacket;
use super::{Maker, add_params};
use forebay_core::Packet;
use forebay_sched::{DropRule, OwnPart, Victim};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::sync::Arc;

/// The part that scenarios find under its name.
pub(super) fn part(maker: Maker) -> OwnPart {
    OwnPart::DropRule(Arc::new(move |params| {
        let rule = maker.made(|py| {
            let given = PyDict::new(py);
            add_params(&given, params)?;
            let pushes_out = maker.call(py, &given)?.getattr("pushes_out")?.unbind();
            Ok(PyDropRule { pushes_out, calls: Calls::new(&maker) })
        })?;
        Ok(Box::new(rule))
    }))
}

struct PyDropRule {
    pushes_out: Py<PyAny>,
    calls: Calls,
}

impl DropRule for PyDropRule {
    fn victim(&mut self, arriving: &Packet, worst: Option<&Packet>) -> Victim {
        let pushes_out = self.calls.call(|py| {
            let worst = worst.map(|worst| PyPacket(*worst));
            let answer = self.pushes_out.bind(py).call1((PyPacket(*arriving), worst))?;
            self.calls.truth("pushes_out", &answer)
        });
        match (pushes_out, worst) {
            (Some(true), Some(_)) => Victim::WorstQueued,
            (Some(true), None) => {
                self.calls.broken(
                    "`pushes_out` said that the worst packet leaves, but this queue cannot give it up: `worst` was None",
                );
                Victim::Arriving
            }
            _ => Victim::Arriving,
        }
    }
}
