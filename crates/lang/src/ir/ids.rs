//! Objects of a policy by their places.

/// A port of a policy, by its place in [`Policy::ports`](super::Policy::ports).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PortId(pub u16);

/// A buffer of a policy, by its place in [`Policy::buffers`](super::Policy::buffers).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct BufferId(pub u16);

/// An action that a program brings, by its place in [`Policy::routines`](super::Policy::routines).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RoutineId(pub u16);

/// A live parameter, by its place in [`Policy::parameters`](super::Policy::parameters).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ParameterId(pub u16);
