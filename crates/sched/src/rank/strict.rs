//! Strict priority by class.
//!
//! By default a higher DSCP is served first. A list of classes in `order` replaces this default: the first class of the list is served
//! first. Classes outside the list are served after all classes of the list, higher DSCP first.

use crate::traits::{RankEntry, RankFn, RankRange, Serves};
use forebay_core::params::ParamKind;
use forebay_core::{About, Exactness, Packet, ParamError, ParamSpec, Params, Time};

/// Classes are 8-bit numbers; a DSCP has 6 bits.
const CLASSES: usize = 256;
const CLASS: ParamKind = ParamKind::Integer { min: 0, max: CLASSES as u64 - 1, default: None };

/// The registry's entry for [`Strict`].
pub const ENTRY: RankEntry = RankEntry {
    about: About {
        name: "strict",
        title: "Strict priority by class: rank = the class's position in the order",
        exactness: Exactness::NotApplicable,
        hardware: "a table of classes",
        cost: "O(1); one rank per class",
        source: "RFC 2474; common practice",
        params: &[ParamSpec::list(
            "order",
            &CLASS,
            "",
            "classes by DSCP number, first served first, like [46, 34, 0]; the rest follow, higher first",
        )],
    },
    also_known_as: &["strict-priority"],
    needs: None,
    serves: Serves::Classes,
    range: RankRange::UpTo(CLASSES as u64 - 1),
    build: |_, params| Ok(Box::new(Strict::new(&read_order(params)?))),
};

fn read_order(params: &Params) -> Result<Vec<u8>, ParamError> {
    let mut order = Vec::new();
    for class in params.integers("order") {
        let class = u8::try_from(class).expect("the parameter's range has 8 bits");
        if order.contains(&class) {
            return Err(ParamError::of(
                "order",
                format!("`order` must be a list of different classes; it has {class} twice"),
            ));
        }
        order.push(class);
    }
    Ok(order)
}

/// A rank function that ranks packets by a table of classes.
#[derive(Debug, Clone)]
pub struct Strict {
    rank_of_class: [u8; CLASSES],
}

impl Strict {
    /// Creates strict priority with the classes in `order` first, then all other classes, higher numbers first.
    #[must_use]
    pub fn new(order: &[u8]) -> Self {
        let rest = (0..=u8::MAX).rev().filter(|class| !order.contains(class));
        let mut rank_of_class = [0; CLASSES];
        for (rank, class) in (0..=u8::MAX).zip(order.iter().copied().chain(rest)) {
            rank_of_class[usize::from(class)] = rank;
        }
        Self { rank_of_class }
    }
}

impl RankFn for Strict {
    fn rank(&mut self, _: Time, packet: &Packet) -> u64 {
        u64::from(self.rank_of_class[usize::from(packet.class.0)])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use forebay_core::{ClassId, ParamValue, Rate};
    use std::collections::BTreeMap;

    fn ranks(order: &[u8], classes: [u8; 3]) -> [u64; 3] {
        let mut strict = Strict::new(order);
        classes.map(|class| strict.rank(Time::ZERO, &Packet { class: ClassId(class), ..Packet::default() }))
    }

    #[test]
    fn a_higher_class_is_served_first_unless_an_order_is_given() {
        assert_eq!(ranks(&[], [255, 46, 0]), [0, 209, 255]);
        assert_eq!(ranks(&[0, 46], [0, 46, 255]), [0, 1, 2]);
    }

    #[test]
    fn an_order_that_is_not_a_list_of_classes_is_refused() {
        for order in [[46, 300], [46, 46]] {
            let list = ParamValue::List(order.map(ParamValue::Integer).into());
            let link = Rate::parse("1 Gbps").unwrap();
            let params = Params::check(ENTRY.about.params, BTreeMap::from([("order".to_owned(), list)]));
            assert!(params.and_then(|params| (ENTRY.build)(Some(link), &params)).is_err(), "{order:?}");
        }
    }
}
