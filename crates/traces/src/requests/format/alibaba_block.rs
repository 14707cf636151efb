//! The block traces of Alibaba's cloud.

use super::{FormatEntry, Likeness, Start, about};
use crate::requests::columns::{self, DISK_PARAMS, Delimiter, Shape, fits, has_header};
use crate::requests::key::digits;
use crate::requests::ticks::Unit;

const NAME: &str = "alibaba-block";
const LIKE: &str = "device_id,opcode,offset,length,timestamp";

/// The registry's entry.
pub const ENTRY: FormatEntry = FormatEntry {
    about: about(
        NAME,
        "`device,R or W,offset,bytes,microseconds` per line",
        "Li, Wang, Lee and Shi, IISWC'20: the block traces that Alibaba Cloud has published",
        DISK_PARAMS,
    ),
    also_known_as: &["alibaba"],
    endings: &[],
    recognise,
    open: |input, params| {
        let shape = Shape { unit: Some(Unit::MICROSECONDS), header: None, ..Shape::preset(NAME, LIKE) };
        columns::open(input, shape.with("5", "1+3", "4").of_disk(params, "2", ["R", "W"])?)
    },
    writer: None,
};

fn recognise(start: &Start<'_>) -> Likeness {
    let is_like = |columns: &[&[u8]]| match columns {
        [device, [operation], offset, bytes, time] if operation.is_ascii_alphabetic() => {
            [device, offset, bytes, time].iter().all(|field| digits(field).is_some())
        }
        _ => false,
    };
    (has_header(start, LIKE) || fits(start, Delimiter::Byte(b','), 5, is_like)).into()
}
