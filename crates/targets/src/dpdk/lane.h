/*
 * A lane: an instance of the policy, with the packets that it holds, between the ports that it receives from and those that it
 * sends to. One core at a time works on a lane.
 */
#ifndef DPDK_LANE_H
#define DPDK_LANE_H

#define BURST 32u
#define MOST_PORTS 32u
/* A sender that was kept from a packet that was due may be late by so much, and catch up; in picoseconds. */
#define CATCH_UP 100000000ull

struct oq_instance;
static __thread struct oq_instance *this_policy;
static void dropped(unsigned slot);
#define OQ_INSTANCE this_policy
#define OQ_STATE static __thread __attribute__((unused))
#define OQ_DROP(slot, rule) ((void)(rule), dropped(slot))
#include "oq_core.h"
#include "oq_fields.h"
#include "oq_marking.h"
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

struct lane {
	struct oq_instance *policy;
	struct rte_mbuf **packets; /* by slot */
	uint16_t *queue_of;        /* by slot */
	unsigned inputs;
	uint16_t input[MOST_PORTS];
	struct egress egress[OQ_POLICY_PORTS];
	struct queue_counts queues[OQ_POLICY_QUEUES];
	uint64_t received;
	uint64_t received_bytes;
};

/* What a packet that plays an operation has in front of its bytes: fields in place of headers, if it has none. */
struct played {
	struct oq_fields fields;
	uint64_t id;
	int is_frame;
};

static __thread struct lane *this_lane;
static int playing;

static void choose_lane(struct lane *lane)
{
	this_lane = lane;
	this_policy = lane->policy;
}

static struct played *played(struct rte_mbuf *packet)
{
	return packet->buf_addr;
}

/* A packet that waited was pushed out. */
static void dropped(unsigned slot)
{
	struct rte_mbuf *packet = this_lane->packets[slot];

	if (playing)
		play_pushed(played(packet)->id, &oq_packets[slot].fields);
	this_lane->queues[this_lane->queue_of[slot]].pushed_out++;
	rte_pktmbuf_free(packet);
}

/* The fields of a packet: from its headers, or, of one that plays an operation, as they were said. */
static void read_packet(struct oq_fields *fields, struct rte_mbuf *packet)
{
	uint32_t length = RTE_MIN(packet->pkt_len, OQ_HEAD_BYTES);

	if (playing && !played(packet)->is_frame) {
		*fields = played(packet)->fields;
		return;
	}
	if (packet->data_len >= OQ_HEAD_BYTES) {
		memcpy(oq_frame_head, rte_pktmbuf_mtod(packet, void *), OQ_HEAD_BYTES);
	} else {
		const void *head = rte_pktmbuf_read(packet, 0, length, oq_frame_head);

		if (head != oq_frame_head)
			memcpy(oq_frame_head, head, length);
	}
	oq_read_fields(fields, length, packet->pkt_len, 0, 0);
}

/* A packet has come: what the policy says of it. One that it refuses is freed. */
static unsigned arrive(struct rte_mbuf *packet, uint64_t now)
{
	struct lane *lane = this_lane;
	struct oq_fields fields;
	unsigned slot;

	lane->received++;
	lane->received_bytes += packet->pkt_len;
	read_packet(&fields, packet);
	slot = oq_enqueue(now, &fields);
	if (slot & OQ_REFUSED) {
		rte_pktmbuf_free(packet);
		return slot;
	}
	lane->packets[slot] = packet;
	lane->queue_of[slot] = (uint16_t)oq_packets[slot].queue;
	lane->queues[lane->queue_of[slot]].entered++;
	return slot;
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
	unsigned slot = one_cycle ? oq_cycle(now, port) : oq_dequeue(now, port);
	struct rte_mbuf *packet;

	if (slot == OQ_NONE || slot == OQ_CYCLE)
		return slot;
	packet = lane->packets[slot];
	lane->queues[lane->queue_of[slot]].left++;
	if (playing)
		played(packet)->fields = oq_packets[slot].fields;
	if (!playing || played(packet)->is_frame)
		oq_write_marks(rte_pktmbuf_mtod(packet, oq_u8 *), packet->data_len, oq_packets[slot].fields.marks);
	egress->keeps[egress->kept++] = packet;
	return slot;
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
