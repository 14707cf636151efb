//! Weights of classes, for rank functions that share the link by weight.

use forebay_core::params::ParamKind;
use forebay_core::{ClassId, ParamError, ParamSpec, Params};

/// The greatest weight.
pub const MAX_WEIGHT: u32 = 1_000_000;

/// The weight of every class: 1 where nothing is given.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ClassWeights([u32; 256]);

impl Default for ClassWeights {
    fn default() -> Self {
        Self([1; 256])
    }
}

impl<const N: usize> From<[(ClassId, u32); N]> for ClassWeights {
    /// Every class weighs 1 but those given.
    fn from(given: [(ClassId, u32); N]) -> Self {
        let mut weights = Self::default();
        for (class, weight) in given {
            weights.0[usize::from(class.0)] = weight;
        }
        weights
    }
}

impl ClassWeights {
    /// The parameter that [`read`](Self::read) reads.
    pub const PARAM: ParamSpec = ParamSpec {
        name: "weights",
        kind: ParamKind::Text { default: "" },
        meaning: "weight of each flow of a class, like \"46:4, 34:2\" (DSCP:weight); others weigh 1",
    };

    /// The weight of `class`: at least 1.
    #[must_use]
    pub fn of(&self, class: ClassId) -> u32 {
        self.0[usize::from(class.0)].max(1)
    }

    /// Reads the parameter [`PARAM`](Self::PARAM).
    ///
    /// # Errors
    /// If it is not a list of class:weight.
    pub fn read(params: &Params) -> Result<Self, ParamError> {
        let mut weights = Self::default();
        for pair in params.text(Self::PARAM.name).split(',').map(str::trim).filter(|pair| !pair.is_empty()) {
            let parsed = pair.split_once(':').and_then(|(class, weight)| {
                Some((class.trim().parse::<u8>().ok()?, weight.trim().parse::<u32>().ok()?))
            });
            match parsed {
                Some((class, weight @ 1..=MAX_WEIGHT)) => weights.0[usize::from(class)] = weight,
                _ => {
                    let message = format!(
                        "`weights` must be a list of class:weight with classes from 0 to 255 and weights from 1 to \
                         {MAX_WEIGHT}, like \"46:4, 0:1\", not `{pair}` in it"
                    );
                    return Err(ParamError::of(Self::PARAM.name, message));
                }
            }
        }
        Ok(weights)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use forebay_core::ParamValue;
    use std::collections::BTreeMap;

    fn read(text: &str) -> Result<ClassWeights, ParamError> {
        let given = BTreeMap::from([("weights".to_owned(), ParamValue::Text(text.to_owned()))]);
        ClassWeights::read(&Params::check(&[ClassWeights::PARAM], given)?)
    }

    #[test]
    fn classes_that_are_not_named_weigh_one() {
        let weights = read(" 46:4, 0 : 2,").unwrap();
        assert_eq!([46, 0, 34].map(|class| weights.of(ClassId(class))), [4, 2, 1]);
    }

    #[test]
    fn what_is_not_a_list_of_weights_is_refused() {
        for text in ["46", "46:0", "256:1", "46:1000001", "EF:1"] {
            assert!(read(text).is_err(), "{text}");
        }
    }
}
