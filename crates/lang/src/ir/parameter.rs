//! Live parameters: constants of a policy that can be changed while it runs.

use super::ids::ParameterId;
use super::{Cond, Num, Read};
use crate::number::{Fixed, Ratio};
use crate::unit::{Unit, Value, called, written};

/// A `param` that can be changed while the policy runs (`docs/openqueue-semantics.md`, section 9).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Parameter {
    /// The parameter's name.
    pub name: String,
    /// The parameter's unit.
    pub unit: Unit,
    /// The parameter's initial value.
    pub initial: Fixed,
}

/// A value for a live parameter has the wrong unit.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "`{name}` is {}, and {} is {}", called(*unit), written(given.number, given.unit), called(given.unit)
)]
pub struct WrongUnit {
    /// The parameter.
    pub name: String,
    /// The parameter's unit.
    pub unit: Unit,
    /// The value.
    pub given: Value,
}

/// Converts the error into its text.
impl From<WrongUnit> for String {
    fn from(error: WrongUnit) -> Self {
        error.to_string()
    }
}

impl Parameter {
    /// Converts a given value; a value without unit gets that of the parameter. The result is rounded down and clamped to the numbers at
    /// run time.
    ///
    /// # Errors
    /// If the value has another unit.
    pub fn accept(&self, value: Value) -> Result<Fixed, WrongUnit> {
        if value.unit != Unit::None && value.unit != self.unit {
            return Err(WrongUnit { name: self.name.clone(), unit: self.unit, given: value });
        }
        Ok(Fixed::floor(value.number))
    }

    /// Returns a value with its unit, in the syntax of policies.
    #[must_use]
    pub fn shown(&self, value: Fixed) -> String {
        let exact = value.exact();
        if exact.is_integer() {
            return written(exact, self.unit);
        }
        let unit = written(Ratio::from_integer(0), self.unit);
        format!("{value}{}", unit.trim_start_matches('0'))
    }
}

/// Returns the error for a name that is not live in `policy`, whose live parameters are `others`.
#[must_use]
pub fn not_live(name: &str, policy: &str, others: &[&str]) -> NotLive {
    let others = others.iter().map(|&other| other.to_owned()).collect();
    NotLive { name: name.to_owned(), policy: policy.to_owned(), others }
}

/// A parameter that cannot be set while its policy runs.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{name}` is not live in {policy}; {}; name it with --live when the policy is deployed", live(others))]
pub struct NotLive {
    /// The parameter's name.
    pub name: String,
    /// The policy.
    pub policy: String,
    /// The live parameters of the policy.
    pub others: Vec<String>,
}

fn live(names: &[String]) -> String {
    if names.is_empty() { "nothing is".to_owned() } else { format!("live are {}", names.join(", ")) }
}

impl Cond {
    /// Returns the live parameters that the condition reads, each once.
    pub(crate) fn parameters(&self) -> Vec<ParameterId> {
        let mut all = Vec::new();
        self.reads(&mut |read| {
            if let Read::Parameter(id) = read
                && !all.contains(&id)
            {
                all.push(id);
            }
        });
        all
    }

    /// Returns the condition with a constant for each live parameter.
    pub(crate) fn with_parameters(&self, value: &dyn Fn(ParameterId) -> Fixed) -> Self {
        let both =
            |left: &Self, right: &Self| (Box::new(left.with_parameters(value)), Box::new(right.with_parameters(value)));
        match self {
            Self::Const(truth) => Self::Const(*truth),
            Self::Compare(relation, left, right) => {
                Self::Compare(*relation, left.with_parameters(value), right.with_parameters(value))
            }
            Self::CompareProducts(relation, products) => {
                let product = |product: &[Num; 2]| product.each_ref().map(|factor| factor.with_parameters(value));
                Self::CompareProducts(*relation, Box::new(products.each_ref().map(product)))
            }
            Self::Not(operand) => Self::Not(Box::new(operand.with_parameters(value))),
            Self::And(left, right) => {
                let (left, right) = both(left, right);
                Self::And(left, right)
            }
            Self::Or(left, right) => {
                let (left, right) = both(left, right);
                Self::Or(left, right)
            }
        }
    }
}

impl Num {
    fn with_parameters(&self, value: &dyn Fn(ParameterId) -> Fixed) -> Self {
        let folded = match self {
            Self::Read(Read::Parameter(id)) => return Self::Const(value(*id).exact()),
            Self::Const(_) | Self::Read(_) => return self.clone(),
            Self::Neg(operand) => Self::Neg(Box::new(operand.with_parameters(value))),
            Self::Arith(arith, left, right) => {
                Self::Arith(*arith, Box::new(left.with_parameters(value)), Box::new(right.with_parameters(value)))
            }
        };
        let mut reads = false;
        folded.reads(&mut |_| reads = true);
        if reads { folded } else { Self::Const(folded.value(&mut |_| Fixed(0))) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_have_the_unit_of_the_parameter() {
        let parameter = |unit| Parameter { name: "K".to_owned(), unit, initial: Fixed(0) };
        let accept = |unit, text: &str| parameter(unit).accept(text.parse().unwrap());
        assert_eq!(accept(Unit::Packets, "20"), Ok(Fixed::whole(20)));
        assert_eq!(accept(Unit::Packets, "20 pkts"), Ok(Fixed::whole(20)));
        assert_eq!(accept(Unit::Bytes, "2 KB"), Ok(Fixed::whole(2_000)));
        assert_eq!(accept(Unit::None, "1/3"), Ok(Fixed(21_845)));
        assert_eq!(accept(Unit::Packets, "5 ms").unwrap_err().to_string(), "`K` is packets, and 5 ms is a time");
        assert_eq!(
            accept(Unit::None, "5 pkts").unwrap_err().to_string(),
            "`K` is a number without unit, and 5 pkts is packets"
        );
        assert_eq!(parameter(Unit::Bytes).shown(Fixed::whole(64_000)), "64 KB");
        assert_eq!(parameter(Unit::None).shown(Fixed(32_768)), "0.5");
        assert_eq!(parameter(Unit::Packets).shown(Fixed(98_304)), "1.5 pkts");
    }
}
