//! Numbers and truth values of C.

use super::constants::literal;
use forebay_lang::{Fixed, Ratio};

/// A number in C.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Value {
    /// A known number.
    Const(Ratio),
    /// An expression without side effects.
    Text(String),
}

impl Value {
    pub(super) fn number(number: Fixed) -> Self {
        Self::Const(number.exact())
    }

    /// Returns the number at run time, rounded down.
    pub(super) fn text(self) -> String {
        match self {
            Self::Const(constant) => literal(Fixed::floor(constant)),
            Self::Text(text) => text,
        }
    }
}

/// A truth value in C.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Truth {
    /// A known truth value.
    Const(bool),
    /// An expression without side effects, in parentheses where it needs them.
    Text(String),
}

impl Truth {
    pub(super) fn text(self) -> String {
        match self {
            Self::Const(truth) => u8::from(truth).to_string(),
            Self::Text(text) => text,
        }
    }
}
