//! A port that tells the node at the other end of its link what waits in it.

use super::key::AskedOf;
use crate::forwarding::to_u32;
use forebay_core::{ClassId, Duration, Time};
use forebay_seer::{Announcer, AnnouncerCounts, Fpm};
use std::collections::VecDeque;

/// What makes notifications at a port, which must serve strict priorities, each first come first served, and drop what
/// arrives and finds no room: then nothing comes at another time than told.
#[derive(Debug, Clone)]
pub struct Notifier {
    /// The queues of notifications.
    pub announcer: Announcer,
    /// For each class of packets, which queue of the port it goes to; 0 is served first.
    pub queue_of_class: Box<[u8; 256]>,
}

/// What a port has told.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NotifierCounts {
    /// The link.
    pub link: usize,
    /// What the port made and sent.
    pub announcer: AnnouncerCounts,
    /// Packets that could overtake others and of which nothing was told, since they need no state.
    pub unnamed: u64,
    /// Notifications that a link lost as it failed.
    pub lost: u64,
    /// Those that wait to be sent.
    pub waiting: u64,
    /// Those on the link.
    pub on_link: u64,
}

/// Notifications that travel together.
#[derive(Debug, Clone, Copy)]
struct Notice {
    fpms: u32,
    /// Whether a control packet carries them.
    is_control: bool,
}

impl Notice {
    const NOTHING: Self = Self { fpms: 0, is_control: false };
}

/// A [`Notifier`] in a run.
#[repr(C, align(64))]
pub(crate) struct Announcing {
    notifier: Notifier,
    /// Which packets need states there.
    pub(super) asked: AskedOf,
    /// A control packet was the last to leave.
    after_control: bool,
    /// The node that is told, as its place among those with states, and its port.
    pub(super) place: usize,
    pub(super) port: usize,
    fpms: VecDeque<Fpm>,
    notices: VecDeque<Notice>,
    control_time: Duration,
    unnamed: u64,
    lost: u64,
}

/// What a free link sends before the next packet.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Before {
    /// Nothing.
    Nothing,
    /// Notifications that take no time of it.
    Gap,
    /// A control packet, which takes so long.
    Control(Duration),
}

impl Announcing {
    pub(super) fn new(notifier: Notifier, to: (usize, usize), asked: AskedOf) -> Self {
        let spec = notifier.announcer.spec();
        let control_time = spec.rate.transmission_time(spec.control_bytes);
        Self {
            notifier,
            place: to.0,
            port: to.1,
            asked,
            control_time,
            after_control: false,
            fpms: VecDeque::new(),
            notices: VecDeque::new(),
            unnamed: 0,
            lost: 0,
        }
    }

    #[inline]
    fn queue_of(&self, class: ClassId) -> usize {
        // Most ports have one, and no table need be read.
        if self.notifier.announcer.spec().classes == 1 {
            return 0;
        }
        usize::from(self.notifier.queue_of_class[usize::from(class.0)])
    }

    /// A packet waits in the port; `id` is the state that it needs, if it needs one.
    #[inline]
    pub(super) fn queued(&mut self, class: ClassId, id: Option<u64>, size_bytes: u32) {
        self.unnamed += u64::from(id.is_none() && self.notifier.announcer.spec().classes > 1);
        self.notifier.announcer.queued(self.queue_of(class), id, size_bytes);
    }

    /// A packet leaves the port.
    #[inline]
    pub(super) fn left(&mut self, class: ClassId) {
        self.after_control = false;
        self.notifier.announcer.left(self.queue_of(class));
    }

    /// The link is free, and a packet waits. `waited`: it has waited behind another.
    #[inline]
    pub(super) fn before(&mut self, now: Time, waited: bool) -> Before {
        let announcer = &mut self.notifier.announcer;
        let before = self.fpms.len();
        let is_control = waited && !self.after_control && announcer.control(now, &mut self.fpms);
        if is_control {
            self.after_control = true;
        } else if waited {
            announcer.gap(&mut self.fpms);
        } else {
            announcer.idle(&mut self.fpms);
        }
        let fpms = to_u32(self.fpms.len() - before);
        if !is_control && fpms == 0 {
            return Before::Nothing;
        }
        self.notices.push_back(Notice { fpms, is_control });
        if is_control { Before::Control(self.control_time) } else { Before::Gap }
    }

    /// What was sent first has arrived: how long it took of the link, if a control packet came, and the notifications.
    #[inline]
    pub(super) fn arrived(&mut self) -> (Option<Duration>, impl Iterator<Item = Fpm>) {
        let Notice { fpms, is_control } = self.notices.pop_front().unwrap_or(Notice::NOTHING);
        if self.notices.is_empty() {
            // As a short queue of packets.
            self.notices.clear();
        }
        (is_control.then_some(self.control_time), (0..fpms).map_while(|_| self.fpms.pop_front()))
    }

    /// The link fails: what is on it is lost.
    pub(super) fn fail(&mut self) {
        self.lost += self.fpms.len() as u64;
        self.fpms.clear();
        for notice in &mut self.notices {
            *notice = Notice::NOTHING;
        }
    }

    /// How long control packets took of the link.
    pub(super) fn control_ps(&self) -> u64 {
        self.notifier.announcer.counts().control_packets * self.control_time.as_ps()
    }

    pub(super) fn counts(&self, link: usize) -> NotifierCounts {
        NotifierCounts {
            link,
            announcer: self.notifier.announcer.counts(),
            unnamed: self.unnamed,
            lost: self.lost,
            waiting: self.notifier.announcer.waiting() as u64,
            on_link: self.fpms.len() as u64,
        }
    }
}
