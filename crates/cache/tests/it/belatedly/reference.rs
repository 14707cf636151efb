//! The optimum of very small traces, by trying everything: the integer truth that both
//! bounds are checked against. It knows steps, caches and fetches, and nothing else.

use forebay_core::Request;
use std::collections::HashMap;

/// What the rest of a trace depends on, at the end of a step.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
struct State {
    position: usize,
    /// Keys in the cache, sorted.
    cached: Vec<u64>,
    /// Keys being fetched and the steps in which they commit, in order of commits.
    under_way: Vec<(u64, u64)>,
}

/// The least total latency.
pub(crate) fn optimum(requests: &[Request], capacity: u64, latency_of: &dyn Fn(&Request) -> u64) -> u64 {
    let sizes = requests.iter().map(|request| (request.key, request.size)).collect();
    let mut search = Search { requests, capacity, latency_of, sizes, known: HashMap::new() };
    search.from(State { position: 0, cached: Vec::new(), under_way: Vec::new() })
}

struct Search<'a> {
    requests: &'a [Request],
    capacity: u64,
    latency_of: &'a dyn Fn(&Request) -> u64,
    sizes: HashMap<u64, u64>,
    known: HashMap<State, u64>,
}

impl Search<'_> {
    /// The lowest latency of the requests from a state on.
    fn from(&mut self, state: State) -> u64 {
        if state.position == self.requests.len() {
            return 0;
        }
        if let Some(&known) = self.known.get(&state) {
            return known;
        }
        let request = self.requests[state.position];
        // The next thing that happens: a request, or else a commit of an earlier step.
        let least = match state.under_way.first() {
            Some(&(commit, key)) if commit < request.time => {
                let mut next = state.clone();
                next.under_way.remove(0);
                self.any_subset_of(&next, Some(key))
            }
            _ => self.serve(&state, &request),
        };
        self.known.insert(state, least);
        least
    }

    fn serve(&mut self, state: &State, request: &Request) -> u64 {
        let mut next = state.clone();
        next.position += 1;
        let fetch = state.under_way.iter().find(|(_, key)| *key == request.key);
        let waits = if state.cached.contains(&request.key) {
            0
        } else if let Some((commit, _)) = fetch {
            commit + 1 - request.time
        } else {
            let latency = (self.latency_of)(request);
            next.under_way.push((request.time + latency - 1, request.key));
            next.under_way.sort_unstable();
            latency
        };
        waits + self.any_subset_of(&next, None)
    }

    /// After a commit or a request: any of the cached objects and the arrived one may stay, if they fit. An eviction
    /// after a hit can pay although nothing needs the room: a burst may wait for less if it begins with a miss.
    fn any_subset_of(&mut self, state: &State, arrived: Option<u64>) -> u64 {
        let candidates: Vec<u64> = state.cached.iter().copied().chain(arrived).collect();
        let mut least = u64::MAX;
        for chosen in 0..1u32 << candidates.len() {
            let kept = candidates.iter().enumerate().filter(|(bit, _)| chosen >> bit & 1 == 1);
            let mut cached: Vec<u64> = kept.map(|(_, &key)| key).collect();
            cached.sort_unstable();
            if cached.iter().map(|key| self.sizes[key]).sum::<u64>() <= self.capacity {
                least = least.min(self.from(State { cached, ..state.clone() }));
            }
        }
        least
    }
}
