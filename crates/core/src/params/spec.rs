//! The declaration of a parameter.

use super::ParamKind;

/// One parameter of an algorithm.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ParamSpec {
    /// The parameter's name in scenario files.
    pub name: &'static str,
    /// The kind of values that the parameter accepts.
    pub kind: ParamKind,
    /// The parameter's meaning, with its unit, in one line.
    pub meaning: &'static str,
}

impl ParamSpec {
    /// Declares a parameter that is true or false.
    #[must_use]
    pub const fn boolean(name: &'static str, default: bool, meaning: &'static str) -> Self {
        Self { name, kind: ParamKind::Boolean { default }, meaning }
    }

    /// Declares a parameter that is a whole number.
    #[must_use]
    pub const fn integer(name: &'static str, min: u64, max: u64, default: Option<u64>, meaning: &'static str) -> Self {
        Self { name, kind: ParamKind::Integer { min, max, default }, meaning }
    }

    /// Declares a parameter that is a number.
    #[must_use]
    pub const fn number(name: &'static str, min: f64, max: f64, default: f64, meaning: &'static str) -> Self {
        Self { name, kind: ParamKind::Number { min, max, default }, meaning }
    }

    /// Declares a parameter that is one of some words.
    #[must_use]
    pub const fn choice(
        name: &'static str,
        of: &'static [&'static str],
        default: &'static str,
        meaning: &'static str,
    ) -> Self {
        Self { name, kind: ParamKind::Choice { of, default }, meaning }
    }

    /// Declares a parameter that is a time.
    #[must_use]
    pub const fn duration(name: &'static str, default: &'static str, meaning: &'static str) -> Self {
        Self { name, kind: ParamKind::Duration { default: Some(default) }, meaning }
    }

    /// Declares a parameter that is a time. If it is not given, the context decides it.
    #[must_use]
    pub const fn optional_duration(name: &'static str, meaning: &'static str) -> Self {
        Self { name, kind: ParamKind::Duration { default: None }, meaning }
    }

    /// Declares a parameter that is a rate.
    #[must_use]
    pub const fn rate(name: &'static str, default: &'static str, meaning: &'static str) -> Self {
        Self { name, kind: ParamKind::Rate { default: Some(default) }, meaning }
    }

    /// Declares a parameter that is a rate. If it is not given, the context decides it.
    #[must_use]
    pub const fn optional_rate(name: &'static str, meaning: &'static str) -> Self {
        Self { name, kind: ParamKind::Rate { default: None }, meaning }
    }

    /// Declares a parameter that is a number of packets or of bytes.
    #[must_use]
    pub const fn buffer(name: &'static str, default: &'static str, meaning: &'static str) -> Self {
        Self { name, kind: ParamKind::Buffer { default }, meaning }
    }

    /// Declares a parameter that is a text.
    #[must_use]
    pub const fn text(name: &'static str, default: &'static str, meaning: &'static str) -> Self {
        Self { name, kind: ParamKind::Text { default }, meaning }
    }

    /// Declares a parameter that is a list. `default` has its items with commas between them.
    #[must_use]
    pub const fn list(
        name: &'static str,
        of: &'static ParamKind,
        default: &'static str,
        meaning: &'static str,
    ) -> Self {
        Self { name, kind: ParamKind::List { of, words: &[], default }, meaning }
    }
}
