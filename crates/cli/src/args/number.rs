//! Whole numbers with limits. An error names the text and the limits.

use clap::builder::TypedValueParser;
use forebay::error::WrongValue;
use std::ops::RangeInclusive;

/// Reads a whole number from `limits`.
pub(super) fn whole<N>(limits: RangeInclusive<u64>) -> impl TypedValueParser<Value = N>
where
    N: TryFrom<u64> + Clone + Send + Sync + 'static,
{
    move |text: &str| read(text, &limits)
}

fn read<N: TryFrom<u64>>(text: &str, limits: &RangeInclusive<u64>) -> Result<N, WrongValue> {
    let number = text.trim().parse().ok().filter(|number| limits.contains(number));
    number
        .and_then(|number| N::try_from(number).ok())
        .ok_or_else(|| format!("`{text}` is not a whole number from {} to {}", limits.start(), limits.end()).into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_number_or_out_of_limits_hears_what_may_be() {
        assert_eq!(read::<u16>("512", &(1..=512)), Ok(512));
        assert_eq!(read::<u64>(" 1 ", &(1..=512)), Ok(1));
        for text in ["0", "513", "-1", "x", "", "1.5", "99999999999999999999", "1e3"] {
            assert_eq!(
                read::<u16>(text, &(1..=512)),
                Err(format!("`{text}` is not a whole number from 1 to 512").into())
            );
        }
    }
}
