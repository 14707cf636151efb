#!/bin/sh
# Builds dumbbell.cc against Debian's ns-3 (apt-get install libns3-dev g++) and runs the three set-ups of README.md.
# Arguments go to the program instead: ./run.sh --pairs=50
set -eu
here=$(cd "$(dirname "$0")" && pwd)
out=${OUT:-$here/../../../../target/ns3}
if [ ! -e /usr/include/ns3/core-module.h ]; then
    echo "ns-3 is missing: apt-get install libns3-dev" >&2
    exit 1
fi
mkdir -p "$out"
program=$out/dumbbell
if [ ! -e "$program" ] || [ "$here/dumbbell.cc" -nt "$program" ]; then
    # Debian's pkg-config files name a path that does not exist, so the libraries are listed here.
    "${CXX:-g++}" -std=c++17 -O3 -DNDEBUG -o "$program" "$here/dumbbell.cc" -lns3-applications -lns3-traffic-control \
        -lns3-point-to-point -lns3-internet -lns3-bridge -lns3-network -lns3-stats -lns3-core
fi
if [ $# -gt 0 ]; then
    exec "$program" "$@"
fi
"$program"
"$program" --bottleneck=10Gbps --seconds=0.2
"$program" --transport=dctcp
