//! From a recording to advice: runs its TCP flows over a bottleneck under several disciplines, and shows which flows gain or lose.
//!
//! ```
//! use forebay::Session;
//! use forebay::advice::{Advice, Discipline};
//! use forebay_core::{Duration, Rate};
//!
//! let rate = Rate::parse("20 Mbps").unwrap();
//! let recording = concat!(env!("CARGO_MANIFEST_DIR"), "/../../testdata/recording/mixed.pcap");
//! let advice = Advice { repetitions: 2, ..Advice::new(recording, rate, 1_000, Discipline::list("sfq")?) };
//! let question = advice.question()?;
//! let answer = question.run(&Session::default())?;
//! let text = advice.text(&question, &answer);
//! assert!(text.contains("sfq: 184 flows < 100 KB gain"));
//! # Ok::<(), forebay::UserError>(())
//! ```

mod discipline;
mod hosts;
mod setup;
mod verdict;

pub use discipline::{BASELINE, DISCIPLINES, Discipline};
pub use setup::set_up;

use crate::answer::Answer;
use crate::document::{Node, Value};
use crate::error::{Result, UserError};
use crate::network::{RecordedFlows, RegularBeside};
use crate::question::{Kind, Question};
use crate::scenario::{Beside, Files};
use forebay_core::{ClassId, Duration, Rate, Time};
use forebay_traces::IpHeader;
use std::io::Read;
use std::path::Path;
use std::sync::Arc;

/// TCP about as Linux has it: its congestion control, its timers, and a receive window of 6 MiB.
const TRANSPORT: &str = "{ name = \"cubic\", sack = true, min_rto = \"200 ms\", ack_every = 2, ack_delay = \"40 ms\", \
                         max_window_bytes = 6291456 }";
/// Bytes of flows that all runs together send; more would take minutes.
const MOST_BYTES: u64 = 40_000_000_000;
/// Flows start later by this at most: a recording is played for a second longer.
const MOST_JITTER: Duration = Duration::from_ms(1_000);
/// The maximum buffer, in packets.
pub const MOST_PACKETS: u64 = 1_000_000;
/// Sizes of flows that are told apart, as a scenario says them, and in bytes.
const SIZES: [(&str, u64); 2] = [("100 KB", 100_000), ("1 MB", 1_000_000)];
/// The folder of policies if the user names no other.
pub const FOLDER: &str = "policies";

/// A request for advice.
#[derive(Debug, Clone)]
pub struct Advice {
    /// The recording's name: a pcap or pcapng file.
    pub recording: String,
    /// The recording's bytes, if it is not a file.
    pub given: Option<Arc<Vec<u8>>>,
    /// The rate of the bottleneck.
    pub rate: Rate,
    /// The bottleneck's buffer in packets.
    pub packets: u64,
    /// The compared disciplines; the first is the baseline.
    pub disciplines: Vec<&'static Discipline>,
    /// The filter for packets of the recording.
    pub filter: Option<String>,
    /// The IP header that is read in each packet of the recording.
    pub ip_header: IpHeader,
    /// The direction of the recording: `main` or `other`.
    pub direction: Option<String>,
    /// The round-trip time between addresses for which the recording shows none.
    pub round_trip: Option<Duration>,
    /// Only flows that start within this time are sent.
    pub duration: Option<Duration>,
    /// The limit of the random time by which each flow starts later.
    pub jitter: Duration,
    /// The number of repetitions of every run.
    pub repetitions: u64,
    /// The root of all random numbers.
    pub seed: u64,
    /// The transport, a name or an inline table in TOML.
    pub transport: Option<String>,
    /// The folder of policies that the set-up commands name.
    pub folder: String,
}

impl Advice {
    /// Creates a request with defaults for all other settings.
    pub fn new(recording: &str, rate: Rate, packets: u64, disciplines: Vec<&'static Discipline>) -> Self {
        Self {
            recording: recording.to_owned(),
            given: None,
            rate,
            packets,
            disciplines,
            filter: None,
            ip_header: IpHeader::Outer,
            direction: None,
            round_trip: None,
            duration: None,
            jitter: Duration::from_ms(10),
            repetitions: 5,
            seed: 1,
            transport: None,
            folder: FOLDER.to_owned(),
        }
    }

    /// Returns the scenario. If its runs would last many minutes, it sends only the first flows of the recording, and a warning says so. A
    /// given duration is kept.
    ///
    /// # Errors
    /// If the recording has no flows that can be sent again, or an argument is wrong.
    pub fn question(&self) -> Result<Question> {
        if !(1..=MOST_PACKETS).contains(&self.packets) {
            let message = format!("the buffer must have 1 to {MOST_PACKETS} packets, not {}", self.packets);
            return Err(UserError::argument("buffer", message));
        }
        if self.jitter > MOST_JITTER {
            return Err(UserError::argument(
                "jitter",
                format!("flows start later by at most 1 s, not {}", self.jitter),
            ));
        }
        if self.given.is_none() {
            RegularBeside(Beside(Path::new(""))).check(&self.recording)?;
        }
        let question = self.ask(self.duration, &[])?;
        let Some(mut recorded) = recorded(&question) else { return Ok(question) };
        let runs = self.repetitions.saturating_mul(self.disciplines.len() as u64);
        let shorter = first(&recorded, MOST_BYTES / runs.max(1)).filter(|_| self.duration.is_none());
        if let Some(duration) = shorter {
            recorded.flows.retain(|flow| flow.spec.start < Time::ZERO + duration);
        }
        let dscps = Some(recorded.dscps()).filter(|dscps| dscps.len() > 1).unwrap_or_default();
        if shorter.is_none() && dscps.is_empty() {
            return Ok(question);
        }
        self.ask(shorter.or(self.duration), &dscps)
    }

    /// Returns the text for people: the recording, the result, gains and losses, and the set-up commands.
    pub fn text(&self, question: &Question, answer: &Answer) -> String {
        let recorded = recorded(question);
        let recording = recorded.as_ref().map_or_else(String::new, |own| self.shown(own));
        let hosts = recorded.as_ref().map_or_else(String::new, |own| hosts::text(&own.flows));
        let policies: String = self.disciplines.iter().map(|own| format!("  {}: {}\n", own.name, own.title)).collect();
        let setup: String =
            self.disciplines.iter().map(|own| set_up(own, self.rate, self.packets, &self.folder)).collect();
        format!(
            "{recording}{policies}\n{}{}{hosts}\nhow to set it up (eth1 sends to the bottleneck, eth0 is the other side; --out DIR writes the policies to DIR/{FOLDER})\n\n{setup}",
            answer.table(),
            verdict::text(&self.disciplines, answer),
        )
    }

    fn shown(&self, recorded: &RecordedFlows) -> String {
        let bytes: u64 = recorded.flows.iter().map(|flow| flow.spec.bytes).sum();
        let pairs = if recorded.pairs == 1 { "one pair" } else { &format!("{} pairs", recorded.pairs) };
        let seconds = recorded.flows.last().map_or(0.0, |flow| flow.spec.start.as_ps() as f64 / 1e12);
        let [least, median, greatest] = recorded.round_trips;
        format!(
            "{}: {} TCP flows with {bytes} bytes start within {seconds:.3} s, between {pairs} of addresses; round-trip times from \
             {least} to {greatest}, median {median}\nthe bottleneck sends at {}, its buffer has {} packets; senders react as TCP does, \
             and each flow starts later by up to {}\n",
            self.recording,
            recorded.flows.len(),
            self.rate,
            self.packets,
            self.jitter,
        )
    }

    fn ask(&self, duration: Option<Duration>, dscps: &[u8]) -> Result<Question> {
        Question::of_document(&self.document(duration, dscps)?, "advise", &Given(self))
    }

    /// With a workload for each of these classes, or one for all.
    fn document(&self, duration: Option<Duration>, dscps: &[u8]) -> Result<Node> {
        let mut network = vec![("topology", self.topology())];
        network.extend(duration.map(|duration| ("duration", Node::given_text("duration", exact(duration)))));
        let classes = SIZES.map(|(limit, _)| Node::given_text("size_classes", limit));
        network.push(("size_classes", Node::given("size_classes", Value::Array(classes.to_vec()))));
        let workload = |name: &str, dscp: Option<u8>| {
            let mut workload = vec![
                ("name", Node::given_text("recording", name)),
                ("replay", Node::given_text("recording", &self.recording)),
                ("jitter", Node::given_text("jitter", exact(self.jitter))),
            ];
            workload.extend(dscp.map(|dscp| ("dscp", Node::given("recording", Value::whole(u64::from(dscp))))));
            Node::given_table("recording", workload)
        };
        let workloads = match dscps {
            [] => vec![workload("recording", None)],
            dscps => dscps.iter().map(|dscp| workload(&class_name(*dscp), Some(*dscp))).collect(),
        };
        let policies = self.disciplines.iter().map(|own| self.policy(own)).collect::<Result<Vec<_>>>()?;
        Ok(Node::given_table(
            "advise",
            vec![
                ("name", Node::given_text("name", "advise")),
                ("seed", Node::given("seed", Value::whole(self.seed))),
                ("repetitions", Node::given("repetitions", Value::whole(self.repetitions))),
                ("baseline", Node::given_text("policy", self.disciplines[0].name)),
                ("network", Node::given_table("recording", network)),
                ("workload", Node::given("recording", Value::Array(workloads))),
                ("policy", Node::given("policy", Value::Array(policies))),
            ],
        ))
    }

    fn topology(&self) -> Node {
        let mut topology = vec![
            ("recording", Node::given_text("recording", &self.recording)),
            ("rate", Node::given_text("rate", bits(self.rate))),
        ];
        topology.extend(self.filter.as_ref().map(|filter| ("filter", Node::given_text("filter", filter))));
        let inner = Some(self.ip_header).filter(|header| *header != IpHeader::Outer);
        topology.extend(inner.map(|header| ("ip_header", Node::given_text("ip-header", header.to_string()))));
        topology.extend(self.direction.as_ref().map(|way| ("direction", Node::given_text("direction", way))));
        topology.extend(self.round_trip.map(|own| ("round_trip", Node::given_text("round-trip", exact(own)))));
        Node::given_table("recording", topology)
    }

    fn policy(&self, own: &Discipline) -> Result<Node> {
        let params =
            own.params(self.packets).into_iter().map(|(name, value)| (name, Node::given_text("buffer", value)));
        let port = Node::given_table(
            "policy",
            vec![("policy", Node::given_text("policy", own.path())), ("params", Node::given_table("buffer", params))],
        );
        let buffer = format!("{MOST_PACKETS} packets");
        let nic = vec![
            ("rank", Node::given_text("policy", "arrival")),
            ("queue", Node::given_text("policy", "fifo")),
            ("buffer", Node::given_text("policy", buffer)),
        ];
        let transport = self.transport(own.marks)?;
        let fields = vec![("name", Node::given_text("policy", own.name)), ("transport", transport), ("port", port)];
        Ok(Node::given_table("policy", [fields, vec![("nic", Node::given_table("policy", nic))]].concat()))
    }

    /// The transport, with ECN if the discipline marks.
    fn transport(&self, marks: bool) -> Result<Node> {
        let given = self.transport.as_deref().unwrap_or(TRANSPORT).trim();
        let given = if given.starts_with('{') { given.to_owned() } else { format!("{{ name = {given:?} }}") };
        let parsed = Node::parse("--transport", &format!("transport = {given}\n"));
        let mut document = parsed
            .map_err(|error| UserError::argument("transport", format!("this is not TOML: {}", error.message())))?;
        let value = document.value_at(&["transport"]).map(|own| std::mem::replace(own, Value::Boolean(false)));
        let mut transport = Node::given("transport", value.unwrap_or_else(|| Value::Table(Vec::new())));
        let name = match transport.value_at(&["name"]) {
            Some(Value::Text(name)) => name.clone(),
            _ => String::new(),
        };
        match name.as_str() {
            "newreno" | "cubic" if marks => transport.put(&["ecn"], Value::Boolean(true)),
            "ideal" | "pfabric" | "udp" if marks => {
                let message =
                    format!("senders of `{name}` do not react to marks; leave codel-marking out with --policy");
                return Err(UserError::argument("transport", message));
            }
            _ => {}
        }
        Ok(transport)
    }
}

/// The flows of the recording of a question.
fn recorded(question: &Question) -> Option<RecordedFlows> {
    match question.kind() {
        Kind::Network(scenario) => scenario.recorded(),
        _ => None,
    }
}

/// Returns the time in which flows with `most_bytes` bytes start, if not all do.
fn first(recorded: &RecordedFlows, most_bytes: u64) -> Option<Duration> {
    let mut bytes = 0_u64;
    let beyond = recorded.flows.iter().skip(1).find(|flow| {
        bytes = bytes.saturating_add(flow.spec.bytes);
        bytes > most_bytes
    })?;
    Some(Duration::from_ps(beyond.spec.start.as_ps().max(1)))
}

/// Returns the name of a class of packets: `DSCP 18 (AF21)`.
fn class_name(dscp: u8) -> String {
    let name = ClassId(dscp).to_string();
    if name == dscp.to_string() { format!("DSCP {dscp}") } else { format!("DSCP {dscp} ({name})") }
}

/// The policies of all disciplines, a recording that is given, and files as they are.
struct Given<'a>(&'a Advice);

impl Files for Given<'_> {
    fn open(&self, name: &str) -> Result<(String, Box<dyn Read + Send + '_>)> {
        if let Some(bytes) = self.0.given.as_ref().filter(|_| name == self.0.recording) {
            return Ok((name.to_owned(), Box::new(bytes.as_slice())));
        }
        match DISCIPLINES.iter().find(|own| name == own.path()) {
            Some(own) => Ok((name.to_owned(), Box::new(own.text.as_bytes()))),
            None => {
                let file =
                    std::fs::File::open(name).map_err(|error| UserError::io(Path::new(name), "opened", &error))?;
                Ok((name.to_owned(), Box::new(file)))
            }
        }
    }
}

/// Not rounded, as a duration is that a person reads: in the largest unit that needs no fraction.
fn exact(duration: Duration) -> String {
    let ps = duration.as_ps();
    let units = [(1_000_000_000_000, "s"), (1_000_000_000, "ms"), (1_000_000, "us"), (1_000, "ns")];
    let (size, unit) = units.into_iter().find(|(size, _)| ps.is_multiple_of(*size)).unwrap_or((1, "ps"));
    format!("{} {unit}", ps / size)
}

/// In the largest unit that needs no fraction.
fn bits(rate: Rate) -> String {
    let bits = rate.bits_per_second();
    let units = [(1_000_000_000, "Gbps"), (1_000_000, "Mbps"), (1_000, "kbps")];
    let (size, unit) = units.into_iter().find(|(size, _)| bits.is_multiple_of(*size)).unwrap_or((1, "bps"));
    format!("{} {unit}", bits / size)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::network::RecordedFlow;
    use crate::session::Session;
    use forebay_sim::net::{FlowSpec, HostId};

    const RECORDING: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../testdata/recording/mixed.pcap");

    fn advice(policies: &str) -> Advice {
        let rate = Rate::parse("20 Mbps").unwrap();
        Advice { repetitions: 2, ..Advice::new(RECORDING, rate, 1_000, Discipline::list(policies).unwrap()) }
    }

    #[test]
    fn fair_queueing_helps_short_flows_and_costs_long_ones() {
        let advice = advice("sfq");
        let question = advice.question().unwrap();
        let text = advice.text(&question, &question.run(&Session::default()).unwrap());
        // 188 connections of the recording, as tshark counts them, of which none pauses for half a second.
        for part in [
            "188 TCP flows with 8993159 bytes",
            "sfq: 184 flows < 100 KB gain",
            "3 flows >= 1 MB pay",
            "--field flow=flow-hash",
        ] {
            assert!(text.contains(part), "{part}: {text}");
        }
    }

    #[test]
    fn two_equal_disciplines_differ_in_nothing() {
        // With room for all packets, none is dropped at either end.
        let advice = advice("drop-front");
        let question = advice.question().unwrap();
        let text = advice.text(&question, &question.run(&Session::default()).unwrap());
        assert!(text.contains("drop-front: no difference that 2 repetitions can show"), "{text}");
    }

    #[test]
    fn of_a_long_recording_the_first_flows_are_sent() {
        let flow = |start| RecordedFlow {
            spec: FlowSpec { start: Time::from_ns(start), src: HostId(0), dst: HostId(1), bytes: 100, workload: 0 },
            ends: [[10, 0, 0, 1].into(), [10, 0, 0, 2].into()],
            dscp: 0,
        };
        let flows = (0..10).map(|number| flow(number * 10)).collect();
        let recorded = RecordedFlows { flows, round_trips: [Duration::from_ms(1); 3], pairs: 1 };
        assert_eq!(first(&recorded, 10_000), None);
        assert_eq!(first(&recorded, 350), Some(Duration::from_ns(40)));
        assert_eq!(first(&recorded, 0), Some(Duration::from_ns(10)));
    }

    #[test]
    fn numbers_are_written_without_rounding() {
        for (ps, text) in [(1, "1 ps"), (10_000_000_000, "10 ms"), (1_500_000_000_000, "1500 ms"), (0, "0 s")] {
            assert_eq!(exact(Duration::from_ps(ps)), text);
        }
        for text in ["20 Mbps", "1500 kbps", "7 bps", "3 Gbps"] {
            assert_eq!(bits(Rate::parse(text).unwrap()), text);
        }
    }
}
