//! A set of ports.

/// Which of the ports of a node.
#[derive(Debug, Clone)]
pub(crate) struct PortSet {
    words: Vec<u64>,
}

impl PortSet {
    /// None of so many ports.
    pub(crate) fn new(ports: usize) -> Self {
        Self { words: vec![0; ports.div_ceil(64)] }
    }

    #[inline]
    pub(crate) fn insert(&mut self, port: usize) {
        self.words[port / 64] |= 1 << (port % 64);
    }

    #[inline]
    pub(crate) fn remove(&mut self, port: usize) {
        self.words[port / 64] &= !(1 << (port % 64));
    }

    /// The first port of the set from `from` on.
    #[inline]
    pub(crate) fn first_from(&self, from: usize) -> Option<usize> {
        let mut word = from / 64;
        let mut bits = self.words.get(word)? & (u64::MAX << (from % 64));
        while bits == 0 {
            word += 1;
            bits = *self.words.get(word)?;
        }
        Some(word * 64 + bits.trailing_zeros() as usize)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ports_are_found_in_order() {
        let mut set = PortSet::new(130);
        for port in [0, 5, 63, 64, 127, 129] {
            set.insert(port);
        }
        set.remove(5);
        let all = |set: &PortSet| std::iter::successors(set.first_from(0), |port| set.first_from(port + 1)).collect();
        let found: Vec<usize> = all(&set);
        assert_eq!(found, [0, 63, 64, 127, 129]);
        assert_eq!(PortSet::new(0).first_from(0), None);
    }
}
