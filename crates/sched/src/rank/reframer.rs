//! Reframer: packets are held back for a short time, so that packets of a flow leave together.
//!
//! A server that works on packets of many flows in turn rarely finds a flow's state in its caches. It finds the state more often if a
//! flow's packets arrive in a row. Reframer (NSDI'22) is placed in front of such a server. The first packet of a flow opens a group and
//! waits for `hold`; packets of the flow that arrive meanwhile join the group. Groups leave in the order in which they were opened, each in
//! one piece, and a flow's packets keep their order.
//!
//! The rank of a packet is the number of its group, and its eligible time is the end of the group. So the queue must hold packets back,
//! which `pieo` does, and the link is idle while all groups are open. A packet is held back for at most `hold`. Beyond that, it waits only
//! while earlier groups use the link.
//!
//! The text of the paper is not among the sources of this repository. Chosen here: every packet is held, including short ones, since a
//! packet that left early would overtake others of its flow. No packets join a group after its end, even while the group waits for the
//! link.

use crate::flow_state::FlowState;
use crate::pacing::PaceRule;
use crate::traits::{BuiltRankFn, RankEntry, RankFn, RankRange, Serves};
use forebay_core::params::ParamKind;
use forebay_core::{About, Duration, Exactness, Packet, ParamError, ParamSpec, Params, Time};

/// The registry's entry for [`Reframer`].
pub const ENTRY: RankEntry = RankEntry {
    about: About {
        name: "reframer",
        title: "Flows in groups, on queue = \"pieo\": a flow's packets wait for up to `hold` and depart together",
        exactness: Exactness::NotApplicable,
        hardware: "a time and a number for each flow, and a queue that holds packets back, such as PIEO",
        cost: "O(1) per packet; 16 bytes for each flow, in pages of 256",
        source: "Ghasemirahni et al.: Packet order matters!, NSDI'22",
        params: &[ParamSpec {
            name: "hold",
            kind: ParamKind::Duration { default: None },
            meaning: "time that the first packet of a group waits for others of its flow; must be given",
        }],
    },
    also_known_as: &[],
    needs: None,
    serves: Serves::Otherwise,
    range: RankRange::Rising,
    build: |_, params| build(params),
};

fn build(params: &Params) -> BuiltRankFn {
    let missing = || ParamError::of("hold", "`reframer` needs a `hold`, such as hold = \"20 us\"");
    Ok(Box::new(Reframer::new(params.optional_duration("hold").ok_or_else(missing)?)))
}

/// The numbers of groups, and the times at which they end.
#[derive(Debug, Clone)]
pub struct Reframer {
    hold: Duration,
    /// The last group of each flow.
    groups: FlowState<Group>,
    /// The number of groups opened so far.
    opened: u64,
    /// The group of the packet that was ranked last, and the time of the ranking.
    asked: Group,
    now: Time,
}

/// A group of packets. The default group has ended.
#[derive(Debug, Clone, Copy, Default)]
struct Group {
    number: u64,
    end: Time,
}

impl Reframer {
    /// Creates Reframer with groups that are open for `hold`.
    #[must_use]
    pub fn new(hold: Duration) -> Self {
        Self { hold, groups: FlowState::default(), opened: 0, asked: Group::default(), now: Time::ZERO }
    }
}

impl RankFn for Reframer {
    fn rank(&mut self, now: Time, packet: &Packet) -> u64 {
        let group = self.groups.get(packet.flow);
        self.asked = if now < group.end { group } else { Group { number: self.opened + 1, end: now + self.hold } };
        self.now = now;
        self.asked.number
    }

    fn queued(&mut self, packet: &Packet) {
        if self.asked.number > self.opened {
            self.opened = self.asked.number;
            let now = self.now;
            *self.groups.get_mut_forgetting(packet.flow, |group| group.end <= now) = self.asked;
        }
    }

    fn as_pace_mut(&mut self) -> Option<&mut dyn PaceRule> {
        Some(self)
    }
}

impl PaceRule for Reframer {
    fn eligible(&mut self, _: Time, _: &Packet) -> Time {
        self.asked.end
    }
}
