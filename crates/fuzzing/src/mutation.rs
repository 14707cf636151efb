//! Changes that break readers: bits, cuts, doubled parts, extreme numbers, parts of other files.

use crate::target::FuzzTarget;
use forebay_core::{Rng, Seed};
use rand::RngExt as _;

/// Inputs are no longer than this.
const MOST_BYTES: usize = 1 << 16;

/// Numbers and words at which readers break.
const WORDS: [&str; 22] = [
    "0",
    "-1",
    "1",
    "255",
    "65535",
    "65536",
    "2147483648",
    "4294967295",
    "4294967296",
    "9223372036854775807",
    "18446744073709551615",
    "18446744073709551616",
    "1e308",
    "1e-308",
    "nan",
    "inf",
    "0.1",
    "\"",
    ",",
    "\n",
    "\u{feff}",
    "é",
];

/// An input for a target: one of its files, or of those before that came out of it, with one to eight changes.
/// The same seed gives the same input.
#[must_use]
pub fn mutated(target: &FuzzTarget, seeds: &[Vec<u8>], number: u64) -> Vec<u8> {
    let mut rng = Seed(number).stream(target.name);
    let pick = |rng: &mut Rng| match seeds.len() {
        0 => Vec::new(),
        count => seeds[rng.random_range(0..count)].clone(),
    };
    // Nothing but chance, now and then: what is read as choices needs no file.
    let mut data = if seeds.is_empty() || rng.random_bool(0.1) {
        (0..rng.random_range(0..400)).map(|_| rng.random()).collect()
    } else {
        pick(&mut rng)
    };
    for _ in 0..rng.random_range(1..=8) {
        let other = pick(&mut rng);
        change(&mut data, &other, &mut rng);
    }
    data.truncate(MOST_BYTES);
    data
}

/// A part of bytes, not longer than 64 in most cases.
fn part(length: usize, rng: &mut Rng) -> std::ops::Range<usize> {
    let start = rng.random_range(0..=length);
    let most = if rng.random_bool(0.8) { 64 } else { length };
    start..rng.random_range(start..=length.min(start + most))
}

fn change(data: &mut Vec<u8>, other: &[u8], rng: &mut Rng) {
    let place = rng.random_range(0..=data.len());
    let byte = place.checked_sub(1);
    match rng.random_range(0..10) {
        0 => {
            if let Some(byte) = byte {
                data[byte] ^= 1 << rng.random_range(0..8);
            }
        }
        1 => {
            if let Some(byte) = byte {
                data[byte] = [0, 1, 0x7f, 0x80, 0xff, b'\n', rng.random()][rng.random_range(0..7)];
            }
        }
        2 => {
            let bytes: [u8; 8] = (u64::MAX >> rng.random_range(0..64)).to_le_bytes();
            let count = [1, 2, 4, 8][rng.random_range(0..4)].min(data.len() - place);
            data[place..place + count].copy_from_slice(&bytes[..count]);
        }
        3 => data.truncate(place),
        4 => {
            data.drain(part(data.len(), rng));
        }
        5 => {
            let twice = data[part(data.len(), rng)].to_vec();
            data.splice(place..place, twice);
        }
        6 => {
            let foreign = &other[part(other.len(), rng)];
            data.splice(place..place, foreign.iter().copied());
        }
        7 => {
            data.truncate(place);
            data.extend(&other[rng.random_range(0..=other.len())..]);
        }
        8 => replace_number(data, place, rng),
        _ => {
            let word = WORDS[rng.random_range(0..WORDS.len())];
            data.splice(place..place, word.bytes());
        }
    }
}

/// Puts another number in the place of the next one of a text.
fn replace_number(data: &mut Vec<u8>, from: usize, rng: &mut Rng) {
    let Some(start) = data[from..].iter().position(u8::is_ascii_digit).map(|at| from + at) else { return };
    let length = data[start..].iter().take_while(|byte| byte.is_ascii_digit()).count();
    let word = WORDS[rng.random_range(0..WORDS.len())];
    data.splice(start..start + length, word.bytes());
}
