//! Colours, dashes, markers and hatching. The first seven colours are those of Okabe and Ito, which people with every kind of colour
//! vision tell apart; five darker ones follow. Dashes and markers tell lines apart in grey prints, and hatching bars beyond the first seven.

use super::scene::Colour;
use std::collections::BTreeMap;

/// The style in which a policy is drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub(crate) struct Style(usize);

const COLOURS: [Colour; 12] = [
    Colour(0, 114, 178),   // blue
    Colour(213, 94, 0),    // vermillion
    Colour(0, 158, 115),   // bluish green
    Colour(204, 121, 167), // reddish purple
    Colour(230, 159, 0),   // orange
    Colour(86, 180, 233),  // sky blue
    Colour(0, 0, 0),       // black
    Colour(51, 34, 136),   // indigo
    Colour(125, 125, 30),  // olive
    Colour(136, 34, 85),   // wine
    Colour(110, 110, 110), // grey
    Colour(0, 95, 100),    // teal
];

const DASHES: [&[f64]; 7] =
    [&[], &[4.0, 1.6], &[1.2, 1.4], &[5.0, 1.4, 1.2, 1.4], &[7.0, 2.2], &[5.0, 1.4, 1.2, 1.4, 1.2, 1.4], &[2.4, 1.2]];

/// The shape of a marker.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Shape {
    Circle,
    Square,
    Triangle,
    Diamond,
    TriangleDown,
    Pentagon,
    Cross,
}

const SHAPES: [Shape; 7] =
    [Shape::Circle, Shape::Square, Shape::Triangle, Shape::Diamond, Shape::TriangleDown, Shape::Pentagon, Shape::Cross];

/// Colours that names get which are not known here.
const FREE: usize = 7;

/// How the area of a bar is hatched.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Hatch {
    None,
    Rising,
    Falling,
    Crossed,
}

/// Policies that are often compared: a line for each colour, so that a policy has one look in all figures. Policies of one line are seldom
/// in one figure.
const KNOWN: [&[&str]; 12] = [
    &["", "a", "fifo", "tcp", "newreno", "fcfs"],
    &["b", "pifo", "lru", "pfabric", "srpt"],
    &["sp-pifo", "s3-fifo", "dctcp", "wsjf"],
    &["aifo", "arc", "cubic", "sppifo"],
    &["packs", "gdsf", "pfabric-sp-pifo", "fq"],
    &["afq", "lfu", "bbr"],
    &["strict", "belady", "none"],
    &["drr", "w-tinylfu", "arc-mad"],
    &["bbq", "lhd", "lfu-mad"],
    &["sjf", "sieve", "lhd-mad"],
    &["rr", "random", "(lower bound)"],
    &["pieo", "lru-mad", "(best schedule)"],
];

impl Style {
    fn colour_place(self) -> usize {
        self.0 % COLOURS.len()
    }

    /// Returns the number of times that all colours were used before this style.
    fn round(self) -> usize {
        self.0 / COLOURS.len()
    }

    /// Returns the number of times that the first seven colours, or their equals in grey, were used before this style.
    fn group(self) -> usize {
        self.colour_place() / FREE + 2 * self.round()
    }

    pub(crate) fn colour(self) -> Colour {
        COLOURS[self.colour_place()]
    }

    /// Returns the dashes of a line in units of its width.
    pub(crate) fn dash(self) -> &'static [f64] {
        DASHES[(self.colour_place() + self.group() * 3) % DASHES.len()]
    }

    pub(super) fn shape(self) -> Shape {
        SHAPES[(self.colour_place() + 2 * self.round()) % SHAPES.len()]
    }

    /// Returns whether the marker is hollow, as in every second group.
    pub(super) fn is_hollow(self) -> bool {
        self.group() % 2 == 1
    }

    /// Returns the hatching of bars; none in the first group.
    pub(super) fn hatch(self) -> Hatch {
        match self.group() {
            0 => Hatch::None,
            group => [Hatch::Rising, Hatch::Falling, Hatch::Crossed][(group - 1) % 3],
        }
    }
}

/// Returns a style for each name: the style that belongs to the name, unless an earlier name has its colour. All styles differ, and all
/// colours differ while there are enough colours.
pub(crate) fn styles<'a>(names: impl IntoIterator<Item = &'a str>) -> BTreeMap<String, Style> {
    let mut wanted: Vec<&str> = names.into_iter().collect();
    // Known names first, so that no other one takes their style; then by name, so that the order in a scenario is of no weight.
    wanted.sort_by_key(|name| (known(name).is_none(), *name));
    wanted.dedup();
    let mut styles: BTreeMap<String, Style> = BTreeMap::new();
    for name in wanted {
        let first = known(name).unwrap_or_else(|| hash(name) % FREE);
        let free = (0..FREE).map(|turn| (first + turn) % FREE).chain(FREE..COLOURS.len());
        let of_round = |round: usize| {
            let colours = std::iter::once(first).chain(free.clone());
            colours.map(move |colour| Style(colour + round * COLOURS.len()))
        };
        let is_taken = |style: &Style| styles.values().any(|other| other == style);
        // Each round has more styles than the one before has names.
        let style = (0..=styles.len()).flat_map(of_round).find(|style| !is_taken(style)).unwrap_or_default();
        styles.insert(name.to_owned(), style);
    }
    styles
}

/// Returns the colour of a known name, and ignores any text in brackets or before a colon: the playground calls two policies "A: fifo" and
/// "B: strict-priority".
fn known(name: &str) -> Option<usize> {
    let name = name.to_ascii_lowercase();
    let alone = name.split_once(" (").or_else(|| name.split_once(": ")).map_or(name.as_str(), |(alone, _)| alone);
    KNOWN.iter().position(|line| line.contains(&name.as_str()) || line.contains(&alone))
}

/// FNV-1a: the same everywhere and always.
fn hash(name: &str) -> usize {
    let hash = name
        .bytes()
        .fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3));
    usize::try_from((hash ^ (hash >> 32)) & 0xffff).unwrap_or(0)
}

/// Returns a shade for heat maps, from light to dark, so that a grey print keeps the order.
pub(super) fn shade(share: f64) -> Colour {
    const STOPS: [(f64, f64, f64); 5] =
        [(247.0, 252.0, 240.0), (186.0, 228.0, 188.0), (123.0, 204.0, 196.0), (43.0, 140.0, 190.0), (8.0, 64.0, 129.0)];
    let place = share.clamp(0.0, 1.0) * (STOPS.len() - 1) as f64;
    let below = (0..STOPS.len() - 1).rev().find(|index| *index as f64 <= place).unwrap_or(0);
    let (a, b, part) = (STOPS[below], STOPS[below + 1], place - below as f64);
    Colour(mixed(a.0, b.0, part), mixed(a.1, b.1, part), mixed(a.2, b.2, part))
}

#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "both ends lie between 0 and 255")]
fn mixed(a: f64, b: f64, part: f64) -> u8 {
    (a + (b - a) * part).round() as u8
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_two_names_look_alike() {
        let names: Vec<String> = (0..60).map(|number| format!("policy {number}")).collect();
        let styles = styles(names.iter().map(String::as_str));
        let looks = |style: &Style| {
            let Colour(r, g, b) = style.colour();
            (r, g, b, style.dash().len(), format!("{:?}{:?}{}", style.dash(), style.shape(), style.is_hollow()))
        };
        let mut all: Vec<_> = styles.values().map(looks).collect();
        all.sort();
        all.dedup();
        assert_eq!(all.len(), 60);
        // The first seven differ in each of colour, dash and marker.
        let few = super::styles(names.iter().take(7).map(String::as_str));
        let mut dashes: Vec<_> = few.values().map(|style| format!("{:?}", style.dash())).collect();
        dashes.sort();
        dashes.dedup();
        assert_eq!(dashes.len(), 7);
        assert!(few.values().all(|style| style.hatch() == Hatch::None));
    }

    #[test]
    fn no_two_names_have_one_colour_while_there_is_another() {
        let names: Vec<String> = (0..12).map(|number| format!("policy {number}")).collect();
        let styles = styles(names.iter().map(String::as_str));
        let mut colours: Vec<usize> = styles.values().map(|style| style.colour_place()).collect();
        colours.sort_unstable();
        colours.dedup();
        assert_eq!(colours.len(), 12);
        let hatched = styles.values().filter(|style| style.hatch() != Hatch::None).count();
        assert_eq!(hatched, 12 - FREE, "those beyond the first seven");
        let both = super::styles(["belady", "belady (offline)", "lru"]);
        assert!(both["belady"] != both["belady (offline)"]);
    }

    #[test]
    fn a_name_has_its_colour_in_all_figures() {
        let few = styles(["SP-PIFO", "FIFO"]);
        let many = styles(["zzz", "FIFO", "PIFO", "mine", "SP-PIFO", "AIFO"]);
        for name in ["FIFO", "SP-PIFO"] {
            assert_eq!(few[name], many[name]);
        }
    }

    #[test]
    fn shades_become_darker() {
        let light = |Colour(r, g, b): Colour| 0.3 * f64::from(r) + 0.59 * f64::from(g) + 0.11 * f64::from(b);
        let shades: Vec<f64> = (0..=20).map(|step| light(shade(f64::from(step) / 20.0))).collect();
        assert!(shades.windows(2).all(|pair| pair[0] > pair[1]), "{shades:?}");
    }
}
