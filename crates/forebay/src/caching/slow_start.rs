//! `slow-start(rtt=20ms,rate=100Mbps)`: fetches that need as many round trips as TCP in slow start.

use super::latency::{Amount, BITS_IN_A_NANOSECOND, amount};
use super::list::whole;
use crate::error::WrongValue;
use forebay_cache::SlowStart;
use forebay_core::registry::suggest;
use forebay_core::{Clock, Rate};

/// The name of this latency.
pub(super) const NAME: &str = "slow-start";
const EXAMPLE: &str =
    "write slow-start(rtt=20ms,rate=100Mbps), with window=10 (segments) and segment=1460 (bytes) if you like";
const PARAMETERS: [&str; 4] = ["rtt", "rate", "window", "segment"];
/// Segments of the first window (RFC 6928).
const WINDOW: u64 = 10;
/// Bytes of a segment on Ethernet, with headers of IPv4 and TCP.
const SEGMENT: u64 = 1_460;

/// The parameters as a person writes them.
#[derive(Debug, Clone)]
pub(super) struct SlowStartSpec {
    rtt: Amount,
    rate: Rate,
    window: u64,
    segment: u64,
}

impl SlowStartSpec {
    /// Reads the parameters between the brackets.
    pub(super) fn read(given: &[&str]) -> Result<Self, WrongValue> {
        let (mut rtt, mut rate, mut window, mut segment) = (None, None, None, None);
        for parameter in given {
            let (name, value) = parameter.split_once('=').unwrap_or((parameter, ""));
            let (name, value) = (name.trim(), value.trim());
            let wrong = |error: &dyn std::fmt::Display| WrongValue::from(format!("`{NAME}`, `{name}`: {error}"));
            let number = || match whole(value).filter(|number| *number > 0) {
                Some(number) => Ok(number),
                None => Err(wrong(&format!("`{value}` is not a whole number above 0"))),
            };
            let is_twice = match name {
                "rtt" => rtt.replace(amount(value).map_err(|error| wrong(&error))?).is_some(),
                "rate" => rate.replace(Rate::parse(value).map_err(|error| wrong(&error))?).is_some(),
                "window" => window.replace(number()?).is_some(),
                "segment" => segment.replace(number()?).is_some(),
                _ => {
                    let known = suggest(name, PARAMETERS);
                    return Err(format!("`{NAME}` has no parameter `{name}`{known}; {EXAMPLE}").into());
                }
            };
            if is_twice {
                return Err(wrong(&"it is given twice; leave one out"));
            }
        }
        let (Some(rtt), Some(rate)) = (rtt, rate) else {
            return Err(format!("`{NAME}` needs `rtt` and `rate`; {EXAMPLE}").into());
        };
        Ok(Self { rtt, rate, window: window.unwrap_or(WINDOW), segment: segment.unwrap_or(SEGMENT) })
    }

    /// Returns the parameters in ticks of a trace with times.
    pub(super) fn resolve(&self, clock: Clock) -> Result<SlowStart, WrongValue> {
        let Self { rtt, rate, window, segment } = self;
        let rate = rate.bits_per_second() as f64 / BITS_IN_A_NANOSECOND;
        Ok(SlowStart { round_trip: rtt.ticks(clock)?, rate, window: *window, segment: *segment })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::caching::LatencySpec;

    fn resolve(text: &str, clock: Clock) -> Result<String, WrongValue> {
        Ok(format!("{:?}", text.parse::<LatencySpec>()?.resolve(clock)?))
    }

    #[test]
    fn it_is_read_with_its_defaults() {
        let read = |text: &str| resolve(text, Clock::Nanoseconds).unwrap();
        let (usual, all) =
            ("slow-start(rtt=20ms,rate=100Mbps)", "slow-start(segment=1460, window=10, rate=100 Mbps, rtt=20 ms)");
        assert_eq!(
            read(usual),
            "SlowStart(SlowStart { round_trip: 20000000, rate: 0.0125, window: 10, segment: 1460 })"
        );
        assert_eq!(read(usual), read(all));
    }

    #[test]
    fn wrong_ones_say_what_to_write() {
        let error = |text: &str| resolve(text, Clock::Nanoseconds).unwrap_err().to_string();
        assert!(
            error("slow-start(rtt=20ms)").contains("needs `rtt` and `rate`; write slow-start(rtt=20ms,rate=100Mbps)")
        );
        assert!(error("slow-start(5ms,1Gbps)").contains("has no parameter `5ms`"));
        assert!(error("slow-start(rtt=1ms,rat=1Gbps)").contains("did you mean `rate`?"));
        assert!(error("slow-start(rtt=1ms,rate=fast)").contains("`slow-start`, `rate`: "));
        assert!(error("slow-start(rtt=1ms,rtt=2ms,rate=1Gbps)").contains("`rtt`: it is given twice"));
        assert!(
            error("slow-start(rtt=1ms,rate=1Gbps,window=0)").contains("`window`: `0` is not a whole number above 0")
        );
        assert!(error("slow-strat(rtt=1ms)").contains("did you mean `slow-start`?"));
        assert!(error("slow-start(rtt=5,rate=1Gbps)").contains("as a time, for example 5ms"));
        let slots = resolve("slow-start(rtt=5ms,rate=1Gbps)", Clock::Slots).unwrap_err().to_string();
        assert!(slots.contains("so a rate cannot be used"), "{slots}");
    }
}
