#!/usr/bin/env bash
# Record mixed TCP and UDP traffic on its way to a slow link.
#
#   usage: sudo ./record.sh [OUTPUT.pcap]        (default: mixed.pcap beside this script)
#
# Three network namespaces are made, joined by two veth pairs:
#
#     sender  ---- 100 Mbit/s --->  router  ---- 20 Mbit/s --->  receiver
#             <--- 34 Mbit/s -----          <--- no limit ------
#
# traffic.py runs in the sender and in the receiver. tcpdump runs in the router,
# on the interface that faces the sender, and keeps only the packets that come
# in. So the recording holds what arrives at the 20 Mbit/s bottleneck, before
# anything is queued or dropped there.
#
# Nothing outside the namespaces is sent to or changed, and everything is
# removed again when the script ends, also after an error or Ctrl-C.
#
# Settings that can be changed from the environment:
#   SEED      seed for the random choices of traffic.py     (default 6)
#   PACKETS   number of packets to record                   (default 20500)
#   MAX_BYTES largest file that is accepted                 (default 2000000)

set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
output=${1:-$here/mixed.pcap}
seed=${SEED:-6}
packets=${PACKETS:-20500}
max_bytes=${MAX_BYTES:-2000000}

snap=96               # bytes kept of each packet, from the Ethernet header on
access_rate=100mbit   # sender -> router: spreads bursts as a real link would
bottleneck_rate=20mbit
bottleneck_queue=40ms # longest wait in the bottleneck's queue (100 kB)
reverse_rate=34mbit   # router -> sender: sets the pace of the recorded ACKs
time_limit=30         # give up when the recording is not full after this many seconds

die() {
    echo "record.sh: $*" >&2
    exit 1
}

# --- Checks -----------------------------------------------------------------

[ $# -le 1 ] || die "usage: record.sh [OUTPUT.pcap]"
[ "$(id -u)" -eq 0 ] || die "must be run as root (it makes network namespaces)"

need=()
for pair in ip:iproute2 tc:iproute2 tcpdump:tcpdump ethtool:ethtool python3:python3; do
    command -v "${pair%%:*}" >/dev/null || need+=("${pair##*:}")
done
if [ ${#need[@]} -gt 0 ]; then
    die "tools are missing; on Debian: apt-get install $(printf '%s\n' "${need[@]}" | sort -u | paste -sd' ')"
fi

[ -d "$(dirname "$output")" ] || die "no such directory: $(dirname "$output")"

# --- Cleaning up ------------------------------------------------------------

# The names hold this script's process number, so two runs do not collide.
sender=rec$$-sender
router=rec$$-router
receiver=rec$$-receiver
made=()               # the namespaces made so far
work=

cleanup() {
    local status=$? ns pids signal
    trap - EXIT
    trap '' INT TERM HUP
    set +e
    # Stop every process inside our namespaces, politely first.
    for signal in TERM KILL; do
        for ns in "${made[@]}"; do
            pids=$(ip netns pids "$ns" 2>/dev/null)
            # shellcheck disable=SC2086  # one argument for each process
            [ -z "$pids" ] || kill -s "$signal" $pids 2>/dev/null
        done
        [ "$signal" = KILL ] || sleep 0.2
    done
    wait 2>/dev/null
    # Removing a namespace also removes its interfaces.
    for ns in "${made[@]}"; do
        [ ! -e "/run/netns/$ns" ] || ip netns del "$ns"
    done
    [ -z "$work" ] || rm -rf "$work"
    exit "$status"
}
trap cleanup EXIT
trap 'exit 129' HUP
trap 'exit 130' INT
trap 'exit 143' TERM

work=$(mktemp -d)

# --- The network ------------------------------------------------------------

in_ns() { ip netns exec "$@"; }

for ns in "$sender" "$router" "$receiver"; do
    made+=("$ns")
    ip netns add "$ns"
    ip -n "$ns" link set lo up
    # Plain TCP, the same on every machine. Without timestamps an ACK takes 54
    # bytes instead of 66, which leaves more room in the file.
    in_ns "$ns" sysctl -q -w net.ipv4.tcp_timestamps=0 net.ipv4.tcp_ecn=0
    # No search for duplicate IPv6 addresses: they are used at once.
    in_ns "$ns" sysctl -q -w net.ipv6.conf.all.accept_dad=0 net.ipv6.conf.default.accept_dad=0
done
in_ns "$router" sysctl -q -w net.ipv4.ip_forward=1 net.ipv6.conf.all.forwarding=1

# The MAC addresses are fixed and locally administered (they begin with 02).
sender_mac=02:00:00:00:01:01
router_mac_1=02:00:00:00:01:fe
router_mac_2=02:00:00:00:02:fe
receiver_mac=02:00:00:00:02:01
ip -n "$router" link add to-sender mtu 1500 address "$router_mac_1" type veth \
    peer name net0 netns "$sender" mtu 1500 address "$sender_mac"
ip -n "$router" link add to-receiver mtu 1500 address "$router_mac_2" type veth \
    peer name net0 netns "$receiver" mtu 1500 address "$receiver_mac"

# set_up NAMESPACE INTERFACE ADDRESS...
set_up() {
    local ns=$1 dev=$2 address
    shift 2
    # One packet on the wire is one packet in the recording: no merging and no
    # late splitting. tx off makes the kernel fill in real checksums.
    in_ns "$ns" ethtool -K "$dev" tso off gso off gro off tx off >/dev/null
    for address in "$@"; do
        ip -n "$ns" address add "$address" dev "$dev"
    done
    ip -n "$ns" link set "$dev" up
}

# neighbours NAMESPACE INTERFACE MAC ADDRESS...: who is at the other end.
# Given here because IPv6 neighbour discovery takes up to two seconds on a new
# interface, and packets that wait for it are lost.
neighbours() {
    local ns=$1 dev=$2 mac=$3 address
    shift 3
    for address in "$@"; do
        ip -n "$ns" neighbour add "$address" lladdr "$mac" dev "$dev" nud permanent
    done
}

# The sender has eight addresses of each kind, as if it were eight hosts.
set_up "$sender" net0 10.0.1.{1..8}/24 fd00:0:0:1::{1..8}/64
set_up "$router" to-sender 10.0.1.254/24 fd00:0:0:1::fe/64
set_up "$router" to-receiver 10.0.2.254/24 fd00:0:0:2::fe/64
set_up "$receiver" net0 10.0.2.1/24 fd00:0:0:2::1/64

neighbours "$sender" net0 "$router_mac_1" 10.0.1.254 fd00:0:0:1::fe
neighbours "$router" to-sender "$sender_mac" 10.0.1.{1..8} fd00:0:0:1::{1..8}
neighbours "$router" to-receiver "$receiver_mac" 10.0.2.1 fd00:0:0:2::1
neighbours "$receiver" net0 "$router_mac_2" 10.0.2.254 fd00:0:0:2::fe

ip -n "$sender" route add default via 10.0.1.254
ip -n "$sender" route add default via fd00:0:0:1::fe
ip -n "$receiver" route add default via 10.0.2.254
ip -n "$receiver" route add default via fd00:0:0:2::fe

tc -n "$sender" qdisc add dev net0 root tbf rate "$access_rate" burst 16kb limit 1mb
tc -n "$router" qdisc add dev to-receiver root tbf rate "$bottleneck_rate" burst 10kb latency "$bottleneck_queue"
tc -n "$router" qdisc add dev to-sender root tbf rate "$reverse_rate" burst 10kb latency "$bottleneck_queue"

# --- The recording ----------------------------------------------------------

# wait_for TEXT FILE PROCESS WHAT: until TEXT appears in FILE.
wait_for() {
    local tries
    for ((tries = 0; tries < 100; tries++)); do
        if grep -q "$1" "$2" 2>/dev/null; then return; fi
        kill -0 "$3" 2>/dev/null || break
        sleep 0.1
    done
    cat "$2" >&2 || true
    die "$4 did not start"
}

in_ns "$receiver" python3 "$here/traffic.py" receive >"$work/receive.log" 2>&1 &
receive_pid=$!
wait_for ready "$work/receive.log" "$receive_pid" "the receiving side of traffic.py"

# "-Q in": only what the router receives. "-Z root": keep the right to write
# into the directory made above. "-B": a kernel buffer of 8 MiB.
in_ns "$router" tcpdump -i to-sender -Q in -n -s "$snap" -c "$packets" -B 8192 -Z root \
    --time-stamp-precision=micro -w "$work/recording.pcap" 'tcp or udp' \
    >"$work/tcpdump.log" 2>&1 &
tcpdump_pid=$!
wait_for 'listening on' "$work/tcpdump.log" "$tcpdump_pid" tcpdump

in_ns "$sender" python3 "$here/traffic.py" send --seed "$seed" --seconds "$time_limit" \
    >"$work/send.log" 2>&1 &
send_pid=$!

# tcpdump ends by itself when it has seen enough packets.
end=$((SECONDS + time_limit))
while kill -0 "$tcpdump_pid" 2>/dev/null; do
    if ! kill -0 "$send_pid" 2>/dev/null; then
        cat "$work/send.log" >&2
        die "the sending side of traffic.py ended too early"
    fi
    if [ "$SECONDS" -ge "$end" ]; then die "no $packets packets in $time_limit seconds"; fi
    sleep 0.1
done
if ! wait "$tcpdump_pid"; then
    cat "$work/tcpdump.log" >&2
    die "tcpdump failed"
fi
for log in receive send; do
    if grep -q Traceback "$work/$log.log"; then
        cat "$work/$log.log" >&2
        die "traffic.py $log failed"
    fi
done

# --- Checks on the result ---------------------------------------------------

grep -q "^$packets packets captured" "$work/tcpdump.log" || die "tcpdump did not record $packets packets"
grep -q '^0 packets dropped by kernel' "$work/tcpdump.log" || die "tcpdump missed packets; run this again"
size=$(stat -c %s "$work/recording.pcap")
[ "$size" -le "$max_bytes" ] || die "the recording has $size bytes, more than $max_bytes; set a smaller PACKETS"

install -m 644 "$work/recording.pcap" "$output"
echo "$output: $packets packets, $size bytes"
tc -n "$router" -s qdisc show dev to-receiver | sed -n 's/^ Sent/at the bottleneck: sent/p'
