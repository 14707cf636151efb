//! Lists in arguments: `lru,lru-k(k=3),origins(68ms,103ms)`.

use crate::error::WrongValue;
use std::fmt::Display;
use std::str::FromStr;

/// The texts between commas, except for commas inside brackets.
#[derive(Debug, Clone)]
pub struct List<T>(pub Vec<T>);

impl<T: FromStr<Err: Display> + Display> FromStr for List<T> {
    type Err = WrongValue;

    fn from_str(text: &str) -> Result<Self, WrongValue> {
        let items: Vec<_> = split(text).into_iter().map(str::trim).collect();
        if items.iter().any(|item| item.is_empty()) {
            return Err("something is missing between two commas".into());
        }
        let read = |item: &str| item.parse().map_err(|error: T::Err| WrongValue::from(error.to_string()));
        let items: Vec<T> = items.into_iter().map(read).collect::<Result<_, _>>()?;
        let mut texts: Vec<_> = items.iter().map(T::to_string).collect();
        texts.sort_unstable();
        match texts.windows(2).find(|pair| pair[0] == pair[1]) {
            Some(pair) => Err(format!("`{}` is given twice", pair[0]).into()),
            None => Ok(Self(items)),
        }
    }
}

/// A whole number as people write it: `1000`, `1_000`, `1e3`.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "checked to be a whole number that floats hold"
)]
pub(crate) fn whole(text: &str) -> Option<u64> {
    let digits = text.replace('_', "");
    digits.parse().ok().or_else(|| {
        let number: f64 = digits.parse().ok().filter(|_| digits.contains(['e', 'E']))?;
        (number >= 0.0 && number.fract() == 0.0 && number <= (1_u64 << 53) as f64).then_some(number as u64)
    })
}

/// Splits a text at commas, except for commas inside brackets.
pub(super) fn split(text: &str) -> Vec<&str> {
    let mut depth = 0_i32;
    text.split(|letter| {
        match letter {
            '(' => depth += 1,
            ')' => depth -= 1,
            _ => {}
        }
        letter == ',' && depth <= 0
    })
    .collect()
}

/// Splits `name(inside)`, or `name` alone.
pub(super) fn call(text: &str) -> Result<(&str, Option<&str>), WrongValue> {
    match text.split_once('(') {
        None => Ok((text.trim(), None)),
        Some((name, rest)) => match rest.trim_end().strip_suffix(')') {
            Some(inside) => Ok((name.trim(), Some(inside))),
            None => Err(format!("`{text}`: the bracket is not closed").into()),
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commas_in_brackets_belong_to_the_item() {
        assert_eq!(split("a,b(c,d),e"), ["a", "b(c,d)", "e"]);
        assert!("a,,b".parse::<List<Any>>().is_err());
        assert_eq!("a,b".parse::<List<Any>>().unwrap_err().to_string(), "`any` is given twice");
        assert_eq!(call("a (b)"), Ok(("a", Some("b"))));
        assert!(call("a(b").is_err());
    }

    #[derive(Debug)]
    struct Any;

    impl Display for Any {
        fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
            f.write_str("any")
        }
    }

    impl FromStr for Any {
        type Err = WrongValue;

        fn from_str(_: &str) -> Result<Self, WrongValue> {
            Ok(Self)
        }
    }
}
