//! `--latency`: the time of a fetch, as a person writes it.

use super::list::{call, split, whole};
use super::object_latencies::{self, ObjectLatencies};
use super::slow_start::{self, SlowStartSpec};
use crate::error::WrongValue;
use crate::scenario::{Files, Here};
use forebay_cache::Latency;
use forebay_cache::latency::Origin;
use forebay_core::registry::suggest;
use forebay_core::{Clock, Duration, Rate};
use std::fmt;
use std::str::FromStr;

/// A latency in slots or in time; the trace decides which of the two fits.
#[derive(Debug, Clone)]
pub struct LatencySpec {
    text: String,
    kind: Kind,
}

#[derive(Debug, Clone)]
enum Kind {
    Constant(Amount),
    Origins(Vec<(Amount, f64)>),
    Exponential(Amount),
    LogNormal(Amount, f64),
    Uniform(Amount, Amount),
    Objects(ObjectLatencies),
    BySize(Amount, Rate),
    SlowStart(SlowStartSpec),
    Measured,
}

/// A number of slots, or a time.
#[derive(Debug, Clone, Copy)]
pub(super) enum Amount {
    Slots(u64),
    Time(Duration),
}

/// The rate of one byte per nanosecond, in bits per second.
pub(super) const BITS_IN_A_NANOSECOND: f64 = 8e9;

/// Fetches take what the trace has measured.
const MEASURED: &str = "measured";

const FORMS: [&str; 7] = ["origins", "exponential", "lognormal", "uniform", "objects", "size", slow_start::NAME];

impl FromStr for LatencySpec {
    type Err = WrongValue;

    fn from_str(text: &str) -> Result<Self, WrongValue> {
        Self::read(text, &Here)
    }
}

impl LatencySpec {
    /// Returns whether each fetch draws its own latency.
    pub(super) fn is_drawn(&self) -> bool {
        matches!(self.kind, Kind::Exponential(_) | Kind::LogNormal(..) | Kind::Uniform(..))
    }

    /// Returns whether the latency of a fetch depends on the size of its object.
    pub(super) fn is_by_size(&self) -> bool {
        matches!(self.kind, Kind::BySize(..) | Kind::SlowStart(_))
    }

    /// Returns whether fetches have the latencies that the trace has measured.
    pub(super) fn is_measured(&self) -> bool {
        matches!(self.kind, Kind::Measured)
    }

    /// Reads a latency; `files` opens the file that it may name.
    ///
    /// # Errors
    /// An error that says what is wrong, and what to write.
    pub fn read(text: &str, files: &dyn Files) -> Result<Self, WrongValue> {
        let text = text.trim();
        let (name, inside) = call(text)?;
        if text == MEASURED {
            return Ok(Self { text: text.to_owned(), kind: Kind::Measured });
        }
        let Some(inside) = inside else {
            return Ok(Self { text: text.to_owned(), kind: Kind::Constant(amount(name)?) });
        };
        let parts: Vec<_> = split(inside).into_iter().map(str::trim).collect();
        let kind = match (name, parts.as_slice()) {
            ("origins", origins) => Kind::Origins(origins.iter().map(|text| origin(text)).collect::<Result<_, _>>()?),
            ("exponential", [mean]) => Kind::Exponential(amount(mean)?),
            ("lognormal", [mean, sigma]) => Kind::LogNormal(amount(mean)?, number(sigma)?),
            ("uniform", [from, to]) => Kind::Uniform(amount(from)?, amount(to)?),
            ("objects", [path]) => Kind::Objects(object_latencies::read(path, files)?),
            ("size", [latency, rate]) => {
                let rate = Rate::parse(rate).map_err(|error| format!("`{text}`: {error}"))?;
                Kind::BySize(amount(latency)?, rate)
            }
            (slow_start::NAME, given) => Kind::SlowStart(SlowStartSpec::read(given)?),
            ("size", _) => return Err(format!("`{text}`: write size(LATENCY,RATE), like size(5ms,1Gbps)").into()),
            ("objects", _) => return Err(format!("`{text}`: write objects(FILE)").into()),
            ("exponential" | "lognormal" | "uniform", _) => {
                return Err(
                    format!("`{text}`: write exponential(MEAN), lognormal(MEAN,SIGMA) or uniform(FROM,TO)").into()
                );
            }
            _ => return Err(format!("unknown latency `{name}`{}", suggest(name, FORMS)).into()),
        };
        Ok(Self { text: text.to_owned(), kind })
    }
}

/// `68ms`, or `68ms:29` with a weight.
fn origin(text: &str) -> Result<(Amount, f64), WrongValue> {
    let (latency, weight) = text.split_once(':').unwrap_or((text, "1"));
    Ok((amount(latency)?, number(weight)?))
}

fn number(text: &str) -> Result<f64, WrongValue> {
    text.trim().parse().map_err(|_| format!("`{text}` is not a number").into())
}

pub(super) fn amount(text: &str) -> Result<Amount, WrongValue> {
    let text = text.trim();
    if let Some(slots) = whole(text) {
        return Ok(Amount::Slots(slots));
    }
    if text.bytes().all(|byte| byte.is_ascii_digit()) && !text.is_empty() {
        return Err(format!("`{text}` slots are too many").into());
    }
    Duration::parse(text).map(Amount::Time).map_err(|_| {
        format!("`{text}` is not a latency; write a number of slots, a time like 5ms, or `measured`").into()
    })
}

impl Amount {
    pub(super) fn ticks(self, clock: Clock) -> Result<u64, WrongValue> {
        match (clock, self) {
            (Clock::Slots, Self::Slots(slots)) => Ok(slots),
            (Clock::Nanoseconds, Self::Time(time)) if time.as_ps() >= 1000 => Ok(time.as_ps() / 1000),
            (Clock::Nanoseconds, Self::Time(_)) => Err("latencies below 1 ns cannot be told apart".into()),
            (Clock::Slots, Self::Time(time)) => {
                Err(format!("this trace has slots and no times; write the value in slots, for example 100, not {time}")
                    .into())
            }
            (Clock::Nanoseconds, Self::Slots(slots)) => Err(format!(
                "this trace has times and no slots; write the value as a time, for example 5ms, not {slots}"
            )
            .into()),
        }
    }
}

impl LatencySpec {
    /// Returns the latency in ticks of a trace with this clock.
    pub fn resolve(&self, clock: Clock) -> Result<Latency, WrongValue> {
        let float = |amount: &Amount| amount.ticks(clock).map(|ticks| ticks as f64);
        Ok(match &self.kind {
            Kind::Constant(amount) => Latency::Constant(amount.ticks(clock)?),
            Kind::Origins(origins) => Latency::Origins(
                origins
                    .iter()
                    .map(|(amount, weight)| Ok(Origin { latency: amount.ticks(clock)?, weight: *weight }))
                    .collect::<Result<_, WrongValue>>()?,
            ),
            Kind::Objects(objects) => {
                let each = objects.each.iter().map(|(key, amount)| Ok((*key, amount.ticks(clock)?)));
                Latency::PerObject(each.collect::<Result<_, WrongValue>>()?, objects.others.ticks(clock)?)
            }
            Kind::Exponential(mean) => Latency::Exponential(float(mean)?),
            Kind::LogNormal(mean, sigma) => Latency::LogNormal(float(mean)?, *sigma),
            Kind::Uniform(from, to) => Latency::Uniform(from.ticks(clock)?, to.ticks(clock)?),
            Kind::BySize(..) | Kind::SlowStart(_) if clock == Clock::Slots => {
                return Err(
                    "this trace has slots instead of times, so a rate cannot be used; write a latency in slots".into(),
                );
            }
            Kind::BySize(latency, rate) => {
                Latency::BySize(latency.ticks(clock)?, rate.bits_per_second() as f64 / BITS_IN_A_NANOSECOND)
            }
            Kind::SlowStart(own) => Latency::SlowStart(own.resolve(clock)?),
            Kind::Measured => return Err("only the trace says what was measured".into()),
        })
    }
}

impl fmt::Display for LatencySpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn resolve(text: &str, clock: Clock) -> Result<String, WrongValue> {
        Ok(format!("{:?}", text.parse::<LatencySpec>()?.resolve(clock)?))
    }

    #[test]
    fn slots_and_times() {
        assert_eq!(resolve("10_000", Clock::Slots).unwrap(), "Constant(10000)");
        assert_eq!(resolve("5 ms", Clock::Nanoseconds).unwrap(), "Constant(5000000)");
        assert!(resolve("5ms", Clock::Slots).unwrap_err().to_string().contains("in slots, for example 100"));
        assert!(resolve("5", Clock::Nanoseconds).unwrap_err().to_string().contains("as a time, for example 5ms"));
        assert!(
            resolve("exponentail(5)", Clock::Slots).unwrap_err().to_string().contains("did you mean `exponential`?")
        );
        assert!(resolve("-3", Clock::Slots).is_err());
        assert!(resolve("lognormal(5)", Clock::Slots).unwrap_err().to_string().contains("lognormal(MEAN,SIGMA)"));
        assert!(resolve("origins(68ms:29,103ms:39,226ms:32)", Clock::Nanoseconds).unwrap().contains("226000000"));
    }
}
