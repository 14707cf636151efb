//! How much a payload repeats itself. A backtracking matcher is slow on repetitions, and few innocent payloads have
//! them.

/// Degrees of variety: 0 repeats itself most.
pub const DEGREES: usize = 8;

/// Part of a payload whose variety is counted, in bytes.
const WINDOW: usize = 128;

/// How varied the least varied part of a payload is: eighths of the different groups of four bytes that it could have.
#[must_use]
pub fn variety(payload: &[u8]) -> usize {
    let least = payload.chunks(WINDOW).filter(|window| window.len() >= WINDOW / 2).map(of_window).min();
    least.unwrap_or(DEGREES - 1)
}

fn of_window(window: &[u8]) -> usize {
    // A bit for each hash; with 2,048 of them, 125 groups rarely meet.
    let mut seen = [0_u64; 32];
    for group in window.windows(4) {
        let group = u32::from_le_bytes([group[0], group[1], group[2], group[3]]);
        let hash = (group.wrapping_mul(0x9e37_79b1) >> 21) as usize;
        seen[hash / 64] |= 1 << (hash % 64);
    }
    let different: u32 = seen.iter().map(|bits| bits.count_ones()).sum();
    (different as usize * DEGREES / window.len()).min(DEGREES - 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_repeats_itself_has_little() {
        let text =
            b"GET /search?q=innocent+traffic+is+varied HTTP/1.1\r\nHost: www.example.org\r\nCookie: a=b; c=d1e2f3\r\n";
        assert!(variety(text) >= 5, "{}", variety(text));
        assert_eq!(variety(&[b'{'; 1_400]), 0);
        // A repeated part is found wherever it is.
        let mut hidden = text.to_vec();
        hidden.extend([b'{'; 300]);
        hidden.extend(text);
        assert_eq!(variety(&hidden), 0);
        assert_eq!(variety(b""), DEGREES - 1);
    }
}
