//! Reads some fields of a JSON object in a line, and skips the others, which may be invalid UTF-8.

use serde::de::{DeserializeSeed, Deserializer as _, IgnoredAny, MapAccess, Visitor};
use serde_json::value::RawValue;
use std::fmt;

/// Returns the values of the fields called `names`, as written; for repeated names, the first value.
pub(crate) fn pick<'a, const N: usize>(object: &'a [u8], names: &[String; N]) -> Option<[Option<&'a str>; N]> {
    let mut json = serde_json::Deserializer::from_slice(object);
    let picked = json.deserialize_map(Object { names }).ok()?;
    json.end().ok()?;
    Some(picked)
}

struct Object<'n, const N: usize> {
    names: &'n [String; N],
}

impl<'de, const N: usize> Visitor<'de> for Object<'_, N> {
    type Value = [Option<&'de str>; N];

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        let mut values = [None; N];
        while let Some(place) = map.next_key_seed(Place(self.names))? {
            match place.map(|place| &mut values[place]) {
                Some(value @ None) => *value = Some(map.next_value::<&RawValue>()?.get()),
                _ => drop(map.next_value::<IgnoredAny>()?),
            }
        }
        Ok(values)
    }
}

/// The place of a key among the names.
struct Place<'n, const N: usize>(&'n [String; N]);

impl<'de, const N: usize> DeserializeSeed<'de> for Place<'_, N> {
    type Value = Option<usize>;

    fn deserialize<D: serde::Deserializer<'de>>(self, key: D) -> Result<Self::Value, D::Error> {
        key.deserialize_str(self)
    }
}

impl<'de, const N: usize> Visitor<'de> for Place<'_, N> {
    type Value = Option<usize>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a key")
    }

    fn visit_str<E: serde::de::Error>(self, key: &str) -> Result<Self::Value, E> {
        Ok(self.0.iter().position(|name| name == key))
    }

    fn visit_bytes<E: serde::de::Error>(self, _: &[u8]) -> Result<Self::Value, E> {
        Err(E::custom("a key is text"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::requests::json::text;

    #[test]
    fn fields_are_picked_and_unescaped() {
        let names = ["a", "b", "c"].map(str::to_owned);
        let object = br#"{"x":{"a":[1,"}"]},"b":"p\/q\u0026\"","a":1728568536.123456789,"a":7,"c":null}"#;
        let picked = pick(object, &names).unwrap();
        assert_eq!(picked, [Some("1728568536.123456789"), Some(r#""p\/q\u0026\"""#), Some("null")]);
        let mut unescaped = String::new();
        assert_eq!(text(picked[0].unwrap(), &mut unescaped), Some("1728568536.123456789"));
        assert_eq!(text(picked[1].unwrap(), &mut unescaped), Some("p/q&\""));
        assert_eq!(text("null", &mut unescaped), None);
        for wrong in ["", "[1]", "{\"a\":1", "{\"a\":1} x", "{\"a\":\"\u{1}\"}", "7"] {
            assert_eq!(pick(wrong.as_bytes(), &names), None, "{wrong}");
        }
        assert_eq!(pick("[".repeat(100_000).as_bytes(), &names), None);
        assert_eq!(pick(format!("{{\"x\":{}", "[".repeat(100_000)).as_bytes(), &names), None);
    }
}
