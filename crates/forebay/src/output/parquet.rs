//! Writes rows as a Parquet file, which pandas, Polars, DuckDB and R read.

use parquet::basic::{Compression, LogicalType, Repetition, Type as Physical};
use parquet::data_type::{BoolType, ByteArray, ByteArrayType, DataType, DoubleType, Int64Type};
use parquet::errors::ParquetError;
use parquet::file::properties::WriterProperties;
use parquet::file::writer::{SerializedFileWriter, SerializedRowGroupWriter};
use parquet::schema::types::Type;
use std::io::Write;
use std::sync::Arc;

type Result<T> = std::result::Result<T, ParquetError>;

/// A column and its values; [`None`] if a row has no value.
pub(crate) enum Column {
    Text(Vec<Option<ByteArray>>),
    Number(Vec<Option<f64>>),
    /// Below 2^63.
    Count(Vec<Option<i64>>),
    /// The bits of unsigned numbers.
    Code(Vec<Option<i64>>),
    Flag(Vec<Option<bool>>),
    /// Every row has one.
    Whole(Vec<i64>),
}

impl Column {
    /// Removes all values.
    pub(crate) fn clear(&mut self) {
        match self {
            Self::Text(values) => values.clear(),
            Self::Number(values) => values.clear(),
            Self::Count(values) | Self::Code(values) => values.clear(),
            Self::Flag(values) => values.clear(),
            Self::Whole(values) => values.clear(),
        }
    }
}

/// A Parquet file, packed with LZ4. Columns of texts have dictionaries.
pub(crate) struct ParquetFile<W: Write + Send>(SerializedFileWriter<W>);

impl<W: Write + Send> ParquetFile<W> {
    /// Begins a file with these columns.
    pub(crate) fn begin(to: W, name: &str, columns: &[(String, Column)]) -> Result<Self> {
        let fields = columns.iter().map(|(name, column)| field(name, column)).collect::<Result<Vec<_>>>()?;
        let schema = Arc::new(Type::group_type_builder(name).with_fields(fields).build()?);
        let properties = Arc::new(WriterProperties::builder().set_compression(Compression::LZ4_RAW).build());
        SerializedFileWriter::new(to, schema, properties).map(Self)
    }

    /// Writes the rows of these columns as a row group.
    pub(crate) fn rows(&mut self, columns: &[(String, Column)]) -> Result<()> {
        let mut rows = self.0.next_row_group()?;
        for (_, column) in columns {
            match column {
                Column::Text(values) => optional::<ByteArrayType, _>(&mut rows, values)?,
                Column::Number(values) => optional::<DoubleType, _>(&mut rows, values)?,
                Column::Count(values) | Column::Code(values) => optional::<Int64Type, _>(&mut rows, values)?,
                Column::Flag(values) => optional::<BoolType, _>(&mut rows, values)?,
                Column::Whole(values) => {
                    if let Some(mut column) = rows.next_column()? {
                        column.typed::<Int64Type>().write_batch(values, None, None)?;
                        column.close()?;
                    }
                }
            }
        }
        rows.close().map(|_| ())
    }

    /// Ends the file, and returns its destination.
    pub(crate) fn finish(self) -> Result<W> {
        self.0.into_inner()
    }
}

fn field(name: &str, column: &Column) -> Result<Arc<Type>> {
    let unsigned = LogicalType::integer(64, false);
    let (physical, logical, repetition) = match column {
        Column::Text(_) => (Physical::BYTE_ARRAY, Some(LogicalType::String), Repetition::OPTIONAL),
        Column::Number(_) => (Physical::DOUBLE, None, Repetition::OPTIONAL),
        Column::Count(_) => (Physical::INT64, None, Repetition::OPTIONAL),
        Column::Code(_) => (Physical::INT64, Some(unsigned), Repetition::OPTIONAL),
        Column::Flag(_) => (Physical::BOOLEAN, None, Repetition::OPTIONAL),
        Column::Whole(_) => (Physical::INT64, None, Repetition::REQUIRED),
    };
    let builder = Type::primitive_type_builder(name, physical).with_logical_type(logical);
    builder.with_repetition(repetition).build().map(Arc::new)
}

/// Writes a column in which values may be missing.
fn optional<T: DataType, W: Write + Send>(
    rows: &mut SerializedRowGroupWriter<'_, W>,
    values: &[Option<T::T>],
) -> Result<()> {
    let Some(mut column) = rows.next_column()? else { return Ok(()) };
    let levels: Vec<i16> = values.iter().map(|value| i16::from(value.is_some())).collect();
    let there: Vec<T::T> = values.iter().flatten().cloned().collect();
    column.typed::<T>().write_batch(&there, Some(&levels), None)?;
    column.close()
}
