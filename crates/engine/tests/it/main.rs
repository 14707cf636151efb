//! Tests of the engine crate from outside.

mod naive;
mod slotted_adversarial;
mod slotted_optima;
