//! Kinds of packets that take turns, so that each kind has its share of the bits.

/// Kinds with the sizes of their packets. Each has its share of the bits as exactly as whole packets allow.
pub(crate) struct Turns<K>(Vec<Turn<K>>);

struct Turn<K> {
    kind: K,
    /// Bits of all kinds between two packets of this one.
    gap_bits: f64,
    /// The position of the kind's next packet, in bits of all kinds.
    next_bits: f64,
}

impl<K> Turns<K> {
    /// Creates turns of kinds, each with the bytes of a packet and its relative share; kinds without a share are left out. `begin` returns
    /// the part of a kind's first gap that is over at the start, from 0 to 1.
    pub(crate) fn new(kinds: impl IntoIterator<Item = (K, u32, f64)>, mut begin: impl FnMut() -> f64) -> Self {
        let kinds: Vec<(K, u32, f64)> = kinds.into_iter().filter(|(_, _, share)| *share > 0.0).collect();
        let total: f64 = kinds.iter().map(|(_, _, share)| share).sum();
        let turns = kinds.into_iter().map(|(kind, size_bytes, share)| {
            let gap_bits = f64::from(size_bytes.max(1)) * 8.0 * total / share;
            Turn { kind, gap_bits, next_bits: begin() * gap_bits }
        });
        Self(turns.collect())
    }

    /// Whether there is no kind.
    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Returns the kind whose turn it is, and the number of bits of all kinds before it; `None` if there is no kind.
    pub(crate) fn next(&mut self) -> Option<(&mut K, f64)> {
        let turn = self.0.iter_mut().min_by(|a, b| a.next_bits.total_cmp(&b.next_bits))?;
        let bits = turn.next_bits;
        turn.next_bits += turn.gap_bits;
        Some((&mut turn.kind, bits))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds_have_their_shares_and_come_in_order() {
        let mut turns = Turns::new([("small", 10, 3.0), ("none", 7, 0.0), ("large", 90, 1.0)], || 0.5);
        let sent: Vec<(&str, f64)> =
            (0..280).map(|_| turns.next().map(|(kind, bits)| (*kind, bits)).unwrap()).collect();
        assert!(sent.is_sorted_by(|a, b| a.1 <= b.1));
        let count = |wanted| sent.iter().filter(|(kind, _)| *kind == wanted).count();
        // 27 small ones for each large one: 270 bytes and 90.
        assert_eq!([count("small"), count("large"), count("none")], [270, 10, 0]);
        assert!(Turns::new([("none", 7, 0.0)], || 0.5).is_empty());
    }
}
