/*
 * What a packet costs: by the policy, and, beside it, by a plain ring in its place; all between the same two ports.
 *
 * Only what a burst costs from the call that receives it to the call that sends another is measured, and not the making of
 * packets. Cycles are those of the time stamp counter.
 */
#ifndef DPDK_MEASURE_H
#define DPDK_MEASURE_H

#define FRAME_BYTES 100u
#define FLOWS 64u

static uint64_t measure_state = 1;

/* SplitMix64 (Steele, Lea, Flood, 2014). */
static uint64_t measure_random(void)
{
	uint64_t mixed = measure_state += 0x9e3779b97f4a7c15ull;

	mixed = (mixed ^ (mixed >> 30)) * 0xbf58476d1ce4e5b9ull;
	mixed = (mixed ^ (mixed >> 27)) * 0x94d049bb133111ebull;
	return mixed ^ (mixed >> 31);
}

/* A frame of UDP over IPv4: one of some flows, any DSCP, and a payload of random bytes. */
static struct rte_mbuf *measure_frame(void)
{
	static const uint8_t headers[42] = { [12] = 0x08, [14] = 0x45, [17] = 86, [22] = 64, 17, [26] = 10, 0, 0, 1, 10, 0, 0, 2,
					     0x10, 0, 0x20, 0, 0, 66 };
	struct rte_mbuf *packet = rte_pktmbuf_alloc(pool);
	uint8_t *bytes;

	if (!packet)
		fail("there are no packets left: some were lost");
	bytes = (uint8_t *)rte_pktmbuf_append(packet, FRAME_BYTES);
	memcpy(bytes, headers, sizeof headers);
	bytes[15] = (uint8_t)(measure_random() << 2);
	bytes[35] = (uint8_t)(measure_random() % FLOWS);
	for (unsigned i = sizeof headers; i < FRAME_BYTES; i++)
		bytes[i] = (uint8_t)measure_random();
	return packet;
}

/* Makes a burst arrive. */
static void measure_offer(void)
{
	for (unsigned i = 0; i < BURST; i++)
		if (rte_ring_enqueue(ring_in, measure_frame()))
			fail("a packet did not arrive");
}

/* Frees what has left. */
static void measure_clear(void)
{
	void *packet = NULL;

	for (unsigned port = 0; port < OQ_POLICY_PORTS; port++)
		while (!rte_ring_dequeue(ring_out[port], &packet))
			rte_pktmbuf_free(packet);
}

/* A burst through the policy; so many may leave, by the ports in turn. */
static void __attribute__((noinline)) measure_policy(uint64_t now, unsigned leave)
{
	unsigned verdict;

	receive(ring_ports[0], now, &verdict);
	for (unsigned i = 0; i < leave; i++)
		serve(i % OQ_POLICY_PORTS, now, 0);
	for (unsigned port = 0; port < OQ_POLICY_PORTS; port++)
		send_kept(&this_lane->egress[port]);
}

/* A burst through a ring, into which what does not fit is refused; so many leave. */
static void __attribute__((noinline)) measure_ring(struct rte_ring *ring, unsigned leave)
{
	struct rte_mbuf *burst[BURST];
	unsigned count = rte_eth_rx_burst(ring_ports[0], 0, burst, BURST);
	unsigned taken = rte_ring_enqueue_burst(ring, (void **)burst, count, NULL);

	if (taken < count)
		rte_pktmbuf_free_bulk(burst + taken, count - taken);
	count = rte_ring_dequeue_burst(ring, (void **)burst, leave, NULL);
	taken = rte_eth_tx_burst(ring_ports[0], 0, burst, (uint16_t)count);
	if (taken < count)
		rte_pktmbuf_free_bulk(burst + taken, count - taken);
}

/* Cycles a packet for so many, after a warm-up of as many rounds as fill whatever holds packets. */
static double measure_rounds(struct rte_ring *ring, uint64_t packets, unsigned leave)
{
	uint64_t rounds = packets / BURST + 1;
	uint64_t warm = OQ_CAPACITY / (BURST / 2) + 64;
	uint64_t cycles = 0;

	for (uint64_t round = 0; round < warm + rounds; round++) {
		uint64_t begin;

		measure_offer();
		begin = rte_rdtsc_precise();
		if (ring)
			measure_ring(ring, leave);
		else
			measure_policy(round * 1000, leave);
		if (round >= warm)
			cycles += rte_rdtsc_precise() - begin;
		measure_clear();
	}
	return (double)cycles / (double)(rounds * BURST);
}

/* Measures so many packets, with so many that wait already, or with more arriving than leave: the status of the program. */
static int measure(uint64_t packets, uint64_t fill, int overload, uint64_t seed)
{
	unsigned leave = overload ? BURST / 2 : BURST;
	struct rte_ring *ring;
	double plain, policy;
	void *packet = NULL;

	fill = RTE_MIN(fill, OQ_CAPACITY - 1);
	start_rings(seed);
	ring = rte_ring_create("plain", OQ_CAPACITY - 1, SOCKET_ID_ANY, RING_F_SP_ENQ | RING_F_SC_DEQ | RING_F_EXACT_SZ);
	if (!ring)
		fail("no memory for a ring: %s; give more, such as with -m 512 before --", rte_strerror(rte_errno));
	for (uint64_t i = 0; i < fill; i++)
		rte_ring_enqueue(ring, measure_frame());
	plain = measure_rounds(ring, packets, leave);
	while (!rte_ring_dequeue(ring, &packet))
		rte_pktmbuf_free(packet);
	for (uint64_t i = 0; i < fill; i += BURST) {
		measure_offer();
		measure_policy(0, 0);
	}
	policy = measure_rounds(NULL, packets, leave);
	printf("%.0f cycles a packet, %.0f by a plain ring: %.2f times as many; %u wait\n", policy, plain, policy / plain,
	       (unsigned)waiting());
	return finish(ring_ports, OQ_POLICY_PORTS) != 0;
}

#endif
