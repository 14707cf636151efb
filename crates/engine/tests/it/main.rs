//! Tests of the engines.

mod admission;
mod build;
mod classify;
mod drops;
mod naive;
mod orders;
mod service;
mod slotted_adversarial;
mod slotted_drive;
mod slotted_optima;
mod slotted_texts;
