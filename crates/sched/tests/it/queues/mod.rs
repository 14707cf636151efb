//! Rank queues beside the reference.

mod adversary;
mod allocation;
mod approximate;
mod constant_cost;
mod exact;
mod inversion_sources;
mod latency_free;
mod learnt_bounds;
mod op_streams;
mod shapes;
mod sp_pifo;
