/*
 * What has been counted, for people or as JSON: one line for each time it is asked for.
 */
#ifndef DPDK_REPORT_H
#define DPDK_REPORT_H

static const char *const rule_names[OQ_RULES] = OQ_RULE_NAMES;

/* Packets that the policy of the lane holds. */
static uint64_t waiting(void)
{
	return oq_live_waiting(this_policy());
}

/* What waits in queues of a name. */
static struct oq_occupancy waiting_in(const struct lane *lane, unsigned name)
{
	struct oq_occupancy sum = { 0, 0 };

	for (const struct oq_running *each = lane->live.oldest; each; each = each->newer) {
		oq_u32 queue = oq_live_queue(each, name);

		if (queue == OQ_NONE)
			continue;
		sum.packets += each->parts.queues[queue].packets;
		sum.bytes += each->parts.queues[queue].bytes;
	}
	return sum;
}

static void lane_as_json(const struct lane *lane)
{
	struct oq_counts all = oq_live_counts(&lane->live);
	const char *comma = "";

	printf("{\"receives\":[");
	for (unsigned i = 0; i < lane->inputs; i++)
		printf("%s%u", i ? "," : "", lane->input[i]);
	printf("],\"version\":%u,\"received\":%" PRIu64 ",\"received_bytes\":%" PRIu64 ",\"waiting\":%" PRIu64 ",\"dropped\":{",
	       lane->live.changes, lane->received, lane->received_bytes, waiting());
	for (unsigned i = 0; i < OQ_RULES; i++)
		printf("%s\"%s\":%" PRIu64, i ? "," : "", rule_names[i], (uint64_t)all.dropped[i]);
	printf("},\"marked\":%" PRIu64 ",\"notified\":%" PRIu64 ",\"queues\":[", (uint64_t)all.marked,
	       (uint64_t)all.notified);
	for (unsigned i = 0; i < lane->live.names; i++) {
		struct oq_occupancy here = waiting_in(lane, i);

		if (!lane->counts[i])
			continue;
		printf("%s{\"name\":\"%s\",\"entered\":%" PRIu64 ",\"left\":%" PRIu64 ",\"pushed_out\":%" PRIu64
		       ",\"waiting\":%" PRIu64 ",\"waiting_bytes\":%" PRIu64 "}", comma, lane->live.name[i],
		       lane->counts[i]->entered, lane->counts[i]->left, lane->counts[i]->pushed_out, (uint64_t)here.packets,
		       (uint64_t)here.bytes);
		comma = ",";
	}
	printf("],\"ports\":[");
	for (unsigned i = 0; i < OQ_POLICY_PORTS; i++)
		printf("%s{\"port\":%u,\"sent\":%" PRIu64 ",\"sent_bytes\":%" PRIu64 ",\"kept\":%u}", i ? "," : "",
		       lane->egress[i].port, lane->egress[i].sent, lane->egress[i].sent_bytes, lane->egress[i].kept);
	printf("]}");
}

static void lane_as_text(const struct lane *lane)
{
	struct oq_counts all = oq_live_counts(&lane->live);

	printf("from port");
	for (unsigned i = 0; i < lane->inputs; i++)
		printf(" %u", lane->input[i]);
	printf(", version %u: received %" PRIu64 " (%" PRIu64 " B), waiting %" PRIu64 ", marked %" PRIu64 ", notified %" PRIu64 "; dropped by",
	       lane->live.changes, lane->received, lane->received_bytes, waiting(), (uint64_t)all.marked, (uint64_t)all.notified);
	for (unsigned i = 0; i < OQ_RULES; i++)
		printf(" %s %" PRIu64, rule_names[i], (uint64_t)all.dropped[i]);
	printf("\n");
	for (unsigned i = 0; i < lane->live.names; i++) {
		struct oq_occupancy here = waiting_in(lane, i);

		if (lane->counts[i])
			printf("  queue %s: entered %" PRIu64 ", left %" PRIu64 ", pushed out %" PRIu64 ", waiting %" PRIu64 " (%" PRIu64
			       " B)\n", lane->live.name[i], lane->counts[i]->entered, lane->counts[i]->left,
			       lane->counts[i]->pushed_out, (uint64_t)here.packets, (uint64_t)here.bytes);
	}
	for (unsigned i = 0; i < OQ_POLICY_PORTS; i++)
		printf("  to port %u: sent %" PRIu64 " (%" PRIu64 " B), kept %u\n", lane->egress[i].port, lane->egress[i].sent,
		       lane->egress[i].sent_bytes, lane->egress[i].kept);
}

/* Shows what all lanes and ports have counted by `now`. What other cores count meanwhile may be a moment old. */
static void report(const uint16_t *ports, unsigned count, uint64_t now, int as_json)
{
	struct lane *mine = this_lane;

	pthread_mutex_lock(&making_ready);
	printf(as_json ? "{\"ns\":%" PRIu64 ",\"lanes\":[" : "after %" PRIu64 " ns\n", now);
	for (unsigned i = 0; i < lane_count; i++) {
		choose_lane(&lanes[i]);
		if (as_json && i)
			printf(",");
		if (as_json)
			lane_as_json(&lanes[i]);
		else
			lane_as_text(&lanes[i]);
	}
	printf(as_json ? "],\"missed\":[" : "missed by port:");
	for (unsigned i = 0; i < count; i++) {
		struct rte_eth_stats stats;

		memset(&stats, 0, sizeof stats);
		(void)rte_eth_stats_get(ports[i], &stats);
		printf(as_json ? "%s{\"port\":%u,\"packets\":%" PRIu64 "}" : "%s %u: %" PRIu64, as_json && i ? "," : "", ports[i],
		       stats.imissed + stats.rx_nombuf);
	}
	printf(as_json ? "]}\n" : "\n");
	fflush(stdout);
	pthread_mutex_unlock(&making_ready);
	if (mine)
		choose_lane(mine);
}

#endif
