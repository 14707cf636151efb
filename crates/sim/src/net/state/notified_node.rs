//! A node that is notified of arriving packets, and the ports that notify it.

use super::notifier::Notifier;
use crate::net::graph::{Graph, LinkSpec, NodeId};
use forebay_cache::seer::SeerCache;
use forebay_core::{ParamError, Rate};

/// States at a notified node.
pub struct Told {
    pub(super) cache: SeerCache,
    pub(super) tellers: Tellers,
}

/// The ports that notify a node.
pub(super) struct Tellers {
    /// The links that lead to the node, in the order of the cache's ports, each with the notifier for the packets that wait for it. Without
    /// a notifier, the node at the link's tail does not take part.
    pub(super) ingress: Vec<(usize, Option<Notifier>)>,
    /// If its neighbours pass notifications on: the links that lead to these neighbours, each with the notifier for the packets that wait
    /// for it.
    pub(super) relayed: Option<Vec<(usize, Notifier)>>,
}

impl Told {
    /// Replaces the cache; `cache` returns another one for the same ports.
    #[must_use]
    pub fn with_cache(self, cache: impl FnOnce(SeerCache) -> SeerCache) -> Self {
        Self { cache: cache(self.cache), ..self }
    }

    /// Creates the states of `node`. `cache` builds their cache for the rates of the notifying ports. `notifier` makes the notifier for a
    /// link to `node`. If neighbours relay notifications, `relayed` holds the links that lead to them, each with its notifier. The entries
    /// of a neighbour that has a notified cache of its own are ignored.
    ///
    /// # Errors
    /// If `cache` or `notifier` fails.
    pub fn at(
        graph: &Graph,
        node: NodeId,
        cache: impl FnOnce(Vec<Rate>) -> Result<SeerCache, ParamError>,
        mut notifier: impl FnMut(usize, &LinkSpec) -> Result<Option<Notifier>, ParamError>,
        relayed: Option<Vec<(usize, Notifier)>>,
    ) -> Result<Self, ParamError> {
        let links = || graph.links().iter().enumerate().filter(|(_, link)| link.to == node);
        let ingress = links().map(|(number, link)| Ok((number, notifier(number, link)?)));
        Ok(Self {
            cache: cache(links().map(|(_, link)| link.rate).collect())?,
            tellers: Tellers { ingress: ingress.collect::<Result<_, ParamError>>()?, relayed },
        })
    }
}
