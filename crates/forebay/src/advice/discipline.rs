//! The disciplines that advice compares: policies in OpenQueue, which simulations and real datapaths run alike.

use super::FOLDER;
use crate::error::{Result, UserError};
use forebay_core::registry::suggest;

/// Queues of fair queueing.
const QUEUES: u64 = 64;

/// A discipline of a bottleneck.
#[derive(Debug, Clone, Copy)]
pub struct Discipline {
    /// The discipline's name, which is also the name of its file.
    pub name: &'static str,
    /// A description in one line.
    pub title: &'static str,
    /// The discipline's policy in OpenQueue.
    pub text: &'static str,
    /// Returns the discipline's parameters, by name, for a buffer of the given number of packets.
    params: fn(u64) -> Vec<(&'static str, String)>,
    /// The places where real datapaths find the packet fields that the policy reads.
    pub fields: &'static [&'static str],
    /// Whether the discipline needs senders that react to marks.
    pub marks: bool,
    /// The reason why no real datapath runs it; `None` if one does.
    pub only_simulated: Option<&'static str>,
}

/// The name of the discipline that the others are compared with.
pub const BASELINE: &str = "fifo";

/// All disciplines; the first is the baseline. A new discipline is one entry.
pub const DISCIPLINES: &[Discipline] = &[
    Discipline {
        name: BASELINE,
        title: "first in, first out, with tail drop",
        text: forebay_policies::FIFO,
        params: buffer,
        fields: &[],
        marks: false,
        only_simulated: None,
    },
    Discipline {
        name: "sfq",
        title: "fair queueing by flow; a full buffer drops from the longest queue",
        text: forebay_policies::SFQ,
        params: |packets| [buffer(packets), vec![("k", QUEUES.to_string())]].concat(),
        fields: &["flow=flow-hash"],
        marks: false,
        only_simulated: None,
    },
    Discipline {
        name: "drop-front",
        title: "first in, first out; a full buffer drops the packet that has waited longest",
        text: forebay_policies::DROP_FRONT,
        params: buffer,
        fields: &[],
        marks: false,
        only_simulated: None,
    },
    Discipline {
        name: "red-average",
        title: "random early detection: drops before the buffer is full",
        text: forebay_policies::RED_AVERAGE,
        params: |packets| {
            let limits = vec![("lo", (packets / 4).to_string()), ("hi", (packets * 3 / 4).max(1).to_string())];
            [buffer(packets), limits].concat()
        },
        fields: &[],
        marks: false,
        only_simulated: None,
    },
    Discipline {
        name: "codel-marking",
        title: "marks packets once the queueing delay stays above 5 ms; senders use ECN",
        text: forebay_policies::CODEL_MARKING,
        params: buffer,
        fields: &[],
        marks: true,
        only_simulated: None,
    },
    Discipline {
        name: "pfabric",
        title: "the flow with the fewest remaining bytes goes first",
        text: forebay_policies::PFABRIC,
        params: buffer,
        fields: &[],
        marks: false,
        only_simulated: Some("no header of TCP says how much of a flow is left to send; it is a bound, not a choice"),
    },
];

fn buffer(packets: u64) -> Vec<(&'static str, String)> {
    vec![("B", format!("{packets} pkts"))]
}

impl Discipline {
    /// Returns the disciplines to compare if none are named: all that can be set up.
    pub fn usual() -> Vec<&'static Self> {
        DISCIPLINES.iter().filter(|own| own.only_simulated.is_none()).collect()
    }

    /// Reads a list like `sfq,red-average`. Returns the baseline and then each named discipline once.
    ///
    /// # Errors If there is no discipline of one of these names.
    pub fn list(text: &str) -> Result<Vec<&'static Self>> {
        let mut list = vec![&DISCIPLINES[0]];
        for name in text.split(',').map(str::trim) {
            let own = DISCIPLINES.iter().find(|own| own.name == name).ok_or_else(|| {
                let known = suggest(name, DISCIPLINES.iter().map(|own| own.name));
                UserError::argument("policy", format!("unknown policy `{name}`{known}"))
            })?;
            if list.iter().all(|known| known.name != own.name) {
                list.push(own);
            }
        }
        if list.len() < 2 {
            return Err(UserError::argument("policy", "name a policy to compare with fifo, such as sfq"));
        }
        Ok(list)
    }

    /// Returns the discipline's parameters for a buffer of `packets` packets.
    pub fn params(&self, packets: u64) -> Vec<(&'static str, String)> {
        (self.params)(packets)
    }

    /// Returns the name of the discipline's file.
    pub fn file(&self) -> String {
        format!("{}.oq", self.name)
    }

    /// Returns the path of the discipline's file as the scenario names it.
    pub(crate) fn path(&self) -> String {
        format!("{FOLDER}/{}", self.file())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use forebay_lang::analyse;

    #[test]
    fn every_discipline_is_a_policy_with_these_parameters() {
        for own in DISCIPLINES {
            for packets in [1, 2, 1_000, 1_000_000] {
                let params = own.params(packets).into_iter();
                let params = params.map(|(name, value)| (name.to_owned(), value.parse().unwrap())).collect();
                assert!(analyse(own.text, &params).policy.is_some(), "{} {packets}", own.name);
            }
        }
        assert_eq!(DISCIPLINES[0].name, BASELINE);
    }

    #[test]
    fn a_list_begins_with_the_baseline_and_has_each_once() {
        let names = |text| Discipline::list(text).map(|list| list.iter().map(|own| own.name).collect::<Vec<_>>());
        assert_eq!(names("sfq, pfabric,sfq").unwrap(), ["fifo", "sfq", "pfabric"]);
        assert_eq!(names("pfabric,fifo").unwrap(), ["fifo", "pfabric"]);
        for (text, word) in
            [("", "unknown policy ``"), ("sqf,fifo", "did you mean `sfq`?"), ("fifo", "to compare with")]
        {
            assert!(names(text).unwrap_err().to_string().contains(word), "{text}");
        }
    }
}
