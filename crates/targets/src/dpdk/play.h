/*
 * Plays operations (oq_play.h) with real packets: each arrives by a ring that is a port, and leaves by another one.
 */
#ifndef DPDK_PLAY_H
#define DPDK_PLAY_H

_Static_assert(sizeof(struct played) <= RTE_PKTMBUF_HEADROOM, "there is room in front of a packet's bytes");

/* A packet of so many bytes. */
static struct rte_mbuf *play_packet(uint64_t id, unsigned length)
{
	struct rte_mbuf *packet = rte_pktmbuf_alloc(pool);

	if (!packet)
		fail("there are no packets left: some were lost");
	if (!rte_pktmbuf_append(packet, (uint16_t)length))
		fail("packet %" PRIu64 " is too long", id);
	*played(packet) = (struct played){ .id = id };
	return packet;
}

/* It arrives. */
static unsigned play_receive(uint64_t now, struct rte_mbuf *packet, uint64_t id)
{
	unsigned verdict = OQ_NONE;

	if (rte_ring_enqueue(ring_in, packet) || receive(ring_ports[0], now, &verdict) != 1)
		fail("packet %" PRIu64 " did not arrive", id);
	return verdict;
}

static unsigned play_enqueue(uint64_t now, const struct oq_fields *fields, uint64_t id)
{
	struct rte_mbuf *packet = play_packet(id, 1);

	played(packet)->fields = *fields;
	return play_receive(now, packet, id);
}

static unsigned play_frame(uint64_t now, const oq_u8 *bytes, unsigned length, uint64_t id)
{
	struct rte_mbuf *packet = play_packet(id, length);

	memcpy(rte_pktmbuf_mtod(packet, void *), bytes, length);
	played(packet)->is_frame = 1;
	return play_receive(now, packet, id);
}

static unsigned play_serve(uint64_t now, unsigned port, int one_cycle)
{
	unsigned slot = serve(port, now, one_cycle);
	void *packet = NULL;

	if (slot == OQ_NONE || slot == OQ_CYCLE)
		return slot;
	send_kept(&this_lane->egress[port]);
	if (rte_ring_dequeue(ring_out[port], &packet))
		fail("a packet did not leave by port %u", port);
	play_show(played(packet)->id, &played(packet)->fields);
	rte_pktmbuf_free(packet);
	return slot;
}

static void play_change(const char *file, enum oq_transition transition)
{
	struct change change = { .transition = transition, .status = -1, .message = "" };

	change.next = make_ready(this_lane, file, change.message);
	if (change.next)
		make_change(this_lane, &change);
	if (change.status)
		printf("refused: %s", change.message);
	else
		printf("changed %u", this_lane->live.changes);
	if (change.status && change.next)
		release(change.next);
	release(change.ended);
}

/* Plays all of standard input, and looks whether all packets were given back: the status of the program. */
static int play_mbufs(uint64_t seed)
{
	unsigned lost;
	int status;

	playing = 1;
	start_rings(seed);
	status = play_all();
	lost = finish(ring_ports, OQ_POLICY_PORTS);
	if (!status && lost) {
		fprintf(stderr, "error: %u packets were not given back\n", lost);
		status = 1;
	}
	return status;
}

#endif
