//! A comparison of two policies: `latency of lru-mad below lru`.

use super::Cell;
use forebay::document::Node;
use forebay::error::{Result, WrongValue};
use std::fmt;
use std::str::FromStr;

/// The percentage by which a quantity of one policy is below or above that of another.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Comparison {
    quantity: Quantity,
    policy: String,
    side: Side,
    other: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Quantity {
    Latency,
    Misses,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Side {
    Below,
    Above,
}

impl FromStr for Comparison {
    type Err = WrongValue;

    fn from_str(text: &str) -> std::result::Result<Self, WrongValue> {
        let wrong =
            || WrongValue::from(format!("`{text}` is not a comparison; write it like `latency of lru-mad below lru`"));
        let words: Vec<&str> = text.split_whitespace().collect();
        let [quantity, "of", policy, side, other] = words[..] else { return Err(wrong()) };
        let quantity = match quantity {
            "latency" => Quantity::Latency,
            "misses" => Quantity::Misses,
            _ => return Err(wrong()),
        };
        let side = match side {
            "below" => Side::Below,
            "above" => Side::Above,
            _ => return Err(wrong()),
        };
        Ok(Self { quantity, policy: policy.to_owned(), side, other: other.to_owned() })
    }
}

impl fmt::Display for Comparison {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let quantity = match self.quantity {
            Quantity::Latency => "latency",
            Quantity::Misses => "misses",
        };
        let side = match self.side {
            Side::Below => "below",
            Side::Above => "above",
        };
        write!(f, "{quantity} of {} {side} {}", self.policy, self.other)
    }
}

impl Comparison {
    /// Returns the difference in percent of the other policy's value; `None` if the cell lacks one of them.
    pub(super) fn of(&self, cell: &Cell) -> Option<f64> {
        let value = |policy: &str| {
            let result = cell.result(policy)?;
            Some(match self.quantity {
                Quantity::Latency => result.mean_latency,
                Quantity::Misses => result.miss_ratio,
            })
        };
        Some(self.percent(value(&self.policy)?, value(&self.other)?))
    }

    fn percent(&self, own: f64, other: f64) -> f64 {
        match self.side {
            Side::Below => (1.0 - own / other) * 100.0,
            Side::Above => (own / other - 1.0) * 100.0,
        }
    }
}

/// Returns the comparisons that an experiment lists.
pub(super) fn all(listed: &[Node]) -> Result<Vec<Comparison>> {
    let one = |node: &Node| node.text("compare")?.parse().map_err(|wrong: WrongValue| node.error(wrong));
    listed.iter().map(one).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read() {
        for text in ["latency of lru-mad below lru", "misses of arc-mad above arc"] {
            assert_eq!(text.parse::<Comparison>().unwrap().to_string(), text);
        }
        for text in ["", "latency of lru", "hits of a above b", "latency of a beside b", "misses in a above b"] {
            assert!(text.parse::<Comparison>().is_err(), "{text}");
        }
        let percent = |text: &str| text.parse::<Comparison>().unwrap().percent(3.0, 4.0);
        assert_eq!(percent("latency of a below b"), 25.0);
        assert_eq!(percent("latency of a above b"), -25.0);
    }
}
