//! A frame by its columns, for consumers of columns: Parquet, Arrow, data frames.

use super::{Frame, Row, in_si};

/// A column of a frame, with a value for each row.
#[derive(Debug, Clone, PartialEq)]
pub enum FrameColumn {
    /// Texts; [`None`] where a row has none.
    Text(Vec<Option<String>>),
    /// Numbers; [`None`] where a row has none.
    Number(Vec<Option<f64>>),
    /// Whole numbers.
    Whole(Vec<i64>),
}

impl Frame {
    /// Returns the columns of [`Frame::csv`], in the same order. An axis whose values are all numbers is a column of numbers.
    pub fn columns(&self) -> Vec<(String, FrameColumn)> {
        let axis = |place: usize| {
            let texts: Vec<Option<String>> = self.rows().map(|row| row.axes[place].as_deref().map(in_si)).collect();
            let numbers: Option<Vec<Option<f64>>> = texts
                .iter()
                .map(|text| text.as_ref().map(|text| text.parse().ok()).map_or(Some(None), |number| number.map(Some)))
                .collect();
            numbers.map_or(FrameColumn::Text(texts), FrameColumn::Number)
        };
        let axes = self.axes.iter().enumerate().map(|(place, name)| (name.clone(), axis(place)));
        let text = |of: fn(&Row<'_>) -> String| FrameColumn::Text(self.rows().map(|row| Some(of(&row))).collect());
        let own = [
            ("policy", text(|row| row.policy.to_owned())),
            ("subject", text(|row| row.subject.kind.to_owned())),
            ("item", text(|row| row.subject.item.clone())),
            ("metric", text(|row| row.metric.to_owned())),
            ("unit", text(|row| row.unit.to_owned())),
            ("repetition", FrameColumn::Whole(self.rows().map(|row| row.repetition.cast_signed()).collect())),
            ("value", FrameColumn::Number(self.rows().map(|row| Some(row.value)).collect())),
        ];
        axes.chain(own.map(|(name, column)| (name.to_owned(), column))).collect()
    }
}
