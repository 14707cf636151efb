/*
 * Congestion notifications. A discipline cannot write into packets: what a policy decides for a packet is owed to its flow,
 * and written into the flow's next packet that comes, before that one is queued.
 */
#ifndef OQ_NOTIFIER_H
#define OQ_NOTIFIER_H

#include "oq_discipline.h"
#include "oq_places.h"

/* Flows that are told apart, and notifications that one can be owed. */
#define OQ_FLOWS 65536u
#define OQ_MOST_OWED 64u

/* Notifications that packets of a flow are still to get, by the kernel's hash of the flow. */
struct {
	OQ_MAP_NUMBER(type, OQ_MAP_ARRAY);
	OQ_MAP_NUMBER(max_entries, OQ_FLOWS);
	OQ_MAP_TYPE(key, u32);
	OQ_MAP_TYPE(value, u32);
} oq_owed SEC(".maps");

/* The packet goes on to other programs (TC_ACT_UNSPEC). */
#define OQ_GO_ON (-1)

/* In a packet's control block, between the two programs: a notification was written into it that was decided for another. */
#define OQ_WRITTEN 0x6f716365u

/* The next packet of this flow gets a congestion notification. */
static __attribute__((always_inline)) void owe(struct sk_buff *skb)
{
	u32 flow = bpf_skb_get_hash(skb) & (OQ_FLOWS - 1);
	u32 *owed = bpf_map_lookup_elem(&oq_owed, &flow);

	if (owed && *owed < OQ_MOST_OWED)
		__sync_fetch_and_add(owed, 1);
}

/* Whether the packet got a notification that was decided for another one. */
static __attribute__((always_inline)) u32 is_written(const struct sk_buff *skb)
{
	return *(u32 *)((struct qdisc_skb_cb *)skb->cb)->data == OQ_WRITTEN;
}

/* Whether the sender understands notifications and the packet has none (RFC 3168: the codepoints ECT(0) and ECT(1)). */
static __attribute__((always_inline)) int can_carry(struct __sk_buff *skb)
{
	u8 head[2] = { 0, 0 };
	u8 ecn;

	if (bpf_skb_load_bytes_relative(skb, 0, head, sizeof head, OQ_FROM_NETWORK_HEADER))
		return 0;
	switch (head[0] >> 4) {
	case 4:
		ecn = head[1] & 3;
		break;
	case 6:
		ecn = head[1] >> 4 & 3;
		break;
	default:
		return 0;
	}
	return ecn == 1 || ecn == 2;
}

/* At the device's egress, before packets are queued: writes what is owed to the packet's flow. */
SEC("tc")
int oq_notify(struct __sk_buff *skb)
{
	u32 flow = bpf_get_hash_recalc(skb) & (OQ_FLOWS - 1);
	u32 *owed = bpf_map_lookup_elem(&oq_owed, &flow);
	u32 before;

	skb->cb[0] = 0;
	if (!owed)
		return OQ_GO_ON;
	before = *owed;
	if (!before || !can_carry(skb) || __sync_val_compare_and_swap(owed, before, before - 1) != before)
		return OQ_GO_ON;
	if (bpf_skb_ecn_set_ce(skb)) {
		__sync_fetch_and_add(&oq_counted.notified, 1);
		skb->cb[0] = OQ_WRITTEN;
	} else {
		/* There was no memory to write in. */
		__sync_fetch_and_add(owed, 1);
	}
	return OQ_GO_ON;
}

#endif
