//! Finds the values of some fields of a JSON object, without building the rest.

use crate::requests::paths::MOST;
use serde::de::{DeserializeSeed, Error, IgnoredAny, MapAccess, Visitor};
use serde::{Deserialize, Deserializer};
use serde_json::value::RawValue;
use std::fmt;

/// The texts of the values that were found, in the order of the paths.
pub(super) type Values<'a> = [Option<&'a str>; MOST];

/// Returns the values at some paths, such as `url` or `request.url`, in an object.
pub(super) fn values<'a>(line: &'a str, paths: &[String]) -> serde_json::Result<Values<'a>> {
    let mut values = [None; MOST];
    let mut json = serde_json::Deserializer::from_str(line);
    let all = (1 << paths.len().min(MOST)) - 1;
    Object { paths, from: 0, open: all, values: &mut values }.deserialize(&mut json)?;
    json.end()?;
    Ok(values)
}

/// An object within the line.
struct Object<'p, 'v, 'a> {
    paths: &'p [String],
    /// The length of the part of the open paths that leads to this object.
    from: usize,
    /// A bit for each path that leads here.
    open: u32,
    values: &'v mut Values<'a>,
}

impl<'a> DeserializeSeed<'a> for Object<'_, '_, 'a> {
    type Value = ();

    fn deserialize<D: Deserializer<'a>>(self, json: D) -> Result<(), D::Error> {
        json.deserialize_map(self)
    }
}

impl<'a> Visitor<'a> for Object<'_, '_, 'a> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<M: MapAccess<'a>>(self, mut map: M) -> Result<(), M::Error> {
        let Self { paths, from, open, values } = self;
        while let Some(Name { ends, leads, length }) = map.next_key_seed(Matching { paths, from, open })? {
            if ends | leads == 0 {
                map.next_value::<IgnoredAny>()?;
                continue;
            }
            let value: &RawValue = map.next_value()?;
            let mut left = ends;
            while left != 0 {
                values[left.trailing_zeros() as usize] = Some(value.get());
                left &= left - 1;
            }
            if leads != 0 && value.get().starts_with('{') {
                let mut json = serde_json::Deserializer::from_str(value.get());
                let inner = Object { paths, from: from + length + 1, open: leads, values: &mut *values };
                inner.deserialize(&mut json).map_err(Error::custom)?;
            }
        }
        Ok(())
    }
}

/// A field's name, held against the open paths.
struct Matching<'p> {
    paths: &'p [String],
    from: usize,
    open: u32,
}

/// The role of a field's name in the paths.
struct Name {
    /// A bit for each path that ends here.
    ends: u32,
    /// A bit for each path that continues within the value.
    leads: u32,
    /// The bytes of the name.
    length: usize,
}

impl<'a> DeserializeSeed<'a> for Matching<'_> {
    type Value = Name;

    fn deserialize<D: Deserializer<'a>>(self, json: D) -> Result<Name, D::Error> {
        json.deserialize_str(self)
    }
}

impl Visitor<'_> for Matching<'_> {
    type Value = Name;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a name")
    }

    fn visit_str<E: Error>(self, name: &str) -> Result<Name, E> {
        let mut found = Name { ends: 0, leads: 0, length: name.len() };
        for (place, path) in self.paths.iter().enumerate().take(MOST) {
            let bit = 1 << place;
            let rest = path.as_bytes().get(self.from..).filter(|_| self.open & bit != 0);
            match rest.and_then(|rest| rest.strip_prefix(name.as_bytes())) {
                Some(b"") => found.ends |= bit,
                Some([b'.', ..]) => found.leads |= bit,
                _ => {}
            }
        }
        Ok(found)
    }
}

/// Returns the text within a value: a string without its quotes, or a number unchanged. Returns `None` for other values.
pub(in crate::requests) fn text<'a>(value: &'a str, unescaped: &'a mut String) -> Option<&'a str> {
    match value.as_bytes() {
        [b'"', inner @ .., b'"'] if memchr::memchr(b'\\', inner).is_none() => value.get(1..value.len() - 1),
        [b'"', ..] => {
            *unescaped = String::deserialize(&mut serde_json::Deserializer::from_str(value)).ok()?;
            Some(unescaped)
        }
        [b'0'..=b'9' | b'-', ..] => Some(value),
        _ => None,
    }
}

/// Passes each element of a list to `take`.
pub(super) fn each_element(list: &str, take: &mut dyn FnMut(&str)) -> serde_json::Result<()> {
    struct Elements<'t>(&'t mut dyn FnMut(&str));

    impl<'a> Visitor<'a> for Elements<'_> {
        type Value = ();

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("a list")
        }

        fn visit_seq<S: serde::de::SeqAccess<'a>>(self, mut elements: S) -> Result<(), S::Error> {
            while let Some(element) = elements.next_element::<&RawValue>()? {
                self.0(element.get());
            }
            Ok(())
        }
    }
    serde_json::Deserializer::from_str(list).deserialize_seq(Elements(take))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_found_by_path() {
        let paths = ["a", "b.c", "b.d.e", "x.y"].map(str::to_owned);
        let line = r#"{"b": {"c": "7\"", "z": [1], "d": {"e": 1.50}}, "q": {"a": 1}, "a": [1, 2], "x.y": null}"#;
        let found = values(line, &paths).unwrap();
        assert_eq!(found[..4], [Some("[1, 2]"), Some(r#""7\"""#), Some("1.50"), Some("null")]);
        assert_eq!(text(found[1].unwrap(), &mut String::new()), Some("7\""));
        assert_eq!(text("12.5", &mut String::new()), Some("12.5"));
        assert_eq!(text("null", &mut String::new()), None);
        for wrong in ["", "[1]", "{", "{\"a\": }", "{} x", "7"] {
            assert!(values(wrong, &paths).is_err(), "{wrong}");
        }
        let mut elements = Vec::new();
        each_element("[1, \"a\", {}]", &mut |element| elements.push(element.to_owned())).unwrap();
        assert_eq!(elements, ["1", "\"a\"", "{}"]);
    }
}
