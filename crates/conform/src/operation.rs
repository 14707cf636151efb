//! Operations, and their text: one a line, as the programs of the targets read them.
//!
//! ```text
//! enqueue NOW QUEUE SIZE VALUE FLOW CLASS PROCESSING SLACK REMAINING RANK MARKS ID
//! dequeue NOW PORT
//! cycle NOW PORT
//! set NOW PARAMETER UNITS
//! replace NOW POLICY
//! ```
//!
//! Times are whole nanoseconds. Live parameters count from 0 in order of their definition, and their values are in units of
//! 1/65,536. Bit 0 of MARKS is drop eligibility, and bit 1 is a congestion notification.

use forebay_core::{ClassId, Duration, FlowId, Marks, Packet, QueueId, Time};
use forebay_lang::Fixed;
use forebay_lang::ir::{ParameterId, PortId};
use std::fmt;

/// An operation on a policy.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Operation {
    /// A packet arrives.
    Enqueue(Time, Packet),
    /// A port sends.
    Dequeue(Time, PortId),
    /// A port works for one cycle.
    Cycle(Time, PortId),
    /// A live parameter is set.
    Set(Time, ParameterId, Fixed),
    /// One of two policies, 0 or 1, replaces the one in force, while packets are queued.
    Replace(Time, u8),
}

/// Why a line is no operation.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{text}`: {wrong}")]
pub struct WrongOperation {
    /// The line's number, from 1.
    pub line: u64,
    text: String,
    /// The line's mistake.
    pub wrong: Fault,
}

const WANTED: &str = "not an operation; write `enqueue NOW QUEUE SIZE VALUE FLOW CLASS PROCESSING SLACK REMAINING \
                      RANK MARKS ID`, \
                      `dequeue NOW PORT`, `cycle NOW PORT`, `set NOW PARAMETER UNITS` or `replace NOW POLICY`";

impl Operation {
    /// Returns the time of the operation.
    #[must_use]
    pub fn time(&self) -> Time {
        match self {
            Self::Enqueue(now, _)
            | Self::Dequeue(now, _)
            | Self::Cycle(now, _)
            | Self::Set(now, ..)
            | Self::Replace(now, _) => *now,
        }
    }

    /// Returns the port that sends or works, if there is one.
    fn port(&self) -> Option<PortId> {
        match self {
            Self::Enqueue(..) | Self::Set(..) | Self::Replace(..) => None,
            Self::Dequeue(_, port) | Self::Cycle(_, port) => Some(*port),
        }
    }
}

/// Returns the bits of MARKS.
#[must_use]
pub fn bits(marks: Marks) -> u8 {
    u8::from(marks.eligible_to_drop()) | u8::from(marks.congested()) << 1
}

/// Returns the marks of these bits.
#[must_use]
pub(crate) fn marks_of(bits: u8) -> Marks {
    let mut marks = Marks::default();
    if bits & 1 != 0 {
        marks.set_eligible_to_drop();
    }
    if bits & 2 != 0 {
        marks.set_congested();
    }
    marks
}

impl fmt::Display for Operation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let now = self.time().as_ps() / 1_000;
        match self {
            Self::Enqueue(_, packet) => write!(
                f,
                "enqueue {now} {} {} {} {} {} {} {} {} {} {} {}",
                packet.queue.0,
                packet.size_bytes,
                packet.value,
                packet.flow.0,
                packet.class.0,
                packet.processing.as_ps() / 1_000,
                packet.slack.as_ps() / 1_000,
                packet.remaining_bytes,
                packet.rank,
                bits(packet.marks),
                packet.id
            ),
            Self::Dequeue(_, port) => write!(f, "dequeue {now} {}", port.0),
            Self::Cycle(_, port) => write!(f, "cycle {now} {}", port.0),
            Self::Set(_, parameter, value) => write!(f, "set {now} {} {}", parameter.0, value.0),
            Self::Replace(_, policy) => write!(f, "replace {now} {policy}"),
        }
    }
}

/// The policies that a stream is played on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Played {
    /// The number of ports of the policy.
    pub ports: usize,
    /// The number of its live parameters; for two policies, of those that both have.
    pub parameters: usize,
    /// The number of policies: one, or two that replace each other.
    pub policies: usize,
}

/// The first words of results in a recording, which follow an operation.
const ANSWERS: [&str; 3] = ["queued", "refused", "sent"];

/// Returns a line without the result that a recording adds.
fn without_answer(line: &str) -> &str {
    let starts = line.match_indices(char::is_whitespace).map(|(at, _)| at);
    let mut answers =
        starts.filter(|at| line[*at..].split_whitespace().next().is_some_and(|word| ANSWERS.contains(&word)));
    answers.next().map_or(line, |at| &line[..at])
}

/// Reads the operations for a policy from a text. Empty lines, text after a `#`, and the results that recordings add are ignored. Times
/// must not decrease.
///
/// # Errors
/// If a line is no operation on such a policy. The error names the first.
pub fn read(text: &str, played: Played) -> Result<Vec<Operation>, WrongOperation> {
    let Played { ports, parameters, policies } = played;
    let mut all: Vec<Operation> = Vec::new();
    for (index, whole) in text.lines().enumerate() {
        let line = whole.split('#').next().unwrap_or_default().trim();
        if line.is_empty() {
            continue;
        }
        let wrong = |wrong| WrongOperation { line: index as u64 + 1, text: line.chars().take(80).collect(), wrong };
        if line.starts_with("change ") {
            return Err(wrong(Fault::PolicyChanged));
        }
        let operation = one(without_answer(line)).map_err(wrong)?;
        if all.last().is_some_and(|before| before.time() > operation.time()) {
            return Err(wrong(Fault::Earlier));
        }
        if let Some(PortId(port)) = operation.port().filter(|port| usize::from(port.0) >= ports) {
            return Err(wrong(Fault::NoPort { port, ports }));
        }
        if let Operation::Set(_, ParameterId(parameter), _) = operation
            && usize::from(parameter) >= parameters
        {
            return Err(wrong(Fault::NoParameter { parameter, parameters }));
        }
        if let Operation::Replace(_, policy) = operation
            && (policies == 1 || usize::from(policy) >= policies)
        {
            return Err(wrong(Fault::NoPolicy { policy, policies }));
        }
        all.push(operation);
    }
    Ok(all)
}

/// Why a line is no operation on a policy.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Fault {
    /// No operation has this name or these fields.
    #[error("{WANTED}")]
    NoOperation,
    /// The recorded switch changed its policy here.
    #[error(
        "here the recorded switch changed its policy; keep only the lines above or below, for the policy that you \
             play them on"
    )]
    PolicyChanged,
    /// The time decreases.
    #[error("the time is before that of the operation above; times must not go back")]
    Earlier,
    /// A field is no number, or out of its range.
    #[error("{name} is a whole number from {least} to {most}, not `{found}`")]
    NoNumber {
        /// The field.
        name: &'static str,
        /// Its least value.
        least: i128,
        /// Its greatest value.
        most: i128,
        /// The text in place of the number.
        found: String,
    },
    /// The policy has no such port.
    #[error("there is no port {port}; the policy has {ports}, counted from 0")]
    NoPort {
        /// The port.
        port: u16,
        /// The number of ports of the policy.
        ports: usize,
    },
    /// There is no such live parameter.
    #[error("there is no live parameter {parameter}; there are {parameters}; name those that change with --live")]
    NoParameter {
        /// The parameter.
        parameter: u16,
        /// The number of live parameters.
        parameters: usize,
    },
    /// There is no such policy.
    #[error(
        "there is no policy {policy}; {}",
        if *policies > 1 { "there are 0 and 1" } else { "name another one with --replace-by" }
    )]
    NoPolicy {
        /// The policy.
        policy: u8,
        /// The number of policies.
        policies: usize,
    },
}

/// The words after an operation's name in a line, named as in [`WANTED`].
struct Words<'a>(std::str::SplitWhitespace<'a>);

impl Words<'_> {
    /// Returns the next number, which must be from `least` to `most`.
    fn number<Number>(&mut self, name: &'static str, least: i128, most: impl Into<i128>) -> Result<Number, Fault>
    where
        Number: TryFrom<i128>,
    {
        let (word, most) = (self.0.next().ok_or(Fault::NoOperation)?, most.into());
        let number = word.parse().ok().filter(|number| (least..=most).contains(number));
        number.and_then(|number| Number::try_from(number).ok()).ok_or_else(|| Fault::NoNumber {
            name,
            least,
            most,
            found: word.to_owned(),
        })
    }

    fn nanoseconds(&mut self, name: &'static str) -> Result<u64, Fault> {
        self.number(name, 0, u64::MAX / 1_000)
    }
}

fn one(line: &str) -> Result<Operation, Fault> {
    let mut words = line.split_whitespace();
    let name = words.next().unwrap_or_default();
    let wanted = match name {
        "enqueue" => 12,
        "set" => 3,
        "dequeue" | "cycle" | "replace" => 2,
        _ => return Err(Fault::NoOperation),
    };
    if words.clone().count() != wanted {
        return Err(Fault::NoOperation);
    }
    let mut words = Words(words);
    let now = Time::from_ns(words.nanoseconds("NOW")?);
    Ok(match name {
        "replace" => Operation::Replace(now, words.number("POLICY", 0, u8::MAX)?),
        "dequeue" => Operation::Dequeue(now, PortId(words.number("PORT", 0, u16::MAX)?)),
        "cycle" => Operation::Cycle(now, PortId(words.number("PORT", 0, u16::MAX)?)),
        "set" => {
            let parameter = ParameterId(words.number("PARAMETER", 0, u16::MAX)?);
            Operation::Set(now, parameter, Fixed(words.number("UNITS", i64::MIN.into(), i64::MAX)?))
        }
        _ => Operation::Enqueue(now, packet(now, &mut words)?),
    })
}

fn packet(now: Time, words: &mut Words<'_>) -> Result<Packet, Fault> {
    // They are read in the order in which they stand here.
    let mut packet = Packet {
        queue: QueueId(words.number("QUEUE", 0, u16::MAX)?),
        size_bytes: words.number("SIZE", 1, Packet::MAX_BYTES)?,
        value: words.number("VALUE", 0, u32::MAX)?,
        flow: FlowId(words.number("FLOW", 0, u32::MAX)?),
        class: ClassId(words.number("CLASS", 0, u8::MAX)?),
        processing: Duration::from_ns(words.nanoseconds("PROCESSING")?),
        slack: Duration::from_ns(words.nanoseconds("SLACK")?),
        remaining_bytes: words.number("REMAINING", 0, u64::MAX)?,
        rank: words.number("RANK", 0, u64::MAX)?,
        arrival: now,
        marks: Marks::default(),
        id: 0,
    };
    packet.marks = marks_of(words.number("MARKS", 0, 3)?);
    packet.id = words.number("ID", 0, u64::MAX)?;
    Ok(packet)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn operations_are_read_as_they_are_written() {
        let text = "enqueue 7 1 100 3 4 46 5 6 500 9 3 1\ndequeue 7 0\nset 7 1 -98304\ncycle 8 1\nreplace 9 1\n";
        let played = Played { ports: 2, parameters: 2, policies: 2 };
        let read = read(&format!("# a stream\n\n{text}  # its end"), played).unwrap();
        let written: String = read.iter().map(|operation| format!("{operation}\n")).collect();
        assert_eq!(written, text);
    }

    #[test]
    fn what_came_of_an_operation_is_left_out() {
        let played = Played { ports: 1, parameters: 1, policies: 1 };
        let text = "enqueue 7 0 100 3 4 46 5 6 500 9 3 1 queued\nenqueue 7 0 100 3 4 46 5 6 500 9 3 2 refused\n\
                    dequeue 8 0 sent 1:3:1\nset 9 0 65536\n";
        assert_eq!(read(text, played).unwrap().len(), 4);
        let error = read("dequeue 8 0 sent 1:3:1\nchange 2 drain\n", played).unwrap_err();
        assert!(error.to_string().contains("`change 2 drain`: here the recorded switch changed its policy"), "{error}");
    }

    #[test]
    fn wrong_lines_are_named() {
        for (text, line, part) in [
            ("dequeue 1 0\nhello", 2, "`hello`: not an operation; write"),
            ("dequeue", 1, "not an operation"),
            ("dequeue 1", 1, "not an operation"),
            ("dequeue -1 0", 1, "NOW is a whole number from 0 to 18446744073709551, not `-1`"),
            ("dequeue 1 0 0", 1, "not an operation"),
            ("dequeue 99999999999999999 0", 1, "NOW is a whole number from 0 to 18446744073709551, not"),
            ("enqueue 1 0 0 0 0 0 0 0 0 0 0 0", 1, "SIZE is a whole number from 1 to "),
            ("enqueue 1 0 100 0 0 0 0 0 0 0 4 0", 1, "MARKS is a whole number from 0 to 3, not `4`"),
            ("enqueue 1 0 100 0 0 256 0 0 0 0 0 0", 1, "CLASS is a whole number from 0 to 255, not `256`"),
            ("enqueue 1 0 100 4294967296 0 0 0 0 0 0 0 0", 1, "VALUE is a whole number from 0 to 4294967295, not"),
            ("# one\ndequeue 2 0\ndequeue 1 0", 3, "times must not go back"),
            ("dequeue 2 0\ncycle 2 2", 2, "there is no port 2; the policy has 2, counted from 0"),
            ("set 2 0", 1, "not an operation"),
            ("set 2 0 0.5", 1, "UNITS is a whole number from -9223372036854775808 to 9223372036854775807, not `0.5`"),
            ("set 2 1 65536", 1, "there is no live parameter 1; there are 1; name those that change with --live"),
            ("replace 2", 1, "not an operation"),
            ("replace 2 0", 1, "there is no policy 0; name another one with --replace-by"),
        ] {
            let wrong = read(text, Played { ports: 2, parameters: 1, policies: 1 }).unwrap_err();
            assert_eq!(wrong.line, line, "{text}");
            assert!(wrong.to_string().contains(part), "{text}: {wrong}");
        }
        let wrong = read("replace 2 1\nreplace 2 2", Played { ports: 2, parameters: 1, policies: 2 }).unwrap_err();
        assert_eq!(wrong.to_string(), "`replace 2 2`: there is no policy 2; there are 0 and 1");
    }
}
