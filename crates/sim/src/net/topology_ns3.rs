//! Topologies in the format of simulations with ns-3 since HPCC (SIGCOMM 2019). First come the numbers of nodes, switches and links, and
//! then the nodes that are switches. A line for each link follows with its ends, rate, delay and error rate.
//!
//! ```text
//! 3 1 2
//! 2
//! 0 2 100Gbps 0.001ms 0
//! 1 2 100Gbps 0.001ms 0
//! ```
//!
//! Nodes are called by their numbers. Those that are no switches are hosts.

use super::topology_parts::{Link, Parts, TopologyFileError};
use crate::net::graph::NodeKind;
use forebay_core::{Duration, Rate};
use std::collections::BTreeSet;

/// More nodes than this are a mistake, for which no memory is taken.
const MOST_NODES: u64 = 1_000_000;

/// Whether this is the first line with content of such a file.
pub(super) fn is_ns3(first: &str) -> bool {
    let words: Vec<&str> = first.split_whitespace().collect();
    words.len() == 3 && words.iter().all(|word| word.bytes().all(|byte| byte.is_ascii_digit()))
}

/// The contents that have been read.
#[derive(Default)]
pub(super) struct Ns3 {
    /// Nodes, switches and links, as the first line announces them, and its number.
    head: Option<([u64; 3], u64)>,
    switches: BTreeSet<u64>,
    parts: Parts,
    links: u64,
}

impl Ns3 {
    /// Takes a line with content.
    pub(super) fn line(&mut self, line: u64, text: &str) -> Result<(), TopologyFileError> {
        let words: Vec<&str> = text.split_whitespace().collect();
        let Some(([nodes, switches, _], _)) = self.head else { return self.head(line, &words) };
        // The numbers of switches may stand in several lines.
        if (self.switches.len() as u64) < switches {
            for word in words {
                let number = number(line, word)?;
                if number >= nodes || !self.switches.insert(number) {
                    let why = format!(
                        "`{word}` is no switch; this line takes the numbers of {switches} different nodes below {nodes}"
                    );
                    return Err(TopologyFileError::at(line, why));
                }
            }
            if self.switches.len() as u64 > switches {
                return Err(TopologyFileError::at(
                    line,
                    format!("more switches are named than the {switches} that line 1 declares"),
                ));
            }
            return if self.switches.len() as u64 == switches { self.nodes(line, nodes) } else { Ok(()) };
        }
        let [a, b, rate, delay, loss] = words[..] else {
            let form = "src dst rate delay error_rate";
            let why = format!("a link of ns-3 has 5 words (`{form}`), and this line has {}", words.len());
            return Err(TopologyFileError::at(line, why));
        };
        if loss.parse() != Ok(0.0) {
            let why = format!(
                "the error rate `{loss}` is not supported; write 0, and a [[failure]] with `loss` in the scenario"
            );
            return Err(TopologyFileError::at(line, why));
        }
        let rate = Rate::parse(rate).map_err(|error| TopologyFileError::at(line, error.to_string()))?;
        let propagation = Duration::parse(delay).map_err(|error| TopologyFileError::at(line, error.to_string()))?;
        self.links += 1;
        self.parts.link(Link { line, ends: [a.to_owned(), b.to_owned()], rate, propagation });
        Ok(())
    }

    fn head(&mut self, line: u64, words: &[&str]) -> Result<(), TopologyFileError> {
        let numbers: Vec<u64> = words.iter().map(|word| number(line, word)).collect::<Result<_, _>>()?;
        let [nodes, switches, links] = numbers[..] else {
            return Err(TopologyFileError::at(line, "the first line has the numbers of nodes, switches and links"));
        };
        if nodes > MOST_NODES || switches >= nodes {
            let why = format!(
                "{nodes} nodes of which {switches} are switches: a network has at most {MOST_NODES} nodes, and some must be hosts"
            );
            return Err(TopologyFileError::at(line, why));
        }
        self.head = Some(([nodes, switches, links], line));
        if switches == 0 { self.nodes(line, nodes) } else { Ok(()) }
    }

    /// Makes all nodes, once the switches are known.
    fn nodes(&mut self, line: u64, nodes: u64) -> Result<(), TopologyFileError> {
        for node in 0..nodes {
            let kind = if self.switches.contains(&node) { NodeKind::Switch } else { NodeKind::Host };
            self.parts.node(line, &node.to_string(), kind, 0)?;
        }
        Ok(())
    }

    pub(super) fn finish(self) -> Result<Parts, TopologyFileError> {
        let ([_, switches, links], line) = self.head.unwrap_or(([0; 3], 1));
        let found = (self.switches.len() as u64, self.links);
        if found != (switches, links) {
            let why = format!(
                "this line declares {switches} switches and {links} links, but the file has {} and {}; check that the file \
                 is complete",
                found.0, found.1
            );
            return Err(TopologyFileError::at(line, why));
        }
        Ok(self.parts)
    }
}

fn number(line: u64, word: &str) -> Result<u64, TopologyFileError> {
    word.parse().map_err(|_| TopologyFileError::at(line, format!("a whole number must stand here, not `{word}`")))
}
