//! The names of a policy's objects, as the user wrote them.

use crate::Refusal;
use forebay_lang::Policy;

/// The names of the objects of a policy.
pub(crate) struct Names {
    /// How an expression shows an object, and the object's name; the longest first.
    shown: Vec<(String, String)>,
}

impl Names {
    pub(crate) fn new(policy: &Policy) -> Self {
        let queues = policy.queues.iter().map(|queue| ("queue", &queue.name)).enumerate();
        let ports = policy.ports.iter().map(|port| ("port", &port.name)).enumerate();
        let buffers = policy.buffers.iter().map(|buffer| ("buffer", &buffer.name)).enumerate();
        let parameters = policy.parameters.iter().map(|parameter| ("param", &parameter.name)).enumerate();
        let routines = policy.routines.iter().map(|routine| ("action", &routine.name)).enumerate();
        let all = queues.chain(ports).chain(buffers).chain(parameters).chain(routines);
        let mut shown: Vec<(String, String)> =
            all.map(|(id, (kind, name))| (format!("{kind}#{id}"), name.clone())).collect();
        // `queue#12` is not `queue#1` and a 2.
        shown.sort_by_key(|(text, _)| std::cmp::Reverse(text.len()));
        Self { shown }
    }

    /// Replaces the objects in an expression's text by their names.
    pub(crate) fn in_text(&self, text: &str) -> String {
        if !text.contains('#') {
            return text.to_owned();
        }
        self.shown.iter().fold(text.to_owned(), |text, (shown, name)| text.replace(shown, name))
    }

    /// Replaces the objects in the texts of reasons for rejection by their names.
    pub(crate) fn in_refusals(&self, refusals: Vec<Refusal>) -> Vec<Refusal> {
        let named = |Refusal { construct, reason }| Refusal { construct, reason: self.in_text(&reason) };
        refusals.into_iter().map(named).collect()
    }
}
