//! Live parameters of a policy in the kernel: their descriptions in its programs, and their values in a map.

use crate::kernel::map_values::Words;
use serde::{Deserialize, Serialize};

/// The name and the unit of a live parameter.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Parameter {
    /// The parameter's name.
    pub name: String,
    /// Its unit, as policies write it: `pkts`, `B`, `ns`, `bps`, `%`, or nothing.
    pub unit: String,
}

/// A live parameter and its value.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ParameterValue {
    /// The parameter's name.
    pub name: String,
    /// The parameter's unit.
    pub unit: String,
    /// The parameter's value.
    pub value: f64,
    /// The exact value in units of 1/65,536.
    pub units: i64,
}

impl Parameter {
    /// Reads the parameters that a program declares, such as `K:pkts, P:` and a byte 0.
    #[cfg_attr(not(feature = "load"), expect(dead_code, reason = "no programs are looked at"))]
    pub(crate) fn read_all(bytes: &[u8]) -> Vec<Self> {
        let text = bytes.split(|byte| *byte == 0).next().unwrap_or_default();
        let text = String::from_utf8_lossy(text);
        let named = |part: &str| {
            let (name, unit) = part.trim().split_once(':')?;
            Some(Self { name: name.to_owned(), unit: unit.to_owned() })
        };
        text.split(',').filter_map(named).collect()
    }

    /// Returns the parameters with their values from a map.
    pub(crate) fn valued(all: &[Self], map: &[u8]) -> Vec<ParameterValue> {
        let mut words = Words(map);
        let one = |parameter: &Self| {
            let units = words.long().cast_signed();
            #[expect(clippy::cast_precision_loss, reason = "for people; the exact one is beside it")]
            let value = units as f64 / 65_536.0;
            ParameterValue { name: parameter.name.clone(), unit: parameter.unit.clone(), value, units }
        };
        all.iter().map(one).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_have_the_names_of_the_programs() {
        let map: Vec<u8> = [98_304_i64, -65_536].iter().flat_map(|units| units.to_ne_bytes()).collect();
        let all = [("K", "pkts"), ("P", "")].map(|(name, unit)| Parameter { name: name.into(), unit: unit.into() });
        let values: Vec<_> =
            Parameter::valued(&all, &map).into_iter().map(|it| (it.name, it.value, it.units)).collect();
        assert_eq!(values, [("K".to_owned(), 1.5, 98_304), ("P".to_owned(), -1.0, -65_536)]);
    }

    #[cfg(feature = "load")]
    #[test]
    fn programs_name_them_with_their_units() {
        let found: Vec<_> = Parameter::read_all(b"K:pkts, P:\0").into_iter().map(|it| (it.name, it.unit)).collect();
        assert_eq!(found, [("K", "pkts"), ("P", "")].map(|(name, unit)| (name.to_owned(), unit.to_owned())));
    }
}
