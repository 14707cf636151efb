//! Runs that end, or are counted, before they have settled.

use super::others;
use crate::output::table::ns;
use crate::statistics::Settled;

/// Returns lines for cells, each with its title and the findings of its repetitions. `what` names the thing that has to settle, and
/// `advice` says how to count later.
pub(crate) fn warnings<'a>(
    cells: impl Iterator<Item = (String, &'a [Option<Settled>])>,
    what: &str,
    advice: &str,
) -> Vec<String> {
    let (mut short, mut early): (Vec<String>, Vec<(String, f64, f64)>) = (Vec::new(), Vec::new());
    for (title, runs) in cells {
        let known: Vec<Settled> = runs.iter().copied().flatten().collect();
        // One repetition may be odd by chance.
        let most = |are: usize| 2 * are > runs.len();
        if most(known.iter().filter(|run| run.settled_ns.is_none()).count()) {
            short.push(title);
        } else if most(known.iter().filter(|run| run.is_early).count()) {
            let latest = known.iter().filter(|run| run.is_early).filter_map(|run| run.settled_ns).fold(0.0, f64::max);
            early.push((title, known[0].counted_from_ns, latest));
        }
    }
    early.sort_by(|a, b| b.2.total_cmp(&a.2));
    let of_short = short.first().map(|title| {
        format!(
            "the run is too short under {title}{}: {what} had not settled in its first half (MSER-5), so its means depend on how long it runs",
            others(short.len() - 1)
        )
    });
    let of_early = early.first().map(|(title, from, settled)| {
        format!(
            "counted from {}, but under {title}{} {what} had settled only at {} (MSER-5); {advice}",
            if *from == 0.0 { "0 s".to_owned() } else { ns(Some(*from)) },
            others(early.len() - 1),
            ns(Some(*settled))
        )
    });
    of_short.into_iter().chain(of_early).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn most_repetitions_must_agree_and_the_latest_is_named() {
        let run = |settled_ns, is_early| Some(Settled { settled_ns, counted_from_ns: 1e6, is_early });
        let cells = [
            ("A", vec![run(None, false), run(None, false), run(Some(1.0), false)]),
            ("B", vec![run(None, false), run(Some(1.0), false), None]),
            ("C", vec![run(Some(2e6), true)]),
            ("D", vec![run(Some(3e6), true), run(Some(4e6), true)]),
            ("E", vec![run(Some(3e6), true), run(Some(4e6), false)]),
            ("F", vec![None]),
        ];
        let lines = warnings(cells.iter().map(|(title, runs)| ((*title).to_owned(), &runs[..])), "the queue", "wait");
        assert_eq!(
            lines,
            [
                "the run is too short under A: the queue had not settled in its first half (MSER-5), so its means depend on how long it runs",
                "counted from 1.00 ms, but under D and 1 other the queue had settled only at 4.00 ms (MSER-5); wait",
            ]
        );
    }
}
