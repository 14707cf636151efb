//! Optional fields of packets that are drawn: ranks, values, job sizes, slacks and queues.
//!
//! Each field draws from a stream of its own. So a recipe and a recording get the same numbers from the same seed, and another distribution
//! of ranks does not change the values.

use crate::distribution::Distribution;
use crate::rank_pattern::RankPattern;
use forebay_core::{Duration, Field, Fields, Packet, QueueId, Rng, Seed, Source};

/// Why a number that is drawn fits into its field.
const CHECKED: &str = "the greatest number that can be drawn was checked";

/// The distribution of each field; fields without a distribution are not changed.
#[derive(Debug, Clone, Default)]
pub struct DrawnFields {
    /// Ranks.
    pub rank: Option<RankPattern>,
    /// Values.
    pub value: Option<Distribution>,
    /// Job sizes in nanoseconds.
    pub processing_ns: Option<Distribution>,
    /// Slacks in nanoseconds.
    pub slack_ns: Option<Distribution>,
    /// Queues. All packets of a flow have the same queue.
    pub queue: Option<Distribution>,
}

impl DrawnFields {
    /// Returns the fields that are drawn.
    #[must_use]
    pub fn fields(&self) -> Fields {
        let drawn = [
            (self.rank.is_some(), Field::Rank),
            (self.value.is_some(), Field::Value),
            (self.processing_ns.is_some(), Field::Processing),
            (self.slack_ns.is_some(), Field::Slack),
            (self.queue.is_some(), Field::Queue),
        ];
        drawn.iter().filter(|(is_drawn, _)| *is_drawn).fold(Fields::NONE, |fields, &(_, field)| fields.with(field))
    }
}

/// Draws the fields of consecutive packets.
#[derive(Debug, Clone)]
pub(crate) struct FieldDraw {
    fields: DrawnFields,
    rank_rng: Rng,
    value_rng: Rng,
    processing_rng: Rng,
    slack_rng: Rng,
    queue_rng: Rng,
}

impl FieldDraw {
    /// Creates a state that begins with the first packet.
    ///
    /// # Panics If queues or values can be drawn that do not fit into a packet; the check of the scenario excludes this.
    pub(crate) fn new(fields: DrawnFields, seed: Seed) -> Self {
        let within = |numbers: &Option<Distribution>, most: u64| numbers.as_ref().is_none_or(|n| n.max() <= most);
        assert!(within(&fields.queue, u16::MAX.into()), "queues have numbers of 16 bits");
        assert!(within(&fields.value, u32::MAX.into()), "values have 32 bits");
        Self {
            fields,
            rank_rng: seed.stream("traffic/rank"),
            value_rng: seed.stream("traffic/value"),
            processing_rng: seed.stream("traffic/processing"),
            slack_rng: seed.stream("traffic/slack"),
            queue_rng: seed.stream("traffic/queue"),
        }
    }

    /// Returns the queue of the next flow.
    pub(crate) fn queue(&mut self) -> QueueId {
        let queue = self.fields.queue.as_ref().map_or(0, |queues| queues.draw(&mut self.queue_rng));
        QueueId(u16::try_from(queue).expect(CHECKED))
    }

    /// Sets all drawn fields of the next packet except for its queue. The packet's id must be set.
    pub(crate) fn packet(&mut self, packet: &mut Packet) {
        if let Some(ranks) = &self.fields.rank {
            packet.rank = ranks.rank_of(packet.id, &mut self.rank_rng);
        }
        if let Some(times) = &self.fields.processing_ns {
            packet.processing = Duration::from_ns(times.draw(&mut self.processing_rng));
        }
        if let Some(times) = &self.fields.slack_ns {
            packet.slack = Duration::from_ns(times.draw(&mut self.slack_rng));
        }
        if let Some(values) = &self.fields.value {
            packet.value = u32::try_from(values.draw(&mut self.value_rng)).expect(CHECKED);
        }
    }
}

/// A source whose packets get drawn fields.
pub struct WithDrawnFields {
    source: Box<dyn Source + Send>,
    draw: FieldDraw,
    /// The queue of each flow, by its number.
    queues: Vec<QueueId>,
}

impl WithDrawnFields {
    /// Creates a source that draws these fields for the packets of `source`.
    ///
    /// # Panics If queues or values can be drawn that do not fit into a packet.
    #[must_use]
    pub fn new(source: Box<dyn Source + Send>, fields: DrawnFields, seed: Seed) -> Self {
        Self { source, draw: FieldDraw::new(fields, seed), queues: Vec::new() }
    }
}

impl Source for WithDrawnFields {
    fn next_packet(&mut self) -> Option<Packet> {
        let mut packet = self.source.next_packet()?;
        self.draw.packet(&mut packet);
        if self.draw.fields.queue.is_some() {
            let flow = packet.flow.index();
            while self.queues.len() <= flow {
                self.queues.push(self.draw.queue());
            }
            packet.queue = self.queues[flow];
        }
        Some(packet)
    }

    fn fields(&self) -> Fields {
        [Field::Rank, Field::Value, Field::Processing, Field::Slack, Field::Queue]
            .into_iter()
            .filter(|field| self.draw.fields.fields().contains(*field))
            .fold(self.source.fields(), Fields::with)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::trace::{Trace, TraceSource};
    use forebay_core::{FlowId, Params};
    use std::sync::Arc;

    fn uniform(min: u64, max: u64) -> Distribution {
        let entry = crate::DISTRIBUTIONS.iter().find(|entry| entry.about.name == "uniform").unwrap();
        let params = Params::defaults(entry.about.params);
        Distribution::new(entry, crate::distribution::Range { min, max }, &params).unwrap()
    }

    #[test]
    fn packets_get_what_is_drawn_and_keep_the_rest() {
        let packet =
            |id: u64, flow: u32| Packet { id, flow: FlowId(flow), size_bytes: 7, value: 3, ..Packet::default() };
        let packets: Vec<Packet> = (0..300).map(|id| packet(id, u32::try_from(id % 50).unwrap())).collect();
        let trace = Arc::new(Trace { packets, ..Trace::default() });
        let fields =
            DrawnFields { queue: Some(uniform(0, 3)), processing_ns: Some(uniform(1, 9)), ..DrawnFields::default() };
        let mut source = WithDrawnFields::new(Box::new(TraceSource::new(trace, 1.0)), fields, Seed(1));
        assert!(source.fields().contains(Field::Queue) && !source.fields().contains(Field::Value));
        let got: Vec<Packet> = std::iter::from_fn(|| source.next_packet()).collect();
        let of_flow = |flow: u32| got.iter().find(|packet| packet.flow == FlowId(flow)).unwrap().queue;
        assert!(
            got.iter()
                .all(|packet| packet.queue == of_flow(packet.flow.0) && packet.size_bytes == 7 && packet.value == 3)
        );
        assert!((0..4).all(|queue| got.iter().any(|packet| packet.queue == QueueId(queue))));
        assert!((1..10).all(|ns| got.iter().any(|packet| packet.processing == Duration::from_ns(ns))));
    }
}
