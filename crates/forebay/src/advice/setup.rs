//! Command lines that put a discipline in front of a bottleneck.

use super::bits;
use super::discipline::{BASELINE, Discipline};
use forebay_core::Rate;

/// Bytes of the largest packet of Ethernet.
const PACKET_BYTES: u64 = 1_514;
/// Packets for which a program in the kernel has room.
const MOST_DEPLOYED: u64 = 65_535;
/// A token bucket sends bursts of this length, or of two packets.
const BURSTS_PER_SECOND: u64 = 250;

/// Returns the set-up commands for one discipline, whose policy is in `folder`. The bottleneck is behind `eth1`.
pub fn set_up(own: &Discipline, rate: Rate, packets: u64, folder: &str) -> String {
    if let Some(why) = own.only_simulated {
        return format!("{}: simulation only: {why}\n", own.name);
    }
    let mut lines = vec![format!("{}:", own.name)];
    if own.marks {
        lines.push("  sysctl net.ipv4.tcp_ecn=1  # on the hosts".to_owned());
    }
    let params: String = own.params(packets).iter().map(|(name, value)| format!(" --param '{name}={value}'")).collect();
    let fields: String = own.fields.iter().map(|field| format!(" --field {field}")).collect();
    let file = quoted(&format!("{folder}/{}", own.file()));
    let speed = bits(rate).replace(' ', "");
    lines.push(if packets <= MOST_DEPLOYED {
        format!("  forebay deploy {file} --dev eth1 --rate {speed}{params}{fields}")
    } else {
        format!("  forebay deploy holds at most {MOST_DEPLOYED} packets, not {packets}")
    });
    lines.push(format!("  forebay switch --port eth0 --port eth1 --policy {file} --rate eth1={speed}{params}{fields}"));
    if own.name == BASELINE {
        lines.extend(of_kernel(rate, packets).map(|line| format!("  {line}")));
    }
    lines.join("\n") + "\n"
}

/// First in, first out with the kernel's own disciplines: a token bucket for the rate, and a queue in it.
fn of_kernel(rate: Rate, packets: u64) -> [String; 2] {
    let bits = rate.bits_per_second();
    let burst = (bits / 8 / BURSTS_PER_SECOND).max(2 * PACKET_BYTES);
    let limit = packets.saturating_mul(PACKET_BYTES).max(burst);
    [
        format!("tc qdisc replace dev eth1 root handle 1: tbf rate {bits}bit burst {burst} limit {limit}"),
        format!("tc qdisc replace dev eth1 parent 1: handle 2: pfifo limit {packets}"),
    ]
}

/// For a shell, where it needs it.
fn quoted(word: &str) -> String {
    let is_plain = |letter: char| letter.is_ascii_alphanumeric() || "/._-+=:".contains(letter);
    if word.chars().all(is_plain) { word.to_owned() } else { format!("'{}'", word.replace('\'', "'\\''")) }
}

#[cfg(test)]
mod tests {
    use super::super::discipline::DISCIPLINES;
    use super::*;

    #[test]
    fn lines_have_the_rate_and_the_buffer() {
        let rate = Rate::parse("20 Mbps").unwrap();
        let lines = set_up(&DISCIPLINES[0], rate, 1_000, "my policies");
        let deploy = "forebay deploy 'my policies/fifo.oq' --dev eth1 --rate 20Mbps --param 'B=1000 pkts'\n";
        assert!(lines.contains(deploy), "{lines}");
        assert!(lines.contains("tbf rate 20000000bit burst 10000 limit 1514000\n"), "{lines}");
        assert!(lines.ends_with("pfifo limit 1000\n"), "{lines}");
        let lines = set_up(&DISCIPLINES[0], rate, 100_000, "p");
        assert!(lines.contains("  forebay deploy holds at most 65535 packets, not 100000\n"), "{lines}");
    }

    #[test]
    fn what_no_datapath_knows_has_no_line() {
        for own in DISCIPLINES {
            let lines = set_up(own, Rate::parse("1 Gbps").unwrap(), 10, "p");
            assert_eq!(lines.contains("forebay"), own.only_simulated.is_none(), "{lines}");
            assert_eq!(lines.contains("tcp_ecn=1"), own.marks, "{lines}");
        }
    }
}
