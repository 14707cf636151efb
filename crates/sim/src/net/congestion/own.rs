//! A congestion control that a program supplies, in addition to those of the registry.

use super::control::{Acked, Congestion, CongestionControl, Ecn, Limits};
use crate::net::endpoint::{Transport, TransportEntry};
use crate::net::tcp::{PARAMS, Tcp, TcpOptions};
use forebay_core::{About, Exactness, ParamError, Params, Rate, Time};
use std::fmt;
use std::sync::Arc;

/// A control for one flow. Each has the contract of [`CongestionControl`].
pub type OwnControl = Box<dyn CongestionControl + Send + Sync>;

/// Makes a control for each flow.
pub type MakeOwnControl = dyn Fn(&Limits) -> OwnControl + Send + Sync;

/// The transport entry for a control that a program supplies: TCP, with TCP's parameters.
pub static OWN_TRANSPORT: TransportEntry = TransportEntry {
    about: About {
        name: "own",
        title: "TCP with a congestion control of the program that runs forebay",
        exactness: Exactness::NotApplicable,
        hardware: "none",
        cost: "not known",
        source: "the program",
        params: &PARAMS,
    },
    build: |_| Err(ParamError::of("name", "this control is made by the program that brings it along")),
};

/// Builds TCP with the controls that `make` returns.
///
/// # Errors
/// If TCP does not work with the parameters.
pub fn own_transport(params: &Params, make: Arc<MakeOwnControl>) -> Result<Box<dyn Transport>, ParamError> {
    let options = TcpOptions::read(params)?;
    let limits = options.limits();
    let control = Own { control: make(&limits), make, limits };
    Ok(Box::new(Tcp::with(options, control)))
}

/// A control of one flow; a clone is one of another flow.
struct Own {
    control: OwnControl,
    make: Arc<MakeOwnControl>,
    limits: Limits,
}

impl Clone for Own {
    fn clone(&self) -> Self {
        Self { control: (self.make)(&self.limits), make: Arc::clone(&self.make), limits: self.limits }
    }
}

impl fmt::Debug for Own {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.control.fmt(f)
    }
}

impl CongestionControl for Own {
    fn on_sent(&mut self, now: Time, bytes: u64, in_flight: u64) {
        self.control.on_sent(now, bytes, in_flight);
    }

    fn on_ack(&mut self, now: Time, acked: &Acked) {
        self.control.on_ack(now, acked);
    }

    fn on_congestion(&mut self, now: Time, congestion: Congestion, in_flight: u64) {
        self.control.on_congestion(now, congestion, in_flight);
    }

    fn on_recovered(&mut self, now: Time, in_flight: u64) {
        self.control.on_recovered(now, in_flight);
    }

    fn on_timeout(&mut self, now: Time, in_flight: Option<u64>) {
        self.control.on_timeout(now, in_flight);
    }

    fn on_idle(&mut self, now: Time) {
        self.control.on_idle(now);
    }

    fn window_bytes(&self) -> u64 {
        self.control.window_bytes()
    }

    fn pacing_rate(&self) -> Option<Rate> {
        self.control.pacing_rate()
    }

    fn ecn(&self) -> Ecn {
        self.control.ecn()
    }

    fn reduces_at_every_mark(&self) -> bool {
        self.control.reduces_at_every_mark()
    }
}
