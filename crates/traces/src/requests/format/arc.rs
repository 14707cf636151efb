//! The traces of the ARC authors: ranges of blocks.

use super::{FormatEntry, Likeness, Start, about};
use crate::requests::columns::{self, Delimiter, Shape, fits};
use crate::requests::key::digits;

const NAME: &str = "arc";
const LIKE: &str = "first block, number of blocks, ignored, number of the line";
/// The size of a block.
const BLOCK_BYTES: u64 = 512;

/// The registry's entry.
pub const ENTRY: FormatEntry = FormatEntry {
    about: about(
        NAME,
        "`first block, number of blocks, ignored, number of the line` per line, with spaces; each block of 512 bytes is a request",
        "Megiddo and Modha, FAST'03: the traces on which ARC was compared",
        &[],
    ),
    also_known_as: &[],
    endings: &["lis"],
    recognise,
    open: |input, _| {
        let shape = Shape {
            sector: BLOCK_BYTES,
            size_sector: BLOCK_BYTES,
            block: Some(BLOCK_BYTES),
            delimiter: Delimiter::Spaces,
            ..Shape::preset(NAME, LIKE).with("0", "1", "2")
        };
        columns::open(input, shape)
    },
    writer: None,
};

/// Four numbers of which the last counts the lines.
fn recognise(start: &Start<'_>) -> Likeness {
    let (mut last, mut lines) = (None, 0);
    let is_like = |columns: &[&[u8]]| match columns {
        [first, count, ignored, number] => {
            let number = digits(number);
            let counts = number.is_some() && last.is_none_or(|last: u64| number == last.checked_add(1));
            (last, lines) = (number, lines + 1);
            counts
                && digits(first).is_some()
                && digits(ignored).is_some()
                && digits(count).is_some_and(|count| count > 0)
        }
        _ => false,
    };
    let fits = fits(start, Delimiter::Spaces, 4, is_like);
    match lines {
        _ if !fits => Likeness::No,
        1 => Likeness::Fits,
        _ => Likeness::Yes,
    }
}
