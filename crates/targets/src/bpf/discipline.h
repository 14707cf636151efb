/*
 * What a queueing discipline needs of the kernel: fields of its structures, found at their places when the programs are
 * loaded, and its functions.
 */
#ifndef OQ_DISCIPLINE_H
#define OQ_DISCIPLINE_H

#include "oq_kernel.h"

#pragma clang attribute push(__attribute__((preserve_access_index)), apply_to = record)
struct sk_buff {
	u32 len;
	u32 priority;
	u32 mark;
	u16 protocol;
	char cb[48];
};
struct qdisc_skb_cb {
	u32 pkt_len;
	u8 data[20];
};
struct qdisc_skb_head {
	u32 qlen;
};
struct gnet_stats_queue {
	u32 qlen;
	u32 backlog;
	u32 drops;
	u32 requeues;
	u32 overlimits;
};
struct Qdisc {
	u32 limit;
	struct qdisc_skb_head q;
	struct gnet_stats_queue qstats;
};
struct bpf_sk_buff_ptr {
	struct sk_buff *skb;
};
struct nlattr;
struct netlink_ext_ack;
struct Qdisc_ops {
	char id[16];
	int (*enqueue)(struct sk_buff *, struct Qdisc *, struct sk_buff **);
	struct sk_buff *(*dequeue)(struct Qdisc *);
	int (*init)(struct Qdisc *, struct nlattr *, struct netlink_ext_ack *);
	void (*reset)(struct Qdisc *);
	void (*destroy)(struct Qdisc *);
};
#pragma clang attribute pop

struct bpf_dynptr {
	u64 opaque[2];
} __attribute__((aligned(8)));
/* As programs at the egress see a packet (linux/bpf.h). */
struct __sk_buff {
	u32 len;
	u32 others[11];
	u32 cb[5];
};

#define OQ_FROM_NETWORK_HEADER 1u

static long (*const bpf_dynptr_read)(void *to, u32 length, const struct bpf_dynptr *from, u32 offset, u64 flags) = (void *)201;
extern int bpf_dynptr_from_skb(struct __sk_buff *skb, u64 flags, struct bpf_dynptr *to) SEC(".ksyms");
extern void bpf_qdisc_skb_drop(struct sk_buff *skb, struct bpf_sk_buff_ptr *to_free) SEC(".ksyms");
extern void bpf_kfree_skb(struct sk_buff *skb) SEC(".ksyms");
extern void bpf_qdisc_watchdog_schedule(struct Qdisc *sch, u64 expire, u64 delta_ns) SEC(".ksyms");
extern u32 bpf_skb_get_hash(struct sk_buff *skb) SEC(".ksyms");
extern void bpf_qdisc_bstats_update(struct Qdisc *sch, const struct sk_buff *skb) SEC(".ksyms");

static __attribute__((always_inline)) u32 packet_length(const struct sk_buff *skb)
{
	return ((struct qdisc_skb_cb *)skb->cb)->pkt_len;
}

#endif
