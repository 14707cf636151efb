#!/usr/bin/env python3
"""Make mixed traffic with real TCP and UDP sockets, for record.sh.

    traffic.py receive                       answer everything, until stopped
    traffic.py send [--seed N] [--seconds S] make the traffic

All random choices (start times, sizes, addresses, classes) are made before the
first packet is sent, from one seeded generator. The same seed gives the same
list of transfers; the exact packet times still differ, because real sockets
and a real kernel send them.

Every payload byte is zero, except in the requests that start the downloads.
"""

import argparse
import asyncio
import random
import socket
import struct
import sys
from dataclasses import dataclass

# Differentiated services code points (RFC 2474, RFC 2597, RFC 3246).
BEST_EFFORT = 0
CS1 = 8  # background
AF21 = 18  # short transactions
AF41 = 34  # video
EF = 46  # voice

RECEIVER = {4: "10.0.2.1", 6: "fd00:0:0:2::1"}
SENDERS = {
    4: [f"10.0.1.{host}" for host in range(1, 9)],
    6: [f"fd00:0:0:1::{host}" for host in range(1, 9)],
}
FAMILY = {4: socket.AF_INET, 6: socket.AF_INET6}

UPLOAD_PORT = 5001  # TCP: reads until the sender is done
DOWNLOAD_PORT = 5002  # TCP: reads a byte count, then writes that many bytes
VOICE_PORT = 5004  # UDP
VIDEO_PORT = 5006  # UDP

CONGESTION_CONTROL = b"cubic"  # on every machine, independent of its default

CHUNK = bytes(32 * 1024)


@dataclass
class Flow:
    """One flow of the plan."""

    kind: str  # "upload", "download", "voice" or "video"
    start: float  # seconds after the first
    version: int  # 4 or 6
    dscp: int
    size: int = 0  # bytes, for uploads and downloads
    host: int = 0  # which of the sender's addresses
    seed: int = 0  # for random values while the flow runs (video frame sizes)


# --- The plan ---------------------------------------------------------------


def bounded_pareto(rng, low, high, shape):
    """A heavy-tailed size between low and high (inverse of the distribution)."""
    u = rng.random()
    return int(low / (1 - u * (1 - (low / high) ** shape)) ** (1 / shape))


def make_plan(rng, seconds):
    """All flows that will be started within the given number of seconds."""
    mega = 1_000_000
    plan = [
        # Elephants: long uploads. The first ends within the usual recording.
        Flow("upload", 0.00, 6, BEST_EFFORT, int(2.5 * mega)),
        Flow("upload", 0.20, 4, BEST_EFFORT, 3 * mega),
        Flow("upload", 2.00, 4, BEST_EFFORT, 3 * mega),
        # Background bulk.
        Flow("upload", 0.60, 4, CS1, 20 * mega),
        # Downloads: only their ACKs go in the recorded direction.
        Flow("download", 0.10, 4, BEST_EFFORT, 100 * mega),
        Flow("download", 0.20, 4, AF21, 100 * mega),
        Flow("download", 0.40, 4, CS1, 100 * mega),
        Flow("download", 0.50, 6, BEST_EFFORT, 100 * mega),
    ]
    # Voice: ten calls, three of them over IPv6.
    for call in range(10):
        plan.append(Flow("voice", rng.uniform(0, 0.5), 6 if call < 3 else 4, EF))
    # Video: one stream over each IP version.
    for version in (4, 6):
        plan.append(Flow("video", rng.uniform(0, 0.5), version, AF41))
    # Mice: short uploads that start as a Poisson process, 40 a second.
    start = rng.expovariate(40)
    while start < seconds:
        version = 6 if rng.random() < 0.3 else 4
        dscp = AF21 if rng.random() < 0.5 else BEST_EFFORT
        size = bounded_pareto(rng, 1_000, 100_000, 0.9)
        plan.append(Flow("upload", start, version, dscp, size))
        start += rng.expovariate(40)
    for flow in plan:
        flow.host = rng.randrange(8)
        flow.seed = rng.getrandbits(32)
    return plan


# --- The sending side -------------------------------------------------------


def make_socket(flow, kind):
    """A socket with the flow's source address and DSCP, not yet connected.

    The DSCP is set before connecting, so that the SYN carries it too.
    """
    sock = socket.socket(FAMILY[flow.version], kind)
    # The DSCP is the upper six bits of the byte that these options set.
    if flow.version == 4:
        sock.setsockopt(socket.IPPROTO_IP, socket.IP_TOS, flow.dscp << 2)
    else:
        sock.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_TCLASS, flow.dscp << 2)
    if kind == socket.SOCK_STREAM:
        sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_CONGESTION, CONGESTION_CONTROL)
    sock.setblocking(False)
    sock.bind((SENDERS[flow.version][flow.host], 0))
    return sock


async def open_tcp(flow, port):
    """Connect, and give the two halves of the connection."""
    sock = make_socket(flow, socket.SOCK_STREAM)
    loop = asyncio.get_running_loop()
    await loop.sock_connect(sock, (RECEIVER[flow.version], port))
    return await asyncio.open_connection(sock=sock)


async def write_zeros(writer, size):
    """Write that many bytes, waiting whenever the socket is full."""
    while size > 0:
        part = min(size, len(CHUNK))
        writer.write(CHUNK[:part])
        await writer.drain()
        size -= part


async def upload(flow):
    reader, writer = await open_tcp(flow, UPLOAD_PORT)
    await write_zeros(writer, flow.size)
    writer.write_eof()
    await reader.read()  # until the receiver has everything and closes
    writer.close()


async def download(flow):
    reader, writer = await open_tcp(flow, DOWNLOAD_PORT)
    writer.write(struct.pack("!Q", flow.size))
    while await reader.read(len(CHUNK)):
        pass
    writer.close()


async def voice(flow):
    """32 bytes every 10 ms, as a voice codec would send."""
    loop = asyncio.get_running_loop()
    with make_socket(flow, socket.SOCK_DGRAM) as sock:
        sock.connect((RECEIVER[flow.version], VOICE_PORT))
        due = loop.time()
        while True:
            sock.send(bytes(32))
            due += 0.010
            await asyncio.sleep(due - loop.time())


async def video(flow):
    """30 frames a second, sent as bursts; every 15th frame is a large one."""
    loop = asyncio.get_running_loop()
    rng = random.Random(flow.seed)
    with make_socket(flow, socket.SOCK_DGRAM) as sock:
        sock.connect((RECEIVER[flow.version], VIDEO_PORT))
        due = loop.time()
        frame = 0
        while True:
            mean = 24_000 if frame % 15 == 0 else 5_000
            left = max(500, int(rng.gauss(mean, mean / 4)))
            while left > 0:
                sock.send(bytes(min(left, 1_200)))
                left -= 1_200
            frame += 1
            due += 1 / 30
            await asyncio.sleep(due - loop.time())


RUN = {"upload": upload, "download": download, "voice": voice, "video": video}


async def send(seed, seconds):
    plan = make_plan(random.Random(seed), seconds)
    loop = asyncio.get_running_loop()
    begin = loop.time()

    async def run(flow):
        await asyncio.sleep(begin + flow.start - loop.time())
        await RUN[flow.kind](flow)

    try:
        # An error in one flow ends all of them.
        await asyncio.wait_for(asyncio.gather(*(run(flow) for flow in plan)), seconds)
    except asyncio.TimeoutError:
        pass


# --- The receiving side -----------------------------------------------------


async def serve_upload(reader, writer):
    try:
        while await reader.read(len(CHUNK)):
            pass
    except ConnectionError:
        pass
    writer.close()


async def serve_download(reader, writer):
    try:
        (size,) = struct.unpack("!Q", await reader.readexactly(8))
        await write_zeros(writer, size)
    except (ConnectionError, asyncio.IncompleteReadError):
        pass  # the sender has closed the connection
    writer.close()


async def receive():
    loop = asyncio.get_running_loop()
    for version, address in RECEIVER.items():
        for port, serve in ((UPLOAD_PORT, serve_upload), (DOWNLOAD_PORT, serve_download)):
            server = await asyncio.start_server(serve, address, port)
            for sock in server.sockets:  # inherited by the connections
                sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_CONGESTION, CONGESTION_CONTROL)
        for port in (VOICE_PORT, VIDEO_PORT):
            # A protocol that ignores everything it gets.
            await loop.create_datagram_endpoint(
                asyncio.DatagramProtocol, local_addr=(address, port), family=FAMILY[version]
            )
    print("ready", flush=True)
    await asyncio.Event().wait()  # until stopped


def main():
    parser = argparse.ArgumentParser(description="Make mixed traffic for record.sh.")
    sides = parser.add_subparsers(dest="side", required=True)
    sides.add_parser("receive", help="answer everything, until stopped")
    sender = sides.add_parser("send", help="make the traffic")
    sender.add_argument("--seed", type=int, default=6)
    sender.add_argument("--seconds", type=float, default=30.0)
    arguments = parser.parse_args()
    if arguments.side == "receive":
        asyncio.run(receive())
    else:
        asyncio.run(send(arguments.seed, arguments.seconds))


if __name__ == "__main__":
    sys.exit(main())
