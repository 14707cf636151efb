//! Each policy against its paper.

mod arc;
mod beside;
mod cacheus;
mod car;
mod lecar;
mod lhd;
mod lirs;
mod w_tinylfu;
