//! One run: the counts of the program `clients.c`.

use super::setting::Setting;
use forebay::error::{Result, UserError};
use std::str::FromStr;

/// The time of an instruction on the machine's clock, in ns.
const NS_AN_INSTRUCTION: f64 = 2.0;

/// One run of the clients.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Run {
    pub(super) discipline: String,
    pub(super) setting: Setting,
    /// The packets that reached the receiver.
    pub(super) packets: u64,
    /// The sum of the times from the client to the receiver, in ns.
    waited: u64,
    /// The time from the start to the last packet, in ns.
    span: u64,
    /// The time from the start until the last datagram was sent, in ns.
    sending: u64,
}

impl Run {
    /// Returns the mean number of packets in flight.
    pub(super) fn length(&self) -> f64 {
        self.waited as f64 / self.span as f64
    }

    /// Returns the instructions for each packet until it was received, if the processor was the bottleneck.
    pub(super) fn through(&self) -> f64 {
        self.span as f64 / NS_AN_INSTRUCTION / self.packets as f64
    }

    /// Returns the instructions for each packet until it was sent, if there were no gaps.
    pub(super) fn arrival(&self) -> f64 {
        self.sending as f64 / NS_AN_INSTRUCTION / self.packets as f64
    }

    /// Returns the number of packets that did not arrive.
    pub(super) fn lost(&self) -> u64 {
        self.setting.packets().abs_diff(self.packets)
    }

    /// Parses a line of the machine's script: the discipline, the index of its setting, and numbers.
    pub(super) fn read(line: &str, settings: &[Setting]) -> Result<Self> {
        let wrong = || UserError::new(format!("the virtual machine wrote `{line}`, which is not a run"));
        let mut words = line.split_whitespace();
        let discipline = words.next().ok_or_else(wrong)?.to_owned();
        let setting = words.next().and_then(|word| settings.get(usize::from_str(word).ok()?)).ok_or_else(wrong)?;
        let numbers = words.map(str::parse).collect::<std::result::Result<Vec<u64>, _>>().map_err(|_| wrong())?;
        let [packets, waited, span, sending] = numbers[..] else { return Err(wrong()) };
        if packets == 0 || span == 0 {
            return Err(UserError::new(format!("no packet has passed {discipline}")));
        }
        Ok(Self { discipline, setting: *setting, packets, waited, span, sending })
    }
}

#[cfg(test)]
mod tests {
    use super::super::setting::{GROWING, THROUGH};
    use super::*;

    #[test]
    fn a_line_is_read_or_refused() {
        let settings = [THROUGH, GROWING];
        let run = Run::read("heap 1 1277 2554000 1000 5108", &settings).unwrap();
        assert_eq!((run.discipline.as_str(), run.setting, run.packets, run.lost()), ("heap", GROWING, 1_277, 3));
        assert!((run.length() - 2_554.0).abs() < 1e-9);
        assert!((run.arrival() - 2.0).abs() < 1e-9);
        for line in ["", "heap 2 1 1 1 1", "heap 1 1 1 1", "heap 1 1 1 1 -1", "heap 1 0 0 0 0"] {
            assert!(Run::read(line, &settings).is_err(), "{line}");
        }
    }
}
