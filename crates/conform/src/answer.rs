//! The results of operations, and their text: one answer on each line, as the programs of the targets write them.
//!
//! ```text
//! queued                 or `refused RULE`; then ` pushed ID:VALUE:MARKS` for each packet that was pushed out
//! sent ID:VALUE:MARKS    or `cycle` if a packet was served that stays, or `nothing`
//! set                    a live parameter has its value
//! replaced               another policy is in force, or `draining`: it is not, as packets of the last replacement drain
//! ```
//!
//! Text after ` |` consists of counters, which are ignored here.

use std::fmt;
use std::str::FromStr;

/// A packet that departed or was pushed out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Marked {
    /// The packet's number.
    pub id: u64,
    /// The packet's present value.
    pub value: u32,
    /// Bit 0: drop eligibility; bit 1: a congestion notification.
    pub marks: u8,
}

/// The verdict of an operation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Verdict {
    /// The packet was queued.
    Queued,
    /// The packet was dropped, by this rule.
    Refused(String),
    /// The packet departed.
    Sent(Marked),
    /// A packet was served for a cycle, and stays.
    Cycle,
    /// No packet was queued.
    Nothing,
    /// A live parameter was set.
    Set,
    /// The policy is in force.
    Replaced,
    /// The policy is not in force, since packets of the last replacement drain.
    Draining,
}

/// The answer to an operation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Answer {
    /// The verdict on the packet, or the packet that departed.
    pub verdict: Verdict,
    /// The packets that were pushed out; `None` if this datapath does not report them.
    pub pushed: Option<Vec<Marked>>,
}

impl Answer {
    /// Creates an answer without pushed-out packets.
    #[must_use]
    pub fn of(verdict: Verdict) -> Self {
        Self { verdict, pushed: Some(Vec::new()) }
    }
}

/// A line that is no answer.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is not an answer")]
pub struct WrongAnswer(pub String);

impl fmt::Display for Marked {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}:{}", self.id, self.value, self.marks)
    }
}

impl fmt::Display for Answer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.verdict {
            Verdict::Queued => write!(f, "queued")?,
            Verdict::Refused(rule) => write!(f, "refused {rule}")?,
            Verdict::Sent(packet) => write!(f, "sent {packet}")?,
            Verdict::Cycle => write!(f, "cycle")?,
            Verdict::Nothing => write!(f, "nothing")?,
            Verdict::Set => write!(f, "set")?,
            Verdict::Replaced => write!(f, "replaced")?,
            Verdict::Draining => write!(f, "draining")?,
        }
        self.pushed.iter().flatten().try_for_each(|packet| write!(f, " pushed {packet}"))
    }
}

impl FromStr for Marked {
    type Err = WrongAnswer;

    fn from_str(text: &str) -> Result<Self, WrongAnswer> {
        let read = || {
            let mut parts = text.split(':');
            let marked = Self {
                id: parts.next()?.parse().ok()?,
                value: parts.next()?.parse().ok()?,
                marks: parts.next()?.parse().ok()?,
            };
            parts.next().is_none().then_some(marked)
        };
        read().ok_or_else(|| WrongAnswer(text.to_owned()))
    }
}

impl FromStr for Answer {
    type Err = WrongAnswer;

    fn from_str(line: &str) -> Result<Self, WrongAnswer> {
        let wrong = || WrongAnswer(line.to_owned());
        let mut words = line.split(" |").next().unwrap_or_default().split_whitespace();
        let verdict = match words.next().ok_or_else(wrong)? {
            "queued" => Verdict::Queued,
            "refused" => Verdict::Refused(words.next().ok_or_else(wrong)?.to_owned()),
            "sent" => Verdict::Sent(words.next().ok_or_else(wrong)?.parse()?),
            "cycle" => Verdict::Cycle,
            "nothing" => Verdict::Nothing,
            "set" => Verdict::Set,
            "replaced" => Verdict::Replaced,
            "draining" => Verdict::Draining,
            _ => return Err(wrong()),
        };
        let mut pushed = Vec::new();
        while let Some(word) = words.next() {
            if word != "pushed" {
                return Err(wrong());
            }
            pushed.push(words.next().ok_or_else(wrong)?.parse()?);
        }
        Ok(Self { verdict, pushed: Some(pushed) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_are_read_as_they_are_written() {
        for text in [
            "queued",
            "queued pushed 3:9:2 pushed 4:0:0",
            "refused buffer",
            "sent 7:1:3",
            "cycle",
            "nothing",
            "set",
            "replaced",
            "draining",
        ] {
            assert_eq!(text.parse::<Answer>().unwrap().to_string(), text);
            assert_eq!(format!("{text} | 0 1 2").parse::<Answer>().unwrap().to_string(), text);
        }
        for text in ["", "sent", "sent 7", "sent 7:1", "queued pushed", "queued 3:1:1", "gone", "sent 1:2:3:4"] {
            assert!(text.parse::<Answer>().is_err(), "{text}");
        }
    }
}
