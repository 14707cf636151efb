//! Ports, networks and attacks from outside.

mod attack;
mod net;
mod stages;
