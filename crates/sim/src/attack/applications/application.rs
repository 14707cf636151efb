//! The trait of applications: the work that each input makes, and the information about this work in advance.

use crate::attack::jobs::Job;
use crate::attack::traffic::{Arrival, Input, Inputs, Stream};
use forebay_core::Duration;

/// An application, which works on one input after another.
pub trait Application {
    /// The type of its inputs.
    type Input: Input + Send + 'static;

    /// Returns the scheduler's estimate, at the arrival of the input, of the work that the input will make.
    fn estimate(&self, input: &Self::Input) -> Duration;

    /// Works on an input. Returns the time that the work takes.
    fn serve(&mut self, input: &Self::Input) -> Duration;

    /// The work on an input that was served has ended, and can be learnt from.
    fn completed(&mut self, input: &Self::Input) {
        let _ = input;
    }

    /// Reports each flow that it has reset because of limits of its own, since the last call.
    fn drain_resets(&mut self, each: &mut dyn FnMut(u32)) {
        let _ = each;
    }

    /// Bytes that it holds for inputs that were served; 0 where its memory is not modelled.
    fn held_bytes(&self) -> u64 {
        0
    }

    /// The jobs of inputs that are all served, in order of arrival and each before the next one arrives.
    fn arrivals(mut self, inputs: Inputs<Self::Input>, told: Told) -> Stream
    where
        Self: Sized + Send + 'static,
    {
        Box::new(inputs.map(move |input| {
            let estimate = self.estimate(&input);
            let work = self.serve(&input);
            self.drain_resets(&mut |_| {});
            self.completed(&input);
            let estimate = match told {
                Told::Truth => work,
                Told::Estimate => estimate,
            };
            let job = Job { size_bytes: input.size_bytes(), work, estimate };
            Arrival { at: input.arrival(), flow: input.flow(), job }
        }))
    }
}

/// The scheduler's information about the work of an input.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Told {
    /// The work.
    Truth,
    /// The application's estimate.
    Estimate,
}
