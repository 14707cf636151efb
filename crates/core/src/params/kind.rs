//! The kinds of parameters: what each accepts, and its default.

use super::{Checked, ParamValue};
use crate::near_names::suggest;
use crate::time::Duration;
use crate::units::{BufferSize, Rate, UnitError, parse_bytes};
use std::fmt;

/// The kinds of values that a parameter accepts. Defaults of quantities are texts, as in scenario files.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum ParamKind {
    /// True or false.
    Boolean {
        /// The default.
        default: bool,
    },
    /// A whole number from `min` to `max`.
    Integer {
        /// Least value allowed.
        min: u64,
        /// Greatest value allowed.
        max: u64,
        /// The default; `None` if the context decides, as the parameter's meaning says.
        default: Option<u64>,
    },
    /// A number from `min` to `max`.
    Number {
        /// Least value allowed.
        min: f64,
        /// Greatest value allowed.
        max: f64,
        /// The default.
        default: f64,
    },
    /// A share: a number from 0 to 1, or a percentage like `"5 %"`.
    Share {
        /// The default.
        default: f64,
    },
    /// One of some words.
    Choice {
        /// The words.
        of: &'static [&'static str],
        /// The default.
        default: &'static str,
    },
    /// A time with its unit, like `"10 ms"`.
    Duration {
        /// The default; `None` if the context decides.
        default: Option<&'static str>,
    },
    /// A rate with its unit, like `"10 Gbps"`.
    Rate {
        /// The default; `None` if the context decides.
        default: Option<&'static str>,
    },
    /// A size in bytes with its unit, like `"10 KB"`.
    Bytes {
        /// The default; `None` if the context decides.
        default: Option<&'static str>,
    },
    /// Packets or bytes with their unit, like `"80 packets"`.
    Buffer {
        /// The default.
        default: &'static str,
    },
    /// A text that the algorithm itself interprets, such as the name of a host.
    Text {
        /// The default.
        default: &'static str,
    },
    /// A list of values of one kind, or one of some words.
    List {
        /// The kind of each item; the kind's default is not used.
        of: &'static ParamKind,
        /// Words that may replace a list.
        words: &'static [&'static str],
        /// The default, with commas between the items.
        default: &'static str,
    },
    /// A table with arbitrary keys, and with values of one kind.
    Map {
        /// The meaning of a key, like `class`.
        key: &'static str,
        /// The kind of each value; the kind's default is not used.
        of: &'static ParamKind,
    },
}

impl ParamKind {
    /// Returns the value that a text means where all values are texts, as on a command line. A text of the wrong kind stays a text, which
    /// the check rejects.
    #[must_use]
    pub fn value_of(&self, text: &str) -> ParamValue {
        let plain = text.replace('_', "");
        let value = match (self, text) {
            (Self::Boolean { .. }, "yes" | "true") => Some(ParamValue::Boolean(true)),
            (Self::Boolean { .. }, "no" | "false") => Some(ParamValue::Boolean(false)),
            (Self::Integer { .. }, _) => whole(&plain).map(ParamValue::Integer),
            (Self::Number { .. } | Self::Share { .. }, _) => {
                plain.parse::<f64>().ok().filter(|number| number.is_finite()).map(ParamValue::Number)
            }
            _ => None,
        };
        value.unwrap_or_else(|| match self {
            Self::List { of, words, .. } if !words.contains(&text) => {
                let items = text.split(',').map(str::trim).filter(|item| !item.is_empty());
                ParamValue::List(items.map(|item| of.value_of(item)).collect())
            }
            _ => ParamValue::Text(text.to_owned()),
        })
    }

    /// Returns the typed value, or the error.
    pub(super) fn check(&self, name: &str, value: &ParamValue) -> Result<Checked, String> {
        let wanted = || format!("`{name}` must be {}, not {value}", self.with_example());
        let quantity = |error: UnitError| format!("`{name}`: {error}");
        // A bare number gets the advice of a text without unit.
        let text = match value {
            ParamValue::Text(text) => text.clone(),
            other => other.to_string(),
        };
        let is_scalar = !matches!(value, ParamValue::List(_) | ParamValue::Table(_) | ParamValue::Boolean(_));
        match (*self, value) {
            (Self::Boolean { .. }, ParamValue::Boolean(value)) => Ok(Checked::Boolean(*value)),
            (Self::Integer { min, max, .. }, ParamValue::Integer(number)) => {
                let number = u64::try_from(*number).ok().filter(|number| (min..=max).contains(number));
                number.map(Checked::Integer).ok_or_else(wanted)
            }
            (Self::Number { min, max, .. }, ParamValue::Number(number)) if (min..=max).contains(number) => {
                Ok(Checked::Number(*number))
            }
            (Self::Number { min, max, .. }, ParamValue::Integer(number)) if (min..=max).contains(&(*number as f64)) => {
                Ok(Checked::Number(*number as f64))
            }
            (Self::Share { .. }, ParamValue::Number(_) | ParamValue::Integer(_) | ParamValue::Text(_)) => {
                share(value).map(Checked::Number).ok_or_else(wanted)
            }
            (Self::Choice { of, .. }, ParamValue::Text(text)) if of.contains(&text.as_str()) => {
                Ok(Checked::Text(text.clone()))
            }
            (Self::Choice { of, .. }, ParamValue::Text(text)) => Err(wanted() + &slip(text, of)),
            (Self::Duration { .. }, _) if is_scalar => Duration::parse(&text).map(Checked::Duration).map_err(quantity),
            (Self::Rate { .. }, _) if is_scalar => Rate::parse(&text).map(Checked::Rate).map_err(quantity),
            (Self::Bytes { .. }, _) if is_scalar => parse_bytes(&text).map(Checked::Integer).map_err(quantity),
            (Self::Buffer { .. }, _) if is_scalar => BufferSize::parse(&text).map(Checked::Buffer).map_err(quantity),
            (Self::Text { .. }, ParamValue::Text(text)) => Ok(Checked::Text(text.clone())),
            (Self::List { of, .. }, ParamValue::List(items)) => {
                items.iter().map(|item| of.check(name, item)).collect::<Result<_, _>>().map(Checked::List)
            }
            (Self::List { words, .. }, ParamValue::Text(text)) if words.contains(&text.as_str()) => {
                Ok(Checked::Text(text.clone()))
            }
            (Self::List { words, .. }, ParamValue::Text(text)) => Err(wanted() + &slip(text, words)),
            (Self::Map { of, .. }, ParamValue::Table(entries)) => {
                let entry = |(key, value): &(String, ParamValue)| {
                    Ok::<_, String>((key.clone(), of.check(&format!("{name}.{key}"), value)?))
                };
                entries.iter().map(entry).collect::<Result<_, _>>().map(Checked::Map)
            }
            _ => Err(wanted()),
        }
    }

    pub(super) fn default_value(&self) -> Option<Checked> {
        let read = |kind: &Self, text: &str| {
            let checked = kind.check("default", &kind.value_of(text));
            checked.unwrap_or_else(|error| panic!("a default is declared that is not allowed: {error}"))
        };
        match *self {
            Self::Boolean { default } => Some(Checked::Boolean(default)),
            Self::Integer { default, .. } => default.map(Checked::Integer),
            Self::Number { default, .. } | Self::Share { default } => Some(Checked::Number(default)),
            Self::Choice { default, .. } | Self::Text { default } => Some(Checked::Text(default.to_owned())),
            Self::Duration { default } | Self::Rate { default } | Self::Bytes { default } => {
                default.map(|text| read(self, text))
            }
            Self::Buffer { default } => Some(read(self, default)),
            Self::List { default, .. } => Some(read(self, default)),
            Self::Map { .. } => Some(Checked::Map(Vec::new())),
        }
    }

    /// Returns the default as a scenario file would write it; `None` if the context decides, or if there is none.
    #[must_use]
    pub fn default_text(&self) -> Option<String> {
        match *self {
            Self::Boolean { default } => Some(default.to_string()),
            Self::Integer { default, .. } => default.map(|default| default.to_string()),
            Self::Number { default, .. } | Self::Share { default } => Some(default.to_string()),
            Self::Choice { default, .. } | Self::Buffer { default } => Some(format!("\"{default}\"")),
            Self::Text { default } => (!default.is_empty()).then(|| format!("\"{default}\"")),
            Self::Duration { default } | Self::Rate { default } | Self::Bytes { default } => {
                default.map(|default| format!("\"{default}\""))
            }
            Self::List { default: "", .. } | Self::Map { .. } => None,
            Self::List { of, default, .. } => {
                let is_number = matches!(of, Self::Integer { .. } | Self::Number { .. });
                let item = |item: &str| if is_number { item.to_owned() } else { format!("\"{item}\"") };
                let items: Vec<String> = default.split(',').map(|text| item(text.trim())).collect();
                Some(format!("[{}]", items.join(", ")))
            }
        }
    }

    /// Returns the accepted values, and for texts of arbitrary form the default as an example.
    fn with_example(&self) -> String {
        match self {
            Self::Text { default } if !default.is_empty() => format!("{self} like \"{default}\""),
            _ => self.to_string(),
        }
    }
}

impl fmt::Display for ParamKind {
    /// Writes the accepted values in words.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Boolean { .. } => f.write_str("true or false"),
            Self::Integer { min, max, .. } => write!(f, "a whole number from {min} to {max}"),
            Self::Number { min, max, .. } => write!(f, "a number from {min} to {max}"),
            Self::Share { .. } => f.write_str("a share from 0 to 1, or a percentage like \"5 %\""),
            Self::Choice { of, .. } => {
                let words: Vec<String> = of.iter().map(|word| format!("\"{word}\"")).collect();
                match words.split_last() {
                    Some((last, [])) => f.write_str(last),
                    Some((last, others)) => write!(f, "{} or {last}", others.join(", ")),
                    None => Ok(()),
                }
            }
            Self::Duration { .. } => f.write_str("a time with its unit, like \"10 ms\""),
            Self::Rate { .. } => f.write_str("a rate with its unit, like \"10 Gbps\""),
            Self::Bytes { .. } => f.write_str("a size with its unit, like \"10 KB\""),
            Self::Buffer { .. } => f.write_str("packets or bytes with their unit, like \"80 packets\""),
            Self::Text { .. } => f.write_str("a text in quotes"),
            Self::List { of, words, .. } => {
                write!(f, "a list, each item {of}")?;
                words.iter().try_for_each(|word| write!(f, "; or \"{word}\""))
            }
            Self::Map { key, of } => write!(f, "a table with a {key} and {of} in each line"),
        }
    }
}

/// Returns a suggestion of the nearest word, if one is near. The message lists all words before it.
fn slip(text: &str, words: &[&str]) -> String {
    let hint = suggest(text, words.iter().copied());
    if hint.contains("did you mean") { hint } else { String::new() }
}

/// Reads `0.05` or `"5 %"`.
fn share(value: &ParamValue) -> Option<f64> {
    let number = match value {
        ParamValue::Integer(number) => *number as f64,
        ParamValue::Number(number) => *number,
        ParamValue::Text(text) => text.trim().strip_suffix('%')?.trim().parse::<f64>().ok()? / 100.0,
        _ => return None,
    };
    (0.0..=1.0).contains(&number).then_some(number)
}

/// Reads `1000000` or `1e6`.
#[expect(clippy::cast_possible_truncation, reason = "checked to be a whole number that floats hold exactly")]
fn whole(text: &str) -> Option<i64> {
    if let Ok(number) = text.parse() {
        return Some(number);
    }
    let number: f64 = text.parse().ok()?;
    (number.fract() == 0.0 && number.abs() <= (1_u64 << 53) as f64).then_some(number as i64)
}
