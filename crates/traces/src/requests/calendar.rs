//! Dates of the Gregorian calendar.

/// Returns the days from 1970 to a date; `None` if there is no such date.
pub(super) fn date(year: i64, month: i64, day: i64) -> Option<i64> {
    if !(1..=12).contains(&month) || day < 1 {
        return None;
    }
    let (next_year, next_month) = if month == 12 { (year + 1, 1) } else { (year, month + 1) };
    let days_of_date = days(year, month, day);
    (days_of_date < days(next_year, next_month, 1)).then_some(days_of_date)
}

/// Days since 1970: years begin in March, so that a leap day is the last of its year.
fn days(year: i64, month: i64, day: i64) -> i64 {
    let year = if month <= 2 { year - 1 } else { year };
    let months_since_march = (month + 9) % 12;
    let (era, of_era) = (year.div_euclid(400), year.rem_euclid(400));
    let of_year = (153 * months_since_march + 2) / 5 + day - 1;
    era * 146_097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719_468
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn months_have_their_days() {
        assert_eq!((date(1970, 1, 1), date(1970, 12, 31), date(2000, 2, 29)), (Some(0), Some(364), Some(11_016)));
        let no_dates = [
            (2024, 2, 30),
            (2023, 2, 29),
            (1900, 2, 29),
            (2024, 4, 31),
            (2024, 12, 32),
            (2024, 5, 0),
            (2024, 13, 1),
            (2024, 0, 1),
        ];
        for (year, month, day) in no_dates {
            assert_eq!(date(year, month, day), None, "{year}-{month}-{day}");
        }
    }
}
