//! Queues, ranks, disciplines and trees from outside.

mod afq;
mod discipline;
mod drfq;
mod fifo_plus;
mod flows;
mod marking;
mod pacing;
mod processor;
mod queues;
mod reframer;
mod support;
mod tree;
mod wf2q;
mod wfq;
