//! Parameters of an algorithm: declared once, checked once.
//!
//! An algorithm lists its parameters as [`ParamSpec`]s. The command line, the
//! scenario files and `forebay explain` all work from that list, and
//! [`Params::check`] refuses what is not in it before the algorithm is built.

use crate::near_names::{UnknownName, suggest};
use std::collections::BTreeMap;

/// A value that a scenario gives to a parameter.
#[derive(Debug, Clone, PartialEq)]
pub enum ParamValue {
    /// A whole number.
    Integer(i64),
    /// Any number.
    Number(f64),
    /// A word or a list in a string.
    Text(String),
}

/// What a parameter accepts.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum ParamKind {
    /// A whole number from `min` to `max`.
    Integer {
        /// Least value allowed.
        min: u64,
        /// Greatest value allowed.
        max: u64,
        /// Used where nothing is given; `None`: chosen from the context, as the
        /// meaning says.
        default: Option<u64>,
    },
    /// A number from `min` to `max`.
    Number {
        /// Least value allowed.
        min: f64,
        /// Greatest value allowed.
        max: f64,
        /// Used where nothing is given.
        default: f64,
    },
    /// A text that the algorithm reads itself.
    Text {
        /// Used where nothing is given.
        default: &'static str,
    },
}

/// One parameter of an algorithm.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ParamSpec {
    /// Its name in scenario files.
    pub name: &'static str,
    /// What it accepts.
    pub kind: ParamKind,
    /// What it means, with its unit, in one line.
    pub meaning: &'static str,
}

/// A parameter that is unknown or out of range.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct ParamError {
    /// The parameter at fault; `None` if the combination is.
    pub param: Option<String>,
    /// What is wrong and what would be right.
    pub message: String,
}

impl ParamError {
    /// An error about the parameter `name`.
    #[must_use]
    #[expect(clippy::needless_pass_by_value, reason = "a text or an error, of which the text is kept")]
    pub fn of(name: &str, message: impl ToString) -> Self {
        Self { param: Some(name.to_owned()), message: message.to_string() }
    }
}

/// An unknown algorithm, where a parameter could be at fault as well.
impl From<UnknownName> for ParamError {
    fn from(error: UnknownName) -> Self {
        Self { param: None, message: error.to_string() }
    }
}

/// The parameters given to one algorithm.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Params {
    specs: &'static [ParamSpec],
    given: BTreeMap<String, ParamValue>,
}

impl Params {
    /// No parameters: every default.
    #[must_use]
    pub fn defaults(specs: &'static [ParamSpec]) -> Self {
        Self { specs, given: BTreeMap::new() }
    }

    /// Checks what was given against what the algorithm declares.
    ///
    /// # Errors
    /// Names the first parameter that is unknown (with the nearest known name),
    /// of the wrong kind or out of its range (with the range).
    pub fn check(specs: &'static [ParamSpec], given: BTreeMap<String, ParamValue>) -> Result<Self, ParamError> {
        for (name, value) in &given {
            let Some(spec) = specs.iter().find(|spec| spec.name == name) else {
                let known = specs.iter().map(|spec| spec.name);
                return Err(ParamError::of(name, format!("unknown parameter `{name}`{}", suggest(name, known))));
            };
            if let Some(wanted) = wanted_instead(spec.kind, value) {
                return Err(ParamError::of(name, format!("`{name}` must be {wanted}")));
            }
        }
        Ok(Self { specs, given })
    }

    /// The whole number called `name`: given, or the default.
    ///
    /// # Panics
    /// If the algorithm asks for a parameter that it did not declare as a whole
    /// number.
    #[must_use]
    pub fn integer(&self, name: &str) -> Option<u64> {
        let ParamKind::Integer { default, .. } = self.spec(name).kind else {
            panic!("parameter {name} is not declared as a whole number");
        };
        match self.given.get(name) {
            Some(ParamValue::Integer(value)) => u64::try_from(*value).ok(),
            _ => default,
        }
    }

    /// The number called `name`: given, or the default.
    ///
    /// # Panics
    /// If the algorithm asks for a parameter that it did not declare as a number.
    #[must_use]
    pub fn number(&self, name: &str) -> f64 {
        let ParamKind::Number { default, .. } = self.spec(name).kind else {
            panic!("parameter {name} is not declared as a number");
        };
        match self.given.get(name) {
            Some(ParamValue::Number(value)) => *value,
            Some(ParamValue::Integer(value)) => *value as f64,
            _ => default,
        }
    }

    /// The text called `name`: given, or the default.
    ///
    /// # Panics
    /// If the algorithm asks for a parameter that it did not declare as a text.
    #[must_use]
    pub fn text(&self, name: &str) -> &str {
        let ParamKind::Text { default } = self.spec(name).kind else {
            panic!("parameter {name} is not declared as a text");
        };
        match self.given.get(name) {
            Some(ParamValue::Text(value)) => value,
            _ => default,
        }
    }

    fn spec(&self, name: &str) -> &ParamSpec {
        let spec = self.specs.iter().find(|spec| spec.name == name);
        spec.unwrap_or_else(|| panic!("parameter {name} is not declared"))
    }
}

/// What should have been given, if `value` is not it.
fn wanted_instead(kind: ParamKind, value: &ParamValue) -> Option<String> {
    match (kind, value) {
        (ParamKind::Integer { min, max, .. }, ParamValue::Integer(n))
            if u64::try_from(*n).is_ok_and(|n| (min..=max).contains(&n)) =>
        {
            None
        }
        (ParamKind::Integer { min, max, .. }, value) => {
            Some(format!("a whole number from {min} to {max}, not {}", describe(value)))
        }
        (ParamKind::Number { min, max, .. }, ParamValue::Number(n)) if (min..=max).contains(n) => None,
        (ParamKind::Number { min, max, .. }, ParamValue::Integer(n)) if (min..=max).contains(&(*n as f64)) => None,
        (ParamKind::Number { min, max, .. }, value) => {
            Some(format!("a number from {min} to {max}, not {}", describe(value)))
        }
        (ParamKind::Text { .. }, ParamValue::Text(_)) => None,
        (ParamKind::Text { default: "" }, value) => {
            Some(format!("a text in quotes, as \"{0}\", not {0}", describe(value)))
        }
        (ParamKind::Text { default }, value) => Some(format!("a text like \"{default}\", not {}", describe(value))),
    }
}

fn describe(value: &ParamValue) -> String {
    match value {
        ParamValue::Integer(n) => n.to_string(),
        ParamValue::Number(n) => n.to_string(),
        ParamValue::Text(text) => format!("\"{text}\""),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SPECS: &[ParamSpec] = &[
        ParamSpec {
            name: "queues",
            kind: ParamKind::Integer { min: 1, max: 64, default: Some(8) },
            meaning: "number of queues",
        },
        ParamSpec { name: "gain", kind: ParamKind::Number { min: 0.0, max: 1.0, default: 0.5 }, meaning: "gain" },
    ];

    fn check(name: &str, value: ParamValue) -> Result<Params, String> {
        Params::check(SPECS, BTreeMap::from([(name.to_owned(), value)])).map_err(|error| error.to_string())
    }

    #[test]
    fn defaults_stand_where_nothing_is_given() {
        let params = check("gain", ParamValue::Integer(1)).unwrap();
        assert_eq!(params.integer("queues"), Some(8));
        assert_eq!(params.number("gain"), 1.0);
    }

    #[test]
    fn what_is_wrong_is_named_with_what_would_be_right() {
        assert_eq!(
            check("queue", ParamValue::Integer(1)).unwrap_err(),
            "unknown parameter `queue`; did you mean `queues`?"
        );
        assert_eq!(
            check("queues", ParamValue::Integer(-1)).unwrap_err(),
            "`queues` must be a whole number from 1 to 64, not -1"
        );
        assert_eq!(
            check("gain", ParamValue::Text("x".into())).unwrap_err(),
            "`gain` must be a number from 0 to 1, not \"x\""
        );
    }
}
