//! One or several generators as one trace.

use super::{Common, Generator};
use crate::error::TraceError;
use crate::requests::{Facts, Links, RecipeError, RequestReader};
use forebay_core::convert::index;
use forebay_core::{Clock, Follows, Request};

/// A generator with its end, its keys and its sizes.
pub(crate) struct Part {
    name: &'static str,
    common: Common,
    generator: Box<dyn Generator>,
    left: u64,
    /// The next request, and which of the part's requests it follows.
    next: Option<(Request, Option<Follows>)>,
    /// The numbers in the mixture of the part's requests so far, if requests may follow others.
    numbers: Vec<u64>,
}

impl Part {
    pub(crate) fn new(name: &'static str, generator: Box<dyn Generator>, common: Common) -> Self {
        let mut part = Self { name, left: common.requests, common, generator, next: None, numbers: Vec::new() };
        part.advance();
        part
    }

    fn advance(&mut self) {
        self.next = (self.left > 0).then(|| {
            self.left -= 1;
            let (time, key) = self.generator.next_request();
            let key = key.wrapping_add(self.common.first_key);
            (Request { time, key, size: self.common.sizes.of(key) }, self.generator.follows())
        });
    }

    /// The part's next request has this number in the mixture; says which one of the mixture it follows.
    fn link(&mut self, number: u64, follows: Option<Follows>) -> Option<Follows> {
        if !self.generator.is_chained() {
            return None;
        }
        self.numbers.push(number);
        let Follows { request, think } = follows?;
        Some(Follows { request: self.numbers[index(request)], think })
    }
}

/// Merges its parts in order of time. In slots, a request whose slot is occupied is moved to the next free slot.
pub(crate) struct Mixture {
    parts: Vec<Part>,
    facts: Facts,
    /// The first free slot, if time is in slots; in nanoseconds, the time of the first request.
    bound: Option<u64>,
    requests: u64,
    links: Links,
}

impl Mixture {
    pub(crate) fn new(parts: Vec<Part>) -> Result<Self, RecipeError> {
        let clock = parts.first().map_or(Clock::Slots, |part| part.common.clock);
        if parts.iter().any(|part| part.common.clock != clock) {
            return Err(RecipeError::MixedClocks);
        }
        let sizes = parts.iter().any(|part| part.common.sizes.are_given());
        let format = match &parts[..] {
            [part] => part.name,
            _ => "mixture",
        };
        Ok(Self { parts, facts: Facts { format, clock, sizes }, bound: None, requests: 0, links: Links::default() })
    }

    fn next_request(&mut self) -> Option<Request> {
        let earliest = self.parts.iter_mut().filter(|part| part.next.is_some());
        let part = earliest.min_by_key(|part| part.next.map(|(request, _)| request.time))?;
        let (mut request, follows) = part.next?;
        if self.links.is_begun() {
            self.links.push(part.link(self.requests, follows));
        }
        self.requests += 1;
        part.advance();
        match self.facts.clock {
            Clock::Slots => {
                request.time = request.time.max(self.bound.unwrap_or(0));
                self.bound = Some(request.time.saturating_add(1));
            }
            Clock::Nanoseconds => request.time -= *self.bound.get_or_insert(request.time),
        }
        Some(request)
    }
}

impl RequestReader for Mixture {
    fn facts(&self) -> Facts {
        self.facts
    }

    fn fill(&mut self, chunk: &mut Vec<Request>, limit: usize) -> Result<bool, TraceError> {
        for _ in 0..limit {
            match self.next_request() {
                Some(request) => chunk.push(request),
                None => return Ok(false),
            }
        }
        Ok(true)
    }

    fn warnings(&self) -> Vec<String> {
        Vec::new()
    }

    fn links(&mut self) -> Option<&mut Links> {
        self.parts.iter().any(|part| part.generator.is_chained()).then_some(&mut self.links)
    }
}
