//! A policy or a prefetcher as a person writes it: a name, and parameters in brackets.

use forebay_core::registry::UnknownName;
use forebay_core::{ParamError, ParamValue};

/// Why a text is no policy, or no prefetcher.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ChoiceError {
    /// There is nothing of the name.
    #[error(transparent)]
    Unknown(#[from] UnknownName),
    /// The name is only what ends that of a MAD form.
    #[error("MAD is a form of other policies: write lru-mad, arc-mad, lhd-mad, ...")]
    OnlyMad,
    /// The policy has no MAD form.
    #[error("`{0}` has no MAD form: it does not estimate the time to the next access")]
    NoMadForm(&'static str),
    /// The rule of admission comes before MAD in the name.
    #[error("admission goes in front of the MAD form, not into it: write {policy}-mad-{rule}")]
    MadAroundRule {
        /// The policy.
        policy: &'static str,
        /// The rule.
        rule: &'static str,
    },
    /// The name has two rules of admission.
    #[error("a policy has one rule of admission: take {inner} or {outer}")]
    TwoRules {
        /// The rule that stands first.
        inner: &'static str,
        /// The rule that stands last.
        outer: &'static str,
    },
    /// The name is only that of a rule.
    #[error("`{0}` is a rule of admission in front of other policies: write lru-{0}, arc-{0}, lru-mad-{0}, ...")]
    OnlyRule(&'static str),
    /// The policy knows the future, and leaves out new objects by itself.
    #[error(
        "`{policy}` takes no rule of admission: it knows the future; take a policy that does not, such as lru-{rule}"
    )]
    OfflineAdmission {
        /// The policy.
        policy: &'static str,
        /// The rule.
        rule: &'static str,
    },
    /// The parameters do not end.
    #[error("`{0}`: the bracket is not closed")]
    OpenBracket(String),
    /// A parameter has no value.
    #[error("`{text}`: write parameters as name=value, not `{param}`")]
    NoValue {
        /// The whole text.
        text: String,
        /// What stands in the parameter's place.
        param: String,
    },
    /// A parameter is there twice.
    #[error("`{text}`: `{param}` is given twice")]
    Twice {
        /// The whole text.
        text: String,
        /// The parameter.
        param: String,
    },
    /// A parameter is unknown, of the wrong kind or out of its range.
    #[error("`{text}`: {error}")]
    Params {
        /// The whole text.
        text: String,
        /// The error.
        error: ParamError,
    },
}

/// Its text.
impl From<ChoiceError> for String {
    fn from(error: ChoiceError) -> Self {
        error.to_string()
    }
}

/// A parameter as it is written, or the error in it.
type Written = Result<(String, ParamValue), ChoiceError>;

/// The name in small letters, since papers and people write LRU and SIEVE, and the parameters in the brackets behind it.
pub(crate) fn name_and_params(text: &str) -> Result<(String, impl Iterator<Item = Written>), ChoiceError> {
    let (name, params) = match text.split_once('(') {
        None => (text, ""),
        Some((name, rest)) => {
            let inside = rest.strip_suffix(')');
            (name.trim_end(), inside.ok_or_else(|| ChoiceError::OpenBracket(text.to_owned()))?)
        }
    };
    let param = |param: &str| {
        let (key, value) = param
            .split_once('=')
            .ok_or_else(|| ChoiceError::NoValue { text: text.to_owned(), param: param.to_owned() })?;
        Ok((key.trim().to_owned(), value_of(value.trim())))
    };
    Ok((name.to_lowercase(), params.split(',').map(str::trim).filter(|param| !param.is_empty()).map(param)))
}

fn value_of(text: &str) -> ParamValue {
    text.parse()
        .map(ParamValue::Integer)
        .or_else(|_| text.parse().map(ParamValue::Number))
        .unwrap_or_else(|_| ParamValue::Text(text.to_owned()))
}
