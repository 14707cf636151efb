/*
 * A lane: a policy, with the packets that it holds, between the ports that it receives from and those that it sends to. One core at
 * a time works on a lane.
 */
#ifndef DPDK_LANE_H
#define DPDK_LANE_H

#define BURST 32u
#define MOST_PORTS 32u
/* Queues and ports of all policies that a program runs may have so many names. */
#define MOST_NAMES (OQ_POLICY_QUEUES + 4096u)
/* A sender that was kept from a packet that was due may be late by so much, and catch up; in picoseconds. */
#define CATCH_UP 100000000ull

/* So many bytes of a frame are read at most. */
#define HEAD_BYTES 128u

#define OQ_ALLOCATE(bytes) rte_zmalloc(NULL, bytes, RTE_CACHE_LINE_SIZE)
#define OQ_FREE(memory) rte_free(memory)
#include "oq_live.h"
/* The sizes of the policy that the program begins with; others have as many ports. */
#include "oq_numbers.h"
#include "oq_sizes.h"

/* The policy that the program begins with. */
extern const struct oq_version oq_version;

struct lane;
static __thread struct lane *this_lane;
static struct oq_live *this_policy(void);
#define PLAY_LIVE this_policy()
/* The largest frame that is played. */
#define OQ_PLAYS_FRAMES 1518
#include "oq_play.h"

typedef unsigned __int128 wide;

/* A port that packets leave by. */
struct egress {
	uint16_t port;
	wide over; /* a byte takes 8e12 * under / over picoseconds; over is 0 if packets need not wait */
	wide under;
	wide next;     /* when the next packet may begin, in picoseconds */
	int was_idle;  /* there was no packet when one might have begun */
	unsigned kept; /* packets that the policy has given and the port has not taken yet */
	struct rte_mbuf *keeps[BURST];
	uint64_t sent;
	uint64_t sent_bytes;
};

/* What happened in a queue. */
struct queue_counts {
	uint64_t entered;
	uint64_t left;
	uint64_t pushed_out;
};

/* What the program keeps for a version: the shared object it came from, and the counts of its queues. */
struct host {
	void *object; /* NULL of the policy that the program begins with */
	struct queue_counts *of[];
};

struct change;

struct lane {
	struct oq_live live;
	struct queue_counts *counts[MOST_NAMES]; /* by the number of a queue's name, or NULL */
	unsigned inputs;
	uint16_t input[MOST_PORTS];
	struct egress egress[OQ_POLICY_PORTS];
	uint64_t received;
	uint64_t received_bytes;
	struct change *asked; /* a change that the lane's core makes between two bursts */
};

/* What a packet that plays an operation has in front of its bytes: fields in place of headers, if it has none. */
struct played {
	struct oq_fields fields;
	uint64_t id;
	int is_frame;
};

static int playing;

static void choose_lane(struct lane *lane)
{
	this_lane = lane;
}

static struct oq_live *this_policy(void)
{
	return &this_lane->live;
}

static struct queue_counts *counts(const struct oq_running *running, unsigned queue)
{
	return ((struct host *)running->host)->of[queue];
}

static struct played *played(struct rte_mbuf *packet)
{
	return packet->buf_addr;
}

/* A packet that waited was pushed out: by one that arrived, so under the current version. */
static void dropped(void *context, const struct oq_passed *passed, oq_u32 rule)
{
	const struct lane *lane = context;

	(void)rule;
	if (playing)
		play_pushed(played(passed->packet)->id, &passed->fields);
	counts(lane->live.current, passed->queue)->pushed_out++;
	rte_pktmbuf_free(passed->packet);
}

/* The fields of a packet: from its headers, or, of one that plays an operation, as they were said. */
static void read_packet(struct oq_fields *fields, struct rte_mbuf *packet)
{
	uint32_t length = RTE_MIN(packet->pkt_len, HEAD_BYTES);
	uint8_t parts[HEAD_BYTES];

	if (playing && !played(packet)->is_frame) {
		*fields = played(packet)->fields;
		return;
	}
	this_lane->live.current->version->read(fields, rte_pktmbuf_read(packet, 0, length, parts), length, packet->pkt_len, 0);
}

/* A packet has come: its queue, or what the policy says of it. One that it refuses is freed. */
static unsigned arrive(struct rte_mbuf *packet, uint64_t now)
{
	struct lane *lane = this_lane;
	struct oq_fields fields;
	unsigned queue;

	lane->received++;
	lane->received_bytes += packet->pkt_len;
	read_packet(&fields, packet);
	queue = oq_live_enqueue(&lane->live, now, &fields, packet);
	if (queue & OQ_REFUSED)
		rte_pktmbuf_free(packet);
	else
		counts(lane->live.current, queue)->entered++;
	return queue;
}

/* Takes what a port has received: how many packets, and what the policy says of the last. */
static unsigned receive(uint16_t port, uint64_t now, unsigned *verdict)
{
	struct rte_mbuf *burst[BURST];
	unsigned count = rte_eth_rx_burst(port, 0, burst, BURST);

	for (unsigned i = 0; i < count; i++) {
		if (i + 1 < count)
			rte_prefetch0(rte_pktmbuf_mtod(burst[i + 1], void *));
		*verdict = arrive(burst[i], now);
	}
	return count;
}

/* Offers a port the packets that are kept for it; the rest stays. */
static void send_kept(struct egress *egress)
{
	uint64_t bytes[BURST];
	unsigned taken;

	if (!egress->kept)
		return;
	/* The port may free at once what it takes. */
	for (unsigned i = 0; i < egress->kept; i++)
		bytes[i] = egress->keeps[i]->pkt_len;
	taken = rte_eth_tx_burst(egress->port, 0, egress->keeps, (uint16_t)egress->kept);
	for (unsigned i = 0; i < taken; i++)
		egress->sent_bytes += bytes[i];
	egress->sent += taken;
	egress->kept -= taken;
	memmove(egress->keeps, egress->keeps + taken, egress->kept * sizeof egress->keeps[0]);
}

/* Serves a port of the policy once. A packet that leaves is kept for its port. */
static unsigned serve(unsigned port, uint64_t now, int one_cycle)
{
	struct lane *lane = this_lane;
	struct egress *egress = &lane->egress[port];
	struct oq_passed passed;
	struct oq_running *by;
	unsigned served = oq_live_serve(&lane->live, now, port, one_cycle, &passed, &by);
	struct rte_mbuf *packet;

	if (served != OQ_SENT)
		return served;
	packet = passed.packet;
	counts(by, passed.queue)->left++;
	if (playing)
		played(packet)->fields = passed.fields;
	if (!playing || played(packet)->is_frame)
		by->version->write(rte_pktmbuf_mtod(packet, oq_u8 *), packet->data_len, passed.fields.marks);
	egress->keeps[egress->kept++] = packet;
	return served;
}

/* How long a packet of so many bytes takes at the pace of a port, in picoseconds. */
static wide duration(const struct egress *egress, uint32_t bytes)
{
	return (wide)bytes * 8000000000000ull * egress->under / egress->over;
}

/* Sends what may begin by now. */
static void transmit(unsigned port, uint64_t now)
{
	struct egress *egress = &this_lane->egress[port];
	wide ps = (wide)now * 1000;

	send_kept(egress);
	/* What the port does not take waits here, and nothing more is taken from the policy. */
	if (egress->kept)
		return;
	while (egress->kept < BURST && (!egress->over || egress->next <= ps)) {
		wide begin = egress->was_idle || egress->next + CATCH_UP < ps ? ps : egress->next;

		egress->was_idle = serve(port, now, 0) == OQ_NONE;
		if (egress->was_idle)
			break;
		if (egress->over)
			egress->next = begin + duration(egress, egress->keeps[egress->kept - 1]->pkt_len);
	}
	send_kept(egress);
}

#endif
