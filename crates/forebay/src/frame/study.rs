//! The frame of a queue study.

use super::{Frame, Subject};
use crate::study::{Quantity, RankQuantity, StudyReport};

impl From<&StudyReport> for Frame {
    fn from(report: &StudyReport) -> Self {
        let mut frame = Self::new(vec!["ranks".to_owned(), "load".to_owned()]);
        for result in &report.results {
            let cell = frame.cell(&result.queue, vec![Some(result.ranks.clone()), Some(result.load.to_string())]);
            for quantity in Quantity::ALL {
                let values = &result.estimate(quantity).values;
                cell.add(&Subject::all(), quantity.name(), &result.repetitions, values);
            }
            for (bin, lowest) in result.per_rank.lowest_rank.iter().enumerate() {
                let subject = Subject::of("rank", lowest.to_string());
                for quantity in RankQuantity::ALL {
                    let values = &result.per_rank.column(quantity).values[bin];
                    cell.add(&subject, quantity.name(), &result.repetitions, values);
                }
            }
        }
        frame
    }
}
