//! The block traces of Microsoft Research Cambridge.

use super::{FormatEntry, Likeness, Start, about};
use crate::requests::columns::{self, DISK_PARAMS, Delimiter, Shape, fits, has_header};
use crate::requests::key::digits;
use crate::requests::ticks::Unit;

const NAME: &str = "msr";
const LIKE: &str = "Timestamp,Hostname,DiskNumber,Type,Offset,Size,ResponseTime";

/// The registry's entry.
pub const ENTRY: FormatEntry = FormatEntry {
    about: about(
        NAME,
        "`time,host,disk,Read or Write,offset,bytes,response time` per line; the time is a Windows file time",
        "Narayanan, Donnelly and Rowstron, FAST'08: the block traces of Microsoft Research Cambridge",
        DISK_PARAMS,
    ),
    also_known_as: &["msr-cambridge"],
    endings: &[],
    recognise,
    open: |input, params| {
        let shape = Shape { unit: Some(Unit::FILE_TIME), header: None, ..Shape::preset(NAME, LIKE) };
        columns::open(
            input,
            shape.with("1", "2+3+5", "6").with_latency("7", Unit::FILE_TIME).of_disk(params, "4", ["Read", "Write"])?,
        )
    },
    writer: None,
};

fn recognise(start: &Start<'_>) -> Likeness {
    let is_word = |text: &[u8]| !text.is_empty() && text.iter().all(u8::is_ascii_alphabetic);
    let is_like = |columns: &[&[u8]]| match columns {
        [time, _, disk, operation, offset, bytes, response] => {
            [time, disk, offset, bytes, response].iter().all(|field| digits(field).is_some()) && is_word(operation)
        }
        _ => false,
    };
    (has_header(start, LIKE) || fits(start, Delimiter::Byte(b','), 7, is_like)).into()
}
