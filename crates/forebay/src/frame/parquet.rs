//! A frame as a Parquet file, which pandas, Polars, DuckDB and R read.

use super::{Frame, in_si};
use crate::error::{Result, UserError};
use parquet::basic::{Compression, LogicalType, Repetition, Type as Physical};
use parquet::data_type::{ByteArray, ByteArrayType, DataType, DoubleType, Int64Type};
use parquet::errors::ParquetError;
use parquet::file::properties::WriterProperties;
use parquet::file::writer::{SerializedFileWriter, SerializedRowGroupWriter};
use parquet::schema::types::Type;
use std::sync::Arc;

/// A column and its values; [`None`] where a cell has no value of an axis.
enum Column {
    Text(Vec<Option<String>>),
    Number(Vec<Option<f64>>),
    Whole(Vec<i64>),
}

impl Frame {
    /// The rows as a Parquet file, packed with LZ4. An axis whose values are all numbers is a column of numbers.
    ///
    /// # Errors
    /// If the table cannot be written.
    pub fn parquet(&self) -> Result<Vec<u8>> {
        write(&self.columns())
            .map_err(|error| UserError::new(format!("the result cannot be written as Parquet: {error}")))
    }

    fn columns(&self) -> Vec<(String, Column)> {
        let axis = |place: usize| {
            let texts: Vec<Option<String>> = self.rows().map(|row| row.axes[place].as_deref().map(in_si)).collect();
            let numbers: Option<Vec<Option<f64>>> = texts
                .iter()
                .map(|text| text.as_ref().map(|text| text.parse().ok()).map_or(Some(None), |number| number.map(Some)))
                .collect();
            numbers.map_or(Column::Text(texts), Column::Number)
        };
        let axes = self.axes.iter().enumerate().map(|(place, name)| (name.clone(), axis(place)));
        let text = |of: fn(&super::Row<'_>) -> String| Column::Text(self.rows().map(|row| Some(of(&row))).collect());
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

fn write(columns: &[(String, Column)]) -> std::result::Result<Vec<u8>, ParquetError> {
    let fields =
        columns.iter().map(|(name, column)| field(name, column)).collect::<std::result::Result<Vec<_>, _>>()?;
    let schema = Arc::new(Type::group_type_builder("result").with_fields(fields).build()?);
    let properties = Arc::new(WriterProperties::builder().set_compression(Compression::LZ4_RAW).build());
    let mut bytes = Vec::new();
    let mut file = SerializedFileWriter::new(&mut bytes, schema, properties)?;
    let mut rows = file.next_row_group()?;
    for (_, column) in columns {
        match column {
            Column::Text(values) => {
                let bytes = values.iter().map(|value| value.as_deref().map(ByteArray::from)).collect::<Vec<_>>();
                optional::<ByteArrayType>(&mut rows, &bytes)?;
            }
            Column::Number(values) => optional::<DoubleType>(&mut rows, values)?,
            Column::Whole(values) => {
                if let Some(mut column) = rows.next_column()? {
                    column.typed::<Int64Type>().write_batch(values, None, None)?;
                    column.close()?;
                }
            }
        }
    }
    rows.close()?;
    file.close()?;
    Ok(bytes)
}

fn field(name: &str, column: &Column) -> std::result::Result<Arc<Type>, ParquetError> {
    let (physical, logical, repetition) = match column {
        Column::Text(_) => (Physical::BYTE_ARRAY, Some(LogicalType::String), Repetition::OPTIONAL),
        Column::Number(_) => (Physical::DOUBLE, None, Repetition::OPTIONAL),
        Column::Whole(_) => (Physical::INT64, None, Repetition::REQUIRED),
    };
    let builder = Type::primitive_type_builder(name, physical).with_logical_type(logical);
    builder.with_repetition(repetition).build().map(Arc::new)
}

/// Writes a column in which values may be missing.
fn optional<T: DataType>(
    rows: &mut SerializedRowGroupWriter<'_, &mut Vec<u8>>,
    values: &[Option<T::T>],
) -> std::result::Result<(), ParquetError> {
    let Some(mut column) = rows.next_column()? else { return Ok(()) };
    let levels: Vec<i16> = values.iter().map(|value| i16::from(value.is_some())).collect();
    let there: Vec<T::T> = values.iter().flatten().cloned().collect();
    column.typed::<T>().write_batch(&there, Some(&levels), None)?;
    column.close()
}
