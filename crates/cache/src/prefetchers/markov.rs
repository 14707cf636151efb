//! Markov: the objects that were requested right after this one before.

use crate::prefetcher::{PrefetchEntry, Prefetcher};
use crate::structures::Ghosts;
use forebay_core::params::ParamKind;
use forebay_core::{About, Exactness, ParamSpec, Request, convert};
use std::collections::VecDeque;

/// The registry's entry for [`Markov`].
pub(crate) const ENTRY: PrefetchEntry = PrefetchEntry {
    about: About {
        name: "markov",
        title: "Markov: after each request, the objects that were requested right after the same object lately",
        exactness: Exactness::NotApplicable,
        hardware: "a table of successors",
        cost: "O(degree) per request; degree + 3 words for each object that is remembered",
        source: "Joseph and Grunwald, Prefetching using Markov predictors, ISCA 1997",
        params: &[
            ParamSpec {
                name: "degree",
                kind: ParamKind::Integer { min: 1, max: 100, default: Some(1) },
                meaning: "number of successors kept and fetched for each object: the latest different ones",
            },
            ParamSpec {
                name: "memory",
                kind: ParamKind::Integer { min: 1, max: 1 << 30, default: Some(65_536) },
                meaning: "number of objects whose successors are kept: those that got a successor most recently",
            },
        ],
    },
    also_known_as: &["successors"],
    example: "markov",
    offline: false,
    make: |params, _| {
        let number = |name| convert::saturate(params.integer(name).unwrap_or(1));
        let (degree, memory) = (number("degree"), number("memory"));
        Ok(Box::new(Markov { degree, memory, last: None, known: Ghosts::new(0), successors: Vec::new() }))
    },
};

/// The successor of a request is the next request of the whole trace. A request for the same object again is none. The latest successor
/// is fetched first.
struct Markov {
    degree: usize,
    memory: usize,
    last: Option<u64>,
    /// Objects that have successors, the one first that got its latest longest ago.
    known: Ghosts,
    /// By place: the latest first.
    successors: Vec<VecDeque<u64>>,
}

impl Markov {
    fn learn(&mut self, key: u64, successor: u64) {
        let is_new = !self.known.contains(key);
        let place = self.known.push(key, 1) as usize;
        if self.successors.len() <= place {
            self.successors.resize_with(place + 1, VecDeque::new);
        }
        let successors = &mut self.successors[place];
        if is_new {
            successors.clear();
        }
        successors.retain(|own| *own != successor);
        successors.push_front(successor);
        successors.truncate(self.degree);
        if self.known.len() > self.memory {
            self.known.pop_oldest();
        }
    }
}

impl Prefetcher for Markov {
    fn request(&mut self, request: &Request, wanted: &mut Vec<u64>) {
        let key = request.key;
        match self.last.replace(key) {
            Some(last) if last != key => self.learn(last, key),
            _ => {}
        }
        if let Some(place) = self.known.find(key) {
            wanted.extend(&self.successors[place as usize]);
        }
    }
}
