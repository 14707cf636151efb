//! What a congestion control in the registry is.

use super::build::Build;
use super::control::{CongestionControl, Limits};
use crate::net::endpoint::{Transport, TransportEntry};
use crate::net::tcp::Tcp;
use forebay_core::registry::Named;
use forebay_core::{About, ParamError, Params};

/// A congestion control in the registry.
#[derive(Debug)]
pub struct ControlEntry {
    /// What it is. Its parameters are those of TCP and its own.
    pub about: About,
    /// Builds it.
    pub make: Make,
}

impl Named for ControlEntry {
    fn about(&self) -> &About {
        &self.about
    }
}

impl ControlEntry {
    /// TCP with it.
    pub(crate) const fn transport(&self) -> TransportEntry {
        TransportEntry { about: self.about, build: self.make.transport }
    }
}

/// Builds a control alone.
pub type MakeControl = fn(&Params, &Limits) -> Result<Box<dyn CongestionControl>, ParamError>;

/// The ways in which a control is built.
#[derive(Debug)]
pub struct Make {
    /// TCP with it, compiled for it: no call of it is virtual.
    pub transport: fn(&Params) -> Result<Box<dyn Transport>, ParamError>,
    /// The control alone, for limits of one's own.
    pub control: MakeControl,
}

impl Make {
    /// Those of `C`.
    #[must_use]
    pub const fn of<C: Build>() -> Self {
        Self {
            transport: |params| Ok(Box::new(Tcp::<C>::read(params)?)),
            control: |params, limits| Ok(Box::new(C::build(params, limits)?)),
        }
    }
}
