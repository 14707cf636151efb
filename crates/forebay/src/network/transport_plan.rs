//! The transport of a policy or a workload: from the registry, or TCP with a congestion control of the calling program.

use super::registry_part::Part;
use crate::document::{Node, Value};
use crate::error::Result;
use crate::scenario::Files;
use forebay_core::registry::find;
use forebay_sim::net::congestion::{MakeOwnControl, OWN_TRANSPORT, own_transport};
use forebay_sim::net::transport::TRANSPORTS;
use forebay_sim::net::{Transport, TransportEntry};
use std::fmt;
use std::sync::Arc;

/// A transport that can be built.
#[derive(Clone)]
pub(super) struct TransportPlan {
    part: Part<TransportEntry>,
    own: Option<(String, Arc<MakeOwnControl>)>,
}

impl TransportPlan {
    /// Reads the transport and builds it once as a test.
    pub(super) fn read(node: &Node, files: &dyn Files) -> Result<Self> {
        let name = match &node.value {
            Value::Text(name) => Some(name.as_str()),
            _ => node.label(),
        };
        let plan = match name.and_then(|name| Some((name, files.own().controls.get(name)?))) {
            Some((name, make)) => {
                if find("transport", TRANSPORTS, name).is_ok() {
                    return Err(node.error(format!("forebay has a `{name}` itself; give yours another name")));
                }
                let own = Some((name.to_owned(), Arc::clone(make)));
                Self { part: Part::of_entry(node, "transport", &OWN_TRANSPORT)?, own }
            }
            None => Self { part: Part::read(node, "transport", "transport", TRANSPORTS)?, own: None },
        };
        plan.build()?;
        Ok(plan)
    }

    /// Builds the transport for a run.
    pub(super) fn build(&self) -> Result<Box<dyn Transport>> {
        let built = match &self.own {
            Some((_, make)) => own_transport(&self.part.params, Arc::clone(make)),
            None => (self.part.entry.build)(&self.part.params),
        };
        built.map_err(|error| self.part.error(&error))
    }

    /// Returns the name in results.
    pub(super) fn name(&self) -> &str {
        self.own.as_ref().map_or(self.part.name(), |(name, _)| name)
    }

    /// Returns the bytes on the wire of a full packet, and of a packet without data.
    pub(super) fn segment_bytes(&self) -> Result<(u32, u32)> {
        Ok(self.build()?.full_segment_bytes())
    }
}

impl fmt::Debug for TransportPlan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("TransportPlan").field("name", &self.name()).field("params", &self.part.params).finish()
    }
}
