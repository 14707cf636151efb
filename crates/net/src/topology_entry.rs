//! What a topology in the registry is, and how it reads its parameters.

use crate::graph::{Graph, NodeId};
use forebay_core::params::ParamKind;
use forebay_core::registry::Named;
use forebay_core::{About, Duration, ParamError, ParamSpec, Params, Rate};

/// A topology in the registry.
#[derive(Debug)]
pub struct TopologyEntry {
    /// What it is.
    pub about: About,
    /// Builds it, hosts first. The result passes [`Graph::check`].
    pub build: fn(&Params) -> Result<Graph, ParamError>,
}

impl Named for TopologyEntry {
    fn about(&self) -> &About {
        &self.about
    }
}

/// A parameter that is a whole number.
pub(crate) const fn count_param(
    name: &'static str,
    min: u64,
    max: u64,
    default: u64,
    meaning: &'static str,
) -> ParamSpec {
    ParamSpec { name, kind: ParamKind::Integer { min, max, default: Some(default) }, meaning }
}

/// A parameter that is a rate or a duration.
pub(crate) const fn text_param(name: &'static str, default: &'static str, meaning: &'static str) -> ParamSpec {
    ParamSpec { name, kind: ParamKind::Text { default }, meaning }
}

/// The whole number called `name`.
pub(crate) fn count(params: &Params, name: &str) -> Result<u32, ParamError> {
    let value = params.integer(name).and_then(|value| u32::try_from(value).ok());
    value.ok_or_else(|| ParamError::of(name, format!("`{name}` must be a whole number below 2^32")))
}

/// The rate called `name`.
pub(crate) fn rate(params: &Params, name: &str) -> Result<Rate, ParamError> {
    Rate::parse(params.text(name)).map_err(|error| ParamError::of(name, format!("`{name}`: {error}")))
}

/// The duration called `name`.
pub(crate) fn duration(params: &Params, name: &str) -> Result<Duration, ParamError> {
    Duration::parse(params.text(name)).map_err(|error| ParamError::of(name, format!("`{name}`: {error}")))
}

/// Refuses a combination of parameters, named by `what`, that gives too few hosts or too many.
pub(crate) fn check_hosts(hosts: u64, what: &str) -> Result<(), ParamError> {
    let message = match usize::try_from(hosts) {
        Ok(2..=Graph::MAX_HOSTS) => return Ok(()),
        _ => format!("{what}: a network has from 2 to {} hosts, not {hosts}", Graph::MAX_HOSTS),
    };
    Err(ParamError { param: None, message })
}

/// Connects each of `lower` with each of `upper`.
pub(crate) fn connect_all(graph: &mut Graph, lower: &[NodeId], upper: &[NodeId], rate: Rate, propagation: Duration) {
    for &below in lower {
        for &above in upper {
            graph.connect(below, above, rate, propagation);
        }
    }
}
