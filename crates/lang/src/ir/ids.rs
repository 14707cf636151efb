//! Indices of a policy's objects.

/// A port of a policy: its index in [`Policy::ports`](super::Policy::ports).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PortId(pub u16);

/// A buffer of a policy: its index in [`Policy::buffers`](super::Policy::buffers).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct BufferId(pub u16);

/// An action that a program implements: its index in [`Policy::routines`](super::Policy::routines).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RoutineId(pub u16);

/// A live parameter: its index in [`Policy::parameters`](super::Policy::parameters).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ParameterId(pub u16);
