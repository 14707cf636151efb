//! Flows that waited for a handshake whose packets were lost.

use super::others;

/// Returns a line if flows waited, with the cell in which most flows did. Each cell has a title, and its number of timeouts in a
/// repetition.
pub(crate) fn warning(cells: impl Iterator<Item = (String, f64)>) -> Option<String> {
    let mut waited: Vec<(String, f64)> = cells.filter(|(_, timeouts)| *timeouts > 0.0).collect();
    waited.sort_by(|a, b| b.1.total_cmp(&a.1));
    let (title, timeouts) = waited.first()?;
    let timeouts = if timeouts.fract() == 0.0 { format!("{timeouts}") } else { format!("{timeouts:.1}") };
    Some(format!(
        "{title}{}: {timeouts} times a sender waited in vain for the answer to a SYN, each time for `initial_rto` or longer; these flows \
         are among the slowest, and `handshake_timeouts` in flows.csv marks them",
        others(waited.len() - 1)
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_cell_in_which_most_waited_is_named() {
        let cells = |timeouts: [f64; 3]| ["A", "B", "C"].map(str::to_owned).into_iter().zip(timeouts);
        assert_eq!(warning(cells([0.0; 3])), None);
        let said = warning(cells([0.0, 2.0, 1.5])).unwrap();
        assert!(said.starts_with("B and 1 other: 2 times a sender waited in vain for the answer to a SYN"), "{said}");
    }
}
