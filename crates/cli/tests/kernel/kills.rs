//! Commands that are killed at any moment while packets are sent. Afterwards, the device has a complete policy whose account of
//! packets balances, or nothing of the policy is left. 12 kills; `FOREBAY_KILLS=1000` for more.

use crate::guest_or_skip;

#[test]
fn a_device_has_a_whole_policy_or_nothing_whenever_a_command_is_killed() {
    let kills: u64 = std::env::var("FOREBAY_KILLS").ok().and_then(|text| text.parse().ok()).unwrap_or(12);
    let guest = guest_or_skip!(&[("fifo", &[]), ("lifo", &[])]);
    // A command takes some hundredths of a second, by the machine's clock, of which each life gets another part.
    let script = format!(
        "records() {{ ls /run/forebay/*.json 2>/dev/null | wc -l; }}
        pair v0 v1
        put v0 fifo --rate 2Mbps
        traffic send v0 100000000 200 2 1000 >/dev/null &
        begin=$(cut -d ' ' -f 1 /proc/uptime | tr -d .)
        put v0 lifo --rate 2Mbps
        whole=$(($(cut -d ' ' -f 1 /proc/uptime | tr -d .) - begin))
        say whole $whole
        for kill in $(seq {kills}); do
            case $((kill % 4)) in
                0) set -- undeploy --dev v0 ;;
                1 | 2) set -- deploy /p/fifo/policy.oq --built /p/fifo --dev v0 --rate 2Mbps ;;
                3) set -- deploy /p/lifo/policy.oq --built /p/lifo --dev v0 --rate 3Mbps ;;
            esac
            forebay \"$@\" >/dev/null 2>&1 &
            command=$!
            sleep $(awk \"BEGIN {{ srand($kill); print rand() * $whole / 90 }}\")
            kill -9 $command 2>/dev/null
            wait $command
            code=$?
            forebay stats --dev v0 --format json >/tmp/after 2>/tmp/complaint
            say after $kill $code $? $(pins) $(records) $(tc qdisc show dev v0 | grep -c forebay)
            [ -s /tmp/after ] && say stats \"$(tr '\\n' ' ' </tmp/after)\"
            [ -s /tmp/after ] || put v0 fifo --rate 2Mbps
        done
        forebay undeploy --dev v0 >/dev/null 2>&1
        say left $(pins) $(records) $(tc qdisc show dev v0 | grep -c forebay) $(tc qdisc show dev v0 | grep -c clsact)
        kill $(pidof traffic)
        "
    );
    let said = guest.run(&script, 300 + 30 * kills);
    let (mut killed, mut whole) = (0, 0);
    for line in said.all("after") {
        let numbers: Vec<u64> = line.split(' ').map(|word| word.parse().unwrap()).collect();
        let [_, code, stats, rest @ ..] = &numbers[..] else { panic!("{line}") };
        killed += u64::from(*code == 137);
        whole += u64::from(*stats == 0);
        let is_there = u64::from(*stats == 0);
        assert_eq!(rest, [is_there; 3], "pins, records and disciplines: {line}");
    }
    if whole > 0 {
        said.all_stats("stats").iter().for_each(crate::guest::Stats::check);
    }
    assert_eq!(said.numbers("left"), [0; 4]);
    println!(
        "{kills} commands of {} ms, {killed} of which were killed; after {whole} the device had a policy",
        10 * said.number("whole")
    );
    assert!(killed * 2 > kills, "most are killed before they end: {killed}");
}
