//! The mapping from sources to fields.

use super::field::Field;
use super::frame::{Frame, Metadata};
use super::source::{Part, Source, WrongSource};
use forebay_core::{ClassId, Duration, FlowId, IpHeader, Packet, QueueId};
use forebay_lang::Policy;
use std::str::FromStr as _;

/// The source of each field.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Mapping {
    sources: [Option<Source>; Field::ALL.len()],
}

impl Default for Mapping {
    /// Maps the class to the DSCP, and the flow to the hash of addresses and ports. The other fields have no source.
    fn default() -> Self {
        let mut mapping = Self { sources: [None; Field::ALL.len()] };
        mapping.set(Field::Class, Source::of(Part::Dscp));
        mapping.set(Field::Flow, Source::of(Part::FlowHash));
        mapping
    }
}

/// A field that a policy reads and that has no source.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error(
    "the policy reads `{}` of packets{}, and no header implies it; name a source, such as --field {}={}",
    .0.name(),
    if *.1 { " (it has several queues and no `classify`)" } else { "" },
    .0.name(),
    example(*.0)
)]
pub struct Unsaid(pub Field, bool);

fn example(field: Field) -> &'static str {
    match field {
        Field::Queue => "dscp>>3",
        Field::Value | Field::Rank => "mark",
        Field::Class => "dscp",
        Field::Flow => "flow-hash",
        Field::Processing | Field::Slack | Field::Remaining => "udp[8:4]",
    }
}

/// Whether packets name their queue: the policy has several queues, and no classifier.
fn is_directed(policy: &Policy) -> bool {
    policy.classify.is_empty() && policy.queues.len() > 1
}

impl Field {
    /// Returns the fields that a policy reads.
    pub(crate) fn read_by(policy: &Policy) -> Vec<Self> {
        let mut read = vec![];
        if is_directed(policy) {
            read.push(Self::Queue);
        }
        policy.reads(&mut |what| {
            if let Some(field) = what.of_packets()
                && let Some(field) = Self::of(field)
            {
                read.push(field);
            }
        });
        read.sort_unstable();
        read.dedup();
        read
    }
}

/// Why a text is not a setting of a field's source.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SettingError {
    /// The text does not have the form `NAME=SOURCE`.
    #[error("`{0}` should be NAME=SOURCE, such as class=dscp or queue=priority")]
    Shape(String),
    /// No such field can be read from headers.
    #[error("`{0}` is not a field that headers can give; these are {names}", names = Field::ALL.map(Field::name).join(", "))]
    UnknownField(String),
    /// There is no such source.
    #[error(transparent)]
    Source(#[from] WrongSource),
}

/// Converts the error into its text.
impl From<SettingError> for String {
    fn from(error: SettingError) -> Self {
        error.to_string()
    }
}

impl Mapping {
    /// Returns the source of a field.
    #[must_use]
    pub fn source(&self, field: Field) -> Option<Source> {
        self.sources[field as usize]
    }

    /// Sets the source of a field.
    pub fn set(&mut self, field: Field, source: Source) {
        self.sources[field as usize] = Some(source);
    }

    /// Sets the sources of several fields.
    #[must_use]
    pub fn with(mut self, settings: &[(Field, Source)]) -> Self {
        settings.iter().for_each(|(field, source)| self.set(*field, *source));
        self
    }

    /// Reads `NAME=SOURCE`, such as `queue=dscp>>3`.
    ///
    /// # Errors
    /// If the text is wrong. The error gives the reason and the correct form.
    pub fn read_setting(text: &str) -> Result<(Field, Source), SettingError> {
        let Some((name, source)) = text.split_once('=') else {
            return Err(SettingError::Shape(text.to_owned()));
        };
        let Some(field) = Field::ALL.into_iter().find(|field| field.name() == name.trim()) else {
            return Err(SettingError::UnknownField(name.trim().to_owned()));
        };
        Ok((field, Source::from_str(source.trim())?))
    }

    /// Returns the fields that the policy reads and that have no source.
    #[must_use]
    pub fn unsaid(&self, policy: &Policy) -> Vec<Unsaid> {
        let read = Field::read_by(policy);
        let unsaid = read.into_iter().filter(|field| self.source(*field).is_none());
        unsaid.map(|field| Unsaid(field, field == Field::Queue && is_directed(policy))).collect()
    }

    /// Returns a field that the policy reads from `egress`, so that it depends on a forwarding table.
    #[must_use]
    pub fn from_egress(&self, policy: &Policy) -> Option<Field> {
        let is_it = |field: &Field| self.source(*field).is_some_and(|source| source.part == Part::Egress);
        Field::read_by(policy).into_iter().find(is_it)
    }

    /// Returns a field that is read from headers inside of tunnels, with its source.
    #[must_use]
    pub fn inner(&self) -> Option<(Field, Source)> {
        let sources = Field::ALL.into_iter().zip(self.sources);
        sources
            .filter_map(|(field, source)| Some((field, source?)))
            .find(|(_, source)| source.header != IpHeader::Outer)
    }

    /// Returns the frame with the wanted headers, which are searched only if some field reads them.
    fn seen<'a>(&self, frame: Frame<'a>, bytes: &'a [u8], wanted: IpHeader) -> Frame<'a> {
        let is_read = self.sources.iter().flatten().any(|source| source.header == wanted);
        if is_read { frame.inside(bytes, wanted) } else { frame }
    }

    /// Returns the sources of only those fields that the policy reads or changes.
    #[must_use]
    pub fn only_read_by(&self, policy: &Policy) -> Self {
        let read = Field::read_by(policy);
        let is_used = |field| read.contains(&field) || (field == Field::Value && policy.modifies_values());
        let source = |field| self.source(field).filter(|_| is_used(field));
        Self { sources: Field::ALL.map(source) }
    }

    /// Returns the packet that a policy sees of a frame. Its number, time of arrival and size are the frame's; numbers that are too great
    /// for a field are clamped. Its marks are those of the outer headers, into which marks are written.
    ///
    /// # Panics
    /// If the frame has 4 GiB or more, which no network carries.
    #[must_use]
    pub fn packet(&self, bytes: &[u8], metadata: Metadata) -> Packet {
        /// The reason why the numbers of fields fit.
        const CUT: &str = "it was cut to the greatest of the field";
        let frame = Frame::new(bytes);
        let [second, innermost] = [IpHeader::Second, IpHeader::Inner].map(|wanted| self.seen(frame, bytes, wanted));
        let number = |source: Source| {
            let frame = match source.header {
                IpHeader::Outer => &frame,
                IpHeader::Second => &second,
                IpHeader::Inner => &innermost,
            };
            source.read(frame, metadata)
        };
        let read = |field: Field| self.source(field).map_or(0, number).min(field.most());
        let mut packet = Packet {
            rank: read(Field::Rank),
            remaining_bytes: read(Field::Remaining),
            processing: Duration::from_ns(read(Field::Processing)),
            slack: Duration::from_ns(read(Field::Slack)),
            size_bytes: u32::try_from(bytes.len()).expect("a frame is below 4 GiB"),
            value: u32::try_from(read(Field::Value)).expect(CUT),
            flow: FlowId(u32::try_from(read(Field::Flow)).expect(CUT)),
            queue: QueueId(u16::try_from(read(Field::Queue)).expect(CUT)),
            class: ClassId(u8::try_from(read(Field::Class)).expect(CUT)),
            ..Packet::default()
        };
        match frame.traffic_class() & 3 {
            0 => {}
            3 => {
                packet.marks.set_ecn_capable();
                packet.marks.set_congested();
            }
            _ => packet.marks.set_ecn_capable(),
        }
        if frame.tag() & 0x1000 != 0 {
            packet.marks.set_eligible_to_drop();
        }
        packet
    }
}
