//! Random traffic and random changes for a while, without a warning of the kernel.

use crate::guest::POLICIES;
use crate::guest_or_skip;

/// Seconds, if `FOREBAY_KERNEL_SECONDS` does not say.
const SECONDS: u64 = 60;

#[test]
fn random_traffic_and_changes() {
    let guest = guest_or_skip!(&POLICIES).slow();
    let seconds = std::env::var("FOREBAY_KERNEL_SECONDS").map_or(SECONDS, |text| text.parse().unwrap());
    let names = POLICIES.map(|(name, _)| name).join(" ");
    let script = format!(
        "seed=1
        pair v0 v1
        put v0 fifo --rate 1Mbps
        (count=0; while [ ! -f /tmp/enough ]; do
            count=$((count + 1))
            traffic send v0 $((count * 37 % 900 + 1)) $((count * 211 % 1400 + 64)) $((count % 15 + 1)) $((count % 3 * 200))
        done >/dev/null) &
        sender=$!
        end=$(($(cut -d. -f1 /proc/uptime) + {seconds}))
        while [ $(cut -d. -f1 /proc/uptime) -lt $end ]; do
            seed=$(((seed * 1103515245 + 12345) % 2147483648))
            draw=$((seed / 65536))
            set -- {names}
            shift $((draw % $#))
            case $((draw / 16 % 8)) in
                0) forebay undeploy --dev v0; put v0 $1 --rate 3Mbps ;;
                1) ip link set v0 down; ip link set v0 up ;;
                2) forebay stats --dev v0 >/dev/null || say failed stats ;;
                3) put v0 $1 ;;
                *) put v0 $1 --rate $((draw % 5 + 1))Mbps ;;
            esac
            say change $((draw / 16 % 8))
        done
        touch /tmp/enough
        wait $sender
        stats end v0
        forebay undeploy --dev v0
        say pins $(pins)
        "
    );
    let said = guest.run(&script, seconds + 600);
    println!("{} changes", said.all("change").len());
    let end = said.stats("end");
    assert_eq!(end.packets("arrived"), end.packets("sent") + end.dropped() + end.waiting());
    assert_eq!(said.number("pins"), 0);
}
