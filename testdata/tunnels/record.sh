#!/bin/sh
# Records packets of Linux' VXLAN: sudo ./record.sh FILE
#
# Two network namespaces, a veth pair between them, and a VXLAN over it. Inside go a TCP transfer and UDP datagrams over IPv4 and IPv6, each
# with a DSCP of its own. dumpcap records the outer packets. Nothing leaves the namespaces, and they are removed at the end.
set -eu
file=$(realpath "$1")
a=fb-tunnel-a-$$ b=fb-tunnel-b-$$
clean() {
    # Only what this script made.
    for pid in ${server:-} ${capture:-}; do kill "$pid" 2>/dev/null || true; done
    ip netns del "$a" 2>/dev/null || true
    ip netns del "$b" 2>/dev/null || true
}
trap clean EXIT INT TERM
ip netns add "$a"
ip netns add "$b"
for side in "$a" "$b"; do ip netns exec "$side" sysctl -qw net.ipv6.conf.all.accept_dad=0 net.ipv6.conf.default.accept_dad=0; done
ip link add under netns "$a" type veth peer name under netns "$b"
set_up() {
    ip -n "$1" address add "10.9.0.$2/24" dev under
    ip -n "$1" link set under up
    ip -n "$1" link add vxlan0 type vxlan id 7 local "10.9.0.$2" remote "10.9.0.$3" dstport 4789
    ip -n "$1" link set vxlan0 mtu 1400 up
    ip -n "$1" address add "192.168.7.$2/24" dev vxlan0
    ip -n "$1" address add "fd07::$2/64" dev vxlan0 nodad
}
set_up "$a" 1 2
set_up "$b" 2 1
sleep 2
ip netns exec "$a" dumpcap -q -P -i under -f "udp port 4789" -w "$file" &
capture=$!
sleep 1
ip netns exec "$b" python3 - <<'PYTHON' &
import socket
listener = socket.create_server(("192.168.7.2", 8080))
connection, _ = listener.accept()
while connection.recv(65536):
    pass
connection.close()
PYTHON
server=$!
sleep 1
ip netns exec "$a" python3 - <<'PYTHON'
import socket
# The DSCP is the upper six bits.
with socket.socket() as tcp:
    tcp.setsockopt(socket.IPPROTO_IP, socket.IP_TOS, 34 << 2)
    tcp.connect(("192.168.7.2", 8080))
    tcp.sendall(bytes(1000))
with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as udp:
    udp.setsockopt(socket.IPPROTO_IP, socket.IP_TOS, 46 << 2)
    for _ in range(3):
        udp.sendto(bytes(32), ("192.168.7.2", 9001))
with socket.socket(socket.AF_INET6, socket.SOCK_DGRAM) as udp:
    udp.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_TCLASS, 18 << 2)
    for _ in range(3):
        udp.sendto(bytes(32), ("fd07::2", 9002))
PYTHON
sleep 1
kill -INT "$capture"
wait "$capture" || true
capture=
