//! The traces of webcachesim and LRB: time, object, size and features.

use super::{FormatEntry, Likeness, Start, about};
use crate::requests::columns::{self, Delimiter, Shape, fits};
use crate::requests::key::digits;
use crate::requests::ticks::{UNITS, Unit};
use forebay_core::ParamSpec;

const NAME: &str = "webcachesim";
const LIKE: &str = "time id size";

/// The registry's entry.
pub const ENTRY: FormatEntry = FormatEntry {
    about: about(
        NAME,
        "`time id size` per line in whole numbers, with spaces; more columns are features, which are not used",
        "Berger, Sitaraman and Harchol-Balter, NSDI'17; Song et al., NSDI'20: the traces that webcachesim and LRB read",
        &[ParamSpec::choice(
            "unit",
            UNITS,
            "s",
            "the unit of the time; auto: that in which the first time is a date of our days",
        )],
    ),
    also_known_as: &["lrb"],
    endings: &["tr"],
    recognise,
    open: |input, params| {
        let unit = Unit::of_name(params.text("unit"));
        let shape = Shape { unit, delimiter: Delimiter::Spaces, ..Shape::preset(NAME, LIKE) };
        columns::open(input, shape.with("1", "2", "3"))
    },
    writer: None,
};

/// Any three numbers or more look so, if the first does not fall.
fn recognise(start: &Start<'_>) -> Likeness {
    let mut last = 0;
    let is_like = |columns: &[&[u8]]| {
        let mut numbers = columns.iter().map(|field| digits(field));
        let time = numbers.next().flatten();
        let is_next = time.is_some_and(|time| std::mem::replace(&mut last, time) <= time);
        is_next && columns.len() >= 3 && numbers.all(|number| number.is_some())
    };
    if fits(start, Delimiter::Spaces, 64, is_like) { Likeness::Fits } else { Likeness::No }
}
