/*
 * The ports, the memory for packets, and the lanes between them.
 */
#ifndef DPDK_PORTS_H
#define DPDK_PORTS_H

#define RX_DESCRIPTORS 1024
#define TX_DESCRIPTORS 512
#define POOL_CACHE 256u

static struct rte_mempool *pool;
static struct lane *lanes;
static unsigned lane_count;

/* Says what is wrong in one line, and ends with status 2. */
static void __attribute__((noreturn, format(printf, 1, 2))) fail(const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	fprintf(stderr, "error: ");
	vfprintf(stderr, format, arguments);
	fprintf(stderr, "\n");
	va_end(arguments);
	exit(2);
}

static void *room(size_t bytes)
{
	void *room = rte_zmalloc(NULL, bytes, RTE_CACHE_LINE_SIZE);

	if (!room)
		fail("no memory for %zu bytes of the policy's state; give more, such as with -m 512 before --", bytes);
	return room;
}

/* Makes the pool: packets for all that waits in so many policies, for so many ports, and for what is under way. */
static void make_pool(unsigned policies, unsigned ports)
{
	unsigned packets = policies * (OQ_CAPACITY + OQ_POLICY_PORTS * BURST) + ports * (RX_DESCRIPTORS + TX_DESCRIPTORS)
		+ rte_lcore_count() * (POOL_CACHE * 3 / 2 + BURST);

	pool = rte_pktmbuf_pool_create("forebay", packets, POOL_CACHE, 0, RTE_MBUF_DEFAULT_BUF_SIZE, rte_socket_id());
	if (!pool)
		fail("no memory for %u packets of %u bytes: %s; give more, such as with -m 512 before --, or make the policy's "
		     "sizes smaller", packets, RTE_MBUF_DEFAULT_BUF_SIZE, rte_strerror(rte_errno));
}

/* Makes a port ready. */
static void start_port(uint16_t port)
{
	struct rte_eth_conf settings;
	uint16_t rx = RX_DESCRIPTORS, tx = TX_DESCRIPTORS;
	int socket = rte_eth_dev_socket_id(port);
	int status;

	memset(&settings, 0, sizeof settings);
	status = rte_eth_dev_configure(port, 1, 1, &settings);
	if (!status)
		status = rte_eth_dev_adjust_nb_rx_tx_desc(port, &rx, &tx);
	if (!status)
		status = rte_eth_rx_queue_setup(port, 0, rx, (unsigned)socket, NULL, pool);
	if (!status)
		status = rte_eth_tx_queue_setup(port, 0, tx, (unsigned)socket, NULL);
	if (!status)
		status = rte_eth_dev_start(port);
	if (status)
		fail("port %u cannot be started: %s", port, rte_strerror(-status));
	/* Not all ports can, and of those not all need to. */
	(void)rte_eth_promiscuous_enable(port);
}

/* Makes a lane without inputs, whose outputs are not known yet. */
static void make_lane(struct lane *lane, uint64_t seed)
{
	lane->policy = room(sizeof *lane->policy);
	lane->packets = room(OQ_SLOTS * sizeof *lane->packets);
	lane->queue_of = room(OQ_SLOTS * sizeof *lane->queue_of);
	choose_lane(lane);
	oq_init(seed);
}

/* Sets the pace of a port: the rate of its link in bits a second if it is given, and the policy's. */
static void set_pace(struct egress *egress, unsigned port, uint64_t link)
{
	wide declared = (wide)oq_port_rates[port];
	struct rte_eth_link found;

	if (oq_port_in_percent[port] && !link && declared >= (wide)100 << 16)
		return;
	if (!link && rte_eth_link_get_nowait(egress->port, &found) == 0 && found.link_speed != RTE_ETH_SPEED_NUM_UNKNOWN)
		link = (uint64_t)found.link_speed * 1000000;
	if (oq_port_in_percent[port] && !link)
		fail("port %u does not say how fast it is, and the policy has a part of that; say it with --rate", egress->port);
	if (oq_port_in_percent[port]) {
		egress->over = link * declared;
		egress->under = (wide)100 << 16;
	} else {
		egress->over = declared;
		egress->under = (wide)1 << 16;
	}
	if (link && egress->over > link * egress->under) {
		egress->over = link;
		egress->under = 1;
	}
}

/* Makes the lanes between the ports: one from each to its neighbour, or, of a policy with several ports, one for all. */
static void make_lanes(const uint16_t *ports, unsigned count, const uint64_t *rates, uint64_t seed)
{
	lane_count = OQ_POLICY_PORTS == 1 ? count : 1;
	lanes = room(lane_count * sizeof *lanes);
	for (unsigned i = 0; i < lane_count; i++) {
		struct lane *lane = &lanes[i];

		make_lane(lane, seed);
		lane->inputs = OQ_POLICY_PORTS == 1 ? 1 : count;
		for (unsigned input = 0; input < lane->inputs; input++)
			lane->input[input] = ports[OQ_POLICY_PORTS == 1 ? i ^ 1 : input];
		for (unsigned port = 0; port < OQ_POLICY_PORTS; port++) {
			lane->egress[port].port = ports[OQ_POLICY_PORTS == 1 ? i : port];
			set_pace(&lane->egress[port], port, rates[lane->egress[port].port]);
		}
	}
}

/* Gives back all that waits, and the ports. How many packets are not there again. */
static unsigned finish(const uint16_t *ports, unsigned count)
{
	for (unsigned i = 0; i < lane_count; i++) {
		choose_lane(&lanes[i]);
		for (unsigned port = 0; port < OQ_POLICY_PORTS; port++) {
			struct egress *egress = &lanes[i].egress[port];
			unsigned slot;

			rte_pktmbuf_free_bulk(egress->keeps, egress->kept);
			while ((slot = oq_dequeue(UINT64_MAX, port)) != OQ_NONE)
				rte_pktmbuf_free(lanes[i].packets[slot]);
		}
	}
	for (unsigned i = 0; i < count; i++) {
		/* An interface of the kernel stays, and so would this. */
		(void)rte_eth_promiscuous_disable(ports[i]);
		(void)rte_eth_dev_stop(ports[i]);
		(void)rte_eth_dev_close(ports[i]);
	}
	return rte_mempool_in_use_count(pool);
}

#endif
