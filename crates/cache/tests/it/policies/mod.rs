//! Each policy against its paper, written down with vectors.

mod arc;
mod burstiness;
mod cacheus;
mod car;
mod clock_pro;
mod eelru;
mod frequency;
pub(crate) mod harness;
mod history;
mod lecar;
mod lhd;
mod lirs;
mod lrfu;
mod marking;
mod mq;
pub(crate) mod paper_procedure;
mod queues;
mod segments;
mod sizes;
mod w_tinylfu;
