//! Every name that the command knows: names of the library, and of datapaths, back ends and measures.

use forebay::catalogue::{Entry, Kind, entries};
use forebay_conform::datapath::DATAPATHS;
#[cfg(target_os = "linux")]
use forebay_linux::switch::BACKENDS;
use forebay_repro::MEASURES;

/// All entries, kind by kind.
pub(crate) fn all() -> Vec<Entry> {
    let mut all = entries();
    all.extend(Entry::all(Kind::Datapath, DATAPATHS));
    #[cfg(target_os = "linux")]
    all.extend(Entry::all(Kind::BackEnd, BACKENDS));
    all.extend(Entry::all(Kind::Measure, MEASURES));
    // In the order of kinds; within a kind, as the registry has them.
    all.sort_by_key(|entry| Kind::ALL.iter().position(|kind| *kind == entry.kind));
    all
}
