//! Congestion controls written in Python.

use super::Maker;
use super::calls::{Calls, overridden};
use forebay_core::{Rate, Time};
use forebay_sim::net::congestion::{Acked, Congestion, CongestionControl, Ecn, Limits, MakeOwnControl, OwnControl};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::fmt;
use std::sync::Arc;

/// The facts that a congestion control knows of its flow before the flow starts, in bytes.
#[pyclass(name = "Limits", frozen, get_all, module = "forebay")]
pub(crate) struct PyLimits {
    /// Bytes of the flow in a full segment.
    segment: u64,
    /// The first window.
    initial_window: u64,
    /// The window at which the first slow start ends; 2^64 - 1 if only a loss ends it.
    initial_threshold: u64,
    /// The most that the receiver allows in flight.
    max_window: u64,
}

#[pymethods]
impl PyLimits {
    #[new]
    #[pyo3(signature = (segment=1460, initial_window=14600, initial_threshold=u64::MAX, max_window=u64::MAX))]
    fn new(segment: u64, initial_window: u64, initial_threshold: u64, max_window: u64) -> Self {
        Self { segment, initial_window, initial_threshold, max_window }
    }

    /// For pickle.
    fn __getnewargs__(&self) -> (u64, u64, u64, u64) {
        (self.segment, self.initial_window, self.initial_threshold, self.max_window)
    }
}

/// An acknowledgement that acknowledges new data.
#[pyclass(name = "Acked", frozen, get_all, module = "forebay")]
pub(crate) struct PyAcked {
    /// Bytes that it acknowledges and no earlier one did.
    bytes: u64,
    /// Those of them that met congestion, as reported by the receiver.
    marked: u64,
    /// All bytes of the flow before this one are acknowledged.
    acknowledged: u64,
    /// No byte from this one on has been sent.
    sent: u64,
    /// Bytes in flight behind this acknowledgement.
    in_flight: u64,
    /// How long ago the data that caused it was sent, in picoseconds.
    rtt: Option<u64>,
    /// A loss is being repaired: the window must not grow now.
    recovering: bool,
    /// The application, and not the window, limits the bytes in flight.
    app_limited: bool,
}

#[pymethods]
impl PyAcked {
    #[new]
    #[pyo3(signature = (bytes, *, marked=0, acknowledged=0, sent=0, in_flight=0, rtt=None, recovering=false, app_limited=false))]
    #[expect(clippy::too_many_arguments, reason = "arguments by name")]
    fn new(
        bytes: u64,
        marked: u64,
        acknowledged: u64,
        sent: u64,
        in_flight: u64,
        rtt: Option<u64>,
        recovering: bool,
        app_limited: bool,
    ) -> Self {
        Self { bytes, marked, acknowledged, sent, in_flight, rtt, recovering, app_limited }
    }
}

impl From<&Acked> for PyAcked {
    fn from(acked: &Acked) -> Self {
        Self {
            bytes: acked.bytes,
            marked: acked.marked_bytes,
            acknowledged: acked.acknowledged,
            sent: acked.sent,
            in_flight: acked.in_flight,
            rtt: acked.rtt.map(|rtt| rtt.as_ps()),
            recovering: acked.recovering,
            app_limited: acked.app_limited,
        }
    }
}

/// The maker of a control for each flow.
pub(super) fn make(maker: Maker) -> Arc<MakeOwnControl> {
    Arc::new(move |limits: &Limits| -> OwnControl {
        let calls = Calls::new(&maker);
        let made = calls.call(|py| PyControl::new(py, &maker, limits, calls.clone()));
        made.map_or_else(
            || Box::new(Failed(limits.segment_bytes)) as OwnControl,
            |control| Box::new(control) as OwnControl,
        )
    })
}

/// A control of one flow.
struct PyControl {
    object: Py<PyAny>,
    on_sent: Option<Py<PyAny>>,
    on_idle: Option<Py<PyAny>>,
    limits: Limits,
    ecn: Ecn,
    reduces_at_every_mark: bool,
    /// As the last call left them.
    window_bytes: u64,
    pacing_rate: Option<Rate>,
    calls: Calls,
}

impl PyControl {
    fn new(py: Python<'_>, maker: &Maker, limits: &Limits, calls: Calls) -> PyResult<Self> {
        let given = PyDict::new(py);
        let shown = PyLimits {
            segment: limits.segment_bytes,
            initial_window: limits.initial_window_bytes,
            initial_threshold: limits.initial_threshold_bytes,
            max_window: limits.max_window_bytes,
        };
        given.set_item("limits", shown)?;
        let object = maker.call(py, &given)?;
        let ecn = match object.getattr("ecn")?.extract::<String>()?.as_str() {
            "off" => Ecn::Off,
            "classic" => Ecn::Classic,
            "exact" => Ecn::Exact,
            other => {
                return Err(PyValueError::new_err(format!(
                    "`ecn` of {} must be \"off\", \"classic\" or \"exact\", not {other:?}",
                    maker.name
                )));
            }
        };
        let mut control = Self {
            on_sent: overridden(&object, "CongestionControl", "on_sent")?,
            on_idle: overridden(&object, "CongestionControl", "on_idle")?,
            reduces_at_every_mark: calls.truth("reduces_at_every_mark", &object.getattr("reduces_at_every_mark")?)?,
            object: object.unbind(),
            limits: *limits,
            ecn,
            window_bytes: limits.segment_bytes,
            pacing_rate: None,
            calls,
        };
        control.look(py)?;
        Ok(control)
    }

    /// Looks at the window and the rate.
    fn look(&mut self, py: Python<'_>) -> PyResult<()> {
        let window = self.calls.whole("window_bytes", &self.object.bind(py).getattr("window_bytes")?)?;
        let (least, most) = (self.limits.segment_bytes, self.limits.max_window_bytes);
        if !(least..=most).contains(&window) {
            return Err(PyValueError::new_err(format!(
                "`window_bytes` must be from {least}, a segment, to {most}, what the receiver allows, not {window}"
            )));
        }
        self.window_bytes = window;
        let rate = self.object.bind(py).getattr("pacing_rate")?;
        self.pacing_rate = match self.calls.whole_or_none("pacing_rate", &rate)? {
            None => None,
            Some(0) => return Err(self.calls.wrong("pacing_rate", "bits per second above 0, or None", &rate)),
            Some(bits) => Rate::from_bits_per_second(bits),
        };
        Ok(())
    }

    /// Calls a method, and looks at the values that it has changed.
    fn tell<'a, A: for<'py> pyo3::call::PyCallArgs<'py>>(&mut self, method: &'a str, arguments: A) {
        let calls = self.calls.clone();
        calls.call(|py| {
            self.object.bind(py).call_method1(method, arguments)?;
            self.look(py)
        });
    }
}

impl fmt::Debug for PyControl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PyControl").field("window_bytes", &self.window_bytes).finish_non_exhaustive()
    }
}

impl CongestionControl for PyControl {
    fn on_sent(&mut self, now: Time, bytes: u64, in_flight: u64) {
        if self.on_sent.is_some() {
            self.tell("on_sent", (now.as_ps(), bytes, in_flight));
        }
    }

    fn on_ack(&mut self, now: Time, acked: &Acked) {
        self.tell("on_ack", (now.as_ps(), PyAcked::from(acked)));
    }

    fn on_congestion(&mut self, now: Time, congestion: Congestion, in_flight: u64) {
        let congestion = match congestion {
            Congestion::Loss => "loss",
            Congestion::Mark => "mark",
        };
        self.tell("on_congestion", (now.as_ps(), congestion, in_flight));
    }

    fn on_recovered(&mut self, now: Time, in_flight: u64) {
        self.tell("on_recovered", (now.as_ps(), in_flight));
    }

    fn on_timeout(&mut self, now: Time, in_flight: Option<u64>) {
        self.tell("on_timeout", (now.as_ps(), in_flight));
    }

    fn on_idle(&mut self, now: Time) {
        if self.on_idle.is_some() {
            self.tell("on_idle", (now.as_ps(),));
        }
    }

    fn window_bytes(&self) -> u64 {
        self.window_bytes
    }

    fn pacing_rate(&self) -> Option<Rate> {
        self.pacing_rate
    }

    fn ecn(&self) -> Ecn {
        self.ecn
    }

    fn reduces_at_every_mark(&self) -> bool {
        self.reduces_at_every_mark
    }
}

/// In place of one that could not be made, until the run ends.
#[derive(Debug)]
struct Failed(u64);

impl CongestionControl for Failed {
    fn on_ack(&mut self, _: Time, _: &Acked) {}
    fn on_congestion(&mut self, _: Time, _: Congestion, _: u64) {}
    fn on_recovered(&mut self, _: Time, _: u64) {}
    fn on_timeout(&mut self, _: Time, _: Option<u64>) {}
    fn on_idle(&mut self, _: Time) {}

    fn window_bytes(&self) -> u64 {
        self.0
    }
}
