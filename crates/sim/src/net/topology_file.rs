//! Topologies as text: any graph, one line for each host, switch and link.
//!
//! ```text
//! # Two hosts, 20 ns apart from a switch.
//! host,h0
//! host,h1,1
//! switch,s
//! link,h0,s,10 Gbps,20 ns
//! link,s,h1,2.5 Gbps,20 ns
//! ```
//!
//! - `host,NAME` or `host,NAME,RACK`: a host, which sends and receives, and has one link. Hosts are numbered from 0 in their order. The
//!   rack is a number, 0 by default.
//! - `switch,NAME`: a switch, which forwards packets.
//! - `link,A,B,RATE,PROPAGATION`: joins two nodes in both directions. Two links between the same switches are two paths.
//!
//! Lines may be in any order. Spaces around fields, empty lines and text after a `#` are ignored. Names have no commas, no `#` and no `>`.
//!
//! Topologies of ns-3 ([`super::topology_ns3`]) and of htsim ([`super::topology_htsim`]) are read as well. The first line tells the formats
//! apart.

use super::topology_htsim::{Htsim, is_htsim};
use super::topology_ns3::{Ns3, is_ns3};
use super::topology_parts::{Link, Parts, TopologyFileError};
use crate::net::graph::{Graph, NodeKind};
use forebay_core::{Duration, Rate};
use std::io::{BufRead, BufReader, ErrorKind, Read};

/// Reads a topology. The result passes [`Graph::check`]. Lines are split by hand: fields need no quotes, and an error must name its line
/// whatever precedes it.
///
/// # Errors
/// Names the line and what is expected there.
pub fn read_topology(input: impl Read) -> Result<Graph, TopologyFileError> {
    let mut reader = None;
    for (line, text) in (1..).zip(BufReader::new(input).lines()) {
        let text = text.map_err(|error| match error.kind() {
            ErrorKind::InvalidData => TopologyFileError::at(line, "this is not text; is it really a topology?"),
            _ => TopologyFileError::Io(error),
        })?;
        let text = text.trim_start_matches('\u{feff}').split('#').next().unwrap_or("").trim();
        if text.is_empty() {
            continue;
        }
        match reader.get_or_insert_with(|| Reader::of(text)) {
            Reader::Ns3(ns3) => ns3.line(line, text)?,
            Reader::Htsim(htsim) => htsim.line(line, text)?,
            Reader::Lines(parts) => {
                let mut fields: Vec<&str> =
                    text.split(',').map(|field| field.trim().trim_matches('"').trim()).collect();
                // Spreadsheets make all lines as long as the longest.
                while fields.last().is_some_and(|field| field.is_empty()) {
                    fields.pop();
                }
                take(parts, line, &fields)?;
            }
        }
    }
    match reader {
        Some(Reader::Ns3(ns3)) => ns3.finish()?.finish(),
        Some(Reader::Htsim(htsim)) => htsim.finish(),
        Some(Reader::Lines(parts)) => parts.finish(),
        None => Parts::default().finish(),
    }
}

/// The reader of the lines of a file.
enum Reader {
    Lines(Parts),
    Ns3(Ns3),
    Htsim(Htsim),
}

impl Reader {
    /// Chosen by the first line with content.
    fn of(first: &str) -> Self {
        if is_ns3(first) {
            Self::Ns3(Ns3::default())
        } else if is_htsim(first) {
            Self::Htsim(Htsim::default())
        } else {
            Self::Lines(Parts::default())
        }
    }
}

fn take(parts: &mut Parts, line: u64, fields: &[&str]) -> Result<(), TopologyFileError> {
    match *fields {
        [] => Ok(()),
        ["host", name] => parts.node(line, name, NodeKind::Host, 0),
        ["host", name, rack] => {
            let rack = rack.parse().map_err(|_| {
                TopologyFileError::at(line, format!("a rack is a whole number from 0 to {}, not `{rack}`", u32::MAX))
            })?;
            parts.node(line, name, NodeKind::Host, rack)
        }
        ["switch", name] => parts.node(line, name, NodeKind::Switch, 0),
        ["link", a, b, rate, propagation] => {
            let rate = Rate::parse(rate).map_err(|error| TopologyFileError::at(line, error.to_string()))?;
            let propagation =
                Duration::parse(propagation).map_err(|error| TopologyFileError::at(line, error.to_string()))?;
            parts.link(Link { line, ends: [a.to_owned(), b.to_owned()], rate, propagation });
            Ok(())
        }
        ["host", ..] => Err(TopologyFileError::at(line, "a host is `host,NAME` or `host,NAME,RACK`")),
        ["switch", ..] => Err(TopologyFileError::at(line, "a switch is `switch,NAME`")),
        ["link", ..] => Err(TopologyFileError::at(
            line,
            "a link is `link,A,B,RATE,PROPAGATION`, for example `link,h0,s0,10 Gbps,20 ns`",
        )),
        [kind, ..] => Err(TopologyFileError::at(
            line,
            format!("a line begins with host, switch or link, not with `{kind}`, for example `host,h0`"),
        )),
    }
}
