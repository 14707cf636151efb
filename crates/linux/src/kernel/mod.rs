//! OpenQueue policies as queueing disciplines of a running Linux kernel.
//!
//! The target `bpf` of `forebay-targets` makes C of a policy. This module builds it ([`mod@build`]), loads it and attaches it to
//! a device ([`Deployment`]), replaces it while packets flow, inspects it and removes it. Pins in the BPF file system keep it
//! in the kernel, so no process of forebay has to run.
//!
//! Loading needs the feature `load`, which builds libbpf; without this feature every call returns an error.

#![forbid(unsafe_code)]

mod build;
mod control;
mod counters;
mod deployment;
mod device;
mod error;
mod host;
mod leftovers;
#[cfg_attr(not(feature = "load"), path = "loader/absent.rs")]
#[cfg_attr(feature = "load", path = "loader/libbpf.rs")]
mod loader;
mod lock;
mod map_values;
mod notifier;
mod parameter;
mod pins;
mod player;
mod policy;
mod program_actions;
mod record;
mod requirements;
mod this_machine;

pub use build::{Built, build, compiler};
pub use counters::{Counted, Counters, QueueCounters, RULES};
pub use deployment::{Deployment, Rates, Statistics};
pub use device::Device;
pub use error::{Error, Result};
pub use host::{CONTROL_BYTES, COUNTED_BYTES, Held, Host, Said};
pub use leftovers::Removed;
pub use parameter::{Parameter, ParameterValue};
pub use player::{Played, Player, alone};
pub use policy::KernelPolicy;
pub use program_actions::Does;
pub use requirements::{can_load, check};
