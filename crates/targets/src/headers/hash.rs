//! The number of a packet's flow: MurmurHash3 (x86, 32 bits; Austin Appleby) of addresses, protocol and ports.
//!
//! It is computed here, and not by the network card or kernel, so that every host gives a flow the same number.

/// Returns the hash of 32-bit words with seed 0, as of their bytes with the least significant first.
pub(super) fn murmur3(words: &[u32]) -> u32 {
    let mut hash = 0_u32;
    let mut length = 0_u32;
    for word in words {
        let mixed = word.wrapping_mul(0xcc9e_2d51).rotate_left(15).wrapping_mul(0x1b87_3593);
        hash = (hash ^ mixed).rotate_left(13).wrapping_mul(5).wrapping_add(0xe654_6b64);
        length += 4;
    }
    hash ^= length;
    hash = (hash ^ (hash >> 16)).wrapping_mul(0x85eb_ca6b);
    hash = (hash ^ (hash >> 13)).wrapping_mul(0xc2b2_ae35);
    hash ^ (hash >> 16)
}

#[cfg(test)]
mod tests {
    #[test]
    fn it_gives_the_values_that_are_known_of_it() {
        // Of the empty text, of four zero bytes, and of 0x21 0x43 0x65 0x87.
        assert_eq!(super::murmur3(&[]), 0);
        assert_eq!(super::murmur3(&[0]), 0x2362_f9de);
        assert_eq!(super::murmur3(&[0x8765_4321]), 0xf55b_516b);
    }
}
