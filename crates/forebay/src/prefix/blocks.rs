//! A capacity in blocks, as people write it.

use crate::caching::whole;
use crate::error::WrongValue;
use std::fmt;
use std::str::FromStr;

/// A number of blocks, 1 or more: `2000`, `2_000` or `2e3`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Blocks(pub u64);

impl fmt::Display for Blocks {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl FromStr for Blocks {
    type Err = WrongValue;

    fn from_str(text: &str) -> Result<Self, WrongValue> {
        let blocks = whole(text).filter(|blocks| *blocks > 0).map(Self);
        blocks.ok_or_else(|| format!("`{text}` must be a number of blocks, 1 or more, like 2000").into())
    }
}
