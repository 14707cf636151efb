//! `--capacity`: the size of the cache, as a person writes it.

use super::list::whole;
use super::population::Population;
use crate::document::{Node, Value};
use crate::error::{self, WrongValue};
use forebay_core::units::parse_bytes;
use std::fmt;
use std::str::FromStr;

/// A capacity, absolute or as a share of the trace's objects or bytes.
#[derive(Debug, Clone)]
pub struct CapacitySpec {
    text: String,
    kind: Kind,
}

#[derive(Debug, Clone, Copy)]
enum Kind {
    /// Entries where sizes are not looked at, bytes otherwise.
    Plain(u64),
    /// With a unit.
    Bytes(u64),
    /// A share of all objects (of the sum of their sizes).
    ShareOfObjects(f64),
    /// A share of the greatest number of objects (sum of sizes) between their first and their last request at one time (thesis, footnote
    /// 17).
    ShareOfActive(f64),
}

impl FromStr for CapacitySpec {
    type Err = WrongValue;

    fn from_str(text: &str) -> Result<Self, WrongValue> {
        let text = text.trim();
        let share = |number: &str| {
            let share = number.trim().parse::<f64>().ok().filter(|share| *share > 0.0 && *share <= 100.0);
            share
                .map(|share| share / 100.0)
                .ok_or_else(|| format!("`{text}`: a share must be above 0 % and at most 100 %"))
        };
        let kind = if let Some(number) = text.strip_suffix("%active").or_else(|| text.strip_suffix("% active")) {
            Kind::ShareOfActive(share(number)?)
        } else if let Some(number) = text.strip_suffix('%') {
            Kind::ShareOfObjects(share(number)?)
        } else if let Some(number) = whole(text) {
            Kind::Plain(number)
        } else {
            let what = "a number of entries, bytes like 64MB, a share of all objects like 5%, or of the objects active \
                        at one time like 5%active";
            Kind::Bytes(parse_bytes(text).map_err(|_| format!("`{text}` is not a capacity; write {what}"))?)
        };
        if matches!(kind, Kind::Plain(0) | Kind::Bytes(0)) {
            return Err("a cache holds at least one entry; the capacity must be above 0".into());
        }
        Ok(Self { text: text.to_owned(), kind })
    }
}

impl CapacitySpec {
    /// Reads a capacity from a scenario: a number, or a text.
    pub(super) fn of(node: &Node) -> error::Result<Self> {
        let text = match &node.value {
            Value::Text(text) => text.clone(),
            Value::Integer(number) => number.to_string(),
            _ => {
                let kind = node.kind();
                return Err(node.error(format!("`capacity` must be a number or a text like \"5%\", not a {kind}")));
            }
        };
        text.parse().map_err(|error: WrongValue| node.error(error))
    }

    /// Returns whether the capacity depends on the times of requests.
    pub(super) fn is_of_active(&self) -> bool {
        matches!(self.kind, Kind::ShareOfActive(_))
    }

    /// Returns the default capacity: a share of all objects if `of_all`, otherwise of the objects that are active at one time.
    pub(super) fn usual(of_all: bool) -> Self {
        let (text, kind) =
            if of_all { ("5%", Kind::ShareOfObjects(0.05)) } else { ("5%active", Kind::ShareOfActive(0.05)) };
        Self { text: text.to_owned(), kind }
    }

    /// Returns whether the capacity requires a pass over the trace before the run.
    pub fn is_share(&self) -> bool {
        matches!(self.kind, Kind::ShareOfObjects(_) | Kind::ShareOfActive(_))
    }

    /// Returns the capacity: in bytes if `sized`, in entries otherwise.
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "float casts saturate")]
    pub fn resolve(&self, sized: bool, population: Option<Population>) -> Result<u64, WrongValue> {
        let share = |share: f64, whole: u64| Ok((share * whole as f64).round().max(1.0) as u64);
        match (self.kind, population) {
            (Kind::Bytes(_), _) if !sized => Err(format!(
                "`{self}` is in bytes, but every object counts as one entry; write sizes = \"bytes\" (--sizes bytes)"
            )
            .into()),
            (Kind::Plain(capacity) | Kind::Bytes(capacity), _) => Ok(capacity),
            (Kind::ShareOfObjects(part), Some(population)) => share(part, population.objects),
            (Kind::ShareOfActive(part), Some(Population { active: Some(active), .. })) => share(part, active),
            (Kind::ShareOfActive(_), Some(_)) => Err(format!(
                "`{self}`: a share of the active objects is a number of objects, not of bytes; write a share of all bytes like 5%"
            )
            .into()),
            (_, None) => Err(format!("`{self}`: a share needs a trace").into()),
        }
    }
}

impl fmt::Display for CapacitySpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_bytes_and_shares() {
        let population = Some(Population { objects: 2_000, active: Some(100) });
        let resolve = |text: &str, sized| text.parse::<CapacitySpec>()?.resolve(sized, population);
        assert_eq!(resolve("64", false), Ok(64));
        assert_eq!(resolve("1_000", true), Ok(1_000));
        assert_eq!(resolve("64 MB", true), Ok(64_000_000));
        assert!(resolve("64 MB", false).unwrap_err().to_string().contains("--sizes bytes"));
        assert_eq!(resolve("5%", false), Ok(100));
        assert_eq!(resolve("5%active", false), Ok(5));
        assert!(resolve("0", false).is_err());
        assert!(resolve("101%", false).is_err());
        assert!(resolve("many", false).unwrap_err().to_string().contains("is not a capacity"));
    }
}
