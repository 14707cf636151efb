//! The weights of classes, for rank functions that share the link by weight.

use forebay_core::params::ParamKind;
use forebay_core::{ClassId, ParamError, ParamSpec, Params};

/// The greatest weight.
pub const MAX_WEIGHT: u32 = 1_000_000;
const WEIGHT: ParamKind = ParamKind::Integer { min: 1, max: MAX_WEIGHT as u64, default: None };

/// The weight of every class; classes without a given weight have weight 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ClassWeights([u32; 256]);

impl Default for ClassWeights {
    fn default() -> Self {
        Self([1; 256])
    }
}

impl<const N: usize> From<[(ClassId, u32); N]> for ClassWeights {
    /// Gives every class without an entry in `given` the weight 1.
    fn from(given: [(ClassId, u32); N]) -> Self {
        let mut weights = Self::default();
        for (class, weight) in given {
            weights.0[usize::from(class.0)] = weight;
        }
        weights
    }
}

impl ClassWeights {
    /// The parameter from which [`read`](Self::read) reads the weights.
    pub const PARAM: ParamSpec = ParamSpec {
        name: "weights",
        kind: ParamKind::Map { key: "class", of: &WEIGHT },
        meaning: "weight of each flow of a class, like { 46 = 4, 34 = 2 } (DSCP = weight); others weigh 1",
    };

    /// The weight of `class`: at least 1.
    #[must_use]
    pub fn of(&self, class: ClassId) -> u32 {
        self.0[usize::from(class.0)].max(1)
    }

    /// Reads the parameter [`PARAM`](Self::PARAM).
    ///
    /// # Errors
    /// If a key is no class.
    pub fn read(params: &Params) -> Result<Self, ParamError> {
        let mut weights = Self::default();
        for (class, weight) in params.integers_by_key(Self::PARAM.name) {
            let Some(place) = class.parse::<u8>().ok().filter(|place| place.to_string() == class) else {
                let message =
                    format!("`weights` has classes from 0 to 255, like {{ 46 = 4, 0 = 1 }}, and not `{class}`");
                return Err(ParamError::of(Self::PARAM.name, message));
            };
            weights.0[usize::from(place)] = u32::try_from(weight).expect("the parameter's range has 32 bits");
        }
        Ok(weights)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use forebay_core::ParamValue;
    use std::collections::BTreeMap;

    fn read(weights: &[(&str, i64)]) -> Result<ClassWeights, ParamError> {
        let entries = weights.iter().map(|(class, weight)| ((*class).to_owned(), ParamValue::Integer(*weight)));
        let given = BTreeMap::from([("weights".to_owned(), ParamValue::Table(entries.collect()))]);
        ClassWeights::read(&Params::check(&[ClassWeights::PARAM], given)?)
    }

    #[test]
    fn classes_that_are_not_named_weigh_one() {
        let weights = read(&[("46", 4), ("0", 2)]).unwrap();
        assert_eq!([46, 0, 34].map(|class| weights.of(ClassId(class))), [4, 2, 1]);
    }

    #[test]
    fn what_is_no_class_or_no_weight_is_rejected() {
        for entry in [("46", 0), ("256", 1), ("46", 1_000_001), ("EF", 1)] {
            assert!(read(&[entry]).is_err(), "{entry:?}");
        }
    }
}
