//! Each policy against its paper.

mod arc;
mod beside;
mod car;
mod lhd;
mod lirs;
