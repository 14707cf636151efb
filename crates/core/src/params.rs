//! Parameters of an algorithm: declared once, checked once.
//!
//! An algorithm lists its parameters as [`ParamSpec`]s. The command line, the scenario files, their JSON Schema and
//! `forebay explain` all work from that list. [`Params::check`] rejects parameters that are not in it before the
//! algorithm is built, and keeps typed values: a duration is a [`Duration`] from then on, and not a text.
//!
//! ```
//! use forebay_core::params::{ParamSpec, ParamValue, Params};
//!
//! const PARAMS: &[ParamSpec] = &[
//!     ParamSpec::boolean("ecn", false, "whether packets are marked"),
//!     ParamSpec::duration("rto", "1 ms", "retransmission timeout"),
//! ];
//! let given = [("rto".to_owned(), ParamValue::Text("45 us".to_owned()))];
//! let params = Params::check(PARAMS, given.into())?;
//! assert_eq!(params.duration("rto"), forebay_core::Duration::from_us(45));
//! assert!(!params.boolean("ecn"));
//! # Ok::<(), forebay_core::ParamError>(())
//! ```

mod kind;
mod spec;
mod value;

use crate::near_names::{UnknownName, suggest};
use crate::time::Duration;
use crate::units::{BufferSize, Rate};
use std::collections::BTreeMap;

pub use kind::ParamKind;
pub use spec::ParamSpec;
pub use value::ParamValue;

/// A parameter that is unknown or out of range.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct ParamError {
    /// The wrong parameter; `None` if the parameters are wrong in combination.
    pub param: Option<String>,
    /// The error, and what to write instead.
    pub message: String,
}

impl ParamError {
    /// Creates an error about the parameter `name`.
    #[must_use]
    #[expect(clippy::needless_pass_by_value, reason = "a text or an error, of which the text is kept")]
    pub fn of(name: &str, message: impl ToString) -> Self {
        Self { param: Some(name.to_owned()), message: message.to_string() }
    }
}

/// Turns an unknown algorithm into a parameter error, where either can occur.
impl From<UnknownName> for ParamError {
    fn from(error: UnknownName) -> Self {
        Self { param: None, message: error.to_string() }
    }
}

/// The checked parameters of one algorithm.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Params {
    specs: &'static [ParamSpec],
    given: BTreeMap<String, Checked>,
}

/// A value of the right kind and within its range.
#[derive(Debug, Clone, PartialEq)]
enum Checked {
    Boolean(bool),
    Integer(u64),
    Number(f64),
    Text(String),
    Duration(Duration),
    Rate(Rate),
    Buffer(BufferSize),
    List(Vec<Checked>),
    Map(Vec<(String, Checked)>),
}

impl Params {
    /// Returns no parameters, so every default holds.
    #[must_use]
    pub fn defaults(specs: &'static [ParamSpec]) -> Self {
        Self { specs, given: BTreeMap::new() }
    }

    /// Checks the given parameters against those that the algorithm declares.
    ///
    /// # Errors
    /// Names the first parameter that is unknown (with the nearest known name), of the wrong kind or out of its range
    /// (with the range).
    pub fn check(specs: &'static [ParamSpec], given: BTreeMap<String, ParamValue>) -> Result<Self, ParamError> {
        let mut checked = BTreeMap::new();
        for (name, value) in given {
            let Some(spec) = specs.iter().find(|spec| *spec.name == name) else {
                let known = specs.iter().map(|spec| spec.name);
                return Err(ParamError::of(&name, format!("unknown parameter `{name}`{}", suggest(&name, known))));
            };
            let value = spec.kind.check(&name, &value).map_err(|message| ParamError::of(&name, message))?;
            checked.insert(name, value);
        }
        Ok(Self { specs, given: checked })
    }

    /// Like [`check`](Self::check), for texts of a command line: `yes` for a Boolean, commas between the items of a
    /// list.
    ///
    /// # Errors
    /// As [`check`](Self::check).
    pub fn of_texts<'a>(
        specs: &'static [ParamSpec],
        given: impl IntoIterator<Item = (&'a str, &'a str)>,
    ) -> Result<Self, ParamError> {
        let value = |name: &str, text: &str| match specs.iter().find(|spec| spec.name == name) {
            Some(spec) => spec.kind.value_of(text),
            None => ParamValue::Text(text.to_owned()),
        };
        Self::check(specs, given.into_iter().map(|(name, text)| (name.to_owned(), value(name, text))).collect())
    }

    /// Returns whether the parameter called `name` is true.
    ///
    /// # Panics As all these methods, panics if the algorithm did not declare a parameter of this name and kind.
    #[must_use]
    pub fn boolean(&self, name: &str) -> bool {
        match self.value(name) {
            Some(Checked::Boolean(value)) => value,
            other => wrong_kind(name, "true or false", other.as_ref()),
        }
    }

    /// Returns the whole number called `name`: the given value, or the default.
    #[must_use]
    pub fn integer(&self, name: &str) -> Option<u64> {
        match (self.value(name), self.spec(name).kind) {
            (Some(Checked::Integer(value)), _) => Some(value),
            (None, ParamKind::Integer { .. }) => None,
            (other, _) => wrong_kind(name, "a whole number", other.as_ref()),
        }
    }

    /// Returns the number or share called `name`: the given value, or the default.
    #[must_use]
    pub fn number(&self, name: &str) -> f64 {
        match self.value(name) {
            Some(Checked::Number(value)) => value,
            other => wrong_kind(name, "a number", other.as_ref()),
        }
    }

    /// Returns the text or word called `name`: the given value, or the default.
    #[must_use]
    pub fn text(&self, name: &str) -> &str {
        match (self.given.get(name), self.spec(name).kind) {
            (Some(Checked::Text(value)), _) => value,
            (None, ParamKind::Text { default } | ParamKind::Choice { default, .. }) => default,
            (other, _) => wrong_kind(name, "a text", other),
        }
    }

    /// Returns the time called `name`, which has a default.
    #[must_use]
    pub fn duration(&self, name: &str) -> Duration {
        self.optional_duration(name).unwrap_or_else(|| wrong_kind(name, "a time with a default", None))
    }

    /// Returns the time called `name`, if it is given or has a default.
    #[must_use]
    pub fn optional_duration(&self, name: &str) -> Option<Duration> {
        match (self.value(name), self.spec(name).kind) {
            (Some(Checked::Duration(value)), _) => Some(value),
            (None, ParamKind::Duration { .. }) => None,
            (other, _) => wrong_kind(name, "a time", other.as_ref()),
        }
    }

    /// Returns the rate called `name`, which has a default.
    #[must_use]
    pub fn rate(&self, name: &str) -> Rate {
        self.optional_rate(name).unwrap_or_else(|| wrong_kind(name, "a rate with a default", None))
    }

    /// Returns the rate called `name`, if it is given or has a default.
    #[must_use]
    pub fn optional_rate(&self, name: &str) -> Option<Rate> {
        match (self.value(name), self.spec(name).kind) {
            (Some(Checked::Rate(value)), _) => Some(value),
            (None, ParamKind::Rate { .. }) => None,
            (other, _) => wrong_kind(name, "a rate", other.as_ref()),
        }
    }

    /// Returns the packets or bytes called `name`.
    #[must_use]
    pub fn buffer(&self, name: &str) -> BufferSize {
        match self.value(name) {
            Some(Checked::Buffer(value)) => value,
            other => wrong_kind(name, "packets or bytes", other.as_ref()),
        }
    }

    /// Returns the word that was given in place of the list called `name`, if any.
    #[must_use]
    pub fn word(&self, name: &str) -> Option<&str> {
        match (self.given.get(name), self.spec(name).kind) {
            (Some(Checked::Text(word)), ParamKind::List { .. }) => Some(word),
            (_, ParamKind::List { .. }) => None,
            (other, _) => wrong_kind(name, "a list", other),
        }
    }

    /// Returns the list of whole numbers or bytes called `name`; empty if a [`word`](Self::word) was given in its place.
    #[must_use]
    pub fn integers(&self, name: &str) -> Vec<u64> {
        let integer = |item| match item {
            Checked::Integer(value) => value,
            other => wrong_kind(name, "a list of whole numbers", Some(&other)),
        };
        self.items(name).into_iter().map(integer).collect()
    }

    /// Returns the list of texts called `name`; empty if a [`word`](Self::word) was given in its place.
    #[must_use]
    pub fn texts(&self, name: &str) -> Vec<String> {
        let text = |item| match item {
            Checked::Text(value) => value,
            other => wrong_kind(name, "a list of texts", Some(&other)),
        };
        self.items(name).into_iter().map(text).collect()
    }

    /// Returns the keys and whole numbers of the table called `name`.
    pub fn integers_by_key(&self, name: &str) -> impl Iterator<Item = (&str, u64)> {
        self.entries(name).map(move |(key, value)| match value {
            Checked::Integer(value) => (key, *value),
            other => wrong_kind(name, "a table of whole numbers", Some(other)),
        })
    }

    /// Returns the keys and rates of the table called `name`.
    pub fn rates_by_key(&self, name: &str) -> impl Iterator<Item = (&str, Rate)> {
        self.entries(name).map(move |(key, value)| match value {
            Checked::Rate(value) => (key, *value),
            other => wrong_kind(name, "a table of rates", Some(other)),
        })
    }

    fn entries(&self, name: &str) -> impl Iterator<Item = (&str, &Checked)> {
        let entries = match (self.given.get(name), self.spec(name).kind) {
            (Some(Checked::Map(entries)), _) => entries.as_slice(),
            (None, ParamKind::Map { .. }) => &[],
            (other, _) => wrong_kind(name, "a table", other),
        };
        entries.iter().map(|(key, value)| (key.as_str(), value))
    }

    fn items(&self, name: &str) -> Vec<Checked> {
        match self.value(name) {
            Some(Checked::List(items)) => items,
            Some(Checked::Text(_)) => Vec::new(),
            other => wrong_kind(name, "a list", other.as_ref()),
        }
    }

    /// Returns the given value, or the default.
    fn value(&self, name: &str) -> Option<Checked> {
        self.given.get(name).cloned().or_else(|| self.spec(name).kind.default_value())
    }

    fn spec(&self, name: &str) -> &ParamSpec {
        let spec = self.specs.iter().find(|spec| spec.name == name);
        spec.unwrap_or_else(|| panic!("parameter {name} is not declared"))
    }
}

fn wrong_kind(name: &str, wanted: &str, found: Option<&Checked>) -> ! {
    panic!("parameter {name} is not declared as {wanted}; it is {found:?}")
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
    fn quantities_words_and_lists_are_typed() {
        const BYTES: ParamKind = ParamKind::Bytes { default: None };
        const WEIGHT: ParamKind = ParamKind::Integer { min: 1, max: 9, default: None };
        const TYPED: &[ParamSpec] = &[
            ParamSpec::boolean("ecn", false, ""),
            ParamSpec::duration("rto", "1 ms", ""),
            ParamSpec::optional_rate("rate", ""),
            ParamSpec::buffer("min", "5 packets", ""),
            ParamSpec::choice("beyond", &["drop", "last"], "drop", ""),
            ParamSpec::list("levels", &BYTES, "10 KB, 1 MB", ""),
            ParamSpec { name: "weights", kind: ParamKind::Map { key: "class", of: &WEIGHT }, meaning: "" },
            ParamSpec { name: "share", kind: ParamKind::Share { default: 0.5 }, meaning: "" },
        ];
        let text = |text: &str| ParamValue::Text(text.to_owned());
        let given = [
            ("ecn", ParamValue::Boolean(true)),
            ("rto", text("45 us")),
            ("rate", text("2 Gbps")),
            ("beyond", text("last")),
            ("levels", ParamValue::List(vec![text("1 KB"), text("2 KB")])),
            ("weights", ParamValue::Table(vec![("46".to_owned(), ParamValue::Integer(4))])),
            ("share", text("5 %")),
        ];
        let given = given.map(|(name, value)| (name.to_owned(), value)).into();
        let (params, defaults) = (Params::check(TYPED, given).unwrap(), Params::defaults(TYPED));
        assert!(params.boolean("ecn") && !defaults.boolean("ecn"));
        assert_eq!(params.duration("rto"), Duration::from_us(45));
        assert_eq!(defaults.duration("rto"), Duration::from_ms(1));
        assert_eq!((params.optional_rate("rate"), defaults.optional_rate("rate")), (Rate::parse("2 Gbps").ok(), None));
        assert_eq!(params.buffer("min"), BufferSize::Packets(5));
        assert_eq!((params.text("beyond"), defaults.text("beyond")), ("last", "drop"));
        assert_eq!(params.integers("levels"), [1_000, 2_000]);
        assert_eq!(defaults.integers("levels"), [10_000, 1_000_000]);
        assert_eq!(params.integers_by_key("weights").collect::<Vec<_>>(), [("46", 4)]);
        assert_eq!((params.number("share"), defaults.number("share")), (0.05, 0.5));
        for (name, value, message) in [
            ("ecn", text("yes"), "`ecn` must be true or false, not \"yes\""),
            ("rto", ParamValue::Integer(5), "`rto`: `5` has no unit, for example `10 ms`"),
            ("beyond", text("lats"), "`beyond` must be \"drop\" or \"last\", not \"lats\"; did you mean `last`?"),
            (
                "weights",
                ParamValue::Table(vec![("46".to_owned(), ParamValue::Integer(10))]),
                "`weights.46` must be a whole number from 1 to 9, not 10",
            ),
            (
                "share",
                ParamValue::Integer(5),
                "`share` must be a share from 0 to 1, or a percentage like \"5 %\", not 5",
            ),
        ] {
            let given = [(name.to_owned(), value)].into();
            assert_eq!(Params::check(TYPED, given).unwrap_err().to_string(), message);
        }
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
