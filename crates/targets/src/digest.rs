//! A digest that identifies the policy of a program.

use forebay_lang::Policy;

/// Returns a number that identifies programs made of this policy with these parameters (FNV-1a).
#[must_use]
pub fn digest(policy: &Policy) -> u64 {
    let step = |hash: u64, byte: u8| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
    format!("{policy:?}").bytes().fold(0xcbf2_9ce4_8422_2325, step)
}
