//! Traces in the format of the Storage Performance Council, as the UMass repository has them.

use super::{FormatEntry, Likeness, Start, about};
use crate::requests::columns::{self, DISK_PARAMS, Delimiter, Shape, fits};
use crate::requests::key::{digits, nanoseconds};

const NAME: &str = "spc";
const LIKE: &str = "ASU,LBA,bytes,R or W,seconds";

/// The registry's entry.
pub const ENTRY: FormatEntry = FormatEntry {
    about: about(
        NAME,
        "`ASU,LBA,bytes,opcode,seconds` per line: application storage unit, block of 512 bytes, size, R or W, time",
        "Storage Performance Council, SPC Trace File Format Specification 1.0.1; the storage traces of the UMass repository",
        DISK_PARAMS,
    ),
    also_known_as: &["umass"],
    endings: &["spc"],
    recognise,
    open: |input, params| {
        let shape = Shape { sector: 512, size_sector: 1, ..Shape::preset(NAME, LIKE).with("5", "1+2", "3") };
        columns::open(input, shape.of_disk(params, "4", ["R", "W"])?)
    },
    writer: None,
};

/// Times have decimals; otherwise the first column may as well be the time of another format.
fn recognise(start: &Start<'_>) -> Likeness {
    let mut has_decimals = false;
    let is_like = |columns: &[&[u8]]| match columns {
        [unit, block, bytes, [operation], time, ..] if operation.is_ascii_alphabetic() => {
            has_decimals |= time.contains(&b'.');
            [unit, block, bytes].iter().all(|field| digits(field).is_some()) && nanoseconds(time, 1).is_ok()
        }
        _ => false,
    };
    let fits = fits(start, Delimiter::Byte(b','), 16, is_like);
    match (fits, has_decimals) {
        (true, true) => Likeness::Yes,
        (true, false) => Likeness::Fits,
        (false, _) => Likeness::No,
    }
}
