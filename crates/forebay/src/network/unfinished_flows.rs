//! Warnings about flows that have not ended, or not begun: they distort the numbers of the others.

use super::report::{CellReport, GroupReport};

/// More than this share of unfinished flows is said.
const LIMIT: f64 = 0.01;

/// Returns a line for each cell with many unfinished flows, overall or in a size class.
pub(super) fn warnings(cells: &[CellReport]) -> impl Iterator<Item = String> {
    cells.iter().filter_map(|cell| {
        if cell.quantities.mean("flows") == Some(0.0) {
            return Some(format!("{}: no flow started in the counted time", cell.title()));
        }
        let of_all = cell.groups.iter().filter(|group| group.workload.is_none());
        let shares = of_all.filter_map(|group| Some((group, share(group)?)));
        let (worst, most) = shares.reduce(|worst, next| if next.1 > worst.1 { next } else { worst })?;
        let all = cell.group(None).and_then(share).unwrap_or(most);
        let of_class = match &worst.sizes {
            Some(sizes) if most > all => format!(", {} of those of {}", percent(most), sizes.name),
            _ => String::new(),
        };
        (most > LIMIT).then(|| {
            format!(
                "{}: {} of flows are unfinished{of_class}, so the numbers of the completed flows look better than they are",
                cell.title(),
                percent(all)
            )
        })
    })
}

/// Returns the unfinished flows over all flows that have an end.
pub(super) fn share(group: &GroupReport) -> Option<f64> {
    let unfinished = group.quantities.mean("unfinished")?;
    let ending = unfinished + group.quantities.mean("completed")?;
    (ending > 0.0).then(|| unfinished / ending)
}

fn percent(share: f64) -> String {
    format!("{:.1} %", share * 100.0)
}
