//! A node that is to be told what packets come, and by which ports.

use super::notifier::Notifier;
use crate::net::graph::{Graph, LinkSpec, NodeId};
use forebay_cache::seer::SeerCache;
use forebay_core::{ParamError, Rate};

/// States at a node that is told what comes.
pub struct Told {
    pub(super) cache: SeerCache,
    pub(super) tellers: Tellers,
}

/// What tells a node.
pub(super) struct Tellers {
    /// The links that lead to the node, in the order of the cache's ports, and what tells of the packets that wait for them;
    /// without that, a link's node does not take part.
    pub(super) ingress: Vec<(usize, Option<Notifier>)>,
    /// If its neighbours pass on what they are told: the links that lead to them, and what tells of the packets that wait
    /// for these.
    pub(super) relayed: Option<Vec<(usize, Notifier)>>,
}

impl Told {
    /// The same with another cache for the same ports.
    #[must_use]
    pub fn with_cache(self, cache: impl FnOnce(SeerCache) -> SeerCache) -> Self {
        Self { cache: cache(self.cache), ..self }
    }

    /// States at `node`, whose cache `cache` builds for ports of these rates; `notifier` says what tells of the packets that
    /// wait for a link to it. If its neighbours pass on what they are told, `relayed` has the links that lead to them, and what
    /// tells of the packets that wait for these; where such a neighbour has a cache that is told, that is left aside.
    ///
    /// # Errors
    /// Those of `cache` and `notifier`.
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
