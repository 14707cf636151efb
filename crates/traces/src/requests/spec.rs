//! A name with parameters in one word: `zipf:objects=1e4,skew=0.9`.

use forebay_core::registry::Suggestion;
use forebay_core::{ParamError, ParamSpec, Params};
use std::collections::BTreeMap;
use std::fmt;

/// The reasons why a text is no name with parameters, or has parameters that are not known.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SpecError {
    /// A parameter without a value.
    #[error("`{part}` must be like PARAMETER=VALUE, as in `{name}:{part}=1`{comma}")]
    NoValue {
        /// The name that the parameters are for.
        name: String,
        /// The text in place of the parameter.
        part: String,
        /// A note about a comma before the text, which may have caused the error.
        comma: &'static str,
    },
    /// A parameter that is there twice.
    #[error("`{0}` is given twice")]
    Twice(String),
    /// A parameter that is not declared.
    #[error("`{name}` has no parameter `{param}`{suggestion}")]
    NoParameter {
        /// The name that the parameters are for.
        name: String,
        /// The parameter.
        param: String,
        /// The suggestion of the intended name.
        suggestion: Suggestion,
    },
    /// A parameter out of its range or of the wrong kind, or parameters that do not fit together.
    #[error("`{name}`: {error}")]
    Wrong {
        /// The name that the parameters are for.
        name: String,
        /// The error.
        error: ParamError,
    },
}

/// A name, and parameters that have not been checked yet.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Spec {
    /// The name.
    pub name: String,
    given: BTreeMap<String, String>,
}

impl fmt::Display for Spec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.name)?;
        for (place, (key, value)) in self.given.iter().enumerate() {
            write!(f, "{}{key}={value}", if place == 0 { ':' } else { ',' })?;
        }
        Ok(())
    }
}

impl Spec {
    /// Splits `NAME` or `NAME:PARAMETER=VALUE,...`.
    ///
    /// # Errors
    /// Says which part is not of this form.
    pub fn parse(text: &str) -> Result<Self, SpecError> {
        let (name, rest) = text.split_once(':').unwrap_or((text, ""));
        let mut given = BTreeMap::new();
        for part in rest.split(',').map(str::trim).filter(|part| !part.is_empty()) {
            let Some((key, value)) = part.split_once('=') else {
                let comma = if given.is_empty() { "" } else { "; the comma before it ended the previous value" };
                return Err(SpecError::NoValue { name: name.to_owned(), part: part.to_owned(), comma });
            };
            if given.insert(key.trim().to_owned(), value.trim().to_owned()).is_some() {
                return Err(SpecError::Twice(key.trim().to_owned()));
            }
        }
        Ok(Self { name: name.trim().to_owned(), given })
    }

    /// Returns the files that parameters name as `@FILE`, possibly followed by `#` and a name inside the file.
    pub fn files(&self) -> impl Iterator<Item = &str> {
        let named = self.given.values().filter_map(|value| value.strip_prefix('@'));
        named.map(|file| file.split_once('#').map_or(file, |(file, _)| file))
    }

    /// Replaces the paths of files, which parameters name as `@FILE`.
    pub fn replace_paths(&mut self, path: impl Fn(&str) -> String) {
        for value in self.given.values_mut() {
            if let Some(file) = value.strip_prefix('@') {
                *value = format!("@{}", path(file));
            }
        }
    }

    /// Sets a parameter, and replaces a given value.
    pub(crate) fn set(&mut self, name: &str, value: &str) {
        self.given.insert(name.to_owned(), value.to_owned());
    }

    /// Sets a parameter that is not given.
    pub(crate) fn set_default(&mut self, name: &str, value: &str) {
        self.given.entry(name.to_owned()).or_insert_with(|| value.to_owned());
    }

    /// Returns the parameters, checked against `specs`.
    ///
    /// # Errors Names the parameter that is unknown or wrong, and what to write instead.
    pub fn params(&self, specs: &'static [ParamSpec]) -> Result<Params, SpecError> {
        let names = || specs.iter().map(|spec| spec.name);
        if let Some(unknown) = self.given.keys().find(|name| names().all(|known| known != name.as_str())) {
            return Err(SpecError::NoParameter {
                name: self.name.clone(),
                param: unknown.clone(),
                suggestion: Suggestion::new(unknown, names()),
            });
        }
        let texts = self.given.iter().map(|(name, text)| (name.as_str(), text.as_str()));
        Params::of_texts(specs, texts).map_err(|error| SpecError::Wrong { name: self.name.clone(), error })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SPECS: &[ParamSpec] = &[
        ParamSpec::integer("objects", 1, 1 << 40, Some(10), ""),
        ParamSpec::number("skew", 0.0, 4.0, 1.0, ""),
        ParamSpec::text("sizes", "", ""),
    ];

    #[test]
    fn numbers_are_written_as_people_write_them() {
        let read = |text: &str| Spec::parse(text).unwrap().params(SPECS);
        let params = read("zipf:objects=1e6, skew = 2,sizes=1").unwrap();
        assert_eq!((params.integer("objects"), params.number("skew")), (Some(1_000_000), 2.0));
        assert_eq!(params.text("sizes"), "1");
        assert_eq!(read("zipf:objects=1_000").unwrap().integer("objects"), Some(1_000));
        assert_eq!(read("zipf").unwrap().integer("objects"), Some(10));
    }

    #[test]
    fn paths_are_replaced() {
        let mut spec = Spec::parse("zipf:objects=5,sizes=@a.txt#b").unwrap();
        spec.replace_paths(|path| format!("folder/{path}"));
        assert_eq!(spec.to_string(), "zipf:objects=5,sizes=@folder/a.txt#b");
    }

    #[test]
    fn what_is_wrong_is_named() {
        assert_eq!(
            Spec::parse("zipf:10").unwrap_err().to_string(),
            "`10` must be like PARAMETER=VALUE, as in `zipf:10=1`"
        );
        assert_eq!(
            Spec::parse("zipf:sizes=1,2").unwrap_err().to_string(),
            "`2` must be like PARAMETER=VALUE, as in `zipf:2=1`; the comma before it ended the previous value"
        );
        assert_eq!(Spec::parse("zipf:a=1,a=2").unwrap_err().to_string(), "`a` is given twice");
        for (text, message) in [
            ("zipf:object=1", "`zipf` has no parameter `object`; did you mean `objects`?"),
            ("zipf:objects=1.5", "`zipf`: `objects` must be a whole number from 1 to 1099511627776, not \"1.5\""),
            ("zipf:skew=nan", "`zipf`: `skew` must be a number from 0 to 4, not \"nan\""),
        ] {
            assert_eq!(Spec::parse(text).unwrap().params(SPECS).unwrap_err().to_string(), message);
        }
    }
}
