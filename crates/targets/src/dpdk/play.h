/*
 * Plays operations (oq_play.h) with real packets: each arrives by a ring that is a port, and leaves by another one.
 */
#ifndef DPDK_PLAY_H
#define DPDK_PLAY_H

static unsigned play_enqueue(uint64_t now, const struct oq_fields *fields, uint64_t id)
{
	struct rte_mbuf *packet = rte_pktmbuf_alloc(pool);
	unsigned verdict = OQ_NONE;

	if (!packet)
		fail("there are no packets left: some were lost");
	rte_pktmbuf_append(packet, sizeof(struct played));
	played(packet)->fields = *fields;
	played(packet)->id = id;
	if (rte_ring_enqueue(ring_in, packet) || receive(ring_ports[0], now, &verdict) != 1)
		fail("packet %" PRIu64 " did not arrive", id);
	return verdict;
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
