//! Titles and units of axes, from the names of metrics, fields and columns.

use crate::fields::{self, Found, Type};
use crate::figure::Unit;
use crate::metric;

/// Statistics, with the words before and after the name of the quantity.
const STATISTICS: [(&str, &str, &str); 7] = [
    ("mean", "mean ", ""),
    ("p50", "median ", ""),
    ("p90", "", ", p90"),
    ("p99", "", ", p99"),
    ("p999", "", ", p99.9"),
    ("min", "least ", ""),
    ("max", "greatest ", ""),
];

/// Returns the title of a metric like `fct:p99` at an axis.
pub(crate) fn title_of_metric(metric: &str) -> String {
    let (base, statistic) = metric.split_once(':').unwrap_or((metric, ""));
    let words = metric::axis_words(base).map_or_else(|| base.replace('_', " "), str::to_owned);
    match STATISTICS.iter().find(|(name, ..)| *name == statistic) {
        Some((_, before, behind)) => format!("{before}{words}{behind}"),
        None if statistic.is_empty() => words,
        None => format!("{words}, {statistic}"),
    }
}

/// Returns the unit of a metric whose rows have the unit `unit`.
pub(crate) fn unit_of_metric(metric: &str, unit: &str) -> Unit {
    let is_share = metric::all().any(|own| own.in_table == metric && own.unit == metric::Unit::Share);
    Unit::of_result(unit, is_share)
}

/// Returns the unit of a swept field: the unit of all fields of scenarios with this name, if they agree.
pub(crate) fn unit_of_field(field: &str) -> Unit {
    let mut units = fields::find(field).into_iter().filter_map(|found| match found {
        Found::Field(_, field) => unit_of_type(&field.takes),
        _ => None,
    });
    let first = units.next();
    match first {
        Some(first) if units.all(|unit| unit == first) => first,
        Some(_) => Unit::Plain,
        None if field.ends_with("_rate") => Unit::BitsPerSecond,
        None => Unit::Plain,
    }
}

fn unit_of_type(takes: &Type) -> Option<Unit> {
    match takes {
        Type::Duration | Type::PositiveDuration => Some(Unit::Seconds),
        Type::Rate => Some(Unit::BitsPerSecond),
        Type::Bytes => Some(Unit::Bytes),
        Type::Percent => Some(Unit::Share),
        Type::Integer { unit, .. } | Type::Number { unit, .. } => Some(Unit::of_result(unit, false)),
        // Slots or a time, by the trace.
        Type::FetchLatency => Some(Unit::Plain),
        // What may be a share or a number is a plain number in the table.
        Type::Any(types) => {
            let mut units = types.iter().filter_map(unit_of_type);
            let first = units.next()?;
            Some(if units.all(|unit| unit == first) { first } else { Unit::Plain })
        }
        _ => None,
    }
}

/// Returns the title and the unit of a column of another table, and the factor that converts its numbers to this unit.
pub(super) fn column(name: &str) -> (String, Unit, f64) {
    const ENDINGS: [(&str, Unit, f64); 6] = [
        ("_ns", Unit::Seconds, 1e-9),
        ("_us", Unit::Seconds, 1e-6),
        ("_ms", Unit::Seconds, 1e-3),
        ("_s", Unit::Seconds, 1.0),
        ("_bps", Unit::BitsPerSecond, 1.0),
        ("_gbps", Unit::BitsPerSecond, 1e9),
    ];
    let found = ENDINGS.into_iter().find_map(|(ending, unit, factor)| Some((name.strip_suffix(ending)?, unit, factor)));
    let (base, unit, factor) = found.unwrap_or((name, Unit::Plain, 1.0));
    let unit = if base == "bytes" || base.ends_with("_bytes") { Unit::Bytes } else { unit };
    (title_of_metric(base), unit, factor)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn axes_are_called_by_words() {
        assert_eq!(title_of_metric("fct:p999"), "flow completion time, p99.9");
        assert_eq!(title_of_metric("delay:mean"), "mean delay");
        assert_eq!(title_of_metric("drop_share"), "drop share");
        assert_eq!(unit_of_metric("drop_share", "1"), Unit::Share);
        assert_eq!(unit_of_metric("slowdown:p99", "1"), Unit::Plain);
        assert_eq!(unit_of_field("port.rate"), Unit::BitsPerSecond);
        assert_eq!(unit_of_field("seed"), Unit::Plain);
        assert_eq!(unit_of_field("capacity"), Unit::Plain);
        assert_eq!(unit_of_field("latency"), Unit::Plain);
        assert_eq!(column("delay_ns"), ("delay".to_owned(), Unit::Seconds, 1e-9));
        assert_eq!(column("queue_bytes").1, Unit::Bytes);
    }
}
