/*
 * Rings in place of ports: packets of this program arrive by one and leave by others, through the calls that real ports have.
 */
#ifndef DPDK_RINGS_H
#define DPDK_RINGS_H

#define RING_PLACES 128u

static struct rte_ring *ring_in;
static struct rte_ring *ring_out[OQ_POLICY_PORTS];
static uint16_t ring_ports[OQ_POLICY_PORTS];

static struct rte_ring *make_ring(const char *name, unsigned number)
{
	char text[RTE_RING_NAMESIZE];
	struct rte_ring *ring;

	snprintf(text, sizeof text, "%s%u", name, number);
	ring = rte_ring_create(text, RING_PLACES, SOCKET_ID_ANY, RING_F_SP_ENQ | RING_F_SC_DEQ);
	if (!ring)
		fail("no memory for a ring: %s; give more, such as with -m 512 before --", rte_strerror(rte_errno));
	return ring;
}

/* One lane whose ports are rings; all packets arrive by the first. */
static void start_rings(uint64_t seed)
{
	make_pool(1, OQ_POLICY_PORTS);
	lanes = room(sizeof *lanes);
	lane_count = 1;
	make_lane(lanes, seed);
	for (unsigned i = 0; i < OQ_POLICY_PORTS; i++) {
		struct rte_ring *in = make_ring("in", i);
		char name[32];
		int port;

		if (!i)
			ring_in = in;
		ring_out[i] = make_ring("out", i);
		snprintf(name, sizeof name, "rings%u", i);
		port = rte_eth_from_rings(name, &in, 1, &ring_out[i], 1, 0);
		if (port < 0)
			fail("a ring cannot be made a port: %s", rte_strerror(rte_errno));
		ring_ports[i] = (uint16_t)port;
		start_port(ring_ports[i]);
		lanes->egress[i].port = ring_ports[i];
	}
	lanes->inputs = 1;
	lanes->input[0] = ring_ports[0];
}

#endif
