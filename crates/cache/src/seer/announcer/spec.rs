//! How a port sends its FPMs.

use forebay_core::{Duration, ParamError, Rate};

/// How a port sends its FPMs. The default is that of the paper's simulations (section 6), with one class.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AnnouncerSpec {
    /// Strict priority classes of the port.
    pub classes: usize,
    /// The rate of its link.
    pub rate: Rate,
    /// How many FPMs fit into the gap between two packets: of 44 bits each, 2 into 96.
    pub per_gap: usize,
    /// How many FPMs fit into a control packet: 8 into 64 B without 18 B of header and check sequence.
    pub per_control: usize,
    /// How many bytes of the link a control packet takes.
    pub control_bytes: u32,
    /// A control packet is sent when more FPMs wait than this (m); [`None`]: never.
    pub threshold: Option<usize>,
    /// The least time from one control packet to the next (t).
    pub interval: Duration,
    /// How many FPMs can wait, in all classes, forecasts among them.
    pub queue_capacity: usize,
    /// When the FPM of a packet leaves that finds the link idle.
    pub idle: Idle,
}

/// When the FPM of a packet leaves that finds the link idle.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Idle {
    /// Right before the packet (section 2, insight 3).
    #[default]
    Before,
    /// In the gap behind it (section 5, where idle characters end a packet), so that it is useless.
    After,
}

impl Default for AnnouncerSpec {
    fn default() -> Self {
        Self {
            classes: 1,
            rate: Rate::from_bits_per_second(100_000_000_000).expect("above 0"),
            per_gap: 2,
            per_control: 8,
            control_bytes: 64,
            threshold: Some(8),
            interval: Duration::from_ns(500),
            queue_capacity: 1024,
            idle: Idle::Before,
        }
    }
}

impl AnnouncerSpec {
    /// Checks that the values are possible.
    pub(super) fn check(&self) -> Result<(), ParamError> {
        let wrong = |name: &str, message: &str| Err(ParamError::of(name, message));
        if self.classes == 0 {
            return wrong("classes", "a port has a queue; there must be 1 class or more");
        }
        if self.threshold.is_some() && self.per_control == 0 {
            return wrong("per_control", "a control packet carries FPMs, 1 or more; without a threshold none is sent");
        }
        if self.threshold.is_some() && self.control_bytes == 0 {
            return wrong("control_bytes", "a control packet takes 1 byte or more of the link");
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::seer::Announcer;

    #[test]
    fn what_cannot_be_is_refused() {
        let wrong = |spec: AnnouncerSpec| Announcer::new(spec).unwrap_err().to_string();
        let default = AnnouncerSpec::default;
        assert!(wrong(AnnouncerSpec { classes: 0, ..default() }).contains("1 class or more"));
        assert!(wrong(AnnouncerSpec { per_control: 0, ..default() }).contains("without a threshold"));
        assert!(wrong(AnnouncerSpec { control_bytes: 0, ..default() }).contains("1 byte or more"));
        assert!(Announcer::new(AnnouncerSpec { per_control: 0, threshold: None, ..default() }).is_ok());
    }
}
