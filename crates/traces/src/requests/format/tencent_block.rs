//! The block traces of Tencent's cloud.

use super::{FormatEntry, Likeness, Start, about};
use crate::requests::columns::{self, DISK_PARAMS, Delimiter, Shape, fits, has_header};
use crate::requests::key::digits;

const NAME: &str = "tencent-block";
const LIKE: &str = "Timestamp,Offset,Size,IOType,VolumeID";
/// Seconds since 1970 of our days.
const TIMES: std::ops::Range<u64> = 1_000_000_000..10_000_000_000;

/// The registry's entry.
pub const ENTRY: FormatEntry = FormatEntry {
    about: about(
        NAME,
        "`seconds,offset,size,0 (read) or 1 (write),volume` per line; offset and size in sectors of 512 bytes",
        "Zhang et al., ATC'20: the traces of Tencent's cloud block storage at SNIA",
        DISK_PARAMS,
    ),
    also_known_as: &["tencent"],
    endings: &[],
    recognise,
    open: |input, params| {
        let shape = Shape { sector: 512, size_sector: 512, header: None, ..Shape::preset(NAME, LIKE) };
        columns::open(input, shape.with("1", "5+2", "3").of_disk(params, "4", ["0", "1"])?)
    },
    writer: None,
};

/// Without a header, any five columns of numbers may look like it.
fn recognise(start: &Start<'_>) -> Likeness {
    let is_like = |columns: &[&[u8]]| match columns {
        [time, offset, size, [b'0' | b'1'], volume] => {
            [offset, size, volume].iter().all(|field| digits(field).is_some())
                && digits(time).is_some_and(|time| TIMES.contains(&time))
        }
        _ => false,
    };
    if has_header(start, LIKE) {
        Likeness::Yes
    } else if fits(start, Delimiter::Byte(b','), 5, is_like) {
        Likeness::Fits
    } else {
        Likeness::No
    }
}
