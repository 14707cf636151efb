//! PFOO-L, a lower bound of the misses in the classical model, where a missed object is there at once.
//!
//! Source: Berger, Beckmann and Harchol-Balter, "Practical bounds on optimal caching with variable object sizes",
//! SIGMETRICS 2018, section 5.1.
//!
//! A hit occupies room for the time since the object's last request: its size times the requests between, its *resources*.
//! All hits together have at most the capacity times the number of requests. PFOO-L spends this sum on the cheapest hits
//! of the whole trace, as if room could be carried from one time to another. No cache has more hits.
//!
//! FOO, the linear programme that PFOO relaxes, is the bound of [`crate::belatedly::bound`] at a latency of 1.

use forebay_core::Request;
use rustc_hash::FxHashMap;

/// The least number of misses that any cache of `capacity` could have, in the classical model and with each request in
/// a step of its own. An object has one size; times do not matter.
#[must_use]
pub fn pfoo_lower(requests: &[Request], capacity: u64) -> u64 {
    let mut last: FxHashMap<u64, usize> = FxHashMap::default();
    let mut resources = Vec::new();
    for (position, request) in requests.iter().enumerate() {
        if let Some(before) = last.insert(request.key, position)
            && request.size <= capacity
        {
            resources.push(u128::from(request.size) * (position - before) as u128);
        }
    }
    resources.sort_unstable();
    let mut left = u128::from(capacity) * requests.len() as u128;
    let hits = resources.iter().take_while(|&&resource| {
        let fits = resource <= left;
        left = left.saturating_sub(resource);
        fits
    });
    (requests.len() - hits.count()) as u64
}
