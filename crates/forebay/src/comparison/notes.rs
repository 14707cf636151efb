//! Notes about the intervals.

use super::{Compared, Comparison};
use crate::headline::Kind;
use crate::picture::title_of_metric;
use crate::statistics::MOST_REPETITIONS;

/// Returns a line if there are no intervals, and a line if the repetitions are too few.
pub(super) fn notes(comparison: &Comparison, kind: Kind, is_once: bool) -> Vec<String> {
    if is_once {
        let or_argument = if matches!(kind, Kind::Cache | Kind::Curve) { " or `--repeat 5`" } else { "" };
        return vec![format!("one repetition: no confidence intervals; `repetitions = 5`{or_argument} gives them")];
    }
    too_few(comparison).into_iter().collect()
}

/// The number of repetitions that would tell policies apart which the intervals do not tell apart.
fn too_few(comparison: &Comparison) -> Option<String> {
    let mut open: Vec<(&Compared, usize)> =
        comparison.main().filter_map(|own| Some((own, own.repetitions_needed?))).collect();
    open.sort_by_key(|(_, needed)| *needed);
    let (first, least) = *open.first()?;
    let (last, most) = *open.last()?;
    let title = title_of_metric(&first.metric);
    if open.len() == 1 {
        let Compared { policy, to, .. } = first;
        return Some(format!(
            "the interval of the difference in {title} between {policy} and {to}{} includes 0; {} repetitions would likely tell them \
             apart",
            place(first),
            number(least)
        ));
    }
    let of = |own: &Compared| format!("{} and {}{}", own.policy, own.to, place(own));
    let range = if least == most {
        number(most)
    } else {
        format!("{} ({}) to {} ({})", number(least), of(first), number(most), of(last))
    };
    Some(format!(
        "{} of {} intervals of differences in {title} include 0; {range} repetitions would likely tell these policies apart",
        open.len(),
        comparison.main().count(),
    ))
}

/// `about 12`, or `more than 1000`.
fn number(needed: usize) -> String {
    if needed > MOST_REPETITIONS { format!("more than {MOST_REPETITIONS}") } else { format!("about {needed}") }
}

/// Returns a text such as ` at load 0.6`; empty if there is only one place.
fn place(own: &Compared) -> String {
    let axes = own.axes.iter().map(|place| format!("{} {}", place.name, place.text));
    let item = (!own.item.is_empty()).then(|| format!("{} {}", own.subject.replace('_', " "), own.item));
    let all: Vec<String> = axes.chain(item).collect();
    if all.is_empty() { String::new() } else { format!(" at {}", all.join(", ")) }
}

#[cfg(test)]
mod tests {
    use crate::comparison::{Comparison, How};
    use crate::frame::{Frame, Subject};
    use crate::headline::Kind;

    /// The tail of the delay of policies at loads, over repetitions.
    fn frame(cells: &[(&str, &str, &[f64])]) -> Frame {
        let mut frame = Frame::new(vec!["load".to_owned()]);
        for (policy, load, values) in cells {
            let cell = frame.cell(policy, vec![Some((*load).to_owned())]);
            let repetitions: Vec<u64> = (0..values.len() as u64).collect();
            let values: Vec<Option<f64>> = values.iter().map(|value| Some(*value)).collect();
            cell.add(&Subject::all(), "delay_ns_p99", &repetitions, &values);
        }
        frame
    }

    fn compared(frame: &Frame, baseline: Option<&str>) -> Comparison {
        let choices = vec!["A", "B", "C"];
        Comparison::new(frame, &How { kind: Kind::Port, baseline, choices, is_once: false })
    }

    #[test]
    fn the_two_best_are_compared_where_there_is_no_baseline() {
        let frame = frame(&[
            ("A", "0.5", &[10.0, 20.0, 30.0]),
            ("B", "0.5", &[11.0, 20.0, 32.0]),
            ("C", "0.5", &[90.0, 91.0, 92.0]),
            ("offline", "0.5", &[1.0, 1.0, 1.0]),
        ]);
        let comparison = compared(&frame, None);
        let [own] = &comparison.differences[..] else { panic!("{comparison:?}") };
        assert_eq!((own.policy.as_str(), own.to.as_str(), own.pairs), ("B", "A", 3));
        // Differences of 1, 0 and 2 ns: a mean of 1 and a deviation of 1. t(0.975, n - 1) / sqrt(n) is 1.24 with 5 and 1.05 with 6
        // values, and 0.925 with 7.
        assert_eq!(own.repetitions_needed, Some(7));
        let note = "the interval of the difference in delay, p99 between B and A at load 0.5 includes 0; about 7 repetitions would likely \
                    tell them apart";
        assert_eq!(comparison.notes, [note]);
        assert_eq!(comparison.table(), format!("\n{note}\n"));
    }

    #[test]
    fn several_open_differences_are_one_line() {
        let frame = frame(&[
            ("A", "0.5", &[10.0, 20.0, 30.0]),
            ("B", "0.5", &[11.0, 20.0, 32.0]),
            ("A", "0.9", &[10.0, 20.0, 30.0]),
            ("B", "0.9", &[10.0, 19.0, 31.0]),
            ("A", "1.1", &[10.0, 20.0, 30.0]),
            ("B", "1.1", &[20.0, 30.1, 40.0]),
        ]);
        let comparison = compared(&frame, Some("A"));
        let needed: Vec<Option<usize>> = comparison.differences.iter().map(|own| own.repetitions_needed).collect();
        assert_eq!(needed, [Some(7), Some(1_001), None]);
        assert_eq!(
            comparison.notes,
            [
                "2 of 3 intervals of differences in delay, p99 include 0; about 7 (B and A at load 0.5) to more than 1000 (B and A at \
              load 0.9) repetitions would likely tell these policies apart"
            ]
        );
    }

    #[test]
    fn clear_and_equal_differences_need_no_word() {
        let clear = frame(&[("A", "0.5", &[10.0, 20.0]), ("B", "0.5", &[20.0, 30.01])]);
        assert!(compared(&clear, None).notes.is_empty() && compared(&clear, Some("A")).notes.is_empty());
        let equal = frame(&[("A", "0.5", &[10.0, 20.0]), ("B", "0.5", &[10.0, 20.0])]);
        assert!(compared(&equal, None).notes.is_empty() && compared(&equal, Some("A")).notes.is_empty());
        assert!(compared(&frame(&[("A", "0.5", &[10.0]), ("B", "0.5", &[12.0])]), None).differences.is_empty());
    }
}
