//! A frame as a Parquet file.

use super::{Frame, in_si};
use crate::error::{Result, UserError};
use crate::output::parquet::{Column, ParquetFile};
use parquet::data_type::ByteArray;

impl Frame {
    /// The rows as a Parquet file, packed with LZ4. An axis whose values are all numbers is a column of numbers.
    ///
    /// # Errors
    /// If the table cannot be written.
    pub fn parquet(&self) -> Result<Vec<u8>> {
        let columns = self.columns();
        let written = ParquetFile::begin(Vec::new(), "result", &columns).and_then(|mut file| {
            file.rows(&columns)?;
            file.finish()
        });
        written.map_err(|error| UserError::new(format!("the result cannot be written as Parquet: {error}")))
    }

    fn columns(&self) -> Vec<(String, Column)> {
        let axis = |place: usize| {
            let texts: Vec<Option<String>> = self.rows().map(|row| row.axes[place].as_deref().map(in_si)).collect();
            let numbers: Option<Vec<Option<f64>>> = texts
                .iter()
                .map(|text| text.as_ref().map(|text| text.parse().ok()).map_or(Some(None), |number| number.map(Some)))
                .collect();
            let as_texts = || texts.iter().map(|text| text.as_deref().map(ByteArray::from)).collect();
            numbers.map_or_else(|| Column::Text(as_texts()), Column::Number)
        };
        let axes = self.axes.iter().enumerate().map(|(place, name)| (name.clone(), axis(place)));
        let text = |of: fn(&super::Row<'_>) -> String| {
            Column::Text(self.rows().map(|row| Some(of(&row).as_str().into())).collect())
        };
        let own = [
            ("policy", text(|row| row.policy.to_owned())),
            ("subject", text(|row| row.subject.kind.to_owned())),
            ("item", text(|row| row.subject.item.clone())),
            ("metric", text(|row| row.metric.to_owned())),
            ("unit", text(|row| row.unit.to_owned())),
            ("repetition", Column::Whole(self.rows().map(|row| row.repetition.cast_signed()).collect())),
            ("value", Column::Number(self.rows().map(|row| Some(row.value)).collect())),
        ];
        axes.chain(own.map(|(name, column)| (name.to_owned(), column))).collect()
    }
}
