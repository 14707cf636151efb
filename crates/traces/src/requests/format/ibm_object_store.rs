//! The traces of IBM's cloud object storage.

use super::{FormatEntry, Likeness, Start, about};
use crate::requests::columns::{self, Delimiter, OBJECT_OPERATIONS, Shape, fits};
use crate::requests::key::digits;
use crate::requests::ticks::Unit;

const NAME: &str = "ibm-object-store";
const LIKE: &str = "milliseconds REST.GET.OBJECT key bytes";

/// The registry's entry.
pub const ENTRY: FormatEntry = FormatEntry {
    about: about(
        NAME,
        "`milliseconds operation key bytes [begin end]` per line, as `1232488 REST.GET.OBJECT 95d363d3fbdc0b03 1168 0 1167`",
        "Eytan et al., HotStorage'20: the object storage traces of IBM at SNIA; the range of a read is not used",
        &[OBJECT_OPERATIONS],
    ),
    also_known_as: &["ibm"],
    endings: &[],
    recognise,
    open: |input, params| {
        let shape = Shape {
            unit: Some(Unit::MILLISECONDS),
            delimiter: Delimiter::Spaces,
            ..Shape::preset(NAME, LIKE).with("1", "3", "4")
        };
        columns::open(input, shape.with_reads(params, "2", &["REST.GET.OBJECT"]))
    },
    writer: None,
};

fn recognise(start: &Start<'_>) -> Likeness {
    let is_like = |columns: &[&[u8]]| match columns {
        [time, operation, _, rest @ ..] => {
            operation.starts_with(b"REST.")
                && digits(time).is_some()
                && rest.iter().all(|field| digits(field).is_some())
        }
        _ => false,
    };
    fits(start, Delimiter::Spaces, 6, is_like).into()
}
