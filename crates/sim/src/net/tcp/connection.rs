//! TCP as a transport: the endpoints of this folder with a congestion control.

use super::sack_sender::SackSender;
use super::{EchoExact, Latched, Receiver, Sender, TcpOptions, Unmarked};
use crate::net::congestion::{Build, CongestionControl, Ecn};
use crate::net::endpoint::{Endpoint, FlowContext, Transport};
use forebay_core::{ParamError, Params};
use std::sync::Arc;

/// Opens TCP connections under the control `C`.
#[derive(Debug)]
pub(crate) struct Tcp<C> {
    options: Arc<TcpOptions>,
    /// The control of a flow that has not begun; each connection gets a clone.
    control: C,
}

impl<C> Tcp<C> {
    /// TCP with these options and this control.
    pub(crate) fn with(options: TcpOptions, control: C) -> Self {
        Self { options: Arc::new(options), control }
    }
}

impl<C: Build> Tcp<C> {
    /// TCP as the parameters say.
    ///
    /// # Errors
    /// If TCP or its control does not work with them.
    pub(crate) fn read(params: &Params) -> Result<Self, ParamError> {
        let options = TcpOptions::read(params)?;
        let control = C::build(params, &options.limits())?;
        Ok(Self::with(options, control))
    }
}

impl<C: CongestionControl + Clone + Send + Sync + 'static> Transport for Tcp<C> {
    fn open(&self, context: &FlowContext) -> (Box<dyn Endpoint>, Box<dyn Endpoint>) {
        let (options, bytes) = (&self.options, context.flow.bytes);
        let control = self.control.clone();
        let sender: Box<dyn Endpoint> = if options.sack {
            Box::new(SackSender::new(options, control, bytes))
        } else {
            Box::new(Sender::new(options, control, bytes))
        };
        let receiver: Box<dyn Endpoint> = match self.control.ecn() {
            Ecn::Off => Box::new(Receiver::new(options, Unmarked, bytes)),
            Ecn::Classic => Box::new(Receiver::new(options, Latched::default(), bytes)),
            Ecn::Exact => Box::new(Receiver::new(options, EchoExact::default(), bytes)),
        };
        (sender, receiver)
    }

    fn full_segment_bytes(&self) -> (u32, u32) {
        self.options.segment_bytes()
    }
}
