//! The entries of congestion controls in the registry.

use super::build::Build;
use super::control::{CongestionControl, Limits};
use crate::net::endpoint::{Transport, TransportEntry};
use crate::net::tcp::Tcp;
use forebay_core::registry::Named;
use forebay_core::{About, ParamError, Params};

/// A congestion control in the registry.
#[derive(Debug)]
pub struct ControlEntry {
    /// The name, title and source of the control. The parameters are those of TCP and the control's own.
    pub about: About,
    /// The constructors of the control.
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

/// The constructors of a control.
#[derive(Debug)]
pub struct Make {
    /// Builds TCP with this control, compiled together so that no call of the control is virtual.
    pub transport: fn(&Params) -> Result<Box<dyn Transport>, ParamError>,
    /// Builds the control alone, for given limits.
    pub control: MakeControl,
}

impl Make {
    /// Returns the constructors of `C`.
    #[must_use]
    pub const fn of<C: Build>() -> Self {
        Self {
            transport: |params| Ok(Box::new(Tcp::<C>::read(params)?)),
            control: |params, limits| Ok(Box::new(C::build(params, limits)?)),
        }
    }
}
