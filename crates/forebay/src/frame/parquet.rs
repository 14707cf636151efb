//! A frame as a Parquet file.

use super::{Frame, FrameColumn};
use crate::error::{Result, UserError};
use crate::output::parquet::{Column, ParquetFile};
use parquet::data_type::ByteArray;

impl Frame {
    /// Returns the rows as a Parquet file, compressed with LZ4. An axis whose values are all numbers is a column of numbers.
    ///
    /// # Errors
    /// If the table cannot be written.
    pub fn parquet(&self) -> Result<Vec<u8>> {
        let columns: Vec<(String, Column)> =
            self.columns().into_iter().map(|(name, column)| (name, column.into())).collect();
        let written = ParquetFile::begin(Vec::new(), "result", &columns).and_then(|mut file| {
            file.rows(&columns)?;
            file.finish()
        });
        written.map_err(|error| UserError::new(format!("the result cannot be written as Parquet: {error}")))
    }
}

impl From<FrameColumn> for Column {
    fn from(column: FrameColumn) -> Self {
        match column {
            FrameColumn::Text(texts) => {
                Self::Text(texts.iter().map(|text| text.as_deref().map(ByteArray::from)).collect())
            }
            FrameColumn::Number(numbers) => Self::Number(numbers),
            FrameColumn::Whole(numbers) => Self::Whole(numbers),
        }
    }
}
