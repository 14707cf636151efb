//! Tuple space search, the classifier of software switches, whose masks an attacker multiplies (SurgeProtector, thesis,
//! introduction to chapter 3 and section 3.2.1).
//!
//! The classifier caches its decisions as entries, each with a mask that selects the significant bits of a header. Entries of one mask are
//! a hash table, and a packet is looked up in one table after another until an entry matches. A packet that matches no entry adds one, with
//! as few significant bits as its decision needs.
//!
//! The rules permit one value in each of some fields, and deny all other packets. A denied packet must differ in every field; its entry has
//! the bits of each field up to the first one that differs. So each position of that bit makes another mask, and three fields of 16, 16 and
//! 32 bits have 8,192 masks for denied packets alone. An attacker sends one header for each mask.

use super::{Application, ApplicationEntry, Recipe, Request, Senders, cost, plus};
use forebay_core::convert::index;
use forebay_core::{About, Duration, Exactness, ParamError, ParamSpec, Params, Rng, Seed, mix};
use rustc_hash::FxHashMap;

/// The registry's entry for [`TupleSpaceSearch`].
pub const ENTRY: ApplicationEntry = ApplicationEntry {
    about: About {
        name: "tuple-space-search",
        title: "the packet classifier of a software switch; an attacker multiplies its masks",
        exactness: Exactness::NotApplicable,
        hardware: "none",
        cost: "`fixed`, and `probe` for each mask that is tried; at most 16, 257 or 8,209 masks with one, two or three fields",
        source: "SurgeProtector (thesis), introduction to chapter 3 and section 3.2.1",
        params: &[
            ParamSpec::duration("fixed", "150 ns", "cost of each packet, up to \"1 s\""),
            ParamSpec::duration("probe", "20 ns", "cost of each mask that is tried, up to \"1 s\""),
            ParamSpec::integer("fields", 1, 3, Some(3), "fields that the rules look at: of 16, 16 and 32 bits"),
            ParamSpec::choice(
                "order",
                &["oldest-first", "newest-first"],
                "oldest-first",
                "order in which masks are tried; with the second, innocent packets pay for the attacker's masks",
            ),
            ParamSpec::number("permitted", 0.0, 1.0, 0.9, "share of innocent flows that a field permits"),
            Senders::FLOWS,
        ],
    },
    attack: &[ParamSpec::integer(
        "masks",
        1,
        8_192,
        None,
        "number of masks, whose headers are sent in turn (default: all that denied packets have)",
    )],
    make: Some(ApplicationEntry::build::<TupleSpaceSearch>),
};

/// Bits of each field.
const WIDTHS: [u32; 3] = [16, 16, 32];

/// A header: in each field, the bits in which it differs from the permitted value.
pub type Header = [u32; 3];

/// A classifier and the headers that are sent to it.
#[derive(Debug, Clone)]
pub struct TupleSpaceSearch {
    fixed: Duration,
    probe: Duration,
    fields: usize,
    is_newest_first: bool,
    permitted: f64,
    masks: u64,
    senders: Senders,
}

impl TupleSpaceSearch {
    /// Masks of denied packets.
    fn denied_masks(&self) -> u64 {
        WIDTHS[..self.fields].iter().map(|&width| u64::from(width)).product()
    }

    /// The number of masks of all packets: a packet that a field permits has a mask for each way to differ in the fields before. For the
    /// last field these are masks of denied packets, too.
    fn all_masks(&self) -> u64 {
        let ways = |field: usize| WIDTHS[..field].iter().map(|&width| u64::from(width)).product::<u64>();
        (0..self.fields - 1).map(ways).sum::<u64>() + self.denied_masks()
    }
}

impl Recipe for TupleSpaceSearch {
    type Application = Classifier;
    type Content = Header;

    fn of(params: &Params) -> Result<Self, ParamError> {
        let recipe = Self {
            fixed: cost(params, "fixed")?,
            probe: cost(params, "probe")?,
            fields: index(params.integer("fields").unwrap_or_default()),
            is_newest_first: params.text("order") == "newest-first",
            permitted: params.number("permitted"),
            masks: 1,
            senders: Senders::of(params.integer("flows").unwrap_or_default()),
        };
        Ok(Self { masks: recipe.denied_masks(), ..recipe })
    }

    fn application(&self, _: Seed) -> Classifier {
        Classifier::new((self.fixed, self.probe), self.fields, self.is_newest_first)
    }

    fn senders(&self) -> &Senders {
        &self.senders
    }

    fn senders_mut(&mut self) -> &mut Senders {
        &mut self.senders
    }

    fn innocent(&self, flow: u32, _: u32, _: &mut Rng) -> Header {
        let mut header = Header::default();
        for (field, bits) in header[..self.fields].iter_mut().enumerate() {
            let chance = mix(u64::from(flow) << 8 | field as u64) as f64 / u64::MAX as f64;
            if chance < self.permitted {
                break;
            }
            *bits = low(mix(u64::from(flow) << 8 | field as u64 | 128), WIDTHS[field]).max(1);
        }
        header
    }

    fn attack(&self, number: u64) -> Header {
        let mut rest = number % self.masks;
        let mut header = Header::default();
        for (bits, width) in header[..self.fields].iter_mut().zip(WIDTHS) {
            *bits = low(1 << (rest % u64::from(width)), width);
            rest /= u64::from(width);
        }
        header
    }

    fn mean_attack_work(&self) -> Duration {
        plus(self.fixed, self.probe, (self.masks as f64).midpoint(1.0))
    }

    fn max_work(&self) -> Duration {
        plus(self.fixed, self.probe, self.all_masks() as f64)
    }

    fn degree(&self) -> u64 {
        self.masks
    }

    fn with_degree(&self, degree: u64) -> Self {
        Self { masks: degree.clamp(1, self.denied_masks()), ..self.clone() }
    }

    fn attacked(&self, params: &Params) -> Result<Self, ParamError> {
        let (most, fields) = (self.denied_masks(), self.fields);
        match params.integer("masks") {
            Some(masks) if masks > most => Err(ParamError::of(
                "masks",
                format!("`masks` must be at most {most}, which is all that {fields} fields have"),
            )),
            masks => Ok(self.with_degree(masks.unwrap_or(most))),
        }
    }
}

#[expect(clippy::cast_possible_truncation, reason = "the lower bits are meant")]
fn low(number: u64, bits: u32) -> u32 {
    (number & ((1_u64 << bits) - 1)) as u32
}

/// The significant bits of a header: for each field, the number of bits from the left.
pub type Mask = [u32; 3];

/// The classifier.
///
/// A header's fields decide its mask, and whether one of them permits the header. Headers that agree in both have the same bits under their
/// mask, so they have one entry. A test compares this with real tables of entries.
#[derive(Debug, Clone)]
pub struct Classifier {
    fixed: Duration,
    probe: Duration,
    fields: usize,
    is_newest_first: bool,
    /// The number of each mask, in order of arrival.
    masks: FxHashMap<Mask, u64>,
    /// The number of the mask of each entry, by the mask and whether a field permits its packets.
    entries: FxHashMap<(Mask, bool), u64>,
    /// The number of the mask under which each flow was found last.
    found: FxHashMap<u32, u64>,
}

impl Classifier {
    /// Creates a classifier without entries. `fixed` is the cost of each packet, `probe` the cost of each tried mask.
    #[must_use]
    pub fn new((fixed, probe): (Duration, Duration), fields: usize, is_newest_first: bool) -> Self {
        Self {
            fixed,
            probe,
            fields: fields.clamp(1, WIDTHS.len()),
            is_newest_first,
            masks: FxHashMap::default(),
            entries: FxHashMap::default(),
            found: FxHashMap::default(),
        }
    }

    /// The number of masks.
    #[must_use]
    pub fn masks(&self) -> u64 {
        self.masks.len() as u64
    }

    /// Returns the mask that the decision about a header needs, and whether a field permits the header.
    #[must_use]
    pub fn decide(header: Header, fields: usize) -> (Mask, bool) {
        let mut mask = Mask::default();
        for ((bits, differs), width) in mask.iter_mut().zip(header).zip(WIDTHS).take(fields) {
            if differs == 0 {
                // The fields behind do not matter.
                *bits = width;
                return (mask, true);
            }
            *bits = differs.leading_zeros() - (u32::BITS - width) + 1;
        }
        (mask, false)
    }

    /// Looks up a header, and adds an entry if none matches. Returns the index of its mask, and the number of tried masks.
    pub fn look_up(&mut self, header: Header) -> (u64, u64) {
        let entry = Self::decide(header, self.fields);
        if let Some(&number) = self.entries.get(&entry) {
            return (number, self.place(number));
        }
        let tried = self.masks();
        let number = *self.masks.entry(entry.0).or_insert(tried);
        self.entries.insert(entry, number);
        (number, tried)
    }

    /// Masks that are tried until the one of this number has been.
    fn place(&self, number: u64) -> u64 {
        if self.is_newest_first { self.masks() - number } else { number + 1 }
    }
}

/// The scheduler's estimate is where the flow was found last, and all masks for an unknown flow. It is never too low if masks are tried
/// from the oldest on.
impl Application for Classifier {
    type Input = Request<Header>;

    fn estimate(&self, request: &Request<Header>) -> Duration {
        let tried = self.found.get(&request.flow).map_or(self.masks(), |&number| self.place(number));
        plus(self.fixed, self.probe, tried as f64)
    }

    fn serve(&mut self, request: &Request<Header>) -> Duration {
        let (mask, tried) = self.look_up(request.content);
        self.found.insert(request.flow, mask);
        plus(self.fixed, self.probe, tried as f64)
    }
}
