//! A port that notifies the node at the other end of its link of waiting packets during a run.

use super::impairments::Impaired;
use super::key::AskedOf;
use super::notifier::{Notifier, NotifierCounts};
use super::packet_name::Name;
use super::queue_choice::{Order, Refused};
use crate::net::event::to_u32;
use crate::net::hook::Message;
use crate::net::packets::Carries;
use crate::net::queued_packet::Queued;
use forebay_cache::seer::{Announcer, Carrier, Fpm};
use forebay_core::{ClassId, Duration, Rate, Seed, Time};
use std::collections::VecDeque;

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

/// The names in notifications.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Naming {
    /// States, of a notified cache.
    States,
    /// Packets: caches of several applications of a node are notified, or a node passes on notifications that concern others.
    Packets,
    /// Packets: the notified node has no such cache, and passes them on.
    PacketsOnly,
}

/// The application that a port notifies, and the names in its notifications.
#[derive(Debug, Clone, Copy)]
pub(super) struct Audience {
    /// The notified application. Where a node without a cache is notified, the application for which this is done.
    pub(super) place: usize,
    /// The port of its node.
    pub(super) port: usize,
    /// The packets that need its states.
    pub(super) asked: AskedOf,
    pub(super) naming: Naming,
    /// Whether it also gets forecasts of packets that have yet to arrive at the port.
    pub(super) forecasts: bool,
}

/// An application that a port notifies.
#[derive(Debug, Clone, Copy)]
pub(super) struct Hearer {
    /// The index of the application.
    pub(super) place: usize,
    /// The packets that need its states.
    pub(super) asked: AskedOf,
    /// Notifications that arrived and were not for its cache.
    pub(super) ended: u64,
    unnamed: u64,
}

impl Hearer {
    fn new(place: usize, asked: AskedOf) -> Self {
        Self { place, asked, ended: 0, unnamed: 0 }
    }
}

/// A [`Notifier`] in a run.
#[repr(C, align(64))]
pub(crate) struct Announcing {
    notifier: Notifier,
    /// A control packet was the last to leave.
    after_control: bool,
    pub(super) naming: Naming,
    /// Whether the port forecasts packets that have yet to arrive at it.
    pub(super) forecasts: bool,
    /// The applications that hear the notifications; at least one.
    pub(super) hearers: Vec<Hearer>,
    /// The port, as in its [`Audience`].
    pub(super) port: usize,
    fpms: VecDeque<Fpm>,
    notices: VecDeque<Notice>,
    control_time: Duration,
    /// How long control packets take of the link that have begun, and until when the last one does.
    control_ps: u64,
    control_until: Time,
    /// Forecasts that were withdrawn.
    withdrawn: u64,
    lost: u64,
    impaired: Option<Box<Impaired>>,
}

impl Announcing {
    /// Creates the state for the port of a link; `seed` is the seed of the run.
    pub(super) fn new(notifier: Notifier, link: usize, audience: Audience, seed: Seed) -> Self {
        let Audience { place, port, asked, naming, forecasts } = audience;
        let impaired = Impaired::new(notifier.impairments, seed, link);
        let spec = notifier.announcer.spec();
        let control_time = spec.rate.transmission_time(spec.control_bytes);
        Self {
            notifier,
            hearers: vec![Hearer::new(place, asked)],
            port,
            naming,
            forecasts,
            control_time,
            control_ps: 0,
            control_until: Time::ZERO,
            after_control: false,
            fpms: VecDeque::new(),
            notices: VecDeque::new(),
            withdrawn: 0,
            lost: 0,
            impaired,
        }
    }

    /// The port notifies another application of the node, too.
    pub(super) fn is_heard_by(&mut self, place: usize, asked: AskedOf) {
        self.hearers.push(Hearer::new(place, asked));
    }

    /// Whether packets of the port may overtake others.
    #[inline]
    fn has_classes(&self) -> bool {
        self.notifier.announcer.spec().classes > 1
    }

    #[inline]
    fn queue_of(&self, class: ClassId) -> usize {
        // Most ports have one, and no table need be read.
        if !self.has_classes() {
            return 0;
        }
        self.notifier.order.of_class(class)
    }

    /// The queue to which a packet has gone.
    #[inline]
    fn queue_for(&mut self, queued: &Queued<'_>) -> usize {
        match &mut self.notifier.order {
            Order::Classes(_) => self.queue_of(queued.packet().class),
            Order::Packets(choice) => choice.queued(&queued.at_port()),
            Order::Sorted { .. } => 0,
        }
    }

    /// The port has dropped an arriving packet.
    pub(super) fn refused(&mut self, packet: &Refused) {
        if let Order::Packets(choice) = &mut self.notifier.order {
            choice.refused(packet);
        }
    }

    /// A packet waits in the port, which is to be named.
    #[inline(never)]
    pub(super) fn queued_by_name(&mut self, queued: &Queued<'_>) {
        let way = queued.packet();
        if way.carries != Carries::Segment {
            return self.queued(queued, None);
        }
        let name = Name::of(way);
        self.withdraw(|announcer| announcer.withdraw(name.forecast().id()));
        // Nothing is expected where there is no cache.
        if self.naming == Naming::Packets && self.has_classes() {
            for hearer in &mut self.hearers {
                hearer.unnamed += u64::from(!hearer.asked.needs_state(way.has_data()));
            }
        }
        self.enters(queued, Some(name.id()));
    }

    /// A packet was enqueued at the port.
    #[inline]
    fn enters(&mut self, queued: &Queued<'_>, id: Option<u64>) {
        let size_bytes = queued.packet().wire_bytes();
        if let Order::Sorted { greatest } = self.notifier.order {
            return self.notifier.announcer.entered(queued.rank().min(greatest), id, size_bytes);
        }
        let queue = self.queue_for(queued);
        self.notifier.announcer.queued(queue, id, size_bytes);
    }

    /// The last packet of a port that sorts was pushed out.
    pub(super) fn pushed_out(&mut self) {
        self.notifier.announcer.pushed_out();
    }

    /// Whether the port corrects earlier notifications.
    pub(super) fn corrects(&self) -> bool {
        matches!(self.notifier.order, Order::Sorted { .. })
    }

    /// Withdraws forecasts.
    fn withdraw(&mut self, withdraw: impl FnOnce(&mut Announcer)) {
        let announcer = &mut self.notifier.announcer;
        let before = announcer.counts().stale;
        withdraw(announcer);
        self.withdrawn += announcer.counts().stale - before;
    }

    /// A packet will arrive at the port, which will be free from its present transmission at `free`. Its class must say its queue.
    pub(super) fn forecast(&mut self, name: Name, size_bytes: u32, comes: Time, free: Time) {
        let queue = self.queue_of(name.class);
        self.notifier.announcer.forecast(queue, name.forecast().id(), size_bytes, comes, free);
    }

    /// The link is idle, and no packet waits: whether any forecast or correction leaves.
    pub(super) fn ahead(&mut self, now: Time) -> bool {
        let before = self.fpms.len();
        self.notifier.announcer.corrections(&mut self.fpms);
        self.notifier.announcer.forecasts(Carrier::Idle, now, 0, &mut self.fpms);
        let any = self.fpms.len() > before;
        if any {
            self.leave(before, false);
        }
        any
    }

    /// Whether notifications are to be sent though no packet waits.
    pub(super) fn has_more(&self) -> bool {
        self.notifier.announcer.has_forecasts() || self.notifier.announcer.has_corrections()
    }

    /// A packet waits in the port; `id` is the state that it needs, if it needs one.
    #[inline]
    pub(super) fn queued(&mut self, queued: &Queued<'_>, id: Option<u64>) {
        if id.is_none() && self.has_classes() && self.naming != Naming::PacketsOnly {
            self.hearers.iter_mut().for_each(|hearer| hearer.unnamed += 1);
        }
        self.enters(queued, id);
    }

    /// A packet leaves the port.
    #[inline]
    pub(super) fn left(&mut self, class: ClassId) {
        self.after_control = false;
        if self.notifier.order.is_by_class() {
            self.notifier.announcer.left(self.queue_of(class));
        } else {
            self.notifier.announcer.left_first();
        }
    }

    /// The link is free, and a packet waits. `waited`: it has waited behind another.
    #[inline]
    pub(super) fn before(&mut self, now: Time, waited: bool) -> Message {
        let announcer = &mut self.notifier.announcer;
        let before = self.fpms.len();
        let is_control = waited && !self.after_control && announcer.control(now, &mut self.fpms);
        if is_control {
            self.after_control = true;
            self.control_ps += self.control_time.as_ps();
            self.control_until = now + self.control_time;
        } else if waited {
            announcer.gap(&mut self.fpms);
        } else {
            announcer.idle(&mut self.fpms);
        }
        if announcer.has_forecasts() {
            let (carrier, sent) = match is_control {
                true => (Carrier::Control, now + self.control_time),
                false if waited => (Carrier::Gap, now),
                false => (Carrier::Idle, now),
            };
            announcer.forecasts(carrier, sent, self.fpms.len() - before, &mut self.fpms);
        }
        if !is_control && self.fpms.len() == before {
            return Message::Nothing;
        }
        self.leave(before, is_control);
        if is_control { Message::Lasting(self.control_time) } else { Message::InGap }
    }

    /// Sends all notifications from index `from` on together, in a control packet or without one.
    #[inline]
    fn leave(&mut self, from: usize, is_control: bool) {
        if let Some(impaired) = &mut self.impaired {
            let mut leaving = self.fpms.drain(from..).collect();
            self.lost += impaired.send(&mut leaving);
            self.fpms.extend(leaving);
        }
        self.notices.push_back(Notice { fpms: to_u32(self.fpms.len() - from), is_control });
    }

    /// The notifications that were sent first have arrived. Gives the time that their control packet took of the link, if there was one,
    /// and the notifications.
    #[inline]
    pub(super) fn arrived(&mut self) -> (Option<Duration>, impl Iterator<Item = Fpm>) {
        let Notice { fpms, is_control } = self.notices.pop_front().unwrap_or(Notice::NOTHING);
        if self.notices.is_empty() {
            // As a short queue of packets.
            self.notices.clear();
        }
        (is_control.then_some(self.control_time), (0..fpms).map_while(|_| self.fpms.pop_front()))
    }

    /// Whether arriving notifications are only for the cache at the other end.
    #[inline]
    pub(super) fn is_plain(&self) -> bool {
        self.naming == Naming::States && self.impaired.is_none()
    }

    /// Removes the arrived notifications that are to be late; `at` receives the time of each arrival.
    pub(super) fn hold_up(&mut self, now: Time, fpms: &mut Vec<Fpm>, at: impl FnMut(Time)) {
        if let Some(impaired) = &mut self.impaired {
            impaired.hold_up(now, fpms, at);
        }
    }

    /// Returns a late notification that arrives now.
    pub(super) fn comes_late(&mut self) -> Option<Fpm> {
        self.impaired.as_mut()?.comes()
    }

    /// The link fails: notifications on it are lost, and forecasts are not known any more.
    pub(super) fn fail(&mut self) {
        self.withdraw(Announcer::withdraw_all);
        self.lost += self.fpms.len() as u64;
        self.fpms.clear();
        for notice in &mut self.notices {
            *notice = Notice::NOTHING;
        }
    }

    /// The control packet that was the last to leave is lost.
    pub(super) fn lose_last(&mut self) {
        if let Some(notice) = self.notices.back_mut() {
            let Notice { fpms, .. } = std::mem::replace(notice, Notice::NOTHING);
            self.fpms.truncate(self.fpms.len() - fpms as usize);
            self.lost += u64::from(fpms);
        }
    }

    /// The link sends at this rate from now on.
    pub(super) fn set_rate(&mut self, rate: Rate) {
        self.notifier.announcer.set_rate(rate);
        self.control_time = rate.transmission_time(self.notifier.announcer.spec().control_bytes);
    }

    /// Returns the time that control packets have used of the link by `now`. A packet in transmission is counted as far as it has been
    /// sent.
    pub(super) fn control_ps(&self, now: Time) -> u64 {
        self.control_ps - self.control_until.since(now).as_ps()
    }

    /// Returns the counts for the application at `place`.
    pub(super) fn counts(&self, link: usize, place: usize) -> NotifierCounts {
        let announcer = self.notifier.announcer.counts();
        let hearer = self.hearers.iter().find(|hearer| hearer.place == place);
        NotifierCounts {
            link,
            announcer,
            unnamed: hearer.map_or(0, |hearer| hearer.unnamed),
            untold: if self.has_classes() { announcer.stale - self.withdrawn } else { 0 },
            lost: self.lost,
            waiting: self.notifier.announcer.waiting() as u64,
            on_link: self.fpms.len() as u64 + self.impaired.as_ref().map_or(0, |impaired| impaired.held_up()),
            ended: hearer.map_or(0, |hearer| hearer.ended),
            misleading: self.impaired.as_ref().is_some_and(|impaired| impaired.misleads()),
        }
    }
}
