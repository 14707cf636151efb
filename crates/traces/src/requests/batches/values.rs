//! The values of a column of a record batch, row by row.

use crate::TraceError;
use crate::requests::fault::RequestFault;
use crate::requests::key::{digits, hash, key, shown};
use crate::requests::ticks::{Ticks, Unit};
use arrow_array::cast::AsArray;
use arrow_array::types::{
    Float32Type, Float64Type, Int8Type, Int16Type, Int32Type, Int64Type, TimestampMicrosecondType,
    TimestampMillisecondType, TimestampNanosecondType, TimestampSecondType, UInt8Type, UInt16Type, UInt32Type,
    UInt64Type,
};
use arrow_array::{Array, ArrayRef, ArrowPrimitiveType, PrimitiveArray};
use arrow_schema::{DataType, TimeUnit};

/// A value in a row.
#[derive(Debug, Clone, Copy)]
pub(super) enum Value<'a> {
    Missing,
    Whole(u64),
    Negative(i64),
    Real(f64),
    Text(&'a [u8]),
}

impl Value<'_> {
    /// Returns the value as a key: the same key as for the equivalent text.
    pub(super) fn key(self) -> Option<Result<u64, RequestFault>> {
        Some(match self {
            Self::Missing | Self::Text(b"") => return None,
            Self::Whole(number) => Ok(number),
            Self::Negative(number) => key(number.to_string().as_bytes()),
            Self::Real(number) => key(number.to_string().as_bytes()),
            // Hashes are often kept as bytes.
            Self::Text(text) if std::str::from_utf8(text).is_err() => Ok(hash(text)),
            Self::Text(text) => key(text),
        })
    }

    /// Returns the value as a time.
    pub(super) fn time(self, clock: &mut Ticks) -> Option<Result<u64, RequestFault>> {
        Some(match self {
            Self::Missing | Self::Text(b"") => return None,
            Self::Whole(number) => clock.of_number(number, 0.0),
            Self::Negative(number) => Err(RequestFault::NoTime(number.to_string())),
            Self::Real(number) => match whole(number) {
                Some(whole) => clock.of_number(whole, number.fract()),
                None => Err(RequestFault::NoTime(number.to_string())),
            },
            Self::Text(text) => clock.nanoseconds(text),
        })
    }

    /// Returns the value as a number of bytes.
    pub(super) fn size(self) -> Option<Result<u64, RequestFault>> {
        let wrong = |found: String| RequestFault::NoNumber {
            field: "the size".to_owned(),
            wanted: "a whole number of bytes",
            found,
        };
        Some(match self {
            Self::Missing | Self::Text(b"" | b"-") => return None,
            Self::Whole(number) => Ok(number),
            Self::Negative(number) => Err(wrong(number.to_string())),
            Self::Real(number) => {
                whole(number).filter(|_| number.fract() == 0.0).ok_or_else(|| wrong(number.to_string()))
            }
            Self::Text(text) => digits(text).ok_or_else(|| wrong(shown(text))),
        })
    }

    /// Appends the equivalent text.
    pub(super) fn write(self, out: &mut Vec<u8>) {
        match self {
            Self::Missing => {}
            Self::Whole(number) => out.extend(number.to_string().as_bytes()),
            Self::Negative(number) => out.extend(number.to_string().as_bytes()),
            Self::Real(number) => out.extend(number.to_string().as_bytes()),
            Self::Text(text) => out.extend(text),
        }
    }
}

impl From<i64> for Value<'_> {
    fn from(number: i64) -> Self {
        u64::try_from(number).map_or(Self::Negative(number), Self::Whole)
    }
}

/// The whole part of a number that a float holds exactly.
fn whole(number: f64) -> Option<u64> {
    #[expect(clippy::cast_possible_truncation, reason = "the whole part is wanted, and is in range")]
    (0.0..9e15).contains(&number).then_some(number as u64)
}

/// Returns the unit of times that a column's type defines.
pub(super) fn unit(kind: &DataType) -> Option<Unit> {
    Some(match kind {
        DataType::Timestamp(TimeUnit::Second, _) => Unit::SECONDS,
        DataType::Timestamp(TimeUnit::Millisecond, _) => Unit::MILLISECONDS,
        DataType::Timestamp(TimeUnit::Microsecond, _) => Unit::MICROSECONDS,
        DataType::Timestamp(TimeUnit::Nanosecond, _) => Unit::NANOSECONDS,
        _ => return None,
    })
}

/// Returns the elements of a row in a column of lists; `None` if the column is not one.
pub(super) fn list(array: &dyn Array, row: usize) -> Option<ArrayRef> {
    match array.data_type() {
        DataType::List(_) => Some(array.as_list::<i32>().value(row)),
        DataType::LargeList(_) => Some(array.as_list::<i64>().value(row)),
        DataType::FixedSizeList(_, _) => Some(array.as_fixed_size_list().value(row)),
        _ => None,
    }
}

/// Returns whether a column is one of lists.
pub(super) fn is_list(kind: &DataType) -> bool {
    matches!(kind, DataType::List(_) | DataType::LargeList(_) | DataType::FixedSizeList(_, _))
}

/// Appends all values of a column, in order.
pub(super) fn values<'a>(array: &'a dyn Array, out: &mut Vec<Value<'a>>) -> Result<(), TraceError> {
    out.clear();
    macro_rules! numbers {
        ($kind:ty, $value:expr) => {
            numbers(array.as_primitive::<$kind>(), out, $value)
        };
    }
    macro_rules! texts {
        ($texts:expr) => {
            out.extend($texts.iter().map(|text| text.map_or(Value::Missing, |text| Value::Text(text.as_ref()))))
        };
    }
    match array.data_type() {
        DataType::UInt8 => numbers!(UInt8Type, |number| Value::Whole(number.into())),
        DataType::UInt16 => numbers!(UInt16Type, |number| Value::Whole(number.into())),
        DataType::UInt32 => numbers!(UInt32Type, |number| Value::Whole(number.into())),
        DataType::UInt64 => numbers!(UInt64Type, Value::Whole),
        DataType::Int8 => numbers!(Int8Type, |number| i64::from(number).into()),
        DataType::Int16 => numbers!(Int16Type, |number| i64::from(number).into()),
        DataType::Int32 => numbers!(Int32Type, |number| i64::from(number).into()),
        DataType::Int64 => numbers!(Int64Type, Value::from),
        DataType::Float32 => numbers!(Float32Type, |number| Value::Real(number.into())),
        DataType::Float64 => numbers!(Float64Type, Value::Real),
        DataType::Timestamp(TimeUnit::Second, _) => numbers!(TimestampSecondType, Value::from),
        DataType::Timestamp(TimeUnit::Millisecond, _) => numbers!(TimestampMillisecondType, Value::from),
        DataType::Timestamp(TimeUnit::Microsecond, _) => numbers!(TimestampMicrosecondType, Value::from),
        DataType::Timestamp(TimeUnit::Nanosecond, _) => numbers!(TimestampNanosecondType, Value::from),
        DataType::Utf8 => texts!(array.as_string::<i32>()),
        DataType::LargeUtf8 => texts!(array.as_string::<i64>()),
        DataType::Utf8View => texts!(array.as_string_view()),
        DataType::Binary => texts!(array.as_binary::<i32>()),
        DataType::LargeBinary => texts!(array.as_binary::<i64>()),
        DataType::BinaryView => texts!(array.as_binary_view()),
        DataType::FixedSizeBinary(_) => texts!(array.as_fixed_size_binary()),
        DataType::Dictionary(_, _) => {
            let Some(dictionary) = array.as_any_dictionary_opt() else { return Err(unread(array.data_type())) };
            let mut words = Vec::new();
            values(dictionary.values(), &mut words)?;
            let nulls = array.nulls();
            out.extend(dictionary.normalized_keys().into_iter().enumerate().map(|(row, place)| {
                let is_null = nulls.is_some_and(|nulls| nulls.is_null(row));
                words.get(place).copied().filter(|_| !is_null).unwrap_or(Value::Missing)
            }));
        }
        DataType::Null => out.extend((0..array.len()).map(|_| Value::Missing)),
        other => return Err(unread(other)),
    }
    Ok(())
}

fn unread(kind: &DataType) -> TraceError {
    TraceError::File(format!("columns of the type {kind} are not supported; write the column as numbers or text"))
}

fn numbers<'a, K: ArrowPrimitiveType>(
    array: &PrimitiveArray<K>,
    out: &mut Vec<Value<'a>>,
    value: impl Fn(K::Native) -> Value<'a>,
) {
    match array.nulls() {
        None => out.extend(array.values().iter().map(|&number| value(number))),
        Some(_) => out.extend(array.iter().map(|number| number.map_or(Value::Missing, &value))),
    }
}
