//! Frames of all kinds in place of those generated from packets: IP in encapsulations and tunnels, other protocols, and damaged frames
//! ([`mod@encapsulated`], [`mod@tunneled`]).
//!
//! The policy's packets come from the headers. Code points and marks come from the parser of recordings, which is not that of the
//! targets; other fields come from the [`Mapping`] in Rust.

use crate::operation::marks_of;
use crate::{Operation, encapsulated, tunneled};
use forebay_core::encapsulation::{MOST, Network, Start, network};
use forebay_core::{Packet, Seed};
use forebay_targets::headers::{Field, HEAD_BYTES, Mapping, Metadata, Part, Source, write_marks};
use forebay_traces::IpHeader;
use forebay_traces::pcap_reader::read_pcap;
use rand::seq::SliceRandom;
use std::collections::HashMap;

/// The number of encapsulations that the parser of recordings follows.
const MOST_OF_RECORDINGS: usize = 64;

/// A frame, and its expected packet.
struct Known {
    bytes: Vec<u8>,
    packet: Packet,
}

/// A set of frames, each of which is recognised when it departs.
pub struct FrameSet {
    mapping: Mapping,
    /// The frames in the order of arrival: the packet with the number 1 is the first one.
    frames: Vec<Known>,
    numbers: HashMap<Vec<u8>, u64>,
}

/// Why frames cannot be played.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum CannotPlay {
    /// A field has a source that frames do not have.
    #[error("`{0}` is not in a frame; name a header, such as {1}=dscp, or bytes of one")]
    NotInFrames(Source, &'static str),
    /// The parser of recordings accepts fewer frames, or none.
    #[error("the reader of recordings does not accept all frames: {0}")]
    Recordings(String),
}

impl FrameSet {
    /// Creates a set of at most `most` frames, in an order of this seed, whose fields are read by `mapping`.
    ///
    /// # Errors
    /// If a field is in no frame.
    pub fn new(seed: Seed, mapping: Mapping, most: usize) -> Result<Self, CannotPlay> {
        for field in Field::ALL {
            if let Some(source) = mapping.source(field)
                && matches!(source.part, Part::Priority | Part::Mark | Part::Egress)
            {
                return Err(CannotPlay::NotInFrames(source, field.name()));
            }
        }
        let mut all: Vec<Vec<u8>> =
            encapsulated(seed.stream("encapsulations")).into_iter().map(|one| one.bytes).collect();
        all.extend(tunneled(seed.stream("tunnels")).into_iter().map(|one| one.bytes));
        // The kernel takes no frame that is nothing but an Ethernet header.
        all.retain(|bytes| bytes.len() > 14);
        all.shuffle(&mut seed.stream("order of frames"));
        let mut numbers = HashMap::new();
        all.retain(|bytes| {
            let next = numbers.len() as u64 + 1;
            let is_new = !numbers.contains_key(&marked(bytes)) && numbers.len() < most;
            if is_new {
                numbers.insert(marked(bytes), next);
            }
            is_new
        });
        let packets = packets(&all, &mapping)?;
        let frames = all.into_iter().zip(packets).map(|(bytes, packet)| Known { bytes, packet }).collect();
        Ok(Self { mapping, frames, numbers })
    }

    /// Returns the number of frames.
    #[must_use]
    pub fn count(&self) -> usize {
        self.frames.len()
    }

    /// Returns the sources of fields.
    #[must_use]
    pub fn mapping(&self) -> Mapping {
        self.mapping
    }

    /// Returns the sources as options of a command line.
    #[must_use]
    pub fn settings(&self) -> String {
        let said = Field::ALL.into_iter().filter_map(|field| Some((field.name(), self.mapping.source(field)?)));
        said.map(|(name, source)| format!(" --field '{name}={source}'")).collect()
    }

    /// Returns the frame of a packet, by the packet's number.
    ///
    /// # Panics
    /// If there is no such frame.
    #[must_use]
    pub fn of(&self, packet: &Packet) -> &[u8] {
        &self.known(packet.id).bytes
    }

    /// Returns the number of a frame, whatever its marks; [`None`] for a frame outside of this set.
    #[must_use]
    pub fn id(&self, frame: &[u8]) -> Option<u64> {
        self.numbers.get(&marked(frame)).copied()
    }

    /// Returns the frame of this number as it departs with these marks.
    ///
    /// # Panics
    /// If there is no such frame.
    #[must_use]
    pub fn with_marks(&self, id: u64, marks: u8) -> Vec<u8> {
        let mut bytes = self.known(id).bytes.clone();
        write_marks(&mut bytes, marks_of(marks));
        bytes
    }

    /// Replaces the arriving packets of operations by the frames' packets. There must be at least as many frames as packets.
    ///
    /// # Panics
    /// If there are fewer frames.
    #[must_use]
    pub fn in_place(&self, mut operations: Vec<Operation>) -> Vec<Operation> {
        for operation in &mut operations {
            if let Operation::Enqueue(now, packet) = operation {
                *packet = Packet { id: packet.id, arrival: *now, ..self.known(packet.id).packet };
            }
        }
        operations
    }

    fn known(&self, id: u64) -> &Known {
        let place = usize::try_from(id).ok().and_then(|id| id.checked_sub(1));
        place.and_then(|place| self.frames.get(place)).expect("packets have the numbers of frames")
    }
}

/// Returns the frame with all marks that it can have, which is the same before and after marking.
fn marked(frame: &[u8]) -> Vec<u8> {
    let mut bytes = frame.to_vec();
    write_marks(&mut bytes, marks_of(3));
    bytes
}

/// Returns the expected packet of each frame.
fn packets(frames: &[Vec<u8>], mapping: &Mapping) -> Result<Vec<Packet>, CannotPlay> {
    let outer = recorded(frames, IpHeader::Outer)?;
    let inside = |header| if mapping.inner().is_some() { recorded(frames, header) } else { Ok(Vec::new()) };
    let (second, inner) = (inside(IpHeader::Second)?, inside(IpHeader::Inner)?);
    let one = |(place, bytes): (usize, &Vec<u8>)| {
        // Where recordings look further than targets do, targets see no IP, which the mapping says.
        if !is_in_reach(bytes) {
            return mapping.packet(bytes, Metadata::default());
        }
        let mut said = *mapping;
        for field in Field::ALL {
            if let Some(source) = mapping.source(field).filter(|source| source.part == Part::Dscp) {
                let recording = match source.header {
                    IpHeader::Outer => &outer,
                    IpHeader::Second => &second,
                    IpHeader::Inner => &inner,
                };
                let part = Part::Number(recording[place].class.0.into());
                said.set(field, Source { part, header: IpHeader::Outer, ..source });
            }
        }
        let mut packet = said.packet(bytes, Metadata::default());
        let own = packet.marks.eligible_to_drop();
        packet.marks = outer[place].marks;
        if own {
            packet.marks.set_eligible_to_drop();
        }
        packet
    };
    Ok(frames.iter().enumerate().map(one).collect())
}

/// Returns the packets of a recording of these frames.
fn recorded(frames: &[Vec<u8>], header: IpHeader) -> Result<Vec<Packet>, CannotPlay> {
    let mut file: Vec<u8> =
        [0xa1b2_c3d4_u32, 4 << 16 | 2, 0, 0, 65_535, 1].into_iter().flat_map(u32::to_le_bytes).collect();
    for (second, frame) in (1_u32..).zip(frames) {
        let length = u32::try_from(frame.len()).unwrap_or(u32::MAX);
        file.extend([second, 0, length, length].into_iter().flat_map(u32::to_le_bytes));
        file.extend(frame);
    }
    let trace = read_pcap(&file[..], None, header).map_err(|error| CannotPlay::Recordings(error.to_string()))?;
    if trace.packets.len() != frames.len() {
        return Err(CannotPlay::Recordings(format!("{} of {}", trace.packets.len(), frames.len())));
    }
    Ok(trace.packets)
}

/// Whether recordings find the same header as targets, which read only the head of a frame, after a few encapsulations.
fn is_in_reach(bytes: &[u8]) -> bool {
    let is_whole = |bytes: &[u8], most| match network(bytes, 0, Start::Ethernet, most) {
        Network::Ip(ip) => ip.traffic_class(bytes).is_some(),
        Network::Other(_) => false,
    };
    is_whole(bytes, MOST_OF_RECORDINGS) == is_whole(&bytes[..bytes.len().min(HEAD_BYTES)], MOST)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bits;

    fn set(settings: &[&str], most: usize) -> FrameSet {
        let mut mapping = Mapping::default();
        for text in settings {
            let (field, source) = Mapping::read_setting(text).unwrap();
            mapping.set(field, source);
        }
        FrameSet::new(Seed(1), mapping, most).unwrap()
    }

    /// Checks that the parser of recordings and that of the switch agree on all frames.
    #[test]
    fn recordings_and_the_mapping_say_the_same() {
        for settings in [
            &["class=dscp>>1"][..],
            &["class=inner.dscp", "queue=dscp&31", "flow=inner.flow-hash", "value=second.dscp"],
        ] {
            let set = set(settings, usize::MAX);
            let mut classes = [0; 64];
            for known in &set.frames {
                let seen = set.mapping.packet(&known.bytes, Metadata::default());
                assert_eq!(known.packet, seen, "{:02x?}", known.bytes);
                classes[usize::from(seen.class.0)] += 1;
            }
            assert!(set.count() > 14_000, "{}", set.count());
            assert!(classes[..32].iter().all(|count| *count > 50), "{classes:?}");
        }
    }

    #[test]
    fn frames_are_recognised_with_any_marks() {
        let set = set(&[], 2_000);
        assert_eq!(set.count(), 2_000);
        let mut changed = 0;
        for (id, known) in (1..).zip(&set.frames) {
            for marks in 0..4 {
                let frame = set.with_marks(id, marks);
                assert_eq!(set.id(&frame), Some(id));
                changed += usize::from(frame != known.bytes);
            }
            assert_eq!(set.with_marks(id, bits(known.packet.marks)), known.bytes, "it has these marks already");
        }
        assert!(changed > 1_000, "{changed}");
        assert_eq!(set.id(&[7; 60]), None);
    }

    #[test]
    fn fields_that_no_frame_has_are_refused() {
        let mut mapping = Mapping::default();
        mapping.set(Field::Rank, Source::of(Part::Egress));
        let error = FrameSet::new(Seed(1), mapping, 10).err().unwrap();
        assert_eq!(error.to_string(), "`egress` is not in a frame; name a header, such as rank=dscp, or bytes of one");
    }
}
